"""Reverse-mode rules of custom calls, by the name of the function that is called."""

from __future__ import annotations

from collections.abc import Callable

from hhlo_xdsl.dialects.stablehlo.extension import CustomCallOp
from hhlo_xdsl.passes.vjp.core import Cotangents, VjpRule, missing_rule, vjp_rule

TARGETS: dict[str, VjpRule] = {}
"""Name of the called function -> (op, cotangents of its results) -> cotangents of its operands."""


def custom_call_rule(*targets: str) -> Callable[[VjpRule], VjpRule]:
    """Register a function `(op, cts) -> cotangents of the operands` as the rule of custom calls of `targets`."""

    def register(rule: VjpRule) -> VjpRule:
        TARGETS.update(dict.fromkeys(targets, rule))
        return rule

    return register


@vjp_rule(CustomCallOp)
def custom_call(op: CustomCallOp, cts: Cotangents) -> Cotangents:
    """By the rule of its target."""
    target = op.call_target_name.data
    if target not in TARGETS:
        raise missing_rule(op, unknown(target))
    return TARGETS[target](op, cts)


def unknown(target: str) -> str:
    """Why there is no rule for calls of `target`."""
    known = ", ".join(sorted({name.removeprefix("lapack_")[1:].removesuffix("_ffi") for name in TARGETS}))
    others = f"; of LAPACK, {known} are" if target.startswith("lapack_") else ""
    return f"what @{target} computes is not known here{others}"
