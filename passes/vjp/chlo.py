"""Reverse-mode rules of CHLO's ops. t is the cotangent of y = f(x)."""

from hhlo_xdsl.dialects.chlo import binary, broadcast, contraction, control_flow, creation, ordering, unary
from hhlo_xdsl.passes.vjp import core

core.unary(unary.SquareOp, lambda t, x, y: 2 * t * x)

core.non_differentiable("it reads nothing but a shape", creation.ConstantOp, creation.ConstantLikeOp)
core.non_differentiable(
    "its result is boolean",
    unary.IsInfOp,
    unary.IsNegInfOp,
    unary.IsPosInfOp,
    broadcast.BroadcastCompareOp,
)
core.non_differentiable(
    "it works on integers or booleans",
    binary.MulhiOp,
    broadcast.BroadcastAndOp,
    broadcast.BroadcastOrOp,
    broadcast.BroadcastXorOp,
    broadcast.BroadcastShiftLeftOp,
    broadcast.BroadcastShiftRightArithmeticOp,
    broadcast.BroadcastShiftRightLogicalOp,
)
core.not_yet(
    "no rule has been written so far",
    unary.AsinAcosKernelOp,
    unary.AcosOp,
    unary.AcoshOp,
    unary.AsinOp,
    unary.AsinhOp,
    unary.AtanOp,
    unary.AtanhOp,
    unary.BesselI1eOp,
    unary.ConjOp,
    unary.CoshOp,
    unary.DigammaOp,
    unary.ErfOp,
    unary.ErfInvOp,
    unary.ErfcOp,
    unary.LgammaOp,
    unary.SinhOp,
    unary.TanOp,
    binary.NextAfterOp,
    binary.PolygammaOp,
    binary.ZetaOp,
    broadcast.BroadcastAddOp,
    broadcast.BroadcastAtan2Op,
    broadcast.BroadcastComplexOp,
    broadcast.BroadcastDivideOp,
    broadcast.BroadcastMaximumOp,
    broadcast.BroadcastMinimumOp,
    broadcast.BroadcastMultiplyOp,
    broadcast.BroadcastNextAfterOp,
    broadcast.BroadcastPolygammaOp,
    broadcast.BroadcastPowerOp,
    broadcast.BroadcastRemainderOp,
    broadcast.BroadcastSelectOp,
    broadcast.BroadcastSubtractOp,
    broadcast.BroadcastZetaOp,
    ordering.TopKOp,
    contraction.RaggedDotOp,
    control_flow.ScanOp,
)
