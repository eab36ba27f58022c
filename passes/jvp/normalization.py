"""Forward-mode rules of batch normalization, in the words of `passes.vjp.normalization`. d.. is the tangent of .."""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value
from hhlo_xdsl.dialects.stablehlo.normalization import BatchNormGradOp, BatchNormInferenceOp, BatchNormTrainingOp
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule
from hhlo_xdsl.passes.vjp.normalization import Features, plus, ssa_of


def _values(tangents: Tangents) -> list[Value | None]:
    return [None if t is None else Value(t) for t in tangents]


def _normalized(f: Features, dx: Value | None, dmean: Value | None, dvariance: Value | None) -> Value | None:
    """The tangent of xh = (x - mean) r: (dx - dmean) r - xh r^2 dvariance / 2."""
    du = plus(dx, None if dmean is None else -f.wide(dmean))
    return plus(
        None if du is None else du * f.wide(f.r),
        None if dvariance is None else -(f.xh * f.wide(0.5 * f.r * f.r * dvariance)),
    )


@jvp_rule(BatchNormInferenceOp)
def batch_norm_inference(op: BatchNormInferenceOp, tangents: Tangents) -> Tangents:
    """dy = dxh g + xh dg + doffset"""
    dx, dg, doffset, dmean, dvariance = _values(tangents)
    f = Features(op, op.operand, op.mean, op.variance)
    dxh = _normalized(f, dx, dmean, dvariance)
    return ssa_of(_scaled(f, Value(op.scale), dxh, dg, doffset))


@jvp_rule(BatchNormTrainingOp)
def batch_norm_training(op: BatchNormTrainingOp, tangents: Tangents) -> Tangents:
    """dmean = S(dx) / M, dvariance = 2 S(u dx) / M, and dy = dxh g + xh dg + doffset."""
    dx, dg, doffset = _values(tangents)
    f = Features(op, op.operand, op.batch_mean, op.batch_var)
    dmean = None if dx is None else f.mean(dx)
    dvariance = None if dx is None else 2 * f.mean(f.u * dx)
    dxh = _normalized(f, dx, dmean, dvariance)
    return ssa_of(_scaled(f, Value(op.scale), dxh, dg, doffset), dmean, dvariance)


def _scaled(f: Features, g: Value, dxh: Value | None, dg: Value | None, doffset: Value | None) -> Value | None:
    return plus(
        None if dxh is None else dxh * f.wide(g),
        None if dg is None else f.xh * f.wide(dg),
        None if doffset is None else f.wide(doffset),
    )


@jvp_rule(BatchNormGradOp)
def batch_norm_grad(op: BatchNormGradOp, tangents: Tangents) -> Tangents:
    """Those of r g k, with k = w - S(w) / M - xh S(w xh) / M, of S(w xh) and of S(w); dr = -r^3 dvariance / 2"""
    dx, dg, dmean, dvariance, dw = _values(tangents)
    f, w, g = Features(op, op.operand, op.mean, op.variance), Value(op.grad_output), Value(op.scale)
    dxh = _normalized(f, dx, dmean, dvariance)
    to_offset = None if dw is None else f.sum(dw)
    to_scale = plus(None if dw is None else f.sum(dw * f.xh), None if dxh is None else f.sum(w * dxh))
    slope = f.r * g
    dslope = plus(
        None if dg is None else f.r * dg,
        None if dvariance is None else -0.5 * f.r * f.r * slope * dvariance,
    )
    dk = plus(
        dw,
        None if to_offset is None else -f.wide(f.mean_of_one * to_offset),
        None if to_scale is None else -(f.xh * f.wide(f.mean_of_one * to_scale)),
        None if dxh is None else -(dxh * f.wide(f.mean(w * f.xh))),
    )
    k = w - f.wide(f.mean(w)) - f.xh * f.wide(f.mean(w * f.xh))
    to_x = plus(
        None if dslope is None else f.wide(dslope) * k,
        None if dk is None else f.wide(slope) * dk,
    )
    return ssa_of(to_x, to_scale, to_offset)
