"""Bounds on unknown sizes, which tensor types carry as their encoding: `tensor<4x?xf32, #stablehlo.bounds<?, 8>>`.

Documentation: https://github.com/openxla/stablehlo/blob/main/docs/dynamism.md#bounded-dynamism
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, TensorType
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hhlo_xdsl.dialects.errors import ShapeError

UNBOUNDED = DYNAMIC_INDEX
"""The bound spelled `?`."""

NO_ENCODING = NoneAttr()

Bounds: TypeAlias = tuple[int, ...]


@irdl_attr_definition
class BoundsAttr(Data[Bounds]):
    """`#stablehlo.bounds<?, 8>`: per dimension the greatest size it may have; `?` where that is not limited."""

    name = "stablehlo.bounds"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Bounds:
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_bound(parser)))

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<" + ", ".join("?" if b == UNBOUNDED else str(b) for b in self.data) + ">")


def _parse_bound(parser: AttrParser) -> int:
    if parser.parse_optional_punctuation("?") is not None:
        return UNBOUNDED
    pos = parser.pos
    bound = parser.parse_integer(allow_boolean=False)
    if not -(2**63) <= bound < 2**63:
        parser.raise_error(f"{bound} does not fit into 64 bits", pos, parser.pos)
    return bound


@irdl_attr_definition
class TypeExtensionsAttr(ParametrizedAttribute):
    """`#stablehlo.type_extensions<bounds = [?, 8]>`, another spelling of `#stablehlo.bounds<?, 8>`; becomes that."""

    name = "stablehlo.type_extensions"

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Any:
        (bounds,) = params
        return bounds

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parser.parse_keyword("bounds")
            parser.parse_punctuation("=")
            bounds = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_bound(parser))
        return [BoundsAttr(tuple(bounds))]


def bounds_of(type: TensorType[Any]) -> Bounds | None:
    """The bounds of the sizes of `type`; None if it has none."""
    return type.encoding.data if isinstance(type.encoding, BoundsAttr) else None


def encoded(bounds: Bounds | None) -> Attribute:
    """The encoding of a tensor type with these bounds; none if they limit nothing."""
    return NO_ENCODING if bounds is None or all(b == UNBOUNDED for b in bounds) else BoundsAttr(bounds)


def check_bounds(op: str, types: Iterable[Attribute]) -> None:
    """Raise ShapeError unless tensor types have one bound per dimension, if any, and only for unknown sizes."""
    for type in types:
        if isinstance(type, TensorType) and isinstance(type.encoding, BoundsAttr):
            _check_bounds(op, cast("TensorType[Any]", type), type.encoding.data)


def _check_bounds(op: str, type: TensorType[Any], bounds: Bounds) -> None:
    if len(bounds) != type.get_num_dims():
        raise ShapeError(f"{op}: {type} has {len(bounds)} bounds; it must have one per dimension")
    for dim, (size, bound) in enumerate(zip(type.get_shape(), bounds, strict=True)):
        if bound != UNBOUNDED and size != DYNAMIC_INDEX:
            raise ShapeError(f"{op}: {type} has a bound for dimension {dim}, whose size is known; spell that bound ?")


def within(shape: Sequence[int], bounds: Bounds | None) -> bool:
    """Whether no size is greater than its bound."""
    return bounds is None or all(b == UNBOUNDED or n <= b for n, b in zip(shape, bounds, strict=False))


def tightest(a: Bounds | None, b: Bounds | None) -> Bounds | None:
    """Per dimension the lesser of two bounds."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(_lesser(m, n) for m, n in zip(a, b, strict=False))


def _lesser(m: int, n: int) -> int:
    return max(m, n) if UNBOUNDED in (m, n) else min(m, n)


def of_unknown_sizes(bounds: Bounds | None, shape: Sequence[int]) -> Bounds | None:
    """`bounds` without those of sizes that are known."""
    if bounds is None:
        return None
    return tuple(b if n == DYNAMIC_INDEX else UNBOUNDED for b, n in zip(bounds, shape, strict=False))
