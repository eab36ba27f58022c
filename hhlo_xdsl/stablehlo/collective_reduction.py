"""Thin functions of the family collective_reduction: operands of several processes, folded. See distribution.py."""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.stablehlo import collective_reduction as dialect
from hhlo_xdsl.dialects.stablehlo.processes import Groups
from hhlo_xdsl.stablehlo.distribution import ChannelLike
from hhlo_xdsl.stablehlo.shared import Reducer, region, several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def all_reduce(
    operands: Sequence[ArrayLike],
    replica_groups: Groups,
    computation: Reducer,
    channel: ChannelLike = None,
    *,
    use_global_device_ids: bool = False,
) -> tuple[Tensor, ...]:
    """The operands of all processes of a group, folded by `computation`; one result per operand."""
    given = values(operands), replica_groups, region(computation), channel
    return several(lambda: dialect.AllReduceOp(*given, use_global_device_ids=use_global_device_ids))


def reduce_scatter(
    operand: ArrayLike,
    scatter_dimension: int,
    replica_groups: Groups,
    computation: Reducer,
    channel: ChannelLike = None,
    *,
    use_global_device_ids: bool = False,
) -> Tensor:
    """The operands folded by `computation`, of which each process gets its part along `scatter_dimension`."""
    given = tensor(operand).ssa, scatter_dimension, replica_groups, region(computation), channel
    return made(lambda: dialect.ReduceScatterOp(*given, use_global_device_ids=use_global_device_ids))


def collective_reduce(
    operands: Sequence[ArrayLike],
    replica_groups: Groups,
    computation: Reducer,
    channel: ChannelLike = None,
    *,
    use_global_device_ids: bool = False,
    has_dynamic_root: bool = False,
) -> tuple[Tensor, ...]:
    """all_reduce, whose results the root of a group gets: its first member, or the one that the last operand names."""
    given = values(operands), replica_groups, region(computation), channel
    flags = {"use_global_device_ids": use_global_device_ids, "has_dynamic_root": has_dynamic_root}
    return several(lambda: dialect.CollectiveReduceOp(*given, **flags))
