"""What rules of gather and scatter ask about index vectors: which lie in bounds, and whether any two are equal.

Starts are the tensor that holds the index vectors. Per entry of an index vector there is a limit: the greatest start at
which a slice lies within the operand. Masks and checks are left out where the starts are known to need none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, splat
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AndOp
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, CompareOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, elements
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints
from hhlo_xdsl.dialects.stablehlo.shapes import without
from hhlo_xdsl.dialects.types import scalar, shape_of, tensor, type_of
from hhlo_xdsl.passes.ranges import Interval, interval, type_interval
from hhlo_xdsl.passes.vjp.movement import reshaped


def slice_limits(numbers: IndexNumbers, shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Per entry of an index vector: the size of its dimension of the operand minus that of the slice."""
    return [shape[d] - sizes[d] for d in numbers.index_map]


def ranges(starts: SSAValue, numbers: IndexNumbers) -> list[Interval]:
    """Per entry of an index vector an interval that contains it."""
    dim = numbers.index_vector_dim
    is_vector = dim < len(shape_of(starts))
    return [interval(starts, (dim, k) if is_vector else None) for k in range(len(numbers.index_map))]


def clamped(starts: SSAValue, numbers: IndexNumbers, limits: Sequence[int]) -> SSAValue:
    """The starts that gather really uses, each in 0..limit; `starts` itself if they are known to be."""
    known = zip(ranges(starts, numbers), limits, strict=True)
    if all(0 <= low and high <= limit for (low, high), limit in known):
        return starts
    return emit(ClampOp(splat(0, scalar(type_of(starts))), starts, _limits_like(starts, numbers, limits)))


def in_bounds(starts: SSAValue, numbers: IndexNumbers, limits: Sequence[int]) -> SSAValue | None:
    """i1, per index vector: whether its slice lies within the operand; None if all do. Of the scattered sizes."""
    known = list(zip(ranges(starts, numbers), limits, strict=True))
    tests: list[SSAValue] = []
    if any(low < 0 for (low, _), _ in known):
        tests.append((Value(starts) >= 0).ssa)
    if any(high > limit for (_, high), limit in known):
        most = _limits_like(starts, numbers, limits)
        most = most if shape_of(most) else splat_like(most, starts)
        tests.append(emit(CompareOp(starts, most, ComparisonDirection.LE)))
    if not tests:
        return None
    within = tests[0] if len(tests) == 1 else emit(AndOp(*tests))
    return _all_along(within, numbers.index_vector_dim)


def splat_like(x: SSAValue, like_: SSAValue) -> SSAValue:
    """The scalar x in the shape of another value."""
    return emit(BroadcastInDimOp(x, shape_of(like_), ()))


def _limits_like(starts: SSAValue, numbers: IndexNumbers, limits: Sequence[int]) -> SSAValue:
    """The limits as a scalar if they are equal, else in the shape of `starts`; none above what its type holds."""
    type = type_of(starts)
    most = [min(n, type_interval(type.element_type)[1]) for n in limits]
    if len(set(most)) == 1:
        return splat(most[0], scalar(type))
    vector = emit(ConstantOp(elements(tensor((len(most),), type.element_type), most)))
    return emit(BroadcastInDimOp(vector, type.get_shape(), [numbers.index_vector_dim]))


def _all_along(x: SSAValue, dim: int) -> SSAValue:
    """Whether x holds all along `dim`, which vanishes; x itself if there is no such dimension."""
    shape = shape_of(x)
    if dim == len(shape):
        return x
    if shape[dim] == 1:
        return reshaped(x, without(shape, [dim]))
    return emit(ReduceOp([x], [splat(True, scalar(type_of(x)))], [dim], AndOp))


def are_distinct(starts: SSAValue, numbers: IndexNumbers, sizes: Sequence[int]) -> bool:
    """Whether no element of the operand is in two slices of `sizes`, as far as can be seen."""
    shape = shape_of(starts)
    vectors = prod(without(shape, [numbers.index_vector_dim]))
    batches = prod(shape[d] for d in numbers.indices_batching)
    if vectors <= batches:
        return True
    values = as_ints(starts)
    if values is None or numbers.indices_batching or any(sizes[d] != 1 for d in numbers.index_map):
        return False
    inner = prod(shape[numbers.index_vector_dim + 1 :])
    length = len(numbers.index_map)
    found = {values[i // inner * inner * length + i % inner :: inner][:length] for i in range(vectors)}
    return len(found) == vectors


def position_type(starts: SSAValue) -> IntegerType:
    """A signed integer type that holds every start of this type and every size: i32 or i64."""
    element = type_of(starts).element_type
    least, greatest = type_interval(element)
    return IntegerType(64 if least < -(2**31) or greatest >= 2**31 else 32)


def scattered_sizes(starts: SSAValue, numbers: IndexNumbers) -> tuple[int, ...]:
    """The sizes that run over the index vectors."""
    return without(shape_of(starts), [numbers.index_vector_dim])
