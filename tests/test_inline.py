"""`hhlo-inline`, and what is inlined before a gradient."""

from __future__ import annotations

import time

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import func

from hhlo_xdsl.errors import HhloError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.inline import InlinePass
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse
from tests.harness import run

CHAIN = """func.func @main(%x: tensor<f64>) -> tensor<f64> {{
  %0 = call @f0(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}}
{links}
func.func private @f{depth}(%x: tensor<f64>) -> tensor<f64> {{
  return %x : tensor<f64>
}}"""
LINK = """func.func private @f{}(%x: tensor<f64>) -> tensor<f64> {{
  %0 = stablehlo.sine %x : tensor<f64>
  %1 = call @f{}(%0) : (tensor<f64>) -> tensor<f64>
  %2 = stablehlo.cosine %1 : tensor<f64>
  return %2 : tensor<f64>
}}"""
TWICE = """func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = call @f(%x) : (tensor<f64>) -> tensor<f64>
  %1 = call @f(%0) : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
func.func private @f(%x: tensor<f64>) -> tensor<f64> {
  %0 = call @g(%x) : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.add %0, %x : tensor<f64>
  return %1 : tensor<f64>
}
func.func private @g(%x: tensor<f64>) -> tensor<f64> {
  return %x : tensor<f64>
}"""


def chain(depth: int) -> str:
    return CHAIN.format(links="\n".join(LINK.format(i, i + 1) for i in range(depth)), depth=depth)


def test_calls_are_replaced() -> None:
    module = parse(TWICE)
    InlinePass().apply(Context(), module)
    verify(module)
    assert [op.name for op in module.walk() if isinstance(op, func.CallOp | func.FuncOp)] == ["func.func"]
    assert run(module, np.array(1.5)) == [6.0]


def test_recursion_is_refused() -> None:
    module = parse(TWICE.replace("  return %x", "  %1 = call @f(%x) : (tensor<f64>) -> tensor<f64>\n  return %1"))
    with pytest.raises(HhloError, match=r"@f -> @g -> @f is recursive"):
        InlinePass().apply(Context(), module)


def test_the_gradient_of_a_chain_of_calls_is_linear_in_its_length() -> None:
    sizes: list[int] = []
    start = time.perf_counter()
    for depth in (100, 200, 400):
        module = parse(chain(depth))
        differentiate(module, GradPass())
        sizes.append(sum(1 + len(op.operands) + len(op.results) for op in module.walk()))
    assert sizes[2] - sizes[1] <= 2.1 * (sizes[1] - sizes[0])
    assert time.perf_counter() - start < 8


def test_the_gradient_of_a_chain_of_calls() -> None:
    module = parse(chain(3))
    differentiate(module, GradPass())
    x = y = 0.7
    slope = 1.0
    for _ in range(3):
        y, slope = np.sin(y), slope * np.cos(y)
    for _ in range(3):
        y, slope = np.cos(y), slope * -np.sin(y)
    np.testing.assert_allclose(run(module, np.array(x)), [y, slope], rtol=1e-12)
