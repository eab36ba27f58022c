"""Thin functions of the family linalg."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo import linalg as dialect
from hhlo_xdsl.dialects.stablehlo.attributes import FftType, Transpose
from hhlo_xdsl.stablehlo.shared import Ints, enum_of
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def cholesky(a: ArrayLike, *, lower: bool = False) -> Tensor:
    """The triangular L with a = L L^H, or the R with a = R^H R; what the other triangle holds is not defined."""
    matrix = tensor(a).ssa
    return made(lambda: dialect.CholeskyOp(matrix, lower=lower))


def triangular_solve(
    a: ArrayLike,
    b: ArrayLike,
    *,
    left_side: bool = True,
    lower: bool = True,
    unit_diagonal: bool = False,
    transpose_a: str = "NO_TRANSPOSE",
) -> Tensor:
    """X with op(a) X = b, or X op(a) = b; transpose_a is NO_TRANSPOSE, TRANSPOSE or ADJOINT."""
    operands = tensor(a).ssa, tensor(b).ssa
    sides = {"left_side": left_side, "lower": lower, "unit_diagonal": unit_diagonal}
    op = enum_of("stablehlo.triangular_solve", Transpose, transpose_a)
    return made(lambda: dialect.TriangularSolveOp(*operands, **sides, transpose_a=op))


def fft(operand: ArrayLike, fft_type: str, fft_length: Ints) -> Tensor:
    """The Fourier transform over the last dimensions; fft_type is FFT, IFFT, RFFT or IRFFT."""
    return made(dialect.FftOp, tensor(operand), enum_of("stablehlo.fft", FftType, fft_type), fft_length)
