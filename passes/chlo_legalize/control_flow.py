"""scan: a loop over the slices."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.chlo.control_flow import ScanOp
from hhlo_xdsl.dialects.emit import add, emit, inline
from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.infix import Value, zeros
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp
from hhlo_xdsl.dialects.stablehlo.movement import ReshapeOp
from hhlo_xdsl.dialects.types import is_static, shape_of, tensor, type_of
from hhlo_xdsl.passes.chlo_legalize.core import lowering
from hhlo_xdsl.passes.place import place


@lowering(ScanOp)
def scan(op: ScanOp) -> Sequence[SSAValue]:
    """while (i < trips): slices of the inputs at i, through the body, into the carry and the outputs at i.

    The loop carries i, the outputs so far and the carry; in reverse the slices are at trips - 1 - i.
    """
    _check(op)
    dim, count, trips = op.dimension.value.data, len(op.outputs), op.trips

    def more(i: SSAValue, *_: SSAValue) -> SSAValue:
        return (Value(i) < trips).ssa

    def step(i: SSAValue, *held: SSAValue) -> list[SSAValue]:
        at = (trips - 1 - Value(i)).ssa if op.backwards else i
        slices = [slice_at(x, dim, at) for x in op.inputs]
        gives = inline(op.body.block, [*slices, *held[count:]])
        written = [write_at(out, new, dim, at) for out, new in zip(held, gives[:count], strict=False)]
        return [(Value(i) + 1).ssa, *written, *gives[count:]]

    if trips == 0:
        return [*(zeros(type_of(out)) for out in op.outputs), *op.inits]
    start = [zeros(tensor((), i32)), *(zeros(type_of(out)) for out in op.outputs), *op.inits]
    return add(WhileOp(start, more, step)).results[1:]


def _check(op: ScanOp) -> None:
    """Raise ShapeError unless all sizes are known, and the carry that body returns has the type of the one it takes."""
    for value in (*op.operands, *op.results):
        if not is_static(type_of(value)):
            raise ShapeError(
                f"{op.name}: it works on {value.type}; as a loop it needs every size; refine the program's types"
                f" first{place(op)}"
            )
    for init, carry in zip(op.inits, op.carries, strict=True):
        if init.type != carry.type:
            raise ShapeError(
                f"{op.name}: the carry is {init.type} at first and {carry.type} after a step; as a loop it needs one"
                f" type; convert what body returns{place(op)}"
            )


def slice_at(x: SSAValue, dim: int, at: SSAValue) -> SSAValue:
    """x at index `at` of dimension dim, which vanishes."""
    shape = shape_of(x)
    sizes = (*shape[:dim], 1, *shape[dim + 1 :])
    return emit(ReshapeOp(emit(DynamicSliceOp(x, _starts(shape, dim, at), sizes)), (*shape[:dim], *shape[dim + 1 :])))


def write_at(x: SSAValue, new: SSAValue, dim: int, at: SSAValue) -> SSAValue:
    """x with `new` at index `at` of dimension dim."""
    shape = shape_of(x)
    update = emit(ReshapeOp(new, (*shape[:dim], 1, *shape[dim + 1 :])))
    return emit(DynamicUpdateSliceOp(x, update, _starts(shape, dim, at)))


def _starts(shape: tuple[int, ...], dim: int, at: SSAValue) -> list[SSAValue]:
    """The index `at` in dimension dim, 0 in the others."""
    zero = zeros(tensor((), i32))
    return [at if d == dim else zero for d in range(len(shape))]
