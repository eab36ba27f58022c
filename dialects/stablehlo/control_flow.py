"""Ops that direct control: the terminator of regions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, ReturnLike

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp


@irdl_op_definition
class ReturnOp(AbstractOp):
    """Ends a region, giving its results.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#functions
    """

    name = "stablehlo.return"
    results_ = var_operand_def()
    traits = traits_def(Pure(), IsTerminator(), ReturnLike())

    def __init__(self, results: Sequence[SSAValue]):
        self._build(results, ())

    @classmethod
    def parse(cls, parser: Parser) -> ReturnOp:
        unresolved = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        if not unresolved:
            return cls.create(attributes=attributes)
        parser.parse_punctuation(":")
        pos = parser.pos
        types = (
            parser.parse_optional_undelimited_comma_separated_list(parser.parse_optional_type, parser.parse_type) or ()
        )
        return cls.create(operands=assembly.resolve(parser, unresolved, types, pos), attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.operands:
            assembly.print_operands(printer, self.operands)
        printer.print_op_attributes(self.attributes)
        if self.operands:
            printer.print_string(" : ")
            printer.print_list(self.operands, lambda o: printer.print_attribute(o.type))
