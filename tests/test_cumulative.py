"""Gradients of cumulative folds: reduce_window over all prefixes, or all suffixes, along one dimension."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim
from tests.harness import check_jvp, check_vjp, run, vjp_of
from tests.test_reduction import IDENTITY, LOGADDEXP, distinct
from tests.test_windows import attributes, window_text

BODIES = {
    "multiply": ("multiply", "1.0"),
    "maximum": ("maximum", IDENTITY["maximum"]),
    "minimum": ("minimum", IDENTITY["minimum"]),
    "logaddexp": (LOGADDEXP, IDENTITY["maximum"]),
}


def cumulative(n: int, backwards: bool) -> WindowDim:
    return WindowDim(n, n, low=0 if backwards else n - 1, high=n - 1 if backwards else 0)


def text_of(body: str, shape: Sequence[int], dim: int, backwards: bool) -> str:
    windows = [cumulative(n, backwards) if d == dim else WindowDim(n, 1) for d, n in enumerate(shape)]
    return window_text(windows, *BODIES[body])


@pytest.mark.parametrize("backwards", [False, True], ids=["prefixes", "suffixes"])
@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("body", BODIES)
def test_against_differences(body: str, n: int, backwards: bool) -> None:
    check_vjp(text_of(body, [2, n], 1, backwards), [distinct([2, n])], order=2 if n == 3 else 1)


@pytest.mark.parametrize("body", BODIES)
def test_along_an_outer_dimension(body: str) -> None:
    text = text_of(body, [5, 2], 0, backwards=False)
    check_vjp(text, [distinct([5, 2])], order=2)
    check_jvp(text, [distinct([5, 2])])


@pytest.mark.parametrize("backwards", [False, True], ids=["prefixes", "suffixes"])
@pytest.mark.parametrize("body", ["multiply", "maximum", "minimum"])
def test_from_an_init_value_that_counts(body: str, backwards: bool) -> None:
    """It is folded in once, in front of each window, and takes its part of the cotangent."""
    text = window_text([cumulative(5, backwards)], body)
    for init in (-9.0, 0.1, 9.0):
        check_vjp(text, [distinct([5]), np.array(init)], order=2 if init == 0.1 else 1)


@pytest.mark.parametrize("backwards", [False, True], ids=["prefixes", "suffixes"])
def test_products_with_zeros(backwards: bool) -> None:
    """dy[i] / dx[j] is the product of the others, and is not 0 where x[j] is the only zero: computed from that formula."""
    w = np.array([1.0, 10.0, 100.0, 1000.0, 10000.0])
    for x in ([2.0, 0.0, 3.0, -1.0, 5.0], [0.0, 2.0, 0.0, 3.0, 7.0], [4.0, 3.0, 2.0, 1.0, 0.0], [0.0] * 5):
        spans = [range(i, 5) if backwards else range(i + 1) for i in range(5)]
        right = [
            sum(w[i] * np.prod([x[k] for k in span if k != j]) for i, span in enumerate(spans) if j in span)
            for j in range(5)
        ]
        (found,) = run(vjp_of(text_of("multiply", [5], 0, backwards)), np.array(x), w)
        np.testing.assert_allclose(found, right, rtol=1e-13)


@pytest.mark.parametrize(
    ("body", "x", "backwards", "right"),
    [
        ("maximum", [1, 1, 2, 2], False, [11, 0, 1100, 0]),
        ("maximum", [2, 1, 2, 3], False, [111, 0, 0, 1000]),
        ("maximum", [1, 2, 2, 1], True, [0, 11, 100, 1000]),
        ("minimum", [3, 3, 1, 1], False, [11, 0, 1100, 0]),
        ("minimum", [2, 1, 1, 2], True, [0, 11, 100, 1000]),
        ("maximum", [-np.inf, -np.inf, 0, 0], False, [11, 0, 1100, 0]),
        ("maximum", [0, np.inf, 1, np.inf], False, [1, 1110, 0, 0]),
    ],
)
def test_the_first_of_equal_elements_takes_all(body: str, x: list[float], backwards: bool, right: list[float]) -> None:
    """As in other windows: first in row-major order."""
    w = np.array([1.0, 10.0, 100.0, 1000.0])
    (found,) = run(vjp_of(text_of(body, [4], 0, backwards)), np.array(x, np.float64), w)
    assert found.tolist() == right


LINEAR = """func.func @main(%a: tensor<5xf64>, %b: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %r:2 = "stablehlo.reduce_window"(%a, %b, %one, %zero) WINDOW ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>, %s: tensor<f64>, %t: tensor<f64>):
    %0 = stablehlo.multiply %p, %s : tensor<f64>
    %1 = stablehlo.multiply %q, %s : tensor<f64>
    %2 = stablehlo.add %1, %t : tensor<f64>
    stablehlo.return %0, %2 : tensor<f64>, tensor<f64>
  }) : (tensor<5xf64>, tensor<5xf64>, tensor<f64>, tensor<f64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %r#0, %r#1 : tensor<5xf64>, tensor<5xf64>
}"""


@pytest.mark.parametrize("backwards", [False, True], ids=["prefixes", "suffixes"])
def test_a_body_that_does_not_commute(backwards: bool) -> None:
    """x -> a x + b, one after the other: the order of the elements decides."""
    text = LINEAR.replace("WINDOW", attributes([cumulative(5, backwards)]))
    check_vjp(text, [distinct([5]), distinct([5], 1)], order=2)
