"""Thin functions of the family dynamic: sizes and paddings are tensors of integers.

Where these are constants, the result's sizes are known; else `shape` gives those that are, None standing for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from hhlo_xdsl.dialects.stablehlo import dynamic as dialect
from hhlo_xdsl.dialects.stablehlo.conv_window import Window
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers
from hhlo_xdsl.dialects.types import UNKNOWN
from hhlo_xdsl.dtypes import DType, i32
from hhlo_xdsl.stablehlo.contraction import conv_numbers
from hhlo_xdsl.stablehlo.shared import Ints, element_type, precisions
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor

Sizes = Sequence[int | None] | None


def _sizes(shape: Sizes) -> list[int] | None:
    return None if shape is None else [UNKNOWN if n is None else n for n in shape]


def dynamic_iota(output_shape: ArrayLike, iota_dimension: int, dtype: DType = i32, shape: Sizes = None) -> Tensor:
    """A tensor of sizes output_shape whose elements are their index along `iota_dimension`."""
    return made(dialect.DynamicIotaOp, tensor(output_shape), iota_dimension, element_type(dtype), _sizes(shape))


def dynamic_reshape(operand: ArrayLike, output_shape: ArrayLike, shape: Sizes = None) -> Tensor:
    """The elements of operand, in row-major order, in the shape output_shape."""
    return made(dialect.DynamicReshapeOp, tensor(operand), tensor(output_shape), _sizes(shape))


def dynamic_broadcast_in_dim(
    operand: ArrayLike,
    output_dimensions: ArrayLike,
    broadcast_dimensions: Ints,
    shape: Sizes = None,
    *,
    known_expanding_dimensions: Ints = (),
    known_nonexpanding_dimensions: Ints = (),
) -> Tensor:
    """operand repeated to the sizes output_dimensions, its dimension k at place broadcast_dimensions[k]."""
    operands = tensor(operand).ssa, tensor(output_dimensions).ssa
    promises = {"expanding": known_expanding_dimensions, "nonexpanding": known_nonexpanding_dimensions}

    def op() -> Operation:
        return dialect.DynamicBroadcastInDimOp(*operands, broadcast_dimensions, _sizes(shape), **promises)

    return made(op)


def dynamic_pad(
    operand: ArrayLike,
    padding_value: ArrayLike,
    edge_padding_low: ArrayLike,
    edge_padding_high: ArrayLike,
    interior_padding: ArrayLike,
    shape: Sizes = None,
) -> Tensor:
    """operand with padding_value before, after and between its elements."""
    operands = operand, padding_value, edge_padding_low, edge_padding_high, interior_padding
    return made(dialect.DynamicPadOp, *map(tensor, operands), _sizes(shape))


def real_dynamic_slice(
    operand: ArrayLike,
    start_indices: ArrayLike,
    limit_indices: ArrayLike,
    strides: ArrayLike,
    shape: Sizes = None,
) -> Tensor:
    """operand[start:limit:stride] in every dimension."""
    operands = operand, start_indices, limit_indices, strides
    return made(dialect.RealDynamicSliceOp, *map(tensor, operands), _sizes(shape))


def get_dimension_size(operand: ArrayLike, dimension: int) -> Tensor:
    """The size of a dimension, an i32 scalar."""
    return made(dialect.GetDimensionSizeOp, tensor(operand), dimension)


def set_dimension_size(operand: ArrayLike, size: ArrayLike, dimension: int) -> Tensor:
    """operand cut to `size`, an i32 scalar, in a dimension; its static size becomes a bound unless `size` is one."""
    return made(dialect.SetDimensionSizeOp, tensor(operand), tensor(size), dimension)


def dynamic_conv(
    lhs: ArrayLike,
    rhs: ArrayLike,
    padding: ArrayLike,
    *,
    dimension_numbers: str | ConvNumbers,
    window_strides: Ints = (),
    lhs_dilation: Ints = (),
    rhs_dilation: Ints = (),
    window_reversal: Sequence[bool] = (),
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision_config: Sequence[str] = (),
    dtype: DType | None = None,
) -> Tensor:
    """convolution, with its padding as a tensor of (low, high) per spatial dimension."""
    numbers = conv_numbers(dimension_numbers)
    dilations = tuple(lhs_dilation), tuple(rhs_dilation)
    window = Window(tuple(window_strides), (), *dilations, tuple(window_reversal))
    operands = tensor(lhs).ssa, tensor(rhs).ssa, tensor(padding).ssa
    settings: dict[str, Any] = {
        "feature_group_count": feature_group_count,
        "batch_group_count": batch_group_count,
        "precision": precisions("stablehlo.dynamic_conv", precision_config),
        "element": None if dtype is None else element_type(dtype),
    }
    return made(lambda: dialect.DynamicConvOp(*operands, numbers, window, **settings))
