"""`hhlo-jvp`: a function is rewritten into its forward-mode derivative. No formula stands here; see passes/jvp."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.bulk import without_collector
from hhlo_xdsl.dialects.emit import inserting
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.passes.differentiated import differentiated_arguments, differentiated_function, set_signature
from hhlo_xdsl.passes.generic_form import from_generic_form
from hhlo_xdsl.passes.jvp.calls import Calls
from hhlo_xdsl.passes.jvp.core import ForwardWalk, zero_tangent
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.symbols import Symbols, body_of
from hhlo_xdsl.passes.vjp.core import Options


@dataclass(frozen=True)
class JvpPass(HhloPass):
    """Rewrite a function into its forward-mode derivative, in place.

    (x...) -> (y...) becomes (x..., tangent of x[i] for i in wrt) -> (y..., tangent of each floating or complex y).
    """

    name = "hhlo-jvp"

    function: str = "main"
    """The function to differentiate."""
    wrt: tuple[int, ...] | None = None
    """Which arguments have tangents; every floating or complex one if not given."""
    safe: bool = False
    """Whether a rule gives zero where the incoming tangent is exactly zero."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises DifferentiationError where there is no derivative."""
        differentiate_forward(op, self)


@without_collector()
def differentiate_forward(module: ModuleOp, request: JvpPass) -> None:
    """Rewrite `request.function` of `module` into its forward-mode derivative, in place.

    On an error the module may be half rewritten; differentiate a clone to keep it.
    """
    for op in module.walk():
        from_generic_form(op)
    symbols = Symbols(module)
    function = differentiated_function(symbols, request.function, request.name)
    body = body_of(function, request.name)
    wrt = differentiated_arguments(function, request.wrt, request.name)

    *ops, terminator = list(body.ops)
    arguments = [body.args[i] for i in wrt]
    tangents: dict[SSAValue, SSAValue] = {x: body.insert_arg(x.type, len(body.args)) for x in arguments}
    walk = ForwardWalk(Options(safe=request.safe))
    walk.call = calls = Calls(symbols, walk)
    walk.pushforward(ops, tangents)
    with inserting(body, before=terminator):
        found = [
            tangents.get(y) or zero_tangent(y, f"result {r} of @{request.function}")
            for r, y in enumerate(terminator.operands)
            if is_inexact(y.type)
        ]
    terminator.operands = [*terminator.operands, *found]
    sweep(body)
    symbols.erase_unused(calls.replaced)
    set_signature(function, arguments=len(wrt), results=len(found), value=True)
