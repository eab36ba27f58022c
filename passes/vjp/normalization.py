"""Reverse-mode rules of batch normalization.

Per feature, over the M elements that have it: r = 1 / sqrt(variance + epsilon), u = x - mean, xh = u r, and S(..) is
their sum. Vectors with one element per feature are stretched to x's shape where they meet it. g is scale.
"""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.infix import Value, rsqrt
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.stablehlo.normalization import (
    AbstractBatchNorm,
    BatchNormGradOp,
    BatchNormInferenceOp,
    BatchNormTrainingOp,
)
from hhlo_xdsl.dialects.types import shape_of
from hhlo_xdsl.passes.vjp.core import Cotangents, only, vjp_rule
from hhlo_xdsl.passes.vjp.sums import sum_over


class Features:
    """The features of one op: between x's shape and vectors with one element per feature."""

    def __init__(self, op: AbstractBatchNorm, x: SSAValue, mean: SSAValue, variance: SSAValue):
        self.shape, self.feature = shape_of(x), op.feature
        self.mean_of_one = 1 / max(prod(self.others), 1)
        """1 / M"""
        self.r = rsqrt(Value(variance) + op.epsilon.value.data)
        """[feature]"""
        self.u = Value(x) - self.wide(Value(mean))
        """x - mean, of x's shape."""
        self.xh = self.u * self.wide(self.r)

    @property
    def others(self) -> list[int]:
        """The sizes of the other dimensions."""
        return [n for d, n in enumerate(self.shape) if d != self.feature]

    def wide(self, v: Value) -> Value:
        """[feature] -> x's shape"""
        return Value(emit(BroadcastInDimOp(v.ssa, self.shape, (self.feature,))))

    def sum(self, x: Value) -> Value:
        """S: x's shape -> [feature]"""
        return Value(sum_over(x.ssa, [d for d in range(len(self.shape)) if d != self.feature]))

    def mean(self, x: Value) -> Value:
        """S(x) / M"""
        return self.mean_of_one * self.sum(x)


def plus(*terms: Value | None) -> Value | None:
    """The sum of the terms that are not zero; None if all are."""
    result: Value | None = None
    for term in terms:
        result = term if result is None else result if term is None else result + term
    return result


def ssa_of(*values: Value | None) -> list[SSAValue | None]:
    """The values as rules give them."""
    return [None if v is None else v.ssa for v in values]


@vjp_rule(BatchNormInferenceOp)
def batch_norm_inference(op: BatchNormInferenceOp, cts: Cotangents) -> Cotangents:
    """y = xh g + offset: to x t r g, to g S(t xh), to offset S(t), to mean -r g S(t), to variance -r^2 g S(t xh)/2"""
    t, g = Value(only(cts)), Value(op.scale)
    f = Features(op, op.operand, op.mean, op.variance)
    slope, to_offset, to_scale = f.r * g, f.sum(t), f.sum(t * f.xh)
    return ssa_of(t * f.wide(slope), to_scale, to_offset, -slope * to_offset, -0.5 * f.r * slope * to_scale)


@vjp_rule(BatchNormTrainingOp)
def batch_norm_training(op: BatchNormTrainingOp, cts: Cotangents) -> Cotangents:
    """That of y by batch_norm_grad; mean and variance, m and v being their cotangents, add m / M + 2 u v / M to x."""
    y, m, v = cts
    f = Features(op, op.operand, op.batch_mean, op.batch_var)
    to_x = to_scale = to_offset = None
    if y is not None:
        operands = (op.operand, op.scale, op.batch_mean, op.batch_var, y)
        back = add(BatchNormGradOp(*operands, epsilon=op.epsilon.value.data, feature_index=op.feature))
        to_x, to_scale, to_offset = map(Value, back.results)
    from_mean = None if m is None else f.wide(f.mean_of_one * Value(m))
    from_variance = None if v is None else f.u * f.wide(2 * f.mean_of_one * Value(v))
    return ssa_of(plus(to_x, from_mean, from_variance), to_scale, to_offset)


# batch_norm_grad gives r g (w - S(w) / M - xh S(w xh) / M), S(w xh) and S(w), where w is grad_output and mean and
# variance are operands of their own. With a, b, c the cotangents of these:
#   q = S(a w) - S(a) S(w) / M - S(a xh) S(w xh) / M      a's share in g r
#   h = b w - r g (a S(w xh) + w S(a xh)) / M             the cotangent of xh
# to x h r, to g r q, to mean -r S(h), to variance -r^2 (r g q + S(h xh)) / 2,
# to w r g (a - S(a) / M - xh S(a xh) / M) + b xh + c. The first and the last have the form of the op itself.


@vjp_rule(BatchNormGradOp)
def batch_norm_grad(op: BatchNormGradOp, cts: Cotangents) -> Cotangents:
    """The second derivative of batch_norm_training."""
    a, b, c = (None if ct is None else Value(ct) for ct in cts)
    f, w, g = Features(op, op.operand, op.mean, op.variance), Value(op.grad_output), Value(op.scale)
    h = None if b is None else f.wide(b) * w
    to_w = plus(None if b is None else f.wide(b) * f.xh, None if c is None else f.wide(c))
    to_g = None
    if a is not None:
        slope = f.r * g
        mean_a, mean_axh, mean_wxh = f.mean(a), f.mean(a * f.xh), f.mean(w * f.xh)
        centred = a - f.wide(mean_a) - f.xh * f.wide(mean_axh)
        to_g = f.r * f.sum(centred * w)
        h = plus(h, -(f.wide(slope) * (a * f.wide(mean_wxh) + w * f.wide(mean_axh))))
        to_w = plus(f.wide(slope) * centred, to_w)
    if h is None:
        return ssa_of(None, None, None, None, to_w)
    through_r = plus(f.sum(h * f.xh), None if to_g is None else g * to_g)
    to_variance = None if through_r is None else -0.5 * f.r * f.r * through_r
    return ssa_of(h * f.wide(f.r), to_g, -f.r * f.sum(h), to_variance, to_w)
