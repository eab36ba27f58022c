"""Write docs/api.md: every public name of `hhlo_xdsl`, with the first paragraph of its docstring.

`make api` runs it; `make lint` runs it with --check, which writes nothing and fails if the page is not up to date.
"""

import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import hhlo_xdsl as hh

PAGE = Path(__file__).resolve().parent.parent / "docs" / "api.md"

HEAD = """\
# What `import hhlo_xdsl as hh` gives

Each line begins the documentation of a name; `help(hh.sum)` shows the rest, and `hh.__version__` is
the version. Written by `make api` from the docstrings.
"""

GROUPS = {
    "Tracing and running": "trace jit Tensor Session CompileOptions Executable MemoryStats Array wait callback"
    " register_ffi Mesh shard",
    "Derivatives": "grad value_and_grad vjp jvp jacobian jacrev jacfwd hessian stop_gradient custom_vjp custom_jvp"
    " checkpoint",
    "Programs": "parse load to_text save grad_module vjp_module jvp_module legalize_chlo",
    "Types": "spec DType Spec",
    "Errors": "HhloError ShapeError DTypeError TraceError DifferentiationError ParseError VerifyError"
    " SyntaxVersionError CompileError RuntimeArgumentError PluginError",
    "Loops and branches": "while_loop fori_loop scan map associative_scan cond switch",
}
"""Names that belong together although different modules define them. Others are grouped by the module."""

BY_MODULE = {
    "ops.creation": "New tensors",
    "ops.unary": "Functions of one number",
    "ops.binary": "Functions of two numbers",
    "ops.compare": "Comparison and choice",
    "ops.indexing": "Indexing",
    "ops.ordering": "Sorting and searching",
    "ops.cumulative": "Cumulative functions",
    "ops.reduction": "Reductions",
    "ops.contraction": "Products and convolution",
    "ops.movement": "Shapes and places",
    "ops.linalg": "Linear algebra, more in `hh.linalg`",
}

KINDS = {
    "bool": "booleans",
    "int": "signed integers",
    "uint": "unsigned integers",
    "float": "floats",
    "complex": "complex numbers",
}

ONE_PER_OP = ("stablehlo", "chlo")
"""Modules with a function per op, whose names are those of the ops."""


def page() -> str:
    """The text of docs/api.md."""
    return "\n".join([HEAD, *(f"## {title}\n\n{table}\n" for title, table in sections())])


def sections() -> Iterator[tuple[str, str]]:
    """The groups of names, each with its table."""
    for title, names in groups().items():
        yield title, table((f"hh.{name}", getattr(hh, name)) for name in names)
    for name, module in modules().items():
        yield f"`hh.{name}`", f"{summary(module)}\n\n{table(members(name, module))}"
    yield "A function per op", table((f"hh.{name}", getattr(hh, name)) for name in ONE_PER_OP)


def groups() -> dict[str, list[str]]:
    """Title -> names, of all that are not modules; KeyError for one that belongs nowhere."""
    found = {title: names.split() for title, names in GROUPS.items()}
    grouped = {name for names in found.values() for name in names}
    found |= {title: [] for title in BY_MODULE.values()}
    for name in hh.__all__:
        value = getattr(hh, name)
        if name in grouped or isinstance(value, ModuleType):
            continue
        module = hh._HOME[name].removeprefix("hhlo_xdsl.")
        found["Types" if isinstance(value, hh.DType) else BY_MODULE[module]].append(name)
    return found


def modules() -> dict[str, ModuleType]:
    """The public modules whose functions are listed."""
    found = {name: getattr(hh, name) for name in hh.__all__}
    return {name: m for name, m in found.items() if isinstance(m, ModuleType) and name not in ONE_PER_OP}


def members(name: str, module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public functions and classes of a module."""
    for own, value in vars(module).items():
        if not own.startswith("_") and callable(value) and is_public(own, value, module):
            yield f"hh.{name}.{own}", value


def is_public(name: str, value: Any, module: ModuleType) -> bool:
    """Whether a module offers a name: it lists it, or, having no list, defines it."""
    listed = getattr(module, "__all__", None)
    return value.__module__ == module.__name__ if listed is None else name in listed


def table(rows: Iterable[tuple[str, Any]]) -> str:
    """Markdown: a line per name."""
    lines = (f"| {escaped(f'`{name}{signature(value)}`')} | {escaped(summary(value))} |" for name, value in rows)
    return "\n".join(["| name | what |", "|---|---|", *lines])


def escaped(text: str) -> str:
    """`text` as a cell of a table holds it: outside of code, no sign makes a link or other letters."""
    parts = text.split("`")
    parts[::2] = [part.replace("*", r"\*").replace("](", r"]\(") for part in parts[::2]]
    return "`".join(parts).replace("|", r"\|")


def signature(value: Any) -> str:
    """The parameters of a function with their defaults; nothing for a class."""
    if not inspect.isfunction(value):
        return ""
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(value).parameters.values()]
    return str(inspect.Signature(bare))


def summary(value: Any) -> str:
    """The first paragraph of a docstring, in one line; of an element type what its elements are."""
    if isinstance(value, hh.DType):
        return f"{KINDS[value.kind]} of {value.bits} bits" if value.bits > 1 else KINDS[value.kind]
    return " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())


def main() -> int:
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        print("docs/api.md is not what the docstrings say; run `make api`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
