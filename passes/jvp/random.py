"""Forward-mode rules of ops that make random numbers."""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value
from hhlo_xdsl.dialects.stablehlo.random import RngOp
from hhlo_xdsl.dialects.types import shape_of
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule, total
from hhlo_xdsl.passes.vjp.folds import check_static, stretched
from hhlo_xdsl.passes.vjp.random import partials


@jvp_rule(RngOp)
def rng(op: RngOp, tangents: Tangents) -> Tangents:
    """The tangents of a and b, times dy/da and dy/db for the numbers that were drawn."""
    check_static(op)
    pairs = zip(tangents, partials(op), strict=False)
    scaled = [t and (Value(stretched(t, shape_of(op.result))) * partial).ssa for t, partial in pairs]
    return [total(*scaled)]
