"""Reverse-mode rules of ops that take sizes as operands. Every size of their operands and results is known.

Numbers that are constants make the gradient that of the plain op; others, that of gathers and scatters.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, select
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.dynamic import (
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicIotaOp,
    DynamicPadOp,
    DynamicReshapeOp,
    GetDimensionSizeOp,
    RealDynamicSliceOp,
    SetDimensionSizeOp,
)
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import GatherOp, ScatterOp
from hhlo_xdsl.dialects.stablehlo.movement import PadOp, SliceOp
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints
from hhlo_xdsl.dialects.stablehlo.shapes import others
from hhlo_xdsl.dialects.types import INTEGER, kind, like, shape_of, type_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, non_differentiable, only, vjp_rule, walk_rule
from hhlo_xdsl.passes.vjp.folds import check_static, stretched
from hhlo_xdsl.passes.vjp.movement import reshaped, summed_copies
from hhlo_xdsl.passes.vjp.regions import pulled_back
from hhlo_xdsl.passes.vjp.scatter import overwrite

non_differentiable("its result depends on sizes only", DynamicIotaOp, GetDimensionSizeOp)


@vjp_rule(DynamicReshapeOp)
def dynamic_reshape(op: DynamicReshapeOp, cts: Cotangents) -> Cotangents:
    """The cotangent in the operand's shape."""
    check_static(op)
    return [reshaped(only(cts), shape_of(op.operand)), None]


@vjp_rule(DynamicBroadcastInDimOp)
def dynamic_broadcast_in_dim(op: DynamicBroadcastInDimOp, cts: Cotangents) -> Cotangents:
    """The cotangent, summed over the copies of each element."""
    check_static(op)
    return [summed_copies(only(cts), ints(op.broadcast_dimensions), shape_of(op.operand)), None]


@walk_rule(RealDynamicSliceOp)
def real_dynamic_slice(op: RealDynamicSliceOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """The cotangent between zeros, at the places it was read from."""
    check_static(op)
    return [*pulled_back(walk, lambda: [_slice(op)], cts, [op.operand]), None, None, None]


@walk_rule(DynamicPadOp)
def dynamic_pad(op: DynamicPadOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """To the operand the cotangent at its elements, to the padding value the sum over all other places."""
    check_static(op)
    return [*pulled_back(walk, lambda: [_pad(op)], cts, op.operands[:2]), None, None, None]


@vjp_rule(SetDimensionSizeOp)
def set_dimension_size(op: SetDimensionSizeOp, cts: Cotangents) -> Cotangents:
    """The cotangent below the size; what lies behind does not count."""
    check_static(op)
    ct = Value(only(cts))
    position = Value(emit(IotaOp(like(ct.type, element=i32), op.at)))
    return [select(position < Value(stretched(op.size, ct.type.get_shape())), ct, 0).ssa, None]


@walk_rule(DynamicConvOp)
def dynamic_conv(op: DynamicConvOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Those of the convolution with this padding."""
    check_static(op)
    return [*pulled_back(walk, lambda: [convolution_of(op)], cts, [op.lhs, op.rhs]), None]


def convolution_of(op: DynamicConvOp) -> SSAValue:
    """The convolution that says the same; raises DifferentiationError unless the padding is a constant."""
    values = as_ints(op.padding)
    if values is None:
        raise DifferentiationError(
            f"{op.name}: its padding is computed when it runs, and its derivative needs to know it; give a constant, or"
            f" pad the operand by pad or dynamic_pad first{place(op)}"
        )
    features, batches = op.groups
    window = op.window_with(tuple(zip(values[::2], values[1::2], strict=True)))
    return emit(
        ConvolutionOp(
            op.lhs,
            op.rhs,
            op.numbers,
            window,
            feature_group_count=features,
            batch_group_count=batches,
            precision=op.precision,
            element=type_of(op.result).element_type,
        )
    )


# What the ops say by ops whose sizes are attributes. With numbers that are computed, a slice is a gather along each
# dimension, of the positions start + j stride; a pad is a scatter along each, to low + j (interior + 1).


def _slice(op: RealDynamicSliceOp) -> SSAValue:
    ranges = [as_ints(v) for v in (op.start_indices, op.limit_indices, op.strides)]
    start, limit, strides = ranges
    if start is not None and limit is not None and strides is not None:
        return emit(SliceOp(op.operand, start, limit, strides))
    result = op.operand
    for d, size in enumerate(shape_of(op.result)):
        at = _positions(op, op.start_indices, op.strides, d, size)
        sizes = [1 if k == d else n for k, n in enumerate(shape_of(result))]
        result = emit(GatherOp(result, at, _along(d, len(sizes)), sizes))
    return result


def _pad(op: DynamicPadOp) -> SSAValue:
    paddings = [as_ints(v) for v in (op.edge_padding_low, op.edge_padding_high, op.interior_padding)]
    low, high, interior = paddings
    if low is not None and high is not None and interior is not None:
        return emit(PadOp(op.operand, op.padding_value, low, high, interior))
    result, step = op.operand, _plus_one(op, op.interior_padding)
    for d, size in enumerate(shape_of(op.result)):
        at = _positions(op, op.edge_padding_low, step, d, shape_of(result)[d])
        shape = [size if k == d else n for k, n in enumerate(shape_of(result))]
        into = stretched(op.padding_value, shape)
        numbers = _along(d, len(shape))
        result = emit(ScatterOp([into], at, [result], numbers, overwrite, unique_indices=True))
    return result


def _along(dim: int, rank: int) -> IndexNumbers:
    """Single numbers that are positions in `dim`, each of a slice that is all of the other dimensions."""
    return IndexNumbers(others(rank, [dim]), (dim,), index_map=(dim,), index_vector_dim=1)


def _positions(op: Operation, first: SSAValue, step: SSAValue, dim: int, size: int) -> SSAValue:
    """first[dim] + j step[dim], for j = 0, .., size - 1."""
    start, stride = (Value(_entry(op, v, dim, size)) for v in (first, step))
    return (start + Value(emit(IotaOp(start.type, 0))) * stride).ssa


def _entry(op: Operation, numbers: SSAValue, dim: int, size: int) -> SSAValue:
    """numbers[dim], `size` times."""
    _check_integers(op, numbers)
    return stretched(reshaped(emit(SliceOp(numbers, [dim], [dim + 1], [1])), ()), [size])


def _plus_one(op: Operation, numbers: SSAValue) -> SSAValue:
    _check_integers(op, numbers)
    return (Value(numbers) + 1).ssa


def _check_integers(op: Operation, numbers: SSAValue) -> None:
    if kind(type_of(numbers).element_type) not in INTEGER:
        raise DifferentiationError(
            f"{op.name}: it takes numbers of type {type_of(numbers)} that are no constants, and its derivative computes"
            f" with them; use i32 or i64{place(op)}"
        )
