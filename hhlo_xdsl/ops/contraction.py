"""Products of two tensors that sum over shared dimensions, and convolutions. Element types promote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp, DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.conv_window import Window
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, DotNumbers, Image, Kernel
from hhlo_xdsl.dialects.stablehlo.shapes import dilated
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.einsum import Labels, Term, contract, einsum
from hhlo_xdsl.ops.movement import broadcast_to, expand_dims, flip, moveaxis, squeeze
from hhlo_xdsl.ops.operands import axes_of, axis_of, per_axis
from hhlo_xdsl.ops.unary import conj
from hhlo_xdsl.ops.windows import Padding, PerAxis, windows
from hhlo_xdsl.promotion import broadcast_shapes
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, promote
from hhlo_xdsl.where import with_place

__all__ = ["conv", "conv_transpose", "dot_general", "einsum", "matmul", "outer", "tensordot", "vecdot"]

Pair: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Dimensions of the first operand, and their partners in the second."""


def dot_general(x1: ArrayLike, x2: ArrayLike, *, contracting: Pair, batching: Pair = ((), ())) -> Tensor:
    """The sums of products over the `contracting` dimensions, for each position of the `batching` ones.

    The result has the batching dimensions, then the others of x1, then the others of x2. Raises ShapeError unless
    partners have equal sizes.

    >>> hh.trace(lambda a, b: hh.dot_general(a, b, contracting=([1], [0])), hh.f32[2, 3], hh.f32[3, 4])     # f32[2, 4]
    """
    a, b = promote(x1, x2)
    dims = [axes_of("dot_general", pair[i], t.ndim) for pair in (batching, contracting) for i, t in enumerate((a, b))]
    return made(DotGeneralOp, a, b, DotNumbers(*dims))


def matmul(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The matrix product over the last dimension of x1 and the last but one of x2; dimensions before those broadcast.

    A vector is a row on the left and a column on the right, without a dimension of its own in the result. Raises
    ShapeError for scalars and for sizes that do not fit.

    >>> hh.trace(hh.matmul, hh.f32[8, 2, 3], hh.f32[3, 4])              # f32[8, 2, 4]
    """
    a, b = promote(x1, x2)
    if not a.ndim or not b.ndim:
        raise with_place(ShapeError(f"matmul: operands are {a.spec} and {b.spec}; a scalar is no matrix; use *"))
    row: Labels = ("m",) if a.ndim > 1 else ()
    column: Labels = ("n",) if b.ndim > 1 else ()
    rows, columns = a.shape[-1], b.shape[-2 if column else -1]
    if rows != columns:
        raise with_place(
            ShapeError(
                f"matmul: operands are {a.spec} and {b.spec}; {rows}, the last size of the first, and {columns}, the"
                f" {'last but one' if column else 'last'} of the second, must be equal; transpose or reshape one"
            )
        )
    batch_a, batch_b = a.shape[: a.ndim - 1 - len(row)], b.shape[: b.ndim - 1 - len(column)]
    with at_user_line():
        batch = broadcast_shapes("matmul", batch_a, batch_b)
    left = _batched(a, batch_a, batch_b, (*row, "k"))
    right = _batched(b, batch_b, batch_a, ("k", *column))
    return contract(left, right, (*range(-len(batch), 0), *row, *column))


def _batched(t: Tensor, batch: Sequence[int], partner: Sequence[int], rest: Labels) -> Term:
    """t with labels for its batch dimensions, without those of size 1 that the partner stretches."""
    labels = range(-len(batch), 0)
    gone = [d for d, x in enumerate(labels) if batch[d] == 1 and len(partner) >= -x and partner[x] != 1]
    return Term(squeeze(t, gone), (*(x for d, x in enumerate(labels) if d not in gone), *rest))


def tensordot(x1: ArrayLike, x2: ArrayLike, axes: int | Pair = 2) -> Tensor:
    """The sums of products over `axes`: the last so many of x1 with the first of x2, or the listed ones in pairs.

    Raises ShapeError unless partners have equal sizes.
    """
    a, b = promote(x1, x2)
    if isinstance(axes, int) and not 0 <= axes <= min(a.ndim, b.ndim):
        raise with_place(
            ShapeError(f"tensordot: axes is {axes}; 0..{min(a.ndim, b.ndim)} was expected, for {a.spec} and {b.spec}")
        )
    pair = (range(a.ndim - axes, a.ndim), range(axes)) if isinstance(axes, int) else axes
    return dot_general(a, b, contracting=pair)


def vecdot(x1: ArrayLike, x2: ArrayLike, axis: int = -1) -> Tensor:
    """The sum of conj(x1) * x2 over `axis`; the other dimensions broadcast. Raises ShapeError where they do not."""
    a, b = (moveaxis(t, axis_of("vecdot", axis, t.ndim), -1) for t in promote(x1, x2))
    with at_user_line():
        shape = broadcast_shapes("vecdot", a.shape, b.shape)
    labels = (*range(1 - len(shape), 0), "k")
    return contract(Term(broadcast_to(conj(a), shape), labels), Term(broadcast_to(b, shape), labels), labels[:-1])


def outer(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The products of each element of x1 with each of x2, two vectors; raises ShapeError for other ranks."""
    a, b = promote(x1, x2)
    if a.ndim != 1 or b.ndim != 1:
        raise with_place(ShapeError(f"outer: operands are {a.spec} and {b.spec}; vectors were expected; reshape(-1)"))
    return expand_dims(a, 1) * b


Layout: TypeAlias = tuple[str, str, str]
"""What the dimensions of the input, of the kernel and of the result are, a letter each: ("NHWC", "HWIO", "NHWC").

N is the batch, C the features, I those a kernel takes, O those it makes; other letters are space.
"""
_SPACE = {0: "", 1: "W", 2: "HW", 3: "DHW"}


def conv(
    x: ArrayLike,
    kernel: ArrayLike,
    *,
    strides: PerAxis = 1,
    padding: Padding = "VALID",
    lhs_dilation: PerAxis = 1,
    rhs_dilation: PerAxis = 1,
    dimension_numbers: Layout | None = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
) -> Tensor:
    """The kernel slid over x without being reversed: in each position, the sum over space and input features.

    x, kernel         : of one rank N; `dimension_numbers` says which dimension is what. If None, features come last:
                        ("NWC", "WIO", "NWC"), ("NHWC", "HWIO", "NHWC") or ("NDHWC", "DHWIO", "NDHWC")
    strides, dilation : one per spatial dimension, in the kernel's order, or one for all
    padding           : "VALID", "SAME", or (low, high) per spatial dimension
    *_group_count     : into how many independent convolutions the features, or the batch, fall

    Raises ShapeError where any of these do not fit.

    >>> hh.trace(lambda x, k: hh.conv(x, k, padding="SAME"), hh.f32[8, 32, 32, 3], hh.f32[3, 3, 3, 16])
    """
    a, b = promote(x, kernel)
    numbers = _numbers("conv", a, b, dimension_numbers)
    bases, sizes = [a.shape[d] for d in numbers.lhs.spatial], [b.shape[d] for d in numbers.rhs.spatial]
    window = Window.of(windows("conv", bases, sizes, strides, padding, (lhs_dilation, rhs_dilation)))
    with at_user_line():
        groups = {"feature_group_count": feature_group_count, "batch_group_count": batch_group_count}
        return made(lambda *operands: ConvolutionOp(*operands, **groups), a, b, numbers, window)


def conv_transpose(
    x: ArrayLike,
    kernel: ArrayLike,
    *,
    strides: PerAxis = 1,
    padding: Padding = "VALID",
    rhs_dilation: PerAxis = 1,
    dimension_numbers: Layout | None = None,
    transpose_kernel: bool = False,
) -> Tensor:
    """The convolution of x with `strides - 1` zeros between its elements: it enlarges where `conv` shrinks.

    padding          : "SAME" gives sizes of stride * size, "VALID" of stride * size + max(kernel - stride, 0); pairs
                       are those of the convolution that is made
    transpose_kernel : whether kernel is that of the `conv` to undo: it is reversed, and its features change places

    The rest is as for `conv`. Raises ShapeError where any of these do not fit.
    """
    a, b = promote(x, kernel)
    numbers = _numbers("conv_transpose", a, b, dimension_numbers)
    space, spatial = numbers.rhs.spatial, len(numbers.rhs.spatial)
    each_stride = per_axis("conv_transpose", "strides", strides, spatial)
    if isinstance(padding, str) and padding in ("SAME", "VALID"):
        dilations = per_axis("conv_transpose", "rhs_dilation", rhs_dilation, spatial)
        reaches = [dilated(b.shape[d], n) for d, n in zip(space, dilations, strict=True)]
        padding = [_transposed_padding(padding, k, s) for k, s in zip(reaches, each_stride, strict=True)]
    if transpose_kernel:
        b = moveaxis(flip(b, space), (numbers.rhs.input, numbers.rhs.output), (numbers.rhs.output, numbers.rhs.input))
    layout = dimension_numbers
    return conv(a, b, padding=padding, lhs_dilation=each_stride, rhs_dilation=rhs_dilation, dimension_numbers=layout)


def _transposed_padding(padding: str, reach: int, stride: int) -> tuple[int, int]:
    """The padding of the convolution that gives stride * size, or as much as the kernel touches ("VALID")."""
    if padding == "VALID":
        return reach - 1, stride - 1 + max(reach - stride, 0)
    total = reach + stride - 2
    low = reach - 1 if stride > reach - 1 else -(-total // 2)
    return low, total - low


def _numbers(function: str, x: Tensor, kernel: Tensor, layout: Layout | None) -> ConvNumbers:
    """The roles of all dimensions, by letters; raises ShapeError unless each has one."""
    if layout is None:
        layout = _channels_last(function, x, kernel)
    space = [c for c in layout[1] if c not in "IO"] if len(layout) == 3 else []
    expected = ([*space, *"NC"], [*space, *"IO"], [*space, *"NC"])
    fits = [sorted(found) == sorted(letters) for found, letters in zip(layout, expected, strict=False)]
    if fits != [True] * 3 or len(set(space)) != len(space) or {x.ndim, kernel.ndim} != {len(layout[1])}:
        raise with_place(
            ShapeError(
                f"{function}: dimension_numbers are {layout}, x is {x.spec}, kernel is {kernel.spec}; a letter per"
                ' dimension was expected, as in ("NCHW", "OIHW", "NCHW")'
            )
        )
    lhs, rhs, out = layout
    images = [Image(roles.index("N"), roles.index("C"), tuple(map(roles.index, space))) for roles in (lhs, out)]
    return ConvNumbers(images[0], Kernel(rhs.index("I"), rhs.index("O"), tuple(map(rhs.index, space))), images[1])


def _channels_last(function: str, x: Tensor, kernel: Tensor) -> Layout:
    space = _SPACE.get(x.ndim - 2)
    if x.ndim != kernel.ndim or space is None:
        raise with_place(
            ShapeError(
                f"{function}: x is {x.spec}, kernel is {kernel.spec}; one rank in 2..5 was expected, or"
                " dimension_numbers"
            )
        )
    return f"N{space}C", f"{space}IO", f"N{space}C"
