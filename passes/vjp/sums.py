"""Sums that several families of rules need: the transposes of broadcasting."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, f32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp
from hhlo_xdsl.dialects.types import scalar, type_of


def sum_over(x: SSAValue, dims: Sequence[int]) -> SSAValue:
    """x summed over `dims`, which vanish; x itself if there are none.

    Elements of a byte or less are added as f32: 1 + .. + 1 would stop at 16. XLA does so itself for f16 and bf16.
    """
    if not dims:
        return x
    element = type_of(x).element_type
    if isinstance(element, AnyFloat) and element.bitwidth < 16:
        return emit(ConvertOp(sum_over(emit(ConvertOp(x, f32)), dims), element))
    return emit(ReduceOp([x], [zeros(scalar(type_of(x)))], dims, AddOp))


def sum_all(x: SSAValue) -> SSAValue:
    """The sum of all elements of x, a scalar."""
    return sum_over(x, range(type_of(x).get_num_dims()))
