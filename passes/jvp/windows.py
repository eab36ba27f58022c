"""Forward-mode rules of reduce_window, by its body, and of select_and_scatter."""

from __future__ import annotations

from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceWindowOp, SelectAndScatterOp, reducer_of
from hhlo_xdsl.dialects.stablehlo.shapes import count
from hhlo_xdsl.dialects.types import shape_of
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangents, jvp_walk_rule, of_tangents
from hhlo_xdsl.passes.jvp.folds import pushed_forward
from hhlo_xdsl.passes.vjp.associative import check_associative
from hhlo_xdsl.passes.vjp.core import filled
from hhlo_xdsl.passes.vjp.folds import check_static, converted
from hhlo_xdsl.passes.vjp.windows import folded_windows, scattered_source


@jvp_walk_rule(ReduceWindowOp)
def reduce_window(op: ReduceWindowOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """The tangents of the folds, from those of inputs, init values, and what the body captures."""
    check_static(op)
    if count(shape_of(op.results[0])) == 0:
        return [None] * len(op.results)
    if not op.windows:
        # XLA leaves the init values out where there are no dimensions.
        pairs = zip(tangents[: len(op.inputs)], op.results, strict=True)
        return [t and converted(t, y) for t, y in pairs]
    if reducer_of(op) is AddOp:
        return of_tangents(op, tangents)
    check_associative(op)
    return pushed_forward(op, tangents, walk, lambda: folded_windows(op))


@jvp_walk_rule(SelectAndScatterOp)
def select_and_scatter(op: SelectAndScatterOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """By add, the op on the tangents of source and init value; the operand only chooses places."""
    check_static(op)
    _, to_source, to_init, *others = tangents
    if to_source is None and to_init is None:
        return [None]
    if reducer_of(op) is not AddOp:
        return pushed_forward(op, [None, to_source, to_init, *others], walk, lambda: [scattered_source(op)])
    copy = op.clone()
    copy.operands = [op.operand, filled(to_source, op.source), filled(to_init, op.init_value)]
    return add(copy).results
