"""CHLO's ops that order elements.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, i1, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.assembly import TypeForm, Types
from hhlo_xdsl.dialects.stablehlo.base import I64, AbstractOp, i64_attr, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import ANY, QUANTIZED_ANY, UNKNOWN, RankedTensor, like, limits, type_of, within_limits


def _parse_pair(parser: Parser, count: int) -> Types:
    operand = parser.parse_type()
    parser.parse_punctuation("->")
    results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [operand], results


def _print_pair(printer: Printer, ins: tuple[Attribute, ...], outs: tuple[Attribute, ...]) -> None:
    printer.print_list(ins, printer.print_attribute)
    printer.print_string(" -> (")
    printer.print_list(outs, printer.print_attribute)
    printer.print_string(")")


@irdl_op_definition
class TopKOp(AbstractOp):
    """The k largest elements along the last dimension, in descending order, and where they were; ties in order.

    operand   : rank >= 1; last size >= k
    values    : operand's type with k elements in the last dimension
    indices   : i32 of that shape
    is_stable : whether ties must keep their order; they do where absent

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlotop_k-chlotopkop
    """

    name = "chlo.top_k"
    operand = tensor_operand()
    k = prop_def(I64)
    is_stable = opt_prop_def(BoolAttr)
    values = tensor_result()
    indices = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = TypeForm(_parse_pair, _print_pair)  # pyright: ignore[reportArgumentType]
    SPELLED: ClassVar = frozenset({"k", "is_stable"})

    def __init__(self, operand: SSAValue, k: int, is_stable: bool | None = None):
        properties: dict[str, Attribute] = {"k": i64_attr(k)}
        if is_stable is not None:
            properties["is_stable"] = BoolAttr(is_stable, i1)
        self._build((operand,), self.infer(type_of(operand), k), properties)

    @classmethod
    def infer(cls, operand: RankedTensor, k: int) -> tuple[RankedTensor, RankedTensor]:
        """The types of values and indices."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED_ANY)
        shape = operand.get_shape()
        if not shape:
            raise violated(cls.name, "", f"operand is {operand}; at least one dimension is needed; reshape it")
        if shape[-1] != UNKNOWN and shape[-1] < k:
            raise violated(
                cls.name, "", f"k is {k}, but the last dimension of {operand} has {shape[-1]} elements; lower k"
            )
        values = within_limits(operand, (*shape[:-1], k), (*limits(operand)[:-1], k), operand.element_type)
        return values, like(values, element=i32)

    def verify_semantics(self) -> None:
        values, indices = self.infer(self.operand.type, self.k.value.data)
        check_result(self.name, self.values.type, values, "", "values")
        check_result(self.name, self.indices.type, indices, "", "indices")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        parser.parse_punctuation("(")
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        properties: dict[str, Attribute] = {"k": i64_attr(assembly.parse_named_int(parser, "k"))}
        if parser.parse_optional_punctuation(",") is not None:
            parser.parse_keyword("is_stable")
            parser.parse_punctuation("=")
            properties["is_stable"] = BoolAttr(parser.parse_boolean(), i1)
        parser.parse_punctuation(")")
        return [operand], properties

    def print_arguments(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_ssa_value(self.operand)
        printer.print_string(f", k = {self.k.value.data}")
        if self.is_stable is not None:
            printer.print_string(f", is_stable = {'true' if self.is_stable.value.data else 'false'}")
        printer.print_string(")")
