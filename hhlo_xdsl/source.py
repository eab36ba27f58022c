"""A text that is read: where its lines begin, and how errors in it are told."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right

from hhlo_xdsl.errors import ParseError


class Source:
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
    dialect, _, short_name = name.rpartition(".")
    for candidates in ([n for n in known if n.startswith(f"{dialect}.")], known):
        by_short_name = {n.rpartition(".")[2]: n for n in candidates}
        near = difflib.get_close_matches(short_name, by_short_name, 1, cutoff=0.75)
        if near:
            return f"{name}: unknown {kind}; did you mean {by_short_name[near[0]]}?"
    return f"{name}: unknown {kind}; the known dialects are builtin, {', '.join(dialects)}"
