"""The reverse of calls, and of composites, which call their decompositions: a callee is split once into two functions.

    @f(x...) -> (y...)   becomes   @f_fwd(x...) -> (y..., kept...)   and   @f_bwd(kept..., ct of y...) -> (ct of x...)

The backward function gets what it needs of the forward one as arguments: arguments and results of the call are passed
again, other values become additional results of @f_fwd ("kept"). Constants are repeated instead of kept. A split
depends only on which arguments are active and which results have a cotangent, and is shared by all calls that agree in
these, so the size of the output is linear in that of the input.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue

from hhlo_xdsl.dialects.emit import add, inserting
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.passes.callees import Call, Callees, call_of, callee_of, private_clone, terminator_of
from hhlo_xdsl.passes.custom import CustomVjp, custom_jvp_of, custom_vjp_of, is_custom
from hhlo_xdsl.passes.differentiated import set_signature
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.symbols import Symbols, body_of
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, accumulate, filled
from hhlo_xdsl.passes.vjp.regions import captured_by, plan, repeat, replace_within

Key = tuple[str, tuple[bool, ...], tuple[bool, ...]]
"""Callee, which arguments are active, which results have a cotangent."""


@dataclass(frozen=True)
class Split:
    """A callee, split into its two halves."""

    forward: func.FuncOp
    backward: func.FuncOp
    needs: tuple[tuple[str, int], ...]
    """What the backward function takes before the cotangents: ("argument", i) or ("result", i) of the forward call."""
    gradients: tuple[int | None, ...]
    """Per argument, which result of the backward function is its cotangent; None for zero."""


class Calls(Callees[Key, Split]):
    """Differentiates the calls of one module."""

    def __init__(self, symbols: Symbols, walk: Walk):
        super().__init__(symbols)
        self.walk = walk

    def handles(self, op: Operation) -> bool:
        """Whether `op` is a call, or brings its rule along in an attribute that names functions."""
        return isinstance(op, func.CallOp) or is_custom(op, self.symbols)

    def __call__(self, op: Operation, cts: Cotangents, active: Collection[SSAValue]) -> Cotangents:
        """Replace the call by one of the forward function and emit one of the backward function."""
        if custom := custom_vjp_of(op, self.symbols):
            return self._by_own_rule(op, custom, cts)
        if both := custom_jvp_of(op, self.symbols):
            return self._transposed(op, both, cts, active)
        assert isinstance(op, Call)
        return self._by_split(op, self.derivative(_key(op, cts, active), op), list(op.operands), cts)

    def _by_own_rule(self, op: Operation, rule: CustomVjp, cts: Cotangents) -> Cotangents:
        """By the functions that the program names: zero cotangents are written out for them."""
        arguments, results = list(op.operands), list(op.results)
        given = [filled(ct, y) for y, ct in zip(results, cts, strict=True) if is_inexact(y.type)]
        computed = self._replace(op, rule.forward, arguments)
        back = iter(add(call_of(rule.backward, [*computed[len(results) :], *given])).results)
        return [next(back) if is_inexact(x.type) else None for x in arguments]

    def _transposed(
        self, op: Operation, both: func.FuncOp, cts: Cotangents, active: Collection[SSAValue]
    ) -> Cotangents:
        """By the forward-mode rule: it is linear in its tangents, so its own reverse mode in them is the transpose.

        The tangents themselves are zero: the transpose of a linear map is the same everywhere.
        """
        xs = [x for x in op.operands if is_inexact(x.type)]
        to_ys = [ct is not None for y, ct in zip(op.results, cts, strict=True) if is_inexact(y.type)]
        key = (
            both.sym_name.data,
            (*(False for _ in op.operands), *(x in active for x in xs)),
            (*(False for _ in op.results), *to_ys),
        )
        split = self.derivative(key, op)
        assert op.parent is not None
        with inserting(op.parent, before=op):
            tangents = [filled(None, x) for x in xs]
        found = iter(self._by_split(op, split, [*op.operands, *tangents], cts)[len(op.operands) :])
        return [next(found) if is_inexact(x.type) else None for x in op.operands]

    def _by_split(self, op: Operation, split: Split, arguments: Sequence[SSAValue], cts: Cotangents) -> Cotangents:
        results = self._replace(op, split.forward, arguments)
        needed = [arguments[i] if kind == "argument" else results[i] for kind, i in split.needs]
        operands = [*needed, *(ct for ct in cts if ct is not None)]
        back = add(call_of(split.backward, operands))
        return [None if i is None else back.results[i] for i in split.gradients]

    def _replace(self, op: Operation, forward: func.FuncOp, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        """Put a call of `forward` in the place of `op`; its results, of which the first are those of `op`."""
        block = op.parent
        assert block is not None
        call = call_of(forward, arguments)
        call.location = op.location
        block.insert_op_before(call, op)
        for old, new in zip(op.results, call.results, strict=False):
            old.replace_all_uses_with(new)
        if isinstance(op, Call):
            self.replaced.append(callee_of(op))
        block.erase_op(op)
        return list(call.results)

    def build(self, callee: func.FuncOp, key: Key) -> Generator[tuple[Key, Call], None, Split]:
        """Split `callee` into its two halves."""
        _, active, has_ct = key
        body_of(callee, "func.call")
        forward = private_clone(callee, self.symbols.unique(f"{callee.sym_name.data}_fwd"))
        self.symbols.insert_after(callee, forward)
        body = body_of(forward, "func.call")
        *ops, last = list(body.ops)
        wrt = [a for a, is_active in zip(body.args, active, strict=True) if is_active]
        returned = [y for y, has in zip(last.operands, has_ct, strict=True) if has]
        back = Block(arg_types=[y.type for y in returned])
        with inserting(back):
            cts = _seeded(returned, back.args)
            for op, out, active_values in self.walk.steps(ops, cts, wrt):
                if isinstance(op, Call) and not is_custom(op, self.symbols):
                    inner = _key(op, out, active_values)
                    if inner not in self.made:
                        yield inner, op
            found = [cts.get(a) if is_active else None for a, is_active in zip(body.args, active, strict=True)]
            add(func.ReturnOp(*(ct for ct in found if ct is not None)))
        sweep(back)
        back, needs = _pass_on(body, back)
        backward = self._insert_backward(callee, forward, back)
        positions = iter(range(len(found)))
        gradients = tuple(None if ct is None else next(positions) for ct in found)
        kept = len(last.operands) - len(callee.function_type.outputs)
        set_signature(forward, arguments=0, results=kept, value=True)
        return Split(forward, backward, needs, gradients)

    def _insert_backward(self, callee: func.FuncOp, forward: func.FuncOp, back: Block) -> func.FuncOp:
        outs = [v.type for v in terminator_of(back).operands]
        name = self.symbols.unique(f"{callee.sym_name.data}_bwd")
        backward = func.FuncOp(name, ([a.type for a in back.args], outs), Region(back), "private")
        self.symbols.insert_after(forward, backward)
        return backward


def _key(op: Call, cts: Cotangents, active: Collection[SSAValue]) -> Key:
    return callee_of(op), tuple(x in active for x in op.operands), tuple(ct is not None for ct in cts)


def _seeded(returned: Sequence[SSAValue], cts: Sequence[SSAValue]) -> dict[SSAValue, SSAValue]:
    """Cotangents by value; a value that is returned twice gets the sum."""
    seeds: dict[SSAValue, SSAValue] = {}
    for y, ct in zip(returned, cts, strict=True):
        accumulate(seeds, y, ct)
    return seeds


def _pass_on(body: Block, back: Block) -> tuple[Block, tuple[tuple[str, int], ...]]:
    """A copy of `back` that takes each value it captures from `body` as an argument, before its own; `back` is emptied.

    `body` is made to return those that are not its arguments. Cheap values are computed again in the copy.
    """
    repeat(plan(body, captured_by(back), {*body.args, *terminator_of(body).operands}), back)
    kept = captured_by(back)
    closed = Block(arg_types=[v.type for v in (*kept, *back.args)])
    for op in list(back.ops):
        op.detach()
        closed.add_op(op)
    for old, new in zip(back.args, closed.args[len(kept) :], strict=True):
        old.replace_all_uses_with(new)
    for old, new in zip(kept, closed.args, strict=False):
        replace_within(old, new, closed)
    return closed, _returned_by(body, kept)


def _returned_by(body: Block, values: Sequence[SSAValue]) -> tuple[tuple[str, int], ...]:
    """Where a caller of `body` finds each of `values`; those that are neither argument nor result become results."""
    places: dict[SSAValue, tuple[str, int]] = {a: ("argument", i) for i, a in enumerate(body.args)}
    last = terminator_of(body)
    returned = list(last.operands)
    for i, value in enumerate(returned):
        places.setdefault(value, ("result", i))
    for value in values:
        if value not in places:
            places[value] = ("result", len(returned))
            returned.append(value)
    last.operands = returned
    return tuple(places[v] for v in values)
