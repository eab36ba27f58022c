"""The types of the dialect: tokens, which order side effects, and futures, which async ops give.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#types
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """`!stablehlo.token`: orders the side effects of the ops it passes through."""

    name = "stablehlo.token"


@irdl_attr_definition
class FutureType(ParametrizedAttribute, TypeAttribute):
    """`!stablehlo.future<T, ...>`: the values that an async computation will have, tensors."""

    name = "stablehlo.future"
    types: ArrayAttr[Attribute] = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        types = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_tensor(parser))
        return [ArrayAttr(types)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.types.data, printer.print_attribute)


def _parse_tensor(parser: AttrParser) -> Attribute:
    pos = parser.pos
    type = parser.parse_type()
    if not isinstance(type, TensorType):
        parser.raise_error(f"a future holds tensors of known rank; found {type}", pos, parser.pos)
    return cast(Attribute, type)
