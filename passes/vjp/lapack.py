"""Reverse-mode rules of the LAPACK functions that JAX's programs for CPUs call. t is the cotangent."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, complex_of, select
from hhlo_xdsl.dialects.stablehlo.extension import CustomCallOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.stablehlo.unary import NotOp
from hhlo_xdsl.dialects.types import is_complex
from hhlo_xdsl.passes.matrices import H, N, T, conj, hermitian, matmul, row_and_column, solve, triangle
from hhlo_xdsl.passes.vjp.core import Cotangents, missing_rule
from hhlo_xdsl.passes.vjp.custom_calls import custom_call_rule
from hhlo_xdsl.passes.vjp.linalg import System, cholesky_cotangent, system_cotangents
from hhlo_xdsl.passes.vjp.pivots import permutation

POTRF = tuple(f"lapack_{kind}potrf_ffi" for kind in "sdcz")
GETRF = tuple(f"lapack_{kind}getrf_ffi" for kind in "sdcz")
TRSM = tuple(f"lapack_{kind}trsm_ffi" for kind in "sdcz")
SYEVD = ("lapack_ssyevd_ffi", "lapack_dsyevd_ffi", "lapack_cheevd_ffi", "lapack_zheevd_ffi")


def setting(op: CustomCallOp, name: str) -> str:
    """The letter that LAPACK is given as `name`, such as L or U as uplo."""
    for config in (op.backend_config, op.attributes.get("mhlo.backend_config")):
        if isinstance(config, DictionaryAttr) and isinstance(letter := config.data.get(name), IntegerAttr):
            return chr(cast("IntegerAttr", letter).value.data)
    raise missing_rule(op, f"its backend_config says no {name}, which LAPACK's function is given as a letter")


@custom_call_rule(*POTRF)
def potrf(op: CustomCallOp, cts: Cotangents) -> Cotangents:
    """As that of cholesky; what stands in the other triangle of the result is not looked at."""
    t = cts[0]
    if t is None:
        return [None]
    return [cholesky_cotangent(or_nan(op, 0), Value(t), lower=setting(op, "uplo") == "L").ssa]


def or_nan(op: CustomCallOp, number: int) -> Value:
    """A result of op; NaN where info, the last result, says that there is none, so that derivatives are NaN too."""
    found, info = Value(op.results[number]), Value(op.results[-1])
    failed = info.equal(0).apply(NotOp)
    everywhere = Value(emit(BroadcastInDimOp(failed.ssa, found.type.get_shape(), range(info.type.get_num_dims()))))
    return select(everywhere, float("nan"), found)


@custom_call_rule(*TRSM)
def trsm(op: CustomCallOp, cts: Cotangents) -> Cotangents:
    """As those of triangular_solve."""
    (t,) = cts
    a, _ = op.operands
    return [None, None] if t is None else system_cotangents(trsm_system(op), Value(a), Value(op.results[0]), Value(t))


def trsm_system(op: CustomCallOp) -> System:
    """The system that a trsm solves."""
    way = {"N": N, "T": T, "C": H}[setting(op, "trans_x")]
    return System(setting(op, "side") == "L", setting(op, "uplo") == "L", setting(op, "diag") == "U", way)


# P a = L U, packed into one matrix F: L below the diagonal, whose own is 1, and U above. For dX = L^-1 P da U^-1,
# dL = L stril(dX) and dU = triu(dX) U. stril is the lower triangle without the diagonal, triu the upper one with it.


@custom_call_rule(*GETRF)
def getrf(op: CustomCallOp, cts: Cotangents) -> Cotangents:
    """P^T L^-T (stril(L^T stril(t)) + triu(triu(t) U^T)) U^-T; all are [n, n]."""
    if cts[0] is None:
        return [None]
    p, f, t = *factors_of(op), Value(cts[0])
    below, above = triangle(t, lower=True, strict=True), triangle(t, lower=False)
    to_l = below + matmul(triangle(f, lower=True, strict=True), below, T)
    to_u = matmul(above, triangle(f, lower=False), N, T)
    inner = triangle(to_l, lower=True, strict=True) + triangle(to_u, lower=False)
    left = solve(f, inner, T, lower=True, unit=True)
    return [matmul(p, solve(f, left, T, left=False, lower=False), T).ssa]


def factors_of(op: CustomCallOp) -> tuple[Value, Value]:
    """P and F of a getrf; raises DifferentiationError unless they are square."""
    f = Value(op.results[0])
    if len(set(f.type.get_shape()[-2:])) != 1:
        raise missing_rule(op, "its matrix is not square")
    return permutation(op.results[1], f.type), f


# a V = V diag(w). With g the conjugated cotangent of V, and F[i, j] = 1 / (w[j] - w[i]), the conjugated cotangent of a
# is V (diag(t of w) + F * (V^H g)) V^H, made Hermitian, since a is. F is 0 where eigenvalues are equal.


@custom_call_rule(*SYEVD)
def syevd(op: CustomCallOp, cts: Cotangents) -> Cotangents:
    """conj(V (diag(t of w) + F * (V^H g)) V^H), made Hermitian; all matrices are [n, n], w is [n]."""
    v, w = eigen(op)
    to_v, to_w = cts[0], cts[1]
    inner = None if to_v is None else gaps(w, v) * matmul(v, conj(Value(to_v)), H)
    if to_w is not None:
        values = diagonal(Value(to_w), v)
        inner = values if inner is None else inner + values
    if inner is None:
        return [None]
    return [conj(hermitian(matmul(matmul(v, inner), v, N, H))).ssa]


def eigen(op: CustomCallOp) -> tuple[Value, Value]:
    """V and w of a syevd or heevd."""
    if setting(op, "mode") != "V":
        raise missing_rule(op, "it computes eigenvalues only, whose derivatives need eigenvectors: give mode V")
    return or_nan(op, 0), or_nan(op, 1)


def gaps(w: Value, v: Value) -> Value:
    """F[i, j] = 1 / (w[j] - w[i]), 0 where they are equal, in the type of v."""
    difference = spread(w, v, -1) - spread(w, v, -2)
    equal = difference.equal(0)
    found = select(equal, 0, 1 / select(equal, 1, difference))
    return complex_of(found, 0) if is_complex(v.type) else found


def diagonal(w: Value, v: Value) -> Value:
    """diag(w), in the type of v."""
    i, j = row_and_column(v.type)
    found = select(i.equal(j), spread(w, v, -1), 0)
    return complex_of(found, 0) if is_complex(v.type) else found


def spread(w: Value, v: Value, axis: int) -> Value:
    """[n] -> [n, n], along the columns (-1) or the rows (-2) of v."""
    rank = v.type.get_num_dims()
    return Value(emit(BroadcastInDimOp(w.ssa, v.type.get_shape(), [*range(rank - 2), rank + axis])))
