"""Text and modules: `parse`, `to_text`, and the context that knows the dialects."""

from __future__ import annotations

import io

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.printer import Printer

from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.quant import Quant
from hhlo_xdsl.dialects.sdy import Sdy
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.errors import ParseError, SyntaxVersionError
from hhlo_xdsl.passes.generic_form import to_generic_form
from hhlo_xdsl.passes.pjrt_syntax import spell
from hhlo_xdsl.passes.spellings import is_lossy
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.passes.versions import VERSIONS
from hhlo_xdsl.reader import read

_DIALECTS = (Builtin, Func, StableHLO, CHLO, Quant, Sdy)


def context() -> Context:
    """A context that knows builtin, func, stablehlo, chlo, the types of quant, and the marks of sdy."""
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
    if syntax == "pretty":
        return _printed(_in_full(module), generic=False)
    if syntax == "generic":
        return _printed(module, generic=True)
    kind, _, version = syntax.partition("-")
    if kind != "pjrt" or version not in VERSIONS:
        raise SyntaxVersionError(
            f'to_text: syntax is "{syntax}"; it must be "pretty", "generic", or "pjrt-VERSION" with a VERSION from'
            f" {VERSIONS[0]} to {VERSIONS[-1]}"
        )
    spelled = module.clone()
    spell(spelled, version)
    return _printed(spelled, generic=False)


def _in_full(module: ModuleOp) -> ModuleOp:
    """`module`, or a copy whose ops that the custom form does not do justice to print in the generic one."""
    if not any(map(is_lossy, module.walk())):
        return module
    copy = module.clone()
    for op in copy.walk():
        if is_lossy(op):
            to_generic_form(op)
    return copy


def _printed(module: ModuleOp, *, generic: bool) -> str:
    out = io.StringIO()
    Printer(out, print_generic_format=generic).print_op(module)
    return out.getvalue() + "\n"
