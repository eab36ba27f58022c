"""ragged_dot: a dot_general per group, in a loop over the groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.chlo.contraction import RaggedDotOp
from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.infix import Value, both, convert, select, zeros
from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import Dims, DotNumbers
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.types import is_static, shape_of, tensor, type_of
from hhlo_xdsl.passes.chlo_legalize.control_flow import slice_at, write_at
from hhlo_xdsl.passes.chlo_legalize.core import lowering
from hhlo_xdsl.passes.place import place

Step = Callable[[SSAValue, "Group", SSAValue], SSAValue]
"""(number of the group, the group, result so far) -> result with the group's part."""


class Group:
    """The indices start <= k < start + size of the ragged dimension; both have the outer dimensions' shape."""

    def __init__(self, start: Value, size: Value):
        self.start, self.end = start, start + size

    def mask(self, shape: Sequence[int], ragged: int, outer: Dims) -> Value:
        """Whether each position of a tensor of `shape` is in the group.

        ragged : which of its dimensions is the ragged one
        outer  : which ones the dimensions of start are
        """
        type = tensor(tuple(shape), i32)
        k = Value(emit(IotaOp(type, ragged)))
        start, end = (Value(emit(BroadcastInDimOp(v.ssa, tuple(shape), outer))) for v in (self.start, self.end))
        return both(k >= start, k < end)


@lowering(RaggedDotOp)
def ragged_dot(op: RaggedDotOp) -> Sequence[SSAValue]:
    """By the role of the ragged dimension; rows in no group are 0."""
    for value in (*op.operands, *op.results):
        if not is_static(type_of(value)):
            raise ShapeError(
                f"{op.name}: it works on {value.type}; as dot_generals it needs every size; refine the program's types"
                f" first{place(op)}"
            )
    n = op.numbers
    if n.role == "batching":
        return [_dot(op, op.lhs, op.rhs, n.rhs_batching, n.rhs_contracting)]
    return [_over_groups(op, _free_step(op) if n.role == "free" else _contracting_step(op))]


def _over_groups(op: RaggedDotOp, step: Step) -> SSAValue:
    """`step`, for one group after the other; the loop carries the group's number, its start, and the result so far."""
    groups = shape_of(op.group_sizes)[-1]
    sizes = convert(Value(op.group_sizes), i32)

    def more(i: SSAValue, *_: SSAValue) -> SSAValue:
        return (Value(i) < groups).ssa

    def body(i: SSAValue, start: SSAValue, result: SSAValue) -> list[SSAValue]:
        size = Value(slice_at(sizes.ssa, len(shape_of(sizes.ssa)) - 1, i))
        group = Group(Value(start), size)
        return [(Value(i) + 1).ssa, group.end.ssa, step(i, group, result)]

    outer = shape_of(op.group_sizes)[:-1]
    first = [zeros(tensor((), i32)), zeros(tensor(outer, i32)), zeros(op.result.type)]
    return add(WhileOp(first, more, body)).results[2]


def _free_step(op: RaggedDotOp) -> Step:
    """lhs [b, m, k] times the group's slice [b, k, n] of rhs, kept in the group's rows of the result [b, m, n]."""
    n = op.numbers
    rank = len(shape_of(op.lhs))
    order = [*n.lhs_batching, *n.lhs_free(rank)]
    outer = tuple(order.index(d) for d in _outer(op))

    def step(i: SSAValue, group: Group, result: SSAValue) -> SSAValue:
        (g,) = n.rhs_group
        batching, contracting = (tuple(d - (d > g) for d in dims) for dims in (n.rhs_batching, n.rhs_contracting))
        product = Value(_dot(op, op.lhs, slice_at(op.rhs, g, i), batching, contracting))
        mask = group.mask(shape_of(result), order.index(n.ragged), outer)
        return select(mask, product, Value(result)).ssa

    return step


def _contracting_step(op: RaggedDotOp) -> Step:
    """lhs [b, m, k] and rhs [b, k, n], 0 outside of the group, give its place in the result [g, b, m, n]."""
    n = op.numbers
    left, right = n.lhs_batching + n.lhs_contracting, n.rhs_batching + n.rhs_contracting
    partner = dict(zip(left, right, strict=True))
    outer = _outer(op)

    def step(i: SSAValue, group: Group, result: SSAValue) -> SSAValue:
        lhs = _kept(op.lhs, group.mask(shape_of(op.lhs), n.ragged, outer))
        inner = tuple(partner[d] for d in outer)
        rhs = _kept(op.rhs, group.mask(shape_of(op.rhs), partner[n.ragged], inner))
        return write_at(result, _dot(op, lhs, rhs, n.rhs_batching, n.rhs_contracting), 0, i)

    return step


def _outer(op: RaggedDotOp) -> Dims:
    """The dimensions of lhs that the leading ones of group_sizes are; none where those are only [g]."""
    return op.numbers.before_ragged(len(shape_of(op.lhs))) if len(shape_of(op.group_sizes)) > 1 else ()


def _kept(x: SSAValue, mask: Value) -> SSAValue:
    return select(mask, Value(x), 0).ssa


def _dot(op: RaggedDotOp, lhs: SSAValue, rhs: SSAValue, batching: Dims, contracting: Dims) -> SSAValue:
    """The product of lhs and rhs, whose dimensions have these roles, as precise as `op` is and of its elements."""
    n = op.numbers
    numbers = DotNumbers(n.lhs_batching, batching, n.lhs_contracting, contracting)
    element = op.result.type.element_type
    return emit(DotGeneralOp(lhs, rhs, numbers, precision=op.precision, element=element))
