"""The permutation that pivots describe, as a matrix."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.infix import Value, select, splat
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.types import RankedTensor, shape_of, tensor, type_of
from hhlo_xdsl.passes.matrices import row_and_column
from hhlo_xdsl.passes.vjp.sums import sum_over


def permutation(pivots: SSAValue, type: RankedTensor) -> Value:
    """P, of `type`, with P a = a after row i and row pivots[i] - 1 were swapped, for i = 0 .. n - 1 in turn.

    pivots : i32 [n], counted from 1 as LAPACK does
    """
    shape = type.get_shape()
    rows = Value(emit(BroadcastInDimOp(rows_after_swaps(pivots), shape, range(len(shape) - 1))))
    _, column = row_and_column(type)
    return select(rows.equal(column), Value(splat(1, type)), 0)


def rows_after_swaps(pivots: SSAValue) -> SSAValue:
    """i32 [n]: which row stands where, after all swaps."""
    shape = shape_of(pivots)
    last, size = len(shape) - 1, shape[-1]
    place = Value(emit(IotaOp(type_of(pivots), last)))

    def at(values: Value, index: Value) -> Value:
        """[n] -> [n], the same everywhere: values[index]."""
        found = sum_over(select(place.equal(index), values, 0).ssa, [last])
        return Value(emit(BroadcastInDimOp(found, shape, range(last))))

    def is_left(i: SSAValue, rows: SSAValue) -> Sequence[SSAValue]:
        return [(Value(i) < size).ssa]

    def swap(i: SSAValue, rows: SSAValue) -> Sequence[SSAValue]:
        here = Value(emit(BroadcastInDimOp(i, shape, [])))
        there = at(Value(pivots) - 1, here)
        a, b = at(Value(rows), here), at(Value(rows), there)
        swapped = select(place.equal(here), b, select(place.equal(there), a, Value(rows)))
        return [(Value(i) + 1).ssa, swapped.ssa]

    return add(WhileOp([splat(0, tensor((), i32)), place.ssa], is_left, swap)).results[1]
