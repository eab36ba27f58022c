"""`import hhlo_xdsl as hh`: the names, when they are imported, and what they are called."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.dialects.registry import ops_of
from hhlo_xdsl.dialects.stablehlo import (
    binary,
    compare,
    contraction,
    creation,
    movement,
    reduction,
    unary,
)

PAGE = Path(__file__).resolve().parent.parent / "docs" / "api.md"


def imported_for_type_checkers() -> set[str]:
    tree = ast.parse(inspect.getsource(hh))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {alias.asname or "" for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_type_checkers_see_what_the_interpreter_sees():
    assert imported_for_type_checkers() == set(hh.__all__)


@pytest.mark.parametrize("name", hh.__all__)
def test_name_is_there_and_documented(name: str):
    value = getattr(hh, name)
    assert not isinstance(value, ModuleType) or name in (
        "chlo",
        "distributed",
        "fft",
        "linalg",
        "nn",
        "random",
        "stablehlo",
    )
    assert inspect.getdoc(value)
    assert name in dir(hh)


def test_the_page_of_names_has_all_of_them_and_no_others():
    """docs/api.md; `make lint` checks what it says about them."""
    listed = re.findall(r"^\| `hh\.([\w.]+)", PAGE.read_text(), flags=re.MULTILINE)
    assert len(set(listed)) == len(listed)
    assert {name.partition(".")[0] for name in listed} == set(hh.__all__)
    for module in ("distributed", "fft", "linalg", "nn", "random"):
        page = {name.partition(".")[2] for name in listed if name.startswith(f"{module}.")}
        assert page == public_functions(getattr(hh, module)), module


def public_functions(module: ModuleType) -> set[str]:
    """What `from module import *` gives, but for what the module itself imports."""
    found = getattr(module, "__all__", None)
    if found is not None:
        return set(found)
    tree = ast.parse(inspect.getsource(module))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return {name for name in names if not name.startswith("_")}


def in_a_new_interpreter(code: str) -> object:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_import_is_light():
    code = "import json, sys, hhlo_xdsl; print(json.dumps(sorted(sys.modules)))"
    assert not {"xdsl", "numpy", "jaxlib", "jax", "optree", "ml_dtypes"} & set(in_a_new_interpreter(code))


@pytest.mark.parametrize("name", ["trace", "where"])
def test_a_module_of_the_same_name_does_not_hide_a_function(name: str):
    code = f"import json, hhlo_xdsl as hh, hhlo_xdsl.{name}; print(json.dumps(type(hh.{name}).__name__))"
    assert in_a_new_interpreter(code) == "function"


def test_star_import():
    code = "import json; from hhlo_xdsl import *; print(json.dumps([f32.name, callable(matmul), nn.__name__]))"
    assert in_a_new_interpreter(code) == ["f32", True, "hhlo_xdsl.nn"]


def test_version():
    assert hh.__version__.count(".") == 2
    assert "__version__" in dir(hh)


def test_unknown_names():
    with pytest.raises(AttributeError, match="module 'hhlo_xdsl' has no attribute 'matmull'"):
        hh.matmull  # noqa: B018


FAMILIES = (creation, unary, binary, compare, movement, contraction, reduction)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_op_has_a_function_of_its_name(family: ModuleType):
    for op in ops_of(family, "stablehlo"):
        name = op.name.removeprefix("stablehlo.")
        function = getattr(hh.stablehlo, name, None) or getattr(hh.stablehlo, f"{name}_")
        assert inspect.getdoc(function)
        assert function.__name__ in (name, f"{name}_")
