"""Forward-mode rules of ops that apply a function of scalars to every element."""

from __future__ import annotations

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.map import MapOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangents, filled, jvp_walk_rule
from hhlo_xdsl.passes.jvp.folds import pushed, pushed_forward
from hhlo_xdsl.passes.vjp.folds import on_tensors
from hhlo_xdsl.passes.vjp.map import applied, is_elementwise


@jvp_walk_rule(MapOp)
def map_(op: MapOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """Those of the computation, on whole tensors if its ops are elementwise, else a map of its derivative."""
    if is_elementwise(op):
        f = on_tensors(op, op.computation)
        return pushed_forward(op, tangents, walk, lambda: f(op.inputs, ()))
    n = len(op.inputs)
    moved = [i for i in range(n) if tangents[i] is not None]

    def derivative(*scalars: SSAValue) -> SSAValue:
        along = dict(zip((scalars[i] for i in moved), scalars[n:], strict=True))
        (value,), (found,) = pushed(along, walk, lambda: applied(op, scalars[:n]))
        return filled(found, value)

    return [emit(MapOp([*op.inputs, *(t for t in tangents[:n] if t is not None)], derivative))]
