"""Thin functions of the family reduction."""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.stablehlo import reduction as dialect
from hhlo_xdsl.stablehlo.shared import Ints, Pairs, Reducer, region, several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def reduce(
    inputs: Sequence[ArrayLike], init_values: Sequence[ArrayLike], dimensions: Ints, body: Reducer
) -> tuple[Tensor, ...]:
    """The inputs folded by `body` along `dimensions`, which vanish; one result per input."""
    return several(lambda: dialect.ReduceOp(values(inputs), values(init_values), dimensions, region(body)))


def reduce_window(
    inputs: Sequence[ArrayLike],
    init_values: Sequence[ArrayLike],
    window_dimensions: Ints,
    body: Reducer,
    *,
    window_strides: Ints | None = None,
    base_dilations: Ints | None = None,
    window_dilations: Ints | None = None,
    padding: Pairs | None = None,
) -> tuple[Tensor, ...]:
    """The elements in each position of a sliding window, folded by `body`; one result per input."""
    window = dialect.Window(window_dimensions, window_strides, base_dilations, window_dilations, padding)
    return several(lambda: dialect.ReduceWindowOp(values(inputs), values(init_values), window, region(body)))


def select_and_scatter(
    operand: ArrayLike,
    source: ArrayLike,
    init_value: ArrayLike,
    select: Reducer,
    scatter: Reducer,
    *,
    window_dimensions: Ints | None = None,
    window_strides: Ints | None = None,
    padding: Pairs | None = None,
) -> Tensor:
    """Each element of source, sent to the element that `select` picks in its window; `scatter` joins them."""
    window = dialect.Window(window_dimensions, window_strides, padding=padding)
    operands = tensor(operand), tensor(source), tensor(init_value)
    return made(dialect.SelectAndScatterOp, *operands, window, region(select), region(scatter))
