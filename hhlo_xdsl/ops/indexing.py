"""Functions that read or write at places known only when the program runs. `x[index]` and `x.at[index]` are others.

An index out of range reads the nearest element, and negative ones count from the end, as in `x[index]`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp, GatherOp
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.movement import broadcast_to, expand_dims
from hhlo_xdsl.ops.operands import axis_of, fitting, integers, sizes_of
from hhlo_xdsl.ops.subscript import from_front
from hhlo_xdsl.promotion import broadcast_shapes
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, tensor
from hhlo_xdsl.where import with_place


def take(x: ArrayLike, indices: ArrayLike, axis: int | None = None) -> Tensor:
    """The slices of x along `axis` that `indices`, integers, name: x[.., indices, ..]. One row of elements if None.

    >>> hh.trace(lambda x, i: hh.take(x, i, 0), hh.f32[10, 3], hh.i32[4])          # f32[4, 3]
    """
    t = tensor(x)
    row = t.reshape(-1) if axis is None else t
    d = axis_of("take", 0 if axis is None else axis, row.ndim)
    return row[(*[slice(None)] * d, tensor(indices))]


def take_along_axis(x: ArrayLike, indices: ArrayLike, axis: int = -1) -> Tensor:
    """result[.., i, ..] = x[.., indices[.., i, ..], ..]: each line of x along `axis`, read where its indices say.

    x and indices have equal ranks and, but for `axis`, sizes that broadcast. Raises ShapeError where not, DTypeError
    for indices that are no integers.

    >>> hh.trace(lambda x: hh.take_along_axis(x, hh.argsort(x), -1), hh.f32[4, 5])
    """
    t, at = tensor(x), integers("take_along_axis", "indices", indices)
    d = axis_of("take_along_axis", axis, t.ndim)
    if at.ndim != t.ndim:
        found = f"indices are {at.spec}, x is {t.spec}"
        raise with_place(ShapeError(f"take_along_axis: {found}; equal ranks were expected"))
    size, count = t.shape[d], at.shape[d]
    with at_user_line():
        shared = broadcast_shapes("take_along_axis", *((*s[:d], 1, *s[d + 1 :]) for s in (t.shape, at.shape)))
    t, at = (broadcast_to(v, (*shared[:d], n, *shared[d + 1 :])) for v, n in ((t, size), (at, count)))
    if not size and at.size:
        raise with_place(ShapeError(f"take_along_axis: dimension {d} of {t.spec} has no elements to read"))
    if not at.size:
        return broadcast_to(tensor(0, t.dtype), at.shape)
    others = tuple(k for k in range(t.ndim) if k != d)
    numbers = IndexNumbers((), (d,), others, others, (d,), t.ndim)
    return made(GatherOp, t, expand_dims(from_front(at, size), t.ndim), numbers, (1,) * t.ndim)


def dynamic_slice(x: ArrayLike, start: Sequence[ArrayLike], sizes: Sequence[int]) -> Tensor:
    """x[start[0] : start[0] + sizes[0], ..]: a part of known sizes from a place known when the program runs.

    start : one integer or integer scalar tensor per dimension; moved so that the part lies within x

    Raises ShapeError unless there is one of each per dimension, and for a size above x's.

    >>> hh.trace(lambda x, i: hh.dynamic_slice(x, (i, 0), (2, 3)), hh.f32[8, 3], hh.i32)       # f32[2, 3]
    """
    t = tensor(x)
    return made(DynamicSliceOp, t, _starts("dynamic_slice", t, start), sizes_of("dynamic_slice", sizes))


def dynamic_update_slice(x: ArrayLike, update: ArrayLike, start: Sequence[ArrayLike]) -> Tensor:
    """x, in which `update` replaces what `dynamic_slice` reads for its sizes; it takes x's element type.

    Raises DTypeError if that cannot hold it.
    """
    t = tensor(x)
    new = fitting("dynamic_update_slice", "update", update, t)
    return made(DynamicUpdateSliceOp, t, new, _starts("dynamic_update_slice", t, start))


def _starts(function: str, x: Tensor, start: Sequence[ArrayLike]) -> list[SSAValue]:
    """The starts as scalars of one integer type, counted from the front."""
    if len(start) != x.ndim:
        raise with_place(
            ShapeError(f"{function}: there are {len(start)} starts, x is {x.spec}; {x.ndim} were expected, one each")
        )
    found = [integers(function, "start", s) for s in start]
    for s in found:
        if s.shape:
            raise with_place(ShapeError(f"{function}: start is {s.spec}; scalars were expected; index it"))
    counted = [from_front(s, n) for s, n in zip(found, x.shape, strict=True)]
    wide = dtypes.i64 if any(s.dtype.bits > 32 for s in counted) else dtypes.i32
    return [s.astype(wide).ssa for s in counted]
