"""How a broken constraint is reported. The conditions themselves stand in each op's `infer`.

The form of a message: op, what was found, what was expected, the label of the constraint in the specification, and a
way out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.quant import UniformType
from hhlo_xdsl.dialects.types import (
    QUANTIZED_ANY,
    UNKNOWN,
    Kind,
    RankedTensor,
    compatible,
    compatible_elements,
    compatible_shapes,
    compatible_sizes,
    is_static,
    kind,
    limits,
)


def violated(op: str, label: str, message: str, error: type[VerifyError] = ShapeError) -> VerifyError:
    """The error for constraint `label` (`C1`) of `op` in the specification, or for one that has no label ("") there.

    `message` says what was found, what was expected, and a way out.
    """
    dialect, _, name = op.partition(".")
    source = f" (spec {name} {label})" if dialect == "stablehlo" and label else ""
    return error(f"{op}: {message}{source}")


def check_kind(op: str, operand: str, type: RankedTensor, accepted: Collection[Kind], label: str = "I1") -> None:
    """Raise DTypeError for constraint `label` unless the elements of `type` are of an accepted kind."""
    found = kind(type.element_type)
    if found not in accepted:
        quantized = isinstance(type.element_type, UniformType)
        raise violated(op, label, f"{operand} is {type}; {_expected(accepted, quantized)}", DTypeError)
    if found == "quantized_axis":
        _check_axis(op, operand, type)


def _expected(accepted: Collection[Kind], quantized: bool) -> str:
    """What an op takes. Whoever did not come with quantized numbers is not told of them."""
    if quantized and not QUANTIZED_ANY.isdisjoint(accepted):
        return (
            f"its elements must be {spelled_kinds(accepted)}; a quantized one is stored in 2, 4, 8, 16 or 32 bits, has"
            " zero points that can be stored, and no blocks"
        )
    plain: list[Kind] = [k for k in accepted if k not in QUANTIZED_ANY]
    if not plain:
        return f"its elements must be {spelled_kinds(accepted)}; uniform_quantize makes such"
    return f"its elements must be {spelled_kinds(plain)}; convert it first"


def _check_axis(op: str, operand: str, type: RankedTensor) -> None:
    """Raise ShapeError unless `type`, quantized along an axis, has the axis and one scale per index of it."""
    quantized = cast(UniformType, type.element_type).data
    axis, count, shape = cast(int, quantized.axis), len(quantized.scales), type.get_shape()
    if axis >= len(shape) or not compatible_sizes(shape[axis], count):
        raise violated(
            op, "I1", f"{operand} is {type}; dimension {axis} must exist and have as many indices as scales, {count}"
        )


def check_same_elements(op: str, label: str, **types: RankedTensor) -> None:
    """Raise DTypeError unless the operands and results given by name have one element type."""
    (first, expected), *others = types.items()
    for name, type in others:
        if type.element_type != expected.element_type:
            found = f"{name} is {type}, {first} is {expected}"
            raise violated(op, label, f"{found}; their element types must be equal; convert one", DTypeError)


def check_static(op: str, name: str, type: RankedTensor, *, or_bounded: bool = False) -> None:
    """Raise ShapeError unless every size of `type` is known; `or_bounded`: or all but one, and that one has a bound."""
    if not is_static(type) and not (or_bounded and _unknown_once(type)):
        dialect, _, short = op.partition(".")
        raise ShapeError(f"{op}: {name} is {type}; its sizes must be known; use {dialect}.dynamic_{short} otherwise")


def _unknown_once(type: RankedTensor) -> bool:
    """Whether one size of `type` is unknown and bounded, and all others are known."""
    return type.get_shape().count(UNKNOWN) == 1 and UNKNOWN not in limits(type)


_KIND_NAMES: dict[Kind, str] = {
    "bool": "i1",
    "int": "signed integers",
    "uint": "unsigned integers",
    "float": "floating point",
    "complex": "complex",
    "quantized": "quantized per tensor",
    "quantized_axis": "per axis",
}


def spelled_kinds(accepted: Collection[Kind]) -> str:
    """`signed integers, floating point or complex`."""
    names = [name for k, name in _KIND_NAMES.items() if k in accepted]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def check_result(
    op: str,
    found: Attribute,
    inferred: Attribute,
    label: str,
    name: str = "result",
    *,
    elements: str | None = None,
    exact: bool = False,
    bounds: bool = True,
) -> None:
    """Raise unless a written result type agrees with the inferred one; unknown sizes agree with any.

    ShapeError for `label`; DTypeError for the constraint `elements` on the element type, where that is another one.
    Scales and zero points of quantized elements may differ, unless `exact`. Bounds of unknown sizes count, unless not
    `bounds`.
    """
    ours, theirs = (cast(Attribute, getattr(t, "element_type", None)) for t in (found, inferred))
    same_elements = compatible_elements(ours, theirs) and not (exact and ours != theirs)
    if same_elements and (compatible(found, inferred) or (not bounds and _same_sizes(found, inferred))):
        if kind(ours) == "quantized_axis":
            _check_axis(op, name, cast(RankedTensor, found))
        return
    broken, error = (label, ShapeError) if same_elements else (elements or label, DTypeError)
    raise violated(op, broken, f"{name} is {found}, but its operands and attributes give {inferred}", error)


def _same_sizes(a: Attribute, b: Attribute) -> bool:
    """Whether two tensor types can have the same sizes at run time, whatever their bounds say."""
    return compatible_shapes(cast(RankedTensor, a).get_shape(), cast(RankedTensor, b).get_shape())


def check_results(
    op: str, labels: tuple[str, str, str], found: Sequence[Attribute], inferred: Sequence[RankedTensor]
) -> None:
    """Raise unless the types of all results agree with those inferred, one per input.

    The three `labels` are those of their number, shapes and elements.
    """
    if len(found) != len(inferred):
        raise violated(op, labels[0], f"there are {len(found)} results; {len(inferred)} inputs give as many")
    for i, (type, expected) in enumerate(zip(found, inferred, strict=True)):
        same_element = isinstance(type, TensorType) and compatible_elements(
            cast(RankedTensor, type).element_type, expected.element_type
        )
        check_result(op, cast(Attribute, type), expected, labels[1 if same_element else 2], f"results[{i}]")


def check_distinct_in_range(
    op: str, labels: tuple[str, str], what: str, dims: Sequence[int], rank: int, of: Attribute | None = None
) -> None:
    """Raise ShapeError unless `dims` are distinct (`labels[0]`) and each in 0..rank-1 (`labels[1]`).

    `what` names them in messages, and `of` the type they are dimensions of, if that is not clear.
    """
    if len(set(dims)) == len(dims) and all(0 <= d < rank for d in dims):
        return
    named = f"{what} are" if of is None else f"{what} of {of} are"
    if len(set(dims)) != len(dims):
        raise violated(op, labels[0], f"{named} {list(dims)}; they must be distinct")
    raise violated(op, labels[1], f"{named} {list(dims)}; each must be in 0..{rank - 1}, for rank {rank}")
