"""Forward-mode rules of ops that are kept for old programs."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo.deprecated import BroadcastOp, DotOp, EinsumOp, UnaryEinsumOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangents, jvp_walk_rule, linear
from hhlo_xdsl.passes.jvp.folds import pushed_forward
from hhlo_xdsl.passes.vjp.deprecated import dot_general_of, written_out
from hhlo_xdsl.passes.vjp.folds import check_static

linear(BroadcastOp, UnaryEinsumOp)


@jvp_walk_rule(DotOp)
def dot(op: DotOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """Those of dot_general."""
    check_static(op)
    return pushed_forward(op, tangents, walk, lambda: [dot_general_of(op)])


@jvp_walk_rule(EinsumOp)
def einsum(op: EinsumOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """Those of the sums and products that it stands for."""
    check_static(op)
    return pushed_forward(op, tangents, walk, lambda: [written_out(op)])
