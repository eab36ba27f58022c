"""Elementwise ops with two operands: a row per op, then ties, zeros and large numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from hhlo_xdsl.errors import DifferentiationError
from tests.harness import run, vjp_of
from tests.op_case import OpCase, check_forward, check_gradient, check_round_trip

POSITIVE = (0.5, 3.0)

SMOOTH = [
    OpCase("add", np.add, operands=2),
    OpCase("atan2", np.arctan2, operands=2),
    OpCase("divide", np.divide, POSITIVE, operands=2),
    OpCase("maximum", np.maximum, operands=2),
    OpCase("minimum", np.minimum, operands=2),
    OpCase("multiply", np.multiply, operands=2),
    OpCase("power", np.power, POSITIVE, operands=2),
    OpCase("subtract", np.subtract, operands=2),
    OpCase("complex", lambda a, b: a + 1j * b, operands=2, result="complex<f64>"),
]
# Sampled where the quotient stays away from whole numbers, at which the remainder jumps.
REMAINDER = OpCase("remainder", np.fmod, (2.1, 2.9), operands=2)
COMPLEX = [
    OpCase(name, reference, (0.3, 1.2), operands=2, element="complex<f64>")
    for name, reference in [
        ("add", np.add),
        ("divide", np.divide),
        ("multiply", np.multiply),
        ("power", np.power),
        ("subtract", np.subtract),
    ]
]
INTEGER = [
    OpCase("and", np.bitwise_and, (-9, 9), operands=2, element="i32"),
    OpCase("or", np.logical_or, operands=2, element="i1"),
    OpCase("xor", np.bitwise_xor, (-9, 9), operands=2, element="i32"),
    OpCase("shift_left", np.left_shift, (1, 5), operands=2, element="i32"),
    OpCase("shift_right_arithmetic", np.right_shift, (1, 5), operands=2, element="i32"),
    OpCase("shift_right_logical", np.right_shift, (1, 5), operands=2, element="ui32"),
    OpCase("remainder", np.fmod, (1, 9), operands=2, element="i32"),
    OpCase("divide", np.floor_divide, (1, 9), operands=2, element="i32"),
]


@pytest.mark.parametrize("case", [*SMOOTH, REMAINDER, *COMPLEX, *INTEGER], ids=str)
def test_forward_and_round_trip(case: OpCase) -> None:
    check_forward(case)
    check_round_trip(case)


@pytest.mark.parametrize("case", [*SMOOTH, *COMPLEX], ids=str)
def test_derivatives(case: OpCase) -> None:
    check_gradient(case)


def _gradients(name: str, a: list[float], b: list[float], dtype: type = np.float64) -> list[list[float]]:
    """The partial derivatives of an op at each pair of `a` and `b`."""
    t = f"tensor<{len(a)}x{'f64' if dtype is np.float64 else 'f32'}>"
    text = f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n  %y = stablehlo.{name} %a, %b : {t}\n  return %y : {t}\n}}"
    return [g.tolist() for g in run(vjp_of(text), np.array(a, dtype), np.array(b, dtype), np.ones(len(a), dtype))]


def test_remainder() -> None:
    # d fmod(a, b): 1 and -trunc(a / b)
    assert _gradients("remainder", [7.5, -7.5, 1.0], [2.0, 2.0, 3.0]) == [[1, 1, 1], [-3, 3, 0]]


def test_remainder_close_below_a_multiple() -> None:
    """There a / b is rounded up to the whole number that a does not reach."""
    a, b = [49.028045654296875, 5.878277778625488, -9.883136749267578], [1.8158535957336426, 1.1756556034088135] * 2
    exact = [-math.trunc(Fraction(x) / Fraction(y)) for x, y in zip(a, b, strict=False)]
    assert [float(np.float32(x) / np.float32(y)) for x, y in zip(a[:2], b, strict=False)] == [27, 5]
    assert _gradients("remainder", a, b[:3], np.float32)[1] == exact == [-26, -4, 5]


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_ties_are_shared_equally(name: str) -> None:
    assert _gradients(name, [1.0, 0.0], [1.0, -0.0]) == [[0.5, 0.5], [0.5, 0.5]]


def test_maximum_takes_an_infinite_cotangent_without_nan() -> None:
    t = "tensor<2xf64>"
    text = f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n  %y = stablehlo.maximum %a, %b : {t}\n  return %y : {t}\n}}"
    a, b = run(vjp_of(text), np.array([1.0, 2.0]), np.array([2.0, 1.0]), np.array([np.inf, np.inf]))
    assert (a.tolist(), b.tolist()) == ([0, np.inf], [np.inf, 0])


def test_power_of_zero() -> None:
    base, exponent = _gradients("power", [0.0, 0.0, 0.0], [0.0, 1.0, 2.0])
    assert base == [0, 1, 0]  # a ** 0 is constant, a ** 1 is a, a ** 2 is flat
    assert exponent == [0, 0, 0]


def test_power_of_a_negative_base_with_whole_exponent() -> None:
    base, _ = _gradients("power", [-2.0, -2.0], [3.0, 2.0])
    assert base == [12.0, -4.0]


def test_power_of_a_small_base_and_a_large_exponent_is_flat() -> None:
    # ct * exponent overflows f32, the power is 0.
    t = "tensor<f32>"
    text = f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n  %y = stablehlo.power %a, %b : {t}\n  return %y : {t}\n}}"
    assert run(vjp_of(text, wrt=(0,)), *(np.array(n, np.float32) for n in (0.5, 1e20, 1e20))) == [0]


def test_divide_does_not_square_the_divisor() -> None:
    # b * b would overflow f32.
    a, b = _gradients("divide", [1e30], [1e25], np.float32)
    assert a == pytest.approx([1e-25], rel=1e-5)
    assert b == pytest.approx([-1e-20], rel=1e-5)


def test_atan2_does_not_square_its_operands() -> None:
    a, b = _gradients("atan2", [3e25], [4e25], np.float32)
    assert a == pytest.approx([4 / 25e25], rel=1e-5)
    assert b == pytest.approx([-3 / 25e25], rel=1e-5)


def test_atan2_of_one_infinite_operand_is_flat() -> None:
    a, b = _gradients("atan2", [np.inf, 1.0, -np.inf], [2.0, -np.inf, 0.0])
    assert (a, b) == ([0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize(
    ("name", "reason"), [("maximum", "lexicographic"), ("minimum", "lexicographic"), ("remainder", "rounds")]
)
def test_ops_of_complex_numbers_that_are_refused(name: str, reason: str) -> None:
    t = "tensor<2xcomplex<f64>>"
    text = f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n  %y = stablehlo.{name} %a, %b : {t}\n  return %y : {t}\n}}"
    with pytest.raises(DifferentiationError, match=reason):
        vjp_of(text)
