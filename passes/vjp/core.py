"""The reverse walk, and the tables that rules are registered in. No formula stands here.

A rule maps the cotangents of an op's results to those of the values it reads. The walk owns everything else: which ops
lie between the differentiated inputs and the result, zeros, accumulation, and the check that a rule's answers have the
right number and types. `None` is the zero cotangent; nothing is emitted for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.emit import emit, is_located, located
from hhlo_xdsl.dialects.errors import DifferentiationError, ShapeError
from hhlo_xdsl.dialects.infix import Value, select, zeros
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.creation import as_constant
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp, ScatterOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp
from hhlo_xdsl.dialects.stablehlo.reducers import beyond_scalars, reducer_of
from hhlo_xdsl.dialects.stablehlo.values import holds_inexact
from hhlo_xdsl.dialects.types import compatible, is_static, shape_of, type_of
from hhlo_xdsl.passes.custom import brings_rule, is_stopped
from hhlo_xdsl.passes.place import place

Cotangent: TypeAlias = SSAValue | None
Cotangents: TypeAlias = Sequence[Cotangent]
OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Options:
    """What the user asked of the gradient; each field is the option of `hhlo-grad` of that name."""

    safe: bool = False
    portable: bool = False
    checkpoint: str = "all"
    slots: int = 64


class CallRule(Protocol):
    """Differentiates a call: replaces it by one that keeps what the way back needs, and emits the reverse call."""

    def handles(self, op: Operation) -> bool:
        """Whether `op` is a call, or brings its rule along in an attribute that names functions."""
        ...

    def __call__(self, op: Operation, cts: Cotangents, active: Collection[SSAValue]) -> Cotangents: ...


@dataclass
class Walk:
    """One differentiation: its options, and how it treats calls."""

    options: Options = field(default_factory=Options)
    call: CallRule | None = None

    def pullback(self, ops: Sequence[Operation], cts: dict[SSAValue, SSAValue], wrt: Iterable[SSAValue]) -> None:
        """Walk `ops` in reverse, turning cotangents of results into cotangents of what they were computed from.

        `cts` is updated in place. Only ops computed from `wrt` are visited, so others need no rule.
        """
        for _ in self.steps(ops, cts, wrt):
            pass

    def steps(
        self, ops: Sequence[Operation], cts: dict[SSAValue, SSAValue], wrt: Iterable[SSAValue]
    ) -> Iterator[tuple[Operation, Cotangents, Collection[SSAValue]]]:
        """The walk of `pullback`, paused before each rule: the op, the cotangents of its results, what is active."""
        active = computed_from(wrt, ops)
        for op in reversed(ops):
            out = [cts.pop(r, None) if r in active else None for r in op.results]
            if any(ct is not None for ct in out):
                yield op, out, active
                with located(op.location if is_located(op) else None):
                    self._step(op, out, cts, active)

    def _step(self, op: Operation, out: Cotangents, cts: dict[SSAValue, SSAValue], active: set[SSAValue]) -> None:
        read = inputs(op)
        for value, ct in zip(read, self._apply(op, out, read, active), strict=True):
            if ct is not None and value in active:
                accumulate(cts, value, ct)

    def _apply(self, op: Operation, out: Cotangents, read: Sequence[SSAValue], active: set[SSAValue]) -> Cotangents:
        """The cotangents of `read`, checked for number and type."""
        try:
            answers = self._answers(op, out, active)
        except (ShapeError, ValueError) as error:  # a size that is not known stands as a number no attribute holds
            raise needs_sizes(op, read) or error from None
        _check_answers(op, read, answers)
        return answers

    def _answers(self, op: Operation, out: Cotangents, active: set[SSAValue]) -> Cotangents:
        if self.call is not None and self.call.handles(op):
            return self.call(op, out, active)
        check_scalar_regions(op)
        if (rule := RULES.get(type(op))) is not None:
            return rule(op, out)
        if (walk_rule := WALK_RULES.get(type(op))) is not None:
            return walk_rule(op, out, self)
        if (region_rule := REGION_RULES.get(type(op))) is not None:
            return region_rule(op, out, self, active)
        raise missing_rule(op)


VjpRule: TypeAlias = Callable[[Any, Cotangents], Cotangents]
WalkRule: TypeAlias = Callable[[Any, Cotangents, Walk], Cotangents]
RegionRule: TypeAlias = Callable[[Any, Cotangents, Walk, Collection[SSAValue]], Cotangents]

RULES: dict[type[Operation], VjpRule] = {}
"""(op, cotangents of its results) -> cotangents of `inputs(op)`."""
WALK_RULES: dict[type[Operation], WalkRule] = {}
"""Like RULES, for rules that depend on the options or walk regions themselves."""
REGION_RULES: dict[type[Operation], RegionRule] = {}
"""Like WALK_RULES, for ops with branches or loops: their rules are told which values are active, and may let the op
give more results, for the way back."""
ACTIVITY: dict[type[Operation], Callable[[Any, Collection[SSAValue]], Iterable[SSAValue]]] = {}
"""(op, active values) -> its active results, for ops with regions; of others, all inexact results depend on all they
read."""
NON_DIFFERENTIABLE: dict[type[Operation], str] = {}
"""Ops whose results have no cotangents, with the reason."""
NOT_YET: dict[type[Operation], str] = {}
"""Ops that have a derivative but no rule here, with the reason."""

UNSEEN: set[type[Operation]] = set()
"""Ops whose results may depend on the arguments although none of their operands does. A gradient that reaches one is an
error."""


def vjp_rule(op: type[Operation]) -> Callable[[VjpRule], VjpRule]:
    """Register a function `(op, cts) -> cotangents of inputs(op)` as the rule of `op`."""

    def register(rule: VjpRule) -> VjpRule:
        RULES[op] = rule
        return rule

    return register


def walk_rule(op: type[Operation]) -> Callable[[WalkRule], WalkRule]:
    """Register a function `(op, cts, walk) -> cotangents of inputs(op)` as the rule of `op`."""

    def register(rule: WalkRule) -> WalkRule:
        WALK_RULES[op] = rule
        return rule

    return register


def region_rule(*ops: type[Operation]) -> Callable[[RegionRule], RegionRule]:
    """Register a function `(op, cts, walk, active) -> cotangents of inputs(op)` as the rule of `ops`."""

    def register(rule: RegionRule) -> RegionRule:
        REGION_RULES.update(dict.fromkeys(ops, rule))
        return rule

    return register


def non_differentiable(reason: str, *ops: type[Operation]) -> None:
    """Declare that no cotangent flows through `ops`, and why."""
    for op in ops:
        NON_DIFFERENTIABLE[op] = reason


def accumulate(cts: dict[SSAValue, SSAValue], value: SSAValue, ct: SSAValue) -> None:
    """Add `ct` to the cotangent of `value`."""
    before = cts.get(value)
    cts[value] = ct if before is None else _added(before, ct)


def _added(before: SSAValue, ct: SSAValue) -> SSAValue:
    """before + ct. What was written or added into zeros is added into `before`, in place: loops stay linear."""
    made = ct.owner
    if ct.first_use is None and isinstance(made, DynamicUpdateSliceOp) and known_value(made.operand) == 0:
        starts = list(made.start_indices)
        found = emit(DynamicSliceOp(before, starts, shape_of(made.update)))
        return emit(DynamicUpdateSliceOp(before, emit(AddOp(found, made.update)), starts))
    if ct.first_use is None and isinstance(made, ScatterOp) and _adds_to_zeros(made):
        into = made.clone()
        into.operands = [before, *made.operands[1:]]
        return emit(into)
    return emit(AddOp(before, ct))


def _adds_to_zeros(op: ScatterOp) -> bool:
    """Whether `op` adds its updates to zeros."""
    return len(op.results) == 1 and reducer_of(op) is AddOp and known_value(op.operands[0]) == 0


def known_value(value: SSAValue) -> bool | int | float | complex | None:
    """The number that `value` is known to hold in every element: it is a constant, or a broadcast one."""
    while isinstance(value.owner, BroadcastInDimOp):
        value = value.owner.operand
    return as_constant(value)


def not_yet(reason: str, *ops: type[Operation]) -> None:
    """Declare that `ops` have a derivative but no rule here so far, and why."""
    for op in ops:
        NOT_YET[op] = reason


def unseen(reason: str, *ops: type[Operation]) -> None:
    """Declare that what `ops` give may depend on the arguments in a way that the program does not show, and how."""
    UNSEEN.update(ops)
    not_yet(reason, *ops)


def only(cts: Cotangents) -> SSAValue:
    """The one of several (co)tangents; a walk visits no op of which all are zero."""
    (ct,) = cts
    if ct is None:
        raise RuntimeError("a rule was called although all that flows through its op is zero; this is a bug")
    return ct


def filled(derivative: SSAValue | None, value: SSAValue) -> SSAValue:
    """The (co)tangent of `value`, with zeros written out."""
    return zeros(type_of(value)) if derivative is None else derivative


def inputs(op: Operation) -> list[SSAValue]:
    """The values an op reads: its operands, then the outer values that its regions capture, each once."""
    read = list(op.operands)
    if op.regions:
        read.extend(_captured(op, exclude=read))
    return read


def _captured(op: Operation, exclude: Sequence[SSAValue]) -> list[SSAValue]:
    inside: set[SSAValue] = set()
    found: dict[SSAValue, None] = {}
    for region in op.regions:
        for block in region.blocks:
            inside.update(block.args)
        for inner in region.walk():
            inside.update(inner.results)
            inside.update(a for r in inner.regions for b in r.blocks for a in b.args)
    for region in op.regions:
        for inner in region.walk():
            found.update((v, None) for v in inner.operands if v not in inside)
    return [v for v in found if v not in exclude]


def computed_from(wrt: Iterable[SSAValue], ops: Iterable[Operation]) -> set[SSAValue]:
    """`wrt`, and every result in `ops` whose value depends on it differentiably, or may do so unseen."""
    active = set(wrt)
    for op in ops:
        if is_cut(op):
            continue
        if (results := ACTIVITY.get(type(op))) is not None:
            active.update(results(op, active))
        elif type(op) in UNSEEN or not active.isdisjoint(inputs(op)):
            active.update(r for r in op.results if holds_inexact(r.type))
    return active


def is_cut(op: Operation) -> bool:
    """Whether no derivative flows through `op`, by its kind or by an attribute."""
    return is_stopped(op) or (type(op) in NON_DIFFERENTIABLE and not brings_rule(op))


def _check_answers(op: Operation, read: Sequence[SSAValue], answers: Cotangents) -> None:
    """A cotangent has its value's type. A mistake in a rule must not become a wrong number: that is a RuntimeError."""
    if len(answers) != len(read):
        raise RuntimeError(
            f"the rule of {op.name} gave {len(answers)} cotangents for {len(read)} values; this is a bug"
        )
    for value, ct in zip(read, answers, strict=True):
        if ct is None or ct.type == value.type:
            continue
        if compatible(ct.type, value.type):
            raise DifferentiationError(
                f"{op.name}: it reads {value.type}, whose cotangent has type {ct.type}; a gradient needs known sizes;"
                f" refine the unknown ones first{place(op)}"
            )
        raise RuntimeError(
            f"the rule of {op.name} gave a cotangent of type {ct.type} for a value of type {value.type}; this is a bug"
        )


def needs_sizes(op: Operation, read: Sequence[SSAValue]) -> DifferentiationError | None:
    """The error for a rule that failed on an op whose sizes are not all known; None if they are."""
    for value in (*read, *op.results):
        if isinstance(value.type, TensorType) and not is_static(type_of(value)):
            return DifferentiationError(
                f"{op.name}: it works on {type_of(value)}, and its derivative rule needs every size;"
                f" give the program static shapes{place(op)}"
            )
    return None


def check_scalar_regions(op: Operation) -> None:
    """Raise DifferentiationError for a body, as of reduce, that reads what the rules do not know."""
    if beyond := beyond_scalars(op):
        raise DifferentiationError(f"{op.name}: it has no derivative rule: {beyond}{place(op)}")


def missing_rule(op: Operation, reason: str | None = None) -> DifferentiationError:
    """The error for an op on the path of a gradient that has no rule, for `reason` or that of its kind."""
    flows = ", ".join(str(r.type) for r in op.results)
    reason = reason or NOT_YET.get(type(op))
    return DifferentiationError(
        f"{op.name}: no derivative rule{f' yet ({reason})' if reason else ''}, and a gradient flows through its result"
        f" {flows}; differentiate with respect to other arguments, give the op a rule by the attribute hhlo.custom_vjp,"
        f" or add one under passes/vjp{place(op)}"
    )


# Elementwise ops

Scaled: TypeAlias = Callable[..., Value]

ELEMENTWISE: dict[type[Operation], tuple[Scaled, ...]] = {}
"""Per operand of an elementwise op y = f(a, b, ..), the map (t, a, b, .., y) -> t * (partial derivative of f).

Such a map is its own transpose, so one row serves both modes: t is a cotangent of y in reverse, a tangent of the
operand in forward mode. Complex numbers pair without conjugation, so holomorphic functions need nothing else.
"""


def unary(op: type[Operation], partial: Callable[[Value, Value, Value], Value]) -> None:
    """Register y = f(x), by (t, x, y) -> t * df/dx."""
    _elementwise(op, partial)


def binary(
    op: type[Operation],
    first: Callable[[Value, Value, Value, Value], Value],
    second: Callable[[Value, Value, Value, Value], Value],
) -> None:
    """Register y = f(a, b), by (t, a, b, y) -> t * df/da and t * df/db."""
    _elementwise(op, first, second)


def _elementwise(op: type[Operation], *partials: Scaled) -> None:
    ELEMENTWISE[op] = partials
    WALK_RULES[op] = _elementwise_rule


def _elementwise_rule(op: Operation, cts: Cotangents, walk: Walk) -> Cotangents:
    t = Value(only(cts))
    return [scaled_by(partial, t, op, walk.options) for partial in ELEMENTWISE[type(op)]]


def scaled_by(partial: Scaled, t: Value, op: Operation, options: Options) -> SSAValue:
    """t * (partial derivative of `op`), by a row of ELEMENTWISE.

    With the option `safe`, zero where t is exactly zero, so that 0 * inf makes no NaN.
    """
    try:
        scaled = partial(t, *(Value(o) for o in op.operands), Value(op.results[0]))
    except DifferentiationError as error:  # a formula knows neither the op's name nor its place
        raise DifferentiationError(f"{op.name}: {error}{place(op)}") from None
    if not options.safe or scaled.ssa is t.ssa:
        return scaled.ssa
    return select(t.equal(0), 0, scaled).ssa
