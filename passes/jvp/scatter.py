"""Forward-mode rules of scatter, by its body. x are the inputs, u the updates; see `passes.vjp.scatter`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.infix import Value, select
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp, SubtractOp
from hhlo_xdsl.dialects.stablehlo.indexing import ScatterOp
from hhlo_xdsl.dialects.stablehlo.reducers import reducer_of
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Joint, Tangents, filled, joint_rule, of_tangents
from hhlo_xdsl.passes.jvp.folds import pushed
from hhlo_xdsl.passes.vjp.folds import check_static, converted, on_tensors
from hhlo_xdsl.passes.vjp.indices import in_bounds
from hhlo_xdsl.passes.vjp.reduction import divided
from hhlo_xdsl.passes.vjp.replay import loop, row_at, rows_of, steps_of
from hhlo_xdsl.passes.vjp.scatter import Places, losers, overwrite, overwrites, writes_nothing


@joint_rule(ScatterOp)
def scatter(op: ScatterOp, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """Where the body is linear, or overwrites, a scatter of the tangents; else values and tangents, step by step."""
    check_static(op)
    reducer, n = reducer_of(op), len(op.inputs)
    if writes_nothing(op):
        return op.results, [t and converted(t, y) for t, y in zip(tangents, op.results, strict=False)]
    if reducer in (AddOp, SubtractOp) or overwrites(op):
        return op.results, of_tangents(op, tangents)
    xs = [converted(x, y) for x, y in zip(op.inputs, op.results, strict=True)]
    us = [converted(u, y) for u, y in zip(op.updates, op.results, strict=True)]
    dxs = [t and converted(t, x) for t, x in zip(tangents[:n], xs, strict=True)]
    dus = [t and converted(t, u) for t, u in zip(tangents[n + 1 : 2 * n + 1], us, strict=True)]
    if reducer in (MaximumOp, MinimumOp):
        return op.results, [_extreme(op, filled(dxs[0], xs[0]), filled(dus[0], us[0]))]
    if Places(op).distinct:
        return op.results, _once(op, xs, us, dxs, dus, walk)
    return _step_by_step(op, xs, us, dxs, dus, walk)


def _extreme(op: ScatterOp, dx: SSAValue, du: SSAValue) -> SSAValue:
    """The mean of the tangents of x and the updates that reach the maximum (minimum)."""
    places = Places(op)
    x_loses, u_loses, k = losers(places)
    of_x, of_u = select(x_loses, 0, Value(dx)).ssa, select(u_loses, 0, Value(du)).ssa
    return divided(places.write(of_x, of_u, AddOp), k)


def _once(
    op: ScatterOp, xs: Sequence[SSAValue], us: Sequence[SSAValue], dxs: Tangents, dus: Tangents, walk: ForwardWalk
) -> Tangents:
    """No element is met twice: the tangent of the body at each, where it stands."""
    places, f = Places(op), on_tensors(op, op.update_computation)
    before = [places.read(x) for x in xs]
    pairs = [*zip(before, (t and places.read(t) for t in dxs), strict=True), *zip(us, dus, strict=True)]
    _, found = pushed({v: t for v, t in pairs if t is not None}, walk, lambda: f(before, us))
    return [
        places.write(filled(dx, x), filled(t, u), overwrite) if is_inexact(x.type) else None
        for x, u, dx, t in zip(xs, us, dxs, found, strict=True)
    ]


def _step_by_step(
    op: ScatterOp, xs: Sequence[SSAValue], us: Sequence[SSAValue], dxs: Tangents, dus: Tangents, walk: ForwardWalk
) -> Joint:
    """The scatter as a loop over its windows, in the order of `passes.vjp.replay`.

    One scatter of values and tangents would say the same, but XLA miscompiles those that have an input twice, such as
    tangents that are zero.
    """
    places, n, f = Places(op), len(xs), on_tensors(op, op.update_computation)
    steps = steps_of(op, places.sizes, in_bounds(op.scatter_indices, op.numbers, places.limits))
    marked = [i for i, x in enumerate(xs) if is_inexact(x.type)]
    rows = rows_of(op, us, steps)
    moved = rows_of(op, [filled(dus[i], us[i]) for i in marked], steps)

    def step(k: SSAValue, carry: Sequence[SSAValue]) -> list[SSAValue]:
        before = [steps.window(x, k) for x in carry]
        updates = [row_at(r, k) for r in rows]
        tangents = {before[i]: before[n + j] for j, i in enumerate(marked)}
        tangents |= {updates[i]: row_at(r, k) for i, r in zip(marked, moved, strict=True)}
        after, found = pushed(tangents, walk, lambda: f(before[:n], updates))
        after = [*after, *(filled(found[i], after[i]) for i in marked)]
        return [steps.replaced(x, k, p, q) for x, p, q in zip(carry, before, after, strict=True)]

    results = loop(steps.count, False, [*xs, *(filled(dxs[i], xs[i]) for i in marked)], step)
    of_results = dict(zip(marked, results[n:], strict=True))
    return results[:n], [of_results.get(i) for i in range(n)]
