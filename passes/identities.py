"""Identities of single ops that hold to the bit: for NaN, infinities, zeros of either sign and wrapped integers too.

Each row is (op) -> the value that its result equals, or None where the identity does not apply. What is missing here is
missing on purpose: x + 0 is 0 for x = -0, x * 0 is NaN for x = inf, x - x too, and -(a - b) differs from b - a where a
is b; (x + iy) * 1 is computed with the products of all parts, and NaN where one of them is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.binary import (
    AddOp,
    AndOp,
    ComplexOp,
    DivideOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    OrOp,
    SubtractOp,
    XorOp,
)
from hhlo_xdsl.dialects.stablehlo.compare import SelectOp
from hhlo_xdsl.dialects.stablehlo.creation import as_constant
from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    PadOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.dialects.stablehlo.unary import AbsOp, ConvertOp, ImagOp, NegateOp, NotOp, RealOp
from hhlo_xdsl.dialects.types import is_static, kind, shape_of, type_of

Rule = Callable[[Any], SSAValue | None]
OpT = TypeVar("OpT", bound=Operation)

IDENTITIES: dict[type[Operation], Rule] = {}
"""Per op, its identities; the value found may have another type, and then is of no use."""


def identity(op: type[Operation]) -> Callable[[Rule], Rule]:
    """Register what the result of `op` equals."""

    def register(rule: Rule) -> Rule:
        IDENTITIES[op] = rule
        return rule

    return register


def _number(value: SSAValue) -> bool | int | float | complex | None:
    """The number that every element of `value` is known to be."""
    while isinstance(value.owner, BroadcastInDimOp | ReshapeOp):
        value = value.owner.operand
    return as_constant(value)


def _is(value: SSAValue, number: float) -> bool:
    """Whether every element of `value` is this number; of real zeros, the one of this sign."""
    found = _number(value)
    if found is None or isinstance(found, complex) or found != number:
        return False
    return not isinstance(found, float) or math.copysign(1, found) == math.copysign(1, number)


def _by(value: SSAValue, op: type[OpT]) -> OpT | None:
    """The op that makes `value`, if it is of this class."""
    return value.owner if isinstance(value.owner, op) else None


def _kind(value: SSAValue) -> str:
    return kind(type_of(value).element_type)


def _is_complex_zero(value: SSAValue) -> bool:
    """Whether both parts of every element are -0."""
    found = _number(value)
    return isinstance(found, complex) and all(p == 0 and math.copysign(1, p) < 0 for p in (found.real, found.imag))


# Arithmetic. Of floats, -0 is what can be added without a trace, and 0 what can be subtracted.


def _adds_nothing(value: SSAValue) -> bool:
    return _is(value, 0 if _kind(value) in ("int", "uint", "bool") else -0.0) or _is_complex_zero(value)


@identity(AddOp)
def add(op: AddOp) -> SSAValue | None:
    """x + -0 = x; a + -b = a - b; -a + b = b - a"""
    a, b = op.operands
    if _adds_nothing(b):
        return a
    if _adds_nothing(a):
        return b
    if (negated := _by(b, NegateOp)) is not None:
        return emit(SubtractOp(a, negated.operand))
    if (negated := _by(a, NegateOp)) is not None:
        return emit(SubtractOp(b, negated.operand))
    return None


@identity(SubtractOp)
def subtract(op: SubtractOp) -> SSAValue | None:
    """x - 0 = x; a - -b = a + b"""
    a, b = op.operands
    if _is(b, 0):
        return a
    negated = _by(b, NegateOp)
    return None if negated is None else emit(AddOp(a, negated.operand))


@identity(MultiplyOp)
def multiply(op: MultiplyOp) -> SSAValue | None:
    """x * 1 = x; -a * -b = a * b"""
    a, b = op.operands
    if _is(b, 1):
        return a
    if _is(a, 1):
        return b
    both = _by(a, NegateOp), _by(b, NegateOp)
    return emit(MultiplyOp(both[0].operand, both[1].operand)) if both[0] and both[1] else None


@identity(DivideOp)
def divide(op: DivideOp) -> SSAValue | None:
    """x / 1 = x; of floats, -a / -b = a / b (of integers, -a may overflow)"""
    a, b = op.operands
    if _is(b, 1):
        return a
    both = _by(a, NegateOp), _by(b, NegateOp)
    if _kind(a) != "float" or both[0] is None or both[1] is None:
        return None
    return emit(DivideOp(both[0].operand, both[1].operand))


@identity(NegateOp)
def negate(op: NegateOp) -> SSAValue | None:
    """--x = x"""
    negated = _by(op.operand, NegateOp)
    return None if negated is None else negated.operand


@identity(AbsOp)
def absolute(op: AbsOp) -> SSAValue | None:
    """||x|| = |x|; |-x| = |x|"""
    if _by(op.operand, AbsOp) is not None:
        return op.operand
    negated = _by(op.operand, NegateOp)
    return None if negated is None else emit(AbsOp(negated.operand))


@identity(RealOp)
def real(op: RealOp) -> SSAValue | None:
    """Re(a + ib) = a"""
    made = _by(op.operand, ComplexOp)
    return None if made is None else made.operands[0]


@identity(ImagOp)
def imag(op: ImagOp) -> SSAValue | None:
    """Im(a + ib) = b"""
    made = _by(op.operand, ComplexOp)
    return None if made is None else made.operands[1]


@identity(ComplexOp)
def complex_(op: ComplexOp) -> SSAValue | None:
    """Re z + i Im z = z"""
    re, im = _by(op.operands[0], RealOp), _by(op.operands[1], ImagOp)
    return re.operand if re and im and re.operand is im.operand else None


@identity(ConvertOp)
def convert(op: ConvertOp) -> SSAValue | None:
    """x in its own type; x in a wider type and back, where the wider one holds every x"""
    if op.operand.type == op.result.type:
        return op.operand
    widened = _by(op.operand, ConvertOp)
    return widened.operand if widened is not None and _holds(op.operand, widened.operand) else None


def _holds(wide: SSAValue, narrow: SSAValue) -> bool:
    """Whether every number of the type of `narrow` is one of the type of `wide`."""
    pair = (str(type_of(narrow).element_type), str(type_of(wide).element_type))
    return pair in _WIDENINGS


_WIDENINGS = {("bf16", "f32"), ("bf16", "f64"), ("f16", "f32"), ("f16", "f64"), ("f32", "f64")} | {
    (f"{sign}{a}", f"{sign}{b}") for sign in ("i", "ui") for a in (8, 16, 32) for b in (16, 32, 64) if a < b
}


# Logic and choice


@identity(AndOp)
def and_(op: AndOp) -> SSAValue | None:
    """x & x = x; x & ~0 = x"""
    return _of_equals(op) or _without(op, _all_ones(op.operands[0]))


@identity(OrOp)
def or_(op: OrOp) -> SSAValue | None:
    """x | x = x; x | 0 = x"""
    return _of_equals(op) or _without(op, 0)


@identity(XorOp)
def xor(op: XorOp) -> SSAValue | None:
    """x ^ 0 = x"""
    return _without(op, 0)


def _all_ones(value: SSAValue) -> int:
    """The integer whose bits are all 1: -1 without signs, True."""
    if _kind(value) not in ("uint", "bool"):
        return -1
    element = cast("IntegerType[Any, Any]", type_of(value).element_type)
    return (1 << element.bitwidth) - 1


def _of_equals(op: Operation) -> SSAValue | None:
    a, b = op.operands
    return a if a is b else None


def _without(op: Operation, number: int) -> SSAValue | None:
    """The other operand, where one is `number`."""
    a, b = op.operands
    return a if _is(b, number) else b if _is(a, number) else None


@identity(MaximumOp)
def maximum(op: MaximumOp) -> SSAValue | None:
    """max(x, x) = x"""
    return _of_equals(op)


@identity(MinimumOp)
def minimum(op: MinimumOp) -> SSAValue | None:
    """min(x, x) = x"""
    return _of_equals(op)


@identity(NotOp)
def not_(op: NotOp) -> SSAValue | None:
    """~~x = x"""
    inverted = _by(op.operand, NotOp)
    return None if inverted is None else inverted.operand


@identity(SelectOp)
def select(op: SelectOp) -> SSAValue | None:
    """p ? x : x = x; true ? a : b = a; ~p ? a : b = p ? b : a"""
    pred, a, b = op.operands
    if a is b:
        return a
    chosen = _number(pred)
    if chosen is not None:
        return a if chosen else b
    inverted = _by(pred, NotOp)
    return None if inverted is None else emit(SelectOp(inverted.operand, b, a))


# Movement


@identity(ReshapeOp)
def reshape(op: ReshapeOp) -> SSAValue | None:
    """To the same shape; a reshape of a reshape"""
    if not is_static(op.result.type):
        return None
    if op.operand.type == op.result.type:
        return op.operand
    first = _by(op.operand, ReshapeOp)
    if first is None:
        return None
    return emit(ReshapeOp(first.operand, shape_of(op.result)))


@identity(TransposeOp)
def transpose(op: TransposeOp) -> SSAValue | None:
    """To the same order; a transpose of a transpose"""
    order = ints(op.permutation)
    if list(order) == sorted(order):
        return op.operand
    first = _by(op.operand, TransposeOp)
    if first is None:
        return None
    before = ints(first.permutation)
    return emit(TransposeOp(first.operand, [before[d] for d in order]))


@identity(BroadcastInDimOp)
def broadcast_in_dim(op: BroadcastInDimOp) -> SSAValue | None:
    """To the same shape in the same order; a broadcast of a broadcast"""
    dims = ints(op.broadcast_dimensions)
    if not is_static(op.result.type):
        return None
    if op.operand.type == op.result.type and list(dims) == sorted(dims):
        return op.operand
    first = _by(op.operand, BroadcastInDimOp)
    if first is None:
        return None
    through = [dims[d] for d in ints(first.broadcast_dimensions)]
    return emit(BroadcastInDimOp(first.operand, shape_of(op.result), through))


@identity(SliceOp)
def slice_(op: SliceOp) -> SSAValue | None:
    """All of the operand: a result of its sizes leaves no room for starts and strides"""
    return op.operand if op.operand.type == op.result.type and is_static(op.result.type) else None


@identity(PadOp)
def pad(op: PadOp) -> SSAValue | None:
    """By nothing"""
    return None if any(any(p) for p in op.paddings) else op.operand


@identity(ConcatenateOp)
def concatenate(op: ConcatenateOp) -> SSAValue | None:
    """Of one tensor"""
    return op.inputs[0] if len(op.inputs) == 1 else None


@identity(ReverseOp)
def reverse(op: ReverseOp) -> SSAValue | None:
    """Along dimensions of size 1; twice along the same ones"""
    dims = set(ints(op.dimensions))
    if all(shape_of(op.operand)[d] == 1 for d in dims):
        return op.operand
    first = _by(op.operand, ReverseOp)
    return first.operand if first is not None and set(ints(first.dimensions)) == dims else None
