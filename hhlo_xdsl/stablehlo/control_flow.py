"""Thin functions of the family control_flow. Regions are Python functions, traced once; they may use outer tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hhlo_xdsl.dialects.stablehlo import control_flow as dialect
from hhlo_xdsl.stablehlo.shared import Block, region, several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, tensor


def if_(pred: ArrayLike, true_branch: Block, false_branch: Block) -> tuple[Tensor, ...]:
    """What `true_branch()` gives if pred, an i1 scalar, is true; else what `false_branch()` gives."""
    chooser, branches = tensor(pred).ssa, (region(true_branch), region(false_branch))
    return several(lambda: dialect.IfOp(chooser, *branches))


def case(index: ArrayLike, branches: Sequence[Block]) -> tuple[Tensor, ...]:
    """What `branches[index]()` gives, for an i32 scalar; of an index out of range, what the last branch gives."""
    chooser, regions = tensor(index).ssa, [region(b) for b in branches]
    return several(lambda: dialect.CaseOp(chooser, regions))


def while_(operand: Sequence[ArrayLike], cond: Callable[..., ArrayLike], body: Block) -> tuple[Tensor, ...]:
    """While `cond` of the carried values is true, they become `body` of them; what they are in the end.

    >>> hh.trace(lambda n: hh.stablehlo.while_([n], lambda n: n < 100, lambda n: 2 * n)[0], hh.i32)
    """
    carried, regions = values(operand), (region(cond), region(body))
    return several(lambda: dialect.WhileOp(carried, *regions))


def optimization_barrier(operand: Sequence[ArrayLike]) -> tuple[Tensor, ...]:
    """The operands, all of which are computed before any is used."""
    carried = values(operand)
    return several(lambda: dialect.OptimizationBarrierOp(carried))
