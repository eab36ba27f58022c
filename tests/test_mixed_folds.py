"""Folds of several inputs, some of which have no derivatives, and folds that JAX has no gradient for."""

from __future__ import annotations

import numpy as np
import pytest

from tests.harness import check_jvp, run, vjp_of

WITH_FLAGS = """func.func @main(%x: tensor<2x5xf64>, %f: tensor<2x5xi1>, %k: tensor<2x5xi32>, %z: tensor<f64>)
    -> (tensor<2xf64>, tensor<2xi1>, tensor<2xi32>) {
  %false = stablehlo.constant dense<FLAG> : tensor<i1>
  %none = stablehlo.constant dense<NUMBER> : tensor<i32>
  %y:3 = "stablehlo.reduce"(%x, %f, %k, %z, %false, %none) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %p: tensor<i1>, %i: tensor<i32>, %b: tensor<f64>, %q: tensor<i1>, %j: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<f64>
    %r = stablehlo.BODY %p, %q : tensor<i1>
    %t = stablehlo.BODY %i, %j : tensor<i32>
    stablehlo.return %s, %r, %t : tensor<f64>, tensor<i1>, tensor<i32>
  }) : (tensor<2x5xf64>, tensor<2x5xi1>, tensor<2x5xi32>, tensor<f64>, tensor<i1>, tensor<i32>)
      -> (tensor<2xf64>, tensor<2xi1>, tensor<2xi32>)
  return %y#0, %y#1, %y#2 : tensor<2xf64>, tensor<2xi1>, tensor<2xi32>
}"""


@pytest.mark.parametrize("body, flag, number", [("or", "false", "0"), ("and", "true", "-1")])
def test_products_beside_flags_and_bits(body: str, flag: str, number: str) -> None:
    """The flags and bits have no cotangents; the product has those of a product, the init value's too, at zeros also."""
    text = WITH_FLAGS.replace("BODY", body).replace("FLAG", flag).replace("NUMBER", number)
    rng = np.random.default_rng(0)
    x, f, k = rng.standard_normal((2, 5)), rng.integers(0, 2, (2, 5)).astype(bool), np.ones((2, 5), np.int32)
    check_jvp(text, [x, f, k, np.array(1.5)], order=2)
    x = np.array([[0.0, 2, 3, 4, 5], [0, 2, 0, 4, 5]])
    to_x, to_z = run(vjp_of(text), x, f, k, np.array(1.5), np.array([1.0, 1.0]))
    np.testing.assert_array_equal(to_x, [[180, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    assert to_z == 0
