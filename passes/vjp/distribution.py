"""Reverse-mode rules of ops that move elements between processes."""

from hhlo_xdsl.dialects.stablehlo.distribution import (
    AllGatherOp,
    AllToAllOp,
    CollectiveBroadcastOp,
    CollectivePermuteOp,
    CrossReplicaSumOp,
)
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet(
    "no rule has been written so far",
    AllGatherOp,
    AllToAllOp,
    CollectiveBroadcastOp,
    CollectivePermuteOp,
    CrossReplicaSumOp,
)
