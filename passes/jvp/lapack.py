"""Forward-mode rules of the LAPACK functions that JAX's programs for CPUs call. t is the tangent."""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value, real, select
from hhlo_xdsl.dialects.stablehlo.extension import CustomCallOp
from hhlo_xdsl.dialects.types import is_complex
from hhlo_xdsl.passes.jvp.core import Tangents
from hhlo_xdsl.passes.jvp.custom_calls import custom_call_jvp_rule
from hhlo_xdsl.passes.jvp.linalg import cholesky_tangent, system_tangents
from hhlo_xdsl.passes.matrices import H, hermitian, matmul, row_and_column, solve, triangle
from hhlo_xdsl.passes.vjp.lapack import GETRF, POTRF, SYEVD, TRSM, eigen, factors_of, gaps, or_nan, setting, trsm_system
from hhlo_xdsl.passes.vjp.sums import sum_over


@custom_call_jvp_rule(*POTRF)
def potrf(op: CustomCallOp, tangents: Tangents) -> Tangents:
    """As that of cholesky; zero in the other triangle of the result."""
    (t,) = tangents
    if t is None:
        return [None, None]
    return [cholesky_tangent(or_nan(op, 0), Value(t), lower=setting(op, "uplo") == "L").ssa, None]


@custom_call_jvp_rule(*TRSM)
def trsm(op: CustomCallOp, tangents: Tangents) -> Tangents:
    """As that of triangular_solve."""
    a, _ = op.operands
    return system_tangents(trsm_system(op), Value(a), Value(op.results[0]), tangents)


@custom_call_jvp_rule(*GETRF)
def getrf(op: CustomCallOp, tangents: Tangents) -> Tangents:
    """L stril(X) + triu(X) U, for X = L^-1 P t U^-1; see the reverse rule."""
    (t,) = tangents
    if t is None:
        return [None, None, None]
    p, f = factors_of(op)
    left = solve(f, matmul(p, Value(t)), lower=True, unit=True)
    x = solve(f, left, left=False, lower=False)
    below, above = triangle(x, lower=True, strict=True), triangle(x, lower=False)
    to_l = below + matmul(triangle(f, lower=True, strict=True), below)
    return [(to_l + matmul(above, triangle(f, lower=False))).ssa, None, None]


@custom_call_jvp_rule(*SYEVD)
def syevd(op: CustomCallOp, tangents: Tangents) -> Tangents:
    """dV = V (F * M) and dw = the real diagonal of M = V^H t V, for t made Hermitian."""
    (t,) = tangents
    if t is None:
        return [None, None, None]
    v, w = eigen(op)
    inner = matmul(matmul(v, hermitian(Value(t)), H), v)
    return [matmul(v, gaps(w, v) * inner).ssa, diagonal_of(inner).ssa, None]


def diagonal_of(x: Value) -> Value:
    """[n, n] -> [n], its real part."""
    i, j = row_and_column(x.type)
    kept = select(i.equal(j), real(x) if is_complex(x.type) else x, 0)
    return Value(sum_over(kept.ssa, [x.type.get_num_dims() - 1]))
