"""`x[index]`, which reads a part of a tensor, and `x.at[index].set(y)` and the like: a tensor with a part replaced.

An index has an entry per dimension, fewer, or an Ellipsis: integers, slices, None for a new dimension, and arrays or
tensors of integers, which numpy calls advanced. Those broadcast together; their dimensions stand in the result where
the first of them stood, or in front if others stand between them. Negative entries count from the end.

Entries known while tracing must lie within the tensor, else ShapeError is raised. Of entries known only when the
program runs, those out of range read the nearest element, and write nothing, as in JAX.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp, MultiplyOp
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp
from hhlo_xdsl.dialects.stablehlo.movement import PadOp, ReshapeOp, ReverseOp, SliceOp
from hhlo_xdsl.errors import DTypeError, ShapeError, TraceError
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.movement import stack
from hhlo_xdsl.ops.operands import fitting
from hhlo_xdsl.promotion import broadcast_shapes
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, broadcast_to, made, tensor
from hhlo_xdsl.where import with_place

Advanced: TypeAlias = Tensor | np.ndarray[Any, Any]
Entry: TypeAlias = int | slice | Advanced | None
"""An entry of an index; tensors, arrays and those integers that stand beside them are advanced."""


def read(x: Tensor, index: Any) -> Tensor:
    """x[index]"""
    entries = _entries(x, index)
    if not any(_is_advanced(e) for e in entries):
        return _static(x, entries)
    part = _static(x, _basic(entries))
    place = _Place.of(part, _without_bounds(entries))
    return _reshaped(place.gathered(part), place.shown)


# Entries


def _entries(x: Tensor, index: Any) -> list[Entry]:
    """One entry per dimension of x, beside the Nones: the Ellipsis and arrays of truth values written out."""
    given = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    _check_masks(x, given)
    entries: list[Any] = []
    for e in given:
        entries.extend(_plain(x, e))
    used = sum(1 for e in entries if e is not None and e is not Ellipsis)
    ellipses = sum(1 for e in entries if e is Ellipsis)
    if used > x.ndim or ellipses > 1:
        raise with_place(ShapeError(f"index {given} of {x!r}: at most {x.ndim} entries and one ... were expected"))
    fill = [slice(None)] * (x.ndim - used)
    at = next((i for i, e in enumerate(entries) if e is Ellipsis), None)
    full = [*entries, *fill] if at is None else [*entries[:at], *fill, *entries[at + 1 :]]
    return _integers_beside_arrays(x, full)


def _plain(x: Tensor, entry: Any) -> list[Entry | EllipsisType]:
    """An entry as integers, slices, tensors and arrays of integers."""
    if entry is None or entry is Ellipsis:
        return [entry]
    if isinstance(entry, slice):
        _check_slice(x, cast(Any, entry))
        return [cast("Entry", entry)]
    if isinstance(entry, Tensor):
        return [_checked_tensor(x, entry)]
    if not isinstance(entry, bool | np.bool_):
        try:
            return [operator.index(entry)]
        except TypeError:
            pass
    _check_free_of_tensors(x, entry)
    array = np.asarray(cast(Any, entry))
    if array.dtype == bool and array.ndim:
        return list(np.nonzero(array))
    if not array.size and isinstance(entry, list):
        array = array.astype(np.int32)
    if array.dtype.kind not in "iu" or not array.ndim:
        raise with_place(
            TraceError(
                f"index {entry!r} of {x!r}: integers, slices, None, ... and arrays or tensors of integers were expected"
            )
        )
    return [array]


def _check_masks(x: Tensor, given: Sequence[Any]) -> None:
    """Raise ShapeError unless arrays of truth values have the sizes of the dimensions that they stand for."""
    ranks = [_rank(e) for e in given]
    at = next((i for i, e in enumerate(given) if e is Ellipsis), len(given))
    for i, e in enumerate(given):
        mask = _mask(e)
        if mask is not None:
            d = sum(ranks[:i]) if i < at else x.ndim - sum(ranks[i:])
            sizes = x.shape[max(d, 0) : max(d, 0) + mask.ndim]
            if mask.shape != sizes:
                found = f"its sizes are {list(mask.shape)}"
                raise with_place(ShapeError(f"index {e!r} of {x!r}: {found}; {list(sizes)} were expected"))


def _mask(entry: Any) -> np.ndarray[Any, Any] | None:
    """An entry that is an array of truth values."""
    if not isinstance(entry, list | np.ndarray) or any(isinstance(e, Tensor) for e in cast("Sequence[Any]", entry)):
        return None
    array = np.asarray(cast(Any, entry))
    return array if array.dtype == bool and array.ndim else None


def _rank(entry: Any) -> int:
    """How many dimensions an entry stands for."""
    mask = _mask(entry)
    return mask.ndim if mask is not None else entry is not None and entry is not Ellipsis


def _check_free_of_tensors(x: Tensor, entry: Any) -> None:
    """Raise TraceError for a list with tensors in it."""
    if isinstance(entry, list | tuple) and any(isinstance(e, Tensor) for e in cast("Sequence[Any]", entry)):
        raise with_place(TraceError(f"index {entry!r} of {x!r}: a list of tensors; join them with hh.stack"))


def _check_slice(x: Tensor, entry: slice) -> None:
    for bound in (entry.start, entry.stop, entry.step):
        if bound is not None and (isinstance(bound, Tensor) or not hasattr(bound, "__index__")):
            raise with_place(
                TraceError(
                    f"index {entry} of {x!r}: integers that are known while tracing were expected; hh.dynamic_slice"
                    " takes a part of known size from a place that is a tensor"
                )
            )
    if entry.step == 0:
        raise with_place(ShapeError(f"index {entry} of {x!r}: its step is 0; a step other than 0 was expected"))


def _checked_tensor(x: Tensor, entry: Tensor) -> Tensor:
    if entry.dtype is dtypes.i1:
        raise with_place(
            TraceError(
                f"index {entry!r} of {x!r}: how many elements it chooses is not known while tracing; use hh.where"
            )
        )
    if entry.dtype.kind not in ("int", "uint"):
        raise with_place(DTypeError(f"index {entry!r} of {x!r}: integers were expected; convert it with astype"))
    return entry


def _integers_beside_arrays(x: Tensor, entries: Sequence[Entry]) -> list[Entry]:
    """The entries, where integers beside tensors and arrays are arrays too; all that are known within range."""
    has_arrays = any(_is_advanced(e) for e in entries)
    sizes = iter(enumerate(x.shape))
    result: list[Entry] = []
    for e in entries:
        d, n = (0, 0) if e is None else next(sizes)
        if isinstance(e, int | np.ndarray):
            e = _within(x, d, n, e)
        result.append(np.asarray(e) if has_arrays and isinstance(e, int) else e)
    return result


def _within(x: Tensor, d: int, n: int, entry: int | np.ndarray[Any, Any]) -> int | np.ndarray[Any, Any]:
    """`entry`, counted from the front; raises ShapeError for one out of range."""
    found = np.asarray(entry)
    outside = found[(found < -n) | (found >= n)]
    if outside.size:
        raise with_place(
            ShapeError(
                f"index {outside.flat[0]} of {x!r}: dimension {d} has size {n}; -{n} <= index < {n} was expected"
            )
        )
    counted = found % n if n else found
    return int(counted) if isinstance(entry, int) else counted


def _is_advanced(entry: Entry) -> bool:
    return isinstance(entry, Tensor | np.ndarray)


# Parts known while tracing


def _static(x: Tensor, entries: Sequence[Entry]) -> Tensor:
    """x[entries] for integers, slices and None."""
    starts, limits, steps, reverse = _ranges(x, entries)
    whole = limits == x.shape and not any(starts) and all(s == 1 for s in steps)
    y = x if whole else made(SliceOp, x, starts, limits, steps)
    y = made(ReverseOp, y, reverse) if reverse else y
    shape: list[int] = []
    sizes = iter(y.shape)
    for e in entries:
        n = 1 if e is None else next(sizes)
        if not isinstance(e, int):
            shape.append(n)
    return _reshaped(y, shape)


Ranges: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], list[int]]


def _ranges(x: Tensor, entries: Sequence[Entry]) -> Ranges:
    """Start, limit and step per dimension of x, all steps positive, and which dimensions are then reversed."""
    rows: list[tuple[int, int, int]] = []
    reverse: list[int] = []
    for d, (e, n) in enumerate(zip((e for e in entries if e is not None), x.shape, strict=True)):
        first, last, step = e.indices(n) if isinstance(e, slice) else (cast(int, e), cast(int, e) + 1, 1)
        if step < 0:
            reverse.append(d)
            count = len(range(first, last, step))
            first, last, step = (first + (count - 1) * step, first + 1, -step) if count else (0, 0, 1)
        rows.append((first, max(first, last), step))
    starts, limits, steps = zip(*rows, strict=True) if rows else ((), (), ())
    return starts, limits, steps, reverse


def _reshaped(x: Tensor, shape: Sequence[int]) -> Tensor:
    return x if x.shape == tuple(shape) else made(ReshapeOp, x, shape)


def _put_back(x: Tensor, entries: Sequence[Entry], part: Tensor) -> Tensor:
    """x with x[entries], for integers, slices and None, replaced by `part`."""
    starts, limits, steps, reverse = _ranges(x, entries)
    sizes = [len(range(*bounds)) for bounds in zip(starts, limits, steps, strict=True)]
    if 0 in sizes:
        return x
    part = _reshaped(part, sizes)
    part = made(ReverseOp, part, reverse) if reverse else part
    if part.shape == x.shape:
        return part
    if all(s == 1 for s in steps):
        return made(DynamicUpdateSliceOp, x, part, [tensor(s).ssa for s in starts])
    inside = [s * (n - 1) + 1 for s, n in zip(steps, sizes, strict=True)]
    after = [n - s - i for n, s, i in zip(x.shape, starts, inside, strict=True)]
    paddings = starts, after, [s - 1 for s in steps]
    spread = made(PadOp, part, tensor(0, x.dtype), *paddings)
    chosen = made(PadOp, broadcast_to(tensor(True), sizes), tensor(False), *paddings)
    return where(chosen, spread, x)


# Parts whose place is known when the program runs


@dataclass(frozen=True)
class _Place:
    """A part of a tensor: the slices that index vectors point to."""

    shape: tuple[int, ...]
    """The sizes of the part, without new dimensions."""
    shown: tuple[int, ...]
    """With them."""
    vectors: Tensor
    """[.., k]: for each position of the advanced entries, one number per dimension that they stand for."""
    numbers: IndexNumbers

    @staticmethod
    def of(x: Tensor, entries: Sequence[Entry]) -> _Place:
        """Where x[entries] is, for advanced entries, None, and slices that are whole dimensions."""
        dims = [e for e in entries if e is not None]
        indexed = {d: cast("Advanced", e) for d, e in enumerate(dims) if _is_advanced(e)}
        with at_user_line():
            batch = broadcast_shapes("index", *(e.shape for e in indexed.values()))
            columns = [broadcast_to(from_front(e, x.shape[d]), batch) for d, e in indexed.items()]
            vectors = _as_vectors(columns)
        others = [e for e in entries if not _is_advanced(e)]
        front = _front(entries)
        first = sum(1 for e in others[:front] if e is not None)
        sizes = [n for d, n in enumerate(x.shape) if d not in indexed]
        left = iter(sizes)
        shown = [1 if e is None else next(left) for e in others]
        window = (*range(first), *range(first + len(batch), len(sizes) + len(batch)))
        numbers = IndexNumbers(window, tuple(indexed), (), (), tuple(indexed), len(batch))
        shape = (*sizes[:first], *batch, *sizes[first:])
        return _Place(shape, (*shown[:front], *batch, *shown[front:]), vectors, numbers)

    def gathered(self, x: Tensor) -> Tensor:
        """The part of x there."""
        collapsed = self.numbers.collapsed
        if any(x.shape[d] == 0 for d in collapsed):
            return self._nothing(x)
        sizes = [1 if d in collapsed else n for d, n in enumerate(x.shape)]
        if self.vectors.ndim == 1:
            at = {d: self.vectors[i] for i, d in enumerate(collapsed)}
            zero = tensor(0, self.vectors.dtype)
            starts = [at.get(d, zero).ssa for d in range(x.ndim)]
            return _reshaped(made(DynamicSliceOp, x, starts, sizes), self.shape)
        return made(GatherOp, x, self.vectors, self.numbers, sizes)

    def _nothing(self, x: Tensor) -> Tensor:
        if 0 not in self.shape:
            raise with_place(ShapeError(f"index of {x!r}: there are no elements to read along a dimension of size 0"))
        return broadcast_to(tensor(0, x.dtype), self.shape)

    def scattered(self, x: Tensor, body: Body, updates: Tensor) -> Tensor:
        """x with the part there folded with `updates`, which are as the index shows it."""
        if 0 in (*x.shape, *self.shape):
            return x
        return made(ScatterOp, [x.ssa], self.vectors, [_reshaped(updates, self.shape).ssa], self.numbers, body)


def _front(entries: Sequence[Entry]) -> int:
    """How many of the other entries stand before the advanced ones; none if they are not next to each other."""
    places = [i for i, e in enumerate(entries) if _is_advanced(e)]
    return places[0] if places[-1] - places[0] == len(places) - 1 else 0


def _as_vectors(columns: Sequence[Tensor]) -> Tensor:
    """The columns side by side along a new last dimension, as i32, or i64 if one needs it."""
    wide = dtypes.i64 if any(c.dtype.bits > 32 for c in columns) else dtypes.i32
    return stack([c.astype(wide) for c in columns], -1)


def from_front(entry: Advanced, size: int) -> Tensor:
    """Indices into a dimension of `size`, counted from the front, as i32 or i64. Those out of range stay so."""
    if not isinstance(entry, Tensor):
        return tensor(entry.astype(np.int32 if size <= 2**31 else np.int64))
    if entry.dtype.kind == "uint":
        if entry.dtype.bits == 64:  # one beyond i64 would become negative
            entry = made(MinimumOp, entry, broadcast_to(tensor(size, entry.dtype), entry.shape))
        return entry.astype(dtypes.i64 if entry.dtype.bits >= 32 else dtypes.i32)
    wide = entry if entry.dtype.bits >= 32 else entry.astype(dtypes.i32)
    if size > 2**31:
        wide = wide.astype(dtypes.i64)
    return where(wide < 0, wide + size, wide)


# Replaced parts

Body: TypeAlias = type[Operation] | Callable[..., SSAValue]


class At:
    """`x.at`, which is indexed as x is: `x.at[index].set(y)` is x with x[index] replaced by y; x itself stays.

    >>> hh.trace(lambda x, i: x.at[i].add(1), hh.f32[8], hh.i32[3])
    """

    __slots__ = ("_x",)

    def __init__(self, x: Tensor):
        self._x = x

    def __getitem__(self, index: Any) -> Part:
        return Part(self._x, index)


class Part:
    """A part of a tensor that can be replaced.

    Values broadcast to the part's shape and take the tensor's element type, which must be able to hold them. Where the
    index names an element several times, `add` and the like count every time, and `set` keeps one of the values.
    The index may be an i1 tensor of x's shape, or of that of its first dimensions, with scalar values.
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: Tensor, index: Any):
        self._x, self._index = x, index

    def get(self) -> Tensor:
        """x[index]"""
        return self._x[self._index]

    def set(self, values: ArrayLike) -> Tensor:
        """x with the part replaced by `values`."""
        return self._changed(_second, lambda old, new: new, values)

    def add(self, values: ArrayLike) -> Tensor:
        """x with `values` added to the part."""
        return self._changed(AddOp, lambda old, new: old + new, values)

    def subtract(self, values: ArrayLike) -> Tensor:
        """x with `values` taken off the part."""
        return self.add(-self._values(values))

    def multiply(self, values: ArrayLike) -> Tensor:
        """x with the part multiplied by `values`."""
        return self._changed(MultiplyOp, lambda old, new: old * new, values)

    def divide(self, values: ArrayLike) -> Tensor:
        """x with the part divided by `values`."""
        ones = broadcast_to(tensor(1, self._x.dtype), self._x.shape)
        return self._x / Part(ones, self._index).multiply(values)

    def min(self, values: ArrayLike) -> Tensor:
        """x with the part replaced by the lesser of it and `values`."""
        return self._changed(MinimumOp, lambda old, new: made(MinimumOp, old, new), values)

    def max(self, values: ArrayLike) -> Tensor:
        """x with the part replaced by the greater of it and `values`."""
        return self._changed(MaximumOp, lambda old, new: made(MaximumOp, old, new), values)

    def _values(self, values: ArrayLike) -> Tensor:
        return fitting("at", "values", values, self._x)

    def _changed(self, body: Body, joined: Callable[[Tensor, Tensor], Tensor], values: ArrayLike) -> Tensor:
        x, given = self._x, self._values(values)
        if isinstance(self._index, Tensor) and self._index.dtype is dtypes.i1:
            return self._masked(self._index, joined, given)
        entries = _entries(x, self._index)
        old = _static(x, _basic(entries))
        if not any(_is_advanced(e) for e in entries):
            shown = _static(x, entries)
            return _put_back(x, entries, joined(shown, broadcast_to(given, shown.shape)))
        place = _Place.of(old, _without_bounds(entries))
        new = place.scattered(old, body, broadcast_to(given, place.shown))
        return _put_back(x, _basic(entries), new)

    def _masked(self, mask: Tensor, joined: Callable[[Tensor, Tensor], Tensor], given: Tensor) -> Tensor:
        x = self._x
        if given.shape or mask.shape != x.shape[: mask.ndim]:
            raise with_place(
                ShapeError(
                    f"at: the index is {mask.spec}, x is {x.spec} and values are {given.spec}; an index of the sizes of"
                    " x's first dimensions and a scalar were expected; use hh.where"
                )
            )
        chosen = broadcast_to(_reshaped(mask, (*mask.shape, *[1] * (x.ndim - mask.ndim))), x.shape)
        return where(chosen, joined(x, broadcast_to(given, x.shape)), x)


def _second(old: SSAValue, new: SSAValue) -> SSAValue:
    return new


def _basic(entries: Sequence[Entry]) -> list[Entry]:
    """The slices of an index, and whole dimensions in place of what else it has."""
    return [e if isinstance(e, slice) else slice(None) for e in entries if e is not None]


def _without_bounds(entries: Sequence[Entry]) -> list[Entry]:
    """The index into what its slices give."""
    return [slice(None) if isinstance(e, slice) else e for e in entries]
