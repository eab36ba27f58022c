"""Thin functions of the family ordering."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.stablehlo.shared import region, several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor


def sort(
    inputs: Sequence[ArrayLike], dimension: int, comparator: Callable[..., Tensor], *, is_stable: bool = False
) -> tuple[Tensor, ...]:
    """The inputs, rearranged together along `dimension`; one result per input.

    comparator : (left of input 0, right of input 0, left of input 1, ..) -> whether left comes first, scalars all

    >>> hh.trace(lambda x: hh.stablehlo.sort([x], 0, lambda a, b: a < b)[0], hh.f32[8])
    """
    operands, body = values(inputs), region(comparator)
    return several(lambda: SortOp(operands, dimension, body, is_stable=is_stable))
