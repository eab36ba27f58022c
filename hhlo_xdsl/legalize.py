"""`legalize_chlo`: the pass `chlo-legalize-to-stablehlo` as a function."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.errors import TraceError
from hhlo_xdsl.passes.chlo_legalize import legalize


def legalize_chlo(module: ModuleOp) -> ModuleOp:
    """A new module that has StableHLO ops instead of CHLO's: what the pass `chlo-legalize-to-stablehlo` does.

    Raises DTypeError for elements that an op has no form for, ShapeError for unknown sizes that a form needs.
    """
    if not isinstance(module, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TraceError(f"legalize_chlo: got {type(module).__name__}; a module was expected; use hh.parse or hh.trace")
    result = module.clone()
    legalize(result)
    return result
