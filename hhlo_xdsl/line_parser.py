"""Reading ops by the line: of the lines that differ only in the names of values, one is parsed and the others copied.

Programs that machines print say few different things, many times over: of 20,000 lines of a transformer, 100 remain
when values lose their names. Whatever is not one op on one line goes to the ordinary parser, and so does every line
that could be at fault, so that errors are found and told in one place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import ForwardDeclaredValue, Parser, UnresolvedOperand
from xdsl.utils.lexer import Span

from hhlo_xdsl.located_parser import LocatedParser
from hhlo_xdsl.source import Source

_VALUE = re.compile(r"%([0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*)")
_BLANK = re.compile(r"(\s|//[^\n]*)*", re.ASCII)
_LONGEST = 4000
"""Longer lines hold large constants, which are rarely written twice."""


@dataclass(frozen=True, slots=True)
class _Line:
    """What lines that differ only in the names of values have in common."""

    op: type[Operation]
    sizes: tuple[int, ...]
    """How many results each name on the left stands for."""
    operands: tuple[tuple[int, int, Attribute], ...]
    """Per operand: which name of the line it is, which of the results that this name stands for, and its type."""
    results: Sequence[Attribute]
    properties: Mapping[str, Attribute]
    attributes: Mapping[str, Attribute]
    regions: tuple[Region, ...]


@dataclass
class _Attempt:
    """The values of a line that is parsed to see what it has in common with others; none of them is known yet."""

    operands: list[tuple[UnresolvedOperand, SSAValue]] = field(default_factory=list[tuple[UnresolvedOperand, SSAValue]])
    """What the line calls an operand, and what stands in for it."""
    results: list[tuple[str, Sequence[SSAValue], Span]] = field(
        default_factory=list[tuple[str, Sequence[SSAValue], Span]]
    )


class _SeveralLines(Exception):
    """An op turns out to have a region."""


class _Names(dict[str, tuple[SSAValue, ...]]):
    """The values in scope; whoever leaves a region removes what was added there."""

    def copy(self) -> _Names:
        return self


class LineParser(LocatedParser):
    """A parser that copies ops from lines it has read before."""

    def __init__(self, context: Context, source: Source):
        self._attempt: _Attempt | None = None
        self._known: dict[tuple[str, ...], dict[str, _Line | None]] = {}
        super().__init__(context, source)
        self.ssa_values = _Names()

    def _parse_block_body(self, block: Block) -> None:
        known = self._known.setdefault(tuple(self._parser_state.dialect_stack), {})
        while True:
            self._copy_lines(block, known)
            op = self._parse_line(known) or self.parse_optional_operation()
            if op is None:
                return
            block.add_op(op)

    def parse_optional_region(self, arguments: Sequence[Parser.Argument] | None = None) -> Region | None:
        if self._attempt is not None and self._current_token.text == "{":
            raise _SeveralLines
        outer = len(self.ssa_values)
        region = super().parse_optional_region(arguments)
        for _ in range(len(self.ssa_values) - outer):
            self.ssa_values.popitem()
        return region

    # Copying

    def _copy_lines(self, block: Block, known: Mapping[str, _Line | None]) -> None:
        """Add the ops of the lines from here on to `block`, up to the first line that is not known."""
        text, pos = self._source.text, self.pos
        while 0 < (end := text.find("\n", pos)) < pos + _LONGEST:
            written = text[pos:end].lstrip(" \t")
            start = end - len(written)
            key, names, location = self._split(written)
            line = known.get(key)
            op = None if line is None else self._copied(line, names, location or self.location_at(start))
            if op is None:
                break
            block.add_op(op)
            pos = end + 1
        if pos > self.pos:
            self._resume_from(pos)

    def _split(self, written: str) -> tuple[str, list[str], LocationAttr | None]:
        """What a line has in common with others, the names of its values, and the location at its end."""
        written, location = self.cut_location(written)
        parts = _VALUE.split(written)
        return "%".join(parts[::2]), parts[1::2], location

    def _copied(self, line: _Line, names: Sequence[str], location: LocationAttr) -> Operation | None:
        """The op of a line; None if there is something to say about its values."""
        values = self.ssa_values
        operands: list[SSAValue] = []
        for at, index, type in line.operands:
            held = values.get(names[at], ())
            if index >= len(held):
                return None
            value = held[index]
            if value.type is not type and value.type != type:
                return None
            operands.append(value)
        defined = names[: len(line.sizes)]
        if len(set(defined)) < len(defined) or any(n in values or n in self.forward_ssa_references for n in defined):
            return None
        op = line.op.create(
            operands=operands,
            result_types=line.results,
            properties=line.properties,
            attributes=line.attributes,
            location=location,
            regions=[region.clone() for region in line.regions],
        )
        self._define(defined, line.sizes, op)
        return op

    def _define(self, names: Sequence[str], sizes: Sequence[int], op: Operation) -> None:
        at = 0
        for name, size in zip(names, sizes, strict=True):
            self.ssa_values[name] = results = op.results if len(names) == 1 else op.results[at : at + size]
            at += size
            if not name[0].isdigit():
                for result in results:
                    result.name_hint = name

    # Learning

    def _parse_line(self, known: dict[str, _Line | None]) -> Operation | None:
        """The next op, if it takes one line, which is known from now on; otherwise None, and nothing is read."""
        start = self.pos
        end = self._source.text.find("\n", start)
        if not 0 < end < start + _LONGEST:
            return None
        written = self._source.text[start:end]
        if written.endswith(("{", "(")) or written[:1] not in _BEGINNINGS:
            return None
        key, _, _ = self._split(written)
        if key in known:
            return None
        known[key] = None
        depth, outer = len(self._parser_state.dialect_stack), self.op_start
        self._attempt = attempt = _Attempt()
        try:
            op = self.parse_operation()
            line = self._learned(attempt, op, start, end)
        except Exception:  # whatever is wrong with the line, reading it op by op says it
            op = line = None
        self._attempt = None
        if op is None or line is None:
            if op is not None:
                op.drop_all_references()
            del self._parser_state.dialect_stack[depth:]
            self.op_start = outer
            self._resume_from(start)
            return None
        known[key] = line
        found = {id(s): self.resolve_operand(name, s.type) for name, s in attempt.operands}
        op.operands = [found[id(s)] for s in op.operands]
        for name, values, span in attempt.results:
            self._register_ssa_definition(name, values, span)
        return op

    def _learned(self, attempt: _Attempt, op: Operation, start: int, end: int) -> _Line | None:
        """What a line, parsed with stand-ins, has in common with others; None if it may not be copied."""
        text = self._source.text
        written, _ = self.cut_location(text[start:end])
        places = {start + name.start(): i for i, name in enumerate(_VALUE.finditer(written))}
        results = [places.get(span.start, -1) for _, _, span in attempt.results]
        named = {id(s): (places.get(name.span.start, -1), name.index, s.type) for name, s in attempt.operands}
        operands = [named.get(id(s), (-1, 0, s.type)) for s in op.operands]
        is_one_line = self.pos > end and _BLANK.fullmatch(text, end, self.pos) is not None
        # Every name is one of a result or of an operand, and occurs once.
        is_understood = [*results, *sorted(at for at, _, _ in operands)] == list(range(len(places)))
        if not is_one_line or not is_understood or "loc(" in written:
            return None
        return _Line(
            op=type(op),
            sizes=tuple(len(values) for _, values, _ in attempt.results),
            operands=tuple(operands),
            results=op.result_types,
            properties=op.properties,
            attributes=op.attributes,
            regions=op.regions,
        )

    def resolve_operand(self, operand: UnresolvedOperand, type: Attribute) -> SSAValue:
        if self._attempt is None:
            return super().resolve_operand(operand, type)
        value = ForwardDeclaredValue(type)
        self._attempt.operands.append((operand, value))
        return value

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        if self._attempt is None:
            super()._register_ssa_definition(name, values, span)
        else:
            self._attempt.results.append((name, values, span))


_BEGINNINGS = frozenset('%"abcdefghijklmnopqrstuvwxyz')
"""The first letters of ops."""
