"""Branches, loops, the barrier and the terminator of regions: constructors, text, random programs, gradients."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i1, i32
from xdsl.ir import SSAValue
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MultiplyOp
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.control_flow import CaseOp, IfOp, OptimizationBarrierOp, ReturnOp, WhileOp
from hhlo_xdsl.dialects.stablehlo.types import TokenType
from hhlo_xdsl.dialects.stablehlo.unary import NegateOp
from hhlo_xdsl.dialects.types import UNKNOWN, bounded, tensor
from hhlo_xdsl.errors import DTypeError, HhloError, ParseError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.random_programs import COIN, Draw, check_against_upstream, near, other, spelled

X = create_ssa_value(tensor((2,), f32))
P = create_ssa_value(tensor((), i1))
I = create_ssa_value(tensor((), i32))
TOKEN = create_ssa_value(TokenType())

# The terminator

REDUCE = """func.func @main(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {{
  %0 = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    {}
  }}) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""


@pytest.mark.parametrize(
    "spelled", ["stablehlo.return %s : tensor<f32>", '"stablehlo.return"(%s) : (tensor<f32>) -> ()']
)
def test_return_is_read_in_both_forms(spelled: str) -> None:
    assert any(isinstance(op, ReturnOp) for op in parse(REDUCE.format(spelled)).walk())


def test_return_prints_its_values_and_types() -> None:
    a, b = create_ssa_value(tensor((2,), f32)), create_ssa_value(tensor((), f32))
    assert str(ReturnOp([a, b])) == "stablehlo.return %0, %1 : tensor<2xf32>, tensor<f32>"
    assert str(ReturnOp([])) == "stablehlo.return"


def test_return_without_its_types_is_a_parse_error() -> None:
    with pytest.raises(ParseError, match=r"<text>:\d+:\d+"):
        parse(REDUCE.format("stablehlo.return %s"))


# Constructors


def test_if() -> None:
    op = IfOp(P, lambda: emit(NegateOp(X)), lambda: (X,))
    op.verify()
    assert [r.type for r in op.results] == [X.type]
    assert len(op.true_branch.block.ops) == 2


def test_case() -> None:
    op = CaseOp(I, [lambda: (X, TOKEN), lambda: (emit(NegateOp(X)), TOKEN)])
    op.verify()
    assert [r.type for r in op.results] == [X.type, TOKEN.type]


@pytest.mark.parametrize(
    "first, second, both",
    [
        ((2, 3), (2, 3), (2, 3)),
        ((2, UNKNOWN), (2, 3), (2, UNKNOWN)),
        ((UNKNOWN, 3), (2, UNKNOWN), (UNKNOWN, UNKNOWN)),
    ],
)
def test_a_size_is_known_if_all_branches_agree(
    first: tuple[int, ...], second: tuple[int, ...], both: tuple[int, ...]
) -> None:
    a, b = create_ssa_value(tensor(first, f32)), create_ssa_value(tensor(second, f32))
    op = IfOp(P, lambda: a, lambda: b)
    op.verify()
    assert op.results[0].type == tensor(both, f32)


@pytest.mark.parametrize(
    "shape, bound, expected", [((2,), None, 4), ((UNKNOWN,), (6,), 6), ((UNKNOWN,), (3,), 4), ((UNKNOWN,), None, None)]
)
def test_the_bound_of_a_size_holds_in_all_branches(
    shape: tuple[int], bound: tuple[int] | None, expected: int | None
) -> None:
    """The other branch gives a size of at most 4."""
    a, b = create_ssa_value(bounded((UNKNOWN,), f32, (4,))), create_ssa_value(bounded(shape, f32, bound))
    result = bounded((UNKNOWN,), f32, None if expected is None else (expected,))
    assert IfOp(P, lambda: a, lambda: b).results[0].type == result
    assert IfOp(P, lambda: b, lambda: a).results[0].type == result


def below(i: SSAValue, *_: SSAValue) -> SSAValue:
    return emit(CompareOp(i, I, ComparisonDirection.LT))


def test_while() -> None:
    op = WhileOp([I, X], below, lambda i, x: (emit(AddOp(i, I)), emit(MultiplyOp(x, X))))
    op.verify()
    assert [r.type for r in op.results] == [I.type, X.type]
    assert op.is_uniform


def test_while_says_what_is_wrong() -> None:
    with pytest.raises(DTypeError, match=r"body is carried \(tensor<i32>\) and returns \(tensor<2xf32>\); it must be"):
        WhileOp([I], below, lambda i: X)
    with pytest.raises(DTypeError, match=r"cond returns \(tensor<i32>\); it must return \(tensor<i1>\)"):
        WhileOp([I], lambda i: i, lambda i: i)


def test_barrier() -> None:
    op = OptimizationBarrierOp([X, TOKEN])
    op.verify()
    assert str(op) == "%0, %1 = stablehlo.optimization_barrier %2, %3 : tensor<2xf32>, !stablehlo.token"
    assert str(OptimizationBarrierOp([])) == "stablehlo.optimization_barrier()"


# Text

ARGUMENTS = "%p: tensor<i1>, %x: tensor<2xf32>, %d: tensor<?xf32>, %m: memref<2xf32>, %t: !stablehlo.token"
LOOP = "stablehlo.while({}) {}cond {{\n stablehlo.return %p : tensor<i1>\n}} do {{\n stablehlo.return {}\n}}"
RIGHT = [
    LOOP.format("", "", ""),
    LOOP.format("", 'attributes {note = "n", other} ', ""),
    "%0 = " + LOOP.format("%a = %x", ": tensor<2xf32> ", "%a : tensor<2xf32>"),
    "%0 = " + LOOP.format("%a = %x,", ": tensor<2xf32> ", "%a : tensor<2xf32>"),
    "%0 = " + LOOP.format("%a = %m", ": memref<2xf32> ", "%a : memref<2xf32>"),
    "%0:2 = "
    + LOOP.format("%a = %x, %b = %t", ": tensor<2xf32>, !stablehlo.token ", "%a, %b : tensor<2xf32>, !stablehlo.token"),
    "%0:2 = "
    + LOOP.format(
        "%a = %x, %b = %x",
        ": tensor<2xf32>, tensor<2xf32> ",
        "%b, %a : tensor<2xf32>, tensor<2xf32>",
    ),
    "stablehlo.optimization_barrier ()",
    "stablehlo.optimization_barrier {note = 1 : i32} ()",
    "%0:2 = stablehlo.optimization_barrier {note} %x, %t : tensor<2xf32>, !stablehlo.token",
]
MIXED = [
    """%0 = "stablehlo.while"(%x) ({
    ^bb0(%a: tensor<?xf32>):
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<2xf32>):
      stablehlo.return %d : tensor<?xf32>
    }) : (tensor<2xf32>) -> tensor<2xf32>""",
    """%0 = "stablehlo.while"(%d) ({
    ^bb0(%a: tensor<?xf32>):
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<?xf32>):
      stablehlo.return %a : tensor<?xf32>
    }) : (tensor<?xf32>) -> tensor<2xf32>""",
]


def function(body: str) -> str:
    return f"func.func @main({ARGUMENTS}) {{\n{body}\nreturn\n}}"


@pytest.mark.parametrize("body", [*RIGHT, *MIXED])
@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
def test_text_is_read_and_written(body: str, syntax: str) -> None:
    """Loops in which a value has several types are printed in the generic form: the custom one has one type for all."""
    text = function(body)
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


WRONG = [
    (LOOP.format("", "{note} ", ""), "expected"),
    (LOOP.format("", ": ", ""), "expected"),
    ("%0 = " + LOOP.format("%a = %x", "", "%a : tensor<2xf32>"), "expected"),
    ("%0 = " + LOOP.format("%x = %x", ": tensor<2xf32> ", "%x : tensor<2xf32>"), "already"),
    (
        "%0 = " + LOOP.format("%a = %x", ": tensor<2xf32>, tensor<i32> ", "%a : tensor<2xf32>"),
        "1 operands have 2 types",
    ),
    (LOOP.format("", "", "").replace("stablehlo.return \n", ""), "body"),
    (
        "%0 = " + LOOP.format("%a = %x", ": tensor<2xf32> ", "%a : tensor<2xf32>").replace("do {", "do {^bb0:"),
        "invalid block name",
    ),
    ("stablehlo.optimization_barrier", "expected"),
    ("%0:2 = stablehlo.optimization_barrier %x, %t : tensor<2xf32>", "2 operands have 1 types"),
    ('"stablehlo.if"(%p) ({}, {}) : (tensor<i1>) -> ()', "true_branch"),
    ('"stablehlo.if"(%x) ({stablehlo.return}, {stablehlo.return}) : (tensor<2xf32>) -> ()', "must be tensor<i1>"),
    ("stablehlo.if %p", "no custom form"),
    ('"stablehlo.case"(%i) ({stablehlo.return %u : tuple<>}) : (tensor<i32>) -> ()', "used but not defined"),
]


@pytest.mark.parametrize("body, message", WRONG)
def test_wrong_text_is_refused(body: str, message: str) -> None:
    assert cpp.refuses(function(body)) is not None
    with pytest.raises(HhloError, match=message):
        parse(function(body))


NESTED = """func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %n, %iterArg_0 = %x) : tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %iterArg, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2:2 = stablehlo.while(%iterArg_1 = %iterArg, %iterArg_2 = %iterArg_0) : tensor<i32>, tensor<f32>
    cond {
      %3 = stablehlo.compare LT, %iterArg_1, %iterArg : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = stablehlo.add %iterArg_1, %one : tensor<i32>
      %5 = stablehlo.multiply %iterArg_2, %iterArg_0 : tensor<f32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<f32>
    }
    stablehlo.return %2#0, %2#1 : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}"""


@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
def test_loops_in_loops_keep_their_names_apart(syntax: str) -> None:
    again = to_text(parse(NESTED), syntax=syntax)
    assert cpp.generic(again) == cpp.generic(NESTED)
    assert cpp.generic(to_text(parse(again))) == cpp.generic(NESTED)


def test_both_regions_of_a_loop_print_the_same_names() -> None:
    op = WhileOp([I, X], below, lambda i, x: (i, x))
    for value, name in zip((*op.cond.block.args, *op.body.block.args), "abcd", strict=True):
        value.name_hint = name
    lines = str(op).splitlines()
    assert lines[0] == "%0, %1 = stablehlo.while(%a = %2, %b = %3) : tensor<i32>, tensor<2xf32>"
    assert lines[-2].strip() == "stablehlo.return %a, %b : tensor<i32>, tensor<2xf32>"


# Random programs

SIZE = st.sampled_from("2 2 2 3 ?".split())
SHAPE = st.lists(SIZE, max_size=2)
ELEMENT = st.sampled_from("f32 i32".split())


def like(draw: Draw, type: tuple[list[str], str]) -> str:
    """A type that is compatible with `type`, mostly."""
    shape, element = type
    sizes = [draw(st.sampled_from([n, n, n, "?"])) for n in shape]
    sizes = near(draw, sizes) if draw(COIN) else sizes
    type_text = spelled(sizes, other(draw, element) if draw(COIN) else element)
    if "?" not in sizes or draw(st.booleans()):
        return type_text
    bounds = [draw(st.sampled_from("?234")) if n == "?" else "?" for n in sizes]
    return f"{type_text[:-1]}, #stablehlo.bounds<{', '.join(bounds)}>>"


def types(draw: Draw) -> list[tuple[list[str], str]]:
    return [(draw(SHAPE), draw(ELEMENT)) for _ in range(draw(st.integers(1, 2)))]


def giving(names: str, given: list[str]) -> str:
    values = ", ".join(f"%{names}{i}" for i in range(len(given)))
    return f"    stablehlo.return {values} : {', '.join(given)}\n" if given else "    stablehlo.return\n"


def defined(names: str, given: list[str]) -> list[str]:
    return [f"%{names}{i}: {type}" for i, type in enumerate(given)]


def choice_text(draw: Draw) -> str:
    """if and case, whose branches return arguments of the function."""
    results = types(draw)
    op = draw(st.sampled_from(["if", "case"]))
    count = 2 if op == "if" and not draw(COIN) else draw(st.integers(1, 3))
    branches = [[like(draw, r) for r in results][draw(COIN) :] for _ in range(count)]
    selector = spelled(["1"] if draw(COIN) else [], other(draw, "i1" if op == "if" else "i32"))
    arguments = ", ".join(
        [f"%p: {selector}", *(a for n, given in enumerate(branches) for a in defined(f"b{n}_", given))]
    )
    regions = "}, {\n".join(giving(f"b{n}_", given) for n, given in enumerate(branches))
    given = [like(draw, r) for r in results]
    return (
        f'func.func @f({arguments}) {{\n  %r:{len(given)} = "stablehlo.{op}"(%p) ({{\n{regions}  }})'
        f" : ({selector}) -> ({', '.join(given)})\n  return\n}}"
    )


def while_text(draw: Draw) -> str:
    carried = types(draw)
    operand, cond, body, back, results = ([like(draw, t) for t in carried] for _ in range(5))
    pred = spelled(["1"] if draw(COIN) else [], other(draw, "i1"))
    arguments = ", ".join([f"%p: {pred}", *defined("x", operand), *defined("y", back)])
    return (
        f'func.func @f({arguments}) {{\n  %r:{len(results)} = "stablehlo.while"'
        f"({', '.join(f'%x{i}' for i in range(len(operand)))}) ({{\n"
        f"  ^bb0({', '.join(defined('c', cond))}):\n    stablehlo.return %p : {pred}\n  }}, {{\n"
        f"  ^bb0({', '.join(defined('d', body))}):\n{giving('y', back)}  }})"
        f" : ({', '.join(operand)}) -> ({', '.join(results)})\n  return\n}}"
    )


@pytest.mark.parametrize("make", [choice_text, while_text])
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]) -> None:
    check_against_upstream(make)


# Gradients

GRADIENT = """func.func @main(%x: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<f32> {{
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  {}
  return %0 : tensor<f32>
}}"""
CARRIED = """%0 = stablehlo.while(%a = %x) : tensor<f32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.multiply %a, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }"""


def test_a_loop_beside_the_path_of_a_gradient_needs_no_rule() -> None:
    body = (
        CARRIED.replace("%0 =", "%l =").replace("%a = %x", "%a = %c")
        + "\n  %0 = stablehlo.multiply %x, %l : tensor<f32>"
    )
    module = parse(GRADIENT.format(body))
    differentiate(module, GradPass(wrt=(0,)))
    assert cpp.refuses(to_text(module)) is None
