"""Thin functions of the family compare."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo import compare as dialect
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from hhlo_xdsl.stablehlo.shared import enum_of
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def compare(lhs: ArrayLike, rhs: ArrayLike, comparison_direction: str, compare_type: str | None = None) -> Tensor:
    """lhs <direction> rhs, as i1. The direction is EQ, NE, GE, GT, LE or LT; the type is FLOAT, TOTALORDER, SIGNED or
    UNSIGNED, and follows from the operands if None.
    """
    direction = enum_of("stablehlo.compare", ComparisonDirection, comparison_direction)
    kind = None if compare_type is None else enum_of("stablehlo.compare", ComparisonType, compare_type)
    return made(dialect.CompareOp, tensor(lhs), tensor(rhs), direction, kind)


def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Tensor:
    """on_true where pred holds, else on_false."""
    return made(dialect.SelectOp, tensor(pred), tensor(on_true), tensor(on_false))


def clamp(min: ArrayLike, operand: ArrayLike, max: ArrayLike) -> Tensor:
    """minimum(maximum(operand, min), max); the bounds are scalars or have operand's shape."""
    return made(dialect.ClampOp, tensor(min), tensor(operand), tensor(max))
