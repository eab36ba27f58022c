"""Reverse-mode rules of ops that put elements in order.

A sort permutes each line of its inputs. Which permutation that was is found by sorting positions along: the op is
replaced by one with an iota as last input, which the comparator does not look at. Its result p holds, per place of a
line, where the element there came from: y[j] = x[p[j]], so the cotangent of y[j] goes to place p[j].
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add, block_of, emit, inserting
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.base import is_set
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import GatherOp, ScatterOp
from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.dialects.stablehlo.shapes import count, others
from hhlo_xdsl.dialects.types import is_inexact, like, scalar, shape_of, type_of
from hhlo_xdsl.passes.vjp.core import Cotangents, vjp_rule
from hhlo_xdsl.passes.vjp.folds import check_static
from hhlo_xdsl.passes.vjp.scatter import overwrite


@vjp_rule(SortOp)
def sort(op: SortOp, cts: Cotangents) -> Cotangents:
    """To each input the cotangent of its result, put back to where its elements came from."""
    check_static(op)
    if sorts_nothing(op):
        return cts
    dim, positions = op.sorted_dimension, _positions(op)
    return [None if ct is None else _put_back(ct, positions, dim) for ct in cts]


def sorts_nothing(op: SortOp) -> bool:
    """Whether every line has at most one element."""
    shape = shape_of(op.inputs[0])
    return shape[op.sorted_dimension] <= 1 or count(shape) == 0


def _positions(op: SortOp) -> SSAValue:
    """Where the elements of the results came from: a result of the op, or of one that takes its place."""
    for x, y in zip(op.inputs, op.results, strict=True):
        if isinstance(x.owner, IotaOp) and x.owner.iota_dimension.value.data == op.sorted_dimension:
            if not is_inexact(type_of(x)) and not _is_compared(op, list(op.inputs).index(x)):
                return y
    with inserting(block_of(op), before=op):
        *results, positions = with_positions(op)
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    return positions


def _is_compared(op: SortOp, i: int) -> bool:
    """Whether the comparator looks at input i."""
    left, right = op.comparator.block.args[2 * i : 2 * i + 2]
    return bool(list(left.uses) or list(right.uses))


def with_positions(op: SortOp) -> Sequence[SSAValue]:
    """The results of `op`, done again, and where their elements came from, as i32."""
    dim = op.sorted_dimension
    type = like(type_of(op.inputs[0]), element=i32)
    comparator = op.comparator.clone()
    for _ in range(2):
        comparator.block.insert_arg(scalar(type), len(comparator.block.args))
    return add(SortOp([*op.inputs, emit(IotaOp(type, dim))], dim, comparator, is_stable=is_set(op.is_stable))).results


def _put_back(ct: SSAValue, positions: SSAValue, dim: int) -> SSAValue:
    """Along `dim`, ct[j] at place positions[j]; each is the place of one j."""
    numbers = line_numbers(len(shape_of(ct)), dim)
    return emit(ScatterOp([zeros(type_of(ct))], positions, [ct], numbers, overwrite, unique_indices=True))


def taken(x: SSAValue, positions: SSAValue, dim: int) -> SSAValue:
    """x[positions[j]] along `dim`."""
    rank = len(shape_of(x))
    return emit(GatherOp(x, positions, line_numbers(rank, dim), [1] * rank))


def line_numbers(rank: int, dim: int) -> IndexNumbers:
    """Single numbers that are positions along `dim`, in the line they stand in themselves."""
    along = others(rank, [dim])
    return IndexNumbers((), (dim,), along, along, (dim,), rank)
