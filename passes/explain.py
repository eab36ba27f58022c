"""What `hhlo-grad` does with each op of a program: which rule it uses, and what is kept for the way back.

The answer comes from differentiating a copy while watching the walk. Ops in regions belong to the op that owns them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, PackableType, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition

from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, IotaOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.types import is_static, type_of
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import (
    ELEMENTWISE,
    NON_DIFFERENTIABLE,
    REGION_RULES,
    RULES,
    WALK_RULES,
    Cotangents,
    Walk,
    computed_from,
    inputs,
)


@dataclass
class Step:
    """What becomes of one op."""

    op: str
    type: str
    """The types of its results."""
    place: str
    """Where it stands, as FILE:LINE:COLUMN; empty where that is not known."""
    active: bool
    """Whether its result depends on a differentiated argument, and the differentiated result on it."""
    how: str
    """The rule, as `vjp/FILE.py NAME`; or why there is none to use."""
    kept: int = 0
    """The bytes of its results, and of other values made in its place, that the way back reads."""

    def visited(self, op: Operation) -> None:
        """A cotangent has reached the op."""
        self.active, self.how = True, _rule_name(op)


@dataclass
class Section:
    """One function: the ops of its body, and the bytes of its arguments that the way back reads."""

    function: str
    steps: list[Step] = field(default_factory=list["Step"])
    arguments: int = 0

    @property
    def kept(self) -> int:
        """The bytes that ops make and the way back reads."""
        return sum(step.kept for step in self.steps)


def explain(module: ModuleOp, request: GradPass) -> list[Section]:
    """The differentiated function, then the functions it calls; raises DifferentiationError as `hhlo-grad` does."""
    copy = module.clone()
    walk = _WatchedWalk()
    differentiate(copy, request, walk)
    for watched in walk.bodies:
        watched.count()
    return [watched.section for watched in walk.bodies] or [Section(request.function)]


@irdl_op_definition
class _HereOp(IRDLOperation):
    """Stands between the ops of a function and those of its way back, and is never swept."""

    name = "hhlo.here"


class _Body:
    """The body of one function while it is differentiated."""

    def __init__(self, block: Block, ops: Sequence[Operation], active: Collection[SSAValue]):
        function = block.parent_op()
        assert isinstance(function, func.FuncOp)
        self.block = block
        self.arguments = block.args[: len(function.function_type.inputs.data)]  # without seeds
        self.returned = len(function.function_type.outputs.data)
        self.section = Section(function.sym_name.data.removesuffix("_fwd"))
        self.owner: dict[Operation, Step] = {}
        for op in ops:
            self.section.steps.append(_step(op, active))
            self.owner[op] = self.section.steps[-1]
        self.here: Operation | None = None

    def adopt(self, op: Operation, before: Operation | None, after: Operation | None) -> None:
        """What a rule has put between `before` and `after`, in the place of `op`, belongs to the step of `op`."""
        new = self.block.first_op if before is None else before.next_op
        while new is not None and new is not after:
            self.owner.setdefault(new, self.owner[op])
            new = new.next_op

    def count(self) -> None:
        """Add up what the way back reads: from behind the mark; in a callee, what it returns beside its results."""
        for value in self._read_later():
            if value in self.arguments:
                self.section.arguments += size(value)
            elif isinstance(value.owner, Operation) and value.owner in self.owner:
                self.owner[value.owner].kept += size(value)

    def _read_later(self) -> Iterable[SSAValue]:
        last = self.block.last_op
        assert last is not None
        if self.here is None:
            return [v for v in last.operands[self.returned :] if not _is_cheap(v)]
        later: dict[SSAValue, None] = {}
        op = self.here.next_op
        while op is not None and op is not last:
            later.update((v, None) for v in inputs(op) if not _is_cheap(v))
            op = op.next_op
        return later


class _WatchedWalk(Walk):
    """A walk that notes what it does in the bodies of functions."""

    def __init__(self) -> None:
        super().__init__()
        self.bodies: list[_Body] = []

    def _is_known(self, block: Block) -> bool:
        """Whether this is a part of a body: ops that a loop moved before itself."""
        return any(body.block is block for body in self.bodies)

    def steps(
        self, ops: Sequence[Operation], cts: dict[SSAValue, SSAValue], wrt: Iterable[SSAValue]
    ) -> Iterator[tuple[Operation, Cotangents, Collection[SSAValue]]]:
        wrt = list(wrt)
        block = ops[0].parent if ops else None
        if block is None or self._is_known(block) or not isinstance(block.parent_op(), func.FuncOp):
            yield from super().steps(ops, cts, wrt)
            return
        body = _Body(block, ops, computed_from(wrt, ops))
        self.bodies.append(body)
        if len(self.bodies) == 1:
            body.here = add(_HereOp())
        done: tuple[Operation, Operation | None, Operation | None] | None = None
        for op, out, active in super().steps(ops, cts, wrt):
            if done is not None:
                body.adopt(*done)
            body.owner[op].visited(op)
            done = op, op.prev_op, op.next_op
            yield op, out, active
        if done is not None:
            body.adopt(*done)


def _step(op: Operation, active: Collection[SSAValue]) -> Step:
    """The step of an op that no cotangent has reached so far."""
    if any(r in active for r in op.results):
        how = "the differentiated result does not depend on it"
    elif type(op) in NON_DIFFERENTIABLE:
        how = NON_DIFFERENTIABLE[type(op)]
    else:
        how = "it depends on no differentiated argument"
    types = ", ".join(str(r.type) for r in op.results)
    return Step(op.name, types, place(op).removeprefix("\n  at "), active=False, how=how)


def _rule_name(op: Operation) -> str:
    """Where the rule of an op stands."""
    if isinstance(op, func.CallOp):
        return "vjp/calls.py Calls"
    if type(op) in ELEMENTWISE:
        return f"{_file(ELEMENTWISE[type(op)][0])} table"
    rule = RULES.get(type(op)) or WALK_RULES.get(type(op)) or REGION_RULES[type(op)]
    return f"{_file(rule)} {rule.__name__}"


def _file(function: Any) -> str:
    return f"vjp/{function.__module__.rpartition('.')[2]}.py"


def _is_cheap(value: SSAValue) -> bool:
    """Whether a value is made anew where it is needed, or stands in the program: constants and their broadcasts."""
    op = value.owner
    return isinstance(op, ConstantOp | IotaOp) or (isinstance(op, BroadcastInDimOp) and _is_cheap(op.operand))


def size(value: SSAValue) -> int:
    """The bytes of a tensor, as XLA stores it: elements of less than a byte take one. 0 where that is not known."""
    if not isinstance(value.type, TensorType) or not is_static(type_of(value)):
        return 0
    element = type_of(value).element_type
    if not isinstance(element, PackableType):
        return 0
    return prod(type_of(value).get_shape()) * element.compile_time_size
