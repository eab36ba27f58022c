"""The window of a convolution: one list per property, its attributes, and its text `{stride = [2, 2], ..}`.

The arithmetic of windows stands in `shapes`; ops do not belong here.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from xdsl.dialects.builtin import DenseArrayBase, i1, i64
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import i64_array
from hhlo_xdsl.dialects.stablehlo.creation import elements
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim
from hhlo_xdsl.dialects.types import tensor

EntryT = TypeVar("EntryT")
_BRACKETS = str.maketrans("()", "[]")


@dataclass(frozen=True, slots=True)
class Window:
    """How a convolution's kernel slides, one entry per spatial dimension; () stands for the default in all of them."""

    strides: tuple[int, ...] = ()
    """1 by default."""
    padding: tuple[tuple[int, int], ...] = ()
    """Low and high, after dilation; negative cuts, 0 by default."""
    lhs_dilation: tuple[int, ...] = ()
    """1 by default."""
    rhs_dilation: tuple[int, ...] = ()
    """1 by default."""
    reversal: tuple[bool, ...] = ()
    """False by default."""

    def dims(self, bases: Sequence[int], sizes: Sequence[int]) -> tuple[WindowDim, ...]:
        """One WindowDim per spatial dimension, given the sizes of lhs and of the kernel there."""
        n = len(bases)
        columns = zip(
            bases,
            sizes,
            self.strides or (1,) * n,
            self.padding or ((0, 0),) * n,
            self.lhs_dilation or (1,) * n,
            self.rhs_dilation or (1,) * n,
            self.reversal or (False,) * n,
            strict=True,
        )
        return tuple(WindowDim(base, size, s, low, high, b, a, r) for base, size, s, (low, high), b, a, r in columns)

    @staticmethod
    def of(dims: Sequence[WindowDim]) -> Window:
        """The window that `dims` describe; lists that hold only the default become ()."""
        return Window(
            _unless_all(1, [w.stride for w in dims]),
            _unless_all((0, 0), [(w.low, w.high) for w in dims]),
            _unless_all(1, [w.base_dilation for w in dims]),
            _unless_all(1, [w.window_dilation for w in dims]),
            _unless_all(False, [w.reversal for w in dims]),
        )


def _unless_all(default: EntryT, entries: Sequence[EntryT]) -> tuple[EntryT, ...]:
    return () if all(e == default for e in entries) else tuple(entries)


PLAIN = Window()
"""Every default."""

_CLAUSES = {
    "stride": ("window_strides", "strides"),
    "pad": ("padding", "padding"),
    "lhs_dilate": ("lhs_dilation", "lhs_dilation"),
    "rhs_dilate": ("rhs_dilation", "rhs_dilation"),
    "reverse": ("window_reversal", "reversal"),
}
"""What `window = {..}` calls a list -> the op's property, the field of Window."""


def window_properties(window: Window) -> dict[str, Attribute]:
    """The properties that hold a window; those with only defaults are left out."""
    lists = ((name, getattr(window, field)) for name, field in _CLAUSES.values())
    return {name: _window_property(name, values) for name, values in lists if values}


def _window_property(name: str, values: Sequence[Any]) -> Attribute:
    if name == "padding":
        return elements(tensor((len(values), 2), i64), [n for pair in values for n in pair])
    if name == "window_reversal":
        return DenseArrayBase.from_list(i1, [int(v) for v in values])
    return i64_array(tuple(values))


def parse_window(parser: Parser) -> dict[str, Attribute]:
    """`{stride = [2, 1], pad = [[0, 0], [1, 1]], ..}`: clauses in any order, each at most once."""
    properties: dict[str, Attribute] = {}
    with parser.in_braces():
        while (clause := parser.parse_optional_keyword_in(_CLAUSES.keys())) is not None:
            name, _ = _CLAUSES[clause]
            if name in properties:
                parser.raise_error(f"window has two clauses {clause}; drop one")
            parser.parse_punctuation("=")
            properties[name] = _window_property(name, _parse_clause(parser, name))
            if parser.parse_optional_punctuation(",") is None:
                break
    return properties


def _parse_clause(parser: Parser, name: str) -> Sequence[Any]:
    if name != "padding":
        return assembly.parse_ints(parser)
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_low_high(parser))


def _parse_low_high(parser: Parser) -> tuple[int, int]:
    pair = assembly.parse_ints(parser)
    if len(pair) != 2:
        parser.raise_error(f"found {list(pair)}; padding is [low, high] per spatial dimension")
    return pair[0], pair[1]


def _spell_list(values: Sequence[Any]) -> str:
    """`[2, 1]`, `[[0, 1], [2, 3]]` or `[false, true]`"""
    return str(list(values)).translate(_BRACKETS).lower()


def print_window(printer: Printer, window: Window, present: Container[str]) -> None:
    """Print what `parse_window` reads, with a clause for each property in `present`."""
    lists = ((clause, getattr(window, field)) for clause, (name, field) in _CLAUSES.items() if name in present)
    printer.print_string(f"{{{', '.join(f'{clause} = {_spell_list(values)}' for clause, values in lists)}}}")
