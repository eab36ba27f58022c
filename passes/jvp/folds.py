"""Forward mode through a computation that a rule writes out by ops of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from hhlo_xdsl.dialects.emit import add, inline, inserting
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Joint, Tangents
from hhlo_xdsl.passes.vjp.core import inputs


def pushed_forward(
    op: Operation, tangents: Tangents, walk: ForwardWalk, build: Callable[[], Sequence[SSAValue]]
) -> Tangents:
    """The tangents of the values that `build` computes from what `op` reads, whose tangents are `tangents`."""
    found = {v: t for v, t in zip(inputs(op), tangents, strict=True) if t is not None}
    return pushed(found, walk, build)[1]


def pushed(tangents: dict[SSAValue, SSAValue], walk: ForwardWalk, build: Callable[[], Sequence[SSAValue]]) -> Joint:
    """The values that `build` computes, and their tangents, from `tangents`, which is extended."""
    with inserting(Block()) as scratch:
        add(ReturnOp(build()))
    *ops, last = scratch.ops
    walk.pushforward(ops, tangents)
    found = [tangents.get(r) for r in last.operands]
    return inline(scratch, ()), found
