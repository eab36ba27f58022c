"""Which ops can be differentiated: each op of the dialects is in exactly one state per mode."""

from __future__ import annotations

from typing import Literal

from xdsl.ir import Operation

from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.sdy import Sdy
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.passes.jvp import core as jvp
from hhlo_xdsl.passes.vjp import core as vjp

Mode = Literal["reverse", "forward"]
State = Literal["rule", "non-differentiable", "not yet"]


def states(mode: Mode) -> dict[type[Operation], list[tuple[State, str]]]:
    """Per op the states it was given in a mode, each with its reason; a right entry has exactly one."""
    find = _reverse if mode == "reverse" else _forward
    return {op: find(op) for dialect in (StableHLO, CHLO, Sdy) for op in dialect.operations}


def _reverse(op: type[Operation]) -> list[tuple[State, str]]:
    has_rule = any(op in table for table in (vjp.RULES, vjp.WALK_RULES, vjp.REGION_RULES))
    return _found(op, has_rule, vjp.NOT_YET.get(op))


def _forward(op: type[Operation]) -> list[tuple[State, str]]:
    """What has neither a forward rule nor a reverse one waits for both, with the reason that the reverse one has."""
    tables = (jvp.RULES, jvp.WALK_RULES, jvp.JOINT_RULES, vjp.ELEMENTWISE)
    has_rule = any(op in table for table in tables)
    return _found(op, has_rule, jvp.NOT_YET.get(op) or (None if has_rule else vjp.NOT_YET.get(op)))


def _found(op: type[Operation], has_rule: bool, not_yet: str | None) -> list[tuple[State, str]]:
    found: list[tuple[State, str]] = []
    if has_rule:
        found.append(("rule", ""))
    if op in vjp.NON_DIFFERENTIABLE:
        found.append(("non-differentiable", vjp.NON_DIFFERENTIABLE[op]))
    if not_yet is not None:
        found.append(("not yet", not_yet))
    return found
