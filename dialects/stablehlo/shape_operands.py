"""Operands that hold sizes or paddings: what they must look like, and what they hold if they are constants.

Ops do not belong here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike

from hhlo_xdsl.dialects.elements import MAX_LISTED, Elements, numbers
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.types import INTEGER, UNKNOWN, RankedTensor, bit_width, compatible, is_static, kind, tensor


def as_ints(value: SSAValue) -> tuple[int, ...] | None:
    """The integers that `value` holds, in row-major order, if it is a constant; of any dialect, such as arith."""
    op = value.owner
    if not isinstance(op, Operation) or not op.has_trait(ConstantLike):
        return None
    held = op.get_attr_or_prop("value")
    if not isinstance(held, DenseIntOrFPElementsAttr):
        return None
    dense = cast(Elements, held)
    if not isinstance(dense.get_element_type(), IntegerType | IndexType):
        return None
    if prod(dense.get_shape()) > MAX_LISTED:
        return None
    # Unsigned integers too are read as signed ones, as upstream's verifier does.
    half = 1 << (bit_width(dense.get_element_type()) or 64) - 1
    return tuple((int(n) + half) % (2 * half) - half for n in cast("Sequence[int]", tuple(numbers(dense))))


def check_sizes_operand(
    op: str, label: str, name: str, type: RankedTensor, *, rank: int = 1, index: bool = True
) -> None:
    """Raise unless `type` is a tensor of `rank`, of known sizes, of integers; or of index, if that is allowed."""
    if kind(type.element_type) not in INTEGER and not (index and isinstance(type.element_type, IndexType)):
        raise violated(op, label, f"{name} is {type}; its elements must be integers; convert it", DTypeError)
    if type.get_num_dims() != rank or not is_static(type):
        raise violated(op, label, f"{name} is {type}; it must have rank {rank} and known sizes")


def spelled_shape(sizes: RankedTensor, values: Sequence[int] | None) -> tuple[int, ...]:
    """The shape that an operand of sizes asks for: its `values` if it is a constant, otherwise unknown sizes."""
    return (UNKNOWN,) * sizes.get_shape()[0] if values is None else tuple(values)


def check_asked_shape(op: str, label: str, name: str, values: Sequence[int] | None, result: RankedTensor) -> None:
    """Raise ShapeError if an operand of sizes is a constant that is not the shape of the result."""
    if values is None:
        return
    if any(n < 0 for n in values) or not compatible(tensor(tuple(values), result.element_type), result):
        asked = list(values)
        raise violated(op, label, f"{name} holds {asked}, result is {result}; its shape must be {asked}")
