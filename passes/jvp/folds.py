"""Forward mode through a computation that a rule writes out by ops of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from hhlo_xdsl.dialects.emit import add, inline, inserting
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangents
from hhlo_xdsl.passes.vjp.core import inputs


def pushed_forward(
    op: Operation, tangents: Tangents, walk: ForwardWalk, build: Callable[[], Sequence[SSAValue]]
) -> Tangents:
    """The tangents of the values that `build` computes from what `op` reads, whose tangents are `tangents`."""
    with inserting(Block()) as scratch:
        add(ReturnOp(build()))
    *ops, _ = scratch.ops
    results = inline(scratch, ())
    found = {v: t for v, t in zip(inputs(op), tangents, strict=True) if t is not None}
    walk.pushforward(ops, found)
    return [found.get(r) for r in results]
