"""Which line of the user's code is running, for locations in the IR and for error messages."""

from __future__ import annotations

import contextlib
import inspect
import os
from functools import lru_cache

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from hhlo_xdsl import dialects, passes
from hhlo_xdsl.errors import HhloError

_NOT_THE_USERS = (
    *(os.path.dirname(os.path.abspath(path)) + os.sep for path in (__file__, dialects.__file__, passes.__file__)),
    contextlib.__file__,
)
"""Where frames that are not the user's come from: this package, wherever its parts are installed, and `with`."""


def _user_frame() -> tuple[str, int, str] | None:
    """File, line and function of the innermost frame outside this package."""
    frame = inspect.currentframe()
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_NOT_THE_USERS):
            return code.co_filename, frame.f_lineno, code.co_name
        frame = frame.f_back
    return None


@lru_cache(maxsize=4096)
def _location(filename: str, line: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(filename), IntAttr(line), IntAttr(0))


def user_location() -> FileLineColLoc | None:
    """The location of the user's line that is running."""
    found = _user_frame()
    return None if found is None else _location(found[0], found[1])


def with_place(error: HhloError) -> HhloError:
    """`error`, its message completed by the user's line that is running; once only."""
    found = _user_frame()
    if found is None or getattr(error, "has_place", False):
        return error
    filename, line, function = found
    error.args = (f"{error}\n  at {os.path.basename(filename)}:{line} in {function}", *error.args[1:])
    error.has_place = True  # pyright: ignore[reportAttributeAccessIssue]
    return error
