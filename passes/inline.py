"""Putting the bodies of functions in the place of their calls. No differentiation here.

`hhlo-inline` does so for every call of a private function. Before a gradient is taken, functions that are called at one
place are inlined, and so are those few-op functions that JAX wraps around indexing: the way back through a chain of
calls then needs no results that are passed on from one to the next, and slices of loops are seen as what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from hhlo_xdsl.dialects.emit import block_of
from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.symbols import Symbols, referenced_symbols

_SMALL = 12
"""Functions that index are inlined everywhere if they have at most so many ops."""


@dataclass(frozen=True)
class InlinePass(HhloPass):
    """Put the body of each private function in the place of its calls."""

    name = "hhlo-inline"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises VerifyError for functions that call themselves."""
        symbols = Symbols(op)
        _check_no_recursion(symbols)
        names = [name for name in symbols.functions if is_inlinable(symbols, name)]
        for function in list(symbols.functions.values()):
            for block in function.body.blocks:
                inline_calls(block, symbols, lambda name: "clone" if name in names else "")
        symbols.erase_unused(names)


def is_inlinable(symbols: Symbols, name: str) -> bool:
    """Whether `name` is a private function of one block that brings no attributes along, such as a rule of its own."""
    function = symbols.functions.get(name)
    if function is None or not symbols.is_private(name) or function.attributes:
        return False
    if function.arg_attrs is not None or function.res_attrs is not None:
        return False
    return len(function.body.blocks) == 1


def inline_before_gradient(symbols: Symbols, root: str) -> None:
    """Inline, in `root` and what it calls, functions called at one place and small ones that index."""
    uses = Counter(referenced_symbols(symbols.module))
    small = {name for name in symbols.functions if is_inlinable(symbols, name) and _indexes(symbols.functions[name])}

    def how(name: str) -> str:
        if name == root or not is_inlinable(symbols, name):
            return ""
        return "clone" if name in small else "move" if uses[name] == 1 else ""

    seen, pending = {root}, [root]
    while pending:
        name = pending.pop()
        function = symbols.functions[name]
        for block in function.body.blocks:
            inline_calls(block, symbols, how)
        called = [c for c in referenced_symbols(function) if c in symbols.functions and c not in seen]
        seen.update(called)
        pending += dict.fromkeys(called)
    symbols.erase_unused(sorted(small))


def _indexes(function: func.FuncOp) -> bool:
    ops = list(function.body.block.ops)
    if len(ops) > _SMALL or any(op.regions and not isinstance(op, ScatterOp) for op in ops):
        return False
    if any(isinstance(op, func.CallOp) for op in ops):
        return False
    return any(isinstance(op, DynamicSliceOp | DynamicUpdateSliceOp | GatherOp | ScatterOp) for op in ops)


def inline_calls(block: Block, symbols: Symbols, how: Callable[[str], str]) -> None:
    """Inline the calls in `block` and the regions of its ops, and those that this brings.

    how : of the name of a function: "clone" its body, "move" it, which removes the function, or "" to leave the call
    """
    op = block.first_op
    while op is not None:
        if isinstance(op, func.CallOp) and not op.attributes and (way := how(op.callee.root_reference.data)):
            op = _inline(op, symbols, move=way == "move")
            continue
        for region in op.regions:
            for inner in region.blocks:
                inline_calls(inner, symbols, how)
        op = op.next_op


def _inline(call: func.CallOp, symbols: Symbols, *, move: bool) -> Operation | None:
    """Replace `call` by the body of its callee; the first op that came in its place, or the next one."""
    name = call.callee.root_reference.data
    function = symbols.functions[name]
    body, block = function.body.block, block_of(call)
    values: dict[SSAValue, SSAValue] = dict(zip(body.args, call.arguments, strict=True))
    if move:
        for arg, value in values.items():
            arg.replace_all_uses_with(value)
    *ops, last = list(body.ops)
    results = last.operands if move else [values.get(v, v) for v in last.operands]
    before = call.prev_op
    for op in ops:
        if move:
            op.detach()
            block.insert_op_before(op, call)
            continue
        copy = op.clone(values)
        values.update(zip(op.results, copy.results, strict=True))
        block.insert_op_before(copy, call)
    if not move:
        results = [values.get(v, v) for v in last.operands]
    for old, new in zip(list(call.results), list(results), strict=True):
        old.replace_all_uses_with(new)
    block.erase_op(call)
    if move:
        symbols.remove(name)
    return block.first_op if before is None else before.next_op


def _check_no_recursion(symbols: Symbols) -> None:
    """Raise VerifyError if a function calls itself, directly or through others."""
    calls = {name: dict.fromkeys(referenced_symbols(f)) for name, f in symbols.functions.items()}
    done: set[str] = set()
    for start in calls:
        path: dict[str, None] = {}
        pending: list[tuple[str, bool]] = [(start, False)]
        while pending:
            name, leaving = pending.pop()
            if leaving:
                path.pop(name)
                done.add(name)
            elif name in path:
                names = list(path)
                chain = " -> @".join([*names[names.index(name) :], name])
                raise VerifyError(f"hhlo-inline: @{chain} is recursive; its calls do not end; use stablehlo.while")
            elif name in calls and name not in done:
                path[name] = None
                pending.append((name, True))
                pending += [(called, False) for called in calls[name]]
