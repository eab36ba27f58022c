"""Thin functions of the family movement."""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.stablehlo import movement as dialect
from hhlo_xdsl.stablehlo.shared import Ints, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def reshape(operand: ArrayLike, shape: Ints) -> Tensor:
    """The elements of operand, in row-major order, in another shape."""
    return made(dialect.ReshapeOp, tensor(operand), tuple(shape))


def transpose(operand: ArrayLike, permutation: Ints) -> Tensor:
    """operand with dimension permutation[k] at place k."""
    return made(dialect.TransposeOp, tensor(operand), permutation)


def broadcast_in_dim(operand: ArrayLike, shape: Ints, broadcast_dimensions: Ints) -> Tensor:
    """operand repeated to `shape`, its dimension k at place broadcast_dimensions[k]."""
    return made(dialect.BroadcastInDimOp, tensor(operand), tuple(shape), broadcast_dimensions)


def reverse(operand: ArrayLike, dimensions: Ints) -> Tensor:
    """operand read backwards along `dimensions`."""
    return made(dialect.ReverseOp, tensor(operand), dimensions)


def concatenate(inputs: Sequence[ArrayLike], dimension: int) -> Tensor:
    """The inputs end to end along `dimension`."""
    return made(dialect.ConcatenateOp, values(inputs), dimension)


def pad(
    operand: ArrayLike,
    padding_value: ArrayLike,
    edge_padding_low: Ints,
    edge_padding_high: Ints,
    interior_padding: Ints,
) -> Tensor:
    """operand with padding_value before, after and between its elements."""
    paddings = edge_padding_low, edge_padding_high, interior_padding
    return made(dialect.PadOp, tensor(operand), tensor(padding_value), *paddings)


def slice(operand: ArrayLike, start_indices: Ints, limit_indices: Ints, strides: Ints) -> Tensor:
    """operand[start:limit:stride] in every dimension."""
    return made(dialect.SliceOp, tensor(operand), start_indices, limit_indices, strides)
