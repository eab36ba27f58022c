"""How often a loop runs, and which integers it computes in each step. No gradients here.

A counter is a carried integer to which each step adds a constant. A loop is counted if its condition compares a counter
with a constant. All arithmetic is exact: what would leave the range of its type is not counted, and so is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp, MultiplyOp, SubtractOp
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import as_constant
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp, ReshapeOp
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp, NegateOp
from hhlo_xdsl.dialects.types import bit_width, kind, shape_of, type_of


@dataclass(frozen=True)
class Counter:
    """The carried integer `carry`: `start + step * k` in step k, as its type wraps; start is None if not constant."""

    carry: int
    step: int
    start: int | None


def is_integer_scalar(value: SSAValue) -> bool:
    """Whether `value` is one integer."""
    return isinstance(value.type, TensorType) and shape_of(value) == () and _is_integer(value)


def _is_integer(value: SSAValue) -> bool:
    return kind(type_of(value).element_type) in ("int", "uint")


def type_range(value: SSAValue) -> range:
    """The integers that the type of `value` holds."""
    element = type_of(value).element_type
    bits = bit_width(element)
    return range(1 << bits) if kind(element) == "uint" else range(-(1 << bits - 1), 1 << bits - 1)


def invariants(op: WhileOp) -> dict[int, SSAValue]:
    """The carried values that no step changes, by their number, and what they start as."""
    body = op.body.block
    assert body.last_op is not None
    returned = body.last_op.operands
    return {i: op.operand[i] for i, arg in enumerate(body.args) if returned[i] is arg or returned[i] is op.operand[i]}


def integer(value: SSAValue, op: WhileOp | None = None) -> int | None:
    """The constant that an integer scalar is; in the regions of `op`, carried values that no step changes count too."""
    while True:
        owner = value.owner
        if isinstance(owner, BroadcastInDimOp | ReshapeOp):
            value = owner.operand
        elif isinstance(owner, ConvertOp) and _is_integer(owner.operand):
            found = integer(owner.operand, op)
            return found if found is not None and found in type_range(value) else None
        elif isinstance(owner, Block):
            if op is None or owner.parent not in (op.cond, op.body):
                return None
            same = invariants(op).get(_position(value))
            if same is None:
                return None
            value, op = same, None
        else:
            found = as_constant(value)
            return found if isinstance(found, int) else None


def _position(value: SSAValue) -> int:
    assert isinstance(value, BlockArgument)
    return value.index


def counters(op: WhileOp) -> dict[int, Counter]:
    """The carried integers to which each step adds a constant, by their number."""
    found: dict[int, Counter] = {}
    body = op.body.block
    assert body.last_op is not None
    for i, (arg, new) in enumerate(zip(body.args, body.last_op.operands, strict=True)):
        if is_integer_scalar(arg) and (step := _step(arg, new, op)):
            found[i] = Counter(i, step, integer(op.operand[i]))
    return found


def _step(arg: SSAValue, new: SSAValue, op: WhileOp) -> int | None:
    """What is added to `arg` to give `new`."""
    match new.owner:
        case AddOp(lhs=lhs, rhs=rhs) if lhs is arg:
            return integer(rhs, op)
        case AddOp(lhs=lhs, rhs=rhs) if rhs is arg:
            return integer(lhs, op)
        case SubtractOp(lhs=lhs, rhs=rhs) if lhs is arg:
            step = integer(rhs, op)
            return None if step is None else -step
        case _:
            return None


_SWAPPED = {
    ComparisonDirection.LT: ComparisonDirection.GT,
    ComparisonDirection.LE: ComparisonDirection.GE,
    ComparisonDirection.GT: ComparisonDirection.LT,
    ComparisonDirection.GE: ComparisonDirection.LE,
    ComparisonDirection.EQ: ComparisonDirection.EQ,
    ComparisonDirection.NE: ComparisonDirection.NE,
}


def trips(op: WhileOp) -> int | None:
    """How many steps the loop takes; None if that is not known before the program runs."""
    cond = op.cond.block
    assert cond.last_op is not None
    test = cond.last_op.operands[0]
    if (constant := _constant_condition(test)) is not None:
        return None if constant else 0
    if not isinstance(test.owner, CompareOp):
        return None
    lhs, rhs, direction = test.owner.lhs, test.owner.rhs, test.owner.comparison_direction.data
    if lhs.owner is not cond or integer(lhs, op) is not None:
        lhs, rhs, direction = rhs, lhs, _SWAPPED[direction]
    bound = integer(rhs, op)
    if lhs.owner is not cond or bound is None:
        return None
    counter = counters(op).get(_position(lhs))
    if counter is None or counter.start is None:
        return None
    return _count(counter.start, counter.step, bound, direction, type_range(lhs))


def _constant_condition(test: SSAValue) -> bool | None:
    found = as_constant(test)
    return None if found is None else bool(found)


def _count(start: int, step: int, bound: int, direction: ComparisonDirection, held: range) -> int | None:
    """The steps of `for (i = start; i <direction> bound; i += step)`; None if i would leave `held` before it ends."""
    step = (step - held.start) % (held.stop - held.start) + held.start  # 255 : ui8 subtracts 1, and so does -1
    if held.start == 0 and step > held.stop // 2:
        step -= held.stop
    match direction:
        case ComparisonDirection.LT | ComparisonDirection.GT:
            count = _towards(start, step, bound, 1 if direction is ComparisonDirection.LT else -1)
        case ComparisonDirection.LE:
            count = _towards(start, step, bound + 1, 1)
        case ComparisonDirection.GE:
            count = _towards(start, step, bound - 1, -1)
        case ComparisonDirection.EQ:
            count = int(start == bound)
        case ComparisonDirection.NE:
            exact = (bound - start) % step == 0 and (bound - start) // step >= 0
            count = (bound - start) // step if exact else None
    return count if count is not None and start + count * step in held else None


def _towards(start: int, step: int, limit: int, sign: int) -> int | None:
    """The steps until start + count * step has reached `limit` from below (sign 1) or above (sign -1)."""
    distance, pace = sign * (limit - start), sign * step
    if distance <= 0:
        return 0
    return -(-distance // pace) if pace > 0 else None


# Integers that a step computes from the counter.


@dataclass(frozen=True)
class Line:
    """The integer `first + slope * k` in step k."""

    slope: int
    first: int

    def ends(self, count: int) -> tuple[int, int]:
        """The least and the greatest of `count` steps."""
        last = self.first + self.slope * (count - 1)
        return min(self.first, last), max(self.first, last)


@dataclass
class Lines:
    """The integer scalars in the body of a loop of `count` steps that change by the same amount in each step."""

    op: WhileOp
    count: int
    _known: dict[SSAValue, Line | None] = field(default_factory=dict[SSAValue, "Line | None"])

    def __post_init__(self) -> None:
        for i, counter in counters(self.op).items():
            arg = self.op.body.block.args[i]
            if counter.start is not None:
                self._known[arg] = self._held(arg, Line(counter.step, counter.start))

    def of(self, value: SSAValue) -> Line | None:
        """The line that `value` follows; None if that is not known, or leaves the range of its type."""
        if value not in self._known:
            self._known[value] = None  # values that depend on themselves are none
            self._known[value] = self._held(value, self._computed(value)) if is_integer_scalar(value) else None
        return self._known[value]

    def _held(self, value: SSAValue, line: Line | None) -> Line | None:
        if line is None:
            return None
        least, greatest = line.ends(self.count)
        held = type_range(value)
        return line if held.start <= least and greatest < held.stop else None

    def _computed(self, value: SSAValue) -> Line | None:
        constant = integer(value, self.op)
        if constant is not None:
            return Line(0, constant)
        op = value.owner
        if not isinstance(op, _LINEAR):
            return None
        if isinstance(op, SelectOp):
            chosen = self._decided(op.pred)
            return None if chosen is None else self.of(op.on_true if chosen else op.on_false)
        parts = [self.of(v) for v in op.operands]
        known = [p for p in parts if p is not None]
        return self._joined(op, known) if len(known) == len(parts) else None

    def _joined(self, op: Operation, parts: list[Line]) -> Line | None:
        """What `op` makes of the lines of its operands."""
        match op, parts:
            case ClampOp(), [low, line, high]:
                lower = self._extreme(low, line, max)
                return None if lower is None else self._extreme(lower, high, min)
            case MaximumOp(), [a, b]:
                return self._extreme(a, b, max)
            case MinimumOp(), [a, b]:
                return self._extreme(a, b, min)
            case AddOp(), [a, b]:
                return Line(a.slope + b.slope, a.first + b.first)
            case SubtractOp(), [a, b]:
                return Line(a.slope - b.slope, a.first - b.first)
            case MultiplyOp(), [a, b]:
                return _product(a, b)
            case NegateOp(), [a]:
                return Line(-a.slope, -a.first)
            case ConvertOp() | ReshapeOp() | BroadcastInDimOp(), [a]:
                return a
            case _:
                return None

    def _extreme(self, a: Line, b: Line, choose: Callable[[int, int], int]) -> Line | None:
        """The greater or the lesser, if it is the same one in the first and in the last step."""
        last = self.count - 1
        first_value = choose(a.first, b.first)
        last_value = choose(a.first + a.slope * last, b.first + b.slope * last)
        for line in (a, b):
            if (line.first, line.first + line.slope * last) == (first_value, last_value):
                return line
        return None

    def _decided(self, pred: SSAValue) -> bool | None:
        """What a comparison gives, if that is the same in all steps."""
        compare = pred.owner
        if not isinstance(compare, CompareOp):
            return None
        a, b = self.of(compare.lhs), self.of(compare.rhs)
        if a is None or b is None:
            return None
        least, greatest = Line(a.slope - b.slope, a.first - b.first).ends(self.count)
        match compare.comparison_direction.data:
            case ComparisonDirection.LT:
                return _same(greatest < 0, least < 0)
            case ComparisonDirection.GE:
                return _same(least >= 0, greatest >= 0)
            case ComparisonDirection.GT:
                return _same(least > 0, greatest > 0)
            case ComparisonDirection.LE:
                return _same(greatest <= 0, least <= 0)
            case _:
                return None


def _same(a: bool, b: bool) -> bool | None:
    return a if a == b else None


def _product(a: Line, b: Line) -> Line | None:
    if a.slope and b.slope:
        return None
    return Line(a.slope * b.first + b.slope * a.first, a.first * b.first)


_LINEAR = (
    *(AddOp, SubtractOp, MultiplyOp, NegateOp, ConvertOp, ReshapeOp, BroadcastInDimOp),
    *(SelectOp, ClampOp, MaximumOp, MinimumOp),
)
