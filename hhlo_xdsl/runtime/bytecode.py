"""Between text and bytes: portable artifacts and plain MLIR bytecode, through the bindings that jaxlib ships.

A portable artifact (https://github.com/openxla/stablehlo/blob/main/docs/bytecode.md) is StableHLO at a stated version,
and is read by every later one. Plain bytecode is tied to the version of MLIR that wrote it; it is read, never written.
"""

from __future__ import annotations

import importlib
import threading
from typing import Any

from hhlo_xdsl.errors import ParseError, SyntaxVersionError

MAGIC = b"ML\xefR"
"""How MLIR bytecode, and so every portable artifact, begins."""

_lock = threading.Lock()
_contexts: list[Any] = []


def text_of(data: bytes, filename: str) -> str:
    """The program in `data`, a portable artifact or plain bytecode, as text; raises ParseError."""
    if not data.startswith(MAGIC):
        raise ParseError(
            f"{filename}: it begins with {data[:4]!r}; MLIR bytecode begins with {MAGIC!r}; read text with hh.parse"
        )
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    bindings: Any = stablehlo
    context = _context()
    try:
        module = bindings.deserialize_portable_artifact(context, data)
    except ValueError:
        module = None
    try:
        module = module or ir.Module.parse(data, context)
        return str(module.operation.get_asm())
    except (ir.MLIRError, ValueError) as error:
        raise ParseError(
            f"{filename}: neither a portable artifact nor bytecode that this jaxlib reads ({_first_line(error)});"
            " write it again as a portable artifact of an older version"
        ) from None


def portable_artifact(text: str, version: str) -> bytes:
    """The program `text` as a portable artifact of StableHLO `version`, "1.16"; raises SyntaxVersionError.

    CHLO ops become what they mean in StableHLO where jaxlib knows it, and are kept otherwise, in the mixed form that
    versions from 1.11 on read.
    """
    from jaxlib.mlir import ir

    target = version if version.count(".") == 2 else f"{version}.0"
    mixed = "chlo." in text
    serialize: Any = importlib.import_module("jaxlib._jax").mlir.serialize_portable_artifact
    module = ir.Module.parse(text, _context())
    try:
        try:
            return serialize(module, target, mixed)
        except TypeError:  # older jaxlibs take text
            return serialize(text, target, mixed)
    except (ValueError, RuntimeError) as error:
        hint = "; lower CHLO first, which only versions from 1.11 on can hold" if mixed else ""
        raise SyntaxVersionError(
            f"save: the program cannot be written for StableHLO {version} ({_first_line(error)}); this jaxlib writes"
            f" 0.9 to {stablehlo_version()}{hint}"
        ) from None


def mlir_module(text: str) -> Any:
    """jaxlib's MLIR module of `text`; raises ValueError with MLIR's message."""
    from jaxlib.mlir import ir

    try:
        return ir.Module.parse(text, _context())
    except ir.MLIRError as error:
        raise ValueError(str(error)) from error


def stablehlo_version() -> str:
    """The version of StableHLO in jaxlib."""
    from jaxlib.mlir.dialects import stablehlo

    bindings: Any = stablehlo
    return str(bindings.get_current_version())


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _context() -> Any:
    """An MLIR context that knows func, stablehlo, chlo, sdy and the types of quant; made once."""
    with _lock:
        if not _contexts:
            _contexts.append(_new_context())
        return _contexts[0]


def _new_context() -> Any:
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, sdy, stablehlo

    extension: Any = _jax_mlir_ext
    registry = ir.DialectRegistry()
    extension.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    dialects: tuple[Any, ...] = (stablehlo, chlo, sdy)
    for dialect in dialects:
        dialect.register_dialect(context)
    # Nothing in jaxlib registers quant by name; reading a portable artifact loads it.
    bindings: Any = stablehlo
    empty = bindings.serialize_portable_artifact(ir.Module.parse("module {}", context), "1.0.0")
    bindings.deserialize_portable_artifact(context, empty)
    return context
