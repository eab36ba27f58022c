"""Reverse-mode rules of ops on tokens, tuples and process numbers."""

from hhlo_xdsl.dialects.stablehlo.extension import (
    AfterAllOp,
    CreateTokenOp,
    GetTupleElementOp,
    PartitionIdOp,
    ReplicaIdOp,
    TupleOp,
)
from hhlo_xdsl.passes.vjp.core import non_differentiable, not_yet

non_differentiable("it has no numbers to differentiate", AfterAllOp, CreateTokenOp, PartitionIdOp, ReplicaIdOp)
not_yet("a tuple has no cotangent so far", GetTupleElementOp, TupleOp)
