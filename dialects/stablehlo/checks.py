"""How a broken constraint is reported. The conditions themselves stand in each op's `infer`.

The form of a message: op, what was found, what was expected, the label of the constraint in the specification, and a
way out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.ir import Attribute

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.types import Kind, RankedTensor, compatible, is_static, kind


def violated(op: str, label: str, message: str, error: type[VerifyError] = ShapeError) -> VerifyError:
    """The error for constraint `label` (`C1`) of `op` in the specification; `message` says found, expected, way out."""
    dialect, _, name = op.partition(".")
    source = f" (spec {name} {label})" if dialect == "stablehlo" else ""
    return error(f"{op}: {message}{source}")


def check_kind(op: str, operand: str, type: RankedTensor, accepted: Collection[Kind]) -> None:
    """Raise DTypeError unless the elements of `type` are of an accepted kind."""
    if kind(type.element_type) not in accepted:
        raise violated(
            op,
            "I1",
            f"{operand} is {type}; its elements must be {spelled_kinds(accepted)}; convert it first",
            DTypeError,
        )


def check_static(op: str, name: str, type: RankedTensor) -> None:
    """Raise ShapeError unless every size of `type` is known."""
    if not is_static(type):
        dialect, _, short = op.partition(".")
        raise ShapeError(f"{op}: {name} is {type}; its sizes must be known; use {dialect}.dynamic_{short} otherwise")


_KIND_NAMES: dict[Kind, str] = {
    "bool": "i1",
    "int": "signed integers",
    "uint": "unsigned integers",
    "float": "floating point",
    "complex": "complex",
}


def spelled_kinds(accepted: Collection[Kind]) -> str:
    """`signed integers, floating point or complex`."""
    names = [name for k, name in _KIND_NAMES.items() if k in accepted]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def check_result(
    op: str, found: Attribute, inferred: Attribute, label: str, name: str = "result", *, elements: str | None = None
) -> None:
    """Raise unless a written result type agrees with the inferred one; unknown sizes agree with any.

    ShapeError for `label`; DTypeError for the constraint `elements` on the element type, where that is another one.
    """
    if compatible(found, inferred):
        return
    same_elements = getattr(found, "element_type", None) == getattr(inferred, "element_type", None)
    broken, error = (label, ShapeError) if same_elements else (elements or label, DTypeError)
    raise violated(op, broken, f"{name} is {found}, but its operands and attributes give {inferred}", error)


def check_distinct_in_range(op: str, labels: tuple[str, str], what: str, dims: Sequence[int], rank: int) -> None:
    """Raise ShapeError unless `dims` are distinct (`labels[0]`) and each in 0..rank-1 (`labels[1]`)."""
    if len(set(dims)) != len(dims):
        raise violated(op, labels[0], f"{what} are {list(dims)}; they must be distinct")
    if any(not 0 <= d < rank for d in dims):
        raise violated(op, labels[1], f"{what} are {list(dims)}; each must be in 0..{rank - 1}, for rank {rank}")
