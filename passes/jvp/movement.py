"""Forward-mode rules of ops that move elements: each moves the tangents alike."""

from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    PadOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.passes.jvp.core import linear

linear(BroadcastInDimOp, ConcatenateOp, PadOp, ReshapeOp, ReverseOp, SliceOp, TransposeOp)
