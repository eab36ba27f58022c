"""What integers a value can hold: an interval that contains them all, read off the ops that compute it.

Nothing is emitted here. An interval is (least, greatest), both included.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp, MultiplyOp, RemainderOp, SubtractOp
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, IotaOp
from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp
from hhlo_xdsl.dialects.types import kind, shape_of, type_of

Interval: TypeAlias = tuple[int, int]
At: TypeAlias = tuple[int, int] | None
"""(dimension, position): only the elements there are asked about; None: all are."""

DEEPEST = 12
"""How many ops are looked through, one behind the other; each may have three operands."""


def interval(value: SSAValue, at: At = None) -> Interval:
    """An interval that contains the elements of `value`, a tensor of integers, at `at`."""
    return _interval(value, at, DEEPEST)


def type_interval(element: Attribute) -> Interval:
    """All numbers of an integer type."""
    width = cast("IntegerType[Any, Any]", element).width.data
    return (0, 2**width - 1) if kind(element) in ("uint", "bool") else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)


def _interval(value: SSAValue, at: At, depth: int) -> Interval:
    whole = type_interval(type_of(value).element_type)
    if isinstance(value, OpResult) and isinstance(value.op, SortOp) and depth:
        return _interval(value.op.inputs[value.index], None, depth - 1)
    rule = _RULES.get(type(value.owner)) if isinstance(value.owner, Operation) else None
    if rule is None or depth == 0:
        return whole
    found = rule(value.owner, at, depth - 1)
    # What leaves the type wraps around.
    return found if found is not None and whole[0] <= found[0] and found[1] <= whole[1] else whole


def _constant(op: ConstantOp, at: At, depth: int) -> Interval | None:
    values = as_ints(op.output)
    if not values or kind(type_of(op.output).element_type) != "int":
        return None
    shape = shape_of(op.output)
    if at is not None and len(values) > 1:
        dim, position = at
        inner = prod(shape[dim + 1 :])
        values = [v for k, v in enumerate(values) if k // inner % shape[dim] == position]
    return min(values), max(values)


def _iota(op: IotaOp, at: At, depth: int) -> Interval:
    dim = op.iota_dimension.value.data
    if at is not None and at[0] == dim:
        return at[1], at[1]
    return 0, max(0, shape_of(op.output)[dim] - 1)


def _convert(op: ConvertOp, at: At, depth: int) -> Interval | None:
    if kind(op.operand.type.element_type) not in ("int", "uint"):
        return None
    return _interval(op.operand, at, depth)


def _broadcast(op: BroadcastInDimOp, at: At, depth: int) -> Interval:
    dims = ints(op.broadcast_dimensions)
    if at is None or at[0] not in dims:
        return _interval(op.operand, None, depth)
    dim = dims.index(at[0])
    return _interval(op.operand, (dim, at[1] if shape_of(op.operand)[dim] > 1 else 0), depth)


def _concatenate(op: ConcatenateOp, at: At, depth: int) -> Interval:
    dim, offset = op.dimension.value.data, 0
    if at is None or at[0] != dim:
        return _hull(*(_interval(x, at, depth) for x in op.inputs))
    for x in op.inputs:
        size = shape_of(x)[dim]
        if at[1] < offset + size:
            return _interval(x, (dim, at[1] - offset), depth)
        offset += size
    return type_interval(op.result.type.element_type)


def _moved(op: Operation, at: At, depth: int) -> Interval:
    """The elements of the operand, or some of them."""
    return _interval(op.operands[0], None, depth)


def _select(op: SelectOp, at: At, depth: int) -> Interval:
    """Both branches; select(i < 0, i + n, i), as JAX spells an index that may count from the end, more closely."""
    on_false = _interval(op.on_false, at, depth)
    compare, moved = op.pred.owner, op.on_true.owner
    counts_from_end = (
        isinstance(compare, CompareOp)
        and compare.comparison_direction.data is ComparisonDirection.LT
        and compare.lhs is op.on_false
        and _interval(compare.rhs, at, depth) == (0, 0)
    )
    if not counts_from_end:
        return _hull(_interval(op.on_true, at, depth), on_false)
    least, greatest = on_false
    if least >= 0:
        return on_false
    kept = (0, max(0, greatest))
    if isinstance(moved, AddOp) and moved.lhs is op.on_false:
        low, high = _interval(moved.rhs, at, depth)
        return _hull((least + low, min(-1, greatest) + high), kept)
    return _hull(_interval(op.on_true, at, depth), kept)


def _clamp(op: ClampOp, at: At, depth: int) -> Interval:
    low, x, high = (_interval(v, at if shape_of(v) else None, depth) for v in (op.min, op.operand, op.max))
    return min(max(x[0], low[0]), high[0]), min(max(x[1], low[1]), high[1])


def _binary(combine: Callable[[Interval, Interval], Interval]) -> Callable[[Any, At, int], Interval]:
    return lambda op, at, depth: combine(_interval(op.lhs, at, depth), _interval(op.rhs, at, depth))


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _remainder(a: Interval, b: Interval) -> Interval:
    """a % b has the sign of a, and is less than b in size; a % 0 is -1 or a itself on some devices."""
    if b[0] <= 0:
        return min(-1, a[0]), max(a[1], b[1])
    return (0 if a[0] >= 0 else max(a[0], 1 - b[1])), (0 if a[1] <= 0 else min(a[1], b[1] - 1))


def _hull(*parts: Interval) -> Interval:
    return min(p[0] for p in parts), max(p[1] for p in parts)


_RULES: dict[type[Operation], Callable[[Any, At, int], Interval | None]] = {
    ConstantOp: _constant,
    IotaOp: _iota,
    ConvertOp: _convert,
    BroadcastInDimOp: _broadcast,
    ConcatenateOp: _concatenate,
    ReshapeOp: _moved,
    TransposeOp: _moved,
    ReverseOp: _moved,
    SliceOp: _moved,
    SelectOp: _select,
    ClampOp: _clamp,
    AddOp: _binary(lambda a, b: (a[0] + b[0], a[1] + b[1])),
    SubtractOp: _binary(lambda a, b: (a[0] - b[1], a[1] - b[0])),
    MultiplyOp: _binary(_product),
    MaximumOp: _binary(lambda a, b: (max(a[0], b[0]), max(a[1], b[1]))),
    MinimumOp: _binary(lambda a, b: (min(a[0], b[0]), min(a[1], b[1]))),
    RemainderOp: _binary(_remainder),
}
