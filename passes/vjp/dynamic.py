"""Reverse-mode rules of ops that take sizes as operands."""

from hhlo_xdsl.dialects.stablehlo.dynamic import (
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicIotaOp,
    DynamicPadOp,
    DynamicReshapeOp,
    GetDimensionSizeOp,
    RealDynamicSliceOp,
    SetDimensionSizeOp,
)
from hhlo_xdsl.passes.vjp.core import non_differentiable, not_yet

non_differentiable("its result depends on sizes only", DynamicIotaOp, GetDimensionSizeOp)
not_yet(
    "no rule has been written so far",
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicPadOp,
    DynamicReshapeOp,
    RealDynamicSliceOp,
    SetDimensionSizeOp,
)
