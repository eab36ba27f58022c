"""Forward-mode rules of custom calls, by the name of the function that is called."""

from __future__ import annotations

from collections.abc import Callable

from hhlo_xdsl.dialects.stablehlo.extension import CustomCallOp
from hhlo_xdsl.passes.jvp.core import JvpRule, Tangents, jvp_rule, missing_rule
from hhlo_xdsl.passes.vjp.custom_calls import unknown

TARGETS: dict[str, JvpRule] = {}
"""Name of the called function -> (op, tangents of its operands) -> tangents of its results."""


def custom_call_jvp_rule(*targets: str) -> Callable[[JvpRule], JvpRule]:
    """Register a function `(op, tangents) -> tangents of the results` as the rule of custom calls of `targets`."""

    def register(rule: JvpRule) -> JvpRule:
        TARGETS.update(dict.fromkeys(targets, rule))
        return rule

    return register


@jvp_rule(CustomCallOp)
def custom_call(op: CustomCallOp, tangents: Tangents) -> Tangents:
    """By the rule of its target."""
    target = op.call_target_name.data
    if target not in TARGETS:
        raise missing_rule(op, unknown(target))
    return TARGETS[target](op, tangents)
