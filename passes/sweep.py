"""Removing ops whose results nobody uses."""

from __future__ import annotations

from xdsl.ir import Block
from xdsl.transforms.dead_code_elimination import is_trivially_dead


def sweep(block: Block) -> None:
    """Erase, from the last op to the first, those without effects whose results have no uses."""
    op = block.last_op
    while op is not None:
        before = op.prev_op
        if is_trivially_dead(op):
            block.erase_op(op)
        op = before
