"""Forward-mode rules of ops that put elements in order."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Joint, Tangents, joint_rule
from hhlo_xdsl.passes.vjp.folds import check_static
from hhlo_xdsl.passes.vjp.ordering import sorts_nothing, taken, with_positions


@joint_rule(SortOp)
def sort(op: SortOp, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """The tangents, in the order of the elements."""
    check_static(op)
    if sorts_nothing(op):
        return op.results, tangents
    *results, positions = with_positions(op)
    return results, [None if t is None else taken(t, positions, op.sorted_dimension) for t in tangents]
