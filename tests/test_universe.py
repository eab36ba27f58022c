"""Stock `xdsl-opt` finds the dialects and passes, also beside another package that defines `stablehlo`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.universe import Universe

PROGRAM = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""

RIVAL = """
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe

def dialect():
    return Dialect("stablehlo")

def own():
    return Dialect("rival")

class RivalPass(ModulePass):
    name = "rival-pass"

    def apply(self, ctx, op):
        op.attributes["rival.ran"] = UnitAttr()

RIVAL = Universe(
    all_dialects={"stablehlo": dialect, "rival": own},
    all_passes={"rival-pass": lambda: RivalPass},
)
"""


def xdsl_opt(text: str, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "xdsl.tools.xdsl_opt", *args]
    return subprocess.run(
        command, input=text, env=os.environ | env, capture_output=True, text=True, check=False, timeout=60
    )


def install(folder: Path, name: str, source: str) -> str:
    """Put a package with one universe under `folder`; the PYTHONPATH that finds it."""
    (folder / f"{name}.py").write_text(source)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[xdsl.universe]\n{name} = {name}:RIVAL\n")
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))


def test_multiverse_has_dialects_and_passes():
    found = Universe.get_multiverse()
    assert {"stablehlo", "chlo"} <= found.all_dialects.keys()
    assert {"chlo-legalize-to-stablehlo", "hhlo-grad", "hhlo-jvp", "hhlo-pjrt-syntax"} <= found.all_passes.keys()


@pytest.mark.parametrize("name", ["stablehlo", "chlo"])
def test_dialects_are_ours(name: str):
    dialect = Universe.get_multiverse().all_dialects[name]()
    assert dialect.name == name
    assert {op.__module__.rpartition(".")[0] for op in dialect.operations} == {f"hhlo_xdsl.dialects.{name}"}


@pytest.mark.parametrize("name", ["chlo-legalize-to-stablehlo", "hhlo-grad", "hhlo-jvp", "hhlo-pjrt-syntax"])
def test_passes_go_by_their_names(name: str):
    assert Universe.get_multiverse().all_passes[name]().name == name


def test_stock_xdsl_opt_runs_a_pass():
    done = xdsl_opt(PROGRAM, "-p", "hhlo-pjrt-syntax")
    assert done.returncode == 0, done.stderr
    assert '"stablehlo.reverse"(%x) {dimensions = array<i64: 0>}' in done.stdout


def test_pass_option():
    done = xdsl_opt(PROGRAM, "-p", 'hhlo-pjrt-syntax{version="0.1"}')
    assert done.returncode != 0
    assert 'StableHLO version "0.1" is not known; known are 1.0 to 1.22' in done.stderr


# An attribute before the first op of ours, which is when xDSL imports the dialect.
@pytest.mark.parametrize("value", ["0xFF800000", "0x7F800001", "[0.000000e+00, -0.000000e+00]"])
def test_elements_are_repaired_from_the_start(value: str):
    text = f"builtin.module attributes {{a.x = dense<{value}> : tensor<2xf32>}} {{\n}}\n"
    assert xdsl_opt(text).stdout.strip() == text.strip()


# xDSL loads universes in an order that their names do not decide, and merges them by name.
@pytest.mark.parametrize("name", ["a_rival", "z_rival"])
def test_rival_gives_way(name: str, tmp_path: Path):
    path = install(tmp_path, name, RIVAL)
    done = xdsl_opt(PROGRAM, "-p", "rival-pass,hhlo-pjrt-syntax", PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert "attributes {rival.ran}" in done.stdout
    assert '"stablehlo.reverse"(%x) {dimensions = array<i64: 0>}' in done.stdout
    assert done.stderr == ""


def test_rival_is_kept_on_request(tmp_path: Path):
    path = install(tmp_path, "rival", RIVAL)
    done = xdsl_opt(PROGRAM, PYTHONPATH=path, HHLO_XDSL_KEEP_OTHER_DIALECTS="1")
    assert done.returncode != 0
    assert "Duplicate definition of stablehlo in ['hhlo', 'rival']" in done.stderr


def test_other_dialects_of_the_rival_stay(tmp_path: Path):
    path = install(tmp_path, "rival", RIVAL)
    code = "from xdsl.universe import Universe; print({'rival', 'stablehlo'} <= Universe.get_multiverse().all_dialects.keys())"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "True\n", done.stderr


def test_broken_rival_is_reported_by_xdsl(tmp_path: Path):
    path = install(tmp_path, "rival", "raise RuntimeError('rival is broken')")
    done = xdsl_opt(PROGRAM, PYTHONPATH=path)
    assert done.returncode != 0
    assert "rival is broken" in done.stderr
