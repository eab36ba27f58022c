"""The forward walk, and the tables that forward-mode rules are registered in. No formula stands here.

A rule maps the tangents of the values that an op reads to those of its results. The walk owns everything else: which
ops have tangents at all, zeros, where the new ops go, and the check that a rule's answers have the right number and
types. `None` is the zero tangent; nothing is emitted for it. Elementwise ops share the table of `passes.vjp.core`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from hhlo_xdsl.dialects.emit import add, block_of, emit, inserting, inserting_after, is_located, located
from hhlo_xdsl.dialects.errors import DifferentiationError, ShapeError
from hhlo_xdsl.dialects.infix import Value, zeros
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.values import holds_inexact
from hhlo_xdsl.dialects.types import compatible, is_static, type_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp import core as vjp
from hhlo_xdsl.passes.vjp.core import (
    ELEMENTWISE,
    UNSEEN,
    Options,
    check_scalar_regions,
    filled,
    inputs,
    is_cut,
    needs_sizes,
    scaled_by,
)

Tangent: TypeAlias = SSAValue | None
Tangents: TypeAlias = Sequence[Tangent]
Joint: TypeAlias = tuple[Sequence[SSAValue], Tangents]
"""Values that take the place of the results of an op, and their tangents."""


class CallRule(Protocol):
    """Differentiates a call: emits a call that computes the results and their tangents together."""

    def handles(self, op: Operation) -> bool:
        """Whether `op` is a call, or brings its rule along in an attribute that names functions."""
        ...

    def __call__(self, op: Operation, tangents: Tangents) -> Joint: ...


@dataclass
class ForwardWalk:
    """One differentiation in forward mode: its options, and how it treats calls."""

    options: Options = field(default_factory=Options)
    call: CallRule | None = None

    def pushforward(self, ops: Sequence[Operation], tangents: dict[SSAValue, SSAValue]) -> None:
        """Walk `ops`, which stand in one block in this order, turning tangents of what they read into those of results.

        `tangents` is updated in place. Each op is followed by those that compute its tangents. An op that computes both
        together takes the place of the original: what is needed of its results must be held by uses, not in variables.
        """
        for _ in self.steps(ops, tangents):
            pass

    def steps(
        self, ops: Sequence[Operation], tangents: dict[SSAValue, SSAValue]
    ) -> Iterator[tuple[Operation, Tangents]]:
        """The walk of `pushforward`, paused before each rule: the op, and the tangents of what it reads."""
        if not ops:
            return
        with inserting(block_of(ops[0])):
            for op in ops:
                read = [tangents.get(v) for v in inputs(op)]
                if self._is_active(op, read):
                    yield op, read
                    with inserting_after(op), located(op.location if is_located(op) else None):
                        results, found = self._step(op, read)
                    tangents.update((r, t) for r, t in zip(results, found, strict=True) if t is not None)

    def _is_active(self, op: Operation, read: Tangents) -> bool:
        """Whether a result of `op` may have a tangent; raises DifferentiationError if that cannot be seen."""
        if is_cut(op) or not any(holds_inexact(r.type) for r in op.results):
            return False
        return type(op) in UNSEEN or any(t is not None for t in read)

    def _step(self, op: Operation, read: Tangents) -> Joint:
        try:
            results, found = self._answers(op, read)
        except (ShapeError, ValueError) as error:  # see the reverse walk
            raise needs_sizes(op, inputs(op)) or error from None
        _check_answers(op, results, found)
        if results is not op.results:
            _take_place(op, results)
        return results, found

    def _answers(self, op: Operation, read: Tangents) -> Joint:
        if self.call is not None and self.call.handles(op):
            return self.call(op, read)
        check_scalar_regions(op)
        kind = type(op)
        if (rule := RULES.get(kind)) is not None:
            return op.results, rule(op, read)
        if (walk_rule := WALK_RULES.get(kind)) is not None:
            return op.results, walk_rule(op, read, self)
        if (joint := JOINT_RULES.get(kind)) is not None:
            return joint(op, read, self)
        if kind in ELEMENTWISE:
            return op.results, _elementwise(op, read, self)
        raise missing_rule(op)


JvpRule: TypeAlias = Callable[[Any, Tangents], Tangents]
WalkRule: TypeAlias = Callable[[Any, Tangents, ForwardWalk], Tangents]
JointRule: TypeAlias = Callable[[Any, Tangents, ForwardWalk], Joint]

RULES: dict[type[Operation], JvpRule] = {}
"""(op, tangents of `inputs(op)`) -> tangents of its results."""
WALK_RULES: dict[type[Operation], WalkRule] = {}
"""Like RULES, for rules that depend on the options or walk regions themselves."""
JOINT_RULES: dict[type[Operation], JointRule] = {}
"""(op, tangents of `inputs(op)`, walk) -> values that take the place of the results, and their tangents.

For an op that must not be computed twice, or whose tangents are computed step by step along with it, such as a loop.
"""
NOT_YET: dict[type[Operation], str] = {}
"""Ops that have a reverse-mode rule but no forward-mode rule here, with the reason."""


def jvp_rule(op: type[Operation]) -> Callable[[JvpRule], JvpRule]:
    """Register a function `(op, tangents of inputs(op)) -> tangents of its results` as the rule of `op`."""

    def register(rule: JvpRule) -> JvpRule:
        RULES[op] = rule
        return rule

    return register


def jvp_walk_rule(op: type[Operation]) -> Callable[[WalkRule], WalkRule]:
    """Register a function `(op, tangents, walk) -> tangents of its results` as the rule of `op`."""

    def register(rule: WalkRule) -> WalkRule:
        WALK_RULES[op] = rule
        return rule

    return register


def joint_rule(op: type[Operation]) -> Callable[[JointRule], JointRule]:
    """Register a function `(op, tangents, walk) -> (new results, their tangents)` as the rule of `op`."""

    def register(rule: JointRule) -> JointRule:
        JOINT_RULES[op] = rule
        return rule

    return register


def linear(*ops: type[Operation]) -> None:
    """Declare that `ops` are linear in all their inexact operands together: the tangent is the op of the tangents."""
    for op in ops:
        RULES[op] = of_tangents


def not_yet(reason: str, *ops: type[Operation]) -> None:
    """Declare that `ops` have a reverse-mode rule but no forward-mode rule here so far, and why."""
    for op in ops:
        NOT_YET[op] = reason


def total(*terms: Tangent) -> Tangent:
    """The sum of the terms that are not zero; None if all are."""
    there = [t for t in terms if t is not None]
    if not there:
        return None
    result, *others = there
    for t in others:
        result = emit(AddOp(result, t))
    return result


def of_tangents(op: Operation, tangents: Tangents, **properties: Attribute) -> Tangents:
    """The op, with other `properties`, applied to the tangents; operands that have none, such as indices, stay."""
    if any(t is not None for t in tangents[len(op.operands) :]):
        raise DifferentiationError(
            f"{op.name}: its region reads a value from outside that depends on the differentiated arguments; pass it as"
            f" an operand{place(op)}"
        )
    copy = op.clone()
    copy.properties.update(properties)
    copy.operands = [filled(t, v) if holds_inexact(v.type) else v for v, t in zip(op.operands, tangents, strict=False)]
    return add(copy).results


def _elementwise(op: Operation, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """The sum over the operands of tangent * partial derivative."""
    terms = zip(tangents, ELEMENTWISE[type(op)], strict=True)
    return [total(*(scaled_by(partial, Value(t), op, walk.options) for t, partial in terms if t is not None))]


def _take_place(op: Operation, results: Sequence[SSAValue]) -> None:
    """Let `results` stand for those of `op`, and erase it."""
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    block_of(op).erase_op(op)


def _check_answers(op: Operation, results: Sequence[SSAValue], found: Tangents) -> None:
    """A tangent has its value's type. A mistake in a rule must not become a wrong number: that is a RuntimeError."""
    if len(found) != len(op.results) or len(results) != len(op.results):
        raise RuntimeError(
            f"the forward rule of {op.name} gave {len(results)} values and {len(found)} tangents for"
            f" {len(op.results)} results; this is a bug"
        )
    for old, new, t in zip(op.results, results, found, strict=True):
        if old.type == new.type and (t is None or (t.type == new.type and holds_inexact(t.type))):
            continue
        if t is not None and holds_inexact(new.type) and compatible(t.type, new.type):
            raise DifferentiationError(
                f"{op.name}: its result is {new.type}, whose tangent has type {t.type}; a derivative needs known sizes;"
                f" refine the unknown ones first{place(op)}"
            )
        raise RuntimeError(
            f"the forward rule of {op.name} gave {new.type} with a tangent {t and t.type} for a result of type"
            f" {old.type}; this is a bug"
        )


def missing_rule(op: Operation, reason: str | None = None) -> DifferentiationError:
    """The error for an op that reads tangents and has no forward-mode rule, for `reason` or that of its kind."""
    flows = ", ".join(str(r.type) for r in op.results)
    reason = reason or NOT_YET.get(type(op)) or vjp.NOT_YET.get(type(op))
    return DifferentiationError(
        f"{op.name}: no forward-mode derivative rule{f' yet ({reason})' if reason else ''}, and its result {flows}"
        f" depends on the differentiated arguments; differentiate with respect to other arguments, give the op a rule"
        f" by the attribute hhlo.custom_jvp, or add one under passes/jvp{place(op)}"
    )


def zero_tangent(value: SSAValue, what: str) -> SSAValue:
    """Zeros of the type of `value`, called `what` in the error for a type of unknown sizes."""
    type = value.type
    if not isinstance(type, TensorType) or not is_static(type_of(value)):
        raise DifferentiationError(
            f"hhlo-jvp: {what} is {type}, and its tangent is zeros of that type, whose sizes must be known; give the"
            " program static shapes"
        )
    return zeros(type_of(value))
