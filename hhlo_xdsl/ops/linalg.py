"""`hh.linalg`: linear algebra over the last two dimensions; those before are a batch.

Integers and i1 become f32; f16 and bf16 are computed in f32. All is made of StableHLO's ops, so there are no functions
that need eigenvalues, singular values or least squares.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from hhlo_xdsl import dtypes
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops import unary
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.contraction import matmul, outer, tensordot, vecdot
from hhlo_xdsl.ops.creation import eye, iota, tril, triu
from hhlo_xdsl.ops.indexing import take_along_axis
from hhlo_xdsl.ops.movement import (
    broadcast_to,
    expand_dims,
    matrix_transpose,
    moveaxis,
    pad,
    reshape,
    squeeze,
    stack,
    unstack,
)
from hhlo_xdsl.ops.operands import Axis, axes_of, axis_of, inexact
from hhlo_xdsl.ops.reduction import argmax, prod
from hhlo_xdsl.ops.reduction import max as greatest
from hhlo_xdsl.ops.reduction import min as least
from hhlo_xdsl.ops.reduction import sum as total
from hhlo_xdsl.promotion import broadcast_shapes
from hhlo_xdsl.stablehlo import linalg as thin
from hhlo_xdsl.stablehlo import while_
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, promote, tensor
from hhlo_xdsl.where import with_place

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "inv",
    "kron",
    "lu",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_transpose",
    "norm",
    "outer",
    "slogdet",
    "solve",
    "tensordot",
    "trace",
    "triangular_solve",
    "vecdot",
    "vector_norm",
]


# Parts and products


def diagonal(x: ArrayLike, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Tensor:
    """The elements x[i, i + offset] of the matrices along two dimensions, along a last dimension in their place."""
    t = tensor(x)
    if t.ndim < 2:
        raise with_place(ShapeError(f"diagonal: x is {t.spec}; at least 2 dimensions were expected"))
    t = moveaxis(t, (axis1, axis2), (-2, -1))
    t = t[..., max(-offset, 0) :, max(offset, 0) :]
    rows, columns = t.shape[-2:]
    length = min(rows, columns)
    # In rows that are one longer, each element of the diagonal is the first.
    batch = t.shape[:-2]
    flat = reshape(t[..., :length, :], (*batch, length * columns))
    longer = pad(flat, [*[(0, 0)] * len(batch), (0, length)])
    return reshape(longer, (*batch, length, columns + 1))[..., 0]


def trace(x: ArrayLike, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Tensor:
    """The sum of the diagonal; see `diagonal`."""
    return total(diagonal(x, offset, axis1, axis2), -1)


def kron(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The Kronecker product: each element of x1 times all of x2, dimension by dimension, aligned at the last."""
    a, b = promote(x1, x2)
    rank = max(a.ndim, b.ndim)
    sizes_a, sizes_b = ((*[1] * (rank - t.ndim), *t.shape) for t in (a, b))
    left = reshape(a, [n for size in sizes_a for n in (size, 1)])
    right = reshape(b, [n for size in sizes_b for n in (1, size)])
    return reshape(left * right, [m * n for m, n in zip(sizes_a, sizes_b, strict=True)])


def cross(x1: ArrayLike, x2: ArrayLike, axis: int = -1) -> Tensor:
    """The cross product of vectors of 3 along `axis`; x1 and x2 broadcast. Raises ShapeError for another size."""
    a, b = promote(x1, x2)
    d = axis_of("cross", axis, max(a.ndim, b.ndim)) - max(a.ndim, b.ndim)
    for t in (a, b):
        if -d > t.ndim or t.shape[d] != 3:
            raise with_place(ShapeError(f"cross: operands are {a.spec} and {b.spec}; size 3 along {axis} was expected"))
    (a0, a1, a2), (b0, b1, b2) = unstack(a, d), unstack(b, d)
    products = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    return stack(products, d)


def matrix_power(x: ArrayLike, n: int) -> Tensor:
    """x @ x @ .., n times, by repeated squaring; of the inverse for negative n, the identity for 0."""
    t = _square("matrix_power", x)
    if isinstance(n, bool) or not isinstance(n, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise with_place(ShapeError(f"matrix_power: n is {n!r}; an integer was expected"))
    if n < 0:
        return matrix_power(inv(t), -n)
    result = broadcast_to(eye(t.shape[-1], dtype=t.dtype), t.shape)
    while n:
        result = matmul(result, t) if n & 1 else result
        n >>= 1
        t = matmul(t, t) if n else t
    return result


# Norms


def vector_norm(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False, ord: float = 2) -> Tensor:
    """(sum |x| ** ord) ** (1 / ord) over `axis`; for inf and -inf the greatest and least |x|, for 0 how many are not 0.

    Where the sum is 0, so is the derivative.
    """
    t = inexact(x)
    dims = axes_of("vector_norm", axis, t.ndim)
    if ord == math.inf:
        return greatest(unary.abs(t), dims, keepdims=keepdims)
    if ord == -math.inf:
        return least(unary.abs(t), dims, keepdims=keepdims)
    if ord == 0:
        return total((t != 0).astype(unary.real(t).dtype), dims, keepdims=keepdims)
    if ord == 1:
        return total(unary.abs(t), dims, keepdims=keepdims)
    if ord == 2:
        squares = unary.square(unary.real(t)) + unary.square(unary.imag(t)) if t.dtype.kind == "complex" else t * t
        return _root(total(squares, dims, keepdims=keepdims), unary.sqrt)
    return _root(total(unary.abs(t) ** ord, dims, keepdims=keepdims), lambda s: s ** (1 / ord))


def _root(sums: Tensor, root: Callable[[Tensor], Tensor]) -> Tensor:
    """A root whose derivative at 0 is 0."""
    zero = sums == 0
    return where(zero, 0, root(where(zero, 1, sums)))


def matrix_norm(x: ArrayLike, *, keepdims: bool = False, ord: float | Literal["fro"] = "fro") -> Tensor:
    """A norm of matrices: "fro", the root of the sum of squares; 1 and -1, the greatest and least sum of |x| in a
    column; inf and -inf, likewise in a row. Raises ShapeError for others: they need singular values.
    """
    t = _matrix("matrix_norm", x)
    if ord == "fro":
        return vector_norm(t, (-2, -1), keepdims=keepdims)
    if ord not in (1, -1, math.inf, -math.inf):
        raise with_place(ShapeError(f'matrix_norm: ord is {ord!r}; "fro", 1, -1, inf or -inf was expected'))
    along = -2 if abs(ord) == 1 else -1
    sums = total(unary.abs(t), along, keepdims=True)
    fold = greatest if ord > 0 else least
    result = fold(sums, -3 - along, keepdims=True)
    return result if keepdims else squeeze(result, (-2, -1))


def norm(
    x: ArrayLike, ord: float | Literal["fro"] | None = None, axis: Axis = None, *, keepdims: bool = False
) -> Tensor:
    """`vector_norm` over one axis, `matrix_norm` over two; if `ord` is None the root of the sum of squares."""
    t = inexact(x)
    if ord is None:
        return vector_norm(t, axis, keepdims=keepdims)
    dims = axes_of("norm", axis, t.ndim)
    if len(dims) == 2:
        result = matrix_norm(moveaxis(t, dims, (-2, -1)), ord=ord)
        return expand_dims(result, tuple(sorted(dims))) if keepdims else result
    if len(dims) != 1 or ord == "fro":
        raise with_place(ShapeError(f"norm: ord is {ord!r} over {len(dims)} dimensions; 1 or 2 were expected"))
    return vector_norm(t, dims, keepdims=keepdims, ord=ord)


# Factors


def cholesky(x: ArrayLike, *, upper: bool = False) -> Tensor:
    """The lower triangular L with L L^H = x, or the upper one with U^H U = x; NaN unless x is positive definite.

    x : Hermitian; only the triangle that is asked for is read
    """
    t = _square("cholesky", x)
    if not t.size:
        return t
    factor = thin.cholesky(_wide(t), lower=not upper)
    return (triu if upper else tril)(factor).astype(t.dtype)


def triangular_solve(
    a: ArrayLike,
    b: ArrayLike,
    *,
    left_side: bool = True,
    lower: bool = False,
    transpose_a: bool = False,
    conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Tensor:
    """X with op(a) X = b, or X op(a) = b for left_side=False, where op transposes or conjugates the triangular a.

    a             : [.., n, n]; only the triangle that `lower` names is read
    b             : [.., n, m] ([.., m, n] for left_side=False), or a vector [n]
    unit_diagonal : whether the diagonal of a counts as 1, and is not read
    """
    matrix, right = promote(inexact(a), b)
    matrix = _square("triangular_solve", matrix)
    column = right.ndim == 1
    sides = expand_dims(right, -1 if left_side else 0) if column else _matrix("triangular_solve", right)
    n = matrix.shape[-1]
    if sides.shape[-2 if left_side else -1] != n:
        raise with_place(ShapeError(f"triangular_solve: a is {matrix.spec}, b is {right.spec}; size {n} was expected"))
    with at_user_line():
        batch = broadcast_shapes("triangular_solve", matrix.shape[:-2], sides.shape[:-2])
    full_a, full_b = (broadcast_to(t, (*batch, *t.shape[-2:])) for t in (matrix, sides))
    if not full_b.size:
        return right
    conjugated = unary.conj(full_a) if conjugate_a and not transpose_a else full_a
    op = "NO_TRANSPOSE" if not transpose_a else "ADJOINT" if conjugate_a else "TRANSPOSE"
    options: dict[str, Any] = {"left_side": left_side, "lower": lower, "unit_diagonal": unit_diagonal}
    x = thin.triangular_solve(_wide(conjugated), _wide(full_b), transpose_a=op, **options).astype(right.dtype)
    return squeeze(x, -1 if left_side else -2) if column else x


def lu(x: ArrayLike) -> tuple[Tensor, Tensor]:
    """The factors of x with its rows exchanged, by elimination with the greatest pivot: x[perm] = L U.

    Returns [.., n, n], U in the upper triangle and L below it, its diagonal being 1; and perm, [.., n], as i32.
    """
    t = _square("lu", x)
    batch, n = t.shape[:-2], t.shape[-1]
    if not t.size:
        return t, broadcast_to(iota(n), (*batch, n))
    factors, perm = _lu()(reshape(_wide(t), (math.prod(batch), n, n)))
    return reshape(factors, t.shape).astype(t.dtype), reshape(perm, (*batch, n))


@functools.cache
def _lu() -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    """The factors and row numbers of [batch, n, n], with their derivative."""
    from hhlo_xdsl.custom import custom_jvp

    function = custom_jvp(_eliminated)
    function.defjvp(_eliminated_jvp)
    return function


def _eliminated(a: Tensor) -> tuple[Tensor, Tensor]:
    """For each k: exchange row k for the one with the greatest element in column k, and take it off the rows below."""
    batch, n, _ = a.shape
    rows = broadcast_to(iota(n), (batch, n))

    def step(k: Tensor, a: Tensor, perm: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        pivot = argmax(where(rows >= k, unary.abs(a[:, :, k]), -1), 1, keepdims=True)
        order = where(rows == k, pivot, where(rows == pivot, k, rows))
        a, perm = take_along_axis(a, order[:, :, None], 1), take_along_axis(perm, order, 1)
        column, top = a[:, :, k], a[:, k, :]
        head = column[:, k][:, None]
        factor = where((rows > k) & (head != 0), column / where(head == 0, 1, head), 0)
        rest = a - factor[:, :, None] * where(rows > k, top, 0)[:, None, :]
        below = ((rows > k)[:, :, None]) & (rows == k)[:, None, :]
        return k + 1, where(below, factor[:, :, None], rest), perm

    def unfinished(k: Tensor, a: Tensor, perm: Tensor) -> Tensor:
        return k < n

    _, factors, perm = while_([tensor(0), a, rows], unfinished, step)
    return factors, perm


def _eliminated_jvp(args: Sequence[Tensor], tangents: Sequence[Tensor]) -> Any:
    """With M = L^-1 (P da) U^-1: dL = L (M below the diagonal), dU = (M on and above it) U."""
    factors, perm = _lu()(args[0])
    moved = take_along_axis(tangents[0], perm[:, :, None], 1)
    n = factors.shape[-1]
    unit = tril(factors, -1) + eye(n, dtype=factors.dtype)
    half = triangular_solve(factors, moved, lower=True, unit_diagonal=True)
    m = triangular_solve(factors, half, left_side=False)
    return (factors, perm), (matmul(unit, tril(m, -1)) + matmul(triu(m), triu(factors)), None)


def solve(a: ArrayLike, b: ArrayLike) -> Tensor:
    """X with a X = b, by `lu`; not finite where a is singular.

    a : [.., n, n]; b : [.., n, m], or a vector [n]. Batches broadcast.
    """
    matrix, right = promote(inexact(a), b)
    matrix = _square("solve", matrix)
    column = right.ndim == 1
    sides = expand_dims(right, -1) if column else _matrix("solve", right)
    if sides.shape[-2] != matrix.shape[-1]:
        raise with_place(ShapeError(f"solve: a is {matrix.spec}, b is {right.spec}; as many rows were expected"))
    with at_user_line():
        batch = broadcast_shapes("solve", matrix.shape[:-2], sides.shape[:-2])
    factors, perm = lu(_wide(matrix))
    wide = broadcast_to(_wide(sides), (*batch, *sides.shape[-2:]))
    if not wide.size:
        return reshape(wide.astype(right.dtype), (*batch, *right.shape[-1 if column else -2 :]))
    order = broadcast_to(perm, (*batch, perm.shape[-1]))
    y = triangular_solve(factors, take_along_axis(wide, order[..., None], -2), lower=True, unit_diagonal=True)
    x = triangular_solve(factors, y).astype(right.dtype)
    return squeeze(x, -1) if column else x


def inv(x: ArrayLike) -> Tensor:
    """The inverse; not finite where x is singular."""
    t = _square("inv", x)
    return solve(t, broadcast_to(eye(t.shape[-1], dtype=t.dtype), t.shape))


def det(x: ArrayLike) -> Tensor:
    """The determinant. Its derivative is not finite where x is singular."""
    t = _square("det", x)
    factors, perm = lu(_wide(t))
    return (prod(diagonal(factors), -1) * _parity(perm).astype(factors.dtype)).astype(t.dtype)


def slogdet(x: ArrayLike) -> tuple[Tensor, Tensor]:
    """The sign of the determinant, of absolute value 1 or 0, and the logarithm of its absolute value: no overflow."""
    t = _square("slogdet", x)
    factors, perm = lu(_wide(t))
    pivots = diagonal(factors)
    sign = prod(unary.sign(pivots), -1) * _parity(perm).astype(factors.dtype)
    size = total(unary.log(unary.abs(pivots)), -1)
    return sign.astype(t.dtype), size.astype(unary.real(t).dtype)


def _parity(perm: Tensor) -> Tensor:
    """1 or -1, as i32: whether the pairs that stand in the wrong order are even or odd in number."""
    n = perm.shape[-1]
    earlier = iota((n, n), 0) < iota((n, n), 1)
    wrong = (perm[..., :, None] > perm[..., None, :]) & earlier
    return 1 - 2 * (total(wrong, (-2, -1)) % 2)


def _wide(t: Tensor) -> Tensor:
    return t.astype(dtypes.f32) if t.dtype.kind == "float" and t.dtype.bits < 32 else t


def _matrix(function: str, x: ArrayLike) -> Tensor:
    t = inexact(x)
    if t.ndim < 2:
        raise with_place(ShapeError(f"{function}: found {t.spec}; a matrix, or a batch of them, was expected"))
    return t


def _square(function: str, x: ArrayLike) -> Tensor:
    t = _matrix(function, x)
    if t.shape[-1] != t.shape[-2]:
        raise with_place(ShapeError(f"{function}: found {t.spec}; square matrices were expected"))
    return t
