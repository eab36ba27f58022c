"""Forward-mode rules of matrix decompositions, triangular systems and Fourier transforms. t is the tangent."""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value
from hhlo_xdsl.dialects.stablehlo.linalg import CholeskyOp, FftOp, TriangularSolveOp
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule, linear
from hhlo_xdsl.passes.matrices import H, N, adjoint, hermitian, matmul, solve, triangle
from hhlo_xdsl.passes.vjp.linalg import System, phi, system_of

linear(FftOp)


@jvp_rule(CholeskyOp)
def cholesky(op: CholeskyOp, tangents: Tangents) -> Tangents:
    """dL = L phi(L^-1 t L^-H), for t made Hermitian; dR is its adjoint with L = R^H, phi(R^-H t R^-1)^H R."""
    (t,) = tangents
    if t is None:
        return [None]
    return [cholesky_tangent(Value(op.result), Value(t), lower=bool(op.lower)).ssa]


def cholesky_tangent(factor: Value, t: Value, *, lower: bool) -> Value:
    """The tangent of the factor, of which one triangle is read, for t of a."""
    factor, t = triangle(factor, lower=lower), hermitian(t)
    first, last = (N, H) if lower else (H, N)
    inner = phi(solve(factor, solve(factor, t, first, lower=lower), last, left=False, lower=lower))
    return matmul(factor, inner) if lower else matmul(adjoint(inner), factor)


@jvp_rule(TriangularSolveOp)
def triangular_solve(op: TriangularSolveOp, tangents: Tangents) -> Tangents:
    """dX solves the same system for db - dM X or db - X dM, where M = op(a), of whose triangle dM is the tangent."""
    return system_tangents(system_of(op), Value(op.a), Value(op.result), tangents)


def system_tangents(system: System, a: Value, x: Value, tangents: Tangents) -> Tangents:
    """The tangent of the solution x, for those of a and b."""
    da, db = tangents
    left, lower, unit, way = system
    right = None if db is None else Value(db)
    if da is not None:
        dm = triangle(Value(da), lower=lower, strict=unit)
        product = matmul(dm, x, way) if left else matmul(x, dm, N, way)
        right = -product if right is None else right - product
    if right is None:
        return [None]
    return [solve(a, right, way, left=left, lower=lower, unit=unit).ssa]
