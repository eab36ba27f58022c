"""The command `hhlo`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from hhlo_xdsl.cli import main
from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.sdy import Sdy
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.errors import PluginError
from hhlo_xdsl.session import Session
from hhlo_xdsl.text import parse
from tests.harness import main_of

PRODUCT = """func.func @main(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.multiply %a, %b : tensor<f64>
  return %0 : tensor<f64>
}
"""


@pytest.fixture
def product(tmp_path: Path) -> Path:
    path = tmp_path / "product.mlir"
    path.write_text(PRODUCT)
    return path


def test_grad_prints_a_program(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grad", str(product), "--wrt", "1", "--no-value"]) == 0
    function = main_of(parse(capsys.readouterr().out))
    assert str(function.function_type) == "(tensor<f64>, tensor<f64>) -> tensor<f64>"


def test_grad_writes_a_file(product: Path, tmp_path: Path) -> None:
    out = tmp_path / "gradient.mlir"
    assert main(["grad", str(product), "--syntax", "generic", "-o", str(out)]) == 0
    assert '"stablehlo.multiply"' in out.read_text()


def test_run_takes_arguments_from_a_file(product: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "args.npz", in_0=np.float64(3), in_1=np.float64(4))
    assert main(["run", str(product), "--args", str(tmp_path / "args.npz")]) == 0
    assert capsys.readouterr().out == "result 0: f64[]\n12.0\n"


def test_run_makes_up_arguments(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(product), "--seed", "3"]) == 0
    a, b = (np.random.default_rng(3).standard_normal(2)).tolist()
    assert float(capsys.readouterr().out.splitlines()[1]) == pytest.approx(a * b, rel=1e-12)


def test_check_agrees(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(product)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["computed", "argument", "0", "1"]
    assert all(line.endswith(" ok") for line in lines[2:])


def test_check_finds_a_wrong_gradient(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """floor(x) * y: the gradient is right everywhere but on the steps, where differences see the jump."""
    product.write_text(PRODUCT.replace("stablehlo.multiply %a, %b", "stablehlo.floor %a"))
    np.savez(product.with_suffix(".npz"), in_0=np.float64(1), in_1=np.float64(0))
    assert main(["check", str(product), "--wrt", "0", "--args", str(product.with_suffix(".npz"))]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_ops_lists_every_op_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines]
    assert len(set(names)) == len(names)
    assert {op.name for dialect in (StableHLO, CHLO, Sdy) for op in dialect.operations} < set(names)
    assert any(line.split() == ["stablehlo.multiply", "rule", "rule"] for line in lines)


def test_doctor_reports_versions_and_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "xdsl 0.75" in out
    assert "StableHLO 1." in out
    assert "cpu: cpu:0, programs run" in out


def test_doctor_says_what_is_wrong(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package == "optree":
            raise PackageNotFoundError(package)
        return "0.9.2"

    def broken(*args: object, **kwargs: object) -> Session:
        raise PluginError("no devices today")

    monkeypatch.setattr("hhlo_xdsl.doctor.version", version)
    monkeypatch.setattr("hhlo_xdsl.doctor.Session", broken)
    monkeypatch.setattr("hhlo_xdsl.doctor.find_plugins", lambda: {"xla_toaster": Path("/toaster.so")})
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "jaxlib 0.9.2 (untested; 0.10 to 0.12 are tested)" in lines
    assert "optree is not installed; reinstall hhlo-xdsl with pip" in lines
    assert "cpu: programs do not run: no devices today" in lines
    assert "plug-in xla_toaster: no devices today" in lines


def test_errors_are_one_message_without_traceback(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grad", str(product), "--wrt", "2"]) == 1
    assert capsys.readouterr().err.startswith("hhlo: hhlo-grad: wrt is 2, but @main has 2 arguments")
    product.write_text("func.func @main(")
    assert main(["run", str(product)]) == 1
    assert f"{product}:1:" in capsys.readouterr().err
    assert main(["run", str(product.with_name("none.mlir"))]) == 1
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["text", "array", "empty", "object"])
def test_files_that_hold_no_arguments(product: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    stored = product.with_name("args.npz")
    with stored.open("wb") as file:
        if kind == "text":
            file.write(b"no archive")
        elif kind == "array":
            np.save(file, np.ones(2))
        elif kind == "object":
            np.savez(file, np.array([None]))
    assert main(["run", str(product), "--args", str(stored)]) == 1
    assert f"{stored}: not a .npz file of arrays of numbers; write one with numpy.savez" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["grad", "x.mlir", "--wrt", "a"], ["run", "x.mlir", "--seed", "-1"], ["check", "x", "--seed", "x"]]
)
def test_wrong_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
