"""Reverse-mode rules of choices and of the barrier; loops are in passes/vjp/loops.py."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hhlo_xdsl.dialects.emit import add, inserting
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.control_flow import CaseOp, IfOp, OptimizationBarrierOp, ReturnOp, WhileOp
from hhlo_xdsl.dialects.stablehlo.values import holds_inexact
from hhlo_xdsl.dialects.types import RankedTensor, type_of
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.vjp import loops
from hhlo_xdsl.passes.vjp.core import (
    ACTIVITY,
    Cotangent,
    Cotangents,
    Walk,
    computed_from,
    inputs,
    non_differentiable,
    region_rule,
    vjp_rule,
)
from hhlo_xdsl.passes.vjp.marks import RECOMPUTED
from hhlo_xdsl.passes.vjp.regions import (
    assigned,
    body_ops,
    captured_by,
    give_more,
    is_inside,
    plan,
    pull,
    repeat,
    replace_within,
    return_more,
)
from hhlo_xdsl.passes.vjp.slots import check_repeatable

non_differentiable("it ends a region; the op that owns the region has the rule", ReturnOp)

Choice = IfOp | CaseOp


@vjp_rule(OptimizationBarrierOp)
def optimization_barrier(op: OptimizationBarrierOp, cts: Cotangents) -> Cotangents:
    """The cotangents, behind a barrier of their own."""
    given = [ct for ct in cts if ct is not None]
    passed = iter(add(OptimizationBarrierOp(given)).results)
    return [None if ct is None else next(passed) for ct in cts]


# y = branch[p](captured): the same choice again, with the same selector, of the ways back. What the way back of a
# branch needs, the branch returns; the others return zeros in its place. Values of one type share a place, so what is
# kept is what the neediest branch needs.


@region_rule(IfOp, CaseOp)
def choose(op: Choice, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """The cotangents of what the branches capture, by the way back of the branch that was taken."""
    if RECOMPUTED in op.attributes and len(op.regions) == 1:
        return _again(op, cts, walk, active)
    selector, *captured = inputs(op)
    wanted = [v for v in captured if v in active]
    branches = [region.block for region in op.regions]
    backs, found = list[Block](), list[list[Cotangent]]()
    for branch in branches:
        with inserting(Block()) as back:
            seeds = assigned(cts, terminator_of(branch).operands)
            found.append(pull(walk, body_ops(branch), seeds, wanted))
        backs.append(back)
    kept = [any(gradients[i] is not None for gradients in found) for i in range(len(wanted))]
    for back, gradients in zip(backs, found, strict=True):
        with inserting(back):
            pairs = zip(wanted, gradients, kept, strict=True)
            add(ReturnOp([ct or zeros(type_of(v)) for v, ct, is_kept in pairs if is_kept]))
        sweep(back)
    if not any(kept):
        return [None] * (1 + len(captured))
    _hand_over(op, branches, backs)
    regions = [Region(back) for back in backs]
    chosen = add(IfOp(selector, *regions) if isinstance(op, IfOp) else CaseOp(selector, regions))
    results = iter(chosen.results)
    gradients = {v: next(results) for v, is_kept in zip(wanted, kept, strict=True) if is_kept}
    return [None, *(gradients.get(v) for v in captured)]


def _again(op: Choice, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """The way back through the one branch of `op`, from a copy of the branch.

    The barrier keeps XLA from finding that the copy computes the same, and from computing it before it is needed.
    """
    check_repeatable(op)
    read, given = inputs(op), [ct for ct in cts if ct is not None]
    passed = add(OptimizationBarrierOp([*read, *given])).results
    values: dict[SSAValue, SSAValue] = dict(zip(read, passed, strict=False))
    late = iter(passed[len(read) :])
    branch = op.regions[0].block
    copies: list[Operation] = []
    for inner in body_ops(branch):
        copies.append(add(inner.clone(values)))
        values.update(zip(inner.results, copies[-1].results, strict=True))
    returned = [values.get(v, v) for v in terminator_of(branch).operands]
    seeds = [(y, next(late)) for y, ct in zip(returned, cts, strict=True) if ct is not None]
    wanted = [values[v] for v in read if v in active]
    found = dict(zip(wanted, pull(walk, copies, seeds, wanted), strict=True))
    return [found.get(values[v]) for v in read]


def _hand_over(op: Choice, branches: Sequence[Block], backs: Sequence[Block]) -> None:
    """Let each branch return what its way back reads of it, in places that the branches share."""
    needs: list[list[SSAValue]] = []
    for branch, back in zip(branches, backs, strict=True):
        returned = {v: op.results[i] for i, v in reversed(list(enumerate(terminator_of(branch).operands)))}
        for value in [v for v in captured_by(back) if v in returned and is_inside(v, branch)]:
            replace_within(value, returned[value], back)
        planned = plan(branch, captured_by(back))
        repeat(planned, back)
        needs.append(planned.saved)
    places = [type for type, _ in _places(needs)]
    more = give_more(op, places)
    for branch, back, values in zip(branches, backs, needs, strict=True):
        filled = list(_filled(places, values))
        for place, value in zip(more, filled, strict=True):
            if value is not None:
                replace_within(value, place, back)
        with inserting(branch, before=terminator_of(branch)):
            given = [v or zeros(_tensor(type)) for v, type in zip(filled, places, strict=True)]
        return_more(branch, given)


def _places(needs: Sequence[Sequence[SSAValue]]) -> Iterator[tuple[Attribute, int]]:
    """Of each type as many places as the branch that needs most of it."""
    types = {v.type: None for values in needs for v in values}
    for type in types:
        for i in range(max(sum(v.type == type for v in values) for values in needs)):
            yield type, i


def _filled(places: Sequence[Attribute], values: Sequence[SSAValue]) -> Iterator[SSAValue | None]:
    """The value in each place; None where the branch has none."""
    left = list(values)
    for type in places:
        found = next((v for v in left if v.type == type), None)
        if found is not None:
            left.remove(found)
        yield found


def _tensor(type: Attribute) -> RankedTensor:
    return type  # pyright: ignore


def _chosen_activity(op: Choice, active: Collection[SSAValue]) -> list[SSAValue]:
    """The results of a choice that depend on active values in some branch."""
    found: set[int] = set()
    for region in op.regions:
        inside = computed_from(active, body_ops(region.block))
        found.update(i for i, v in enumerate(terminator_of(region.block).operands) if v in inside)
    return [r for i, r in enumerate(op.results) if i in found and holds_inexact(r.type)]


ACTIVITY[IfOp] = ACTIVITY[CaseOp] = _chosen_activity
region_rule(WhileOp)(loops.while_loop)
ACTIVITY[WhileOp] = loops.activity
