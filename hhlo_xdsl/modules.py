"""`grad_module`, `vjp_module`, `jvp_module`: what the autodiff passes do, from module to module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.dialects.bulk import without_collector
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.errors import TraceError
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.symbols import Symbols
from hhlo_xdsl.transforms import integers


@without_collector()
def grad_module(module: ModuleOp, wrt: Sequence[int] | None = None, *, value: bool = False, **options: Any) -> ModuleOp:
    """A new module whose function is the gradient of that of `module`: what the pass `hhlo-grad` does.

    wrt     : the arguments to differentiate with respect to; every floating or complex one if None
    value   : whether the function's results come first
    options : the other options of `hhlo-grad`: function, result, seed, safe, portable, checkpoint, slots

    Raises DifferentiationError where there is no gradient.
    """
    return _derived("grad_module", module, GradPass, differentiate, {"wrt": wrt, "value": value, **options})


@without_collector()
def vjp_module(module: ModuleOp, wrt: Sequence[int] | None = None, *, value: bool = True, **options: Any) -> ModuleOp:
    """A new module whose function takes cotangents after its arguments, and gives those of the arguments in `wrt`.

    (x...) -> (y...) becomes (x..., ct of each floating or complex y) -> (y... if value, ct of x[i] for i in wrt).

    wrt     : the arguments to differentiate with respect to; every floating or complex one if None
    value   : whether the function's results come first
    options : the other options of `hhlo-grad`; `result` chooses some of the results

    Raises DifferentiationError where there is no derivative.
    """
    options = {"wrt": wrt, "value": value, "seed": True, **options}
    if "result" not in options and isinstance(module, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        function = Symbols(module).functions.get(options.get("function", "main"))
        types = () if function is None else function.function_type.outputs.data
        options["result"] = tuple(r for r, t in enumerate(types) if is_inexact(t)) or (0,)
    return _derived("vjp_module", module, GradPass, differentiate, options)


@without_collector()
def jvp_module(module: ModuleOp, wrt: Sequence[int] | None = None, **options: Any) -> ModuleOp:
    """A new module whose function gives tangents after its results: what the pass `hhlo-jvp` does.

    (x...) -> (y...) becomes (x..., tangent of x[i] for i in wrt) -> (y..., tangent of each floating or complex y).

    wrt     : the arguments that have tangents; every floating or complex one if None
    options : the other options of `hhlo-jvp`: function, safe

    Raises DifferentiationError where there is no derivative.
    """
    return _derived("jvp_module", module, JvpPass, differentiate_forward, {"wrt": wrt, **options})


def _derived(
    what: str, module: ModuleOp, request: Callable[..., Any], run: Callable[[ModuleOp, Any], None], options: Any
) -> ModuleOp:
    """A copy of `module`, rewritten by the pass that `request` makes of the options."""
    if not isinstance(module, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TraceError(f"{what}: got {type(module).__name__}; a module was expected; use hh.parse or hh.trace")
    for name in ("wrt", "result"):
        if options.get(name) is not None:
            options[name] = tuple(integers(f"{what}: {name}", options[name]))
    result = module.clone()
    try:
        made = request(**options)
    except TypeError as error:
        passed = "hhlo-jvp" if request is JvpPass else "hhlo-grad"
        raise TraceError(f"{what}: {error}; the options are those of {passed}") from None
    run(result, made)
    return result
