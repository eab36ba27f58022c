"""Reverse-mode rules of ops that make random numbers.

rng is never run again: what it drew is read off its result. u uniform in [0, 1) gives y = a + (b - a) u, and z normal
gives y = a + b z; u and z do not depend on a and b.
"""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value, splat
from hhlo_xdsl.dialects.stablehlo.attributes import RngDistribution
from hhlo_xdsl.dialects.stablehlo.random import RngBitGeneratorOp, RngOp
from hhlo_xdsl.dialects.types import shape_of
from hhlo_xdsl.passes.vjp.core import Cotangents, non_differentiable, only, vjp_rule
from hhlo_xdsl.passes.vjp.folds import check_static, stretched
from hhlo_xdsl.passes.vjp.sums import sum_all

non_differentiable("its bits do not depend smoothly on the state", RngBitGeneratorOp)


@vjp_rule(RngOp)
def rng(op: RngOp, cts: Cotangents) -> Cotangents:
    """To a and b the sums of t dy/da and t dy/db."""
    check_static(op)
    t = Value(only(cts))
    of_a, of_b = partials(op)
    return [sum_all((t * of_a).ssa), sum_all((t * of_b).ssa), None]


def partials(op: RngOp) -> tuple[Value, Value]:
    """dy/da and dy/db: 1 - u and u, or 1 and z."""
    a, b = (Value(stretched(v, shape_of(op.result))) for v in (op.a, op.b))
    y = Value(op.result)
    if op.rng_distribution.data is RngDistribution.NORMAL:
        return Value(splat(1, y.type)), (y - a) / b
    u = (y - a) / (b - a)
    return 1 - u, u
