"""Sums that several families of rules need: the transposes of broadcasting."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp
from hhlo_xdsl.dialects.types import scalar, type_of


def sum_over(x: SSAValue, dims: Sequence[int]) -> SSAValue:
    """x summed over `dims`, which vanish; x itself if there are none."""
    if not dims:
        return x
    return emit(ReduceOp([x], [zeros(scalar(type_of(x)))], dims, AddOp))


def sum_all(x: SSAValue) -> SSAValue:
    """The sum of all elements of x, a scalar."""
    return sum_over(x, range(type_of(x).get_num_dims()))
