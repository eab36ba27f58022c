"""Comparison and choice: values, and which operand a gradient goes to."""

from __future__ import annotations

import numpy as np
import pytest

from hhlo_xdsl.errors import DifferentiationError
from tests.harness import check_jvp, run, vjp_of

T, P = "tensor<4xf64>", "tensor<4xi1>"


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("EQ", [0, 1, 0, 0]),
        ("NE", [1, 0, 1, 1]),
        ("LT", [1, 0, 0, 0]),
        ("LE", [1, 1, 0, 0]),
        ("GT", [0, 0, 1, 0]),
        ("GE", [0, 1, 1, 0]),
    ],
)
def test_compare(direction: str, expected: list[int]) -> None:
    text = f"""func.func @main(%a: {T}, %b: {T}) -> {P} {{
      %0 = stablehlo.compare {direction}, %a, %b, FLOAT : ({T}, {T}) -> {P}
      return %0 : {P}
    }}"""
    (found,) = run(text, np.array([1.0, 2.0, 3.0, np.nan]), np.array([2.0, 2.0, 2.0, 2.0]))
    assert found.tolist() == [bool(e) for e in expected]


@pytest.mark.parametrize("pred", [P, "tensor<i1>"])
def test_select(pred: str) -> None:
    text = f"""func.func @main(%p: {pred}, %a: {T}, %b: {T}) -> {T} {{
      %s = stablehlo.sine %a : {T}
      %0 = stablehlo.select %p, %s, %b : {pred}, {T}
      return %0 : {T}
    }}"""
    p = np.array([True, False, True, False]) if pred == P else np.array(True)
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal(4), rng.standard_normal(4)
    (found,) = run(text, p, a, b)
    np.testing.assert_allclose(found, np.where(p, np.sin(a), b))
    check_jvp(text, [p, a, b], order=2)


def test_select_stops_what_was_not_chosen() -> None:
    text = f"""func.func @main(%p: {P}, %a: {T}, %b: {T}) -> {T} {{
      %0 = stablehlo.select %p, %a, %b : {P}, {T}
      return %0 : {T}
    }}"""
    ct = np.array([np.inf, np.nan, 1.0, 2.0])
    a, b = run(vjp_of(text), np.array([True, False, True, False]), np.ones(4), np.ones(4), ct)
    assert a.tolist() == [np.inf, 0, 1, 0]
    assert np.isnan(b[1])
    assert b[[0, 2, 3]].tolist() == [0, 0, 2]


CLAMP = """func.func @main(%low: {b}, %x: {t}, %high: {b}) -> {t} {{
  %0 = stablehlo.clamp %low, %x, %high : ({b}, {t}, {b}) -> {t}
  return %0 : {t}
}}"""


@pytest.mark.parametrize("bound", [T, "tensor<f64>"])
def test_clamp(bound: str) -> None:
    text = CLAMP.format(t=T, b=bound)
    x = np.array([-3.0, -0.4, 0.6, 4.0])
    low, high = (np.full(4 if bound == T else (), v) for v in (-1.0, 1.5))
    assert run(text, low, x, high)[0].tolist() == [-1.0, -0.4, 0.6, 1.5]
    check_jvp(text, [low, x, high], order=2)


def test_clamp_of_complex_numbers_is_refused() -> None:
    """XLA's CPU clamps 1 + 5i to 1 between 1 and 2, which is not their lexicographic order."""
    t = "tensor<2xcomplex<f64>>"
    text = f"func.func @main(%x: {t}) -> {t} {{\n  %y = stablehlo.clamp %x, %x, %x : {t}\n  return %y : {t}\n}}"
    with pytest.raises(DifferentiationError, match=r"complex numbers, here tensor<2xcomplex<f64>>, .*\n  at .*:2:3"):
        vjp_of(text)


def test_clamp_gives_nobody_the_gradient_at_a_bound() -> None:
    text = CLAMP.format(t=T, b=T)
    x = np.array([-1.0, 1.5, 0.0, 2.0])
    low, x_, high = run(vjp_of(text), np.full(4, -1.0), x, np.full(4, 1.5), np.ones(4))
    assert (low.tolist(), x_.tolist(), high.tolist()) == ([0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])


def test_clamp_with_crossed_bounds_is_the_upper_one() -> None:
    text = CLAMP.format(t=T, b=T)
    x = np.array([-3.0, 0.0, 3.0, 9.0])
    assert run(text, np.full(4, 2.0), x, np.full(4, 1.0))[0].tolist() == [1.0] * 4
    low, x_, high = run(vjp_of(text), np.full(4, 2.0), x, np.full(4, 1.0), np.ones(4))
    assert (low.tolist(), x_.tolist(), high.tolist()) == ([0] * 4, [0] * 4, [1] * 4)
