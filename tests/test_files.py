"""Programs in files: text, portable artifacts, plain bytecode."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from hhlo_xdsl.errors import ParseError, SyntaxVersionError
from hhlo_xdsl.files import load, save
from hhlo_xdsl.runtime.bytecode import portable_artifact
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import run

PROGRAMS = sorted((Path(__file__).parent / "data" / "programs").glob("*.mlir"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_saved_text_is_the_same_program(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "program.mlir"
    save(load(path), file)
    assert cpp.generic(to_text(load(file))) == cpp.generic(path.read_text())


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_saved_bytes_are_the_artifact_that_upstream_makes_of_the_text(path: Path, tmp_path: Path) -> None:
    """Artifacts spell defaults out, so the program is compared with the source's own artifact."""
    file = tmp_path / "program.mlirbc"
    save(load(path), file)
    own = tmp_path / "own.mlirbc"
    own.write_bytes(portable_artifact(path.read_text(), "1.16"))
    assert cpp.generic(to_text(load(file))) == cpp.generic(to_text(load(own)))


def test_plain_bytecode_is_read(tmp_path: Path) -> None:
    source = PROGRAMS[0].read_text()
    out = io.BytesIO()
    cpp.parse(source).operation.write_bytecode(out)
    file = tmp_path / "plain.mlirbc"
    file.write_bytes(out.getvalue())
    assert cpp.generic(to_text(load(file))) == cpp.generic(source)


def test_bytes_are_told_by_their_beginning_not_their_name(tmp_path: Path) -> None:
    file = tmp_path / "program.mlirbc"
    save(load(PROGRAMS[0]), file)
    renamed = file.rename(tmp_path / "program.txt")
    assert load(renamed).is_structurally_equivalent(load(renamed))


@pytest.mark.parametrize("cut", [4, 5, 20, 100, 300])
def test_truncated_bytes_are_a_parse_error(cut: int, tmp_path: Path) -> None:
    file = tmp_path / "program.mlirbc"
    save(load(PROGRAMS[0]), file)
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(ParseError, match="neither a portable artifact nor bytecode"):
        load(file)


def test_bytes_that_are_nothing(tmp_path: Path) -> None:
    file = tmp_path / "program.mlir"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ParseError, match="neither MLIR bytecode nor UTF-8 text"):
        load(file)


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SyntaxVersionError, match=r'"pjrt-9\.9"'):
        save(parse("module {}"), tmp_path / "program.mlirbc", version="9.9")


def test_a_chlo_op_is_saved_as_what_it_means(tmp_path: Path) -> None:
    chlo = parse(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = chlo.square %x : tensor<f32> -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}"
    )
    file = tmp_path / "program.mlirbc"
    save(chlo, file)
    assert run(load(file), np.float32(3))[0] == 9
