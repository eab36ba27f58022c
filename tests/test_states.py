"""Every op of the dialects is in exactly one state."""

from hhlo_xdsl.passes.states import states


def test_every_op_has_one_state() -> None:
    wrong = {op.name: found for op, found in states().items() if len(found) != 1}
    assert not wrong, "give each a rule, or a reason in NON_DIFFERENTIABLE or NOT_YET"


def test_every_reason_is_given() -> None:
    assert not [op.name for op, ((state, reason),) in states().items() if state != "rule" and not reason]
