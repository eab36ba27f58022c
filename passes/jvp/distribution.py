"""Forward-mode rules of ops that move elements between processes: tangents travel alike, on channels of their own."""

from __future__ import annotations

from xdsl.ir import Operation

from hhlo_xdsl.dialects.stablehlo.distribution import (
    AllGatherOp,
    AllToAllOp,
    CollectiveBroadcastOp,
    CollectivePermuteOp,
    CrossReplicaSumOp,
)
from hhlo_xdsl.dialects.stablehlo.processes import ChannelHandleAttr
from hhlo_xdsl.passes.channels import fresh_channel
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule, of_tangents


@jvp_rule(AllGatherOp)
@jvp_rule(AllToAllOp)
@jvp_rule(CollectiveBroadcastOp)
@jvp_rule(CollectivePermuteOp)
@jvp_rule(CrossReplicaSumOp)
def moved(op: Operation, tangents: Tangents) -> Tangents:
    """The op of the tangents."""
    channel = fresh_channel(op)
    return of_tangents(op, tangents, **({} if channel is None else {"channel_handle": ChannelHandleAttr(channel)}))
