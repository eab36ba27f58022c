"""Sizes that are known only when the program runs: reading them, and tensors that have them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, scalar_elements
from hhlo_xdsl.dialects.stablehlo.dynamic import DynamicBroadcastInDimOp, GetDimensionSizeOp
from hhlo_xdsl.dialects.stablehlo.movement import ConcatenateOp, ReshapeOp
from hhlo_xdsl.dialects.types import UNKNOWN, shape_of


def size_of(x: SSAValue, dimension: int) -> SSAValue:
    """The size of x along `dimension`, tensor<i32>; a constant if it is known."""
    size = shape_of(x)[dimension]
    if size == UNKNOWN:
        return emit(GetDimensionSizeOp(x, dimension))
    return emit(ConstantOp(scalar_elements(i32, size)))


def as_shape(sizes: Sequence[SSAValue]) -> SSAValue:
    """tensor<nxi32> of n > 0 scalars."""
    return emit(ConcatenateOp([emit(ReshapeOp(size, (1,))) for size in sizes], 0))


def filled_like(value: SSAValue, x: SSAValue) -> SSAValue:
    """The scalar `value` in every element, in the shape of x, some of whose sizes are unknown."""
    sizes = as_shape([size_of(x, d) for d in range(len(shape_of(x)))])
    return emit(DynamicBroadcastInDimOp(value, sizes, (), shape_of(x)))
