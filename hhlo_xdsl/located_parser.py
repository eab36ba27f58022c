"""A parser that gives each op a location: the one in the text, or else where the op stands in it."""

from __future__ import annotations

import re

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, FusedLoc, IntAttr, LocationAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, Operation

from hhlo_xdsl.dialects.emit import is_located
from hhlo_xdsl.memo_parser import MemoParser
from hhlo_xdsl.source import Source


class LocatedParser(MemoParser):
    """xDSL's parser, with a location for each op, and with locations that are defined after their use."""

    def __init__(self, context: Context, source: Source):
        self.op_start = 0
        """Where the op that is being read begins."""
        self._source = source
        self._file = StringAttr(source.filename)
        self._aliases: dict[str, int | LocationAttr] = {
            found.group(1): found.end() for found in _DEFINITION.finditer(source.text)
        }
        super().__init__(context, source.text, source.filename)

    def parse_operation(self) -> Operation:
        start, outer = self.pos, self.op_start
        self.op_start = start
        op = super().parse_operation()
        if not is_located(op):
            op.location = self.location_at(start)
        self.op_start = outer
        return op

    def location_at(self, pos: int) -> FileLineColLoc:
        """The file, line and column of `pos`."""
        line, column = self._source.line_and_column(pos)
        location = FileLineColLoc.__new__(FileLineColLoc)
        # The constructor would check the kinds of the parts, which takes ten times as long.
        vars(location).update(filename=self._file, line=IntAttr(line), column=IntAttr(column))
        return location

    def cut_location(self, written: str) -> tuple[str, LocationAttr | None]:
        """A line without the named location at its end, and that location."""
        if not self._aliases or not written.endswith(")"):
            return written, None
        op, _, name = written.rpartition(" loc(")
        return (op, self._aliased(name[:-1])) if name[:-1] in self._aliases else (written, None)

    def _parse_location(self) -> LocationAttr:
        text = self._current_token.text
        if text in self._aliases:
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
        """A location by its name; MLIR defines those it names at the end of the text."""
        found = self._aliases[name]
        if isinstance(found, int):
            back = self.pos
            self._resume_from(found)
            self._aliases[name] = found = self._parse_location()
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


# A pattern that begins with a sign, and then looks back, is found much faster than one that begins with a line.
_DEFINITION = re.compile(r"(#(?<![^\n]#)[\w.$-]+)\s*=\s*loc\(")
"""`#loc1 = loc(` at the beginning of a line."""
