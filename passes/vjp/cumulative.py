"""Reverse-mode rules of cumulative products, maxima and minima: reduce_window over all prefixes, or all suffixes.

w is the cotangent of the result y, x the input, all of n elements along one dimension. The formulas are those of
prefixes; over suffixes all is turned around. Other cumulative folds are differentiated as `folds` writes them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select, splat
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import MaximumOp, MinimumOp, MultiplyOp, OrOp
from hhlo_xdsl.dialects.stablehlo.movement import ConcatenateOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceWindowOp, reducer_of
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim
from hhlo_xdsl.dialects.stablehlo.unary import NotOp
from hhlo_xdsl.dialects.types import like, shape_of, type_of
from hhlo_xdsl.passes.vjp.core import Cotangents, only
from hhlo_xdsl.passes.vjp.folds import (
    Combine,
    check_ordered,
    converted,
    fold_prefixes,
    fold_suffixes,
    is_identity,
    part,
)


@dataclass(frozen=True)
class Direction:
    """A dimension, and whether windows are the suffixes along it rather than the prefixes."""

    dim: int
    backwards: bool

    def fold(self, f: Combine, values: Sequence[SSAValue]) -> list[SSAValue]:
        """At each place the fold of the elements up to it, in their order."""
        return (fold_suffixes if self.backwards else fold_prefixes)(f, values, self.dim)

    def fold_back(self, f: Combine, values: Sequence[SSAValue]) -> list[SSAValue]:
        """At each place the fold of the elements from it on, f(near, far), where `near` come first on the way."""
        if self.backwards:
            return fold_prefixes(lambda left, right: f(right, left), values, self.dim)
        return fold_suffixes(f, values, self.dim)

    def earlier(self, x: SSAValue, edge: bool | int) -> SSAValue:
        """At each place the element before it; at the first one `edge`."""
        return self._moved(x, edge, in_front=not self.backwards)

    def later(self, x: SSAValue, edge: bool | int) -> SSAValue:
        """At each place the element after it; at the last one `edge`."""
        return self._moved(x, edge, in_front=self.backwards)

    def _moved(self, x: SSAValue, edge: bool | int, in_front: bool) -> SSAValue:
        dim, n = self.dim, shape_of(x)[self.dim]
        one = splat(edge, like(type_of(x), shape=[1 if d == dim else k for d, k in enumerate(shape_of(x))]))
        if n == 1:
            return one
        kept = part(x, dim, 0, n - 1) if in_front else part(x, dim, 1, n)
        return emit(ConcatenateOp([one, kept] if in_front else [kept, one], dim))


def cumulative_along(windows: Sequence[WindowDim]) -> Direction | None:
    """The dimension along which every window is a prefix, or a suffix, of all elements; None if there is none."""
    moving = [d for d, w in enumerate(windows) if w != WindowDim(w.base, 1)]
    if len(moving) != 1:
        return None
    n, window = windows[moving[0]].base, windows[moving[0]]
    if window not in (WindowDim(n, n, low=n - 1), WindowDim(n, n, high=n - 1)):
        return None
    return Direction(moving[0], backwards=window.high > 0)


def of_cumulative(op: ReduceWindowOp, cts: Cotangents) -> SSAValue | None:
    """The cotangent of the input of a cumulative product, maximum or minimum of elements alone; None for other ops."""
    direction, reducer = cumulative_along(op.windows), reducer_of(op)
    if direction is None or not is_identity(reducer, op.init_values[0]):
        return None
    if reducer is MultiplyOp:
        return _of_product(op, only(cts), direction)
    return _of_extreme(op, only(cts), direction) if reducer in (MaximumOp, MinimumOp) else None


# y[i] = x[0] .. x[i]. The cotangent of x[j] is y[j - 1] r[j], for r[j] = w[j] + x[j + 1] r[j + 1]: no division, so
# zeros do no harm. A step r -> w + x r is a pair (x, w); two steps, the near one last, are (x x', w + x w').


def _of_product(op: ReduceWindowOp, w: SSAValue, direction: Direction) -> SSAValue:
    x = converted(op.inputs[0], w)

    def both(near: Sequence[SSAValue], far: Sequence[SSAValue]) -> list[SSAValue]:
        (a, b), (c, d) = map(Value, near), map(Value, far)
        return [(a * c).ssa, (b + a * d).ssa]

    _, r = direction.fold_back(both, [direction.later(x, 1), w])
    before = direction.earlier(op.results[0], 1)
    return converted((Value(before) * Value(r)).ssa, op.inputs[0])


# x[i] leads if it is the first of the largest of its window; it takes the cotangents from i up to the next leader: a
# sum over i, .., n - 1 that stops in front of a leader. Of two blocks the sums are joined unless the near one stopped.


def _of_extreme(op: ReduceWindowOp, w: SSAValue, direction: Direction) -> SSAValue:
    leads = _leads(op, direction)

    def joined(near: Sequence[SSAValue], far: Sequence[SSAValue]) -> list[SSAValue]:
        (a, stops), (b, far_stops) = near, far
        return [(Value(a) + select(Value(stops), 0, Value(b))).ssa, emit(OrOp(stops, far_stops))]

    sums, _ = direction.fold_back(joined, [w, direction.later(leads, True)])
    return converted(select(Value(leads), Value(sums), 0).ssa, op.inputs[0])


def _leads(op: ReduceWindowOp, direction: Direction) -> SSAValue:
    """Whether the newest element of a window, in row-major order, is the first of the largest (least) in it."""
    check_ordered(op)
    y, n, dim = op.results[0], shape_of(op.results[0])[direction.dim], direction.dim
    x = converted(op.inputs[0], y)
    compared = ComparisonDirection.GE if reducer_of(op) is MaximumOp else ComparisonDirection.LE
    former, latter = (x, y) if direction.backwards else (y, x)
    first = Value(part(former, dim, 0, n - 1)).compare(compared, Value(part(latter, dim, 1, n))).ssa
    newest = first if direction.backwards else emit(NotOp(first))
    one = splat(True, like(type_of(first), shape=[1 if d == dim else k for d, k in enumerate(shape_of(y))]))
    return emit(ConcatenateOp([newest, one] if direction.backwards else [one, newest], dim))
