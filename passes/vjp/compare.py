"""Reverse-mode rules of comparison and choice."""

from __future__ import annotations

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, maximum, select
from hhlo_xdsl.dialects.stablehlo.binary import AndOp
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.types import is_complex, shape_of, type_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Cotangents, non_differentiable, only, vjp_rule
from hhlo_xdsl.passes.vjp.sums import sum_all

non_differentiable("its result is boolean", CompareOp)


@vjp_rule(SelectOp)
def select_(op: SelectOp, cts: Cotangents) -> Cotangents:
    """t to the branch that was chosen, zero to the other; a scalar pred chooses for all elements."""
    t, pred = Value(only(cts)), Value(op.pred)
    return [None, select(pred, t, 0).ssa, select(pred, 0, t).ssa]


@vjp_rule(ClampOp)
def clamp(op: ClampOp, cts: Cotangents) -> Cotangents:
    """t to whichever of min, operand, max is the result; to none where the operand equals a bound.

    A scalar bound gets the sum.
    """
    t = Value(only(cts))
    to_low, to_x, to_high = (select(takes, t, 0) for takes in clamp_choices(op))
    return [_shrunk(to_low, op.min), to_x.ssa, _shrunk(to_high, op.max)]


def clamp_choices(op: ClampOp) -> tuple[Value, Value, Value]:
    """Where y = minimum(maximum(x, low), high) is low, x and high; none of them where x equals a bound."""
    x = Value(op.operand)
    if is_complex(x.type):
        raise DifferentiationError(
            f"stablehlo.clamp of complex numbers, here {x.type}, has no derivative here: devices do not agree on their"
            f" order; clamp real numbers, such as their real and imag{place(op)}"
        )
    low, high = (Value(stretched_bound(bound, op)) for bound in (op.min, op.max))
    takes_x = (low < x).apply(AndOp, x < high)
    takes_low = (x < low).apply(AndOp, low < high)
    return takes_low, takes_x, high < maximum(x, low)


def stretched_bound(bound: SSAValue, op: ClampOp) -> SSAValue:
    """A bound, or its tangent, in the operand's shape."""
    shape = shape_of(op.operand)
    return bound if shape_of(bound) == shape else emit(BroadcastInDimOp(bound, shape, ()))


def _shrunk(ct: Value, bound: SSAValue) -> SSAValue:
    """A cotangent in the bound's shape."""
    return ct.ssa if ct.type == type_of(bound) else sum_all(ct.ssa)
