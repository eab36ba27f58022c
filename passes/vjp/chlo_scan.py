"""The reverse-mode rule of scan.

    (y[i], c[i+1]) = f(x[i], c[i])   back:   (ct x[i], ct c[i]) = pullback of f at (x[i], c[i]) (ct y[i], ct c[i+1])

The way back is a scan in the other direction over the slices, the carries before each step, which the scan comes to
give as further outputs, and the cotangents of the outputs. It computes f again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Block, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues

from hhlo_xdsl.dialects.chlo.control_flow import ScanOp
from hhlo_xdsl.dialects.emit import add, emit, inserting
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.dialects.stablehlo.movement import ReshapeOp
from hhlo_xdsl.dialects.types import is_inexact, like, shape_of, type_of
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.vjp.core import ACTIVITY, Cotangents, Walk, computed_from, region_rule
from hhlo_xdsl.passes.vjp.regions import body_ops, pull


def active_args(op: ScanOp, active: Collection[SSAValue]) -> tuple[list[int], list[int]]:
    """The inputs, and the carries, that depend on `active` values before some step."""
    args, count = op.body.block.args, len(op.inputs)
    carries = list(args[count:])
    inputs = [i for i, x in enumerate(op.inputs) if x in active and is_inexact(x.type)]
    found = {i for i, v in enumerate(op.inits) if v in active and is_inexact(v.type)}
    returned = terminator_of(op.body.block).operands[len(op.outputs) :]
    while True:
        depends = computed_from([*(args[i] for i in inputs), *(carries[i] for i in found)], body_ops(op.body.block))
        more = {i for i, v in enumerate(returned) if v in depends} - found
        if not more:
            return inputs, sorted(found)
        found |= more


def _activity(op: ScanOp, active: Collection[SSAValue]) -> list[SSAValue]:
    """The results that depend on active values in some step."""
    args, count = op.body.block.args, len(op.inputs)
    inputs, carries = active_args(op, active)
    start = [*(args[i] for i in inputs), *(args[count + i] for i in carries)]
    depends = computed_from(start, body_ops(op.body.block))
    returned = terminator_of(op.body.block).operands
    outputs = [r for r, v in zip(op.outputs, returned, strict=False) if v in depends]
    return [*outputs, *(op.carries[i] for i in carries)]


ACTIVITY[ScanOp] = _activity


@region_rule(ScanOp)
def scan(op: ScanOp, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """The cotangents of the inputs, one slice per step, and of the first carry."""
    inputs, carries = active_args(op, active)
    count = len(op.outputs)
    given = [i for i, ct in enumerate(cts[:count]) if ct is not None]
    back, kept = _way_back(op, walk, inputs, carries, given)
    slices = [*op.inputs, *_saved_carries(op, kept), *(ct for ct in cts[:count] if ct is not None)]
    used = [i for i, _ in enumerate(slices) if i >= len(op.inputs) or back.args[i].uses.get_length()]
    for arg in [back.args[i] for i in range(len(op.inputs)) if i not in used]:
        back.erase_arg(arg)
    inits = [cts[count + i] or zeros(type_of(op.carries[i])) for i in carries]
    dimension, trips = op.dimension.value.data, op.trips
    read = [slices[i] for i in used]
    result = add(ScanOp(read, inits, dimension, Region(back), scan_dim_size=trips, is_reverse=not op.backwards))
    found = dict(zip(inputs, result.outputs, strict=True))
    first = dict(zip(carries, result.carries, strict=True))
    return [*(found.get(i) for i in range(len(op.inputs))), *(first.get(i) for i in range(len(op.inits)))]


def _way_back(
    op: ScanOp, walk: Walk, inputs: Sequence[int], carries: Sequence[int], given: Sequence[int]
) -> tuple[Block, list[int]]:
    """The body of the way back, and which carries it reads of those before each step.

    It takes the slices of all inputs, the carries it reads, the cotangents of the `given` outputs, and the cotangents
    of the active `carries` after the step; it gives those of the active `inputs` and of the carries before.
    """
    body, count = op.body.block, len(op.inputs)
    returned = terminator_of(body).operands
    outs, nexts = returned[: len(op.outputs)], returned[len(op.outputs) :]
    cts = [*(outs[i].type for i in given), *(nexts[i].type for i in carries)]
    back = Block(arg_types=[*(a.type for a in body.args), *cts])
    args = back.args
    copies: dict[SSAValue, SSAValue] = dict(zip(body.args, args, strict=False))
    with inserting(back):
        ops = [add(inner.clone(copies)) for inner in body_ops(body)]
        values = [copies.get(v, v) for v in (*(outs[i] for i in given), *(nexts[i] for i in carries))]
        wanted = [*(args[i] for i in inputs), *(args[count + i] for i in carries)]
        seeds = zip(values, args[len(body.args) :], strict=True)
        found = pull(walk, ops, seeds, wanted)
        add(ReturnOp([ct or zeros(type_of(v)) for v, ct in zip(wanted, found, strict=True)]))
    sweep(back)
    return back, _keep_carries(op, back)


def _keep_carries(op: ScanOp, back: Block) -> list[int]:
    """Which carries the way back reads; each arrives in the shape it is saved in."""
    count, kept = len(op.inputs), list[int]()
    for i, arg in enumerate(list(back.args)[count : count + len(op.inits)]):
        if not arg.uses.get_length():
            back.erase_arg(arg)
            continue
        kept.append(i)
        shape, saved = shape_of(arg), _saved_shape(op, shape_of(arg))
        if saved != shape:
            whole = back.insert_arg(like(type_of(arg), shape=saved), arg.index)
            with inserting(back, back.first_op):
                arg.replace_all_uses_with(emit(ReshapeOp(whole, shape)))
            back.erase_arg(arg)
    return kept


def _saved_shape(op: ScanOp, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that a carry is saved in: with enough dimensions for that of the steps to be among them."""
    return (1,) * (op.dimension.value.data - len(shape)) + shape


def _saved_carries(op: ScanOp, kept: Sequence[int]) -> list[SSAValue]:
    """Let `op` give the carries before each step, of those numbers, as its last outputs; the new ones."""
    body, dim, position = op.body.block, op.dimension.value.data, len(op.outputs)
    last = terminator_of(body)
    values: list[SSAValue] = []
    with inserting(body, before=last):
        for i in kept:
            arg = body.args[len(op.inputs) + i]
            shape = _saved_shape(op, shape_of(arg))
            values.append(arg if shape == shape_of(arg) else emit(ReshapeOp(arg, shape)))
    last.operands = [*last.operands[:position], *values, *last.operands[position:]]
    outputs, carries = op.results[:position], op.results[position:]
    new: list[OpResult] = []
    for value in values:
        shape = shape_of(value)
        type = like(type_of(value), shape=(*shape[:dim], op.trips, *shape[dim:]))
        new.append(OpResult(type, op, position + len(new)))
    for carry in carries:
        carry.index += len(new)
    op.results = SSAValues((*outputs, *new, *carries))
    op.properties["resultSegmentSizes"] = DenseArrayBase.from_list(i32, (position + len(new), len(carries)))
    return list(new)
