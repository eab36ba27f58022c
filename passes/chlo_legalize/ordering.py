"""top_k: a sort of the elements together with their places."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.chlo.ordering import TopKOp
from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.errors import DTypeError, ShapeError
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.movement import SliceOp
from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.dialects.types import is_static, kind, like, shape_of
from hhlo_xdsl.passes.chlo_legalize.core import lowering
from hhlo_xdsl.passes.place import place


@lowering(TopKOp)
def top_k(op: TopKOp) -> Sequence[SSAValue]:
    """The first k of the sorted elements, and of the indices that went with them.

    Floats are in total order, which puts NaN of positive sign first and 0 before -0.
    """
    x, type = op.operand, op.operand.type
    if not is_static(type):
        raise ShapeError(f"{op.name}: operand is {type}; its sizes must be known; refine them first{place(op)}")
    order = {"float": ComparisonType.TOTALORDER, "bool": None, "int": None, "uint": None}
    found = kind(type.element_type)
    if found not in order:
        raise DTypeError("these elements have no order")
    last = type.get_num_dims() - 1

    def comes_first(a: SSAValue, b: SSAValue, i: SSAValue, j: SSAValue) -> SSAValue:
        return emit(CompareOp(a, b, ComparisonDirection.GT, order[found]))

    places = emit(IotaOp(like(type, element=i32), last))
    stable = op.is_stable is None or bool(op.is_stable.value.data)
    sort = add(SortOp([x, places], last, comes_first, is_stable=stable))
    return [_first(r, shape_of(op.values)) for r in sort.results]


def _first(x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
    """The leading elements of x, in `shape`."""
    if shape_of(x) == shape:
        return x
    return emit(SliceOp(x, (0,) * len(shape), shape, (1,) * len(shape)))
