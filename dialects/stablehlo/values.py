"""What may be an operand or a result beside a tensor: tokens, buffers, tuples, futures. How types of all sorts compare.

Ops do not belong here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, TypeAlias, cast

from xdsl.dialects.builtin import MemRefType, TensorType, TupleType, UnrankedTensorType
from xdsl.ir import Attribute

from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, violated
from hhlo_xdsl.dialects.stablehlo.types import FutureType, TokenType
from hhlo_xdsl.dialects.types import (
    ANY,
    QUANTIZED,
    QUANTIZED_ANY,
    Kind,
    RankedTensor,
    compatible,
    compatible_elements,
    is_inexact,
    tensor,
)

Sort: TypeAlias = Literal["tensor", "unranked", "token", "buffer", "tuple", "future"]

TENSORS: frozenset[Sort] = frozenset({"tensor"})
TENSORS_OR_TOKENS: frozenset[Sort] = frozenset({"tensor", "token"})
ELEMENTS: frozenset[Kind] = ANY | QUANTIZED
"""The elements of tensors whose numbers an op may compute with."""
ELEMENTS_PER_AXIS: frozenset[Kind] = ANY | QUANTIZED_ANY
"""The elements of tensors that an op only passes on."""

_SORTS: dict[type[Attribute], Sort] = {
    TensorType: "tensor",
    UnrankedTensorType: "unranked",
    TokenType: "token",
    MemRefType: "buffer",
    TupleType: "tuple",
    FutureType: "future",
}
_SPELLED: dict[Sort, str] = {
    "tensor": "a tensor",
    "unranked": "a tensor of unknown rank",
    "token": "a token",
    "buffer": "a buffer (memref)",
    "tuple": "a tuple",
    "future": "a future",
}


def sort_of(type: Attribute) -> Sort | None:
    """What sort of value has this type; None if StableHLO knows no such values."""
    return _SORTS.get(type.__class__)


def parts(type: Attribute) -> tuple[Attribute, ...]:
    """The types of the parts of a tuple; nothing for any other type."""
    return cast("tuple[Attribute, ...]", type.types.data) if isinstance(type, TupleType) else ()


def leaves(type: Attribute) -> Iterator[tuple[tuple[int, ...], Attribute]]:
    """The types in a tuple that are no tuples themselves, each with its indices; a type that is no tuple itself."""
    if not isinstance(type, TupleType):
        yield (), type
    for i, part in enumerate(parts(type)):
        yield from (((i, *indices), leaf) for indices, leaf in leaves(part))


def holds_inexact(type: Attribute) -> bool:
    """Whether values of `type` carry gradients: tensors and buffers of floating or complex numbers; tuples of such."""
    if isinstance(type, TensorType):
        return is_inexact(cast(Attribute, type))
    if isinstance(type, FutureType):
        return any(map(holds_inexact, type.types.data))
    if isinstance(type, MemRefType | UnrankedTensorType):
        return is_inexact(_as_tensor(cast(Attribute, type)))
    return any(map(holds_inexact, parts(type)))


def check_value(
    op: str,
    name: str,
    type: Attribute,
    sorts: Collection[Sort],
    elements: Collection[Kind] = ELEMENTS,
    label: str = "I1",
) -> None:
    """Raise VerifyError for constraint `label` unless `type` is of an accepted sort, with accepted elements."""
    sort = sort_of(type)
    if sort is None or sort not in sorts:
        accepted = [words for s, words in _SPELLED.items() if s in sorts]
        raise violated(op, label, f"{name} is {type}; it must be {' or '.join(accepted)}", VerifyError)
    if sort in ("tensor", "unranked", "buffer"):
        # Buffers do not hold numbers that are quantized per axis.
        check_kind(op, name, _as_tensor(type), ELEMENTS if sort == "buffer" else elements, label)
    if sort == "tuple":
        within: frozenset[Sort] = frozenset({"tensor", "token", "buffer", *(s for s in sorts if s == "unranked")})
        for _, leaf in leaves(type):
            check_value(op, f"{name}, of type {type}, has a part that", leaf, within, ELEMENTS_PER_AXIS, label)


def check_values(
    op: str,
    name: str,
    types: Sequence[Attribute],
    sorts: Collection[Sort] = TENSORS,
    elements: Collection[Kind] = ELEMENTS,
    label: str = "I1",
) -> None:
    """`check_value` for each of a list of operands or results."""
    for i, type in enumerate(types):
        check_value(op, f"{name}[{i}]", type, sorts, elements, label)


def _as_tensor(type: Attribute) -> RankedTensor:
    """The tensor type with the elements of a tensor or buffer, and its sizes if it has any."""
    if isinstance(type, TensorType):
        return cast(RankedTensor, type)
    if isinstance(type, MemRefType):
        buffer = cast("MemRefType[Any]", type)
        return tensor(buffer.get_shape(), buffer.element_type)
    return tensor((), cast("UnrankedTensorType[Any]", type).element_type)


def compatible_values(a: Attribute, b: Attribute) -> bool:
    """Whether two types can be the same one at run time. As upstream, a buffer passes for a tensor here."""
    if a is b or a == b:
        return True
    shaped: tuple[Sort, ...] = ("tensor", "unranked", "buffer")
    if sort_of(a) not in shaped or sort_of(b) not in shaped:
        return False
    left, right = _as_tensor(a), _as_tensor(b)
    if "unranked" in (sort_of(a), sort_of(b)):
        return compatible_elements(left.element_type, right.element_type)
    return compatible(left, right)


def check_inferred(
    op: str, label: str, found: Sequence[Attribute], inferred: Sequence[Attribute], name: str = "results"
) -> None:
    """Raise VerifyError unless the types of all results agree, in number too, with those that the operands give."""
    if len(found) != len(inferred):
        raise violated(op, label, f"there are {len(found)} {name}; its operands and attributes give {len(inferred)}")
    for i, (type, expected) in enumerate(zip(found, inferred, strict=True)):
        if not compatible_values(type, expected):
            raise violated(
                op, label, f"{name}[{i}] is {type}, but its operands and attributes give {expected}", DTypeError
            )
