"""Every op of the dialects is in exactly one state per mode."""

import pytest

from hhlo_xdsl.passes.jvp import core as jvp
from hhlo_xdsl.passes.states import Mode, states

MODES = pytest.mark.parametrize("mode", ["reverse", "forward"])


@MODES
def test_every_op_has_one_state(mode: Mode) -> None:
    wrong = {op.name: found for op, found in states(mode).items() if len(found) != 1}
    assert not wrong, f"give each a rule, or a reason in NON_DIFFERENTIABLE or NOT_YET ({mode} mode)"


@MODES
def test_every_reason_is_given(mode: Mode) -> None:
    assert not [op.name for op, ((state, reason),) in states(mode).items() if state != "rule" and not reason]


def test_an_op_has_one_rule_in_forward_mode() -> None:
    tables = (jvp.RULES, jvp.WALK_RULES, jvp.JOINT_RULES, jvp.ELEMENTWISE)
    found = [op for table in tables for op in table]
    assert not [op.name for op in set(found) if found.count(op) > 1]
