"""The benchmarks run; what they measure is judged by who runs them."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


def run(*sections: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(BENCHMARKS / "run.py"), *sections]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_sections() -> None:
    done = run("constants", "calls")
    assert done.returncode == 0, done.stderr
    for what in ("reading a splat", "writing a hexadecimal string", "hh.jit", "budgets are missed"):
        assert what in done.stdout


def test_a_section_that_does_not_exist() -> None:
    done = run("constant")
    assert done.returncode != 0
    assert "known are text, growth, constants" in done.stderr
