"""Attributes by which a program says how its loops and parts are kept for the way back."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Operation

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Options

RECOMPUTED = "hhlo.checkpoint"
"""On a stablehlo.case of one branch: its way back computes again what it needs of it. On a loop: the option
`checkpoint` of hhlo-grad, for this loop."""
SLOTS = "hhlo.slots"
"""On a loop: the option `slots` of hhlo-grad, for this loop."""

CHECKPOINTS = ("all", "sqrt", "binomial")
"""What a loop may keep."""


def checkpoint_of(op: Operation, options: Options) -> str:
    """What the loop `op` keeps."""
    mark = op.attributes.get(RECOMPUTED)
    found = mark.data if isinstance(mark, StringAttr) else options.checkpoint
    if found not in CHECKPOINTS:
        raise DifferentiationError(
            f'{op.name}: {RECOMPUTED} is "{found}"; one of {", ".join(CHECKPOINTS)} was expected{place(op)}'
        )
    return found


def slots_of(op: Operation, options: Options) -> int:
    """How many states the loop `op` keeps if its trip count is not known."""
    mark = op.attributes.get(SLOTS)
    found = mark.value.data if isinstance(mark, IntegerAttr) else options.slots
    if found < 1:
        raise DifferentiationError(f"{op.name}: {SLOTS} is {found}; at least 1 was expected{place(op)}")
    return found
