"""Forward-mode rules of ops that read or write at places known only when the program runs. scatter's: `scatter`."""

from hhlo_xdsl.dialects.stablehlo.indexing import (
    DynamicGatherOp,
    DynamicSliceOp,
    DynamicUpdateSliceOp,
    GatherOp,
    TorchIndexSelectOp,
)
from hhlo_xdsl.passes.jvp.core import linear
from hhlo_xdsl.passes.jvp.scatter import scatter

__all__ = ["scatter"]

linear(DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, DynamicGatherOp, TorchIndexSelectOp)
