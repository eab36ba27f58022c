"""Reverse-mode rules of ops that read at places known only when the program runs, and of dynamic_update_slice.

Those of scatter stand in `scatter`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, f32
from xdsl.ir import Attribute, SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.base import ints, is_set
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import (
    DynamicGatherOp,
    DynamicSliceOp,
    DynamicUpdateSliceOp,
    GatherOp,
    ScatterOp,
    TorchIndexSelectOp,
)
from hhlo_xdsl.dialects.stablehlo.movement import PadOp
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints
from hhlo_xdsl.dialects.stablehlo.shapes import count
from hhlo_xdsl.dialects.types import like, scalar, shape_of, type_of
from hhlo_xdsl.passes.vjp.core import Cotangents, only, vjp_rule
from hhlo_xdsl.passes.vjp.folds import check_static, converted
from hhlo_xdsl.passes.vjp.indices import are_distinct, clamped, slice_limits
from hhlo_xdsl.passes.vjp.movement import reshaped
from hhlo_xdsl.passes.vjp.sums import sum_over

# dynamic_slice and dynamic_update_slice clamp their starts alike, so the starts are passed on as they are.


@vjp_rule(DynamicSliceOp)
def dynamic_slice(op: DynamicSliceOp, cts: Cotangents) -> Cotangents:
    """The cotangent, written into zeros where the slice was read; starts have none."""
    starts = list(op.start_indices)
    into = zeros(type_of(op.operand))
    return [emit(DynamicUpdateSliceOp(into, only(cts), starts)), *[None] * len(starts)]


@vjp_rule(DynamicUpdateSliceOp)
def dynamic_update_slice(op: DynamicUpdateSliceOp, cts: Cotangents) -> Cotangents:
    """Of the operand: the cotangent, with zeros where the update was written. Of the update: what stood there."""
    ct, starts = only(cts), list(op.start_indices)
    kept = emit(DynamicUpdateSliceOp(ct, zeros(type_of(op.update)), starts))
    return [kept, emit(DynamicSliceOp(ct, starts, shape_of(op.update))), *[None] * len(starts)]


# gather copies slices; the cotangent of an element is the sum over the slices that it is in: a scatter by add, whose
# roles of dimensions are the same. gather clamps its starts but scatter drops what is out of bounds, so the clamp is
# written out.


@vjp_rule(GatherOp)
def gather(op: GatherOp, cts: Cotangents) -> Cotangents:
    """The cotangents of the slices, added up where they were read; starts have none."""
    check_static(op)
    numbers, sizes, is_sorted = op.numbers, ints(op.slice_sizes), is_set(op.indices_are_sorted)
    return [scattered(op.operand, op.start_indices, numbers, sizes, only(cts), is_sorted), None]


@vjp_rule(DynamicGatherOp)
def dynamic_gather(op: DynamicGatherOp, cts: Cotangents) -> Cotangents:
    """As of gather; the sizes of a slice are those of the result."""
    check_static(op)
    numbers, shape, ct = op.numbers, shape_of(op.operand), only(cts)
    sizes = as_ints(op.slice_sizes) or _slice_sizes(numbers, shape, shape_of(op.result))
    return [scattered(op.operand, op.start_indices, numbers, sizes, ct, is_set(op.indices_are_sorted)), None, None]


@vjp_rule(TorchIndexSelectOp)
def torch_index_select(op: TorchIndexSelectOp, cts: Cotangents) -> Cotangents:
    """As of the gather of slices of size 1 along `dim`, going along the first batch_dims dimensions of both."""
    check_static(op)
    numbers, sizes = torch_numbers(op)
    return [scattered(op.operand, op.index, numbers, sizes, only(cts)), None]


def torch_numbers(op: TorchIndexSelectOp) -> tuple[IndexNumbers, list[int]]:
    """The gather that says the same: the roles of dimensions and the sizes of a slice."""
    dim, batches = op.dim.value.data, op.batch_dims.value.data
    shape, rank = shape_of(op.operand), len(shape_of(op.index))
    indexed = range(dim, dim + rank - batches)
    batching = tuple(range(batches))
    window = tuple(d for d in range(batches, len(shape_of(op.result))) if d not in indexed)
    sizes = [1 if d < batches or d == dim else n for d, n in enumerate(shape)]
    return IndexNumbers(window, (dim,), batching, batching, (dim,), rank), sizes


def _slice_sizes(numbers: IndexNumbers, shape: Sequence[int], result: Sequence[int]) -> list[int]:
    """The sizes of the slices that `result` holds: those of its window, 1 elsewhere."""
    sizes = [1] * len(shape)
    for d, window in zip(numbers.windowed(len(shape)), numbers.window, strict=True):
        sizes[d] = result[window]
    return sizes


def scattered(
    operand: SSAValue,
    starts: SSAValue,
    numbers: IndexNumbers,
    sizes: Sequence[int],
    ct: SSAValue,
    is_sorted: bool = False,
) -> SSAValue:
    """The slices `ct`, added up at their places in zeros of the type of `operand`.

    Elements of less than 32 bits are added as f32 where slices may overlap: 1 + .. + 1 in bf16 would stop at 256.
    """
    if 0 in (count(shape_of(ct)), count(shape_of(operand))):
        return zeros(type_of(operand))
    if not numbers.index_map and not numbers.operand_batching:
        return _at_the_start(operand, numbers, sizes, ct)
    places = clamped(starts, numbers, slice_limits(numbers, shape_of(operand), sizes))
    distinct = are_distinct(places, numbers, sizes)
    element = type_of(ct).element_type
    wide = element if distinct else summed_as(element)
    added = ScatterOp(
        [zeros(like(type_of(operand), element=wide))],
        places,
        [converted(ct, wide)],
        numbers,
        AddOp,
        indices_are_sorted=is_sorted and places is starts,
        unique_indices=distinct,
    )
    return converted(emit(added), element)


def _at_the_start(operand: SSAValue, numbers: IndexNumbers, sizes: Sequence[int], ct: SSAValue) -> SSAValue:
    """As `scattered`, if index vectors are empty, so that all slices start at 0. XLA compiles no such scatter."""
    total = reshaped(sum_over(ct, numbers.scattered(len(shape_of(ct)))), sizes)
    missing = [n - size for n, size in zip(shape_of(operand), sizes, strict=True)]
    if not any(missing):
        return total
    none = [0] * len(missing)
    return emit(PadOp(total, zeros(scalar(type_of(total))), none, missing, none))


def summed_as(element: Attribute) -> Attribute:
    """The element type that long sums are computed in: f32 for those of less than 32 bits."""
    return f32 if isinstance(element, AnyFloat) and element.bitwidth < 32 else element
