"""Reverse-mode rules of ops that apply a function of scalars to every element."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit, inline
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.map import MapOp
from hhlo_xdsl.dialects.types import is_inexact, type_of
from hhlo_xdsl.passes.vjp.core import Cotangent, Cotangents, Walk, inputs, only, walk_rule
from hhlo_xdsl.passes.vjp.folds import on_tensors
from hhlo_xdsl.passes.vjp.regions import pulled_back


@walk_rule(MapOp)
def map_(op: MapOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Those of the computation, on whole tensors if its ops are elementwise, else a map of its adjoint per input."""
    if is_elementwise(op):
        f = on_tensors(op, op.computation)
        found: Sequence[Cotangent] = pulled_back(walk, lambda: f(op.inputs, ()), cts, op.inputs)
    else:
        found = [_adjoint(op, i, only(cts), walk) if is_inexact(x.type) else None for i, x in enumerate(op.inputs)]
    return [*found, *[None] * (len(inputs(op)) - len(op.inputs))]


def is_elementwise(op: MapOp) -> bool:
    """Whether the computation has no loops or branches."""
    return not any(inner.regions for inner in op.computation.block.ops)


def applied(op: MapOp, scalars: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
    """The computation, written out for `scalars`."""
    return inline(op.computation.clone().block, scalars)


def _adjoint(op: MapOp, i: int, ct: SSAValue, walk: Walk) -> SSAValue:
    """The cotangent of input i."""

    def adjoint(*scalars: SSAValue) -> SSAValue:
        *xs, t = scalars
        (found,) = pulled_back(walk, lambda: applied(op, xs), [t], [xs[i]])
        return zeros(type_of(xs[i])) if found is None else found

    return emit(MapOp([*op.inputs, ct], adjoint))
