"""What attributes of `@main` and its arguments tell the compiler: donated memory, shardings."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr, ModuleOp
from xdsl.ir import Attribute

from hhlo_xdsl.errors import CompileError

_SHARDINGS = ("sdy.sharding", "mhlo.sharding")
Attributes = ArrayAttr[DictionaryAttr] | None


def main_of(module: ModuleOp) -> func.FuncOp:
    """The function `@main`; raises CompileError if there is none."""
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data == "main":
            return op
    raise CompileError('compile: the module has no function @main to run; name one with hh.trace(..., name="main")')


def donating(module: ModuleOp, numbers: Sequence[int]) -> ModuleOp:
    """A copy of `module` that lets the compiler put results into the memory of arguments `numbers` of `@main`."""
    copy = module.clone()
    function = main_of(copy)
    count = len(function.function_type.inputs)
    attributes = _each(function.arg_attrs, count)
    for i in numbers:
        if i >= count:
            raise CompileError(f"compile: donate names argument {i}, but @main has {count}; use numbers below that")
        attributes[i]["jax.buffer_donor"] = BoolAttr.from_bool(True)
    function.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(a) for a in attributes])
    return copy


def open_shardings(module: ModuleOp) -> tuple[list[bool], list[bool]]:
    """For each argument and each result of `@main`, whether the partitioner may choose how it is cut."""
    function = main_of(module)
    type = function.function_type
    return (
        _unmarked(function.arg_attrs, len(type.inputs)),
        _unmarked(function.res_attrs, len(type.outputs)),
    )


def _unmarked(attributes: Attributes, count: int) -> list[bool]:
    return [all(name not in one for name in _SHARDINGS) for one in _each(attributes, count)]


def _each(attributes: Attributes, count: int) -> list[dict[str, Attribute]]:
    """The attributes of each argument or result."""
    return [dict(a.data) for a in attributes] if attributes is not None else [{} for _ in range(count)]
