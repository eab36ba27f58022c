"""Functions that move elements to places known while tracing: another shape, order, part or repetition."""

from __future__ import annotations

import builtins
import itertools
import math
from collections.abc import Iterable, Sequence
from typing import cast

from hhlo_xdsl import tensor as friendly
from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    PadOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.operands import Axis, axes_of, axis_of, entries, per_axis, sizes_of
from hhlo_xdsl.promotion import broadcast_shapes
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, promote, tensor
from hhlo_xdsl.where import with_place

PadWidth = int | tuple[int, int] | Sequence[tuple[int, int]]


def reshape(x: ArrayLike, shape: int | Sequence[int]) -> Tensor:
    """The elements of x, in row-major order, in another shape; one size may be -1 and is then inferred.

    Raises ShapeError if the number of elements differs.

    >>> hh.trace(lambda x: hh.reshape(x, (2, -1)), hh.f32[6])      # f32[2, 3]
    """
    t = tensor(x)
    wanted = tuple(shape) if isinstance(shape, Sequence) else (shape,)
    unknown = [d for d, n in enumerate(wanted) if n == -1]
    sizes = list(sizes_of("reshape", [1 if d in unknown else n for d, n in enumerate(wanted)]))
    known = math.prod(sizes)
    if len(unknown) == 1 and known and t.size % known == 0:
        sizes[unknown[0]] = t.size // known
    if len(unknown) > 1 or math.prod(sizes) != t.size:
        raise with_place(
            ShapeError(
                f"reshape: x is {t.spec}, the shape {list(wanted)}; one of {t.size} elements was expected, where one"
                " size may be -1"
            )
        )
    return t if t.shape == tuple(sizes) else made(ReshapeOp, t, sizes)


def permute_dims(x: ArrayLike, axes: Sequence[int]) -> Tensor:
    """x with its dimensions in the order of `axes`: dimension k of the result is dimension axes[k] of x.

    Raises ShapeError unless `axes` names each dimension once.
    """
    t = tensor(x)
    order = axes_of("permute_dims", axes, t.ndim)
    if len(order) != t.ndim:
        raise with_place(ShapeError(f"permute_dims: axes are {list(axes)}, x is {t.spec}; {t.ndim} were expected"))
    return t if order == tuple(range(t.ndim)) else made(TransposeOp, t, order)


def matrix_transpose(x: ArrayLike) -> Tensor:
    """x with its last two dimensions exchanged; raises ShapeError for rank below 2."""
    t = tensor(x)
    if t.ndim < 2:
        raise with_place(ShapeError(f"matrix_transpose: x is {t.spec}; at least 2 dimensions were expected"))
    return permute_dims(t, (*range(t.ndim - 2), t.ndim - 1, t.ndim - 2))


def transpose(x: ArrayLike, *axes: int | Sequence[int]) -> Tensor:
    """x with its dimensions in the order of `axes`, given one by one or as a sequence; reversed if there are none.

    >>> hh.trace(hh.transpose, hh.f32[2, 3, 4])                    # f32[4, 3, 2]
    """
    t = tensor(x)
    first = axes[0] if len(axes) == 1 else axes
    order = first if isinstance(first, Sequence) else (first,)
    return permute_dims(t, cast("Sequence[int]", order) if axes else range(t.ndim)[::-1])


def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Tensor:
    """x with two dimensions exchanged."""
    t = tensor(x)
    order = list(range(t.ndim))
    a, b = axis_of("swapaxes", axis1, t.ndim), axis_of("swapaxes", axis2, t.ndim)
    order[a], order[b] = b, a
    return permute_dims(t, order)


def moveaxis(x: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """x with the dimensions `source` at the places `destination`; the others keep their order."""
    t = tensor(x)
    old, new = axes_of("moveaxis", source, t.ndim), axes_of("moveaxis", destination, t.ndim)
    if len(old) != len(new):
        raise with_place(
            ShapeError(f"moveaxis: source is {source}, destination is {destination}; equally many axes were expected")
        )
    order = [d for d in range(t.ndim) if d not in old]
    for place, d in sorted(zip(new, old, strict=True)):
        order.insert(place, d)
    return permute_dims(t, order)


def expand_dims(x: ArrayLike, axis: int | Sequence[int] = 0) -> Tensor:
    """x with dimensions of size 1 that stand, in the result, at `axis`."""
    t = tensor(x)
    rank = t.ndim + (len(axis) if isinstance(axis, Sequence) else 1)
    new, old = axes_of("expand_dims", axis, rank), iter(t.shape)
    return reshape(t, [1 if d in new else next(old) for d in range(rank)])


def squeeze(x: ArrayLike, axis: Axis = None) -> Tensor:
    """x without the dimensions `axis`, or without every dimension of size 1 if None.

    Raises ShapeError for a dimension of another size.
    """
    t = tensor(x)
    gone = [d for d, n in enumerate(t.shape) if n == 1] if axis is None else axes_of("squeeze", axis, t.ndim)
    for d in gone:
        if t.shape[d] != 1:
            raise with_place(ShapeError(f"squeeze: dimension {d} of {t.spec} has size {t.shape[d]}; 1 was expected"))
    return reshape(t, [n for d, n in enumerate(t.shape) if d not in gone])


def broadcast_to(x: ArrayLike, shape: int | Sequence[int]) -> Tensor:
    """x repeated to `shape`, aligned at the last dimension; raises ShapeError where a size is neither equal nor 1."""
    return friendly.broadcast_to(tensor(x), sizes_of("broadcast_to", shape))


def broadcast_arrays(*arrays: ArrayLike) -> tuple[Tensor, ...]:
    """The arrays, repeated to the one shape that they broadcast to; each keeps its element type."""
    tensors = [tensor(a) for a in arrays]
    with at_user_line():
        shape = broadcast_shapes("broadcast_arrays", *(t.shape for t in tensors))
        return tuple(friendly.broadcast_to(t, shape) for t in tensors)


def repeat(x: ArrayLike, repeats: int, axis: int | None = None) -> Tensor:
    """x with each element `repeats` times in a row along `axis`; as one row if None.

    Raises ShapeError for repeats that are no integer >= 0, known while tracing.
    """
    t = tensor(x)
    if axis is None:
        return repeat(t.reshape(-1), repeats, 0)
    d = axis_of("repeat", axis, t.ndim)
    (count,) = sizes_of("repeat", (repeats,))
    size = t.shape[d]
    stretched = friendly.broadcast_to(expand_dims(t, d + 1), (*t.shape[: d + 1], count, *t.shape[d + 1 :]))
    return stretched.reshape((*t.shape[:d], size * count, *t.shape[d + 1 :]))


def tile(x: ArrayLike, repetitions: int | Sequence[int]) -> Tensor:
    """x, laid side by side: that many times along each dimension, aligned at the last.

    >>> hh.trace(lambda x: hh.tile(x, (2, 3)), hh.f32[4])          # f32[2, 12]
    """
    t = tensor(x)
    counts = sizes_of("tile", repetitions)
    rank = builtins.max(t.ndim, len(counts))
    sizes, counts = ((*[1] * (rank - len(s)), *s) for s in (t.shape, counts))
    pairs = [n for pair in zip(counts, sizes, strict=True) for n in pair]
    stretched = made(BroadcastInDimOp, t.reshape(sizes), pairs, range(1, 2 * rank, 2))
    return stretched.reshape([c * n for c, n in zip(counts, sizes, strict=True)])


def broadcast_in_dim(x: ArrayLike, shape: int | Sequence[int], broadcast_dimensions: Sequence[int]) -> Tensor:
    """x repeated to `shape`, where dimension k of x becomes dimension broadcast_dimensions[k] of the result.

    Raises ShapeError where a size is neither equal nor 1.
    """
    return made(BroadcastInDimOp, tensor(x), sizes_of("broadcast_in_dim", shape), tuple(broadcast_dimensions))


def flip(x: ArrayLike, axis: Axis = None) -> Tensor:
    """x read backwards along `axis`, along every dimension if None."""
    t = tensor(x)
    return made(ReverseOp, t, axes_of("flip", axis, t.ndim))


def roll(x: ArrayLike, shift: int | Sequence[int], axis: Axis = None) -> Tensor:
    """x with its elements moved by `shift` places along `axis`, those that leave at one end coming in at the other.

    shift : one for all axes, or one per axis
    axis  : if None, x is rolled as one row
    """
    t = tensor(x)
    if axis is None:
        return roll(t.reshape(-1), sum(shift) if isinstance(shift, Sequence) else shift, 0).reshape(t.shape)
    axes = axes_of("roll", axis, t.ndim)
    for d, places in zip(axes, per_axis("roll", "shift", shift, len(axes)), strict=True):
        cut = -places % t.shape[d] if t.shape[d] else 0
        if cut:
            t = concat([_part(t, d, cut, t.shape[d]), _part(t, d, 0, cut)], d)
    return t


def concat(arrays: Iterable[ArrayLike], axis: int | None = 0) -> Tensor:
    """The arrays end to end along `axis`; as rows end to end if None. Element types promote.

    Raises ShapeError if they differ in another dimension.
    """
    tensors = _promoted("concat", arrays)
    if axis is None:
        tensors, axis = tuple(t.reshape(-1) for t in tensors), 0
    return made(ConcatenateOp, [t.ssa for t in tensors], axis_of("concat", axis, tensors[0].ndim))


def stack(arrays: Iterable[ArrayLike], axis: int = 0) -> Tensor:
    """The arrays, of equal shape, side by side along a new dimension `axis`. Element types promote."""
    tensors = _promoted("stack", arrays)
    for i, t in enumerate(tensors):
        if t.shape != tensors[0].shape:
            raise with_place(
                ShapeError(f"stack: arrays[{i}] is {t.spec}, arrays[0] {tensors[0].spec}; equal shapes were expected")
            )
    place = axis_of("stack", axis, tensors[0].ndim + 1)
    return concat([expand_dims(t, place) for t in tensors], place)


def _promoted(function: str, arrays: Iterable[ArrayLike]) -> tuple[Tensor, ...]:
    operands = tuple(arrays)
    if not operands:
        raise with_place(ShapeError(f"{function}: there are no arrays; at least one was expected"))
    return promote(*operands)


def unstack(x: ArrayLike, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts of x along `axis`, without that dimension: what `stack` puts together."""
    t = tensor(x)
    d = axis_of("unstack", axis, t.ndim)
    return tuple(squeeze(part, d) for part in split(t, t.shape[d], d)) if t.shape[d] else ()


def split(x: ArrayLike, indices_or_parts: int | Sequence[int], axis: int = 0) -> tuple[Tensor, ...]:
    """x cut along `axis`, into that many equal parts, or before each of the given indices.

    Raises ShapeError if there are no such equal parts.

    >>> hh.trace(lambda x: hh.split(x, 3), hh.f32[6, 2])           # three of f32[2, 2]
    """
    t = tensor(x)
    d = axis_of("split", axis, t.ndim)
    size = t.shape[d]
    if isinstance(indices_or_parts, Sequence):
        cuts = [0, *(builtins.slice(i).indices(size)[1] for i in indices_or_parts), size]
    elif indices_or_parts < 1 or size % indices_or_parts:
        raise with_place(
            ShapeError(
                f"split: dimension {d} of {t.spec} has size {size}, which is not {indices_or_parts} equal parts; give"
                " the indices to cut at"
            )
        )
    else:
        cuts = list(range(0, size + 1, size // indices_or_parts)) if size else [0] * (indices_or_parts + 1)
    return tuple(_part(t, d, start, max(start, stop)) for start, stop in itertools.pairwise(cuts))


def _part(t: Tensor, d: int, start: int, stop: int) -> Tensor:
    """start:stop of dimension d."""
    whole = builtins.slice(None)
    return t[(*[whole] * d, builtins.slice(start, stop))]


def slice(x: ArrayLike, start: Sequence[int], limit: Sequence[int], stride: Sequence[int] | None = None) -> Tensor:
    """x[start[0]:limit[0]:stride[0], ...] for every dimension; strides of 1 if None.

    Raises ShapeError unless there is one of each per dimension, 0 <= start <= limit <= size, and stride >= 1; x[...]
    takes less strict indices.
    """
    t = tensor(x)
    return made(SliceOp, t, tuple(start), tuple(limit), (1,) * t.ndim if stride is None else tuple(stride))


def pad(x: ArrayLike, pad_width: PadWidth, value: ArrayLike = 0, *, interior: int | Sequence[int] = 0) -> Tensor:
    """x with `value` before and after its elements, and between them.

    pad_width : one number for every edge, (before, after) for every dimension, or such a pair per dimension; negative
                numbers cut
    value     : a number or scalar tensor; element types promote
    interior  : how many go between neighbours, one for all dimensions or one per dimension

    Raises ShapeError for another number of pairs, or if more is cut than there is.

    >>> hh.trace(lambda x: hh.pad(x, [(1, 1), (0, 2)]), hh.f32[2, 3])          # f32[4, 5]
    """
    t, filler = promote(x, value)
    edges = _edges(pad_width, t)
    if not edges:
        return t
    return made(PadOp, t, filler, *zip(*edges, strict=True), per_axis("pad", "interior", interior, t.ndim))


def _edges(pad_width: PadWidth, t: Tensor) -> list[tuple[int, int]]:
    """(before, after) per dimension."""
    if isinstance(pad_width, int):
        return [(pad_width, pad_width)] * t.ndim
    listed = entries(pad_width)
    if len(listed) == 2 and all(isinstance(n, int) for n in listed):
        listed = [listed] * t.ndim
    pairs = [tuple(entries(p)) for p in listed]
    if len(pairs) != t.ndim or any(len(p) != 2 for p in pairs):
        raise with_place(
            ShapeError(
                f"pad: pad_width is {pad_width!r}, x is {t.spec}; a number, one pair (before, after) or"
                f" {t.ndim} of them were expected"
            )
        )
    return [(p[0], p[1]) for p in pairs]
