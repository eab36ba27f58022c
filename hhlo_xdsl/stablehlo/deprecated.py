"""Thin functions of the family deprecated: ops that newer ones have replaced."""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.stablehlo import deprecated as dialect
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.stablehlo.shared import Ints, element_type, precisions
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def broadcast(operand: ArrayLike, broadcast_sizes: Ints) -> Tensor:
    """operand repeated along new dimensions in front; use broadcast_in_dim."""
    return made(dialect.BroadcastOp, tensor(operand), broadcast_sizes)


def dot(lhs: ArrayLike, rhs: ArrayLike, *, precision_config: Sequence[str] = (), dtype: DType | None = None) -> Tensor:
    """The product of matrices or vectors; use dot_general."""
    precision = precisions("stablehlo.dot", precision_config)
    result = None if dtype is None else element_type(dtype)
    operands = tensor(lhs).ssa, tensor(rhs).ssa
    return made(lambda: dialect.DotOp(*operands, precision=precision, element=result))


def einsum(lhs: ArrayLike, rhs: ArrayLike, einsum_config: str) -> Tensor:
    """The sums of products that "ab,bc->ac" spells; use dot_general."""
    return made(dialect.EinsumOp, tensor(lhs), tensor(rhs), einsum_config)


def unary_einsum(operand: ArrayLike, einsum_config: str) -> Tensor:
    """The sums that "ab->a" spells; use reduce and transpose."""
    return made(dialect.UnaryEinsumOp, tensor(operand), einsum_config)
