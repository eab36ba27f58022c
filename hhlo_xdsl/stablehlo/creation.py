"""Thin functions of the family creation."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dtypes import DType, Spec
from hhlo_xdsl.stablehlo.shared import type_from
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def constant(value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A constant: a number, an array or nested lists of numbers, in the element type `dtype` or their own."""
    return tensor(value, dtype)


def iota(type: Spec, iota_dimension: int) -> Tensor:
    """A tensor of `type`, such as hh.i64[2, 3], whose elements are their index along `iota_dimension`."""
    return made(IotaOp, type_from(type), iota_dimension)
