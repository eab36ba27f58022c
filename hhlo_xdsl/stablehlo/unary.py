"""Thin functions of the family unary."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo import unary as dialect
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.stablehlo.shared import element_type, unary_function
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor

abs = unary_function(dialect.AbsOp)
cbrt = unary_function(dialect.CbrtOp)
ceil = unary_function(dialect.CeilOp)
cosine = unary_function(dialect.CosineOp)
count_leading_zeros = unary_function(dialect.CountLeadingZerosOp)
exponential = unary_function(dialect.ExponentialOp)
exponential_minus_one = unary_function(dialect.ExponentialMinusOneOp)
floor = unary_function(dialect.FloorOp)
imag = unary_function(dialect.ImagOp)
is_finite = unary_function(dialect.IsFiniteOp)
log = unary_function(dialect.LogOp)
log_plus_one = unary_function(dialect.LogPlusOneOp)
logistic = unary_function(dialect.LogisticOp)
negate = unary_function(dialect.NegateOp)
not_ = unary_function(dialect.NotOp)
popcnt = unary_function(dialect.PopcntOp)
real = unary_function(dialect.RealOp)
round_nearest_afz = unary_function(dialect.RoundNearestAfzOp)
round_nearest_even = unary_function(dialect.RoundNearestEvenOp)
rsqrt = unary_function(dialect.RsqrtOp)
sign = unary_function(dialect.SignOp)
sine = unary_function(dialect.SineOp)
sqrt = unary_function(dialect.SqrtOp)
tan = unary_function(dialect.TanOp)
tanh = unary_function(dialect.TanhOp)


def convert(operand: ArrayLike, dtype: DType) -> Tensor:
    """operand in another element type."""
    return made(dialect.ConvertOp, tensor(operand), element_type(dtype))


def bitcast_convert(operand: ArrayLike, dtype: DType) -> Tensor:
    """The bits of operand as elements of another type; wider ones take a last dimension up, narrower ones add one."""
    return made(dialect.BitcastConvertOp, tensor(operand), element_type(dtype))


def reduce_precision(operand: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Tensor:
    """operand, rounded to a float format of fewer bits and back."""
    return made(dialect.ReducePrecisionOp, tensor(operand), exponent_bits, mantissa_bits)
