"""`Session`: programs that would end the process in XLA are refused; their neighbours compile."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.errors import CompileError
from tests.harness import session

pytestmark = pytest.mark.compat


def window_sum(padding: tuple[int, int], size: int = 1, stride: int = 1, base_dilation: int = 1) -> str:
    """A sum over windows of `tensor<5xf32>`."""
    padded = 4 * base_dilation + 1 + sum(padding)
    out = f"tensor<{(padded - size) // stride + 1}xf32>"
    return f"""
    func.func @main(%x: tensor<5xf32>, %zero: tensor<f32>) -> {out} {{
      %sum = "stablehlo.reduce_window"(%x, %zero) <{{
        padding = dense<[[{padding[0]}, {padding[1]}]]> : tensor<1x2xi64>, window_dimensions = array<i64: {size}>,
        window_strides = array<i64: {stride}>, base_dilations = array<i64: {base_dilation}>
      }}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }}) : (tensor<5xf32>, tensor<f32>) -> {out}
      return %sum : {out}
    }}"""


def sine(shape: str) -> str:
    return f"""
    func.func @main(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
      %y = stablehlo.sine %x : tensor<{shape}xf32>
      return %y : tensor<{shape}xf32>
    }}"""


SCALAR_SCATTER = """
    func.func @main(%x: tensor<f32>, %source: tensor<f32>, %zero: tensor<f32>) -> tensor<f32> {
      %y = "stablehlo.select_and_scatter"(%x, %source, %zero) <{window_dimensions = array<i64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (sine("68719476736"), r"stablehlo.sine: tensor<68719476736xf32> has more than 2\*\*35 elements"),
        (sine("262144x262144"), r"stablehlo.sine: tensor<262144x262144xf32> has more than 2\*\*35 elements"),
        (window_sum((-1, 0)), r"stablehlo.reduce_window: a window of one element with negative padding"),
        (window_sum((0, -2)), r"slice the inputs instead of the padding\n  at .*:\d+"),
        (SCALAR_SCATTER, r"stablehlo.select_and_scatter: the operand is a scalar"),
    ],
)
def test_what_ends_the_process_is_refused(text: str, message: str):
    with pytest.raises(CompileError, match=message):
        session().compile(hh.parse(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (window_sum((-1, 1)), [1, 2, 3, 4, 0]),
        (window_sum((-1, 0), size=2), [3, 5, 7]),
        (window_sum((-1, 0), stride=2), [1, 3]),
        (window_sum((-1, -1), base_dilation=2), [0, 1, 0, 2, 0, 3, 0]),
    ],
)
def test_other_windows_with_negative_padding_run(text: str, expected: list[float]):
    x = np.arange(5, dtype=np.float32)
    (out,) = session().compile(text)(x, np.float32(0))
    np.testing.assert_array_equal(out.numpy(), expected)


def test_the_largest_result_compiles():
    session().compile(sine("131072x262144"))


# Memory

LEAKS = """
import resource
import numpy as np
import hhlo_xdsl as hh

session = hh.Session("cpu")
add = hh.jit(lambda tree: {"sum": tree["x"] * 2 + tree["y"]}, session=session)
y = np.ones(100_000, np.float32)
x = session.put(y)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def work(calls, compiles):
    for _ in range(calls):
        add({"x": x, "y": y})["sum"].numpy()
    for n in range(1, compiles + 1):
        module = hh.trace(hh.sin, hh.f32[n])
        session.compile(module, options=hh.CompileOptions(optimization_level=0))(np.zeros(n, np.float32))


work(1000, 40)
before = peak()
work(9000, 160)
print(peak() / before)
"""


def test_memory_stays_flat_over_10_000_calls_and_200_compiles() -> None:
    """The peak of a process; one array of a call that were kept would double it in a few hundred calls."""
    done = subprocess.run([sys.executable, "-c", LEAKS], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.03
