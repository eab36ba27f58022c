"""Reverse-mode rules of ops on tokens, tuples and process numbers, and of calls of what is defined elsewhere."""

from hhlo_xdsl.dialects.stablehlo.extension import (
    AfterAllOp,
    CompositeOp,
    CreateTokenOp,
    CustomCallOp,
    GetTupleElementOp,
    PartitionIdOp,
    ReplicaIdOp,
    TupleOp,
)
from hhlo_xdsl.passes.vjp.core import non_differentiable, not_yet

non_differentiable("it has no numbers to differentiate", AfterAllOp, CreateTokenOp, PartitionIdOp, ReplicaIdOp)
not_yet("a tuple has no cotangent so far", GetTupleElementOp, TupleOp)
not_yet("what it computes is not known here", CustomCallOp)
not_yet("no rule has been written so far", CompositeOp)
