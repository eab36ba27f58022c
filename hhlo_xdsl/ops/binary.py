"""Functions of two tensors, element by element.

Shapes broadcast and element types promote, with ShapeError and DTypeError where they do not.
"""

from __future__ import annotations

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
from hhlo_xdsl.dialects.stablehlo.unary import AbsOp, ExponentialOp, FloorOp, LogPlusOneOp, RoundNearestEvenOp
from hhlo_xdsl.dtypes import f32
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.operands import check_ordered, inexact_together, truth
from hhlo_xdsl.tensor import ArrayLike, Tensor, elementwise, made, promote_and_broadcast


def add(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 + x2; for i1, or."""
    return elementwise(AddOp, x1, x2)


def subtract(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 - x2. Raises DTypeError for i1."""
    return elementwise(SubtractOp, x1, x2)


def multiply(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 * x2; for i1, and."""
    return elementwise(MultiplyOp, x1, x2)


def divide(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 / x2, never rounded: integers and i1 become f32.

    >>> hh.trace(hh.divide, hh.i32[3], hh.i32[()])       # f32[3]
    """
    return made(DivideOp, *inexact_together("divide", x1, x2))


def floor_divide(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 / x2, rounded down, in their element type. Raises DTypeError for complex numbers and i1.

    An integer divided by 0 gives -1, as XLA has it.
    """
    a, b = promote_and_broadcast("floor_divide", x1, x2)
    check_ordered("floor_divide", a)
    rest = made(RemainderOp, a, b)
    if a.dtype.kind != "float":
        return where(_signs_differ(rest, b), made(DivideOp, a, b) - 1, made(DivideOp, a, b))
    # x1 - rest is a multiple of x2, so that the quotient is near an integer, never just below one.
    quotient = made(DivideOp, a - rest, b)
    down = made(RoundNearestEvenOp, where(_signs_differ(rest, b), quotient - 1, quotient))
    return where(b == 0, made(FloorOp, made(DivideOp, a, b)), down)


def remainder(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 - x2 * floor_divide(x1, x2): what Python's % gives, with the sign of x2 (a zero may have either).

    Raises DTypeError for complex numbers and i1. An integer modulo 0 gives x1, as XLA has it.
    """
    a, b = promote_and_broadcast("remainder", x1, x2)
    check_ordered("remainder", a)
    rest = made(RemainderOp, a, b)
    return where(_signs_differ(rest, b), rest + b, rest)


def _signs_differ(rest: Tensor, divisor: Tensor) -> Tensor:
    return (rest != 0) & ((rest < 0) != (divisor < 0))


def fmod(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 - x2 * trunc(x1 / x2): what C's fmod gives, with the sign of x1. Raises DTypeError for i1."""
    return elementwise(RemainderOp, x1, x2)


def pow(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 ** x2; NaN for a negative float to a fraction. Raises DTypeError for i1."""
    return elementwise(PowerOp, x1, x2)


def atan2(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The angle of the point (x2, x1), in radians, in [-pi, pi]; integers and i1 become f32."""
    return made(Atan2Op, *inexact_together("atan2", x1, x2))


def maximum(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The greater one, NaN if either is; complex numbers in lexicographic order."""
    return elementwise(MaximumOp, x1, x2)


def minimum(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The lesser one, NaN if either is; complex numbers in lexicographic order."""
    return elementwise(MinimumOp, x1, x2)


def logaddexp(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """log(e ** x1 + e ** x2), without overflow; integers and i1 become f32. Raises DTypeError for complex numbers."""
    a, b = inexact_together("logaddexp", x1, x2)
    check_ordered("logaddexp", a)
    # Choosing by a >= b, rather than by maximum and abs, has the right derivatives where a == b.
    first = a >= b
    below = where(first, b - a, a - b)
    # The difference of equal infinities is NaN; their sum is the answer, and the other branch must not be NaN either.
    undefined = below != below
    correction = made(LogPlusOneOp, made(ExponentialOp, where(undefined, 0, below)))
    return where(undefined, a + b, where(first, a, b) + correction)


def hypot(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """√(x1² + x2²), without overflow; integers and i1 become f32. Raises DTypeError for complex numbers."""
    a, b = inexact_together("hypot", x1, x2)
    check_ordered("hypot", a)
    return made(AbsOp, made(ComplexOp, a, b)) if a.dtype.bits >= 32 else _hypot_in_f32(a, b)


def _hypot_in_f32(a: Tensor, b: Tensor) -> Tensor:
    """There are no complex numbers of narrower floats."""
    return hypot(a.astype(f32), b.astype(f32)).astype(a.dtype)


def copysign(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """|x1| with the sign of x2, also that of a zero or NaN; integers and i1 become f32.

    Raises DTypeError for complex numbers.
    """
    from hhlo_xdsl.ops.unary import abs, signbit

    a, b = inexact_together("copysign", x1, x2)
    check_ordered("copysign", a)
    return where(signbit(b), -abs(a), abs(a))


def isclose(x1: ArrayLike, x2: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, *, equal_nan: bool = False) -> Tensor:
    """Whether |x1 - x2| <= atol + rtol * |x2|; infinities are close if they are equal."""
    from hhlo_xdsl.ops.unary import abs, isfinite

    a, b = inexact_together("isclose", x1, x2)
    near = (abs(a - b) <= atol + rtol * abs(b)) & isfinite(a) & isfinite(b)
    same = near | (a == b)
    return same | ((a != a) & (b != b)) if equal_nan else same


def logical_and(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """Whether both are not zero, as i1."""
    return elementwise(AndOp, truth(x1), truth(x2))


def logical_or(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """Whether either is not zero, as i1."""
    return elementwise(OrOp, truth(x1), truth(x2))


def logical_xor(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """Whether one is not zero and the other is, as i1."""
    return elementwise(XorOp, truth(x1), truth(x2))


def bitwise_and(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The bits set in both. Raises DTypeError unless they are integers or i1."""
    return elementwise(AndOp, x1, x2)


def bitwise_or(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The bits set in either. Raises DTypeError unless they are integers or i1."""
    return elementwise(OrOp, x1, x2)


def bitwise_xor(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The bits set in one but not in the other. Raises DTypeError unless they are integers or i1."""
    return elementwise(XorOp, x1, x2)


def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 * 2 ** x2, losing the bits that move out. Raises DTypeError unless they are integers."""
    return elementwise(ShiftLeftOp, x1, x2)


def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 / 2 ** x2, rounded down. Raises DTypeError unless they are integers."""
    a, b = promote_and_broadcast("bitwise_right_shift", x1, x2)
    return made(ShiftRightLogicalOp if a.dtype.kind == "uint" else ShiftRightArithmeticOp, a, b)
