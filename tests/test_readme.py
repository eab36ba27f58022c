"""What README.md shows is run as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_python_blocks(tmp_path: Path):
    """In order, as one program: later blocks may use what earlier ones define."""
    program = "\n".join(blocks("python"))
    assert program
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", [block for block in blocks("sh") if re.search(r"^(xdsl-opt|hhlo) ", block, re.M)])
def test_shell_blocks(block: str, tmp_path: Path):
    done = shell(block, tmp_path)
    assert done.returncode == 0, done.stderr


def shell(block: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_shell_outputs(tmp_path: Path):
    """A block of text after one of commands is what they print. Errors of rounding depend on the machine."""
    text = (ROOT / "README.md").read_text()
    lines = r"((?:(?!```).*\n)*)"
    shown = re.findall(rf"^```sh\n{lines}```\n```text\n{lines}```$", text, flags=re.MULTILINE)
    assert shown
    for block, output in shown:
        done = shell(block, tmp_path)
        rounding = re.compile(r"\d\.\de-\d\d  ok")
        assert rounding.sub("ok", done.stdout) == rounding.sub("ok", output)


def test_the_tests_that_the_gradient_page_names_exist():
    page = (ROOT / "docs" / "conventions.md").read_text()
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", page)
    assert named
    missing = [f"{file}::{test}" for file, test in named if f"def {test}(" not in (ROOT / "tests" / file).read_text()]
    assert not missing
