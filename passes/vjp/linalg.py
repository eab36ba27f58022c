"""Reverse-mode rules of matrix decompositions, triangular systems and Fourier transforms. t is the cotangent."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import i32

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select
from hhlo_xdsl.dialects.stablehlo.attributes import FftType, Transpose
from hhlo_xdsl.dialects.stablehlo.base import ints
from hhlo_xdsl.dialects.stablehlo.binary import OrOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.linalg import CholeskyOp, FftOp, TriangularSolveOp
from hhlo_xdsl.dialects.types import like
from hhlo_xdsl.passes.matrices import (
    H,
    N,
    T,
    conj,
    hermitian,
    matmul,
    real_part,
    row_and_column,
    solve,
    triangle,
)
from hhlo_xdsl.passes.vjp.core import Cotangents, only, vjp_rule

# a = L L^H. With g the cotangent of L, conjugated, in L's triangle, and P = phi(L^H g), the cotangent of a is
# S = L^-H P L^-1, made Hermitian, since a is; conjugated again, since pairing is without conjugation.
# a = R^H R is the case L = R^H, whose cotangent is t^H: L^H g = R t^T, S = R^-1 P R^-H.


@vjp_rule(CholeskyOp)
def cholesky(op: CholeskyOp, cts: Cotangents) -> Cotangents:
    """conj((S + S^H) / 2); all matrices are [n, n]."""
    return [cholesky_cotangent(Value(op.result), Value(only(cts)), lower=bool(op.lower)).ssa]


def cholesky_cotangent(factor: Value, t: Value, *, lower: bool) -> Value:
    """The cotangent of a, for that of its factor, of both of which one triangle is read."""
    t, factor = (triangle(x, lower=lower) for x in (t, factor))
    inner = phi(matmul(conj(factor), conj(t), T) if lower else matmul(factor, t, N, T))
    first, last = (H, N) if lower else (N, H)
    s = solve(factor, solve(factor, inner, first, lower=lower), last, left=False, lower=lower)
    return conj(hermitian(s))


def phi(x: Value) -> Value:
    """The lower triangle of x, with half of the real part of the diagonal: the L with L + L^H = x for a Hermitian x."""
    i, j = row_and_column(x.type)
    return select(i > j, x, select(i.equal(j), 0.5 * real_part(x), 0))


# M X = b or X M = b, with M = op(a), b and X being [n, m] or [m, n]:
#   b : the X' with M^T X' = t, or X' M^T = t
#   M : -X' X^T, or -X^T X';  a, of which M is the transpose or the adjoint: that, transposed, or conjugated too


@vjp_rule(TriangularSolveOp)
def triangular_solve(op: TriangularSolveOp, cts: Cotangents) -> Cotangents:
    """To b the solution of the transposed system, to the triangle of a that is read its product with the result."""
    return system_cotangents(system_of(op), Value(op.a), Value(op.result), Value(only(cts)))


class System(NamedTuple):
    """Which triangular system is solved, in the words of triangular_solve."""

    left: bool
    lower: bool
    unit: bool
    way: Transpose


def system_of(op: TriangularSolveOp) -> System:
    """The system that `op` solves."""
    return System(bool(op.left_side), bool(op.lower), bool(op.unit_diagonal), op.transpose_a.data)


def system_cotangents(system: System, a: Value, x: Value, t: Value) -> Cotangents:
    """The cotangents of a and b, for t of the solution x."""
    left, lower, unit, way = system
    if way is H:  # M^T = conj(a)
        to_b = conj(solve(a, conj(t), N, left=left, lower=lower, unit=unit))
    else:
        to_b = solve(a, t, N if way is T else T, left=left, lower=lower, unit=unit)
    first, second = (to_b, x) if left == (way is N) else (x, to_b)
    product = matmul(first, second, N, T) if left else matmul(first, second, T, N)
    to_a = -(conj(product) if way is H else product)
    return [triangle(to_a, lower=lower, strict=unit).ssa, to_b.ssa]


# y[k] = sum over n of x[n] e(-k n), for FFT; IFFT: e(k n) / N, where N is the number of places that are transformed and
# e(m) = exp(2 pi i m / N); for several dimensions a product of such factors. Both matrices are symmetric, so each
# transform is its own transpose. RFFT keeps half of the spectrum, whose other half is its conjugate. IRFFT sums over
# both halves: over an element of its operand once where it has no counterpart (m = 1: index 0, and the last one if the
# length is even), else twice, the second time conjugated (m = 2):
#   RFFT  : Re sum over k of e(-k n) t[k] = N IRFFT(conj(t / m))
#   IRFFT : m sum over n of e(k n) t[n] / N = m conj(RFFT(t)) / N


@vjp_rule(FftOp)
def fft(op: FftOp, cts: Cotangents) -> Cotangents:
    """FFT(t), IFFT(t), N IRFFT(conj(t / m)) or m conj(RFFT(t)) / N, for the transform of that name."""
    t, lengths = Value(only(cts)), ints(op.fft_length)
    count = prod(lengths)
    match op.fft_type.data:
        case FftType.FFT | FftType.IFFT:
            return [_transformed(t, op.fft_type.data, lengths).ssa]
        case FftType.RFFT:
            halved = select(_is_single(t, lengths[-1]), t, 0.5 * t)
            return [(count * _transformed(conj(halved), FftType.IRFFT, lengths)).ssa]
        case FftType.IRFFT:
            spectrum = conj(_transformed(t, FftType.RFFT, lengths)) / count
            return [select(_is_single(spectrum, lengths[-1]), spectrum, 2 * spectrum).ssa]


def _transformed(x: Value, kind: FftType, lengths: Sequence[int]) -> Value:
    return Value(emit(FftOp(x.ssa, kind, lengths)))


def _is_single(half: Value, length: int) -> Value:
    """i1 of the shape of half a spectrum: whether an element has no counterpart in the other half."""
    k = Value(emit(IotaOp(like(half.type, element=i32), half.type.get_num_dims() - 1)))
    first = k.equal(0)
    return first if length % 2 else first.apply(OrOp, k.equal(length // 2))
