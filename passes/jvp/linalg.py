"""Forward-mode rules of matrix decompositions, triangular systems and Fourier transforms. t is the tangent."""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value
from hhlo_xdsl.dialects.stablehlo.linalg import CholeskyOp, FftOp, TriangularSolveOp
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule, linear
from hhlo_xdsl.passes.matrices import H, N, adjoint, hermitian, matmul, solve, triangle
from hhlo_xdsl.passes.vjp.linalg import phi

linear(FftOp)


@jvp_rule(CholeskyOp)
def cholesky(op: CholeskyOp, tangents: Tangents) -> Tangents:
    """dL = L phi(L^-1 t L^-H), for t made Hermitian; dR is its adjoint with L = R^H, phi(R^-H t R^-1)^H R."""
    (t,) = tangents
    if t is None:
        return [None]
    lower = bool(op.lower)
    factor, t = triangle(Value(op.result), lower=lower), hermitian(Value(t))
    first, last = (N, H) if lower else (H, N)
    inner = phi(solve(factor, solve(factor, t, first, lower=lower), last, left=False, lower=lower))
    return [(matmul(factor, inner) if lower else matmul(adjoint(inner), factor)).ssa]


@jvp_rule(TriangularSolveOp)
def triangular_solve(op: TriangularSolveOp, tangents: Tangents) -> Tangents:
    """dX solves the same system for db - dM X or db - X dM, where M = op(a), of whose triangle dM is the tangent."""
    da, db = tangents
    left, lower, unit, way = bool(op.left_side), bool(op.lower), bool(op.unit_diagonal), op.transpose_a.data
    right = None if db is None else Value(db)
    if da is not None:
        dm, x = triangle(Value(da), lower=lower, strict=unit), Value(op.result)
        product = matmul(dm, x, way) if left else matmul(x, dm, N, way)
        right = -product if right is None else right - product
    if right is None:
        return [None]
    return [solve(Value(op.a), right, way, left=left, lower=lower, unit=unit).ssa]
