"""What README.md shows is run as it stands."""

import argparse
import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hhlo_xdsl.cli import _parser
from hhlo_xdsl.passes.grad import GradPass
from hhlo_xdsl.passes.universe import UNIVERSE

ROOT = Path(__file__).resolve().parent.parent


def blocks(language: str, page: str = "README.md") -> list[str]:
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_python_blocks(tmp_path: Path):
    check_python_blocks("README.md", tmp_path)


def test_runtime_page(tmp_path: Path):
    check_python_blocks("docs/runtime.md", tmp_path)


def check_python_blocks(page: str, tmp_path: Path):
    """In order, as one program: later blocks may use what earlier ones define."""
    program = "\n".join(blocks("python", page))
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


PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_the_tests_that_pages_name_exist():
    """As `FILE`, `FILE::TEST`, or `TEST` alone, of any file."""
    sources = {path.name: path.read_text() for path in (ROOT / "tests").glob("test_*.py")}
    named: set[str] = set()
    missing: list[str] = []
    for page in PAGES:
        for file, test in re.findall(r"`(test_\w+\.py)?(?:::)?(test_\w+)?`", page.read_text()):
            source = sources.get(file, "") if file else "\n".join(sources.values())
            named |= {file or test} - {""}
            if (file and not source) or (test and f"def {test}(" not in source):
                missing.append(f"{page.name}: {file}::{test}")
    assert len(named) > 20
    assert not missing


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES], ids=lambda path: path.name)
def test_links_between_pages(page: Path):
    """What a page links to exists, and README.md links to every page."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text())
    assert not [link for link in links if not (page.parent / link).is_file()]
    if page.name == "README.md":
        assert {path.name for path in PAGES} <= {Path(link).name for link in links}


def first_cells(header: str) -> list[str]:
    """What stands in code in the first column of the table of README.md with this header."""
    _, _, rest = (ROOT / "README.md").read_text().partition(f"\n| {header} |")
    rows = rest.partition("\n\n")[0].splitlines()[2:]
    return [name for row in rows for name in re.findall(r"`([\w-]+)[^`]*`", row.split("|")[1])]


def test_the_tables_name_every_pass_option_and_command():
    assert sorted(first_cells("pass | what it does")) == sorted(UNIVERSE.all_passes)
    assert first_cells("option | default | meaning") == [field.name for field in dataclasses.fields(GradPass)]
    shown = re.findall(r"`hhlo (\w+)", (ROOT / "README.md").read_text())
    (commands,) = (a.choices for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert set(shown) == set(commands)


def test_the_table_of_options_has_their_defaults():
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", (ROOT / "README.md").read_text(), flags=re.MULTILINE)
    shown = {name: value.strip('"') for name, value in rows}
    defaults = {field.name: field.default for field in dataclasses.fields(GradPass)}
    expected = {
        "function": "main",
        "result": "0",
        "value": "true",
        "seed": "false",
        "safe": "false",
        "portable": "false",
    }
    assert shown == expected
    spelled = {"main": "main", (0,): "0", True: "true", False: "false"}
    assert {name: spelled[defaults[name]] for name in expected} == expected
