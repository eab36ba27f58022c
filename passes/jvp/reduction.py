"""Forward-mode rules of reduce, by its body. Those of sliding windows stand in `windows`.

What the reverse mode does where there is little to fold, and with ties, stands in `passes.vjp.reduction`.
"""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value, select
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp, reducer_of
from hhlo_xdsl.dialects.types import shape_of
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangent, Tangents, jvp_walk_rule, of_tangents, total
from hhlo_xdsl.passes.jvp.folds import pushed_forward
from hhlo_xdsl.passes.jvp.windows import reduce_window, select_and_scatter
from hhlo_xdsl.passes.vjp.associative import check_associative
from hhlo_xdsl.passes.vjp.folds import check_static, converted, stretched
from hhlo_xdsl.passes.vjp.movement import reshaped
from hhlo_xdsl.passes.vjp.reduction import divided, folded, folds_nothing, folds_one, losers
from hhlo_xdsl.passes.vjp.sums import sum_over

__all__ = ["reduce", "reduce_window", "select_and_scatter"]


@jvp_walk_rule(ReduceOp)
def reduce(op: ReduceOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """The tangents of the folds, from those of inputs, init values, and what the body captures."""
    check_static(op)
    reducer = reducer_of(op)
    to_inputs, to_inits = tangents[: len(op.inputs)], tangents[len(op.inputs) : len(op.operands)]
    if folds_nothing(op):
        pairs = zip(to_inits, op.results, strict=True)
        return [t and stretched(converted(t, y), shape_of(y)) for t, y in pairs]
    if folds_one(op):
        pairs = zip(to_inputs, op.results, strict=True)
        return [t and converted(reshaped(t, shape_of(y)), y) for t, y in pairs]
    if reducer is AddOp:
        return of_tangents(op, tangents)
    if reducer is MaximumOp or reducer is MinimumOp:
        return [_extreme(op, *tangents)]
    check_associative(op)
    return pushed_forward(op, tangents, walk, lambda: folded(op))


def _extreme(op: ReduceOp, to_x: Tangent, to_init: Tangent) -> Tangent:
    """The mean of the tangents of the k elements that reach the maximum (minimum), init value included."""
    y = op.results[0]
    loses, init_loses, k = losers(op)
    of_x = of_init = None
    if to_x is not None:
        of_x = sum_over(select(loses, 0, Value(converted(to_x, y))).ssa, ints(op.dimensions))
    if to_init is not None and init_loses is not None:
        of_init = select(init_loses, 0, Value(stretched(converted(to_init, y), shape_of(y)))).ssa
    found = total(of_x, of_init)
    return None if found is None else divided(found, k)
