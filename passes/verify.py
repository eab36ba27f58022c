"""Verifying a whole module, with the place of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.constraints import VerificationContext
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsTerminator, OpTrait, ReturnLike
from xdsl.utils.exceptions import VerifyException

from hhlo_xdsl.dialects.bounds import check_bounds
from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.signature import Signature, signature, signature_inside


def verify(module: ModuleOp) -> None:
    """Raise VerifyError for the first op of `module` that breaks a constraint or uses a value before its definition."""
    try:
        _verify(module, set())
    except Exception as error:  # xDSL's verifiers of inner ops may fail in any way on broken outer ones
        raise _located(module, error) from None
    _check_declarations(module)
    check_order(module)


def _verify(op: Operation, right: set[Signature]) -> None:
    """xDSL's verification of `op` and the ops in it, but once only of those that have the same in common.

    `right` holds what the ops had in common that were found to be right.
    """
    for region in op.regions:
        for block in region.blocks:
            _verify_block(block, right)
            if block.parent is not region:
                region.verify()  # says what is wrong
    op.verify(verify_nested_ops=False)


def _verify_block(block: Block, right: set[Signature]) -> None:
    for op in block.ops:
        found = _decisive(op)
        if found not in right:
            _verify(op, right)
            if found is not None:
                right.add(found)
        if op.parent is not block:
            block.verify()  # says what is wrong
    if block.is_empty:
        block.verify()


def _decisive(op: Operation) -> Signature | None:
    """The signature of an op, if that decides whether it is right: wherever it stands, but not last in a block."""
    if op.next_op is None or not _is_local(type(op)):
        return None
    if not op.regions:
        return signature(op)
    found, _ = signature_inside(op)
    return found if found is None or all(_is_local(type(inner)) for inner in op.walk()) else None


@cache
def _is_local(cls: type[Operation]) -> bool:
    """Whether the verification of an op of `cls` looks at nothing around the op, or only at the block it stands in."""
    return (
        issubclass(cls, AbstractOp)
        and not cls.LOOKS_AROUND
        and all(isinstance(trait, _LOCAL) or type(trait).verify is OpTrait.verify for trait in cls.traits)
    )


_LOCAL = (IsTerminator, ReturnLike)
"""Traits that ask where in its block an op stands."""


def _check_declarations(module: ModuleOp) -> None:
    """Raise VerifyError for what xDSL's own verifier accepts: a public function without body, wrong bounds of sizes."""
    for op in module.ops:
        if not isinstance(op, func.FuncOp):
            continue
        try:
            check_bounds("func.func", (*op.function_type.inputs, *op.function_type.outputs))
        except VerifyError as error:
            raise type(error)(f"{error}{place(op)}") from None
        if not op.body.blocks and _is_public(op):
            raise VerifyError(
                f"func.func: @{op.sym_name.data} is public and has no body;"
                f" give it one, or declare it private{place(op)}"
            )


def _is_public(op: func.FuncOp) -> bool:
    return op.sym_visibility is None or op.sym_visibility.data == "public"


def _located(module: ModuleOp, error: Exception) -> VerifyError:
    """The error of the first innermost op that is at fault, as ours, with its place."""
    for nested in (True, False):
        for op in module.walk(region_first=True):
            try:
                op.verify(verify_nested_ops=nested)
            except VerifyException as own:
                cls = type(own) if isinstance(own, VerifyError) else VerifyError
                return cls(_spelled(op, str(own)) + place(_culprit(op, str(own))))
            except Exception:  # then an outer op is at fault, on which inner ones rely
                continue
    return VerifyError(str(error))


def _culprit(op: Operation, message: str) -> Operation:
    """The op to point at: of two that define one symbol the later one, otherwise `op`."""
    redefined = re.search(r'Redefinition of symbol "(.*)"', message)
    if redefined is None:
        return op
    name = redefined.group(1)
    return [o for r in op.regions for b in r.blocks for o in b.ops if _symbol(o) == name][-1]


def _symbol(op: Operation) -> str | None:
    name = op.properties.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _spelled(op: Operation, message: str) -> str:
    """`message` after the op's name, in words of the text instead of xDSL's."""
    message = message.removeprefix("Operation does not verify: ")
    broken = _broken_attribute(op)
    if broken is not None:
        message = f"attribute {broken} is {op.properties[broken]}, which is of the wrong kind"
    for pattern, words in _REWORDED:
        message = re.sub(pattern, words, message)
    return message if message.startswith(op.name) else f"{op.name}: {message[:1].lower()}{message[1:]}"


_REWORDED = (
    (r"^property '(\w+)' expected in operation '.*'$", r"attribute \1 is missing"),
    (r"^property '([\w.$-]+)' is not defined by the operation '.*'\..*", r"there is no attribute \1 in <{..}>"),
    (
        r"^(?:operand|result) '(\w+)' at positions? [\d to]+ does not verify:\n(.*) should be of base \w+ tensor$",
        r"\1: found \2; a tensor of known rank was expected",
    ),
    (
        r"^[Oo]peration has (\d+) operands? for (\d+) variadic operands marked as having the same size\.$",
        r"found \1 operands for \2 lists of one length; give each list as many",
    ),
    (r"^Operation [\w.]+ contains empty block in single-block region.*", r"its body is empty; end it with a return"),
    (r"^Operation ([\w.]+) terminates block .*", r"it ends its block; a return was expected after it"),
)


def _broken_attribute(op: Operation) -> str | None:
    """The name of the first attribute that is not of the kind its op declares."""
    if not isinstance(op, IRDLOperation):
        return None
    for name, definition in op.get_irdl_definition().properties.items():
        if name in op.properties:
            try:
                definition.constr.verify(op.properties[name], VerificationContext())
            except VerifyException:
                return name
    return None


def check_order(module: ModuleOp) -> None:
    """Raise VerifyError if an op uses a value before its definition, or one from outside its scope.

    xDSL's own verifier does not look at the order of ops in a block.
    """
    _check_region(module.body, set())


def _check_region(region: Region, seen: set[SSAValue]) -> None:
    blocks = DominanceInfo(region) if len(region.blocks) > 1 else None
    for block in region.blocks:
        before = [] if blocks is None else _values_of(b for b in region.blocks if blocks.strictly_dominates(b, block))
        seen.update(before)
        here: list[SSAValue] = list(block.args)
        seen.update(here)
        for op in block.ops:
            _check_op(op, seen)
            here.extend(op.results)
            seen.update(op.results)
        seen.difference_update(here, before)


def _values_of(blocks: Iterable[Block]) -> list[SSAValue]:
    """What `blocks` define, but not what is defined in the regions of their ops."""
    return [value for block in blocks for value in (*block.args, *(r for op in block.ops for r in op.results))]


def _check_op(op: Operation, seen: set[SSAValue]) -> None:
    for i, operand in enumerate(op.operands):
        if operand not in seen:
            raise VerifyError(
                f"{op.name}: operand {i}, of type {operand.type}, is used before its definition or outside its scope;"
                f" move the definition before the use{place(op)}"
            )
    for region in op.regions:
        _check_region(region, seen)
