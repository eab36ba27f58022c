"""Which op a wrong gradient is blamed on. The wrong rules are registered here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hhlo_xdsl.cli import main
from hhlo_xdsl.culprit import first_culprit
from hhlo_xdsl.dialects.infix import Value, cosine
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp
from hhlo_xdsl.dialects.stablehlo.unary import SineOp, TanhOp
from hhlo_xdsl.passes.vjp.core import ELEMENTWISE, WALK_RULES
from hhlo_xdsl.text import parse
from hhlo_xdsl.widen import NotWidened, widened
from tests.harness import run, session

PROGRAM = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = func.call @f(%1, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.tanh %2 : tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
func.func private @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


@contextmanager
def rule(table: dict[Any, Any], op: type[Any], wrong: Any) -> Iterator[None]:
    right, table[op] = table[op], wrong
    try:
        yield
    finally:
        table[op] = right


def told(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    status = main(["check", str(path), *options])
    return status, capsys.readouterr().out


def test_a_right_gradient_blames_nobody(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = told(program, capsys)
    assert status == 0
    assert out.startswith("computed in f64\n")
    args = [np.linspace(0.1, 1.0, 4), np.linspace(-1.0, 0.5, 4)]
    assert first_culprit(widened(parse(PROGRAM)), args, [0, 1], session=session()) is None


def test_the_first_op_with_a_wrong_rule_is_named(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rule(ELEMENTWISE, TanhOp, (lambda t, x, y: t * (1 - y),)):
        status, out = told(program, capsys)
    assert status == 1
    assert "wrong: stablehlo.tanh: gradient " in out
    assert f"at {program}:3:" in out


def test_a_slightly_wrong_rule_is_found_in_f64(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rule(ELEMENTWISE, TanhOp, (lambda t, x, y: 1.0001 * t * (1 - y * y),)):
        status, out = told(program, capsys)
    assert status == 1
    assert f"at {program}:3:" in out


def test_an_op_in_a_called_function_is_named(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rule(ELEMENTWISE, SineOp, (lambda t, x, y: -t * cosine(x),)):
        status, out = told(program, capsys)
    assert status == 1
    assert "wrong: stablehlo.sine: gradient " in out
    assert f"at {program}:13:" in out


def test_a_wrong_structured_rule_is_named(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = WALK_RULES[ReduceOp]

    def doubled(op: Any, cts: Any, walk: Any) -> Any:
        return [None if ct is None else (2.0 * Value(ct)).ssa for ct in right(op, cts, walk)]

    with rule(WALK_RULES, ReduceOp, doubled):
        status, out = told(program, capsys)
    assert status == 1
    assert "wrong: stablehlo.reduce: gradient " in out


def test_ops_beside_the_way_are_not_blamed(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """tanh(y) is returned, but not differentiated."""
    program.write_text(
        """func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = stablehlo.tanh %y : tensor<f64>
  %1 = stablehlo.sine %x : tensor<f64>
  return %1, %0 : tensor<f64>, tensor<f64>
}
"""
    )
    wrong = (lambda t, x, y: t * (1 - y),)
    with rule(ELEMENTWISE, TanhOp, wrong), rule(ELEMENTWISE, SineOp, wrong):
        _, out = told(program, capsys)
    assert "wrong: stablehlo.sine" in out


@pytest.mark.parametrize(
    ("op", "at", "words"),
    [
        ("floor", 1.0, "stablehlo.floor has no derivative at these arguments"),
        ("abs", 0.0, "stablehlo.abs has no derivative at these arguments"),
        ("log", -1.0, "stablehlo.log makes NaN at these arguments"),
    ],
)
def test_arguments_without_derivative(
    program: Path, op: str, at: float, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"  %0 = stablehlo.{op} %x : tensor<f32>\n  return %0 : tensor<f32>\n}}\n"
    )
    np.savez(program.with_suffix(".npz"), in_0=np.float32(at))
    status, out = told(program, capsys, "--args", str(program.with_suffix(".npz")))
    assert status == 1
    assert words in out


def test_widened_constants_and_regions() -> None:
    """0.1 in f32 is exactly 13421773 / 2**27; the largest of x * 0.1 and 0.25, in f64."""
    module = widened(
        parse(
            """func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<[0.1, 2.0, 3.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<0.25> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<3xf32>
  %1 = stablehlo.reduce(%0 init: %i) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %2 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
  return %1 : tensor<f32>
}
"""
        )
    )
    (y,) = run(module, np.array([3.0, -1.0, -1.0]))
    assert y.dtype == np.float64
    assert y == 3 * 13421773 / 2**27


def test_what_has_no_wide_form(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(
        """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<f32>) -> tensor<i32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<i32>) -> tensor<f32>
  %2 = stablehlo.sine %x : tensor<f32>
  return %2 : tensor<f32>
}
"""
    )
    with pytest.raises(NotWidened, match=r"stablehlo\.bitcast_convert depends on the bits"):
        widened(parse(program.read_text()))
    status, out = told(program, capsys)
    assert status == 0
    assert out.startswith("computed in the program's own types: stablehlo.bitcast_convert")
