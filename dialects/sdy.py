"""Shardy's marks on programs: meshes, shardings, and the ops that carry them. They pass through as they are written.

What a sharding means is Shardy's business: its text is kept and printed again, not interpreted. The collectives that
Shardy inserts after propagation are not read.

Dialect: https://github.com/openxla/shardy/blob/main/docs/sdy_dialect.md
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import SymbolNameConstraint
from xdsl.ir import Attribute, Data, Dialect, OpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect, ReturnLike, SymbolOpInterface
from xdsl.utils.mlir_lexer import MLIRTokenKind

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import TENSOR

_CLOSING = {
    MLIRTokenKind.LESS: MLIRTokenKind.GREATER,
    MLIRTokenKind.L_PAREN: MLIRTokenKind.R_PAREN,
    MLIRTokenKind.L_SQUARE: MLIRTokenKind.R_SQUARE,
    MLIRTokenKind.L_BRACE: MLIRTokenKind.R_BRACE,
}


def parse_balanced(parser: AttrParser) -> str:
    """The text from an opening bracket to the one that closes it, both included."""
    start = parser.pos
    opened = [_opening(parser)]
    while True:
        token = parser._current_token  # pyright: ignore[reportPrivateUsage]  (tokens have no public reader)
        end = token.span.end
        if token.kind is MLIRTokenKind.EOF:
            parser.raise_error("a bracket is not closed")
        if token.kind in _CLOSING:
            opened.append(_opening(parser))
            continue
        if token.kind in _CLOSING.values():
            if token.kind is not opened.pop():
                parser.raise_error("a bracket closes what another one opened")
            if not opened:
                parser._consume_token()  # pyright: ignore[reportPrivateUsage]
                return token.span.input.content[start:end]
        parser._consume_token()  # pyright: ignore[reportPrivateUsage]


def _opening(parser: AttrParser) -> MLIRTokenKind:
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]
    if token.kind not in _CLOSING:
        parser.raise_error("expected an opening bracket")
    parser._consume_token()  # pyright: ignore[reportPrivateUsage]
    return _CLOSING[token.kind]


class AbstractText(Data[str]):
    """An attribute whose text, from its opening to its closing bracket, is all that is known of it."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        return parse_balanced(parser)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(self.data)


@irdl_attr_definition
class MeshAttr(AbstractText):
    """`#sdy.mesh<["x"=4]>`"""

    name = "sdy.mesh"


@irdl_attr_definition
class ShardingAttr(AbstractText):
    """`#sdy.sharding<@mesh, [{"x"}, {}]>`"""

    name = "sdy.sharding"


@irdl_attr_definition
class ShardingPerValueAttr(AbstractText):
    """`#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>`"""

    name = "sdy.sharding_per_value"


@irdl_attr_definition
class ManualAxesAttr(AbstractText, OpaqueSyntaxAttribute):
    """`#sdy<manual_axes{"x"}>`"""

    name = "sdy.manual_axes"


@irdl_attr_definition
class OpShardingRuleAttr(AbstractText):
    """`#sdy.op_sharding_rule<([i])->([i]) {i=8}>`"""

    name = "sdy.op_sharding_rule"


@irdl_op_definition
class MeshOp(IRDLOperation):
    """`sdy.mesh @name = <["x"=4]>`: a named arrangement of devices."""

    name = "sdy.mesh"
    sym_name = prop_def(SymbolNameConstraint())
    mesh = prop_def(MeshAttr)
    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        parser.parse_punctuation("=")
        mesh = MeshAttr(parse_balanced(parser))
        attributes = parser.parse_optional_attr_dict()
        return cls.create(properties={"sym_name": name, "mesh": mesh}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" = {self.mesh.data}")
        printer.print_op_attributes(self.attributes)


class AbstractResharding(IRDLOperation):
    """`name %x <@mesh, [{"x"}, {}]> : T`: x, laid out as the sharding says."""

    input = operand_def(TENSOR)
    sharding = prop_def(ShardingAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    @classmethod
    def laid_out(cls, input: SSAValue, sharding: ShardingAttr) -> Self:
        """The op on `input`; the result has its type."""
        return cls.create(operands=[input], result_types=[input.type], properties={"sharding": sharding})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unresolved = parser.parse_unresolved_operand()
        sharding = ShardingAttr(parse_balanced(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        operand = parser.resolve_operand(unresolved, type)
        return cls.create(
            operands=[operand], result_types=[type], properties={"sharding": sharding}, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        assembly.print_operands(printer, [self.input])
        printer.print_string(f" {self.sharding.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ShardingConstraintOp(AbstractResharding):
    """The input, required to have a sharding."""

    name = "sdy.sharding_constraint"


@irdl_op_definition
class ReshardOp(AbstractResharding):
    """The input, moved to a sharding."""

    name = "sdy.reshard"


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends the body of a manual computation."""

    name = "sdy.return"
    results_ = var_operand_def()
    traits = traits_def(Pure(), IsTerminator(), ReturnLike())
    assembly_format = "attr-dict ($results_^ `:` type($results_))?"


@irdl_op_definition
class ManualComputationOp(IRDLOperation):
    """A body that each device runs on its part of the operands, with collectives of its own."""

    name = "sdy.manual_computation"
    tensors = var_operand_def(TENSOR)
    in_shardings = prop_def(ShardingPerValueAttr)
    out_shardings = prop_def(ShardingPerValueAttr)
    manual_axes = prop_def(BaseAttr(ManualAxesAttr))
    body = region_def("single_block")
    results_ = var_result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unresolved = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        properties: dict[str, Attribute] = {}
        for name, kind in (("in_shardings", ShardingPerValueAttr), ("out_shardings", ShardingPerValueAttr)):
            _parse_assigned(parser, name)
            properties[name] = kind(f"<{parse_balanced(parser)}>")
        _parse_assigned(parser, "manual_axes")
        properties["manual_axes"] = ManualAxesAttr(parse_balanced(parser))
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        body = parser.parse_region(arguments)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand_types, result_types = assembly.FUNCTIONAL.parse(parser, len(unresolved))
        operands = assembly.resolve(parser, unresolved, operand_types)
        return cls.create(
            operands=operands, result_types=result_types, properties=properties, attributes=attributes, regions=[body]
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.tensors, printer.print_ssa_value)
        printer.print_string(f") in_shardings={self.in_shardings.data[1:-1]}")
        printer.print_string(f" out_shardings={self.out_shardings.data[1:-1]}")
        printer.print_string(f" manual_axes={self.manual_axes.data} (")
        printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(") ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)
        assembly.print_types(printer, assembly.FUNCTIONAL, self)


def _parse_assigned(parser: Parser, name: str) -> None:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


Sdy = Dialect(
    "sdy",
    [MeshOp, ShardingConstraintOp, ReshardOp, ReturnOp, ManualComputationOp],
    [MeshAttr, ShardingAttr, ShardingPerValueAttr, ManualAxesAttr, OpShardingRuleAttr],
)
