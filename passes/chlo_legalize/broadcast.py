"""constant, constant_like, and the elementwise ops that broadcast their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.chlo import broadcast as chlo
from hhlo_xdsl.dialects.chlo.binary import NextAfterOp, PolygammaOp, ZetaOp
from hhlo_xdsl.dialects.chlo.creation import ConstantLikeOp, ConstantOp
from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.infix import Value, select, splat
from hhlo_xdsl.dialects.sizes import as_shape, filled_like, size_of
from hhlo_xdsl.dialects.stablehlo import binary, creation
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.dynamic import DynamicBroadcastInDimOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.types import UNKNOWN, is_static, like, scalar, shape_of, type_of
from hhlo_xdsl.passes.chlo_legalize.core import LOWERINGS, lowered, lowering

Broadcasting = chlo.AbstractBroadcastBinary | chlo.BroadcastSelectOp
Plain = Callable[[Any, Sequence[SSAValue]], Operation]
"""Makes the op that does not broadcast, from the one that does and its operands, already broadcast."""


@lowering(ConstantOp)
def constant(op: ConstantOp) -> Sequence[SSAValue]:
    """The same elements, in StableHLO."""
    return [emit(creation.ConstantOp.create(result_types=[op.output.type], properties={"value": op.value}))]


@lowering(ConstantLikeOp)
def constant_like(op: ConstantLikeOp) -> Sequence[SSAValue]:
    """The number, broadcast to the operand's sizes."""
    value = op.value
    if not isinstance(value, FloatAttr | IntegerAttr):
        raise DTypeError(f"the value is {value}; a number of float or integer type is needed")
    number = cast("FloatAttr[Any] | IntegerAttr[Any]", value).value.data
    type = like(op.operand.type, element=op.result.type.element_type)
    if is_static(type):
        return [splat(number, type)]
    return [filled_like(splat(number, scalar(type)), op.operand)]


def _as(plain: Callable[..., Operation]) -> Plain:
    return lambda op, operands: plain(*operands)


def _compare(op: chlo.BroadcastCompareOp, operands: Sequence[SSAValue]) -> Operation:
    lhs, rhs = operands
    kind = None if op.compare_type is None else op.compare_type.data
    return CompareOp(lhs, rhs, op.comparison_direction.data, kind)


PLAIN: Mapping[type[Operation], Plain] = {
    chlo.BroadcastAddOp: _as(binary.AddOp),
    chlo.BroadcastAndOp: _as(binary.AndOp),
    chlo.BroadcastAtan2Op: _as(binary.Atan2Op),
    chlo.BroadcastCompareOp: _compare,
    chlo.BroadcastComplexOp: _as(binary.ComplexOp),
    chlo.BroadcastDivideOp: _as(binary.DivideOp),
    chlo.BroadcastMaximumOp: _as(binary.MaximumOp),
    chlo.BroadcastMinimumOp: _as(binary.MinimumOp),
    chlo.BroadcastMultiplyOp: _as(binary.MultiplyOp),
    chlo.BroadcastNextAfterOp: _as(NextAfterOp),
    chlo.BroadcastOrOp: _as(binary.OrOp),
    chlo.BroadcastPolygammaOp: _as(PolygammaOp),
    chlo.BroadcastPowerOp: _as(binary.PowerOp),
    chlo.BroadcastRemainderOp: _as(binary.RemainderOp),
    chlo.BroadcastSelectOp: _as(SelectOp),
    chlo.BroadcastShiftLeftOp: _as(binary.ShiftLeftOp),
    chlo.BroadcastShiftRightArithmeticOp: _as(binary.ShiftRightArithmeticOp),
    chlo.BroadcastShiftRightLogicalOp: _as(binary.ShiftRightLogicalOp),
    chlo.BroadcastSubtractOp: _as(binary.SubtractOp),
    chlo.BroadcastXorOp: _as(binary.XorOp),
    chlo.BroadcastZetaOp: _as(ZetaOp),
}
"""Each broadcasting op, and what it is once its operands have one shape."""


def plain(op: Broadcasting) -> Operation:
    """The op that does not broadcast; its operands are emitted, it itself is not."""
    return PLAIN[type(op)](op, broadcast(op))


def broadcast(op: Broadcasting) -> list[SSAValue]:
    """The operands of `op`, each broadcast to the result's shape."""
    shape = shape_of(op.results[0])
    places = [places_of(op, x) for x in op.operands]
    if UNKNOWN not in shape and all(is_static(type_of(x)) for x in op.operands):
        return [_static(x, shape, dims) for x, dims in zip(op.operands, places, strict=True)]
    extents = as_shape([_extent(op, d, places) for d in range(len(shape))])
    return [emit(DynamicBroadcastInDimOp(x, extents, dims, shape)) for x, dims in zip(op.operands, places, strict=True)]


def places_of(op: Broadcasting, x: SSAValue) -> tuple[int, ...]:
    """The dimensions of the result that those of the operand x are: the last ones, unless attributes say others."""
    rank, high = len(shape_of(x)), len(shape_of(op.results[0]))
    given = None if isinstance(op, chlo.BroadcastSelectOp) else op.broadcast_dimensions
    return tuple(range(high - rank, high)) if given is None or rank == high else ints(given)


def _static(x: SSAValue, shape: tuple[int, ...], dims: tuple[int, ...]) -> SSAValue:
    return x if shape_of(x) == shape else emit(BroadcastInDimOp(x, shape, dims))


def _extent(op: Broadcasting, d: int, places: Sequence[tuple[int, ...]]) -> SSAValue:
    """The size of dimension d of the result, tensor<i32>: of the operands' sizes there one that is not 1."""
    there = [(x, dims.index(d)) for x, dims in zip(op.operands, places, strict=True) if d in dims]
    sizes = [Value(size_of(x, k)) for x, k in there]
    total, *others = sizes
    for size in others:
        total = select(total.equal(1), size, total)
    return total.ssa


def _lowered(op: Broadcasting) -> Sequence[SSAValue]:
    """The op that does not broadcast, itself lowered if it is one of CHLO's."""
    made = plain(op)
    return lowered(made) if type(made) in LOWERINGS else [emit(made)]


for _op in PLAIN:
    LOWERINGS[_op] = _lowered
