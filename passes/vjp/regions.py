"""What the rules of ops with regions share: which values are active, what the way back through a block needs of the way
forward, what of it is computed again, and how an op comes to give more results. No formula stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.core import SSAValues
from xdsl.traits import Pure

from hhlo_xdsl.dialects.emit import add, inline, inserting
from hhlo_xdsl.dialects.stablehlo.binary import (
    AddOp,
    AndOp,
    ComplexOp,
    DivideOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    OrOp,
    SubtractOp,
    XorOp,
)
from hhlo_xdsl.dialects.stablehlo.compare import ClampOp, CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, IotaOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp
from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    PadOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.dialects.stablehlo.unary import AbsOp, ConvertOp, ImagOp, NegateOp, NotOp, RealOp, SignOp
from hhlo_xdsl.dialects.types import bit_width, is_inexact, is_static, type_of
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, accumulate, inputs, is_cut

# Which values are active, and which get a cotangent.


def body_ops(block: Block) -> list[Operation]:
    """The ops of a block but the last one."""
    return list(block.ops)[:-1]


def reached(values: Iterable[SSAValue], ops: Sequence[Operation], active: Collection[SSAValue]) -> set[SSAValue]:
    """The active values that get a cotangent if `values` have one: they, and those that they are computed from."""
    found = {v for v in values if v in active}
    for op in reversed(ops):
        if not is_cut(op) and any(r in found for r in op.results):
            found.update(v for v in inputs(op) if v in active)
    return found


# The way back through a block.


def pull(
    walk: Walk, ops: Sequence[Operation], seeds: Iterable[tuple[SSAValue, SSAValue]], wanted: Sequence[SSAValue]
) -> list[SSAValue | None]:
    """Emit the way back through `ops`: the cotangents of `wanted`, from pairs of a value and its cotangent."""
    cts: dict[SSAValue, SSAValue] = {}
    for value, ct in seeds:
        accumulate(cts, value, ct)
    walk.pullback(ops, cts, wanted)
    return [cts.get(v) for v in wanted]


def pulled_back(
    walk: Walk, build: Callable[[], Sequence[SSAValue]], cts: Cotangents, wrt: Sequence[SSAValue]
) -> list[SSAValue | None]:
    """The cotangents of `wrt`, if those of the values that `build` computes from them are `cts`."""
    with inserting(Block()) as scratch:
        add(ReturnOp(build()))
    ops = body_ops(scratch)
    results = inline(scratch, ())
    return pull(walk, ops, assigned(cts, results), wrt)


def back_through(
    op: Operation,
    cts: Cotangents,
    walk: Walk,
    active: Collection[SSAValue],
    build: Callable[[], Sequence[SSAValue]],
) -> Cotangents:
    """The cotangents of what `op` reads, back through what `build` emits: ops that compute its results again."""
    read = inputs(op)
    wanted = [v for v in read if v in active]
    found = dict(zip(wanted, pulled_back(walk, build, cts, wanted), strict=True))
    return [found.get(v) for v in read]


# What the way back needs.


def captured_by(block: Block) -> list[SSAValue]:
    """The values from outside that the ops of `block` read, in order of first use."""
    inside: set[SSAValue] = set(block.args)
    found: dict[SSAValue, None] = {}
    for op in block.ops:
        found.update((v, None) for v in inputs(op) if v not in inside)
        inside.update(op.results)
    return list(found)


def is_within(op: Operation, block: Block) -> bool:
    """Whether `op` stands in `block`, or in a region of an op that does."""
    parent: Operation | None = op
    while parent is not None:
        if parent.parent is block:
            return True
        parent = parent.parent_op()
    return False


def is_inside(value: SSAValue, block: Block) -> bool:
    """Whether `value` is an argument of `block`, or the result of an op in it."""
    owner = value.owner
    return owner is block if isinstance(owner, Block) else owner.parent is block


def replace_within(old: SSAValue, new: SSAValue, block: Block) -> None:
    """Let what reads `old` in `block` read `new`."""
    old.replace_uses_with_if(new, lambda use: is_within(use.operation, block))


@dataclass(frozen=True)
class Plan:
    """How the way back gets what it needs of a block on the way forward."""

    saved: list[SSAValue]
    """Values to be handed over."""
    repeated: list[Operation]
    """Ops to be computed again, in order; they read what is saved, what is repeated, and values from outside."""


_CHEAP = (
    *(AddOp, SubtractOp, MultiplyOp, DivideOp, AndOp, OrOp, XorOp, MaximumOp, MinimumOp, ComplexOp),
    *(CompareOp, SelectOp, ClampOp, NegateOp, NotOp, AbsOp, SignOp, RealOp, ImagOp, ConvertOp),
    *(ConcatenateOp, PadOp, ReverseOp, SliceOp, TransposeOp),
)
"""Ops that cost no more than reading their result from memory."""


def plan(block: Block, needed: Iterable[SSAValue], known: Collection[SSAValue] = ()) -> Plan:
    """How to hand over the values of `block` that are `needed`; those in `known` are there already.

    Computed again are constants, copies of what is smaller, slices of values from outside, arithmetic of integer
    scalars, and cheap ops whose operands are handed over anyway.
    """
    order = {op: i for i, op in enumerate(block.ops)}
    derived = _derived(block, known)
    wanted = {v for v in needed if is_inside(v, block) and v not in known}
    repeated: list[Operation] = []
    for op in reversed(order):
        results = [r for r in op.results if r in wanted]
        if not results or not _is_repeated(op, block, wanted, derived):
            continue
        wanted.difference_update(results)
        wanted.update(v for v in op.operands if is_inside(v, block) and v not in known)
        repeated.append(op)
    saved = sorted(wanted, key=lambda v: _place(v, order))
    return Plan(saved, repeated[::-1])


def _place(value: SSAValue, order: dict[Operation, int]) -> tuple[int, int]:
    if isinstance(value, OpResult):
        return order[value.op], value.index
    assert isinstance(value, BlockArgument)
    return -1, value.index


def _is_repeated(op: Operation, block: Block, wanted: Collection[SSAValue], derived: Collection[SSAValue]) -> bool:
    if op.regions or not op.has_trait(Pure):
        return False
    if op.results[0] in derived:
        return True
    inner = [v for v in op.operands if is_inside(v, block)]
    if isinstance(op, DynamicSliceOp):
        return not is_inside(op.operand, block)
    if isinstance(op, BroadcastInDimOp | ReshapeOp):
        return True
    if isinstance(op, ConvertOp) and _bits(op.operand) <= _bits(op.results[0]):
        return True
    return isinstance(op, _CHEAP) and all(_is_near(v, block, wanted, derived) for v in inner)


def _is_near(
    value: SSAValue, block: Block, wanted: Collection[SSAValue], derived: Collection[SSAValue], steps: int = 2
) -> bool:
    """Whether few cheap ops compute `value` from what is handed over anyway, and from outside."""
    if value in wanted or value in derived or not is_inside(value, block):
        return True
    op = value.owner
    if not steps or not isinstance(op, (*_CHEAP, BroadcastInDimOp, ReshapeOp)):
        return False
    return all(_is_near(v, block, wanted, derived, steps - 1) for v in op.operands)


def _bits(value: SSAValue) -> int:
    return bit_width(type_of(value).element_type)


def _derived(block: Block, known: Collection[SSAValue]) -> set[SSAValue]:
    """The values of `block` that are computed at next to no cost from `known` ones and from outside."""
    found = set(known)
    for op in block.ops:
        if op.regions or not op.has_trait(Pure) or len(op.results) != 1:
            continue
        if isinstance(op, _COPIES) or _is_small(op):
            if all(v in found or not is_inside(v, block) for v in op.operands):
                found.add(op.results[0])
    return found


_COPIES = (ConstantOp, IotaOp, BroadcastInDimOp, ReshapeOp, DynamicSliceOp)


def _is_small(op: Operation) -> bool:
    """Whether an op does arithmetic of integer or boolean scalars, or takes a part of what is outside."""
    if isinstance(op, SliceOp):
        return True
    if not isinstance(op, (*_CHEAP, ReshapeOp)):
        return False
    values = (*op.operands, *op.results)
    return all(is_static(type_of(v)) and not is_inexact(v.type) and _size(v) == 1 for v in values)


def _size(value: SSAValue) -> int:
    size = 1
    for n in type_of(value).get_shape():
        size *= n
    return size


def repeat(plan: Plan, back: Block) -> None:
    """Compute again what the plan says, at the start of `back`."""
    first = back.first_op
    copies: dict[SSAValue, SSAValue] = {}
    for op in plan.repeated:
        copy = op.clone(copies)
        if first is None:
            back.add_op(copy)
        else:
            back.insert_op_before(copy, first)
        for old, new in zip(op.results, copy.results, strict=True):
            copies[old] = new
            replace_within(old, new, back)


# Letting an op give more.


def give_more(op: Operation, types: Sequence[Attribute]) -> list[SSAValue]:
    """Append results of the given types to `op`, whose identity and other results stay; the new ones."""
    count = len(op.results)
    new = [OpResult(type, op, count + i) for i, type in enumerate(types)]
    op.results = SSAValues((*op.results, *new))
    return list(new)


def return_more(block: Block, values: Sequence[SSAValue]) -> None:
    """Append `values` to what `block` returns."""
    last = terminator_of(block)
    last.operands = [*last.operands, *values]


def assigned(cts: Cotangents, values: Sequence[SSAValue]) -> Iterable[tuple[SSAValue, SSAValue]]:
    """Pairs of a value and its cotangent, where there is one."""
    return ((v, ct) for v, ct in zip(values, cts, strict=True) if ct is not None)
