"""A parser that gives each op a location: the one in the text, or else where the op stands in it."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr
from xdsl.ir import Operation

from hhlo_xdsl.dialects.emit import is_located
from hhlo_xdsl.dialects.locations import aliased, defined_in, parse_location
from hhlo_xdsl.memo_parser import MemoParser
from hhlo_xdsl.source import Source


class LocatedParser(MemoParser):
    """xDSL's parser, with a location for each op, and with locations that are defined after their use."""

    def __init__(self, context: Context, source: Source):
        self.op_start = 0
        """Where the op that is being read begins."""
        self._source = source
        self._file = StringAttr(source.filename)
        self._aliases = defined_in(source.text)
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
        return (op, aliased(self, self._aliases, name[:-1])) if name[:-1] in self._aliases else (written, None)

    def _parse_location(self) -> LocationAttr:
        return parse_location(self, self._aliases)
