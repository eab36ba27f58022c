"""Thin functions of the family indexing."""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.stablehlo import indexing as dialect
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.stablehlo.shared import Ints, Reducer, region, several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def dynamic_slice(operand: ArrayLike, start_indices: Sequence[ArrayLike], slice_sizes: Ints) -> Tensor:
    """operand[start:start + size] in every dimension; starts are scalars, clamped so that the slice lies inside."""
    return made(dialect.DynamicSliceOp, tensor(operand), values(start_indices), slice_sizes)


def dynamic_update_slice(operand: ArrayLike, update: ArrayLike, start_indices: Sequence[ArrayLike]) -> Tensor:
    """operand with `update` written where the starts, clamped as in dynamic_slice, say."""
    return made(dialect.DynamicUpdateSliceOp, tensor(operand), tensor(update), values(start_indices))


def gather(
    operand: ArrayLike,
    start_indices: ArrayLike,
    *,
    slice_sizes: Ints,
    offset_dims: Ints = (),
    collapsed_slice_dims: Ints = (),
    operand_batching_dims: Ints = (),
    start_indices_batching_dims: Ints = (),
    start_index_map: Ints = (),
    index_vector_dim: int = 0,
    indices_are_sorted: bool = False,
) -> Tensor:
    """A slice of operand for each index vector in start_indices, clamped so that it lies inside."""
    numbers = IndexNumbers(
        tuple(offset_dims),
        tuple(collapsed_slice_dims),
        tuple(operand_batching_dims),
        tuple(start_indices_batching_dims),
        tuple(start_index_map),
        index_vector_dim,
    )
    operands = tensor(operand).ssa, tensor(start_indices).ssa
    return made(lambda: dialect.GatherOp(*operands, numbers, slice_sizes, indices_are_sorted=indices_are_sorted))


def dynamic_gather(
    operand: ArrayLike,
    start_indices: ArrayLike,
    slice_sizes: ArrayLike,
    *,
    offset_dims: Ints = (),
    collapsed_slice_dims: Ints = (),
    operand_batching_dims: Ints = (),
    start_indices_batching_dims: Ints = (),
    start_index_map: Ints = (),
    index_vector_dim: int = 0,
    indices_are_sorted: bool = False,
) -> Tensor:
    """gather, with slice_sizes as a tensor of integers."""
    numbers = IndexNumbers(
        tuple(offset_dims),
        tuple(collapsed_slice_dims),
        tuple(operand_batching_dims),
        tuple(start_indices_batching_dims),
        tuple(start_index_map),
        index_vector_dim,
    )
    operands = tensor(operand).ssa, tensor(start_indices).ssa, tensor(slice_sizes).ssa
    return made(lambda: dialect.DynamicGatherOp(*operands, numbers, indices_are_sorted=indices_are_sorted))


def scatter(
    inputs: Sequence[ArrayLike],
    scatter_indices: ArrayLike,
    updates: Sequence[ArrayLike],
    update_computation: Reducer,
    *,
    update_window_dims: Ints = (),
    inserted_window_dims: Ints = (),
    input_batching_dims: Ints = (),
    scatter_indices_batching_dims: Ints = (),
    scatter_dims_to_operand_dims: Ints = (),
    index_vector_dim: int = 0,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> tuple[Tensor, ...]:
    """The inputs, with updates folded in by `update_computation` where the index vectors say; one result per input."""
    numbers = IndexNumbers(
        tuple(update_window_dims),
        tuple(inserted_window_dims),
        tuple(input_batching_dims),
        tuple(scatter_indices_batching_dims),
        tuple(scatter_dims_to_operand_dims),
        index_vector_dim,
    )
    operands = values(inputs), tensor(scatter_indices).ssa, values(updates)
    body = region(update_computation)
    promises = {"indices_are_sorted": indices_are_sorted, "unique_indices": unique_indices}
    return several(lambda: dialect.ScatterOp(*operands, numbers, body, **promises))


def torch_index_select(operand: ArrayLike, index: ArrayLike, dim: int, batch_dims: int = 0) -> Tensor:
    """The slices of operand along `dim` that `index` names; deprecated: use gather."""
    return made(dialect.TorchIndexSelectOp, tensor(operand), tensor(index), dim, batch_dims)
