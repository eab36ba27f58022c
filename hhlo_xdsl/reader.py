"""Reading MLIR text: xDSL's parser, taught where each op stands, and to take what MLIR prints beside the ops.

`read` makes a module, unverified, or raises ParseError with line and column. Printing does not belong here.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils import exceptions

from hhlo_xdsl.dialects.emit import is_located
from hhlo_xdsl.errors import HhloError, ParseError, VerifyError


def read(context: Context, text: str, filename: str) -> ModuleOp:
    """The module that `text` describes; every op has a location."""
    source = _Source(text, filename)
    try:
        parser = _Reader(context, source)
    except exceptions.ParseError as error:
        raise source.failure(error.msg, error.span.start) from None
    try:
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
        case _:
            return " ".join(map(str, error.args)) or type(error).__name__


def _names(context: Context) -> dict[str, list[str]]:
    """The names that the dialects of `context` define, by what they name."""
    dialects = list(context.loaded_dialects)
    return {
        "op": [op.name for d in dialects for op in d.operations],
        "attribute or type": [a.name for d in dialects for a in d.attributes],
    }


class _Source:
    """A text, and how errors in it are told."""

    def __init__(self, text: str, filename: str):
        self.text = text
        self.filename = filename
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    def line_and_column(self, pos: int) -> tuple[int, int]:
        """Counted from 1."""
        line = bisect_right(self._starts, pos)
        return line, pos - self._starts[line - 1] + 1

    def spelled(self, pos: int) -> str:
        """`FILE:LINE:COLUMN`"""
        return ":".join(map(str, (self.filename, *self.line_and_column(pos))))

    def failure(self, message: str, pos: int, known: dict[str, list[str]] | None = None) -> ParseError:
        """The error for what stands at `pos`: place, xDSL's `message` in our words, and the line with a mark below."""
        unknown = re.search(r"(Operation )?'?([\w.\-$]+)'? is not registered", message)
        if unknown is not None and known is not None:
            kind, name = "op" if unknown.group(1) else "attribute or type", unknown.group(2)
            pos = max(self.text.rfind(name, 0, pos + len(name)), 0)
            message = _unknown(name, kind, known[kind])
        else:
            message = self._reworded(message, pos)
        line, column = self.line_and_column(pos)
        return ParseError(f"{self.spelled(pos)}: {message}{self._marked(line, column)}", line, column)

    def _reworded(self, message: str, pos: int) -> str:
        if not self.text.strip():
            return "the text is empty; a module was expected"
        for pattern, words in _REWORDED:
            message = re.sub(pattern, words, message)
        message = message.rstrip(".!")
        if message[:1].isupper() and message[1:2].islower():
            message = message[0].lower() + message[1:]
        return f"{message}; found {self._token(pos)}" if "expected" in message and "; found" not in message else message

    def _token(self, pos: int) -> str:
        """What stands at `pos`, for messages."""
        token = re.compile(r'[ \t]*("[^"\n]*"?|[%@#!^]?[\w.$-]+|->|\S)?').match(self.text, pos)
        found = token.group(1) if token is not None else None
        if found is not None:
            return found[:40]
        return "the end of the line" if self.text[pos:].strip() else "the end of the text"

    def _marked(self, line: int, column: int) -> str:
        """The line, or the 100 characters around the column, with ^ below it."""
        written = self.text[self._starts[line - 1] :].partition("\n")[0].rstrip()
        start = max(0, column - 1 - 80) if len(written) > 100 else 0
        shown = written[start : start + 100].replace("\t", " ")
        indent = len(shown) - len(shown.lstrip())
        return f"\n  {shown[indent:]}\n  {' ' * max(0, column - 1 - start - indent)}^" if shown.strip() else ""


_REWORDED = (
    (r"^Could not parse entire input!$", "expected an op"),
    (r"^Expected suffix identifier after \{first_char\}$", "expected a name after this sign"),
    (r"^ in block definition$", "expected an op or }"),
    (r"^values used but not defined: \[(%[^,\]]*).*\]$", r"\1 is used but not defined"),
    (r"Invalid Block name format `(\d+)`.*", r"a block label cannot be a number; write ^bb\1 for ^\1"),
    (r"^Expected ':'function type signature expected$", "expected ':'"),
    (r"tuple index out of bounds. Tuple is of size (\d+).* element (\d+)", r"has \1 parts, and none numbered \2"),
)
"""xDSL's words that do not help the reader of a text, and ours."""


def _unknown(name: str, kind: str, known: list[str]) -> str:
    dialects = sorted({n.partition(".")[0] for n in known if "." in n} - {"builtin"})
    by_short_name = {n.rpartition(".")[2]: n for n in known}
    near = difflib.get_close_matches(name.rpartition(".")[2], by_short_name, 1, cutoff=0.75)
    if near:
        return f"{name}: unknown {kind}; did you mean {by_short_name[near[0]]}?"
    return f"{name}: unknown {kind}; the known dialects are builtin, {', '.join(dialects)}"


class _Reader(Parser):
    """xDSL's parser, with a location for each op, later defined locations, and resources."""

    def __init__(self, context: Context, source: _Source):
        self.op_start = 0
        """Where the op that is being read begins."""
        self._source = source
        self._file = StringAttr(source.filename)
        self._blobs: dict[str, str] = {}
        self._first_uses: dict[str, int] = {}
        self._location_aliases: dict[str, int | LocationAttr] = {
            m.group(1): m.end() for m in re.finditer(r"^(#[\w.$-]+)\s*=\s*loc\(", source.text, re.MULTILINE)
        }
        super().__init__(context, source.text, source.filename)

    def parse_operation(self) -> Operation:
        start, outer = self.pos, self.op_start
        self.op_start = start
        op = super().parse_operation()
        if not is_located(op):
            line, column = self._source.line_and_column(start)
            op.location = FileLineColLoc(self._file, IntAttr(line), IntAttr(column))
        for name in op.properties.keys() & op.attributes.keys():
            del op.attributes[name]  # as in MLIR, <{..}> counts
        self.op_start = outer
        return op

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

    # Locations. MLIR defines those it names at the end of the text.

    def _parse_location(self) -> LocationAttr:
        text = self._current_token.text
        if text in self._location_aliases:
            self._consume_token()
            return self._aliased(text)
        if text == "fused":
            return self._parse_fused()
        found = super()._parse_location()
        if isinstance(found, FileLineColLoc) and self.parse_optional_keyword("to") is not None:
            self.parse_optional_integer()
            self.parse_punctuation(":")
            self.parse_integer()
        return found

    def _aliased(self, name: str) -> LocationAttr:
        found = self._location_aliases[name]
        if isinstance(found, int):
            back = self.pos
            self._resume_from(found)
            self._location_aliases[name] = found = self._parse_location()
            self._resume_from(back)
        return found

    def _parse_fused(self) -> FusedLoc:
        self.parse_keyword("fused")
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        parts = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
        return FusedLoc(tuple(parts), metadata)

    # Resources: xDSL keeps them in a store of the process, where files with equal keys disturb each other.

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        return self.parse_identifier(context_msg=" for a resource")

    def _parse_resource(self, dialect_name: str, interface: OpAsmDialectInterface) -> None:
        key = self.parse_identifier(context_msg=" for a resource")
        self.parse_punctuation(":")
        self._blobs[key] = self.parse_str_literal()

    def fill_in_resources(self, module: ModuleOp) -> None:
        """Replace `dense_resource` by `dense` where the text holds its elements."""
        for op in module.walk():
            for name, value in op.properties.items():
                if isinstance(value, DenseResourceAttr) and value.resource_handle.data in self._blobs:
                    op.properties[name] = self._elements(value, self._blobs[value.resource_handle.data])

    def _elements(self, resource: DenseResourceAttr, blob: str) -> Attribute:
        """The elements in a blob: hexadecimal, four bytes of alignment first."""
        return DenseIntOrFPElementsAttr(cast(Any, resource.type), BytesAttr(bytes.fromhex(blob.removeprefix("0x"))[4:]))
