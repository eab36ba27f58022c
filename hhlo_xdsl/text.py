"""Text and modules: `parse`, `to_text`, and the context that knows the dialects."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func

from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.quant import Quant
from hhlo_xdsl.dialects.sdy import Sdy
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.dialects.stablehlo.control_flow import is_lossy
from hhlo_xdsl.errors import ParseError, SyntaxVersionError, TraceError
from hhlo_xdsl.passes.spellings import is_spelled_generic
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.passes.versions import VERSIONS
from hhlo_xdsl.reader import read
from hhlo_xdsl.writer import written

_DIALECTS = (Builtin, Func, StableHLO, CHLO, Quant, Sdy)

_BESIDE = ("arith", "cf", "scf", "tensor")
"""Dialects of xDSL that programs mix with StableHLO; they are read and written, and have no derivatives."""


def context() -> Context:
    """A context that knows builtin, func, stablehlo, chlo, the types of quant, and the marks of sdy.

    It loads arith, cf, scf and tensor when a text has an op of them.
    """
    ctx = Context()
    for dialect in _DIALECTS:
        ctx.load_dialect(dialect)
    others = get_all_dialects()
    for name in _BESIDE:
        ctx.register_dialect(name, others[name])
    return ctx


def parse(text: str, *, filename: str = "<text>") -> ModuleOp:
    """The module that MLIR text describes, in pretty or generic form, verified.

    Ops carry their line and column as location, unless the text gives one. Raises ParseError for text that is not a
    program, VerifyError (ShapeError, DTypeError) for a program that breaks a constraint; both name line and column.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ParseError(
            f"parse: got {type(text).__name__}; text (str) was expected; read the file with open(path).read()"
        )
    module = read(context(), text, filename)
    verify(module)
    return module


def to_text(module: ModuleOp, *, syntax: str = "pretty") -> str:
    """The text of a module: "pretty", "generic", or "pjrt-1.16" for what that version's parser takes.

    Raises SyntaxVersionError for an unknown syntax, and for an op that the version cannot spell.
    """
    if not isinstance(module, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TraceError(f"to_text: got {type(module).__name__}; a module was expected; use hh.trace or hh.parse")
    if syntax == "pretty":
        return written(module, is_lossy) + "\n"
    if syntax == "generic":
        return written(module, generic=True) + "\n"
    kind, _, version = syntax.partition("-")
    if kind != "pjrt" or version not in VERSIONS:
        raise SyntaxVersionError(
            f'to_text: syntax is "{syntax}"; it must be "pretty", "generic", or "pjrt-VERSION" with a VERSION from'
            f" {VERSIONS[0]} to {VERSIONS[-1]}"
        )
    return written(module, lambda op: is_spelled_generic(op, version)) + "\n"
