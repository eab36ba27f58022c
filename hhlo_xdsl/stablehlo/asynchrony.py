"""Thin functions of the family asynchrony."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hhlo_xdsl.dialects.stablehlo import asynchrony as dialect
from hhlo_xdsl.stablehlo.shared import region, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def async_start(operands: Sequence[ArrayLike], body: Callable[..., Tensor]) -> Tensor:
    """Starts the one op that `body` makes of the operands; its future, for async_done.

    Raises VerifyError unless it is a collective or a slice.
    """
    return made(dialect.AsyncStartOp, values(operands), region(body))


def async_done(operand: ArrayLike) -> Tensor:
    """The tensor that a future of async_start gives, once it is there."""
    return made(dialect.AsyncDoneOp, tensor(operand))
