"""Reading MLIR text: xDSL's parser, taught where each op stands, and to take what MLIR prints beside the ops.

`read` makes a module, unverified, or raises ParseError with line and column. Printing does not belong here.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    ModuleOp,
)
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrSizedSegments
from xdsl.parser import UnresolvedOperand
from xdsl.utils import exceptions
from xdsl.utils.mlir_lexer import MLIRTokenKind

from hhlo_xdsl.dialects.bulk import without_collector
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp
from hhlo_xdsl.errors import HhloError, VerifyError
from hhlo_xdsl.line_parser import LineParser
from hhlo_xdsl.source import Source


def read(context: Context, text: str, filename: str) -> ModuleOp:
    """The module that `text` describes; every op has a location."""
    source = Source(text, filename)
    try:
        parser = Reader(context, source)
    except exceptions.ParseError as error:
        raise source.failure(error.msg, error.span.start) from None
    try:
        with without_collector():
            module = parser.parse_module()
    except exceptions.ParseError as error:
        raise source.failure(error.msg, parser.place_of(error), known=_names(context)) from None
    except VerifyError as error:
        raise type(error)(f"{error}\n  at {source.spelled(parser.op_start)}") from None
    except HhloError as error:
        raise source.failure(str(error), parser.op_start) from None
    except (Exception, RecursionError) as error:  # xDSL raises many kinds for text it does not expect
        raise source.failure(_described(error), parser.pos) from error
    parser.fill_in_resources(module)
    return module


def _described(error: BaseException) -> str:
    match error:
        case RecursionError():
            return "nested too deeply"
        case MemoryError():
            return "this needs more memory than there is; broadcast_in_dim a scalar instead of writing a large splat"
        case UnicodeDecodeError():
            return "a name is UTF-8; only attributes may be other bytes"
        case _:
            return " ".join(map(str, error.args)) or type(error).__name__


def _names(context: Context) -> dict[str, list[str]]:
    """The names that the dialects of `context` define, by what they name."""
    dialects = list(context.loaded_dialects)
    return {
        "op": [op.name for d in dialects for op in d.operations],
        "attribute or type": [a.name for d in dialects for a in d.attributes],
    }


@cache
def _is_without_properties(op: type[Operation]) -> bool:
    """Whether an op of func, StableHLO or CHLO declares no attributes at all."""
    if not issubclass(op, AbstractOp | ReturnOp):
        return False
    definition = op.get_irdl_definition()
    return not definition.properties and not any(isinstance(o, AttrSizedSegments) for o in definition.options)


class Reader(LineParser):
    """The parser of texts: ops by the line, places of errors, resources."""

    def __init__(self, context: Context, source: Source):
        self._blobs: dict[str, str] = {}
        self._first_uses: dict[str, int] = {}
        self._generic: type[Operation] = Operation
        """The op whose generic form is being read."""
        super().__init__(context, source)

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if self._source.text.strip() and self._current_token.kind is MLIRTokenKind.EOF:
            module = ModuleOp([])  # the text holds comments alone; MLIR reads it as this
            module.location = self.location_at(0)
            return module
        return super().parse_module(allow_implicit_module)

    def parse_operation(self) -> Operation:
        op = super().parse_operation()
        for name in op.properties.keys() & op.attributes.keys():
            del op.attributes[name]  # as in MLIR, <{..}> counts
        return op

    def _parse_generic_operation(self, op_type: type[Operation]) -> Operation:
        self._generic = op_type
        return super()._parse_generic_operation(op_type)

    def parse_optional_properties_dict(self) -> dict[str, Attribute]:
        op = self._generic
        if self._current_token.kind is MLIRTokenKind.LESS and _is_without_properties(op):
            self.raise_error(f"{op.name} takes no attributes in <{{..}}>; drop it, or write {{..}} before the types")
        return super().parse_optional_properties_dict()

    def resolve_operand(self, operand: UnresolvedOperand, type: Attribute) -> SSAValue:
        name = operand.operand_name
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._first_uses[name] = operand.span.start
        return super().resolve_operand(operand, type)

    def place_of(self, error: exceptions.ParseError) -> int:
        """Where the fault is; for an undefined value, which xDSL reports at the end of the text, its first use."""
        if error.msg.startswith("values used but not defined"):
            return self._first_uses[next(iter(self.forward_ssa_references))]
        return error.span.start

    # Resources: xDSL keeps them in a store of the process, where files with equal keys disturb each other.

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        return self.parse_identifier(context_msg=" for a resource")

    def _parse_resource(self, dialect_name: str, interface: OpAsmDialectInterface) -> None:
        key = self.parse_identifier(context_msg=" for a resource")
        self.parse_punctuation(":")
        self._blobs[key] = self.parse_str_literal()

    def fill_in_resources(self, module: ModuleOp) -> None:
        """Replace `dense_resource` by `dense` where the text holds its elements."""
        for op in module.walk() if self._blobs else ():
            for name, value in op.properties.items():
                if isinstance(value, DenseResourceAttr) and value.resource_handle.data in self._blobs:
                    op.properties[name] = self._elements(value, self._blobs[value.resource_handle.data])

    def _elements(self, resource: DenseResourceAttr, blob: str) -> Attribute:
        """The elements in a blob: hexadecimal, four bytes of alignment first."""
        return DenseIntOrFPElementsAttr(cast(Any, resource.type), BytesAttr(bytes.fromhex(blob.removeprefix("0x"))[4:]))
