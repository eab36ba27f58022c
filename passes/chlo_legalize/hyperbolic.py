"""sinh, cosh and tan, of real and of complex numbers."""

from __future__ import annotations

import math

from hhlo_xdsl.dialects.chlo.unary import CoshOp, SinhOp, TanOp
from hhlo_xdsl.dialects.infix import (
    Value,
    both,
    complex_of,
    cosine,
    exponential,
    exponential_minus_one,
    imag,
    real,
    select,
    sign,
    sine,
)
from hhlo_xdsl.dialects.stablehlo import unary
from hhlo_xdsl.passes.chlo_legalize.core import elementwise
from hhlo_xdsl.passes.chlo_legalize.inverse import either_kind

# e^|x| is the square of h = e^(|x| / 2): h / 2 * h overflows only where the result does.


def sinh(x: Value) -> Value:
    """(e^x - e^-x) / 2; below 1, with u = e^x - 1, (u + u / (u + 1)) / 2."""
    h = exponential(abs(x) * 0.5)
    u = exponential_minus_one(select(abs(x) < 1, x, 0))
    return select(abs(x) < 1, 0.5 * (u + u / (u + 1)), sign(x) * (0.5 * h * h - 0.5 / h / h))


def cosh(x: Value) -> Value:
    """(e^x + e^-x) / 2"""
    h = exponential(abs(x) * 0.5)
    return 0.5 * h * h + 0.5 / h / h


def _times(size: Value, factor: Value) -> Value:
    """size * factor, which is 0 where factor is, even if size is infinite."""
    is_zero = both(factor.equal(0), abs(size).equal(math.inf))
    return select(is_zero, sign(size) * factor, size * factor)


def complex_sinh(z: Value) -> Value:
    """sinh x cos y + i cosh x sin y"""
    x, y = real(z), imag(z)
    return complex_of(sinh(x) * cosine(y), _times(cosh(x), sine(y)))


def complex_cosh(z: Value) -> Value:
    """cosh x cos y + i sinh x sin y"""
    x, y = real(z), imag(z)
    return complex_of(cosh(x) * cosine(y), _times(sinh(x), sine(y)))


def tan(x: Value) -> Value:
    """The op of StableHLO."""
    return x.apply(unary.TanOp)


elementwise(SinhOp, either_kind(sinh, complex_sinh))
elementwise(CoshOp, either_kind(cosh, complex_cosh))
elementwise(TanOp, tan)
