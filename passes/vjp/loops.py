"""The reverse-mode rule of loops.

    x[k+1] = f(x[k], c)   for k = 0, .., T - 1      back:   (ct x[k], ct c) += pullback of f at x[k] (ct x[k+1])

On the way forward each step saves what its way back reads, in stacks with a row per step; a loop back reads them. What
no step changes is not saved, counters are computed again, and a stack that the loop only writes is only read on the way
back, so the cost is linear in T. Loops whose T is not known before the program runs are in passes/vjp/slots.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import Pure

from hhlo_xdsl.dialects.emit import add, emit, inserting
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, splat, zeros
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp, WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, IotaOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp
from hhlo_xdsl.dialects.stablehlo.movement import ReshapeOp
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp
from hhlo_xdsl.dialects.types import RankedTensor, is_inexact, is_static, like, shape_of, tensor, type_of
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.trips import Counter, Lines, counters, invariants, trips, type_range
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, accumulate, computed_from, inputs, known_value
from hhlo_xdsl.passes.vjp.marks import checkpoint_of
from hhlo_xdsl.passes.vjp.regions import (
    body_ops,
    captured_by,
    give_more,
    is_inside,
    plan,
    pull,
    reached,
    repeat,
    replace_within,
    return_more,
)


def returned(op: WhileOp) -> Sequence[SSAValue]:
    """What a step gives, per carried value."""
    return terminator_of(op.body.block).operands


def activity(op: WhileOp, active: Collection[SSAValue]) -> list[SSAValue]:
    """The results that depend on active values in some step."""
    carried = active_carries(op, [v for v in inputs(op) if v in active])
    return [op.results[i] for i in sorted(carried)]


def active_carries(op: WhileOp, active: Sequence[SSAValue]) -> set[int]:
    """Which carried values depend on the `active` values from outside, before some step or after the last."""
    args, ops = op.body.block.args, body_ops(op.body.block)
    found = {i for i, v in enumerate(op.operand) if v in active}
    while True:
        depends = computed_from([*active, *(args[i] for i in found)], ops)
        more = {i for i, v in enumerate(returned(op)) if v in depends and is_inexact(v.type)} - found
        if not more:
            return found
        found |= more


@dataclass(frozen=True)
class Store:
    """A carried stack that steps only write: `dynamic_update_slice(stack, update, starts)` is its one use."""

    write: DynamicUpdateSliceOp
    update: SSAValue
    starts: list[SSAValue]
    type: RankedTensor
    """Of the stack."""
    once: bool
    """Whether no place is written twice, so that a cotangent once read is not read again."""


@dataclass(frozen=True)
class Loop:
    """A loop, prepared for differentiation: what no step changes is read from outside.

    Carried values have numbers. Those of a loop that repeats a part of another are the other's.
    """

    op: WhileOp
    args: dict[int, SSAValue]
    """The carried values, as a step takes them."""
    new: dict[int, SSAValue]
    """The carried values, as a step gives them."""
    cts: dict[int, SSAValue]
    """The cotangents of what the last step gives."""
    carried: list[int]
    """The carried values that have a cotangent in some step, without stores."""
    gets: set[int]
    """The carried values that give a cotangent to what they start as."""
    steady: dict[int, SSAValue]
    """The carried values that no step changes, and what they start as."""
    writes: dict[int, Store]
    """The stacks that steps only write."""
    stores: dict[int, Store]
    """Those of them that have a cotangent."""
    captured: list[SSAValue]
    """The values from outside that get a cotangent from steps."""
    active: list[SSAValue]
    """The active values that a step starts from: from outside, and carried."""
    hoisted: list[Operation]
    """Ops that were moved out of the body."""


def while_loop(op: WhileOp, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """The cotangents of what the loop starts from and of what it captures, by a loop back."""
    from hhlo_xdsl.passes.vjp import slots

    read, operands = inputs(op), list(op.operand)
    _check_static(op)
    count = trips(op)
    given = {i: ct for i, ct in enumerate(cts) if ct is not None}
    if count == 0:
        return [*(given.get(i) for i in range(len(operands))), *[None] * (len(read) - len(operands))]
    loop = prepared(op, given, active, count)
    if count is not None and checkpoint_of(op, walk.options) == "all":
        last = splat(count - 1, index_type(count))
        carried, summed = way_back(loop, walk, index_type(count), count, last, initial_sums(loop))
    else:
        carried, summed = slots.way_back(loop, walk, count)
    found = Found({i: ct for i, ct in carried.items() if i in loop.gets}, dict(zip(loop.captured, summed, strict=True)))
    for i, value in loop.steady.items():
        if i in given and value not in loop.captured:
            accumulate(found.captured, value, given[i])
    walk.pullback(loop.hoisted, found.captured, [v for v in read if v in active])
    return _answers(loop, found, read, len(operands))


@dataclass
class Found:
    """The cotangents at the start of a loop: of carried values by number, of captured ones by value."""

    carried: dict[int, SSAValue]
    captured: dict[SSAValue, SSAValue]


def _answers(loop: Loop, found: Found, read: Sequence[SSAValue], count: int) -> Cotangents:
    """The cotangents of `read`: of what the loop starts from, `count` values, and of what it captures."""
    left = dict(found.captured)
    answers: list[SSAValue | None] = []
    for i, value in enumerate(read):
        parts = [found.carried.get(i) if i < count else None, left.pop(value, None)]
        given = [ct for ct in parts if ct is not None]
        answers.append(emit(AddOp(*given)) if len(given) == 2 else given[0] if given else None)
    return answers


def _check_static(op: WhileOp) -> None:
    for v in op.operand:
        if is_inexact(v.type) and not is_static(type_of(v)):
            raise DifferentiationError(
                f"{op.name}: it carries {v.type}, and its derivative rule needs every size; give the program static"
                f" shapes{place(op)}"
            )


# Preparation


def prepared(op: WhileOp, cts: dict[int, SSAValue], active: Collection[SSAValue], count: int | None) -> Loop:
    """Let the steps of `op` read from outside what they do not change, and find out what has a cotangent in them."""
    lines = None if count is None else Lines(op, count)
    found = ((i, _store(op, i, lines, v in active)) for i, v in enumerate(op.operand))
    writes = {i: store for i, store in found if store is not None}
    steady = invariants(op)
    for i, value in steady.items():
        for block in (op.cond.block, op.body.block):
            block.args[i].replace_all_uses_with(value)
        op.results[i].replace_all_uses_with(value)
    read = inputs(op)  # before ops are moved out of it
    hoisted = _hoist(op)
    active = computed_from([v for v in (*read, *steady.values()) if v in active], hoisted)
    outside = list(dict.fromkeys(v for v in inputs(op) if v in active))
    args, new = dict[int, SSAValue](enumerate(op.body.block.args)), dict(enumerate(returned(op)))
    moving = sorted(active_carries(op, outside) - steady.keys())
    starts = [*outside, *(args[i] for i in moving)]
    carried, flows = _with_cotangents(op, moving, starts, [i for i in moving if i in cts])
    return Loop(
        op=op,
        args=args,
        new=new,
        cts=cts,
        carried=[i for i in carried if i not in writes],
        gets={i for i in carried if args[i] in flows},
        steady=steady,
        writes=writes,
        stores={i: writes[i] for i in carried if i in writes},
        captured=[v for v in outside if v in flows],
        active=starts,
        hoisted=hoisted,
    )


def _with_cotangents(
    op: WhileOp, moving: Sequence[int], active: Sequence[SSAValue], given: Sequence[int]
) -> tuple[list[int], set[SSAValue]]:
    """Which of the carried values `moving` have a cotangent in some step if `given` have one after the last.

    Also all values in the body that have one.
    """
    args, new, ops = op.body.block.args, returned(op), body_ops(op.body.block)
    known, carried = computed_from(active, ops), set(given)
    while True:
        flows = reached([new[i] for i in carried], ops, known)
        more = {i for i in moving if args[i] in flows} - carried
        if not more:
            return sorted(carried), flows
        carried |= more


def _store(op: WhileOp, i: int, lines: Lines | None, is_active: bool) -> Store | None:
    """The stack that carried value i is, if steps only write it."""
    arg, new = op.body.block.args[i], returned(op)[i]
    write = new.owner
    if not isinstance(write, DynamicUpdateSliceOp) or write.operand is not arg or op.cond.block.args[i].first_use:
        return None
    if not (arg.has_one_use() and new.has_one_use()) or write.update is arg:
        return None
    once = lines is not None and not is_active and _writes_apart(write, lines)
    return Store(write, write.update, list(write.start_indices), type_of(arg), once)


def _writes_apart(write: DynamicUpdateSliceOp, lines: Lines) -> bool:
    """Whether steps are known to write places that do not overlap."""
    sizes = zip(write.start_indices, shape_of(write.operand), shape_of(write.update), strict=True)
    for start, size, part in sizes:
        line = lines.of(start)
        if line is None or abs(line.slope) < part or not part:
            continue
        least, greatest = line.ends(lines.count)
        if least >= 0 and greatest <= size - part:
            return True
    return False


def _hoist(op: WhileOp) -> list[Operation]:
    """Move out of the body what no step changes; constants and copies of what is smaller stay."""
    body, block = op.body.block, op.parent
    assert block is not None
    moved: list[Operation] = []
    for inner in body_ops(body):
        if inner.regions or not inner.has_trait(Pure) or isinstance(inner, ConstantOp | IotaOp):
            continue
        local = [v for v in inner.operands if is_inside(v, body)]
        constants = [v.owner for v in local if isinstance(v.owner, ConstantOp)]
        if len(constants) < len(local) or len(local) == len(inner.operands):
            continue
        if _size(inner.results) > _size([v for v in inner.operands if v not in local]):
            continue
        for old in constants:
            constant = old.clone()
            block.insert_op_before(constant, op)
            inner.operands = [constant.output if o is old.output else o for o in inner.operands]
        inner.detach()
        block.insert_op_before(inner, op)
        moved.append(inner)
    return moved


def _size(values: Sequence[SSAValue]) -> int:
    total = 0
    for v in values:
        size = 1
        for n in shape_of(v):
            size *= n
        total += size
    return total


# The loop back


def index_type(count: int) -> RankedTensor:
    """The type that numbers `count` steps."""
    return tensor((), i32 if count < 1 << 31 else i64)


def way_back(
    loop: Loop, walk: Walk, type: RankedTensor, rows: int, last: SSAValue, sums: Sequence[SSAValue]
) -> tuple[dict[int, SSAValue], list[SSAValue]]:
    """Let the loop save what the way back reads, in stacks of `rows` rows, and emit the loop back.

    type : of the number of a step
    last : the number of the last step
    sums : what the cotangents of captured values start as

    The cotangents at the start of the loop: of carried values by number, and of captured ones.
    """
    passed = [*loop.carried, *(i for i, s in loop.stores.items() if not s.once)]
    types = {i: loop.stores[i].type if i in loop.stores else type_of(loop.args[i]) for i in passed}
    back = Block(arg_types=[type, *types.values(), *(v.type for v in sums)])
    with inserting(back):
        add(ReturnOp(_step_back(loop, walk, passed, back.args)))
    sweep(back)
    _load(loop.op, back, rows)
    starts = [loop.cts.get(i) or zeros(types[i]) for i in passed]
    _, *results = _run_back([last, *starts, *sums], back)
    return dict(zip(passed, results, strict=False)), results[len(passed) :]


def _step_back(loop: Loop, walk: Walk, passed: Sequence[int], args: Sequence[SSAValue]) -> list[SSAValue]:
    """Emit the way back through one step, from its number, the cotangents of `passed` and the sums: new ones."""
    k, *cts = args
    by_number = dict(zip(passed, cts, strict=False))
    seeds = list(zip(loop.captured, cts[len(passed) :], strict=True))
    seeds += [(loop.new[i], by_number[i]) for i in loop.carried]
    for i, store in loop.stores.items():
        seeds.append((store.update, _read(store, loop.cts[i] if store.once else by_number[i])))
    wanted = [*(loop.args[i] for i in loop.carried), *loop.captured]
    others = [v for v in loop.active if v not in wanted]
    found = pull(walk, body_ops(loop.op.body.block), seeds, [*wanted, *others])[: len(wanted)]
    new = [ct or zeros(type_of(v)) for v, ct in zip(wanted, found, strict=True)]
    blanked = [_blank(loop.stores[i], by_number[i]) for i in passed if i in loop.stores]
    return [(Value(k) - 1).ssa, *new[: len(loop.carried)], *blanked, *new[len(loop.carried) :]]


def _read(store: Store, ct: SSAValue) -> SSAValue:
    """The cotangent of what a step wrote: what stands in the cotangent of the stack."""
    return emit(DynamicSliceOp(ct, store.starts, shape_of(store.update)))


def _blank(store: Store, ct: SSAValue) -> SSAValue:
    """The cotangent of the stack before the step: zeros where it wrote."""
    return emit(DynamicUpdateSliceOp(ct, zeros(type_of(store.update)), store.starts))


def initial_sums(loop: Loop) -> list[SSAValue]:
    """What the cotangents of captured values start as: those of results that no step changes, and zeros."""
    cts: dict[SSAValue, SSAValue] = {}
    for i, value in loop.steady.items():
        if i in loop.cts:
            accumulate(cts, value, loop.cts[i])
    return [cts.get(v) or zeros(type_of(v)) for v in loop.captured]


def _run_back(operands: Sequence[SSAValue], back: Block) -> list[SSAValue]:
    """Emit the loop whose steps are `back`, from its last number down to 0; its results."""

    def is_left(k: SSAValue, *_: SSAValue) -> SSAValue:
        return emit(CompareOp(k, splat(0, type_of(k)), ComparisonDirection.GE))

    return list(add(WhileOp(operands, is_left, Region(back))).results)


# Handing over


def _load(op: WhileOp, back: Block, rows: int) -> None:
    """Let the steps of `op` save what `back` reads of them, and `back` read it from there, or compute it again."""
    body, k = op.body.block, back.args[0]
    counted: dict[SSAValue, Counter] = {body.args[i]: c for i, c in counters(op).items()}
    planned = plan(body, captured_by(back), counted)
    repeat(planned, back)
    used = [v for v in captured_by(back) if v in counted]
    stacks = save(op, planned.saved, rows)
    first = back.first_op
    with inserting(back, before=first):
        for value, stack in zip(planned.saved, stacks, strict=True):
            replace_within(value, row(stack, k), back)
        for value in used:
            counter = counted[value]
            replace_within(value, counted_at(op.operand[counter.carry], counter.step, k), back)


def counted_at(start: SSAValue, step: int, k: SSAValue) -> SSAValue:
    """start + step * k, in the type of start."""
    type = type_of(start)
    number = Value(k if type == k.type else emit(ConvertOp(k, type.element_type)))
    held = type_range(start)
    step = (step - held.start) % (held.stop - held.start) + held.start  # -1 : ui8 is 255
    moved = number if step == 1 else number * step
    return moved.ssa if known_value(start) == 0 else (Value(start) + moved).ssa


def carry_more(op: WhileOp, starts: Sequence[SSAValue]) -> list[SSAValue]:
    """Let a loop carry more values; they as the body takes them. What the steps give is still to be returned."""
    op.operands = [*op.operand, *starts]
    new: list[SSAValue] = []
    for start in starts:
        op.cond.block.insert_arg(start.type, len(op.cond.block.args))
        new.append(op.body.block.insert_arg(start.type, len(op.body.block.args)))
    give_more(op, [start.type for start in starts])
    return new


def save(op: WhileOp, values: Sequence[SSAValue], rows: int) -> Sequence[SSAValue]:
    """Let each step of `op` write `values`, each into a stack of its own; the stacks after the last step."""
    if not values:
        return []
    block, body = op.parent, op.body.block
    assert block is not None
    with inserting(block, before=op):
        starts = [zeros(_stacked(v, rows)) for v in values]
    with inserting(body, before=terminator_of(body)):
        k = _number(op, rows)
        stacks = carry_more(op, starts)
        new = [put_row(stack, v, k) for stack, v in zip(stacks, values, strict=True)]
    return_more(body, new)
    return op.results[-len(values) :]


def _number(op: WhileOp, rows: int) -> SSAValue:
    """The number of the step, from 0, within the body of `op`: a counter of its own, or one that it gets."""
    body = op.body.block
    for i, counter in counters(op).items():
        element = type_of(body.args[i]).element_type
        if (counter.start, counter.step) == (0, 1) and element in (i32, i64):
            return body.args[i]
    block = op.parent
    assert block is not None
    with inserting(block, before=op):
        start = splat(0, index_type(rows))
    (k,) = carry_more(op, [start])
    return_more(body, [(Value(k) + 1).ssa])
    return k


def _stacked(value: SSAValue, rows: int) -> RankedTensor:
    return like(type_of(value), shape=(rows, *shape_of(value)))


def put_row(stack: SSAValue, value: SSAValue, k: SSAValue) -> SSAValue:
    """`stack` with `value` in row k."""
    shape = shape_of(value)
    flat = emit(ReshapeOp(value, (1, *shape)))
    return emit(DynamicUpdateSliceOp(stack, flat, [k, *[splat(0, type_of(k))] * len(shape)]))


def row(stack: SSAValue, k: SSAValue) -> SSAValue:
    """Row k of `stack`."""
    _, *shape = shape_of(stack)
    found = emit(DynamicSliceOp(stack, [k, *[splat(0, type_of(k))] * len(shape)], (1, *shape)))
    return emit(ReshapeOp(found, tuple(shape)))
