"""Text and modules: `parse`, `to_text`, and the context that knows the dialects."""

from __future__ import annotations

import difflib
import io
import re
from bisect import bisect_right

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.dialects.func import Func
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils import exceptions

from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.emit import is_located
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.errors import HhloError, ParseError, SyntaxVersionError
from hhlo_xdsl.passes.pjrt_syntax import spell
from hhlo_xdsl.passes.spellings import GENERIC
from hhlo_xdsl.passes.verify import verify

_DIALECTS = (Builtin, Func, StableHLO, CHLO)


def context() -> Context:
    """A context that knows builtin, func, stablehlo and chlo."""
    ctx = Context()
    for dialect in _DIALECTS:
        ctx.load_dialect(dialect)
    return ctx


def parse(text: str, *, filename: str = "<text>") -> ModuleOp:
    """The module that MLIR text describes, in pretty or generic form, verified.

    Ops carry their line and column as location, unless the text gives one. Raises ParseError for text that is not a
    program, VerifyError (ShapeError, DTypeError) for a program that breaks a constraint; both name line and column.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ParseError(f"parse: got {type(text).__name__}; text (str) was expected; read the file with open(path).read()")
    parser = _LocatingParser(context(), text, filename)
    try:
        module = parser.parse_module()
    except exceptions.ParseError as error:
        where = error.span.get_location()
        raise _parse_error(text, filename, error.msg, where.line, where.col) from None
    except HhloError as error:
        raise ParseError(f"{error}\n  at {filename}:{parser.line}:{parser.column}", parser.line, parser.column) from None
    except (Exception, RecursionError) as error:  # xDSL raises many kinds for text it does not expect
        raise _parse_error(text, filename, f"{error or type(error).__name__}", parser.line, parser.column) from error
    verify(module)
    return module


def _parse_error(text: str, filename: str, message: str, line: int, column: int) -> ParseError:
    lines = text.splitlines()
    quoted = f"\n  {lines[line - 1].strip()[:200]}" if 0 < line <= len(lines) else ""
    return ParseError(f"{filename}:{line}:{column}: {_explained(message)}{quoted}", line, column)


def _explained(message: str) -> str:
    """xDSL's message, with a way out where one is known."""
    unknown = re.search(r"(?:Operation |')([\w.\-]+)'? is not registered", message)
    if unknown is None:
        return message
    name = unknown.group(1)
    known = [op.name for dialect in _DIALECTS for op in dialect.operations]
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{name}: unknown op or type; the known dialects are builtin, func, stablehlo and chlo{hint}"


class _LocatingParser(Parser):
    """A parser that gives each op the line and column of its text as location."""

    def __init__(self, ctx: Context, text: str, filename: str):
        self._line_starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self._filename = StringAttr(filename)
        super().__init__(ctx, text, filename)

    @property
    def line(self) -> int:
        """The line, from 1, of the next token."""
        return bisect_right(self._line_starts, self.pos)

    @property
    def column(self) -> int:
        """The column, from 1, of the next token."""
        return self.pos - self._line_starts[self.line - 1] + 1

    def parse_operation(self) -> Operation:
        line, column = self.line, self.column
        op = super().parse_operation()
        if not is_located(op):
            op.location = FileLineColLoc(self._filename, IntAttr(line), IntAttr(column))
        return op


def to_text(module: ModuleOp, *, syntax: str = "pretty") -> str:
    """The text of a module: "pretty", "generic", or "pjrt-1.16" for what that version's parser takes.

    Raises SyntaxVersionError for an unknown syntax, and for an op that the version cannot spell.
    """
    if syntax in ("pretty", "generic"):
        return _printed(module, generic=syntax == "generic")
    kind, _, version = syntax.partition("-")
    if kind != "pjrt" or version not in GENERIC:
        known = ", ".join(['"pretty"', '"generic"', *(f'"pjrt-{v}"' for v in GENERIC)])
        raise SyntaxVersionError(f'to_text: syntax is "{syntax}"; it must be one of {known}')
    spelled = module.clone()
    spell(spelled, version)
    return _printed(spelled, generic=False)


def _printed(module: ModuleOp, *, generic: bool) -> str:
    out = io.StringIO()
    Printer(out, print_generic_format=generic).print_op(module)
    return out.getvalue() + "\n"
