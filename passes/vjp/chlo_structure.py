"""Reverse-mode rules of CHLO's top_k and ragged_dot; scan is in passes/vjp/chlo_scan.py."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.chlo.contraction import RaggedDotNumbers, RaggedDotOp
from hhlo_xdsl.dialects.chlo.ordering import TopKOp
from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import Dims
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import ScatterOp
from hhlo_xdsl.dialects.types import is_inexact, shape_of, type_of
from hhlo_xdsl.passes.vjp.contraction import common, partners, placed, spans
from hhlo_xdsl.passes.vjp.core import Cotangent, Cotangents, Walk, only, vjp_rule, walk_rule
from hhlo_xdsl.passes.vjp.folds import converted
from hhlo_xdsl.passes.vjp.guards import guarded_product
from hhlo_xdsl.passes.vjp.movement import transposed


def along_last(rank: int) -> IndexNumbers:
    """Indices into the last of `rank` dimensions; the others are those of the indices."""
    others = tuple(range(rank - 1))
    return IndexNumbers((), (rank - 1,), others, others, (rank - 1,), rank)


@vjp_rule(TopKOp)
def top_k(op: TopKOp, cts: Cotangents) -> Cotangents:
    """[.., k] -> [.., n]: the cotangent of the values, added to zeros where they came from."""
    ct, _ = cts
    if ct is None:
        return [None]
    numbers = along_last(len(shape_of(op.operand)))
    into = zeros(op.operand.type)
    return [add(ScatterOp([into], op.indices, [ct], numbers, AddOp, unique_indices=True)).results[0]]


# ragged_dot, with batch b, lhs-free m, rhs-free n, contracted k, each any number of dimensions, and groups g:
#   m ragged  [b, m, k] x [g, b, k, n] -> [b, m, n]
#     lhs     [b, m, n] x [g, b, k, n] -> [b, m, k]       m ragged, n contracted
#     rhs     [b, m, k] x [b, m, n]    -> [g, b, k, n]    m ragged and contracted
#   k ragged  [b, m, k] x [b, k, n]    -> [g, b, m, n]
#     lhs     [b, k, n] x [g, b, m, n] -> [b, k, m]       k ragged, n contracted
#     rhs     [b, k, m] x [g, b, m, n] -> [b, k, n]       k ragged, m contracted
#   b ragged  as dot_general
# The groups stay the same ones: what is outside of the ragged dimension comes in the same order.


@walk_rule(RaggedDotOp)
def ragged_dot(op: RaggedDotOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Two ragged_dots, one per operand; the sizes of the groups have no cotangent."""
    of_lhs, of_rhs = (_lhs, _rhs) if op.numbers.role != "contracting" else (_contracted_lhs, _contracted_rhs)

    def cotangent(of: Callable[[RaggedDotOp, SSAValue, SSAValue], SSAValue], x: SSAValue, other: SSAValue) -> Cotangent:
        if not is_inexact(x.type):
            return None
        product = guarded_product(lambda t, value: of(op, t, value), only(cts), other, walk.options)
        return converted(product, type_of(x).element_type)

    return [cotangent(of_lhs, op.lhs, op.rhs), cotangent(of_rhs, op.rhs, op.lhs), None]


def _free(op: RaggedDotOp) -> tuple[Dims, Dims]:
    """The free dimensions of lhs and of rhs."""
    return op.numbers.lhs_free(len(shape_of(op.lhs))), op.numbers.rhs_free(len(shape_of(op.rhs)))


def _lhs(op: RaggedDotOp, ct: SSAValue, rhs: SSAValue) -> SSAValue:
    n, (m, free) = op.numbers, _free(op)
    b, _, columns = spans(n.lhs_batching, m, free)
    ragged = (*n.lhs_batching, *m).index(n.ragged)
    numbers = RaggedDotNumbers(b, n.rhs_batching, columns, free, (ragged,), n.rhs_group)
    product = _dot(op, ct, rhs, numbers)
    return placed(product, (*n.lhs_batching, *m, *partners(n.rhs_contracting, n.lhs_contracting)))


def _rhs(op: RaggedDotOp, ct: SSAValue, lhs: SSAValue) -> SSAValue:
    n, (m, free) = op.numbers, _free(op)
    b, rows, _ = spans(n.lhs_batching, m, free)
    product = _dot(op, lhs, ct, RaggedDotNumbers(n.lhs_batching, b, m, rows, n.lhs_ragged))
    k = partners(n.lhs_contracting, n.rhs_contracting)
    return placed(product, (*n.rhs_group, *n.rhs_batching, *k, *free))


def _contracted_lhs(op: RaggedDotOp, ct: SSAValue, rhs: SSAValue) -> SSAValue:
    n, (m, free) = op.numbers, _free(op)
    _, b, _, columns = spans((0,), n.lhs_batching, m, free)
    product = _back(op, rhs, (n.rhs_batching, n.rhs_contracting, free), ct, b, columns)
    return placed(product, (*n.lhs_batching, *n.lhs_contracting, *m))


def _contracted_rhs(op: RaggedDotOp, ct: SSAValue, lhs: SSAValue) -> SSAValue:
    n, (m, free) = op.numbers, _free(op)
    _, b, rows, _ = spans((0,), n.lhs_batching, m, free)
    product = _back(op, lhs, (n.lhs_batching, n.lhs_contracting, m), ct, b, rows)
    return placed(product, (*n.rhs_batching, *n.rhs_contracting, *free))


def _back(
    op: RaggedDotOp, x: SSAValue, roles: tuple[Dims, Dims, Dims], ct: SSAValue, batching: Dims, contracting: Dims
) -> SSAValue:
    """x, of batching, contracted and free dimensions, times the group's part of ct: [b, k, n] x [g, b, m, n].

    x is put into the order of `roles`, in which the dimensions outside of the ragged one come before it.
    """
    b, k, free = spans(*roles)
    ragged = k[op.numbers.lhs_contracting.index(op.numbers.ragged)]
    numbers = RaggedDotNumbers(b, batching, free, contracting, (ragged,), (0,))
    return _dot(op, transposed(x, [d for dims in roles for d in dims]), ct, numbers)


def _dot(op: RaggedDotOp, lhs: SSAValue, rhs: SSAValue, numbers: RaggedDotNumbers) -> SSAValue:
    """lhs and rhs in a common element type, multiplied by groups as precisely as `op` does."""
    element = common(type_of(lhs).element_type, type_of(rhs).element_type)
    lhs, rhs = converted(lhs, element), converted(rhs, element)
    return add(RaggedDotOp(lhs, rhs, op.group_sizes, numbers, precision=op.precision)).results[0]
