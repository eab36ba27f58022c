"""What the thin functions share: how they take tensors, enumerations and regions. No function of an op is here."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from xdsl.ir import Attribute, Operation, SSAValue

from hhlo_xdsl.dialects.emit import add as insert
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.types import RankedTensor
from hhlo_xdsl.dtypes import DType, Spec, as_dtype, spec
from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.ir_types import element_of, tensor_type
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, tensor
from hhlo_xdsl.where import with_place

Ints = Sequence[int]
Pairs = Sequence[tuple[int, int]]
Reducer = Callable[..., Tensor | Sequence[Tensor]]
"""A function on scalars: the values so far, then as many new ones."""
Block = Callable[..., ArrayLike]
"""A function on tensors that gives a tensor, or a sequence of them."""
EnumT = TypeVar("EnumT", bound=enum.Enum)


class Unary(Protocol):
    """A function of one tensor."""

    def __call__(self, operand: ArrayLike) -> Tensor: ...


class Binary(Protocol):
    """A function of two tensors of one type."""

    def __call__(self, lhs: ArrayLike, rhs: ArrayLike) -> Tensor: ...


def _named(function: Any, op: type[Operation]) -> Any:
    """`function` with the name and documentation of `op`."""
    function.__name__ = function.__qualname__ = op.name.partition(".")[2]
    function.__doc__ = op.__doc__
    return function


def unary_function(op: type[Operation]) -> Unary:
    """The thin function of an op with one operand and no attributes."""

    def apply(operand: ArrayLike) -> Tensor:
        return made(op, tensor(operand))

    return _named(apply, op)


def binary_function(op: type[Operation]) -> Binary:
    """The thin function of an op with two operands and no attributes."""

    def apply(lhs: ArrayLike, rhs: ArrayLike) -> Tensor:
        return made(op, tensor(lhs), tensor(rhs))

    return _named(apply, op)


def element_type(dtype: DType) -> Attribute:
    """The element type of the IR."""
    with at_user_line():
        return element_of(as_dtype(dtype))


def type_from(wanted: Spec | DType) -> RankedTensor:
    """The type of the IR for hh.f32[2, 3]; that of a scalar for hh.f32."""
    with at_user_line():
        return tensor_type(spec(wanted))


def types(specs: Sequence[Spec | DType]) -> list[RankedTensor]:
    """The types of the IR."""
    return [type_from(s) for s in specs]


def values(tensors: Sequence[ArrayLike]) -> list[SSAValue]:
    """The values of the IR."""
    return [tensor(t).ssa for t in tensors]


def several(op: Callable[[], Operation]) -> tuple[Tensor, ...]:
    """The results of an op with any number of them, at the user's line."""
    with at_user_line():
        return tuple(Tensor(r) for r in insert(op()).results)


def region(fn: Block) -> Callable[..., Sequence[SSAValue]]:
    """A function on tensors as one on the values of the IR."""

    def body(*args: SSAValue) -> Sequence[SSAValue]:
        result = fn(*(Tensor(a) for a in args))
        return values(result if isinstance(result, list | tuple) else (result,))  # pyright: ignore[reportUnknownArgumentType]

    return body


def precisions(op: str, names: Sequence[str]) -> tuple[Precision, ...]:
    """Precisions by their names."""
    return tuple(enum_of(op, Precision, name) for name in names)


def enum_of(op: str, kind: type[EnumT], name: str) -> EnumT:
    """The member of an enumeration by its name in the specification; raises VerifyError for another name."""
    try:
        return kind(name)
    except ValueError:
        known = ", ".join(repr(member.value) for member in kind)
        raise with_place(VerifyError(f"{op}: found {name!r}; one of {known} was expected")) from None
