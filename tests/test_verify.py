"""Verification of modules: that what is right once is not asked again loses no fault."""

import inspect
import types
from collections.abc import Iterator
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.parser import Parser

from hhlo_xdsl.dialects.stablehlo.base import AbstractOp
from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import context, parse

OPS = [op for dialect in context().loaded_dialects for op in dialect.operations if issubclass(op, AbstractOp)]

AROUND = {
    "owner",
    "op",
    "parent",
    "parent_op",
    "parent_block",
    "parent_region",
    "next_op",
    "prev_op",
    "uses",
    "first_use",
}
"""By these attributes a verifier reaches what is neither the op nor in it."""

INSIDE = {"AsyncStartOp.infer"}
"""These use them on the ops of the op's own body only."""


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


def function(found: Any) -> types.FunctionType | None:
    """The function behind a method, a property or a cache."""
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__func__", found)
    if callable(found):
        found = inspect.unwrap(found)
    return found if isinstance(found, types.FunctionType) else None


def called(cls: type[Operation], code: types.CodeType, globals: dict[str, Any]) -> Iterator[types.FunctionType]:
    """The functions of this project, and the methods of `cls`, that `code` mentions."""
    for name in code.co_names:
        named = globals.get(name)
        found = [named, inspect.getattr_static(cls, name, None)]
        if inspect.ismodule(named):
            found += [getattr(named, inner, None) for inner in code.co_names]
        for candidate in map(function, found):
            if candidate is not None and candidate.__module__.startswith("hhlo_xdsl"):
                yield candidate


def looks_around(cls: type[AbstractOp]) -> bool:
    """Whether anything that `verify_semantics` may call, as far as names tell, reaches what is around the op."""
    todo, seen = [function(cls.verify_semantics)], set[types.FunctionType]()
    while todo:
        f = todo.pop()
        if f is None or f in seen or f.__qualname__ in INSIDE:
            continue
        seen.add(f)
        for code in code_objects(f.__code__):
            if AROUND & set(code.co_names):
                return True
            todo += called(cls, code, f.__globals__)
    return False


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_ops_say_if_they_look_around(op: type[AbstractOp]) -> None:
    assert op.LOOKS_AROUND or not looks_around(op)


def test_the_search_finds_what_looks_around() -> None:
    found = {op.name for op in OPS if looks_around(op)}
    assert {"stablehlo.dynamic_reshape", "stablehlo.all_gather", "stablehlo.composite"} <= found
    assert {"stablehlo.add", "stablehlo.reduce", "stablehlo.dot_general"}.isdisjoint(found)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_ops_have_one_verifier(op: type[AbstractOp]) -> None:
    """The declaration and `verify_semantics`: a `verify_` of its own would not be asked every time."""
    assert inspect.getclosurevars(op.verify_).nonlocals["custom_verify"] is AbstractOp.verify_


MAIN = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<f32>, %p: tensor<i1>) {{\n{}\n  return\n}}\n"
GOOD = "  %0 = stablehlo.sine %a : tensor<4xf32>\n  %1 = stablehlo.transpose %a, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>\n"
SHAPE = "  %{0} = stablehlo.constant dense<{1}> : tensor<1xi32>\n  %{2} = stablehlo.dynamic_reshape %a, %{0} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>\n"
REDUCE = """  %{0} = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {{
    %z = stablehlo.subtract %x, %{1} : tensor<f32>
    stablehlo.return %{2} : tensor<f32>
  }}
"""

FAULTS = {
    "another result": ('  %2 = "stablehlo.sine"(%a) : (tensor<4xf32>) -> tensor<5xf32>', "stablehlo.sine"),
    "another attribute": ("  %2 = stablehlo.transpose %b, dims = [1] : (tensor<4xf32>) -> tensor<4xf32>", "permutation"),
    "no attribute": ('  %2 = "stablehlo.transpose"(%b) : (tensor<4xf32>) -> tensor<4xf32>', "permutation"),
    "one attribute too many": ('  %2 = "stablehlo.sine"(%b) <{x = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>', "x"),
    "one operand too many": ('  %2 = "stablehlo.sine"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', "operand"),
    "one result too many": ('  %2:2 = "stablehlo.sine"(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)', "result"),
    "an operand instead of a result": ('  "stablehlo.sine"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> ()', "operand"),
    "used before its definition": ("  %2 = stablehlo.sine %3 : tensor<4xf32>\n  %3 = stablehlo.sine %a : tensor<4xf32>", "before"),
    "another constant": (SHAPE.format("2", 4, "3") + SHAPE.format("4", 5, "5"), "output_shape holds [5]"),
    "another order in a body": (REDUCE.format("2", "y", "z") + REDUCE.format("3", "y", "z") + REDUCE.format("4", "x", "z").replace("%z : tensor<f32>", "%z, %z : tensor<f32>, tensor<f32>"), "reduce"),
    "a return in the middle": ("  %3 = stablehlo.sine %c : tensor<f32>\n" + REDUCE.format("2", "y", "z") + REDUCE.format("4", "y", "z").replace("    %z", "    stablehlo.return %x : tensor<f32>\n    %z"), "return"),
    "no return": (REDUCE.format("2", "y", "z") + REDUCE.format("4", "y", "z").replace("    stablehlo.return %z : tensor<f32>\n", ""), "return"),
}  # fmt: skip


@pytest.mark.parametrize("body, message", FAULTS.values(), ids=FAULTS)
def test_faults_after_ops_that_are_right(body: str, message: str) -> None:
    with pytest.raises(VerifyError) as found:
        parse(MAIN.format(GOOD + body))
    assert message in str(found.value)
    # xDSL alone, which asks every op, finds it too, or it is one of order.
    module = Parser(context(), MAIN.format(GOOD + body)).parse_module()
    if message != "before":
        with pytest.raises(Exception):  # noqa: B017, PT011
            module.verify()


def module_of(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


def test_an_op_that_ends_its_block() -> None:
    module = module_of(MAIN.format(GOOD))
    last = next(op for op in module.walk() if op.name == "func.return")
    last.detach()
    with pytest.raises(VerifyError, match="ends its block"):
        verify(module)


def test_an_empty_block() -> None:
    module = module_of(MAIN.format(""))
    next(op for op in module.walk() if op.name == "func.return").detach()
    with pytest.raises(VerifyError, match="empty"):
        verify(module)


def test_ops_that_belong_elsewhere() -> None:
    """Every op is a child of the block it stands in, whether or not an equal one was seen before."""
    module = module_of(
        MAIN.format(
            GOOD.replace("%1 = stablehlo.transpose %a, dims = [0] : (tensor<4xf32>) ->", "%1 = stablehlo.sine %a :")
        )
    )
    op = [op for op in module.walk() if op.name == "stablehlo.sine"][1]
    op.parent = Block()
    with pytest.raises(VerifyError, match="arent pointer"):
        verify(module)
