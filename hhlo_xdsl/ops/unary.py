"""Functions of one tensor, element by element. Those whose values are no integers make f32 of integers and i1."""

from __future__ import annotations

import builtins
import math

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.chlo import unary as chlo
from hhlo_xdsl.dialects.stablehlo.binary import ComplexOp
from hhlo_xdsl.dialects.stablehlo.unary import (
    AbsOp,
    BitcastConvertOp,
    CbrtOp,
    CeilOp,
    CosineOp,
    ExponentialMinusOneOp,
    ExponentialOp,
    FloorOp,
    ImagOp,
    IsFiniteOp,
    LogisticOp,
    LogOp,
    LogPlusOneOp,
    NegateOp,
    NotOp,
    RealOp,
    RoundNearestEvenOp,
    RsqrtOp,
    SignOp,
    SineOp,
    SqrtOp,
    TanhOp,
    TanOp,
)
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.errors import DTypeError
from hhlo_xdsl.ir_types import element_of
from hhlo_xdsl.ops.binary import minimum
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.creation import full_like, zeros_like
from hhlo_xdsl.ops.operands import check_ordered, inexact, truth
from hhlo_xdsl.promotion import bounds
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor
from hhlo_xdsl.where import with_place


def astype(x: ArrayLike, dtype: DType) -> Tensor:
    """x with elements of another type. Floats become integers by rounding towards zero, i1 by comparing with 0."""
    return tensor(x).astype(dtype)


def positive(x: ArrayLike) -> Tensor:
    """x itself."""
    return tensor(x)


def negative(x: ArrayLike) -> Tensor:
    """-x; unsigned integers wrap. Raises DTypeError for i1."""
    return made(NegateOp, tensor(x))


def abs(x: ArrayLike) -> Tensor:
    """|x|; for complex numbers the modulus, a real number."""
    t = tensor(x)
    return t if _is_natural(t) else made(AbsOp, t)


def sign(x: ArrayLike) -> Tensor:
    """-1, 0 or 1, NaN for NaN; for complex numbers x / |x|, 0 at 0. Raises DTypeError for i1."""
    t = tensor(x)
    return minimum(t, 1) if t.dtype.kind == "uint" else made(SignOp, t)


def square(x: ArrayLike) -> Tensor:
    """x * x"""
    t = tensor(x)
    return t * t


def reciprocal(x: ArrayLike) -> Tensor:
    """1 / x"""
    return 1 / inexact(x)


def exp(x: ArrayLike) -> Tensor:
    """e ** x"""
    return made(ExponentialOp, inexact(x))


def expm1(x: ArrayLike) -> Tensor:
    """e ** x - 1, accurate near 0."""
    return made(ExponentialMinusOneOp, inexact(x))


def log(x: ArrayLike) -> Tensor:
    """The natural logarithm; NaN below 0."""
    return made(LogOp, inexact(x))


def log1p(x: ArrayLike) -> Tensor:
    """log(1 + x), accurate near 0."""
    return made(LogPlusOneOp, inexact(x))


def log2(x: ArrayLike) -> Tensor:
    """The logarithm to base 2."""
    return log(x) / math.log(2)


def log10(x: ArrayLike) -> Tensor:
    """The logarithm to base 10."""
    return log(x) / math.log(10)


def sqrt(x: ArrayLike) -> Tensor:
    """The square root; NaN below 0."""
    return made(SqrtOp, inexact(x))


def rsqrt(x: ArrayLike) -> Tensor:
    """1 / sqrt(x)"""
    return made(RsqrtOp, inexact(x))


def cbrt(x: ArrayLike) -> Tensor:
    """The real cube root."""
    return made(CbrtOp, inexact(x))


def sin(x: ArrayLike) -> Tensor:
    """The sine of x radians."""
    return made(SineOp, inexact(x))


def cos(x: ArrayLike) -> Tensor:
    """The cosine of x radians."""
    return made(CosineOp, inexact(x))


def tan(x: ArrayLike) -> Tensor:
    """The tangent of x radians."""
    return made(TanOp, inexact(x))


def tanh(x: ArrayLike) -> Tensor:
    """The hyperbolic tangent."""
    return made(TanhOp, inexact(x))


def logistic(x: ArrayLike) -> Tensor:
    """1 / (1 + e ** -x)"""
    return made(LogisticOp, inexact(x))


def sigmoid(x: ArrayLike) -> Tensor:
    """1 / (1 + e ** -x), another name of `logistic`."""
    return logistic(x)


def acos(x: ArrayLike) -> Tensor:
    """The angle in [0, pi] whose cosine is x, in radians; NaN outside of [-1, 1]."""
    return made(chlo.AcosOp, inexact(x))


def acosh(x: ArrayLike) -> Tensor:
    """The number >= 0 whose hyperbolic cosine is x; NaN below 1."""
    return made(chlo.AcoshOp, inexact(x))


def asin(x: ArrayLike) -> Tensor:
    """The angle in [-pi/2, pi/2] whose sine is x, in radians; NaN outside of [-1, 1]."""
    return made(chlo.AsinOp, inexact(x))


def asinh(x: ArrayLike) -> Tensor:
    """The number whose hyperbolic sine is x."""
    return made(chlo.AsinhOp, inexact(x))


def atan(x: ArrayLike) -> Tensor:
    """The angle in [-pi/2, pi/2] whose tangent is x, in radians."""
    return made(chlo.AtanOp, inexact(x))


def atanh(x: ArrayLike) -> Tensor:
    """The number whose hyperbolic tangent is x; NaN outside of [-1, 1]."""
    return made(chlo.AtanhOp, inexact(x))


def cosh(x: ArrayLike) -> Tensor:
    """The hyperbolic cosine."""
    return made(chlo.CoshOp, inexact(x))


def digamma(x: ArrayLike) -> Tensor:
    """The derivative of `lgamma`. Raises DTypeError for complex numbers."""
    return made(chlo.DigammaOp, inexact(x))


def erf(x: ArrayLike) -> Tensor:
    """2/√π times the integral of e ** -t² from 0 to x."""
    return made(chlo.ErfOp, inexact(x))


def erf_inv(x: ArrayLike) -> Tensor:
    """The number whose `erf` is x; NaN outside of [-1, 1]. Raises DTypeError for complex numbers."""
    return made(chlo.ErfInvOp, inexact(x))


def erfc(x: ArrayLike) -> Tensor:
    """1 - erf(x), accurate where that is nearly 0. Raises DTypeError for complex numbers."""
    return made(chlo.ErfcOp, inexact(x))


def lgamma(x: ArrayLike) -> Tensor:
    """The logarithm of the absolute value of the gamma function. Raises DTypeError for complex numbers."""
    return made(chlo.LgammaOp, inexact(x))


def sinh(x: ArrayLike) -> Tensor:
    """The hyperbolic sine."""
    return made(chlo.SinhOp, inexact(x))


def exp2(x: ArrayLike) -> Tensor:
    """2 ** x"""
    t = inexact(x)
    return full_like(t, 2) ** t


def signbit(x: ArrayLike) -> Tensor:
    """Whether the sign of x is set: below zero, or a negative zero or NaN. Raises DTypeError for complex numbers."""
    t = tensor(x)
    check_ordered("signbit", t)
    if t.dtype.kind != "float":
        return t < 0 if t.dtype.kind == "int" else zeros_like(t, dtypes.i1)
    bits = {8: dtypes.i8, 16: dtypes.i16, 32: dtypes.i32, 64: dtypes.i64}[t.dtype.bits]
    return made(BitcastConvertOp, t, element_of(bits)) < 0


def nan_to_num(
    x: ArrayLike, nan: ArrayLike = 0.0, posinf: ArrayLike | None = None, neginf: ArrayLike | None = None
) -> Tensor:
    """x with numbers in place of NaN and infinities: the greatest and the least finite ones for those if None.

    Raises DTypeError for complex numbers.
    """
    t = tensor(x)
    check_ordered("nan_to_num", t)
    if t.dtype.kind != "float":
        return t
    low, high = bounds(t.dtype)
    t = where(t != t, nan, t)
    t = where(t == math.inf, high if posinf is None else posinf, t)
    return where(t == -math.inf, low if neginf is None else neginf, t)


def floor(x: ArrayLike) -> Tensor:
    """The greatest integer not above x, in x's element type. Raises DTypeError for complex numbers."""
    t = tensor(x)
    return t if _is_integer(t) else made(FloorOp, t)


def ceil(x: ArrayLike) -> Tensor:
    """The least integer not below x, in x's element type. Raises DTypeError for complex numbers."""
    t = tensor(x)
    return t if _is_integer(t) else made(CeilOp, t)


def round(x: ArrayLike, decimals: int = 0) -> Tensor:
    """The nearest integer, the even one of two, in x's element type; with `decimals`, that many places kept.

    Raises DTypeError for complex numbers, and for integers with negative `decimals`.
    """
    t = tensor(x)
    if _is_integer(t):
        if decimals < 0:
            raise with_place(DTypeError(f"round: decimals is {decimals}, x is {t.spec}; convert x to floats first"))
        return t
    if not decimals:
        return made(RoundNearestEvenOp, t)
    wide = t.astype(dtypes.f32) if t.dtype.bits < 32 else t
    power = 10.0 ** builtins.abs(decimals)
    scaled = wide * power if decimals > 0 else wide / power
    rounded = made(RoundNearestEvenOp, scaled)
    return (rounded / power if decimals > 0 else rounded * power).astype(t.dtype)


def trunc(x: ArrayLike) -> Tensor:
    """x without its fraction, in x's element type. Raises DTypeError for complex numbers."""
    t = tensor(x)
    return t if _is_integer(t) else where(t < 0, ceil(t), floor(t))


def isfinite(x: ArrayLike) -> Tensor:
    """Whether x is neither infinite nor NaN."""
    t = tensor(x)
    if t.dtype.kind == "complex":
        return isfinite(real(t)) & isfinite(imag(t))
    return made(IsFiniteOp, t) if t.dtype.kind == "float" else full_like(t, True, dtypes.i1)


def isnan(x: ArrayLike) -> Tensor:
    """Whether x is not a number."""
    t = tensor(x)
    return t != t if t.dtype.is_inexact else zeros_like(t, dtypes.i1)


def isinf(x: ArrayLike) -> Tensor:
    """Whether x, or a part of it, is infinite."""
    t = tensor(x)
    if t.dtype.kind == "complex":
        return isinf(real(t)) | isinf(imag(t))
    return abs(t) == math.inf if t.dtype.kind == "float" else zeros_like(t, dtypes.i1)


def real(x: ArrayLike) -> Tensor:
    """The real part, of real elements; real tensors themselves."""
    t = tensor(x)
    return made(RealOp, t) if t.dtype.kind == "complex" else t


def imag(x: ArrayLike) -> Tensor:
    """The imaginary part, of real elements; 0 for real tensors."""
    t = tensor(x)
    return made(ImagOp, t) if t.dtype.kind == "complex" else zeros_like(t)


def conj(x: ArrayLike) -> Tensor:
    """a - ib for x = a + ib; real tensors themselves."""
    t = tensor(x)
    return made(ComplexOp, real(t), -imag(t)) if t.dtype.kind == "complex" else t


def logical_not(x: ArrayLike) -> Tensor:
    """Whether x is zero, as i1."""
    return made(NotOp, truth(x))


def bitwise_invert(x: ArrayLike) -> Tensor:
    """The complement of each bit, of integers and i1. Raises DTypeError for others."""
    return made(NotOp, tensor(x))


def _is_integer(t: Tensor) -> bool:
    return t.dtype.kind in ("bool", "int", "uint")


def _is_natural(t: Tensor) -> bool:
    return t.dtype.kind in ("bool", "uint")
