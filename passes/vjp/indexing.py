"""Reverse-mode rules of ops that read or write at places known only when the program runs."""

from __future__ import annotations

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.indexing import (
    DynamicGatherOp,
    DynamicSliceOp,
    DynamicUpdateSliceOp,
    GatherOp,
    ScatterOp,
    TorchIndexSelectOp,
)
from hhlo_xdsl.dialects.types import shape_of, type_of
from hhlo_xdsl.passes.vjp.core import Cotangents, not_yet, only, vjp_rule

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


not_yet("no rule has been written so far", GatherOp, DynamicGatherOp, ScatterOp, TorchIndexSelectOp)
