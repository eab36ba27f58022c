"""Reverse-mode rules of ops that fold elements of several processes."""

from hhlo_xdsl.dialects.stablehlo.collective_reduction import (
    AllReduceOp,
    CollectiveReduceOp,
    ReduceScatterOp,
)
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", AllReduceOp, CollectiveReduceOp, ReduceScatterOp)
