"""Reverse-mode rules of ops that move elements between processes.

What is differentiated is the sum over all processes of what each of them computes: cotangents go back to the process
that the elements came from, and a process that sends to many gets the sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.elements import Elements, integers
from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.collective_reduction import CollectiveReduceOp, ReduceScatterOp
from hhlo_xdsl.dialects.stablehlo.distribution import (
    AllGatherOp,
    AllToAllOp,
    CollectiveBroadcastOp,
    CollectivePermuteOp,
    CrossReplicaSumOp,
)
from hhlo_xdsl.dialects.stablehlo.processes import ReplicaGroupMeshAxesAttr
from hhlo_xdsl.dialects.types import type_of
from hhlo_xdsl.passes.channels import fresh_channel
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Cotangents, only, vjp_rule


@vjp_rule(AllGatherOp)
def all_gather(op: AllGatherOp, cts: Cotangents) -> Cotangents:
    """To each process the sum over its group of the parts that came from it: reduce_scatter along the same dimension.

    operand : .. x m x ..      ct : .. x m*n x ..
    """
    scattered = partial(ReduceScatterOp, use_global_device_ids=op.has_global_ids)
    dim, groups = op.all_gather_dim.value.data, op.replica_groups
    return [
        ct and emit(scattered(ct, dim, groups, AddOp, fresh_channel(op), result_type=type_of(x)))
        for x, ct in zip(op.operands, cts, strict=True)
    ]


@vjp_rule(AllToAllOp)
def all_to_all(op: AllToAllOp, cts: Cotangents) -> Cotangents:
    """The parts travel back: split where they were joined, joined where they were split."""
    split, concat, count = (n.value.data for n in (op.split_dimension, op.concat_dimension, op.split_count))
    return [ct and emit(AllToAllOp([ct], concat, split, count, op.replica_groups, fresh_channel(op))) for ct in cts]


@vjp_rule(CollectivePermuteOp)
def collective_permute(op: CollectivePermuteOp, cts: Cotangents) -> Cotangents:
    """From each target back to its source; who is no source gets zeros."""
    return [emit(CollectivePermuteOp(only(cts), [(t, s) for s, t in op.pairs], fresh_channel(op)))]


@vjp_rule(CollectiveBroadcastOp)
def collective_broadcast(op: CollectiveBroadcastOp, cts: Cotangents) -> Cotangents:
    """To the root, the first of each group, the sum over the group; to the others zeros."""
    groups = rooted_groups(op)
    return [ct and moved(op, ct, [[(member, g[0]) for member in g] for g in groups]) for ct in cts]


def rooted_groups(op: CollectiveBroadcastOp | CollectiveReduceOp) -> list[list[int]]:
    """The processes of each group, the root first."""
    groups = op.replica_groups
    if op.has_dynamic_root is not None or isinstance(groups, ReplicaGroupMeshAxesAttr):
        raise DifferentiationError(
            f"{op.name}: it has a derivative rule where the root is the first of groups that are lists of numbers, and"
            f" here it is not; write it so, or give the op a rule by the attribute hhlo.custom_vjp{place(op)}"
        )
    ids, width = integers(cast(Elements, groups)), cast(Elements, groups).get_shape()[1]
    return [[n for n in ids[i : i + width] if n >= 0] for i in range(0, len(ids), width)]


def moved(op: Operation, ct: SSAValue, routes: Sequence[Sequence[tuple[int, int]]]) -> SSAValue | None:
    """The sum of what comes in when the routes of each group are taken in turn: one of each group at a time."""
    total: SSAValue | None = None
    for turn in range(max(map(len, routes), default=0)):
        pairs = [group[turn] for group in routes if turn < len(group)]
        part = emit(CollectivePermuteOp(ct, pairs, fresh_channel(op)))
        total = part if total is None else emit(AddOp(total, part))
    return total


@vjp_rule(CrossReplicaSumOp)
def cross_replica_sum(op: CrossReplicaSumOp, cts: Cotangents) -> Cotangents:
    """The sum over the group of the cotangents of the sum."""
    ct = only(cts)
    return [emit(CrossReplicaSumOp.create(operands=[ct], result_types=[ct.type], properties=op.properties))]
