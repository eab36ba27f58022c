"""Where an op stands in the user's source or text, for messages."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation


def place(op: Operation) -> str:
    """A line ` at FILE:LINE:COLUMN`; empty where it is not known."""
    found = _file_location(op.location)
    if found is None:
        return ""
    column = f":{found.column.data}" if found.column.data else ""
    return f"\n  at {found.filename.data}:{found.line.data}{column}"


def _file_location(location: Attribute) -> FileLineColLoc | None:
    """The innermost place in a file that a location names."""
    match location:
        case FileLineColLoc():
            return location
        case NameLoc():
            return _file_location(location.location)
        case CallSiteLoc():
            return _file_location(location.callee) or _file_location(location.caller)
        case FusedLoc(locations=ArrayAttr(data=parts)):
            return next(filter(None, map(_file_location, parts)), None)
        case _:
            return None
