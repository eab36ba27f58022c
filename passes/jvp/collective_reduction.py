"""Forward-mode rules of ops that fold elements of several processes."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo.collective_reduction import AllReduceOp, CollectiveReduceOp, ReduceScatterOp
from hhlo_xdsl.dialects.stablehlo.reducers import reducer_of
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule
from hhlo_xdsl.passes.jvp.distribution import moved
from hhlo_xdsl.passes.vjp.collective_reduction import EXTREMES, check_adds, shared, summed
from hhlo_xdsl.passes.vjp.folds import converted


@jvp_rule(AllReduceOp)
def all_reduce(op: AllReduceOp, tangents: Tangents) -> Tangents:
    """Of a sum: the sum of the tangents. Of a maximum (minimum): the mean over the k processes that reach it."""
    if reducer_of(op) not in EXTREMES:
        return sum_(op, tangents)
    inputs = zip(op.operands, op.results, tangents, strict=True)
    return [t and summed(op, shared(op, x, y, converted(t, y))) for x, y, t in inputs]


@jvp_rule(ReduceScatterOp)
@jvp_rule(CollectiveReduceOp)
def sum_(op: AllReduceOp | ReduceScatterOp | CollectiveReduceOp, tangents: Tangents) -> Tangents:
    """The op of the tangents."""
    check_adds(op)
    return moved(op, tangents)
