"""Forward-mode rules of comparison and choice."""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value, select, zeros
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, SelectOp
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule, linear
from hhlo_xdsl.passes.vjp.compare import clamp_choices, stretched_bound

linear(SelectOp)


@jvp_rule(ClampOp)
def clamp(op: ClampOp, tangents: Tangents) -> Tangents:
    """The tangent of whichever of min, operand, max is the result; zero where the operand equals a bound."""
    y = Value(zeros(op.result.type))
    for takes, t in zip(clamp_choices(op), tangents, strict=True):
        if t is not None:
            y = select(takes, Value(stretched_bound(t, op)), y)
    return [y.ssa]
