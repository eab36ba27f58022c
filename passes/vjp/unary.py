"""Reverse-mode rules of elementwise ops with one operand. t is the cotangent of y = f(x)."""

from __future__ import annotations

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import (
    Value,
    complex_of,
    conjugate,
    cosine,
    exponential,
    imag,
    logistic,
    real,
    select,
    sign,
    sine,
    zeros,
)
from hhlo_xdsl.dialects.stablehlo.unary import (
    AbsOp,
    BitcastConvertOp,
    CbrtOp,
    CeilOp,
    ConvertOp,
    CosineOp,
    CountLeadingZerosOp,
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
    PopcntOp,
    RealOp,
    ReducePrecisionOp,
    RoundNearestAfzOp,
    RoundNearestEvenOp,
    RsqrtOp,
    SignOp,
    SineOp,
    SqrtOp,
    TanhOp,
    TanOp,
)
from hhlo_xdsl.dialects.types import is_complex, is_inexact
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Cotangents, non_differentiable, only, unary, vjp_rule


def _sech_squared(x: Value, y: Value) -> Value:
    """1 - y * y for y = tanh(x). Where |y| is near 1 that would cancel, so it is 4 s (1 - s) for s = logistic(-2 |x|).

    Complex numbers take 1 - y * y, since powers of e overflow to NaN there.
    """
    if is_complex(x.type):
        return 1 - y * y
    s = logistic(-2 * abs(x))
    return 4 * (s * (1 - s))


unary(NegateOp, lambda t, x, y: -t)
unary(ExponentialOp, lambda t, x, y: t * y)
unary(ExponentialMinusOneOp, lambda t, x, y: t * exponential(x))  # y + 1 would cancel where y is near -1
unary(LogOp, lambda t, x, y: t / x)
unary(LogPlusOneOp, lambda t, x, y: t / (1 + x))
unary(LogisticOp, lambda t, x, y: t * y * logistic(-x))  # 1 - y would cancel where y is near 1
unary(TanhOp, lambda t, x, y: t * _sech_squared(x, y))
unary(TanOp, lambda t, x, y: t * (1 + y * y))
unary(SineOp, lambda t, x, y: t * cosine(x))
unary(CosineOp, lambda t, x, y: -(t * sine(x)))
unary(SqrtOp, lambda t, x, y: 0.5 * t / y)
unary(RsqrtOp, lambda t, x, y: -0.5 * t * (y / x))
unary(CbrtOp, lambda t, x, y: t / (3 * y * y))

non_differentiable(
    "it is piecewise constant: its derivative is zero wherever there is one",
    CeilOp,
    FloorOp,
    RoundNearestAfzOp,
    RoundNearestEvenOp,
)
non_differentiable("its result is boolean or an integer", CountLeadingZerosOp, IsFiniteOp, NotOp, PopcntOp)


@vjp_rule(AbsOp)
def abs_(op: AbsOp, cts: Cotangents) -> Cotangents:
    """Real: t where x >= 0, else -t, so t at 0. Complex: t * conj(sign(x)), 0 at 0."""
    t, x = Value(only(cts)), Value(op.operand)
    if not is_complex(x.type):
        return [select(x >= 0, t, -t).ssa]
    return [(complex_of(t, 0) * conjugate(sign(x))).ssa]


@vjp_rule(SignOp)
def sign_(op: SignOp, cts: Cotangents) -> Cotangents:
    """Real: zero. Complex, s = x / |x|: the component of t along i * s, turned back: -i conj(s) Re(i s t) / |x|."""
    t, x, s = Value(only(cts)), Value(op.operand), Value(op.result)
    if not is_complex(x.type):
        return [None]
    size = abs(x)
    along = -imag(s * t)  # Re(i s t)
    scale = select(size.equal(0), 0, along / size)
    return [(complex_of(zeros_like(scale), -scale) * conjugate(s)).ssa]


@vjp_rule(RealOp)
def real_(op: RealOp, cts: Cotangents) -> Cotangents:
    """(t, 0) for a complex operand, t for a real one."""
    t = Value(only(cts))
    return [complex_of(t, 0).ssa if is_complex(op.operand.type) else t.ssa]


@vjp_rule(ImagOp)
def imag_(op: ImagOp, cts: Cotangents) -> Cotangents:
    """(0, -t) for a complex operand, since pairing is without conjugation; zero for a real one."""
    t = Value(only(cts))
    return [complex_of(zeros_like(t), -t).ssa] if is_complex(op.operand.type) else [None]


@vjp_rule(ConvertOp)
def convert(op: ConvertOp, cts: Cotangents) -> Cotangents:
    """t in the operand's element type; zero to and from integers.

    complex -> real keeps the real part, and its transpose is real -> complex, so both convert back.
    """
    t = Value(only(cts))
    if not is_inexact(op.operand.type):
        return [None]
    if is_complex(t.type) and not is_complex(op.operand.type):
        t = real(t)
    return [t.ssa if t.type == op.operand.type else emit(ConvertOp(t.ssa, op.operand.type.element_type))]


@vjp_rule(ReducePrecisionOp)
def reduce_precision(op: ReducePrecisionOp, cts: Cotangents) -> Cotangents:
    """t, rounded alike: as if rounding were linear."""
    return [emit(ReducePrecisionOp(only(cts), op.exponent_bits.value.data, op.mantissa_bits.value.data))]


@vjp_rule(BitcastConvertOp)
def bitcast_convert(op: BitcastConvertOp, cts: Cotangents) -> Cotangents:
    """t, if the element type stays. The bits of a float, read as another one, do not depend smoothly on it."""
    check_same_bits(op)
    return [only(cts)]


def check_same_bits(op: BitcastConvertOp) -> None:
    """Raise DifferentiationError if floats of one type are read as those of another."""
    if op.operand.type != op.result.type:
        raise DifferentiationError(
            f"{op.name}: it reads the bits of {op.operand.type} as {op.result.type}, which do not depend smoothly on"
            f" the numbers; use convert, or stop_gradient{place(op)}"
        )


def zeros_like(x: Value) -> Value:
    """Zeros of the type of x."""
    return Value(zeros(x.type))
