"""Forward-mode rules of ops that take sizes as operands."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo.dynamic import (
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicPadOp,
    DynamicReshapeOp,
    RealDynamicSliceOp,
    SetDimensionSizeOp,
)
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangents, jvp_walk_rule, linear
from hhlo_xdsl.passes.jvp.folds import pushed_forward
from hhlo_xdsl.passes.vjp.dynamic import convolution_of
from hhlo_xdsl.passes.vjp.folds import check_static

linear(DynamicBroadcastInDimOp, DynamicPadOp, DynamicReshapeOp, RealDynamicSliceOp, SetDimensionSizeOp)


@jvp_walk_rule(DynamicConvOp)
def dynamic_conv(op: DynamicConvOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """Those of the convolution with this padding."""
    check_static(op)
    return pushed_forward(op, tangents, walk, lambda: [convolution_of(op)])
