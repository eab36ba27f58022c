"""Ops that work on the bits of numbers, or ask what kind of number one is: next_after, mulhi, is_inf, conj, square."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from hhlo_xdsl.dialects.chlo.binary import MulhiOp, NextAfterOp
from hhlo_xdsl.dialects.chlo.unary import ConjOp, IsInfOp, IsNegInfOp, IsPosInfOp, SquareOp
from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.infix import (
    Value,
    both,
    complex_of,
    conjugate,
    convert,
    either,
    imag,
    is_finite,
    opposite,
    real,
    select,
)
from hhlo_xdsl.dialects.stablehlo.binary import ShiftRightArithmeticOp, ShiftRightLogicalOp
from hhlo_xdsl.dialects.stablehlo.unary import BitcastConvertOp
from hhlo_xdsl.dialects.types import bit_width, is_complex, kind
from hhlo_xdsl.passes.chlo_legalize.core import exactly
from hhlo_xdsl.passes.chlo_legalize.series import constant


def is_inf(x: Value) -> Value:
    """Whether x is neither finite nor NaN; false for formats without infinities."""
    return both(opposite(is_finite(x)), x.equal(x))


def is_pos_inf(x: Value) -> Value:
    """is_inf(x) and x > 0"""
    return both(is_inf(x), x > 0)


def is_neg_inf(x: Value) -> Value:
    """is_inf(x) and x < 0"""
    return both(is_inf(x), x < 0)


def conj(z: Value) -> Value:
    """The complex conjugate; real numbers themselves."""
    return conjugate(z) if is_complex(z.type) else z


def square(x: Value) -> Value:
    """x * x; of complex numbers (a - b)(a + b) + 2 a b i, whose real part does not cancel and is 0 for |a| = |b|."""
    if not is_complex(x.type):
        return x * x
    a, b = real(x), imag(x)
    diagonal = both(is_finite(a), abs(a).equal(abs(b)))
    return complex_of(select(diagonal, 0, (a - b) * (a + b)), 2 * (a * b))


_SIGN_AND_MAGNITUDE = BFloat16Type | Float16Type | Float32Type | Float64Type


def next_after(x: Value, y: Value) -> Value:
    """The bits of a float, but for its sign, count magnitudes: the next number is one bit up or down.

    Equal numbers give y, NaN gives NaN, and from 0 the next one is the smallest number with the sign of y.
    """
    element = x.type.element_type
    if not isinstance(element, _SIGN_AND_MAGNITUDE):
        raise DTypeError("next_after needs bf16, f16, f32 or f64")
    width = bit_width(element)
    a, b = _bits(x, IntegerType(width)), _bits(y, IntegerType(width))
    lowest = -(2 ** (width - 1))
    size_a, size_b = both(a, constant(-lowest - 1, a)), both(b, constant(-lowest - 1, b))
    shrinks = either(size_a > size_b, opposite((a < 0).equal(b < 0)))
    stepped = a + select(shrinks, constant(-1, a), 1)
    from_zero = either(both(b, constant(lowest, b)), constant(1, b))
    bits = select(x.equal(y), b, select(size_a.equal(0), from_zero, stepped))
    is_nan = either(opposite(x.equal(x)), opposite(y.equal(y)))
    return select(is_nan, math.nan, _bits(bits, element))


def _bits(x: Value, element: Attribute) -> Value:
    """The bits of x as numbers of another type."""
    return Value(emit(BitcastConvertOp(x.ssa, element)))


def mulhi(a: Value, b: Value) -> Value:
    """The upper half of the bits of a * b, as computed in twice the width; of 64 bits, by halves."""
    element = a.type.element_type
    width, signed = bit_width(element), kind(element) == "int"
    if width < 64:
        wide = IntegerType(2 * width, Signedness.SIGNLESS if signed else Signedness.UNSIGNED)
        product = convert(a, wide) * convert(b, wide)
        return convert(product.apply(ShiftRightArithmeticOp if signed else ShiftRightLogicalOp, width), element)
    if not signed:
        return _mulhi_by_halves(a, b)
    # As unsigned numbers, negative ones are larger by 2^64.
    unsigned = IntegerType(64, Signedness.UNSIGNED)
    high = _bits(_mulhi_by_halves(_bits(a, unsigned), _bits(b, unsigned)), element)
    return high - select(a < 0, b, 0) - select(b < 0, a, 0)


def _mulhi_by_halves(a: Value, b: Value) -> Value:
    """The upper 64 bits of a * b = (2^32 a1 + a0)(2^32 b1 + b0), all unsigned.

    Source: H. S. Warren, "Hacker's Delight", 8-2.
    """
    low = constant(2**32 - 1, a)
    a1, b1 = a.apply(ShiftRightLogicalOp, 32), b.apply(ShiftRightLogicalOp, 32)
    a0, b0 = both(a, low), both(b, low)
    first = a1 * b0 + (a0 * b0).apply(ShiftRightLogicalOp, 32)
    second = a0 * b1 + both(first, low)
    return a1 * b1 + first.apply(ShiftRightLogicalOp, 32) + second.apply(ShiftRightLogicalOp, 32)


exactly(IsInfOp, is_inf)
exactly(IsPosInfOp, is_pos_inf)
exactly(IsNegInfOp, is_neg_inf)
exactly(ConjOp, conj)
exactly(SquareOp, square)
exactly(NextAfterOp, next_after)
exactly(MulhiOp, mulhi)
