"""Functions that fold the elements along some dimensions, or within each window, into one.

axis     : one dimension or several, counted from the end if negative; every dimension if None
keepdims : whether these dimensions stay, with size 1

Small types are folded in wider ones, as in JAX: f16, bf16 and f8 in f32, rounded once at the end.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, AndOp, MaximumOp, MinimumOp, MultiplyOp, OrOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp, ReduceWindowOp, window_from
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops import unary
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.creation import iota
from hhlo_xdsl.ops.operands import Axis, axes_of, axis_of, check_ordered, inexact, per_axis, truth
from hhlo_xdsl.ops.windows import Padding, PerAxis, windows
from hhlo_xdsl.promotion import bounds, has_infinity
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, promote, tensor
from hhlo_xdsl.where import with_place


def sum(x: ArrayLike, axis: Axis = None, *, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """The sum over `axis`; 0 of no elements.

    dtype : the element type of the result; if None that of x, but at least i32 for i1 and integers, ui32 for unsigned

    >>> hh.trace(lambda x: hh.sum(x, axis=-1), hh.f32[2, 3])           # f32[2]
    """
    return _accumulated(AddOp, 0, "sum", x, axis, dtype, keepdims)


def prod(x: ArrayLike, axis: Axis = None, *, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """The product over `axis`; 1 of no elements. `dtype` is as for `sum`."""
    return _accumulated(MultiplyOp, 1, "prod", x, axis, dtype, keepdims)


def max(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The greatest element along `axis`, NaN if one is; ShapeError for no elements, DTypeError for complex ones."""
    return _extreme(MaximumOp, "max", x, axis, keepdims)


def min(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The least element along `axis`, NaN if one is; ShapeError for no elements, DTypeError for complex ones."""
    return _extreme(MinimumOp, "min", x, axis, keepdims)


def mean(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The mean over `axis`, NaN of no elements; integers and i1 become f32."""
    t = inexact(x)
    dims = axes_of("mean", axis, t.ndim)
    total = sum(t.astype(_wide(t.dtype)), dims, keepdims=keepdims)
    return (total / _count(t, dims)).astype(t.dtype)


def var(x: ArrayLike, axis: Axis = None, *, correction: int | float = 0, keepdims: bool = False) -> Tensor:
    """The variance over `axis`: the sum of |x - mean|², divided by the number of elements less `correction`.

    Integers and i1 become f32; of complex numbers it is real.
    """
    t = inexact(x)
    dims = axes_of("var", axis, t.ndim)
    wide = t.astype(_wide(t.dtype))
    total = sum(_squared_size(wide - mean(wide, dims, keepdims=True)), dims, keepdims=keepdims)
    divided = total / builtins.max(_count(t, dims) - correction, 0)
    return divided if t.dtype.kind == "complex" else divided.astype(t.dtype)


def std(x: ArrayLike, axis: Axis = None, *, correction: int | float = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over `axis`, the square root of `var`."""
    return unary.sqrt(var(x, axis, correction=correction, keepdims=keepdims))


def any(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether any element along `axis` is not zero, as i1; false of no elements."""
    return _folded(OrOp, truth(x), False, "any", axis, keepdims)


def all(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether every element along `axis` is not zero, as i1; true of no elements."""
    return _folded(AndOp, truth(x), True, "all", axis, keepdims)


def count_nonzero(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """How many elements along `axis` are not zero, as i32."""
    return sum(truth(x), axis, keepdims=keepdims)


def argmax(x: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """Where the greatest element along `axis` is, the first of several or the first NaN, as i32.

    axis : if None, x is taken as one row

    Raises ShapeError for no elements, DTypeError for complex ones.
    """
    return _place_of_extreme("argmax", Tensor.__gt__, x, axis, keepdims)


def argmin(x: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """Where the least element along `axis` is, the first of several or the first NaN, as i32; see `argmax`."""
    return _place_of_extreme("argmin", Tensor.__lt__, x, axis, keepdims)


def reduce_window(
    x: ArrayLike,
    init: ArrayLike,
    fn: Callable[[Tensor, Tensor], Tensor],
    window: PerAxis,
    *,
    strides: PerAxis = 1,
    padding: Padding = "VALID",
    base_dilation: PerAxis = 1,
    window_dilation: PerAxis = 1,
) -> Tensor:
    """The elements in each position of a window that slides over x, folded by `fn`.

    init    : the identity of `fn`, a number or scalar tensor, which also fills the padding
    fn      : an associative function of two scalars, such as hh.add or hh.maximum
    window  : the size of the window
    padding : "VALID", "SAME", or (low, high) per dimension

    Numbers are one per dimension of x, or one for all. Raises ShapeError where they do not fit.

    >>> hh.trace(lambda x: hh.reduce_window(x, 0, hh.add, (2, 2), strides=2), hh.f32[4, 6])        # f32[2, 3]
    """
    t, start = promote(x, init)
    sizes = per_axis("reduce_window", "window", window, t.ndim)
    dims = windows("reduce_window", t.shape, sizes, strides, padding, (base_dilation, window_dilation))

    def body(a: SSAValue, b: SSAValue) -> SSAValue:
        return tensor(fn(Tensor(a), Tensor(b))).ssa

    return made(ReduceWindowOp, [t.ssa], [start.ssa], window_from(dims), body)


def _squared_size(t: Tensor) -> Tensor:
    """|t|², a real number."""
    if t.dtype.kind != "complex":
        return t * t
    return unary.square(unary.real(t)) + unary.square(unary.imag(t))


def lowest(dtype: DType) -> bool | int | float:
    """The number that the maximum with anything leaves alone: -inf, or the least number of a type without it."""
    return _identities(dtype)[0]


def greatest_of(dtype: DType) -> bool | int | float:
    """The number that the minimum with anything leaves alone: inf, or the greatest number of a type without it."""
    return _identities(dtype)[1]


def _identities(dtype: DType) -> tuple[bool | int | float, bool | int | float]:
    """The identities of maximum and of minimum."""
    if dtype is dtypes.i1:
        return False, True
    if dtype.kind in ("int", "uint"):
        return bounds(dtype)
    return (-math.inf, math.inf) if has_infinity(dtype) else bounds(dtype)


def _wide(dtype: DType) -> DType:
    """The type in which elements of `dtype` are added up."""
    return dtypes.f32 if dtype.kind == "float" and dtype.bits < 32 else dtype


def accumulator(dtype: DType, wanted: DType | None) -> tuple[DType, DType]:
    """In which type elements of type `dtype` are added up, and of which the sum is: `wanted`, unless that is None."""
    least = dtypes.ui32 if dtype.kind == "uint" else dtypes.i32
    grown = least if dtype.kind in ("bool", "int", "uint") and dtype.bits < 32 else dtype
    with at_user_line():
        result = grown if wanted is None else dtypes.as_dtype(wanted)
    return _wide(result), result


def _accumulated(
    op: type[Operation], start: int, name: str, x: ArrayLike, axis: Axis, dtype: DType | None, keepdims: bool
) -> Tensor:
    t = tensor(x)
    wide, result = accumulator(t.dtype, dtype)
    return _folded(op, t.astype(wide), start, name, axis, keepdims).astype(result)


def _extreme(op: type[Operation], name: str, x: ArrayLike, axis: Axis, keepdims: bool) -> Tensor:
    t = tensor(x)
    check_ordered(name, t)
    _check_some(name, t, axes_of(name, axis, t.ndim))
    return _folded(op, t, _identities(t.dtype)[op is MinimumOp], name, axis, keepdims)


def _check_some(name: str, t: Tensor, dims: Sequence[int]) -> None:
    if 0 in (t.shape[d] for d in dims):
        raise with_place(ShapeError(f"{name}: x is {t.spec}; elements along axis {list(dims)} were expected"))


def _folded(op: type[Operation], t: Tensor, start: bool | int | float, name: str, axis: Axis, keepdims: bool) -> Tensor:
    dims = axes_of(name, axis, t.ndim)
    if not dims:
        return t
    folded = made(ReduceOp, [t.ssa], [tensor(start, t.dtype).ssa], sorted(dims), op)
    return _kept(folded, t.shape, dims) if keepdims else folded


def _kept(folded: Tensor, shape: Sequence[int], dims: Sequence[int]) -> Tensor:
    return folded.reshape([1 if d in dims else n for d, n in enumerate(shape)])


def _count(t: Tensor, dims: Sequence[int]) -> int:
    return math.prod(t.shape[d] for d in dims)


def _place_of_extreme(
    name: str, better: Callable[[Tensor, Tensor], Tensor], x: ArrayLike, axis: int | None, keepdims: bool
) -> Tensor:
    t = tensor(x)
    check_ordered(name, t)
    row = t if axis is not None else t.reshape(-1)
    d = axis_of(name, 0 if axis is None else axis, row.ndim)
    _check_some(name, row, (d,))
    start = _identities(t.dtype)[better is Tensor.__lt__]

    def body(a: SSAValue, i: SSAValue, b: SSAValue, j: SSAValue) -> tuple[SSAValue, SSAValue]:
        left, place, right, other = Tensor(a), Tensor(i), Tensor(b), Tensor(j)
        wins = better(left, right) | (left != left)
        first = wins | ((left == right) & (place < other))
        return where(wins, left, right).ssa, where(first, place, other).ssa

    with at_user_line():
        places = iota(row.shape, d)
        inits = tensor(start, t.dtype).ssa, tensor(0, dtypes.i32).ssa
        folded = Tensor(add(ReduceOp([row.ssa, places.ssa], inits, (d,), body)).results[1])
    if not keepdims:
        return folded
    return _kept(folded, row.shape, (d,)) if axis is not None else folded.reshape((1,) * t.ndim)
