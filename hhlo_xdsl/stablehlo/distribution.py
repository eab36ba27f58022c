"""Thin functions of the family distribution: what processes send each other.

replica_groups : lists of the numbers of processes that work together
channel        : the number of a channel, or a Channel; with one, groups are of partitions, without, of replicas
"""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.stablehlo import distribution as dialect
from hhlo_xdsl.dialects.stablehlo.processes import Channel, Groups
from hhlo_xdsl.stablehlo.shared import several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor

ChannelLike = Channel | int | None


def all_gather(
    operands: Sequence[ArrayLike],
    all_gather_dim: int,
    replica_groups: Groups,
    channel: ChannelLike = None,
    *,
    use_global_device_ids: bool = False,
) -> tuple[Tensor, ...]:
    """The operands of all processes of a group, end to end along `all_gather_dim`."""
    given = values(operands), all_gather_dim, replica_groups, channel
    return several(lambda: dialect.AllGatherOp(*given, use_global_device_ids=use_global_device_ids))


def all_to_all(
    operands: Sequence[ArrayLike],
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
    replica_groups: Groups,
    channel: ChannelLike = None,
) -> tuple[Tensor, ...]:
    """The operands cut along one dimension, part i sent to member i of the group, and joined along another."""
    given = values(operands), split_dimension, concat_dimension, split_count, replica_groups, channel
    return several(lambda: dialect.AllToAllOp(*given))


def collective_broadcast(
    operands: Sequence[ArrayLike],
    replica_groups: Groups,
    channel: ChannelLike = None,
    *,
    has_dynamic_root: bool = False,
) -> tuple[Tensor, ...]:
    """The operands of the root of a group: its first member; with has_dynamic_root, the one the last operand names."""
    given = values(operands), replica_groups, channel
    return several(lambda: dialect.CollectiveBroadcastOp(*given, has_dynamic_root=has_dynamic_root))


def collective_permute(
    operand: ArrayLike, source_target_pairs: Sequence[tuple[int, int]], channel: ChannelLike = None
) -> Tensor:
    """The operand of the process that is paired with this one as its source; zeros without one."""
    return made(dialect.CollectivePermuteOp, tensor(operand), source_target_pairs, channel)


def cross_replica_sum(operand: ArrayLike, replica_groups: Sequence[Sequence[int]]) -> Tensor:
    """The sum of the operands of a group; deprecated: use all_reduce."""
    return made(dialect.CrossReplicaSumOp, tensor(operand), replica_groups)
