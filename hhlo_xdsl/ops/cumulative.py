"""Functions that fold the elements up to each place along an axis: in log2(size) steps, each over the whole tensor.

axis    : if None, x is taken as one row
reverse : whether to fold the elements from each place on, instead of those up to it

Small types are folded in wider ones, as by `sum`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from hhlo_xdsl import dtypes
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.binary import add, logaddexp, maximum, minimum, multiply, subtract
from hhlo_xdsl.ops.compare import not_equal
from hhlo_xdsl.ops.creation import full
from hhlo_xdsl.ops.movement import concat, flip, pad
from hhlo_xdsl.ops.operands import axis_of, check_ordered, inexact
from hhlo_xdsl.ops.reduction import accumulator, greatest_of, lowest
from hhlo_xdsl.tensor import ArrayLike, Tensor, tensor
from hhlo_xdsl.where import with_place

Fold = Callable[[Tensor, Tensor], Tensor]


def cumsum(x: ArrayLike, axis: int | None = None, *, dtype: DType | None = None, reverse: bool = False) -> Tensor:
    """The sums up to each place along `axis`; `dtype` is as for `sum`."""
    return _accumulated(add, 0, "cumsum", x, axis, dtype, reverse)


def cumprod(x: ArrayLike, axis: int | None = None, *, dtype: DType | None = None, reverse: bool = False) -> Tensor:
    """The products up to each place along `axis`; `dtype` is as for `sum`."""
    return _accumulated(multiply, 1, "cumprod", x, axis, dtype, reverse)


def cummax(x: ArrayLike, axis: int | None = None, *, reverse: bool = False) -> Tensor:
    """The greatest element up to each place along `axis`, NaN from the first on; DTypeError for complex ones."""
    t = tensor(x)
    check_ordered("cummax", t)
    return _folded(maximum, lowest(t.dtype), "cummax", t, axis, reverse)


def cummin(x: ArrayLike, axis: int | None = None, *, reverse: bool = False) -> Tensor:
    """The least element up to each place along `axis`, NaN from the first on; DTypeError for complex ones."""
    t = tensor(x)
    check_ordered("cummin", t)
    return _folded(minimum, greatest_of(t.dtype), "cummin", t, axis, reverse)


def cumlogsumexp(x: ArrayLike, axis: int | None = None, *, reverse: bool = False) -> Tensor:
    """log(cumsum(e ** x)), without overflow; integers and i1 become f32."""
    return _folded(logaddexp, -math.inf, "cumlogsumexp", inexact(x), axis, reverse)


def cumulative_sum(
    x: ArrayLike, axis: int | None = None, *, dtype: DType | None = None, include_initial: bool = False
) -> Tensor:
    """The sums up to each place, with `include_initial` after a first 0; axis may be None for a vector only."""
    return _with_initial(cumsum, 0, "cumulative_sum", x, axis, dtype, include_initial)


def cumulative_prod(
    x: ArrayLike, axis: int | None = None, *, dtype: DType | None = None, include_initial: bool = False
) -> Tensor:
    """The products up to each place, with `include_initial` after a first 1; axis may be None for a vector only."""
    return _with_initial(cumprod, 1, "cumulative_prod", x, axis, dtype, include_initial)


def diff(x: ArrayLike, n: int = 1, axis: int = -1) -> Tensor:
    """The differences of neighbours along `axis`, taken n times; for i1, whether they differ.

    Raises ShapeError for negative n.
    """
    t = tensor(x)
    d = axis_of("diff", axis, t.ndim)
    if n < 0:
        raise with_place(ShapeError(f"diff: n is {n}; a number >= 0 was expected"))
    rows = [slice(None)] * d
    for _ in range(n):
        after, before = t[(*rows, slice(1, None))], t[(*rows, slice(None, -1))]
        t = not_equal(after, before) if t.dtype is dtypes.i1 else subtract(after, before)
    return t


def _accumulated(
    fold: Fold, start: int, name: str, x: ArrayLike, axis: int | None, dtype: DType | None, reverse: bool
) -> Tensor:
    t = tensor(x)
    wide, result = accumulator(t.dtype, dtype)
    return _folded(fold, start, name, t.astype(wide), axis, reverse).astype(result)


def _folded(fold: Fold, identity: float, name: str, x: Tensor, axis: int | None, reverse: bool) -> Tensor:
    """After step k, each element is the fold of the 2 ** k up to it: y = fold(y moved by 2 ** k, y)."""
    t = x.reshape(-1) if axis is None else x
    d = axis_of(name, 0 if axis is None else axis, t.ndim)
    t = flip(t, d) if reverse else t
    for k in range(max(t.shape[d] - 1, 0).bit_length()):
        moved = pad(t, [(2**k, -(2**k)) if i == d else (0, 0) for i in range(t.ndim)], identity)
        t = fold(moved, t)
    return flip(t, d) if reverse else t


def _with_initial(
    cumulative: Callable[..., Tensor],
    start: int,
    name: str,
    x: ArrayLike,
    axis: int | None,
    dtype: DType | None,
    include_initial: bool,
) -> Tensor:
    t = tensor(x)
    if axis is None and t.ndim != 1:
        raise with_place(ShapeError(f"{name}: x is {t.spec}, axis is None; an axis was expected, but for vectors"))
    d = axis_of(name, 0 if axis is None else axis, t.ndim)
    y = cumulative(t, d, dtype=dtype)
    if not include_initial:
        return y
    return concat([full((*y.shape[:d], 1, *y.shape[d + 1 :]), start, y.dtype), y], d)
