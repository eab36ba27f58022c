"""Forward mode through calls and composites: a callee becomes one that computes its results and tangents together.

    @f(x...) -> (y...)   becomes   @f_jvp(x..., tangents of active x...) -> (y..., tangents of y... that have any)

It depends only on which arguments are active, and is shared by all calls that agree in this, so the size of the output
is linear in that of the input.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.passes.callees import Call, Callees, call_of, callee_of, private_clone, terminator_of
from hhlo_xdsl.passes.custom import JVP, custom_jvp_of, is_custom
from hhlo_xdsl.passes.differentiated import set_signature
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Joint, Tangents
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.symbols import Symbols, body_of
from hhlo_xdsl.passes.vjp.core import filled

Key = tuple[str, tuple[bool, ...]]
"""Callee, which arguments are active."""


@dataclass(frozen=True)
class Pushed:
    """A callee that computes tangents too."""

    function: func.FuncOp
    tangents: tuple[int | None, ...]
    """Per result of the original, which result is its tangent; None for zero."""


class Calls(Callees[Key, Pushed]):
    """Differentiates the calls of one module in forward mode."""

    def __init__(self, symbols: Symbols, walk: ForwardWalk):
        super().__init__(symbols)
        self.walk = walk

    def handles(self, op: Operation) -> bool:
        """Whether `op` is a call, or brings its rule along in an attribute that names functions."""
        return isinstance(op, func.CallOp) or is_custom(op, self.symbols)

    def __call__(self, op: Operation, tangents: Tangents) -> Joint:
        """A call of the function that computes tangents too."""
        if is_custom(op, self.symbols):
            return self._by_own_rule(op, tangents)
        assert isinstance(op, Call)
        pushed = self.derivative(_key(op, tangents), op)
        operands = [*op.operands, *(t for t in tangents if t is not None)]
        results = add(call_of(pushed.function, operands)).results
        return results[: len(op.results)], [None if i is None else results[i] for i in pushed.tangents]

    def _by_own_rule(self, op: Operation, tangents: Tangents) -> Joint:
        """By the function that the program names: zero tangents are written out for it."""
        both = custom_jvp_of(op, self.symbols)
        if both is None:
            raise DifferentiationError(
                f"{op.name}: it has a rule for reverse mode only; give it one for forward mode with {JVP}, or use"
                f" reverse mode{place(op)}"
            )
        given = [filled(t, x) for x, t in zip(op.operands, tangents, strict=False) if is_inexact(x.type)]
        results = add(call_of(both, [*op.operands, *given])).results
        found = iter(results[len(op.results) :])
        if isinstance(op, Call):
            self.replaced.append(callee_of(op))
        return results[: len(op.results)], [next(found) if is_inexact(y.type) else None for y in op.results]

    def build(self, callee: func.FuncOp, key: Key) -> Generator[tuple[Key, Call], None, Pushed]:
        """Let a copy of `callee` compute tangents too."""
        body_of(callee, "func.call")
        function = private_clone(callee, self.symbols.unique(f"{callee.sym_name.data}_jvp"))
        self.symbols.insert_after(callee, function)
        body = body_of(function, "func.call")
        ops = list(body.ops)[:-1]
        arguments = [a for a, is_active in zip(body.args, key[1], strict=True) if is_active]
        tangents: dict[SSAValue, SSAValue] = {a: body.insert_arg(a.type, len(body.args)) for a in arguments}
        for op, read in self.walk.steps(ops, tangents):
            if isinstance(op, Call) and not is_custom(op, self.symbols):
                inner = _key(op, read)
                if inner not in self.made:
                    yield inner, op
        terminator = terminator_of(body)
        values = list(terminator.operands)
        found = [tangents.get(y) for y in values]
        terminator.operands = [*values, *(t for t in found if t is not None)]
        sweep(body)
        set_signature(function, arguments=len(arguments), results=len(terminator.operands) - len(values), value=True)
        positions = iter(range(len(values), len(terminator.operands)))
        return Pushed(function, tuple(None if t is None else next(positions) for t in found))


def _key(op: Call, tangents: Tangents) -> Key:
    return callee_of(op), tuple(t is not None for t in tangents)
