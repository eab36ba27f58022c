"""What single ops ask of quantized numbers beyond one type: where scales stand after a move, which may differ in a sum.

Each function takes types of which at least one is quantized, and raises DTypeError for the constraint that they break.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import cast

from xdsl.ir import Attribute

from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.quant import Uniform, UniformType
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, compatible_sizes, is_static


def quantization(type: RankedTensor) -> Uniform | None:
    """How the elements of `type` are quantized; None if they are not."""
    return type.element_type.data if isinstance(type.element_type, UniformType) else None


def is_quantized(*types: RankedTensor) -> bool:
    """Whether any of `types` has quantized elements."""
    return any(isinstance(t.element_type, UniformType) for t in types)


def along(element: Attribute, axis: int, size: int | None = None) -> Attribute:
    """A per-axis quantized `element`, with its scales along another axis, whose size is `size` if there was one scale.

    Any other element type itself.
    """
    if not isinstance(element, UniformType) or element.data.axis is None:
        return element
    q = element.data
    count = size if size is not None and size != UNKNOWN and len(q.scales) == 1 else 1
    return UniformType(replace(q, axis=axis, scales=q.scales * count, zero_points=q.zero_points * count))


def axis_of(type: RankedTensor) -> int | None:
    """The dimension of `type` that has a scale per index, if any."""
    q = quantization(type)
    return None if q is None else q.axis


def _wrong(op: str, label: str, message: str, **types: RankedTensor) -> VerifyError:
    found = ", ".join(f"{name} is {type}" for name, type in types.items())
    return violated(op, label, f"{found}; {message}", DTypeError)


# Sums


def check_sum(op: str, lhs: RankedTensor, rhs: RankedTensor, result: RankedTensor) -> None:
    """Raise unless quantized `lhs` and `rhs` can be added to `result` (C2 to C7 of add)."""
    types = {"lhs": lhs, "rhs": rhs, "result": result}
    found = [quantization(t) for t in types.values()]
    if None in found:
        raise _wrong(op, "C2", "all three must be quantized, or none", **types)
    a, b, c = cast("list[Uniform]", found)
    if not a.storage.type == b.storage.type == c.storage.type:
        raise _wrong(op, "C3", "they must be stored in one type", **types)
    if not a.expressed == b.expressed == c.expressed:
        raise _wrong(op, "C4", "they must stand for one type", **types)
    if (a.is_per_tensor and b.is_per_tensor) != c.is_per_tensor:
        raise _wrong(op, "C5", "result must be quantized per axis if an operand is, and only then", **types)
    for label, q in (("C6", a), ("C7", b)):
        if not q.is_per_tensor and q.axis != c.axis:
            raise _wrong(op, label, "those quantized per axis must be so along one dimension", **types)


# Moves


def check_same(op: str, label: str, operand: RankedTensor, result: RankedTensor) -> None:
    """Raise unless the elements of both have one scale and zero point, or one list of them, whatever the axis is."""
    a, b = quantization(operand), quantization(result)
    if a is not None and b is not None and (a.scales, a.zero_points) != (b.scales, b.zero_points):
        raise _wrong(op, label, "their scales and zero points must be equal", operand=operand, result=result)


def check_transposed(op: str, operand: RankedTensor, permutation: Sequence[int], result: RankedTensor) -> None:
    """Raise unless the result is quantized as the operand (C1), along the axis that the operand's becomes (C4)."""
    check_same(op, "C1", operand, result)
    before, after = axis_of(operand), axis_of(result)
    if after is not None and permutation[after] != before:
        expected = f"result must be quantized along dimension {list(permutation).index(cast(int, before))}"
        raise _wrong(op, "C4", expected, operand=operand, result=result)


def check_reshaped(op: str, operand: RankedTensor, result: RankedTensor) -> None:
    """Raise unless the result is quantized as the operand (C1), and the axis keeps its size and what is before (C3)."""
    check_same(op, "C1", operand, result)
    before, after = axis_of(operand), axis_of(result)
    if before is None or after is None:
        return
    m, n = operand.get_shape(), result.get_shape()
    known = is_static(operand) and is_static(result)
    if not compatible_sizes(m[before], n[after]) or (known and prod(m[:before]) != prod(n[:after])):
        expected = "the quantized dimension must keep its size, and as many elements before it"
        raise _wrong(op, "C3", expected, operand=operand, result=result)


def reshaped_axis(operand: RankedTensor, shape: Sequence[int]) -> int | None:
    """The dimension of `shape` that the quantized one of `operand` becomes; None if it is split or merged."""
    axis = axis_of(operand)
    if axis is None:
        return None
    sizes = operand.get_shape()
    fits = (d for d, n in enumerate(shape) if n == sizes[axis] and prod(shape[:d]) == prod(sizes[:axis]))
    return next(fits, None)


def check_broadcast(op: str, operand: RankedTensor, dims: Sequence[int], result: RankedTensor) -> None:
    """Raise unless the result is quantized as the operand, along the axis that the operand's becomes (C1, C6).

    One scale stretches to many. Lists of scales are not compared otherwise, as in upstream's verifier.
    """
    before, after = axis_of(operand), axis_of(result)
    if before is None or after is None:
        check_same(op, "C1", operand, result)
        return
    if after != dims[before]:
        expected = f"result must be quantized along dimension {dims[before]}"
        raise _wrong(op, "C6", expected, operand=operand, result=result)
    a, b = cast(Uniform, quantization(operand)), cast(Uniform, quantization(result))
    pairs = {(a.scales[0], a.zero_points[0]), *zip(b.scales, b.zero_points, strict=True)}
    if operand.get_shape()[before] == 1 and len(pairs) > 1:
        expected = "the scales and zero points of result must be that of operand"
        raise _wrong(op, "C6", expected, operand=operand, result=result)


# Products


def check_product(op: str, labels: str, lhs: RankedTensor, rhs: RankedTensor, result: RankedTensor) -> None:
    """Raise unless quantized `rhs` can be multiplied from the left by `lhs`, quantized alike or a float.

    `labels` are those of: what is quantized, storage, what is stood for, granularity, floats; with spaces between.
    """
    which, storage, expressed, granularity, floats = labels.split()
    types = {"lhs": lhs, "rhs": rhs, "result": result}
    a, b, c = (quantization(t) for t in types.values())
    if b is None or (a is None) != (c is None):
        raise _wrong(op, which, "rhs must be quantized, and lhs and result both or neither", **types)
    if a is None or c is None:
        if not lhs.element_type == b.expressed == result.element_type:
            raise _wrong(op, floats, f"lhs and result must have {b.expressed} elements, which rhs stands for", **types)
        return
    if a.storage.type != b.storage.type:
        raise _wrong(op, storage, "lhs and rhs must be stored in one type", **types)
    if not a.expressed == b.expressed == c.expressed:
        raise _wrong(op, expressed, "they must stand for one type", **types)
    if b.is_per_tensor and not c.is_per_tensor:
        raise _wrong(op, granularity, "result must be quantized per tensor, as rhs is", **types)


def check_contracted(
    op: str, lhs: RankedTensor, rhs: RankedTensor, result: RankedTensor, contracting: Sequence[int]
) -> None:
    """Raise unless quantized operands fit a dot_general (C14 to C20)."""
    b = quantization(rhs)
    if b is not None and any(b.zero_points):
        raise _wrong(op, "C15", "its zero points must be 0", rhs=rhs)
    if b is not None and b.axis in contracting:
        expected = f"its quantized dimension must not be contracted; contracted are {list(contracting)}"
        raise _wrong(op, "C16", expected, rhs=rhs)
    check_product(op, "C14 C17 C18 C19 C20", lhs, rhs, result)


def check_convolved(
    op: str, lhs: RankedTensor, rhs: RankedTensor, result: RankedTensor, features: tuple[int, int]
) -> None:
    """Raise unless quantized operands fit a convolution (C28 to C34).

    `features` are the dimensions of rhs and of result that hold output features.
    """
    for label, name, type, dim in (("C29", "rhs", rhs, features[0]), ("C30", "result", result, features[1])):
        axis = axis_of(type)
        if axis is not None and axis != dim:
            raise _wrong(op, label, f"it must be quantized along its output features, dimension {dim}", **{name: type})
    check_product(op, "C28 C31 C32 C33 C34", lhs, rhs, result)
