"""Reverse-mode rules of ops on matrices and spectra."""

from hhlo_xdsl.dialects.stablehlo.linalg import CholeskyOp, FftOp, TriangularSolveOp
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", CholeskyOp, TriangularSolveOp, FftOp)
