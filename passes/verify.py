"""Verifying a whole module, with the place of what is wrong."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.passes.vjp.core import place


def verify(module: ModuleOp) -> None:
    """Raise VerifyError for the first op of `module` that breaks a constraint or uses a value before its definition."""
    try:
        module.verify()
    except VerifyException as error:
        raise _located(module, error) from None
    check_order(module)


def _located(module: ModuleOp, error: VerifyException) -> VerifyError:
    """The error of the innermost op that does not verify by itself, as ours, with its place."""
    for op in module.walk(reverse=True):
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException as own:
            message = str(own).removeprefix("Operation does not verify: ")
            cls = type(own) if isinstance(own, VerifyError) else VerifyError
            spelled = message if message.startswith(op.name) else f"{op.name}: {message}"
            return cls(spelled + place(op))
    return VerifyError(str(error))


def check_order(module: ModuleOp) -> None:
    """Raise VerifyError if an op uses a value before its definition, or one from outside its scope.

    xDSL's own verifier does not look at the order of ops in a block.
    """
    _check_region(module.body, set())


def _check_region(region: Region, seen: set[SSAValue]) -> None:
    for block in region.blocks:
        here: list[SSAValue] = list(block.args)
        seen.update(here)
        for op in block.ops:
            _check_op(op, seen)
            here.extend(op.results)
            seen.update(op.results)
        seen.difference_update(here)


def _check_op(op: Operation, seen: set[SSAValue]) -> None:
    for i, operand in enumerate(op.operands):
        if operand not in seen:
            raise VerifyError(
                f"{op.name}: operand {i}, of type {operand.type}, is used before its definition or outside its scope;"
                f" move the definition before the use{place(op)}"
            )
    for region in op.regions:
        _check_region(region, seen)
