"""Reverse-mode rules of reduce, by its body. Those of sliding windows stand in `windows`.

w is the cotangent of the result, x an input. The init value counts as one more element, in front of the others, since
XLA folds it in once; a constant one has no cotangent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import AnyFloat, f32, i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select, splat
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp, reducer_of
from hhlo_xdsl.dialects.stablehlo.shapes import count, others
from hhlo_xdsl.dialects.types import like, shape_of, type_of
from hhlo_xdsl.passes.vjp.associative import check_associative
from hhlo_xdsl.passes.vjp.core import Cotangent, Cotangents, Walk, inputs, only, walk_rule
from hhlo_xdsl.passes.vjp.folds import (
    check_ordered,
    check_static,
    converted,
    fold_along,
    is_fixed,
    is_identity,
    on_tensors,
    stretched,
)
from hhlo_xdsl.passes.vjp.movement import reshaped
from hhlo_xdsl.passes.vjp.regions import pulled_back
from hhlo_xdsl.passes.vjp.sums import sum_all, sum_over
from hhlo_xdsl.passes.vjp.windows import reduce_window, select_and_scatter

__all__ = ["reduce", "reduce_window", "select_and_scatter"]


@walk_rule(ReduceOp)
def reduce(op: ReduceOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """The cotangents of inputs, init values, and what the body captures."""
    check_static(op)
    reducer = reducer_of(op)
    if folds_nothing(op):
        answers = _of_nothing(op, cts)
    elif folds_one(op):
        answers = _of_one(op, cts)
    elif reducer is AddOp:
        answers = _sum(op, only(cts))
    elif reducer is MaximumOp or reducer is MinimumOp:
        answers = _extreme(op, only(cts))
    else:
        answers = _fold(op, cts, walk)
    return [*answers, *[None] * (len(inputs(op)) - len(answers))]


def folds_nothing(op: ReduceOp) -> bool:
    """Whether there is no element in any of the folds, or no fold."""
    return count(shape_of(op.inputs[0])) == 0


def folds_one(op: ReduceOp) -> bool:
    """Whether each fold has one element."""
    return prod(shape_of(op.inputs[0])[d] for d in ints(op.dimensions)) == 1


def _of_nothing(op: ReduceOp, cts: Cotangents) -> Cotangents:
    """No element is reduced, so each result is its init value everywhere."""
    to_inits = [ct and converted(sum_all(ct), init) for ct, init in zip(cts, op.init_values, strict=True)]
    return [*[None] * len(op.inputs), *to_inits]


def _of_one(op: ReduceOp, cts: Cotangents) -> Cotangents:
    """Nothing is there to fold, and XLA leaves the init values out: each result is its input."""
    to_inputs = [ct and converted(reshaped(ct, shape_of(x)), x) for ct, x in zip(cts, op.inputs, strict=True)]
    return [*to_inputs, *[None] * len(op.init_values)]


def _sum(op: ReduceOp, w: SSAValue) -> Cotangents:
    """y = init + sum of x: to every element the cotangent of its sum."""
    x, init = op.operands
    return [converted(_spread(w, op), x), None if is_fixed(init) else converted(sum_all(w), init)]


# y = max(x) is reached by k elements, which share its cotangent: w / k each. All that are not less than y reach it; so
# where NaN makes y a NaN, all of its elements do.


def _extreme(op: ReduceOp, w: SSAValue) -> Cotangents:
    """To each of the k elements that reach the maximum (minimum), init value included, w / k."""
    x, init = op.operands
    loses, init_loses, k = losers(op)
    share = divided(w, k)
    to_x = select(loses, 0, Value(_spread(share, op))).ssa
    to_init = None if init_loses is None else sum_all(select(init_loses, 0, Value(share)).ssa)
    return [converted(to_x, x), to_init and converted(to_init, init)]


def losers(op: ReduceOp) -> tuple[Value, Value | None, SSAValue]:
    """Of a maximum (minimum): which elements do not reach it; where the init value does not, None if never; k."""
    x, init = op.operands
    y = op.results[0]
    check_ordered(op)
    is_max = reducer_of(op) is MaximumOp
    loses = _loses(converted(x, y), _spread(y, op), is_max)
    k = sum_over(_ones_unless(loses), ints(op.dimensions))
    if is_identity(reducer_of(op), init):
        return loses, None, k
    init_loses = _loses(stretched(converted(init, y), shape_of(y)), y, is_max)
    return loses, init_loses, emit(AddOp(k, _ones_unless(init_loses)))


def _loses(x: SSAValue, y: SSAValue, is_max: bool) -> Value:
    return Value(x) < Value(y) if is_max else Value(x) > Value(y)


def _ones_unless(loses: Value) -> SSAValue:
    """1 for a winner, 0 for a loser: as i32, since f16 and bf16 cannot count far."""
    return select(loses, 0, Value(splat(1, like(loses.type, element=i32)))).ssa


def divided(w: SSAValue, k: SSAValue) -> SSAValue:
    """w / k, for an integer k, computed in f32 at least."""
    element = type_of(w).element_type
    wide = f32 if isinstance(element, AnyFloat) and element.bitwidth < 32 else element
    quotient = Value(converted(w, wide)) / Value(converted(k, wide))
    return converted(quotient.ssa, element)


def _fold(op: ReduceOp, cts: Cotangents, walk: Walk) -> list[Cotangent]:
    """Any other body: the derivative of the fold, written out. Products are right with any number of zeros."""
    check_associative(op)
    return pulled_back(walk, lambda: folded(op), cts, inputs(op))


def folded(op: ReduceOp) -> Sequence[SSAValue]:
    """What `op` computes, by whole-tensor ops: at least two elements are folded, and the init value in front."""
    f = on_tensors(op, op.body)
    values = [converted(x, y) for x, y in zip(op.inputs, op.results, strict=True)]
    for dim in sorted(ints(op.dimensions), reverse=True):
        values = fold_along(f, values, dim)
    values = [reshaped(v, shape_of(y)) for v, y in zip(values, op.results, strict=True)]
    if is_identity(reducer_of(op), op.init_values[0]):
        return values
    inits = zip(op.init_values, op.results, strict=True)
    return f([stretched(converted(init, y), shape_of(y)) for init, y in inits], values)


def _spread(v: SSAValue, op: ReduceOp) -> SSAValue:
    """v, of the result's shape, in the inputs' shape: the same along the reduced dimensions."""
    shape = shape_of(op.inputs[0])
    return stretched(v, shape, others(len(shape), ints(op.dimensions)))
