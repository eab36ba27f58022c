"""Comparisons, which give i1, and choices between tensors. Shapes broadcast and element types promote."""

from __future__ import annotations

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import MaximumOp, MinimumOp
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, SelectOp
from hhlo_xdsl.errors import DTypeError
from hhlo_xdsl.promotion import broadcast_shapes
from hhlo_xdsl.tensor import (
    ArrayLike,
    Tensor,
    at_user_line,
    broadcast_to,
    compare,
    elementwise,
    made,
    promote,
    tensor,
)
from hhlo_xdsl.where import with_place


def equal(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 == x2, as i1; false for NaN."""
    return compare(ComparisonDirection.EQ, x1, x2)


def not_equal(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 != x2, as i1; true for NaN."""
    return compare(ComparisonDirection.NE, x1, x2)


def less(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 < x2, as i1. Raises DTypeError for complex numbers."""
    return compare(ComparisonDirection.LT, x1, x2)


def less_equal(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 <= x2, as i1. Raises DTypeError for complex numbers."""
    return compare(ComparisonDirection.LE, x1, x2)


def greater(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 > x2, as i1. Raises DTypeError for complex numbers."""
    return compare(ComparisonDirection.GT, x1, x2)


def greater_equal(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 >= x2, as i1. Raises DTypeError for complex numbers."""
    return compare(ComparisonDirection.GE, x1, x2)


def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 where `condition` holds, else x2. All three broadcast together.

    Raises DTypeError unless `condition` is i1.

    >>> hh.trace(lambda x: hh.where(x > 0, x, 0), hh.f32[4])
    """
    chooser = tensor(condition)
    if chooser.dtype is not dtypes.i1:
        raise with_place(DTypeError(f"where: condition is {chooser.spec}; i1 was expected; compare it with 0"))
    with at_user_line():
        a, b = promote(x1, x2)
        shape = broadcast_shapes("where", chooser.shape, a.shape, b.shape)
        # A scalar condition chooses a branch as a whole; the op takes it as it is.
        pred = broadcast_to(chooser, shape) if chooser.shape else chooser
        return made(SelectOp, pred, broadcast_to(a, shape), broadcast_to(b, shape))


def clip(x: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Tensor:
    """x, but at least `min` and at most `max`: minimum(maximum(x, min), max). A bound that is None does not bind.

    The three broadcast together and promote; NaN stays NaN.
    """
    if min is None or max is None:
        bounded = tensor(x) if min is None else elementwise(MaximumOp, x, min)
        return bounded if max is None else elementwise(MinimumOp, bounded, max)
    with at_user_line():
        t, low, high = promote(x, min, max)
        shape = broadcast_shapes("clip", t.shape, low.shape, high.shape)
        low, high = (broadcast_to(b, shape) if b.shape else b for b in (low, high))
        return made(ClampOp, low, broadcast_to(t, shape), high)
