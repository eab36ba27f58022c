"""Reverse-mode rules of ops that move elements. Each is the transpose of a selection of elements."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select, splat, zeros
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    PadOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.dialects.stablehlo.shapes import dilated, inverse
from hhlo_xdsl.dialects.types import RankedTensor, like, scalar, shape_of, tensor, type_of
from hhlo_xdsl.passes.vjp.core import Cotangents, only, vjp_rule
from hhlo_xdsl.passes.vjp.sums import sum_all, sum_over


@vjp_rule(ReshapeOp)
def reshape(op: ReshapeOp, cts: Cotangents) -> Cotangents:
    """The cotangent in the operand's shape."""
    return [reshaped(only(cts), shape_of(op.operand))]


@vjp_rule(TransposeOp)
def transpose(op: TransposeOp, cts: Cotangents) -> Cotangents:
    """The cotangent, permuted back."""
    return [transposed(only(cts), inverse(ints(op.permutation)))]


@vjp_rule(ReverseOp)
def reverse(op: ReverseOp, cts: Cotangents) -> Cotangents:
    """The cotangent, reversed along the same dimensions."""
    return [emit(ReverseOp(only(cts), ints(op.dimensions)))]


# broadcast_in_dim copies operand's element to every place along the new dimensions and along those it stretches from
# size 1. Each element's cotangent is the sum over its copies. What remains after the sum is operand's dimensions that
# were not stretched, in the order of the result; the transpose brings them into operand's order, the reshape adds 1s.


@vjp_rule(BroadcastInDimOp)
def broadcast_in_dim(op: BroadcastInDimOp, cts: Cotangents) -> Cotangents:
    """The cotangent, summed over the copies of each element."""
    return [summed_copies(only(cts), ints(op.broadcast_dimensions), shape_of(op.operand))]


def summed_copies(ct: SSAValue, dims: Sequence[int], shape: Sequence[int]) -> SSAValue:
    """The sum over the copies of each element of an operand of `shape`, whose dimensions stand at `dims` of ct."""
    out = shape_of(ct)
    kept = [d for d, n in zip(dims, shape, strict=True) if n == out[d]]
    total = sum_over(ct, [d for d in range(len(out)) if d not in kept])
    order = sorted(kept)
    return reshaped(transposed(total, [order.index(d) for d in kept]), shape)


@vjp_rule(ConcatenateOp)
def concatenate(op: ConcatenateOp, cts: Cotangents) -> Cotangents:
    """To each input its part of the cotangent."""
    dim, offset = op.dimension.value.data, 0
    parts: list[SSAValue] = []
    for x in op.inputs:
        size = shape_of(x)[dim]
        parts.append(_sliced_along(only(cts), dim, offset, offset + size))
        offset += size
    return parts


@vjp_rule(SliceOp)
def slice_(op: SliceOp, cts: Cotangents) -> Cotangents:
    """The cotangent between zeros, at the places it was read from.

    Per dimension [start:limit:stride] of size n -> o: pad by start before, stride - 1 between, the rest of n after.
    """
    start, _, stride = op.ranges
    sizes = zip(shape_of(op.operand), start, shape_of(op.result), stride, strict=True)
    high = [n - a - dilated(o, s) for n, a, o, s in sizes]
    return [emit(PadOp(only(cts), zeros(scalar(type_of(only(cts)))), start, high, [s - 1 for s in stride]))]


@vjp_rule(PadOp)
def pad(op: PadOp, cts: Cotangents) -> Cotangents:
    """To the operand the cotangent at its elements, to the padding value the sum over all other places.

    Per dimension of size n: cutting the edges leaves dilated(n, interior + 1) places, of which every
    (interior + 1)-th belongs to an element. Elements that negative edges cut get zero.
    """
    ct = only(cts)
    low, high, interior = op.paddings
    zero = zeros(scalar(type_of(ct)))
    uncut = emit(PadOp(ct, zero, [-n for n in low], [-n for n in high], [0] * len(low)))
    to_operand = emit(SliceOp(uncut, [0] * len(low), shape_of(uncut), [n + 1 for n in interior]))
    return [to_operand, sum_all(select(Value(_is_padding(op)), Value(ct), 0).ssa)]


def _is_padding(op: PadOp) -> SSAValue:
    """i1 of the result's shape: whether a place holds the padding value."""
    false = zeros(like(op.operand.type, element=i1))
    return emit(PadOp(false, splat(True, tensor((), i1)), *op.paddings))


def reshaped(x: SSAValue, shape: Sequence[int]) -> SSAValue:
    """x in another shape; x itself if it has that shape."""
    return x if shape_of(x) == tuple(shape) else emit(ReshapeOp(x, shape))


def transposed(x: SSAValue, permutation: Sequence[int]) -> SSAValue:
    """x with its dimensions permuted; x itself if they stay."""
    return x if list(permutation) == sorted(permutation) else emit(TransposeOp(x, permutation))


def _sliced_along(x: SSAValue, dim: int, start: int, limit: int) -> SSAValue:
    """x[start:limit] along one dimension."""
    type: RankedTensor = type_of(x)
    shape = type.get_shape()
    starts = [start if d == dim else 0 for d in range(len(shape))]
    limits = [limit if d == dim else n for d, n in enumerate(shape)]
    return emit(SliceOp(x, starts, limits, [1] * len(shape)))
