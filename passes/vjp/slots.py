"""The way back through loops that do not save every step: those of unknown trip count, and checkpointed ones.

Steps are numbered 0, .., T - 1 and grouped into leaves of `rows` steps; the last leaf may be shorter. On the way
forward the carried values at the starts of leaves are kept, in at most `slots` slots: when all are taken, every second
one is given up, and from then on twice as many leaves lie between those that are kept. On the way back, for each leaf
from the last to the first:

    1. descend : from the last state kept before the leaf, step to its start, and keep states on the way in free slots
    2. repeat  : run the steps of the leaf and save what the way back reads
    3. reverse : the loop back of passes/vjp/loops.py

With T <= slots * rows every start of a leaf is kept, and the steps run once more in all. Beyond, step 1 places what it
keeps as binomial checkpointing does, so that the steps are repeated least often. What a slot holds, logically the state
at leaf `at[i]`, stands in row `where[i]` of the buffers, so that giving up slots moves a few integers and no states.
Row `slots` takes what is not kept.

Griewank and Walther, Algorithm 799: revolve (2000), https://doi.org/10.1145/347837.347846
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType, i32, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from hhlo_xdsl.dialects.emit import add, emit, inserting
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, minimum, select, splat, zeros
from hhlo_xdsl.dialects.stablehlo.binary import AndOp, RemainderOp
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp, WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicUpdateSliceOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp, ConcatenateOp, ReshapeOp, SliceOp
from hhlo_xdsl.dialects.stablehlo.random import RngOp
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp
from hhlo_xdsl.dialects.types import RankedTensor, like, shape_of, tensor, type_of
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp import loops
from hhlo_xdsl.passes.vjp.core import Walk
from hhlo_xdsl.passes.vjp.loops import Loop, Store, carry_more, put_row, row
from hhlo_xdsl.passes.vjp.marks import checkpoint_of, slots_of
from hhlo_xdsl.passes.vjp.regions import body_ops, return_more

INDEX = tensor((), i64)
"""The type of the numbers of leaves, steps and slots."""
LEAF_INDEX = tensor((), i32)
"""The type of the number of a step in its leaf."""


@dataclass(frozen=True)
class Kept:
    """What the way forward leaves behind."""

    steps: Value
    """T"""
    leaves: Value
    taken: Value
    """How many slots are taken."""
    every: Value
    """How many leaves lie between states that are kept."""
    where: SSAValue
    buffers: Sequence[SSAValue]


def way_back(loop: Loop, walk: Walk, count: int | None) -> tuple[dict[int, SSAValue], list[SSAValue]]:
    """The cotangents at the start of the loop: of carried values by number, and of captured ones.

    count : the number of steps, if it is known
    """
    slots, rows = sizes(checkpoint_of(loop.op, walk.options), slots_of(loop.op, walk.options), count)
    check_repeatable(loop.op)
    state = [i for i in loop.args if i not in loop.steady and i not in loop.writes]
    advance, _ = _copy(loop, state, INDEX)
    leaf, values = _copy(loop, state, LEAF_INDEX)
    kept = _keep(loop, state, slots, rows)
    return _Reverse(loop, walk, state, slots, rows, kept, advance, leaf, values).emit()


def sizes(checkpoint: str, slots: int, count: int | None) -> tuple[int, int]:
    """How many states are kept, and how many steps a leaf has."""
    if count is None or checkpoint == "all":
        return slots, slots
    if checkpoint == "sqrt":
        rows = max(1, math.isqrt(count - 1) + 1 if count else 1)
        return -(-count // rows) if count else 1, rows
    few = max(1, count.bit_length())
    return few, few


def check_repeatable(op: Operation) -> None:
    """Raise DifferentiationError if `op` may do something else when it is run again."""
    for value in op.operands:
        if not isinstance(value.type, TensorType):
            raise DifferentiationError(
                f"{op.name}: it carries {value.type}, and the way back runs steps again, which only tensors allow; give"
                f' the loop a constant trip count and use checkpoint="all"{place(op)}'
            )
    for inner in _within(op):
        if inner.regions or isinstance(inner, ReturnOp | func.CallOp | func.ReturnOp):
            continue
        if isinstance(inner, RngOp) or not is_side_effect_free(inner):
            raise DifferentiationError(
                f"{inner.name}: it may give something else when it is run again, as the way back through"
                f" {op.name} has to; take it out of the loop, or give the loop a constant trip count and use"
                f' checkpoint="all"{place(inner)}'
            )


def _within(op: Operation) -> list[Operation]:
    """The ops in the regions of `op` and in the functions that they call."""
    top = op
    while (parent := top.parent_op()) is not None:
        top = parent
    functions = [f for f in top.ops if isinstance(f, func.FuncOp)] if isinstance(top, ModuleOp) else []
    bodies: dict[str, func.FuncOp] = {f.sym_name.data: f for f in functions}
    found: list[Operation] = []
    pending: list[Operation] = [op]
    while pending:
        for inner in pending.pop().walk():
            found.append(inner)
            if isinstance(inner, func.CallOp):
                callee = bodies.pop(inner.callee.root_reference.data, None)
                pending += [] if callee is None else [callee]
    return [inner for inner in found if inner is not op and not isinstance(inner, func.FuncOp)]


def _copy(loop: Loop, state: Sequence[int], index: RankedTensor) -> tuple[Block, dict[SSAValue, SSAValue]]:
    """A copy of the body that takes and gives the carried values `state` and a counter; what stands for what in it."""
    block = Block(arg_types=[*(loop.args[i].type for i in state), index])
    values: dict[SSAValue, SSAValue] = dict(zip((loop.args[i] for i in state), block.args, strict=False))
    left_out = {store.write for store in loop.writes.values()}
    with inserting(block):
        for op in body_ops(loop.op.body.block):
            if op not in left_out:
                copy = op.clone(values)
                block.add_op(copy)
                values.update(zip(op.results, copy.results, strict=True))
        new = [loop.new[i] for i in state]
        add(ReturnOp([*(values.get(v, v) for v in new), (Value(block.args[-1]) + 1).ssa]))
    return block, values


# The way forward


def _keep(loop: Loop, state: Sequence[int], slots: int, rows: int) -> Kept:
    """Turn the loop into one over leaves, which keeps states at their starts, around one over the steps of a leaf."""
    op, count = loop.op, len(loop.op.operand)
    inner = _take_body(op)
    block = op.parent
    assert block is not None
    with inserting(block, before=op):
        where = emit(IotaOp(tensor((slots + 1,), i64), 0))
        buffers = [zeros(like(type_of(loop.args[i]), shape=(slots + 1, *shape_of(loop.args[i])))) for i in state]
        starts = [*(splat(n, INDEX) for n in (0, 0, 0, 1)), where, *buffers]
    with inserting(op.body.block) as body:
        more = carry_more(op, starts)
        carried = body.args[:count]
        new = _leaf_start(more, [carried[i] for i in state], slots)
        steps = add(WhileOp([*carried, splat(0, LEAF_INDEX)], _is_going_on(op, count, rows), Region(inner))).results
        done = Value(more[0]) + Value(emit(ConvertOp(steps[-1], i64)))
        add(ReturnOp([*steps[:-1], done.ssa, *new]))
    total, leaves, taken, every, where, *buffers = op.results[count:]
    return Kept(Value(total), Value(leaves), Value(taken), Value(every), where, buffers)


def _take_body(op: WhileOp) -> Block:
    """Move the ops of the body into a block that also counts them; the body is left empty."""
    body = op.body.block
    inner = Block(arg_types=[*(a.type for a in body.args), LEAF_INDEX])
    for old, new in zip(body.args, inner.args, strict=False):
        old.replace_all_uses_with(new)
    for moved in list(body.ops):
        moved.detach()
        inner.add_op(moved)
    with inserting(inner, before=terminator_of(inner)):
        number = (Value(inner.args[-1]) + 1).ssa
    return_more(inner, [number])
    return inner


def _is_going_on(op: WhileOp, count: int, rows: int) -> Callable[..., SSAValue]:
    """Whether the loop goes on, and within the leaf."""
    cond = op.cond.block

    def test(*args: SSAValue) -> SSAValue:
        values: dict[SSAValue, SSAValue] = dict(zip(cond.args[:count], args, strict=False))
        for inner in body_ops(cond):
            copy = add(inner.clone(values))
            values.update(zip(inner.results, copy.results, strict=True))
        (goes_on,) = terminator_of(cond).operands
        within = Value(args[-1]) < rows
        return emit(AndOp(values.get(goes_on, goes_on), within.ssa))

    return test


def _leaf_start(more: Sequence[SSAValue], state: Sequence[SSAValue], slots: int) -> list[SSAValue]:
    """Keep `state` if it is due; the new leaf number, slots taken, interval, places and buffers."""
    leaf, taken, every, (where, *buffers) = Value(more[1]), Value(more[2]), Value(more[3]), more[4:]
    is_due = leaf.apply(RemainderOp, every).equal(0)
    thinned = is_due.apply(AndOp, taken.equal(slots))
    where = select(_spread(thinned, (slots + 1,)), Value(_every_second(where, slots)), Value(where)).ssa
    taken = select(thinned, -(-slots // 2), taken)
    every = select(thinned, every * 2, every)
    is_kept = leaf.apply(RemainderOp, every).equal(0).apply(AndOp, taken < slots)
    place = entry(where, select(is_kept, taken, slots).ssa)
    kept = [put_row(buffer, value, place) for buffer, value in zip(buffers, state, strict=True)]
    return [(leaf + 1).ssa, (taken + _number(is_kept)).ssa, every.ssa, where, *kept]


def _every_second(where: SSAValue, slots: int) -> SSAValue:
    """The places 0, 2, 4, .., then 1, 3, 5, .., which are free; the last one stays."""
    parts = [emit(SliceOp(where, (start,), (slots,), (2,))) for start in (0, 1) if start < slots]
    return emit(ConcatenateOp([*parts, emit(SliceOp(where, (slots,), (slots + 1,), (1,)))], 0))


def _spread(pred: Value, shape: tuple[int, ...]) -> Value:
    return Value(emit(BroadcastInDimOp(pred.ssa, shape, ())))


def _number(pred: Value) -> Value:
    """1 if pred, else 0."""
    return Value(emit(ConvertOp(pred.ssa, i64)))


def entry(values: SSAValue, i: SSAValue) -> SSAValue:
    """values[i], of a tensor of rank 1."""
    return row(values, i)


# The way back


@dataclass(frozen=True)
class _Reverse:
    """The loop back over leaves, and what it is made of."""

    loop: Loop
    walk: Walk
    state: Sequence[int]
    slots: int
    rows: int
    kept: Kept
    advance: Block
    """A step, for step 1."""
    leaf: Block
    """A step, for step 2."""
    values: dict[SSAValue, SSAValue]
    """What in `leaf` stands for what in the body of the loop."""

    def emit(self) -> tuple[dict[int, SSAValue], list[SSAValue]]:
        """The cotangents at the start of the loop: of carried values by number, and of captured ones."""
        loop, kept = self.loop, self.kept
        types = {i: type_of(loop.args[i]) for i in loop.carried}
        types |= {i: s.type for i, s in loop.stores.items() if not s.once}
        at = Value(emit(IotaOp(tensor((self.slots + 1,), i64), 0))) * _spread(kept.every, (self.slots + 1,))
        starts = [(kept.leaves - 1).ssa, (kept.taken - 1).ssa, at.ssa, *kept.buffers]
        cts = [loop.cts.get(i) or zeros(type) for i, type in types.items()]
        operands = [*starts, *cts, *loops.initial_sums(loop)]
        results = add(WhileOp(operands, _is_natural, self._step(list(types)))).results[len(starts) :]
        return dict(zip(types, results, strict=False)), list(results[len(types) :])

    def _step(self, passed: Sequence[int]) -> Callable[..., list[SSAValue]]:
        """One leaf back, from (leaf, last slot taken, at, buffers.., cotangents.., sums..)."""
        count = len(self.state)

        def step(leaf: SSAValue, last: SSAValue, at: SSAValue, *rest: SSAValue) -> list[SSAValue]:
            buffers, cts, sums = rest[:count], rest[count : count + len(passed)], rest[count + len(passed) :]
            state, held = self._descend(Value(leaf), Value(last), at, buffers)
            given = dict(zip(passed, cts, strict=True))
            found, summed = self._leaf_back(Value(leaf), state, given, sums)
            return [(Value(leaf) - 1).ssa, *held, *(found[i] for i in passed), *summed]

        return step

    def _descend(
        self, leaf: Value, last: Value, at: SSAValue, buffers: Sequence[SSAValue]
    ) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
        """Step to the start of `leaf`: the state there, and the new (last, at, buffers..)."""
        last = last - _number(Value(entry(at, last.ssa)) > leaf)
        place = entry(self.kept.where, last.ssa)
        starts = [entry(at, last.ssa), *(row(b, place) for b in buffers), last.ssa, at, *buffers]
        count = len(self.state)

        def is_before(position: SSAValue, *_: SSAValue) -> SSAValue:
            return (Value(position) < leaf).ssa

        def stride(position: SSAValue, *rest: SSAValue) -> list[SSAValue]:
            state, (last, at, *buffers) = rest[:count], rest[count:]
            far = gap(leaf - Value(position), (self.slots - 1) - Value(last))
            state = self._run(state, far * self.rows)
            there = Value(position) + far
            is_kept = there < leaf
            last = Value(last) + _number(is_kept)
            slot = select(is_kept, last, self.slots).ssa
            at = emit(DynamicUpdateSliceOp(at, emit(ReshapeOp(there.ssa, (1,))), [slot]))
            place = entry(self.kept.where, slot)
            return [there.ssa, *state, last.ssa, at, *map(put_row, buffers, state, [place] * count)]

        results = add(WhileOp(starts, is_before, stride)).results[1:]
        return results[:count], results[count:]

    def _run(self, state: Sequence[SSAValue], steps: Value) -> Sequence[SSAValue]:
        """The state after so many steps."""
        return add(WhileOp([*state, splat(0, INDEX)], _is_below(steps), Region(self.advance))).results[:-1]

    def _leaf_back(
        self, leaf: Value, state: Sequence[SSAValue], cts: dict[int, SSAValue], sums: Sequence[SSAValue]
    ) -> tuple[dict[int, SSAValue], list[SSAValue]]:
        """The steps of `leaf` from its start `state`, and the way back through them."""
        length = minimum(self.kept.steps - leaf * self.rows, self.rows)
        short = Value(emit(ConvertOp(length.ssa, i32)))
        op = add(WhileOp([*state, splat(0, LEAF_INDEX)], _is_below(short), Region(self.leaf)))
        loop = self._part(op, cts)
        return loops.way_back(loop, self.walk, LEAF_INDEX, self.rows, (short - 1).ssa, sums)

    def _part(self, op: WhileOp, cts: dict[int, SSAValue]) -> Loop:
        """The loop over the steps of a leaf, whose last step has the cotangents `cts`."""
        loop = self.loop
        at = {i: k for k, i in enumerate(self.state)}
        stores = {i: self._part_store(store) for i, store in loop.stores.items()}
        once = {i: loop.cts[i] for i, store in stores.items() if store.once}
        return Loop(
            op=op,
            args={i: self.leaf.args[k] for i, k in at.items()},
            new={i: terminator_of(self.leaf).operands[k] for i, k in at.items()},
            cts={**once, **cts},
            carried=loop.carried,
            gets=loop.gets,
            steady={},
            writes=stores,
            stores=stores,
            captured=loop.captured,
            active=[self.values.get(v, v) for v in loop.active],
            hoisted=[],
        )

    def _part_store(self, store: Store) -> Store:
        update, *starts = [self.values.get(v, v) for v in (store.update, *store.starts)]
        return Store(store.write, update, starts, store.type, store.once)


def _is_natural(number: SSAValue, *_: SSAValue) -> SSAValue:
    """Whether the first of what is carried is not negative."""
    return (Value(number) >= 0).ssa


def _is_below(limit: Value) -> Callable[..., SSAValue]:
    """Whether the last of what is carried is less than `limit`."""
    return lambda *args: (Value(args[-1]) < limit).ssa


def gap(distance: Value, free: Value) -> Value:
    """How many leaves to step before a state is kept, if so many slots are free and the leaf is so far away.

    With s slots, each step repeated at most r times, binomial(s + r, s) leaves can be walked back. For the least r that
    is enough, the first state is kept r / (s + r) of the way down; with no slot, at the end.
    """

    def is_short(r: SSAValue, reach: SSAValue) -> SSAValue:
        return (Value(reach) < distance).apply(AndOp, free > 0).ssa

    def enlarge(r: SSAValue, reach: SSAValue) -> list[SSAValue]:
        more = Value(r) + 1
        return [more.ssa, (Value(reach) * (free + more) / more).ssa]

    r = Value(add(WhileOp([splat(1, INDEX), (free + 1).ssa], is_short, enlarge)).results[0])
    total = free + r
    return (distance * r + total - 1) / total
