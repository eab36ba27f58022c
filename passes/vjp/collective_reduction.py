"""Reverse-mode rules of ops that fold elements of several processes.

What is differentiated is the sum over all processes of what each of them computes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select, splat
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp
from hhlo_xdsl.dialects.stablehlo.collective_reduction import AllReduceOp, CollectiveReduceOp, ReduceScatterOp
from hhlo_xdsl.dialects.stablehlo.distribution import AllGatherOp
from hhlo_xdsl.dialects.stablehlo.reducers import reducer_of
from hhlo_xdsl.dialects.types import like, type_of
from hhlo_xdsl.passes.channels import fresh_channel
from hhlo_xdsl.passes.vjp.core import Cotangents, missing_rule, vjp_rule
from hhlo_xdsl.passes.vjp.distribution import moved, rooted_groups
from hhlo_xdsl.passes.vjp.folds import converted
from hhlo_xdsl.passes.vjp.reduction import divided

EXTREMES = (MaximumOp, MinimumOp)


@vjp_rule(AllReduceOp)
def all_reduce(op: AllReduceOp, cts: Cotangents) -> Cotangents:
    """To each process the sum over its group of the cotangents; of a maximum (minimum), its share of that."""
    if reducer_of(op) not in EXTREMES:
        check_adds(op)
        return [ct and converted(summed(op, ct), x) for x, ct in zip(op.operands, cts, strict=True)]
    inputs = zip(op.operands, op.results, cts, strict=True)
    return [ct and converted(shared(op, x, y, summed(op, ct)), x) for x, y, ct in inputs]


def check_adds(op: AllReduceOp | ReduceScatterOp | CollectiveReduceOp) -> None:
    """Raise DifferentiationError unless the op is a sum over processes."""
    if reducer_of(op) is not AddOp:
        kinds = "a sum, a maximum or a minimum" if isinstance(op, AllReduceOp) else "a sum"
        raise missing_rule(op, f"its computation is not {kinds}")


def summed(op: AllReduceOp, v: SSAValue) -> SSAValue:
    """The sum of v over the groups of `op`."""
    ids = op.has_global_ids
    return emit(AllReduceOp([v], op.replica_groups, AddOp, fresh_channel(op), use_global_device_ids=ids))


def shared(op: AllReduceOp, x: SSAValue, y: SSAValue, v: SSAValue) -> SSAValue:
    """Of y, the maximum (minimum) over k processes whose x reaches it: v / k for these, 0 for the others."""
    x = converted(x, y)
    loses = Value(x) < Value(y) if reducer_of(op) is MaximumOp else Value(x) > Value(y)
    wins = select(loses, 0, Value(splat(1, like(type_of(y), element=i32)))).ssa
    return select(loses, 0, Value(divided(v, summed(op, wins)))).ssa


@vjp_rule(ReduceScatterOp)
def reduce_scatter(op: ReduceScatterOp, cts: Cotangents) -> Cotangents:
    """Of a sum: all parts of the cotangent to every process, by all_gather along the same dimension.

    operand : .. x m*n x ..      ct : .. x m x ..
    """
    check_adds(op)
    (ct,), x = cts, op.operand
    if ct is None:
        return [None]
    type = like(type_of(x), element=type_of(ct).element_type)
    dim, ids = op.scatter_dimension.value.data, op.has_global_ids
    gathered = AllGatherOp(
        [ct], dim, op.replica_groups, fresh_channel(op), use_global_device_ids=ids, result_types=[type]
    )
    return [converted(emit(gathered), x)]


@vjp_rule(CollectiveReduceOp)
def collective_reduce(op: CollectiveReduceOp, cts: Cotangents) -> Cotangents:
    """Of a sum: to each of a group the cotangent of its root, the first."""
    check_adds(op)
    groups = rooted_groups(op)
    return [ct and moved(op, ct, [[(g[0], member) for member in g] for g in groups]) for ct in cts]
