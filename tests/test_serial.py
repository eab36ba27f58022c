"""Compiled programs as bytes and in a folder; what the compiler tells about them; donated arguments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hhlo_xdsl.dtypes import f32
from hhlo_xdsl.errors import CompileError, HhloError, RuntimeArgumentError
from hhlo_xdsl.files import save
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.session import Session
from hhlo_xdsl.text import parse
from tests.test_parallel import SUM, arguments
from tests.test_runtime import ADD, X

pytestmark = pytest.mark.compat

MATMUL = """func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session("cpu", devices=4) as session:
        yield session


@pytest.fixture(scope="module")
def data(session: Session) -> bytes:
    return session.compile(ADD).serialize()


# Bytes


def test_round_trip(session: Session, data: bytes):
    again = session.load(data)
    assert again.signature == ((f32[4], f32[4]), (f32[4],))
    assert again(X, X)[0].numpy().tolist() == [0, 2, 4, 6]


def test_on_another_device(session: Session, data: bytes):
    second = session.devices[1]
    (out,) = session.load(data, device=second)(X, X)
    assert out.device is second
    assert out.numpy().tolist() == [0, 2, 4, 6]


def test_in_another_session(data: bytes):
    with Session("cpu") as other:
        assert other.load(data)(X, X)[0].numpy().tolist() == [0, 2, 4, 6]


def test_replicas_round_trip(session: Session):
    exe = session.load(session.compile(SUM, options=CompileOptions(replicas=4)).serialize())
    assert [float(s) for s, _ in exe.run_replicas(arguments())] == [10.0] * 4
    with Session("cpu") as one, pytest.raises(CompileError, match="need 4 devices, found 1"):
        one.load(exe.serialize())


def test_damaged_bytes_are_refused(session: Session, data: bytes):
    for position in (9, 50, len(data) // 2, len(data) - 1):
        broken = bytearray(data)
        broken[position] ^= 1
        with pytest.raises(CompileError, match="is damaged: its checksum does not fit"):
            session.load(bytes(broken))
    for part in (b"", data[:4], b"ELF" + data):
        with pytest.raises(CompileError, match="no compiled program of hhlo-xdsl"):
            session.load(part)
    with pytest.raises(CompileError, match="is damaged"):
        session.load(data[:-5])


def test_bytes_of_another_version_are_refused(session: Session, monkeypatch: pytest.MonkeyPatch):
    jaxlib = session.devices[0].jaxlib
    monkeypatch.setattr(type(jaxlib), "version", lambda self: "0.1.2")
    old = session.compile(ADD).serialize()
    monkeypatch.undo()
    with pytest.raises(CompileError, match=r"compiled by jaxlib 0\.1\.2 for cpu .* and this is jaxlib 0\.1\d?\.\d"):
        session.load(old)


# The folder


def test_a_program_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with Session("cpu", cache=tmp_path) as session:
        assert session.compile(ADD)(X, X)[0].numpy().tolist() == [0, 2, 4, 6]
    (file,) = tmp_path.iterdir()
    with Session("cpu", cache=tmp_path) as session:
        monkeypatch.setattr("hhlo_xdsl.session.compile_text", None)
        assert session.compile(ADD)(X, X)[0].numpy().tolist() == [0, 2, 4, 6]
        assert list(tmp_path.iterdir()) == [file]


def test_options_and_text_make_a_difference(tmp_path: Path):
    with Session("cpu", cache=tmp_path) as session:
        session.compile(ADD)
        session.compile(ADD, options=CompileOptions(optimization_level=0))
        session.compile(ADD.replace("add", "multiply"))
    assert len(list(tmp_path.iterdir())) == 3


def test_a_damaged_file_is_made_again(tmp_path: Path):
    with Session("cpu", cache=tmp_path) as session:
        session.compile(ADD)
        (file,) = tmp_path.iterdir()
        whole = file.read_bytes()
        for broken in (b"", whole[:100], whole[:-1] + b"?"):
            file.write_bytes(broken)
            assert session.compile(ADD)(X, X)[0].numpy().tolist() == [0, 2, 4, 6]
            assert file.read_bytes() != broken


# What the compiler tells


def test_cost_and_memory(session: Session):
    exe = session.compile(MATMUL)
    assert exe.cost_analysis()["flops"] == 2 * 8 * 16 * 4
    memory = exe.memory_stats()
    assert (memory.arguments, memory.outputs, memory.aliased) == (4 * (8 * 16 + 16 * 4), 4 * 8 * 4, 0)
    assert exe.hlo_text().startswith("HloModule")


def test_a_platform_that_does_not_count(session: Session):
    exe = session.compile(MATMUL)

    class Silent:
        def cost_analysis(self) -> None:
            raise RuntimeError("UNIMPLEMENTED")

    exe.compiled = Silent()
    with pytest.raises(HhloError, match="the cpu platform does not give the cost of the program: UNIMPLEMENTED"):
        exe.cost_analysis()


# Donation


def test_donated_arguments_are_gone(session: Session):
    exe = session.compile(ADD, options=CompileOptions(donate=(0,)))
    assert exe.memory_stats().aliased == 16
    x, y = session.put(X), session.put(X)
    (out,) = exe(x, y)
    assert out.numpy().tolist() == [0, 2, 4, 6]
    assert (x.is_deleted, y.is_deleted) == (True, False)
    with pytest.raises(RuntimeArgumentError, match="was deleted or donated to a program"):
        x.numpy()
    with pytest.raises(RuntimeArgumentError, match=r"argument 0: .*deleted or donated"):
        exe(x, y)
    assert exe(out, y)[0].numpy().tolist() == [0, 3, 6, 9]


def test_donation_leaves_the_module_alone(session: Session):
    module = parse(ADD)
    session.compile(module, options=CompileOptions(donate=(0, 1)))
    x = session.put(X)
    session.compile(module)(x, x)
    assert not x.is_deleted


# Programs and options


def test_programs_as_bytes(session: Session, tmp_path: Path):
    save(parse(ADD), tmp_path / "add.mlirbc")
    exe = session.compile((tmp_path / "add.mlirbc").read_bytes())
    assert exe(X, X)[0].numpy().tolist() == [0, 2, 4, 6]


def test_dump(session: Session, tmp_path: Path):
    session.compile(ADD, options=CompileOptions(dump=tmp_path / "dump"))
    assert any(file.name.endswith("after_optimizations.txt") for file in (tmp_path / "dump").iterdir())


def test_fast_math_and_level_give_the_same_sum(session: Session):
    for options in (CompileOptions(fast_math=True), CompileOptions(optimization_level=0)):
        assert session.compile(ADD, options=options)(X, np.ones(4, np.float32))[0].numpy().tolist() == [1, 2, 3, 4]
