"""Which ops can be differentiated: each op of the dialects is in exactly one state."""

from __future__ import annotations

from typing import Literal

from xdsl.ir import Operation

from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.passes.vjp.core import NON_DIFFERENTIABLE, NOT_YET, RULES, WALK_RULES

State = Literal["rule", "non-differentiable", "not yet"]


def states() -> dict[type[Operation], list[tuple[State, str]]]:
    """Per op the states it was given, each with its reason; a right entry has exactly one."""
    return {op: _states_of(op) for dialect in (StableHLO, CHLO) for op in dialect.operations}


def _states_of(op: type[Operation]) -> list[tuple[State, str]]:
    found: list[tuple[State, str]] = []
    if op in RULES or op in WALK_RULES:
        found.append(("rule", ""))
    if op in NON_DIFFERENTIABLE:
        found.append(("non-differentiable", NON_DIFFERENTIABLE[op]))
    if op in NOT_YET:
        found.append(("not yet", NOT_YET[op]))
    return found
