"""Reverse-mode rules of ops on tokens, tuples and process numbers, and of calls of what is defined elsewhere."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.stablehlo.extension import (
    AfterAllOp,
    CompositeOp,
    CreateTokenOp,
    GetTupleElementOp,
    PartitionIdOp,
    ReplicaIdOp,
    TupleOp,
)
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, missing_rule, non_differentiable, not_yet, region_rule

non_differentiable("it has no numbers to differentiate", AfterAllOp, CreateTokenOp, PartitionIdOp, ReplicaIdOp)
not_yet("a tuple has no cotangent so far", GetTupleElementOp, TupleOp)


@region_rule(CompositeOp)
def composite(op: CompositeOp, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """A composite is a call of its decomposition."""
    if walk.call is None:
        raise missing_rule(op)
    return walk.call(op, cts, active)
