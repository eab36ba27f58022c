"""Forward-mode rules of choices, loops and the barrier: each computes its results and their tangents together."""

from __future__ import annotations

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add, inserting
from hhlo_xdsl.dialects.stablehlo.control_flow import CaseOp, IfOp, OptimizationBarrierOp, WhileOp
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Joint, Tangent, Tangents, filled, joint_rule
from hhlo_xdsl.passes.vjp.core import inputs
from hhlo_xdsl.passes.vjp.loops import active_carries, carry_more
from hhlo_xdsl.passes.vjp.regions import assigned, body_ops, give_more, return_more

Choice = IfOp | CaseOp


@joint_rule(OptimizationBarrierOp)
def optimization_barrier(op: OptimizationBarrierOp, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """Values and tangents pass the barrier together."""
    given = [t for t in tangents if t is not None]
    results = add(OptimizationBarrierOp([*op.operands, *given])).results
    moved = iter(results[len(op.operands) :])
    return results[: len(op.operands)], [None if t is None else next(moved) for t in tangents]


def choose(op: Choice, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """Each branch computes its tangents too; where only another branch has one, zeros."""
    copy, given = add(op.clone()), dict(assigned(tangents, inputs(op)))
    branches = [region.block for region in copy.regions]
    found: list[list[Tangent]] = []
    for branch in branches:
        known = dict(given)
        walk.pushforward(body_ops(branch), known)
        found.append([known.get(v) for v in terminator_of(branch).operands])
    active = [i for i in range(len(op.results)) if any(ts[i] is not None for ts in found)]
    for branch, ts in zip(branches, found, strict=True):
        last = terminator_of(branch)
        with inserting(branch, before=last):
            return_more(branch, [filled(ts[i], last.operands[i]) for i in active])
    more = dict(zip(active, give_more(copy, [op.results[i].type for i in active]), strict=True))
    return copy.results[: len(op.results)], [more.get(i) for i in range(len(op.results))]


joint_rule(IfOp)(choose)
joint_rule(CaseOp)(choose)


# x[k+1] = f(x[k], c): the loop carries x and its tangent; whether it goes on depends on x alone.


@joint_rule(WhileOp)
def while_loop(op: WhileOp, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """The loop carries the tangents of what it carries."""
    given = dict(assigned(tangents, inputs(op)))
    carried = sorted(active_carries(op, list(given)))
    starts = [filled(given.get(op.operand[i]), op.operand[i]) for i in carried]
    copy = add(op.clone())
    body = copy.body.block
    known: dict[SSAValue, SSAValue] = dict(given)
    known.update(zip([body.args[i] for i in carried], carry_more(copy, starts), strict=True))
    walk.pushforward(body_ops(body), known)
    last = terminator_of(body)
    with inserting(body, before=last):
        return_more(body, [filled(known.get(last.operands[i]), last.operands[i]) for i in carried])
    count = len(op.results)
    more = dict(zip(carried, copy.results[count:], strict=True))
    return copy.results[:count], [more.get(i) for i in range(count)]
