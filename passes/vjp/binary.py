"""Reverse-mode rules of elementwise ops with two operands. t is the cotangent of y = f(a, b)."""

from __future__ import annotations

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, imag, log, power, real, select
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
from hhlo_xdsl.dialects.stablehlo.unary import RoundNearestEvenOp
from hhlo_xdsl.dialects.types import is_complex
from hhlo_xdsl.passes.vjp.core import Cotangents, binary, non_differentiable, only, vjp_rule


def _remainder_divisor(t: Value, a: Value, b: Value, y: Value) -> Value:
    """-t * q for a = q * b + y. a / b is rounded and may reach the whole number above q; (a - y) / b is next to q."""
    return -t * ((a - y) / b).apply(RoundNearestEvenOp)


def _check_real_remainder(t: Value, a: Value, b: Value, y: Value) -> Value:
    """t; complex numbers have no whole quotient."""
    if is_complex(t.type):
        raise DifferentiationError(
            "complex numbers have no derivative here: it rounds their quotient; take the"
            " remainder of real numbers, such as their real and imag"
        )
    return t


def _power_base(t: Value, a: Value, b: Value, y: Value) -> Value:
    """t * b * a ** (b - 1); zero where b is 0, since a ** 0 is 1 for every a.

    t * b first would overflow for large b, where the power may be 0.
    """
    return select(b.equal(0), 0, t * power(a, b - 1) * b)


def _power_exponent(t: Value, a: Value, b: Value, y: Value) -> Value:
    """t * y * log(a); zero at a = 0, the limit for b > 0."""
    return t * y * log(select(a.equal(0), 1, a))


def _greater_takes(t: Value, winner: Value, loser: Value) -> Value:
    """t where winner > loser, half of it where they are equal."""
    if is_complex(t.type):
        raise DifferentiationError(
            "complex numbers have no derivative here: their order is lexicographic; compare real numbers, such as"
            " their abs"
        )
    return select(winner > loser, t, select(winner.equal(loser), 0.5 * t, 0))


def _atan2_scaled(a: Value, b: Value) -> tuple[Value, Value]:
    """a / r and b / r, for r = a * a + b * b, without squaring large or small numbers; 0 where one is infinite."""
    if is_complex(a.type):
        r = a * a + b * b
        return a / r, b / r
    is_wide = abs(a) >= abs(b)
    large, small = select(is_wide, a, b), select(is_wide, b, a)
    ratio = small / large
    r = large * (1 + ratio * ratio)
    return select(is_wide, 1, ratio) / r, select(is_wide, ratio, 1) / r


binary(AddOp, lambda t, a, b, y: t, lambda t, a, b, y: t)
binary(SubtractOp, lambda t, a, b, y: t, lambda t, a, b, y: -t)
binary(MultiplyOp, lambda t, a, b, y: t * b, lambda t, a, b, y: t * a)
binary(DivideOp, lambda t, a, b, y: t / b, lambda t, a, b, y: -(t / b) * y)
binary(RemainderOp, _check_real_remainder, _remainder_divisor)
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
