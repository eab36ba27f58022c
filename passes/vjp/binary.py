"""Reverse-mode rules of elementwise ops with two operands. t is the cotangent of y = f(a, b)."""

from __future__ import annotations

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, floor, imag, log, maximum, power, real, select, sign
from hhlo_xdsl.dialects.stablehlo.binary import (
    AddOp,
    AndOp,
    Atan2Op,
    ComplexOp,
    DivideOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    OrOp,
    PowerOp,
    RemainderOp,
    ShiftLeftOp,
    ShiftRightArithmeticOp,
    ShiftRightLogicalOp,
    SubtractOp,
    XorOp,
)
from hhlo_xdsl.dialects.types import kind
from hhlo_xdsl.passes.vjp.core import Cotangents, binary, non_differentiable, only, vjp_rule


def _truncated(x: Value) -> Value:
    """x rounded towards zero."""
    return sign(x) * floor(abs(x))


def _power_base(t: Value, a: Value, b: Value, y: Value) -> Value:
    """t * b * a ** (b - 1); zero where b is 0, since a ** 0 is 1 for every a."""
    return select(b.equal(0), 0, t * b * power(a, b - 1))


def _power_exponent(t: Value, a: Value, b: Value, y: Value) -> Value:
    """t * y * log(a); zero at a = 0, the limit for b > 0."""
    return t * y * log(select(a.equal(0), 1, a))


def _greater_takes(t: Value, winner: Value, loser: Value) -> Value:
    """t where winner > loser, half of it where they are equal."""
    if kind(t.type.element_type) == "complex":
        raise DifferentiationError(
            "stablehlo.maximum and stablehlo.minimum of complex numbers have no derivative here: their order is"
            " lexicographic; take the maximum of real numbers, such as their abs"
        )
    return select(winner > loser, t, select(winner.equal(loser), 0.5 * t, 0))


def _atan2_scaled(a: Value, b: Value) -> tuple[Value, Value]:
    """a / r and b / r, for r = a * a + b * b, without squaring large or small numbers."""
    if kind(a.type.element_type) == "complex":
        r = a * a + b * b
        return a / r, b / r
    size = maximum(abs(a), abs(b))
    p, q = a / size, b / size
    r = size * (p * p + q * q)
    return p / r, q / r


binary(AddOp, lambda t, a, b, y: t, lambda t, a, b, y: t)
binary(SubtractOp, lambda t, a, b, y: t, lambda t, a, b, y: -t)
binary(MultiplyOp, lambda t, a, b, y: t * b, lambda t, a, b, y: t * a)
binary(DivideOp, lambda t, a, b, y: t / b, lambda t, a, b, y: -(t / b) * y)
binary(RemainderOp, lambda t, a, b, y: t, lambda t, a, b, y: -t * _truncated(a / b))
binary(PowerOp, _power_base, _power_exponent)
binary(MaximumOp, lambda t, a, b, y: _greater_takes(t, a, b), lambda t, a, b, y: _greater_takes(t, b, a))
binary(MinimumOp, lambda t, a, b, y: _greater_takes(t, b, a), lambda t, a, b, y: _greater_takes(t, a, b))
binary(Atan2Op, lambda t, a, b, y: t * _atan2_scaled(a, b)[1], lambda t, a, b, y: -t * _atan2_scaled(a, b)[0])

non_differentiable(
    "it works on integers or booleans",
    AndOp,
    OrOp,
    XorOp,
    ShiftLeftOp,
    ShiftRightArithmeticOp,
    ShiftRightLogicalOp,
)


@vjp_rule(ComplexOp)
def complex_(op: ComplexOp, cts: Cotangents) -> Cotangents:
    """y = a + i b: Re t and -Im t, since pairing is without conjugation."""
    t = Value(only(cts))
    return [real(t).ssa, (-imag(t)).ssa]
