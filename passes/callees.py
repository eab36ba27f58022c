"""Derivatives of functions that are called: each is made once per use that differs, by either mode.

A callee is differentiated before its caller goes on. No formula stands here.
"""

from __future__ import annotations

import abc
from collections.abc import Generator, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.stablehlo.extension import CompositeOp
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.symbols import Symbols

KeyT = TypeVar("KeyT", bound=tuple[Any, ...])
"""The name of a callee, then what its derivative depends on."""
MadeT = TypeVar("MadeT")

Call: TypeAlias = func.CallOp | CompositeOp
"""An op whose results are those of a function of the module."""


def callee_of(call: Call) -> str:
    """The name of the function that `call` stands for."""
    return (call.callee if isinstance(call, func.CallOp) else call.decomposition).root_reference.data


class Callees(abc.ABC, Generic[KeyT, MadeT]):
    """The derivatives of the callees of one module that have been made so far, by key."""

    def __init__(self, symbols: Symbols):
        self.symbols = symbols
        self.made: dict[KeyT, MadeT] = {}
        self.replaced: list[str] = []
        """Callees that have a derivative; the originals may be unused afterwards."""
        self._open: dict[KeyT, None] = {}
        """The callees whose derivatives are being made, from the outermost to the innermost."""

    @abc.abstractmethod
    def build(self, callee: func.FuncOp, key: KeyT) -> Generator[tuple[KeyT, Call], None, MadeT]:
        """Make the derivative of `callee`. Pauses at each call in it whose derivative is missing, and yields it."""

    def derivative(self, key: KeyT, op: Operation) -> MadeT:
        """What `build` made for `key`, which `op` needs; made now, after the callees it needs in turn, if missing.

        Chains of calls may be deeper than Python's stack, so the unfinished ones are a list.
        """
        if key not in self.made:
            unfinished = [self._making(key, op)]
            try:
                while unfinished:
                    missing = next(unfinished[-1], None)
                    if missing is None:
                        unfinished.pop()
                    else:
                        unfinished.append(self._making(*missing))
            finally:
                for making in reversed(unfinished):
                    making.close()
        return self.made[key]

    def _making(self, key: KeyT, op: Operation) -> Generator[tuple[KeyT, Call]]:
        name: str = key[0]
        if key in self._open:
            keys = list(self._open)
            chain = " -> @".join([*(k[0] for k in keys[keys.index(key) :]), name])
            raise DifferentiationError(
                f"func.call: @{chain} is recursive; a derivative needs calls that end;"
                f" unroll it, or use stablehlo.while{place(op)}"
            )
        callee = self.symbols.functions.get(name)
        if callee is None:
            raise DifferentiationError(f"func.call: there is no function @{name} in the module; link it in{place(op)}")
        self._open[key] = None
        try:
            self.made[key] = yield from self.build(callee, key)
        finally:
            del self._open[key]
        self.replaced.append(name)


def private_clone(function: func.FuncOp, name: str) -> func.FuncOp:
    """A private copy of `function` under another name."""
    clone = function.clone()
    clone.properties["sym_name"] = StringAttr(name)
    clone.properties["sym_visibility"] = StringAttr("private")
    return clone


def terminator_of(block: Block) -> Operation:
    """The last op of a block of a function."""
    last = block.last_op
    assert last is not None
    return last


def call_of(function: func.FuncOp, operands: Sequence[SSAValue]) -> func.CallOp:
    """A call of `function`."""
    return func.CallOp(function.sym_name.data, operands, list(function.function_type.outputs.data))
