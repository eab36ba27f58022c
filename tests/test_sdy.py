"""Shardy's marks pass through as JAX writes them."""

from __future__ import annotations

import numpy as np
import pytest

from hhlo_xdsl.errors import DifferentiationError, ParseError
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import run, vjp_of

CONSTRAINT = """
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
    %0 = stablehlo.sine %arg0 : tensor<4x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    %2 = sdy.reshard %1 <@mesh, [{}, {"x", ?}]> : tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
"""
MANUAL = """
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
      %1 = stablehlo.sine %arg1 : tensor<2xf32>
      sdy.return %1 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""
RULE = """
module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.sine %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
@pytest.mark.parametrize("text", [CONSTRAINT, MANUAL, RULE], ids=["constraint", "manual", "rule"])
def test_marks_are_printed_as_they_were_read(text: str, syntax: str) -> None:
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


@pytest.mark.parametrize("text", [CONSTRAINT, MANUAL, RULE], ids=["constraint", "manual", "rule"])
def test_upstreams_generic_form_is_read(text: str) -> None:
    assert cpp.generic(to_text(parse(cpp.generic(text)))) == cpp.generic(text)


def test_a_gradient_keeps_the_constraint() -> None:
    text = to_text(vjp_of(CONSTRAINT))
    assert text.count("sdy.sharding_constraint") == 1
    assert '<@mesh, [{"x"}, {}]>' in text


def test_the_gradient_is_that_of_the_program_without_marks() -> None:
    unmarked = CONSTRAINT.replace('sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]>', "stablehlo.negate %0").replace(
        'sdy.reshard %1 <@mesh, [{}, {"x", ?}]>', "stablehlo.negate %1"
    )
    x, ct = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4), np.ones((4, 4), np.float32)
    (expected,) = run(vjp_of(unmarked), x, ct)
    np.testing.assert_allclose(expected, np.cos(x), rtol=1e-6)
    marked = [op.name for op in vjp_of(CONSTRAINT).walk()]
    assert [n for n in marked if n.startswith("stablehlo.")] == ["stablehlo.cosine", "stablehlo.multiply"]


def test_a_gradient_through_a_manual_computation_is_refused() -> None:
    with pytest.raises(DifferentiationError, match=r"sdy\.manual_computation: no derivative rule yet \(its body holds"):
        vjp_of(MANUAL)


@pytest.mark.parametrize("broken", ['<@mesh, [{"x"}, {}]', '<@mesh, [{"x"}, {}>', "@mesh"])
def test_a_broken_sharding_is_a_parse_error(broken: str) -> None:
    with pytest.raises(ParseError, match="bracket"):
        parse(CONSTRAINT.replace('sharding_constraint %0 <@mesh, [{"x"}, {}]>', f"sharding_constraint %0 {broken}"))
