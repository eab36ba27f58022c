"""StableHLO's own C++ library, as jaxlib bundles it: an oracle for what text means and what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo

from hhlo_xdsl.passes.versions import VERSIONS


@cache
def context() -> ir.Context:
    """A context that knows func, stablehlo, chlo and sdy, and the types of quant, but no other op."""
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made = ir.Context()
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(made)
    # Nothing in jaxlib registers quant by name; reading a portable artifact loads it as a dependency.
    artifact = stablehlo.serialize_portable_artifact(ir.Module.parse("module {}", made), "1.0.0")
    stablehlo.deserialize_portable_artifact(made, artifact)
    return made


def parse(text: str) -> ir.Module:
    """The verified module; raises ir.MLIRError."""
    return ir.Module.parse(text, context())


def generic(text: str) -> str:
    """The program in generic form; equal for texts of the same program."""
    return parse(text).operation.get_asm(print_generic_op_form=True)


def pretty(text: str) -> str:
    """The program in custom form."""
    return parse(text).operation.get_asm()


def attribute(text: str) -> str:
    """An attribute as C++ prints it."""
    return str(ir.Attribute.parse(text, context()))


def is_newest() -> bool:
    """Whether this is the newest StableHLO that is supported, which has everything."""
    return stablehlo.get_current_version() == f"{VERSIONS[-1]}.0"


def refuses(text: str) -> str | None:
    """Why a program is refused; None if it is accepted."""
    try:
        parse(text)
    except ir.MLIRError as error:
        return "\n".join(str(d.message) for d in error.error_diagnostics) or str(error)
    return None


def interpret(text: str, *arrays: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """The results of the function `@main`, by StableHLO's reference interpreter."""
    module = parse(text)
    with context():
        results = stablehlo.eval_module(module, [ir.DenseElementsAttr.get(np.asarray(a, order="C")) for a in arrays])
        return [np.array(r) for r in results]
