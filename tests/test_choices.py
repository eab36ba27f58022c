"""Gradients of if and case: the branch that is taken, and no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hhlo_xdsl.dialects.stablehlo.control_flow import CaseOp, IfOp
from hhlo_xdsl.text import parse
from tests.harness import check_jvp, check_vjp, run, vjp_of

CASE = """func.func @main(%p: tensor<i32>, %x: tensor<3xf64>, %y: tensor<3xf64>, %k: tensor<i32>)
    -> (tensor<3xf64>, tensor<f64>, tensor<i32>) {
  %r:3 = "stablehlo.case"(%p) ({
    %s = stablehlo.sine %x : tensor<3xf64>
    %e = stablehlo.exponential %s : tensor<3xf64>
    %m = stablehlo.multiply %e, %y : tensor<3xf64>
    %c = stablehlo.constant dense<2.0> : tensor<f64>
    stablehlo.return %m, %c, %k : tensor<3xf64>, tensor<f64>, tensor<i32>
  }, {
    %z = stablehlo.constant dense<0.0> : tensor<f64>
    %n = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %t = stablehlo.tanh %n : tensor<f64>
    %q = stablehlo.multiply %t, %t : tensor<f64>
    stablehlo.return %x, %q, %p : tensor<3xf64>, tensor<f64>, tensor<i32>
  }, {
    %z = stablehlo.constant dense<1.0> : tensor<3xf64>
    %c = stablehlo.constant dense<3.0> : tensor<f64>
    stablehlo.return %z, %c, %k : tensor<3xf64>, tensor<f64>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<3xf64>, tensor<f64>, tensor<i32>)
  return %r#0, %r#1, %r#2 : tensor<3xf64>, tensor<f64>, tensor<i32>
}"""


def numbers(*shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape) for shape in shapes]


@pytest.mark.parametrize("index", [0, 1, 2, 3, -1])
def test_case(index: int) -> None:
    """An index out of range takes the last branch, whose results are constants."""
    args = [np.array(index, np.int32), *numbers((3,), (3,)), np.array(5, np.int32)]
    check_jvp(CASE, args, alone=False)
    check_vjp(CASE, args, order=2)
    gradients = run(vjp_of(CASE), *args, np.ones(3), np.array(1.0))
    if index not in (0, 1):
        assert [g.tolist() for g in gradients] == [[0.0] * 3] * 2


def test_branches_share_what_they_keep() -> None:
    """Branch 0 keeps exp(sin(x)), branch 1 n and tanh(n); constants and what is read from outside are not kept."""
    forward = next(op for op in vjp_of(CASE).walk() if isinstance(op, CaseOp))
    assert [str(r.type) for r in forward.results[3:]] == ["tensor<3xf64>", "tensor<f64>", "tensor<f64>"]


IF = """func.func @main(%p: tensor<i1>, %x: tensor<3xf64>) -> tensor<3xf64> {{
  %y = stablehlo.{op} %x : tensor<3xf64>
  %r = "stablehlo.if"(%p) ({{
    %s = "stablehlo.if"(%p) ({{
      %l = stablehlo.log %y : tensor<3xf64>
      %m = stablehlo.multiply %l, %x : tensor<3xf64>
      stablehlo.return %m : tensor<3xf64>
    }}, {{
      stablehlo.return %y : tensor<3xf64>
    }}) : (tensor<i1>) -> tensor<3xf64>
    %t = stablehlo.sine %s : tensor<3xf64>
    stablehlo.return %t : tensor<3xf64>
  }}, {{
    %t = stablehlo.cosine %x : tensor<3xf64>
    stablehlo.return %t : tensor<3xf64>
  }}) : (tensor<i1>) -> tensor<3xf64>
  return %r : tensor<3xf64>
}}"""


@pytest.mark.parametrize("pred", [True, False])
def test_nested_if(pred: bool) -> None:
    check_jvp(IF.format(op="exponential"), [np.array(pred), *numbers((3,))], order=2)


def test_the_branch_that_is_not_taken_makes_no_nan() -> None:
    """log(negate(x)) of positive x is NaN in the branch not taken."""
    (gradient,) = run(vjp_of(IF.format(op="negate")), np.array(False), np.array([1.0, 2.0, 3.0]), np.ones(3))
    np.testing.assert_allclose(gradient, -np.sin([1.0, 2.0, 3.0]))


def test_results_that_do_not_depend_on_arguments_need_no_second_choice() -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<f64>) -> tensor<f64> {
      %r = "stablehlo.if"(%p) ({
        %a = stablehlo.constant dense<1.0> : tensor<f64>
        stablehlo.return %a : tensor<f64>
      }, {
        %a = stablehlo.constant dense<2.0> : tensor<f64>
        stablehlo.return %a : tensor<f64>
      }) : (tensor<i1>) -> tensor<f64>
      %y = stablehlo.multiply %r, %x : tensor<f64>
      return %y : tensor<f64>
    }"""
    assert sum(isinstance(op, IfOp) for op in vjp_of(parse(text)).walk()) == 1
    check_vjp(text, [np.array(True), np.array(0.5)])


def test_barrier() -> None:
    text = """func.func @main(%x: tensor<f64>, %k: tensor<i32>, %y: tensor<f64>) -> tensor<f64> {
      %s = stablehlo.sine %x : tensor<f64>
      %r:3 = stablehlo.optimization_barrier %s, %k, %y : tensor<f64>, tensor<i32>, tensor<f64>
      %m = stablehlo.multiply %r#0, %r#2 : tensor<f64>
      return %m : tensor<f64>
    }"""
    check_jvp(text, [np.array(0.5), np.array(1, np.int32), np.array(0.7)], order=2)
