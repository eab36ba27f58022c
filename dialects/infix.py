"""Formulas over values: operators and named functions that emit StableHLO ops.

`AbstractInfix` writes the operators once. `Value` is its strict form, for rules: both sides of an operator have one
type, or the other side is a Python number, which becomes a constant of that type. Broadcasting and promotion belong to
the frontend's `Tensor`.
"""

from __future__ import annotations

import abc
from typing import Any, Self, TypeVar

from xdsl.ir import Attribute, Operation, SSAValue

from hhlo_xdsl.dialects.emit import emit, emitted_splat, remember_splat
from hhlo_xdsl.dialects.sizes import filled_like
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
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
    SubtractOp,
)
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, scalar_elements
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.stablehlo.unary import (
    AbsOp,
    ConvertOp,
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
    RsqrtOp,
    SignOp,
    SineOp,
    SqrtOp,
)
from hhlo_xdsl.dialects.types import RankedTensor, is_static, type_of
from hhlo_xdsl.dialects.types import scalar as scalar_type

Number = bool | int | float | complex
InfixT = TypeVar("InfixT", bound="AbstractInfix")


class AbstractInfix(abc.ABC):
    """Operators, written once for every class that can apply an elementwise op to itself and other operands."""

    __slots__ = ()

    @abc.abstractmethod
    def apply(self, op: type[Operation], *others: Any) -> Self:
        """The result of `op(self, *others)`; Python numbers among `others` become constants."""

    @abc.abstractmethod
    def apply_reflected(self, op: type[Operation], first: Any) -> Self:
        """The result of `op(first, self)`."""

    @abc.abstractmethod
    def compare(self, direction: ComparisonDirection, other: Any) -> Self:
        """Whether `self <direction> other`, element by element."""

    def __add__(self, other: Any) -> Self:
        return self.apply(AddOp, other)

    def __radd__(self, other: Any) -> Self:
        return self.apply_reflected(AddOp, other)

    def __sub__(self, other: Any) -> Self:
        return self.apply(SubtractOp, other)

    def __rsub__(self, other: Any) -> Self:
        return self.apply_reflected(SubtractOp, other)

    def __mul__(self, other: Any) -> Self:
        return self.apply(MultiplyOp, other)

    def __rmul__(self, other: Any) -> Self:
        return self.apply_reflected(MultiplyOp, other)

    def __truediv__(self, other: Any) -> Self:
        return self.apply(DivideOp, other)

    def __rtruediv__(self, other: Any) -> Self:
        return self.apply_reflected(DivideOp, other)

    def __pow__(self, other: Any) -> Self:
        return self.apply(PowerOp, other)

    def __rpow__(self, other: Any) -> Self:
        return self.apply_reflected(PowerOp, other)

    def __neg__(self) -> Self:
        return self.apply(NegateOp)

    def __abs__(self) -> Self:
        return self.apply(AbsOp)

    def __lt__(self, other: Any) -> Self:
        return self.compare(ComparisonDirection.LT, other)

    def __le__(self, other: Any) -> Self:
        return self.compare(ComparisonDirection.LE, other)

    def __gt__(self, other: Any) -> Self:
        return self.compare(ComparisonDirection.GT, other)

    def __ge__(self, other: Any) -> Self:
        return self.compare(ComparisonDirection.GE, other)


class Value(AbstractInfix):
    """An SSA value dressed for formulas: strict, every operand of one type."""

    __slots__ = ("ssa",)

    def __init__(self, ssa: SSAValue):
        self.ssa = ssa

    @property
    def type(self) -> RankedTensor:
        """The type of the value."""
        return type_of(self.ssa)

    def apply(self, op: type[Any], *others: Value | Number) -> Value:
        return Value(emit(op(self.ssa, *(self.operand(o) for o in others))))

    def apply_reflected(self, op: type[Any], first: Value | Number) -> Value:
        return Value(emit(op(self.operand(first), self.ssa)))

    def compare(self, direction: ComparisonDirection, other: Value | Number) -> Value:
        return Value(emit(CompareOp(self.ssa, self.operand(other), direction)))

    def equal(self, other: Value | Number) -> Value:
        """Whether `self == other`, element by element."""
        return self.compare(ComparisonDirection.EQ, other)

    def operand(self, other: Value | Number) -> SSAValue:
        """`other` as a value of the type of self."""
        if isinstance(other, Value):
            return other.ssa
        if is_static(self.type):
            return splat(other, self.type)
        return filled_like(splat(other, scalar_type(self.type)), self.ssa)


def select(pred: Value, on_true: Value | Number, on_false: Value | Number) -> Value:
    """`on_true` where `pred` holds, else `on_false`; one of the two may be a number."""
    branch = on_true if isinstance(on_true, Value) else on_false
    if not isinstance(branch, Value):
        raise TypeError("select: both branches are numbers; their element type is unknown")
    return Value(emit(SelectOp(pred.ssa, branch.operand(on_true), branch.operand(on_false))))


def splat(value: Number, type: RankedTensor) -> SSAValue:
    """A tensor of `type` with `value` in every element: a scalar constant, broadcast.

    Equal splats at one insertion point are emitted once.
    """
    key = (repr(value), type)
    found = emitted_splat(key)
    if found is not None:
        return found
    if not type.get_num_dims():
        return remember_splat(key, emit(ConstantOp(scalar_elements(type.element_type, value))))
    scalar = splat(value, scalar_type(type))
    return remember_splat(key, emit(BroadcastInDimOp(scalar, type.get_shape(), ())))


def zeros(type: RankedTensor) -> SSAValue:
    """A tensor of `type` filled with zero."""
    return splat(0, type)


def minimum(a: Value, b: Value | Number) -> Value:
    """The lesser one, element by element."""
    return a.apply(MinimumOp, b)


def maximum(a: Value, b: Value | Number) -> Value:
    """The greater one, element by element."""
    return a.apply(MaximumOp, b)


def power(a: Value, b: Value | Number) -> Value:
    """a ** b"""
    return a.apply(PowerOp, b)


def exponential(x: Value) -> Value:
    """e ** x"""
    return x.apply(ExponentialOp)


def log(x: Value) -> Value:
    """The natural logarithm."""
    return x.apply(LogOp)


def exponential_minus_one(x: Value) -> Value:
    """e ** x - 1, accurate near 0."""
    return x.apply(ExponentialMinusOneOp)


def log_plus_one(x: Value) -> Value:
    """log(1 + x), accurate near 0."""
    return x.apply(LogPlusOneOp)


def square_root(x: Value) -> Value:
    """The square root; of complex numbers the one with a real part of at least 0."""
    return x.apply(SqrtOp)


def rsqrt(x: Value) -> Value:
    """1 / sqrt(x)"""
    return x.apply(RsqrtOp)


def logistic(x: Value) -> Value:
    """1 / (1 + e ** -x)"""
    return x.apply(LogisticOp)


def sine(x: Value) -> Value:
    """sin(x), in radians."""
    return x.apply(SineOp)


def cosine(x: Value) -> Value:
    """cos(x), in radians."""
    return x.apply(CosineOp)


def atan2(y: Value, x: Value | Number) -> Value:
    """The angle of the point (x, y), in radians."""
    return y.apply(Atan2Op, x)


def sign(x: Value) -> Value:
    """-1, 0 or 1; complex: x / |x|, 0 at 0."""
    return x.apply(SignOp)


def floor(x: Value) -> Value:
    """The greatest integer not above."""
    return x.apply(FloorOp)


def remainder(a: Value, b: Value | Number) -> Value:
    """a - b * trunc(a / b)"""
    return a.apply(RemainderOp, b)


def is_finite(x: Value) -> Value:
    """Whether x is neither infinite nor NaN."""
    return x.apply(IsFiniteOp)


def both(p: Value, q: Value) -> Value:
    """Whether p and q hold; of integers, the bits that both have."""
    return p.apply(AndOp, q)


def either(p: Value, q: Value) -> Value:
    """Whether p or q holds; of integers, the bits that either has."""
    return p.apply(OrOp, q)


def opposite(p: Value) -> Value:
    """Whether p does not hold; of integers, the bits that it has not."""
    return p.apply(NotOp)


def convert(x: Value, element: Attribute) -> Value:
    """x with elements of type `element`; x itself if it has those."""
    return x if x.type.element_type == element else Value(emit(ConvertOp(x.ssa, element)))


def real(z: Value) -> Value:
    """The real part."""
    return z.apply(RealOp)


def imag(z: Value) -> Value:
    """The imaginary part."""
    return z.apply(ImagOp)


def complex_of(a: Value, b: Value | Number) -> Value:
    """a + i * b"""
    return a.apply(ComplexOp, b)


def conjugate(z: Value) -> Value:
    """a - i * b for z = a + i * b."""
    return complex_of(real(z), -imag(z))
