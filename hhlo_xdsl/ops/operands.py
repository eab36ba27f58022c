"""What functions of several families do to their arguments: element types, axes, numbers per axis."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, cast

from hhlo_xdsl import dtypes
from hhlo_xdsl.errors import DTypeError, ShapeError
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, promote, promote_and_broadcast, tensor
from hhlo_xdsl.where import with_place

Axis = int | Sequence[int] | None


def inexact(x: ArrayLike) -> Tensor:
    """x as a floating or complex tensor: integers and i1 become f32, as in JAX."""
    t = tensor(x)
    return t if t.dtype.is_inexact else t.astype(dtypes.f32)


def inexact_together(function: str, *operands: ArrayLike) -> tuple[Tensor, ...]:
    """The operands in one floating or complex element type and one shape; integers and i1 become f32."""
    return tuple(inexact(t) for t in promote_and_broadcast(function, *operands))


def integers(function: str, name: str, x: ArrayLike) -> Tensor:
    """x as a tensor; raises DTypeError unless its elements are integers."""
    t = tensor(x)
    if t.dtype.kind not in ("int", "uint"):
        raise with_place(DTypeError(f"{function}: {name} is {t.spec}; integers were expected; convert it with astype"))
    return t


def truth(x: ArrayLike) -> Tensor:
    """Whether each element is not zero; i1 tensors themselves."""
    t = tensor(x)
    return t if t.dtype is dtypes.i1 else t != 0


def fitting(function: str, name: str, value: ArrayLike, like: Tensor) -> Tensor:
    """`value` in the element type of `like`; raises DTypeError if that cannot hold every value of its own."""
    with at_user_line():
        given = promote(like, value)[1]
        if given.dtype is not like.dtype:
            found = tensor(value).spec
            raise DTypeError(
                f"{function}: {name} is {found}, x is {like.spec}, which cannot hold it; convert one with astype"
            )
    return given


def check_ordered(function: str, *operands: Tensor) -> None:
    """Raise DTypeError for complex operands, which have no order."""
    for x in operands:
        if x.dtype.kind == "complex":
            raise with_place(
                DTypeError(f"{function}: {x.spec} has no order; real numbers were expected; use its hh.real or hh.abs")
            )


def axis_of(function: str, axis: Any, rank: int) -> int:
    """The axis counted from the front; raises ShapeError unless -rank <= axis < rank."""
    try:
        d = operator.index(axis)
    except TypeError:
        d = rank
    if isinstance(axis, bool) or not -rank <= d < rank:
        if not rank:
            raise with_place(ShapeError(f"{function}: axis is {axis!r}, but a tensor of rank 0 has none"))
        raise with_place(
            ShapeError(f"{function}: axis is {axis!r}; an integer in {-rank}..{rank - 1} was expected, for rank {rank}")
        )
    return d % rank


def axes_of(function: str, axis: Axis, rank: int) -> tuple[int, ...]:
    """The axes counted from the front, in the order given; all of them if None.

    Raises ShapeError for one out of range and for one named twice.
    """
    if axis is None:
        return tuple(range(rank))
    dims = tuple(axis_of(function, a, rank) for a in (axis if isinstance(axis, Sequence) else (axis,)))
    if len(set(dims)) != len(dims):
        raise with_place(ShapeError(f"{function}: axis is {axis!r}; each axis may be named once"))
    return dims


def per_axis(function: str, name: str, values: int | Sequence[int], count: int) -> tuple[int, ...]:
    """One integer per axis, given as that or as one for all; raises ShapeError for another count."""
    found = tuple(values) if isinstance(values, Sequence) else (values,) * count
    if len(found) != count or not all(hasattr(n, "__index__") for n in found):
        raise with_place(ShapeError(f"{function}: {name} is {list(found)}; one integer or {count} were expected"))
    return found


def entries(values: object) -> list[Any]:
    """The entries of a sequence that is no text; none of anything else."""
    is_list = isinstance(values, Sequence) and not isinstance(values, str)
    return list(cast("Sequence[Any]", values)) if is_list else []


def sizes_of(function: str, shape: int | Sequence[int]) -> tuple[int, ...]:
    """A shape given as a size or as sizes; raises ShapeError for a negative or non-integer one."""
    try:
        return dtypes.f32[shape].shape
    except ShapeError:
        raise with_place(ShapeError(f"{function}: shape is {shape!r}; integers >= 0 were expected")) from None
