"""Functions that put elements in order. NaN counts as greater than any number; complex numbers go by their real part,
then by their imaginary one.
"""

from __future__ import annotations

from typing import Literal

from xdsl.ir import SSAValue

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.creation import iota, zeros_like
from hhlo_xdsl.ops.indexing import take
from hhlo_xdsl.ops.operands import axis_of, sizes_of
from hhlo_xdsl.ops.unary import imag, real
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, promote, tensor
from hhlo_xdsl.where import with_place


def sort(x: ArrayLike, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Tensor:
    """x with the elements along `axis` in ascending order, or in descending order.

    >>> hh.trace(hh.sort, hh.f32[4, 5])
    """
    t = tensor(x)
    d = axis_of("sort", axis, t.ndim)
    return _sorted((t,), d, descending, stable)[0]


def argsort(x: ArrayLike, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Tensor:
    """Where the elements that `sort` gives stand in x, as i32; of equal ones the first comes first.

    >>> hh.trace(lambda x: hh.take_along_axis(x, hh.argsort(x)), hh.f32[4, 5])         # as hh.sort
    """
    t = tensor(x)
    d = axis_of("argsort", axis, t.ndim)
    return _sorted((t, iota(t.shape, d)), d, descending, stable)[1]


def top_k(x: ArrayLike, k: int, axis: int = -1) -> tuple[Tensor, Tensor]:
    """The k greatest elements along `axis`, in descending order, and where they stand, as i32; of equal ones the first.

    Raises ShapeError if there are fewer.

    >>> hh.trace(lambda x: hh.top_k(x, 3), hh.f32[4, 10])              # f32[4, 3] and i32[4, 3]
    """
    t = tensor(x)
    d = axis_of("top_k", axis, t.ndim)
    (k,) = sizes_of("top_k", (k,))
    if k > t.shape[d]:
        raise with_place(ShapeError(f"top_k: k is {k}, x is {t.spec}; a number in 0..{t.shape[d]} was expected"))
    first = (*[slice(None)] * d, slice(k))
    values, places = _sorted((t, iota(t.shape, d)), d, True, True)
    return values[first], places[first]


def searchsorted(x: ArrayLike, values: ArrayLike, side: Literal["left", "right"] = "left") -> Tensor:
    """How many elements of x, a vector in ascending order, come before each of the values, as i32.

    side : "left" if equal ones come after the value, "right" if before

    Raises ShapeError unless x is a vector. By bisection: log2(size of x) steps.
    """
    t, wanted = promote(x, values)
    if t.ndim != 1 or side not in ("left", "right"):
        raise with_place(
            ShapeError(f'searchsorted: x is {t.spec}, side is {side!r}; a vector and "left" or "right" were expected')
        )
    low = zeros_like(wanted, dtypes.i32)
    high = low + t.shape[0]
    for _ in range(t.shape[0].bit_length()):
        middle = (low + high) // 2
        found = take(t, middle)
        before = (_less(found, wanted) if side == "left" else ~_less(wanted, found)) & (low < high)
        low, high = where(before, middle + 1, low), where(before | (low >= high), high, middle)
    return low


def _sorted(inputs: tuple[Tensor, ...], d: int, descending: bool, stable: bool) -> tuple[Tensor, ...]:
    """The inputs by the order of the first."""

    def comes_first(*args: SSAValue) -> SSAValue:
        a, b = Tensor(args[0]), Tensor(args[1])
        return (_less(b, a) if descending else _less(a, b)).ssa

    with at_user_line():
        op = add(SortOp([t.ssa for t in inputs], d, comes_first, is_stable=stable))
        return tuple(Tensor(r) for r in op.results)


def _less(a: Tensor, b: Tensor) -> Tensor:
    """Whether a comes before b in ascending order."""
    if a.dtype.kind == "complex":
        first, second = (real(a), real(b)), (imag(a), imag(b))
        same = ~_less(*first) & ~_less(*first[::-1])
        return _less(*first) | (same & _less(*second))
    return a < b if a.dtype.kind != "float" else (a < b) | ((b != b) & (a == a))
