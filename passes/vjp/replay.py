"""The reverse of a scatter whose updates may meet, by any body: its steps are done again, then undone one by one.

There are K index vectors, in row-major order, which is the order XLA applies their windows in on a CPU. With S[k] what
stands in window k before step k, and u[k] the update:
    forward   S[k] = x at window k;  x at window k becomes f(S[k], u[k])
    back      (p, q) = adjoint of f at (S[k], u[k]) of xbar at window k;  xbar at window k becomes p;  ubar[k] = q
A window that is not wholly in bounds changes nothing, and its update gets zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.infix import Value, select, splat, zeros
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp, ScatterOp
from hhlo_xdsl.dialects.stablehlo.movement import SliceOp
from hhlo_xdsl.dialects.stablehlo.shapes import count, inverse
from hhlo_xdsl.dialects.types import shape_of, tensor, type_of
from hhlo_xdsl.passes.vjp.core import Cotangent, Walk
from hhlo_xdsl.passes.vjp.folds import converted, on_tensors
from hhlo_xdsl.passes.vjp.indices import position_type, scattered_sizes
from hhlo_xdsl.passes.vjp.movement import reshaped, transposed
from hhlo_xdsl.passes.vjp.regions import pulled_back

Carry = Sequence[SSAValue]


@dataclass(frozen=True)
class Steps:
    """The windows of a scatter, in order."""

    count: int
    sizes: Sequence[int]
    """Of a window, per dimension of the input."""
    starts: Sequence[SSAValue]
    """Per dimension of the input, the K starts."""
    within: SSAValue | None
    """K of i1: which windows are in bounds; None if all are."""

    def window(self, x: SSAValue, k: SSAValue) -> SSAValue:
        """Window k of x."""
        return emit(DynamicSliceOp(x, self._at(k), self.sizes))

    def replaced(self, x: SSAValue, k: SSAValue, old: SSAValue, new: SSAValue) -> SSAValue:
        """x, whose window k is `old`, with `new` there."""
        return emit(DynamicUpdateSliceOp(x, self.chosen(k, new, old), self._at(k)))

    def chosen(self, k: SSAValue, inside: SSAValue, outside: SSAValue) -> SSAValue:
        """`inside` if window k is in bounds, else `outside`."""
        if self.within is None:
            return inside
        return select(Value(_scalar_at(self.within, k)), Value(inside), Value(outside)).ssa

    def _at(self, k: SSAValue) -> list[SSAValue]:
        return [_scalar_at(s, k) for s in self.starts]


def replay(
    op: ScatterOp,
    sizes: Sequence[int],
    within: SSAValue | None,
    w: Sequence[SSAValue],
    xs: Sequence[SSAValue],
    us: Sequence[SSAValue],
    walk: Walk,
) -> tuple[Sequence[Cotangent], Sequence[Cotangent]]:
    """The cotangents of inputs and updates, if w are those of the results. `within`: as `indices.in_bounds` gives."""
    f, n = on_tensors(op, op.update_computation), len(xs)
    steps = steps_of(op, sizes, within)
    rows = rows_of(op, us, steps)

    def forward(k: SSAValue, xs: Carry, saved: Carry) -> list[SSAValue]:
        before = [steps.window(x, k) for x in xs]
        after = f(before, [row_at(r, k) for r in rows])
        new = [steps.replaced(x, k, p, q) for x, p, q in zip(xs, before, after, strict=True)]
        return [*new, *(with_row(s, k, p) for s, p in zip(saved, before, strict=True))]

    saved = loop(steps.count, False, [*xs, *(zeros(type_of(r)) for r in rows)], lambda k, c: forward(k, c[:n], c[n:]))

    def back(k: SSAValue, cts: Carry, found: Carry) -> list[SSAValue]:
        there = [steps.window(ct, k) for ct in cts]
        read = [*(row_at(s, k) for s in saved[n:]), *(row_at(r, k) for r in rows)]
        answers = pulled_back(walk, lambda: f(read[:n], read[n:]), there, read)
        to = [zeros(type_of(v)) if ct is None else ct for ct, v in zip(answers, read, strict=True)]
        new = [steps.replaced(ct, k, p, q) for ct, p, q in zip(cts, there, to, strict=False)]
        kept = [steps.chosen(k, ct, zeros(type_of(ct))) for ct in to[n:]]
        return [*new, *(with_row(g, k, ct) for g, ct in zip(found, kept, strict=True))]

    found = loop(steps.count, True, [*w, *(zeros(type_of(r)) for r in rows)], lambda k, c: back(k, c[:n], c[n:]))
    shape, order = shape_of(us[0]), _scattered_first(op)
    arranged = [shape[d] for d in order]
    return found[:n], [transposed(reshaped(g, arranged), inverse(order)) for g in found[n:]]


def rows_of(op: ScatterOp, us: Sequence[SSAValue], steps: Steps) -> list[SSAValue]:
    """Updates as K windows, in order."""
    return [reshaped(transposed(u, _scattered_first(op)), (steps.count, *steps.sizes)) for u in us]


def loop(count: int, is_reversed: bool, carry: Carry, body: Callable[[SSAValue, Carry], Carry]) -> Carry:
    """`body` of k and the carry, for k = 0, 1, .., count - 1, or the other way round; the carry that remains."""

    def step(i: SSAValue, *carry: SSAValue) -> list[SSAValue]:
        k = (count - 1 - Value(i)).ssa if is_reversed else i
        return [(Value(i) + 1).ssa, *body(k, carry)]

    def goes_on(i: SSAValue, *carry: SSAValue) -> SSAValue:
        return (Value(i) < count).ssa

    start = splat(0, tensor((), i32))
    return add(WhileOp([start, *carry], goes_on, step)).results[1:]


def steps_of(op: ScatterOp, sizes: Sequence[int], within: SSAValue | None) -> Steps:
    """The windows of `op`; `within`: as `indices.in_bounds` gives."""
    numbers, indices = op.numbers, op.scatter_indices
    shape, element = scattered_sizes(indices, numbers), position_type(indices)
    places = [d for d in range(len(shape_of(indices))) if d != numbers.index_vector_dim]
    starts: list[SSAValue] = []
    for d in range(len(sizes)):
        if d in numbers.index_map:
            start = reshaped(_entry(indices, numbers.index_vector_dim, numbers.index_map.index(d)), shape)
        elif d in numbers.operand_batching:
            partner = numbers.indices_batching[numbers.operand_batching.index(d)]
            start = emit(IotaOp(tensor(shape, element), places.index(partner)))
        else:
            start = zeros(tensor(shape, element))
        starts.append(reshaped(converted(start, element), (count(shape),)))
    return Steps(count(shape), sizes, starts, within and reshaped(within, (count(shape),)))


def _entry(indices: SSAValue, dim: int, k: int) -> SSAValue:
    """Entry k of every index vector."""
    shape = list(shape_of(indices))
    if dim == len(shape):
        return indices
    low, high = [0] * len(shape), list(shape)
    low[dim], high[dim] = k, k + 1
    return emit(SliceOp(indices, low, high, [1] * len(shape)))


def _scattered_first(op: ScatterOp) -> list[int]:
    """The dimensions of the updates that run over the indices, then those of the windows."""
    numbers = op.numbers
    return [*numbers.scattered(len(shape_of(op.updates[0]))), *numbers.window]


def _scalar_at(x: SSAValue, k: SSAValue) -> SSAValue:
    """x[k]"""
    return reshaped(emit(DynamicSliceOp(x, [k], [1])), ())


def row_at(x: SSAValue, k: SSAValue) -> SSAValue:
    """x[k], of one dimension less."""
    sizes = shape_of(x)[1:]
    return reshaped(emit(DynamicSliceOp(x, _first(k, len(sizes)), [1, *sizes])), sizes)


def with_row(x: SSAValue, k: SSAValue, row: SSAValue) -> SSAValue:
    """x, with `row` at k."""
    sizes = shape_of(row)
    return emit(DynamicUpdateSliceOp(x, reshaped(row, (1, *sizes)), _first(k, len(sizes))))


def _first(k: SSAValue, others: int) -> list[SSAValue]:
    """k, then zeros."""
    return [k, *[zeros(type_of(k))] * others]
