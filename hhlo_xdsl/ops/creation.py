"""Functions that make tensors from numbers, arrays and shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dtypes import DType, as_dtype, f32, f64, i32
from hhlo_xdsl.errors import DTypeError, ShapeError
from hhlo_xdsl.ir_types import tensor_type
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.operands import axis_of, sizes_of
from hhlo_xdsl.promotion import check_fits
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, broadcast_to, made, promote, tensor
from hhlo_xdsl.where import with_place

Shape = int | Sequence[int]
Number = int | float


def asarray(value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """`value` as a tensor: a tensor itself, anything else as a constant.

    value : a tensor, a number, an array, or nested lists of numbers
    dtype : the element type; if None the value's own, where Python's numbers are i1, i32, f32 and complex<f32>

    Raises DTypeError for what is not made of numbers, and for integers that `dtype` cannot hold.
    """
    return tensor(value, dtype)


def full(shape: Shape, fill_value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A tensor with `fill_value`, a number or a scalar tensor, in every element; its element type if `dtype` is None.

    >>> hh.trace(lambda: hh.full((2, 3), 1.5))          # f32[2, 3]
    """
    return broadcast_to(tensor(fill_value, dtype), sizes_of("full", shape))


def zeros(shape: Shape, dtype: DType = f32) -> Tensor:
    """A tensor filled with 0."""
    return full(shape, 0, dtype)


def ones(shape: Shape, dtype: DType = f32) -> Tensor:
    """A tensor filled with 1."""
    return full(shape, 1, dtype)


def full_like(x: ArrayLike, fill_value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A tensor of x's shape, and of its element type unless `dtype` says otherwise, filled with `fill_value`."""
    like = tensor(x)
    return full(like.shape, fill_value, dtype or like.dtype)


def zeros_like(x: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A tensor of x's shape, and of its element type unless `dtype` says otherwise, filled with 0."""
    return full_like(x, 0, dtype)


def ones_like(x: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A tensor of x's shape, and of its element type unless `dtype` says otherwise, filled with 1."""
    return full_like(x, 1, dtype)


def iota(shape: Shape, dimension: int = 0, dtype: DType = i32) -> Tensor:
    """A tensor whose elements are their own index along `dimension`; raises ShapeError for a dimension out of range.

    >>> hh.trace(lambda: hh.iota((2, 3), 1))            # [[0, 1, 2], [0, 1, 2]]
    """
    sizes = sizes_of("iota", shape)
    with at_user_line():
        type = tensor_type(as_dtype(dtype)[sizes])
    return made(IotaOp, type, axis_of("iota", dimension, len(sizes)))


def arange(start: Number, stop: Number | None = None, step: Number = 1, dtype: DType | None = None) -> Tensor:
    """start, start + step, ... below `stop` (above it for a negative step); with one number, 0, 1, ... below that.

    dtype : i32 if None, or f32 if any of the numbers is a float

    Raises ShapeError for a step of 0, DTypeError for numbers that `dtype` cannot hold.
    """
    first, last, step = map(_number, (0, start, step) if stop is None else (start, stop, step))
    usual = f32 if any(isinstance(n, float) for n in (first, last, step)) else i32
    with at_user_line():
        chosen = usual if dtype is None else as_dtype(dtype)
        count = _steps(first, last, step, chosen)
        check_fits(chosen, first)
        check_fits(chosen, first + max(count - 1, 0) * step)
    exact = f32 if chosen.kind == "float" and chosen.bits < 32 else chosen  # narrow floats cannot count far
    ramp = iota(count, 0, exact)
    scaled = ramp if step == 1 else ramp * step
    return (scaled if first == 0 else scaled + first).astype(chosen)


def _number(n: Any) -> Number:
    """A Python or numpy number as a Python number."""
    plain: Any = cast(Any, n).item() if isinstance(n, np.generic) else n
    if isinstance(plain, bool) or not isinstance(plain, int | float):
        raise with_place(DTypeError(f"arange: found {n!r}; a real number, known while tracing, was expected"))
    return plain


def _steps(start: Any, stop: Any, step: Any, dtype: DType) -> int:
    """How many numbers `arange` gives."""
    for n in (start, stop, step):
        if isinstance(n, float) and dtype.kind != "float":
            raise with_place(DTypeError(f"arange: {n} is not an integer, and dtype is {dtype}; use a floating one"))
    if step == 0:
        raise with_place(ShapeError("arange: step is 0; another number was expected"))
    if all(isinstance(n, int) for n in (start, stop, step)):
        return len(range(start, stop, step))
    return max(0, math.ceil((stop - start) / step))


def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, *, endpoint: bool = True, dtype: DType | None = None
) -> Tensor:
    """`num` numbers at equal distances, from `start` to `stop`, or with endpoint=False to before it.

    start, stop : numbers, or scalar tensors
    dtype       : that of start and stop if None, but at least f32

    Raises ShapeError for other shapes and for negative `num`.

    >>> hh.trace(lambda: hh.linspace(0, 1, 5))          # [0, 0.25, 0.5, 0.75, 1]
    """
    first, last = (t if t.dtype.is_inexact else t.astype(f32) for t in promote(start, stop))
    if first.shape or last.shape:
        raise with_place(ShapeError(f"linspace: from {first.spec} to {last.spec}; scalars were expected"))
    (count,) = sizes_of("linspace", (num,))
    steps = count - endpoint
    wide = first.dtype if first.dtype.bits >= 32 else f32
    places = iota(count, 0, f64 if wide.bits == 64 or (wide.kind == "complex" and wide.bits == 128) else f32)
    part = (places / max(steps, 1)).astype(wide)
    low, high = first.astype(wide), last.astype(wide)
    inside = low * (1 - part) + high * part
    ramp = where(places == steps, high, inside) if endpoint and steps > 0 else inside
    return ramp.astype(first.dtype if dtype is None else dtype)


def meshgrid(*arrays: ArrayLike, indexing: str = "xy") -> tuple[Tensor, ...]:
    """The coordinates of the points of a grid: one tensor per vector, with its numbers along one dimension.

    indexing : "ij" if dimension k is that of vector k, "xy" if the first two are exchanged

    Raises ShapeError for what is no vector, and for another indexing.
    """
    vectors = [tensor(a) for a in arrays]
    if any(v.ndim > 1 for v in vectors) or indexing not in ("xy", "ij"):
        found = f"indexing is {indexing!r}, arrays are {', '.join(str(v.spec) for v in vectors)}"
        raise with_place(ShapeError(f'meshgrid: {found}; vectors and "xy" or "ij" were expected'))
    places = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        places[:2] = 1, 0
    shape = [0] * len(vectors)
    for p, v in zip(places, vectors, strict=True):
        shape[p] = v.size
    return tuple(
        made(BroadcastInDimOp, v.reshape((v.size,)), shape, (p,)) for p, v in zip(places, vectors, strict=True)
    )


def eye(n_rows: int, n_cols: int | None = None, k: int = 0, dtype: DType = f32) -> Tensor:
    """A matrix with 1 on its k-th diagonal (above the main one for k > 0), else 0; square if `n_cols` is None."""
    sizes = sizes_of("eye", (n_rows, n_rows if n_cols is None else n_cols))
    return (iota(sizes, 1) - iota(sizes, 0) == k).astype(dtype)


def tril(x: ArrayLike, k: int = 0) -> Tensor:
    """x with zeros above the k-th diagonal of its last two dimensions; raises ShapeError for rank below 2."""
    matrix = _matrix("tril", x)
    return where(_column_minus_row(matrix) <= k, matrix, 0)


def triu(x: ArrayLike, k: int = 0) -> Tensor:
    """x with zeros below the k-th diagonal of its last two dimensions; raises ShapeError for rank below 2."""
    matrix = _matrix("triu", x)
    return where(_column_minus_row(matrix) >= k, matrix, 0)


def _matrix(function: str, x: ArrayLike) -> Tensor:
    matrix = tensor(x)
    if matrix.ndim < 2:
        raise with_place(ShapeError(f"{function}: x is {matrix.spec}; at least 2 dimensions were expected; reshape it"))
    return matrix


def _column_minus_row(matrix: Tensor) -> Tensor:
    sizes = matrix.shape[-2:]
    return iota(sizes, 1) - iota(sizes, 0)
