"""Reverse-mode rules of ops that read or write at places known only when the program runs."""

from hhlo_xdsl.dialects.stablehlo.indexing import (
    DynamicGatherOp,
    DynamicSliceOp,
    DynamicUpdateSliceOp,
    GatherOp,
    ScatterOp,
    TorchIndexSelectOp,
)
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet(
    "no rule has been written so far",
    DynamicSliceOp,
    DynamicUpdateSliceOp,
    GatherOp,
    DynamicGatherOp,
    ScatterOp,
    TorchIndexSelectOp,
)
