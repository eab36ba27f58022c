"""The rules that keep the project readable: where imports may point, how large things may grow, what must be listed."""

import ast
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ("dialects", "passes", "hhlo_xdsl")
EVERYWHERE = (*PACKAGE, "tests", "examples", "benchmarks", "scripts", "filecheck", "docs")

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60

# What a layer may import beside the standard library. Each contains the one before it.
DIALECTS = {"xdsl", "typing_extensions", "hhlo_xdsl.dialects"}
PASSES = DIALECTS | {"hhlo_xdsl.passes"}
LIBRARY = PASSES | {"hhlo_xdsl", "numpy", "ml_dtypes", "optree"}
ALLOWED = {"dialects": DIALECTS, "passes": PASSES, "hhlo_xdsl": LIBRARY}

SPEC = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md#"
SPEC_SECTIONS = frozenset((ROOT / "tests/data/spec_sections.txt").read_text().split())


def python_files(*folders: str) -> list[str]:
    """Paths relative to the root: they name the test when it fails."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts)


@functools.cache
def parsed(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(), path)


def module_name(path: str) -> str:
    """The import name of a file of the package: dialects/stablehlo/unary.py is hhlo_xdsl.dialects.stablehlo.unary."""
    parts = Path(path).with_suffix("").parts
    if parts[0] != "hhlo_xdsl":
        parts = ("hhlo_xdsl", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: str, node: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Each import statement under `node`, with the absolute dotted name of what it imports."""
    for statement in ast.walk(node):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield statement, alias.name
        elif isinstance(statement, ast.ImportFrom):
            base = statement.module or ""
            if statement.level:
                package = module_name(path).split(".")
                up = statement.level - path.endswith("__init__.py")
                base = ".".join([*package[: len(package) - up], *filter(None, [base])])
            for alias in statement.names:
                yield statement, f"{base}.{alias.name}"


def is_within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def wrong_imports(path: str) -> Iterator[str]:
    allowed = ALLOWED[Path(path).parts[0]] | set(sys.stdlib_module_names)
    tree = parsed(path)
    if path.startswith("hhlo_xdsl/runtime/"):
        inside = {statement for function in functions(tree) for statement, _ in imports(path, function)}
    else:
        inside = set[ast.stmt]()
    for statement, name in imports(path, tree):
        if not is_within(name, allowed | {"jaxlib"} if statement in inside else allowed):
            yield f"{path}:{statement.lineno} imports {name}"


def test_imports_point_down():
    """xdsl <- dialects <- passes <- hhlo_xdsl; jaxlib in hhlo_xdsl/runtime only, inside functions; jax nowhere."""
    assert not [wrong for path in python_files(*PACKAGE) for wrong in wrong_imports(path)]


def test_folders_are_not_import_names():
    """`dialects` and `passes` are importable from the root by accident only; their names are hhlo_xdsl.dialects, ..."""
    wrong = [
        f"{path}:{statement.lineno} imports {name}"
        for path in python_files(*EVERYWHERE)
        for statement, name in imports(path, parsed(path))
        if is_within(name, {"dialects", "passes"})
    ]
    assert not wrong


@pytest.mark.parametrize("module", ["hhlo_xdsl", "hhlo_xdsl.dialects", "hhlo_xdsl.passes", "hhlo_xdsl.passes.universe"])
def test_import_is_light(module: str):
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not {"jax", "jaxlib", "scipy"} & set(done.stdout.split())


def test_files_are_short():
    lines = {path: len((ROOT / path).read_text().splitlines()) for path in python_files(*EVERYWHERE)}
    assert not {path: n for path, n in lines.items() if n > MAX_FILE_LINES}


def test_functions_are_short():
    """Docstrings do not count: a function people call may need a long one."""

    def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        first = function.body[0]
        documented = ast.get_docstring(function, clean=False) is not None
        docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
        return (function.end_lineno or 0) - function.lineno + 1 - docstring

    long = [
        f"{path}:{function.lineno} {function.name} has {code_lines(function)} lines"
        for path in python_files(*EVERYWHERE)
        for function in functions(parsed(path))
        if code_lines(function) > MAX_FUNCTION_LINES
    ]
    assert not long


def test_every_package_is_listed():
    """setuptools takes only what pyproject.toml lists; a folder left out works here and is missing from the wheel."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {str(Path(path).parent / "__init__.py") for path in python_files(*PACKAGE)}
    assert sorted(listed) == sorted(module_name(path) for path in folders)


def test_packages_have_an_init():
    folders = {Path(path).parent for path in python_files(*PACKAGE)}
    assert not [folder for folder in folders if not (ROOT / folder / "__init__.py").is_file()]


def test_no_path_of_a_machine_and_no_registry_host():
    # Written in pieces, since this file is searched too.
    words = ["/" + "work/", "/" + "root/", "/" + "home/", "/" + "Users/", "/tmp/" + "bash", "pypi" + ".org"]
    words += ["python" + "hosted.org", "npmjs" + ".org", "npmjs" + ".com"]
    searched = subprocess.run(
        ["git", "grep", "-nIF", *(arg for word in words for arg in ("-e", word))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if searched.returncode > 1:
        pytest.skip("not a git checkout")
    assert searched.stdout == ""


def op_classes() -> Iterator[tuple[str, ast.ClassDef]]:
    for path in python_files("dialects/stablehlo"):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and any(
                isinstance(decorator, ast.Name) and decorator.id == "irdl_op_definition"
                for decorator in node.decorator_list
            ):
                yield path, node


def op_name(definition: ast.ClassDef) -> str:
    for statement in definition.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="name")], value=ast.Constant(value=str(name))):
                return name
            case _:
                pass
    raise AssertionError(f"{definition.name} has no literal `name`")


def test_docstrings_link_to_the_spec():
    """An op links to its own section; one that the spec has no section for, to one that exists and says why."""
    wrong: list[str] = []
    for path, definition in op_classes():
        own = op_name(definition).removeprefix("stablehlo.")
        found = re.findall(re.escape(SPEC) + r"([\w-]*)", ast.get_docstring(definition) or "")
        expected = {own} if own in SPEC_SECTIONS else SPEC_SECTIONS
        if not found or found[0] not in expected:
            anchor = own if own in SPEC_SECTIONS else "<section>"
            wrong.append(f"{path}:{definition.lineno} {definition.name} links to {found}, not to {SPEC}{anchor}")
    assert not wrong


FAMILY_FILES = (
    "passes/vjp/{}.py",
    "hhlo_xdsl/ops/{}.py",
    "tests/test_{}.py",
    "filecheck/dialect/{}.mlir",
    "filecheck/vjp/{}.mlir",
)


# Families that have neither functions for people nor rules, and so neither of the files that would show those.
DIALECT_ONLY = {
    "asynchrony": "no rule has been written so far",
    "collective_reduction": "its functions are those of hh.stablehlo",
    "distribution": "its functions are those of hh.stablehlo",
    "deprecated": "its functions are those of hh.stablehlo",
    "extension": "tokens and tuples have no derivatives so far",
    "io": "what goes in or out has no derivatives",
    "dynamic": "its functions are those of hh.stablehlo",
    "indexing": "its functions are those of hh.stablehlo",
    "map": "its functions are those of hh.stablehlo",
    "ordering": "its functions are those of hh.stablehlo",
    "linalg": "its functions are those of hh.stablehlo",
    "normalization": "its functions are those of hh.stablehlo",
    "quantization": "quantized numbers have no derivatives",
    "random": "random bits have no derivatives",
}
SHOWN_LATER = {"hhlo_xdsl/ops/{}.py", "filecheck/vjp/{}.mlir"}


@pytest.mark.parametrize("family", sorted({Path(path).stem for path, _ in op_classes()}))
def test_family_has_the_same_name_everywhere(family: str):
    """CONTRIBUTING.md's recipe: whoever knows one file of a family knows the names of the others."""
    places = set(FAMILY_FILES) - (SHOWN_LATER if family in DIALECT_ONLY else set())
    assert not [path for place in places if not (ROOT / (path := place.format(family))).is_file()]
