"""The option `safe` of both modes: where a (co)tangent is exactly zero, so is what a rule makes of it.

Each program meets an infinity or NaN where the (co)tangent is zero. Rules that move, add or choose need no guard.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.harness import check_jvp, jvp_of, run, vjp_of

INF, NAN = np.inf, np.nan


def zero_wins(equation: str, a: Any, b: Any) -> Any:
    """einsum, with 0 * anything = 0."""
    with np.errstate(invalid="ignore"):
        terms, out = equation.split("->")
        full = "".join(dict.fromkeys(terms.replace(",", "")))
        p, q = terms.split(",")
        ones = {letter: n for s, x in ((p, a), (q, b)) for letter, n in zip(s, x.shape, strict=True)}
        spread = [np.einsum(f"{s},{full}->{full}", x, np.ones([ones[c] for c in full])) for s, x in ((p, a), (q, b))]
        masks = [
            np.einsum(f"{s},{full}->{full}", (x == 0) * 1.0, np.ones([ones[c] for c in full]))
            for s, x in ((p, a), (q, b))
        ]
        product = np.where((masks[0] > 0) | (masks[1] > 0), 0, spread[0] * spread[1])
        return product.sum(tuple(i for i, c in enumerate(full) if c not in out))


DOT = """func.func @main(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>) -> tensor<2x2xf64> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}"""
A = np.array([[1.0, INF, 2.0], [3.0, 4.0, NAN]])
B = np.array([[1.0, 2.0], [-INF, 5.0], [6.0, 7.0]])
FINITE = np.array([[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]])


def test_dot_general_in_reverse() -> None:
    ct = np.array([[0.0, 2.0], [3.0, 0.0]])
    da, db = run(vjp_of(DOT, safe=True), A, B, ct)
    np.testing.assert_array_equal(da, zero_wins("ij,kj->ik", ct, B))
    np.testing.assert_array_equal(db, zero_wins("ik,ij->kj", A, ct))
    assert np.isfinite(da).sum() == 5
    assert np.isnan(run(vjp_of(DOT), A, B, ct)[0]).any()


def test_dot_general_in_forward() -> None:
    da, db = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 0.0], [2.0, 0.0]])
    _, tangent = run(jvp_of(DOT, safe=True), A, B, da, db)
    np.testing.assert_array_equal(tangent, zero_wins("ik,kj->ij", da, B) + zero_wins("ik,kj->ij", A, db))
    assert np.isfinite(tangent[0]).all()


def test_a_mask_keeps_bad_rows_out_of_the_gradient_of_weights() -> None:
    """Row 1 of the data is infinite, and its loss is masked: the weights get the gradient of row 0 alone."""
    x = np.array([[1.0, 2.0, 3.0], [INF, NAN, INF]])
    _, dw = run(vjp_of(DOT, safe=True), x, np.ones((3, 2)), np.array([[1.0, 1.0], [0.0, 0.0]]))
    np.testing.assert_array_equal(dw, np.outer([1.0, 2.0, 3.0], [1.0, 1.0]))


CONV = """func.func @main(%x: tensor<1x4x1xf64>, %k: tensor<2x1x1xf64>) -> tensor<1x3x1xf64> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf64>, tensor<2x1x1xf64>) -> tensor<1x3x1xf64>
  return %y : tensor<1x3x1xf64>
}"""


def test_convolution() -> None:
    """y[i] = x[i] k[0] + x[i + 1] k[1]"""
    x, k, ct = np.array([1.0, INF, NAN, 2.0]), np.array([3.0, 4.0]), np.array([0.0, 0.0, 5.0])
    dx, dk = run(vjp_of(CONV, safe=True), x.reshape(1, 4, 1), k.reshape(2, 1, 1), ct.reshape(1, 3, 1))
    np.testing.assert_array_equal(dx.ravel(), [0, 0, 15, 20])
    np.testing.assert_array_equal(dk.ravel(), [NAN, 10])
    t, u = np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 1.0])
    _, dy = run(
        jvp_of(CONV, safe=True),
        *(v.reshape(s) for v, s in ((x, (1, 4, 1)), (k, (2, 1, 1)), (t, (1, 4, 1)), (u, (2, 1, 1)))),
    )
    np.testing.assert_array_equal(dy.ravel(), [INF, NAN, 6])


SCATTER = """func.func @main(%x: tensor<3xf64>, %u: tensor<2xf64>) -> tensor<3xf64> {
  %i = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<3xf64>, tensor<2x1xi64>, tensor<2xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}"""


def test_scatter_that_multiplies() -> None:
    dx, du = run(vjp_of(SCATTER, safe=True), np.array([INF, 2.0, 3.0]), np.array([NAN, 4.0]), np.array([0.0, 1.0, 1.0]))
    np.testing.assert_array_equal(dx, [0, 1, 4])
    np.testing.assert_array_equal(du, [0, 3])


REDUCE = """func.func @main(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %y = stablehlo.reduce(%x init: %one) applies stablehlo.BODY across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %y : tensor<2xf64>
}"""


@pytest.mark.parametrize("body", ["add", "multiply", "maximum", "minimum"])
def test_reduce(body: str) -> None:
    text = REDUCE.replace("BODY", body)
    x = np.array([[INF, NAN, -INF], [1.0, 2.0, 0.5]])
    ct = np.array([0.0, 1.0])
    row = {"add": [1, 1, 1], "multiply": [1, 0.5, 2], "maximum": [0, 1, 0], "minimum": [0, 0, 1]}[body]
    np.testing.assert_array_equal(run(vjp_of(text, safe=True), x, ct)[0], [[0, 0, 0], row])
    tangent = np.array([[0.0, 0.0, 0.0], [1.0, 10.0, 100.0]])
    np.testing.assert_array_equal(run(jvp_of(text, safe=True), x, tangent)[1], [0, np.dot(row, tangent[1])])


def test_clamp_and_select_choose() -> None:
    text = """func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
      %lo = stablehlo.constant dense<0.0> : tensor<f64>
      %hi = stablehlo.constant dense<1.0> : tensor<f64>
      %y = stablehlo.clamp %lo, %x, %hi : (tensor<f64>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
      return %y : tensor<2xf64>
    }"""
    np.testing.assert_array_equal(run(vjp_of(text), np.array([NAN, 0.5]), np.array([0.0, 1.0]))[0], [0, 1])


@pytest.mark.parametrize("text", [DOT, CONV])
def test_safe_changes_nothing_where_all_is_finite(text: str) -> None:
    if text is DOT:
        args = [FINITE, FINITE.T * 2]
    else:
        args = [FINITE.ravel()[:4].reshape(1, 4, 1), FINITE.ravel()[:2].reshape(2, 1, 1)]
    check_jvp(text, args, order=2, safe=True)
