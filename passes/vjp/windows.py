"""Reverse-mode rules of reduce_window, by its body, and of select_and_scatter.

w is the cotangent of the result, x an input. Per dimension: base size n, window size q, stride s, padding (lo, hi),
base dilation b, window dilation a, and o positions; dil(n, b) is the extent of n elements, b apart, and D = dil(q, a).
Position i of the window meets element j of the base where b j = s i + a k - lo for a k in 0..q-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select, splat, zeros
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import ScatterOp
from hhlo_xdsl.dialects.stablehlo.movement import PadOp, SliceOp
from hhlo_xdsl.dialects.stablehlo.reduction import (
    ReduceWindowOp,
    SelectAndScatterOp,
    reducer_of,
    window_from,
)
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim, count, dilated
from hhlo_xdsl.dialects.types import like, scalar, shape_of, tensor, type_of
from hhlo_xdsl.passes.vjp.associative import check_associative
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, inputs, only, walk_rule
from hhlo_xdsl.passes.vjp.cumulative import cumulative_along, of_cumulative
from hhlo_xdsl.passes.vjp.folds import (
    Combine,
    check_ordered,
    check_static,
    converted,
    fold_windows,
    is_fixed,
    is_identity,
    on_tensors,
    skipping,
    stretched,
)
from hhlo_xdsl.passes.vjp.movement import reshaped
from hhlo_xdsl.passes.vjp.regions import pulled_back
from hhlo_xdsl.passes.vjp.sums import sum_all


@walk_rule(ReduceWindowOp)
def reduce_window(op: ReduceWindowOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """The cotangents of inputs, init values, and what the body captures."""
    check_static(op)
    if count(shape_of(op.results[0])) == 0:
        answers: Cotangents = [None] * len(op.operands)
    elif not op.windows:
        # XLA leaves the init values out where there are no dimensions.
        answers = [*(ct and converted(ct, x) for ct, x in zip(cts, op.inputs, strict=True)), *[None] * len(op.inputs)]
    elif reducer_of(op) is AddOp:
        answers = _sum(op, only(cts), walk)
    elif (to_x := of_cumulative(op, cts)) is not None:
        answers = [to_x, None]
    else:
        answers = _fold(op, cts, walk)
    return [*answers, *[None] * (len(inputs(op)) - len(answers))]


# Sums. The transpose slides the same window over w, with stride and base dilation swapped: from b j = s i + a k - lo,
# position j of the new window meets element i of w where s i = b j + a k' - (D - 1 - lo), with k' = q - 1 - k. The high
# padding is what makes n positions fit: low' + dil(o, s) + high' = D - 1 + dil(n, b).


def _sum(op: ReduceWindowOp, w: SSAValue, walk: Walk) -> Cotangents:
    """To each element the cotangents of all the windows that it is in; XLA adds the init value to each window once."""
    x, init = op.operands
    to_x = _transposed_sum(w, op.windows, walk.options.portable)
    return [converted(to_x, x), None if is_fixed(init) else converted(sum_all(w), init)]


def _transposed_sum(w: SSAValue, windows: Sequence[WindowDim], portable: bool) -> SSAValue:
    dims: list[WindowDim] = []
    for d in windows:
        low = d.reach - 1 - d.low
        high = d.dilated_base + d.low - dilated(d.out, d.stride)
        dims.append(WindowDim(d.out, d.size, d.base_dilation, low, high, d.stride, d.window_dilation))
    zero = zeros(scalar(type_of(w)))
    trivial = all(d.size == 1 for d in dims)
    if portable or trivial:
        w, dims = padded(w, zero, dims), [_without_padding(d) for d in dims]
    if trivial:
        # A window of one element only picks; and XLA cannot simplify such a reduce_window if its padding is negative.
        return emit(SliceOp(w, [0] * len(dims), shape_of(w), [d.stride for d in dims]))
    return emit(ReduceWindowOp([w], [zero], window_from(dims), AddOp))


# Other bodies. The windows are folded by whole-tensor ops, whose derivatives the walk knows. A maximum is folded by
# choosing the first of the largest elements, in row-major order, which then takes all. select_and_scatter would do the
# same in one op, but takes no window dilation, and XLA compiles it to a scatter that is many times slower.


def _fold(op: ReduceWindowOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """The derivative of the fold, written out."""
    check_associative(op)
    return pulled_back(walk, lambda: folded_windows(op), cts, inputs(op))


def folded_windows(op: ReduceWindowOp) -> Sequence[SSAValue]:
    """What `op` computes, by whole-tensor ops; the init value is folded in once, in front."""
    reducer, init_values = reducer_of(op), op.init_values
    is_extreme = reducer is MaximumOp or reducer is MinimumOp
    f = _first(op, reducer is MaximumOp) if is_extreme else on_tensors(op, op.body)
    inits = [converted(init, y) for init, y in zip(init_values, op.results, strict=True)]
    values = [converted(x, y) for x, y in zip(op.inputs, op.results, strict=True)]
    first = [stretched(init, shape_of(y)) for init, y in zip(inits, op.results, strict=True)]
    if (direction := cumulative_along(op.windows)) is not None:
        folded = direction.fold(f, values)
        return folded if is_identity(reducer, init_values[0]) else f(first, folded)
    if is_extreme or is_identity(reducer, init_values[0]):
        # Padding with the init value changes nothing.
        edged = [padded(v, init, op.windows) for v, init in zip(values, inits, strict=True)]
        folded = fold_windows(f, edged, [_without_padding(d) for d in op.windows])
        return folded if is_identity(reducer, init_values[0]) else f(first, folded)
    folded, any_own = _fold_own(f, values, op.windows)
    if any_own is None:
        return f(first, folded)
    return skipping(f)([*first, splat(True, type_of(any_own))], [*folded, any_own])[:-1]


def _first(op: ReduceWindowOp, is_max: bool) -> Combine:
    """(p, q) -> p if it is at least (most) q, else q."""
    check_ordered(op)
    direction = ComparisonDirection.GE if is_max else ComparisonDirection.LE

    def first(left: Sequence[SSAValue], right: Sequence[SSAValue]) -> list[SSAValue]:
        (p,), (q,) = left, right
        return [select(Value(p).compare(direction, Value(q)), Value(p), Value(q)).ssa]

    return first


def _fold_own(
    f: Combine, values: Sequence[SSAValue], windows: Sequence[WindowDim]
) -> tuple[list[SSAValue], SSAValue | None]:
    """The fold of each window without its padding, and whether anything is left; None if there is no padding at all."""
    dims = [_without_padding(d) for d in windows]
    own = splat(True, like(type_of(values[0]), element=i1))
    own_edged = padded(own, zeros(scalar(type_of(own))), windows)
    if own_edged is own:
        return fold_windows(f, values, dims), None
    # The padding is skipped, but f is computed on it too: 1 is a place where functions tend to be finite.
    filled = [padded(v, splat(1, scalar(type_of(v))), windows) for v in values]
    *folded, any_own = fold_windows(skipping(f), [*filled, own_edged], dims)
    return folded, any_own


# select_and_scatter. result = init + the sum over windows i of source[i] at the place that i selects, so source[i] gets
# the cotangent from there: w, folded along with the operand by choosing as the operand is chosen.


@walk_rule(SelectAndScatterOp)
def select_and_scatter(op: SelectAndScatterOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """To source the cotangent at the selected places, to the init value the sum, to the operand nothing."""
    check_static(op)
    w = only(cts)
    if reducer_of(op) is AddOp:
        to_init = None if is_fixed(op.init_value) else converted(sum_all(w), op.init_value)
        to_source = converted(_picked(op, w)[0], op.source) if count(shape_of(op.source)) else None
    else:
        to_source, to_init = pulled_back(walk, lambda: [scattered_source(op)], cts, [op.source, op.init_value])
    return [None, to_source, to_init, *[None] * (len(inputs(op)) - 3)]


def scattered_source(op: SelectAndScatterOp) -> SSAValue:
    """What `op` computes: init values, into which source is scattered, by its body, at the places it selects."""
    type = type_of(op.results[0])
    n, k = count(type.get_shape()), count(shape_of(op.source))
    into = stretched(converted(op.init_value, type.element_type), [n])
    if k == 0:
        return reshaped(into, type.get_shape())
    place, any_own = _picked(op, reshaped(emit(IotaOp(tensor((n,), i32), 0)), type.get_shape()))
    if any_own is not None:
        place = select(Value(any_own), Value(place), -1).ssa
    rows = IndexNumbers(collapsed=(0,), index_map=(0,), index_vector_dim=1)
    source = reshaped(converted(op.source, type.element_type), [k])
    result = emit(ScatterOp([into], reshaped(place, [k]), [source], rows, op.scatter.clone()))
    return reshaped(result, type.get_shape())


def _picked(op: SelectAndScatterOp, w: SSAValue) -> tuple[SSAValue, SSAValue | None]:
    """The element of w at the place that each window selects, 0 for a window of padding only; which are not such."""
    selects = on_tensors(op, op.select)

    def pick(left: Sequence[SSAValue], right: Sequence[SSAValue]) -> list[SSAValue]:
        (keep,) = selects(left[:1], right[:1])
        return [select(Value(keep), Value(a), Value(b)).ssa for a, b in zip(left, right, strict=True)]

    (_, found), any_own = _fold_own(pick, [op.operand, w], op.windows)
    return (found if any_own is None else select(Value(any_own), Value(found), 0).ssa), any_own


def padded(x: SSAValue, value: SSAValue, windows: Sequence[WindowDim]) -> SSAValue:
    """x with `value` in the padding of the windows and in the holes of the base; x itself if there are none."""
    low, high, interior = [d.low for d in windows], [d.high for d in windows], [d.base_dilation - 1 for d in windows]
    return emit(PadOp(x, value, low, high, interior)) if any((*low, *high, *interior)) else x


def _without_padding(d: WindowDim) -> WindowDim:
    """The same window over the padded base."""
    return WindowDim(d.low + d.dilated_base + d.high, d.size, d.stride, window_dilation=d.window_dilation)
