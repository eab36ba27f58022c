"""Thin functions of the family map."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hhlo_xdsl.dialects.stablehlo.map import MapOp
from hhlo_xdsl.stablehlo.shared import region, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made


def map(inputs: Sequence[ArrayLike], computation: Callable[..., Tensor]) -> Tensor:
    """`computation`, a function of as many scalars as there are inputs, applied to each of their elements."""
    return made(MapOp, values(inputs), region(computation))
