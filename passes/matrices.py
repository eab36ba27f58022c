"""Formulas over matrices, which are the last two dimensions of a tensor; those before number the matrices of a batch.

Shapes are written without the batch. Derivatives do not belong here.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, complex_of, conjugate, real, select
from hhlo_xdsl.dialects.stablehlo.attributes import Precision, Transpose
from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import DotNumbers
from hhlo_xdsl.dialects.stablehlo.linalg import TriangularSolveOp
from hhlo_xdsl.dialects.stablehlo.movement import TransposeOp
from hhlo_xdsl.dialects.types import RankedTensor, is_complex, like

N, T, H = Transpose.NO_TRANSPOSE, Transpose.TRANSPOSE, Transpose.ADJOINT
"""What is done to a matrix before it is used: nothing, transposition, conjugate transposition."""


def conj(x: Value) -> Value:
    """The complex conjugate; x itself if it is real."""
    return conjugate(x) if is_complex(x.type) else x


def transposed(x: Value) -> Value:
    """[m, n] -> [n, m]"""
    rank = x.type.get_num_dims()
    return Value(emit(TransposeOp(x.ssa, [*range(rank - 2), rank - 1, rank - 2])))


def adjoint(x: Value) -> Value:
    """[m, n] -> [n, m], conjugated."""
    return conj(transposed(x))


def matmul(a: Value, b: Value, ta: Transpose = N, tb: Transpose = N) -> Value:
    """ta(a) tb(b), at the highest precision: [m, k] [k, n] -> [m, n]

    Conjugate transposition, unlike transposition, costs a pass over the operand.
    """
    rank = a.type.get_num_dims()
    batch = tuple(range(rank - 2))
    left, right = rank - 1 - (ta is not N), rank - 2 + (tb is not N)
    a, b = (conj(x) if t is H else x for x, t in ((a, ta), (b, tb)))
    numbers = DotNumbers(batch, batch, (left,), (right,))
    return Value(emit(DotGeneralOp(a.ssa, b.ssa, numbers, precision=[Precision.HIGHEST] * 2)))


def solve(a: Value, b: Value, ta: Transpose = N, *, left: bool = True, lower: bool, unit: bool = False) -> Value:
    """The X with ta(a) X = b, or X ta(a) = b, for a triangular matrix a of which only the one triangle is read."""
    op = TriangularSolveOp(a.ssa, b.ssa, left_side=left, lower=lower, unit_diagonal=unit, transpose_a=ta)
    return Value(emit(op))


def row_and_column(type: RankedTensor) -> tuple[Value, Value]:
    """i32 of the shape of `type`: the row and the column of each place."""
    rank, numbers = type.get_num_dims(), like(type, element=i32)
    return Value(emit(IotaOp(numbers, rank - 2))), Value(emit(IotaOp(numbers, rank - 1)))


def triangle(x: Value, *, lower: bool, strict: bool = False) -> Value:
    """x, with zeros outside of one triangle; `strict`: on the diagonal too."""
    i, j = row_and_column(x.type)
    inner, outer = (i, j) if lower else (j, i)
    return select(inner > outer if strict else inner >= outer, x, 0)


def real_part(x: Value) -> Value:
    """x without its imaginary part, in its own type."""
    return complex_of(real(x), 0) if is_complex(x.type) else x


def hermitian(x: Value) -> Value:
    """(x + x^H) / 2"""
    return 0.5 * (x + adjoint(x))
