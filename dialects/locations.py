"""Repairs to how xDSL 0.75 reads locations: all forms that MLIR prints are read, also under stock `xdsl-opt`.

Stock xDSL refuses a location by a name that is defined after its use, as MLIR prints them at the end of a text; ranges,
`"f":1:2 to :9`, of which the beginning is kept, since xDSL has no attribute for them; and what fused locations have in
common, `fused<"pass">[..]`. What an op does not say about its location does not belong here.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import FileLineColLoc, FusedLoc, LocationAttr, NoneAttr
from xdsl.ir import Attribute
from xdsl.parser.attribute_parser import AttrParser

Aliases: TypeAlias = dict[str, int | LocationAttr]
"""Names, with the sign #, and where their definitions stand in the text, or what was found there."""

# A pattern that begins with a sign, and then looks back, is found much faster than one that begins with a line.
_DEFINITION = re.compile(r"(#(?<![^\n]#)[\w.$-]+)\s*=\s*loc\(")
"""`#loc1 = loc(` at the beginning of a line."""

_STOCK = cast(Any, AttrParser)._parse_location


def install_location_fixes() -> None:
    """Repair the reading of locations in this process."""
    cast(Any, AttrParser)._parse_location = _parse_with_any_name


def defined_in(text: str) -> Aliases:
    """The names of locations that `text` defines anywhere."""
    return {found.group(1): found.end() for found in _DEFINITION.finditer(text)}


def _parse_with_any_name(self: Any) -> LocationAttr:
    """What stands in `loc(..)`; a method of AttrParser."""
    if self._current_token.text.startswith("#") and "_later_locations" not in vars(self):
        self._later_locations = defined_in(self._current_token.span.input.content)
    return parse_location(self, cast(Aliases, getattr(self, "_later_locations", {})))


def parse_location(parser: AttrParser, aliases: Aliases) -> LocationAttr:
    """What stands in `loc(..)`, where names are those of `aliases`."""
    inner = cast(Any, parser)
    text = inner._current_token.text
    if text in aliases:
        inner._consume_token()
        return aliased(parser, aliases, text)
    if text == "fused":
        return _parse_fused(parser)
    found = _STOCK(parser)
    if isinstance(found, FileLineColLoc) and parser.parse_optional_keyword("to") is not None:
        parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        parser.parse_integer(allow_boolean=False, allow_negative=False)
    return found


def aliased(parser: AttrParser, aliases: Aliases, name: str) -> LocationAttr:
    """The location that `name` stands for."""
    found = aliases[name]
    if isinstance(found, int):
        inner, back = cast(Any, parser), parser.pos
        inner._resume_from(found)
        aliases.pop(name)  # not to go round in circles
        aliases[name] = found = cast(LocationAttr, inner._parse_location())
        inner._resume_from(back)
    return found


def _parse_fused(parser: AttrParser) -> FusedLoc:
    parser.parse_keyword("fused")
    metadata: Attribute = NoneAttr()
    if parser.parse_optional_punctuation("<") is not None:
        metadata = parser.parse_attribute()
        parser.parse_punctuation(">")
    parts = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, cast(Any, parser)._parse_location)
    return FusedLoc(tuple(cast("list[LocationAttr]", parts)), metadata)
