"""Programs in files: `load` and `save`, text (.mlir) and bytes (.mlirbc)."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.errors import ParseError
from hhlo_xdsl.runtime.bytecode import MAGIC, portable_artifact, text_of
from hhlo_xdsl.text import parse, to_text


def load(path: str | Path) -> ModuleOp:
    """The module in a file: MLIR text, a portable artifact or plain MLIR bytecode, told apart by how it begins.

    Raises ParseError for what is none of these, VerifyError for a program that breaks a constraint, OSError for a file
    that cannot be read.
    """
    data = Path(path).read_bytes()
    if data.startswith(MAGIC):
        return parse(text_of(data, str(path)), filename=str(path))
    try:
        return parse(data.decode("utf-8"), filename=str(path))
    except UnicodeDecodeError as error:
        raise ParseError(f"{path}: neither MLIR bytecode nor UTF-8 text (byte {error.start} is not UTF-8)") from None


def save(module: ModuleOp, path: str | Path, *, version: str = "1.16") -> None:
    """Write a module for consumers of StableHLO `version`: a portable artifact to `.mlirbc`, text to any other name.

    Raises SyntaxVersionError for what the version cannot hold.
    """
    target = Path(path)
    text = to_text(module, syntax=f"pjrt-{version}")
    if target.suffix == ".mlirbc":
        target.write_bytes(portable_artifact(text, version))
    else:
        target.write_text(text, encoding="utf-8")
