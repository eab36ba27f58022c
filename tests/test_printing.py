"""What is printed is the program that was read: every syntax, real programs, through C++ and back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Operation

from hhlo_xdsl.dialects.stablehlo.base import i64_array
from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.movement import ReverseOp, SliceOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp
from hhlo_xdsl.errors import ShapeError, SyntaxVersionError, VerifyError
from hhlo_xdsl.passes.generic_form import from_generic_form, is_generic_form, to_generic_form
from hhlo_xdsl.passes.pjrt_syntax import PjrtSyntaxPass, spell
from hhlo_xdsl.passes.spellings import GENERIC
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.passes.versions import VERSIONS
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.test_dialect import is_known

DATA = Path(__file__).parent / "data"
SYNTAXES = ["pretty", "generic", "pjrt-1.16"]
PROGRAMS = {path.stem: path.read_text() for path in sorted((DATA / "programs").glob("*.mlir"))}
EXAMPLES = {
    op["name"]: op["examples"][0]["module"]
    for op in json.loads((DATA / "op_examples.json").read_text())
    if op["examples"] and is_known(op["examples"][0]["generic_module"])
}
ALL = PROGRAMS | EXAMPLES


def spelled(text: str) -> ModuleOp:
    """The module, after the pass, for the version that can say everything."""
    module = parse(text)
    PjrtSyntaxPass(version=VERSIONS[-1]).apply(Context(), module)
    return module


def ops(module: ModuleOp, kind: type[Operation]) -> list[Any]:
    return [op for op in module.walk() if isinstance(op, kind)]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_program(name: str, syntax: str):
    assert cpp.generic(to_text(parse(PROGRAMS[name]), syntax=syntax)) == cpp.generic(PROGRAMS[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_through_stock_xdsl_opt(name: str):
    command = [sys.executable, "-m", "xdsl.tools.xdsl_opt", "-p", "hhlo-pjrt-syntax"]
    done = subprocess.run(command, input=PROGRAMS[name], capture_output=True, text=True, check=True)
    assert cpp.generic(done.stdout) == cpp.generic(PROGRAMS[name])
    assert done.stdout.strip() == to_text(parse(PROGRAMS[name]), syntax="pjrt-1.16").strip()


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_printed_text_is_a_fixed_point(name: str, syntax: str):
    once = to_text(parse(PROGRAMS[name]), syntax=syntax)
    assert to_text(parse(once), syntax=syntax) == once


@pytest.mark.parametrize("name", PROGRAMS)
def test_generic_and_pretty_text_give_one_module(name: str):
    module = parse(PROGRAMS[name])
    for syntax in SYNTAXES:
        assert parse(to_text(module, syntax=syntax)).is_structurally_equivalent(module)


# The printer override


@pytest.mark.parametrize("name", ALL)
def test_ops_are_spelled_as_the_table_says(name: str):
    for op in spelled(ALL[name]).walk():
        empty = isinstance(op, DotGeneralOp) and not op.numbers.lhs_contracting
        assert is_generic_form(op) == (op.name in GENERIC or empty)


@pytest.mark.parametrize("name", ALL)
def test_after_the_pass_the_module_is_as_good_as_before(name: str):
    module, before = spelled(ALL[name]), parse(ALL[name])
    verify(module)
    assert str(module.clone()) == str(module)
    assert parse(str(module)).is_structurally_equivalent(before)
    assert [type(op).__mro__[is_generic_form(op)] for op in module.walk()] == [type(op) for op in before.walk()]


@pytest.mark.parametrize("name", ALL)
def test_pass_can_be_undone(name: str):
    module, before = spelled(ALL[name]), parse(ALL[name])
    for op in module.walk():
        from_generic_form(op)
    assert module.is_structurally_equivalent(before)
    assert [type(op) for op in module.walk()] == [type(op) for op in before.walk()]
    assert [op.attributes for op in module.walk()] == [op.attributes for op in before.walk()]


@pytest.mark.parametrize("name", ALL)
def test_pass_may_run_twice(name: str):
    module = spelled(ALL[name])
    once = str(module)
    spell(module, VERSIONS[-1])
    assert str(module) == once


REVERSE = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [1] {note = "kept"} : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}"""


def test_spelled_op_keeps_class_uses_and_attributes():
    module = parse(REVERSE)
    (op,) = ops(module, ReverseOp)
    operand, result, uses = op.operand, op.result, list(op.result.uses)
    to_generic_form(op)
    assert isinstance(op, ReverseOp)
    assert op.name == "stablehlo.reverse"
    assert (op.operand, op.result, list(op.result.uses)) == (operand, result, uses)
    assert op.dimensions.get_values() == (1,)
    assert op.attributes == {"dimensions": op.dimensions, "note": StringAttr("kept")}
    assert op.properties == {}
    from_generic_form(op)
    assert type(op) is ReverseOp
    assert op.attributes == {"note": StringAttr("kept")}
    assert op.dimensions.get_values() == (1,)


def test_spelled_op_is_still_verified():
    module = spelled(REVERSE)
    (op,) = ops(module, ReverseOp)
    op.attributes["dimensions"] = i64_array((0, 0))
    with pytest.raises(ShapeError, match=r"dimensions are \[0, 0\]; they must be distinct \(spec reverse C2\)"):
        verify(module)
    del op.attributes["dimensions"]
    with pytest.raises(VerifyError, match="dimensions"):
        verify(module)


def test_regions_of_spelled_ops():
    module = spelled(PROGRAMS["cnn"])
    for op in ops(module, ReduceOp):
        assert op.body.block.last_op is not None
        assert op.results_[0].type == op.results[0].type
    verify(module)


def test_attributes_stand_in_the_order_of_declaration():
    text = """func.func @f(%x: tensor<4xf32>) {
  %0 = "stablehlo.slice"(%x) <{strides = array<i64: 1>, limit_indices = array<i64: 2>, start_indices = array<i64: 0>}> {a} : (tensor<4xf32>) -> tensor<2xf32>
  return
}"""
    (op,) = ops(spelled(text), SliceOp)
    assert list(op.attributes) == ["start_indices", "limit_indices", "strides", "a"]


def test_attribute_that_is_given_twice():
    """The one in <{..}> counts, as in C++."""
    text = """func.func @f(%x: tensor<2x3xf32>) {
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> {dimensions = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}"""
    for syntax in SYNTAXES:
        assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


def test_op_without_spelling():
    module = ModuleOp([test_dialect.TestOp()])
    with pytest.raises(SyntaxVersionError, match=r"test\.op: StableHLO 1\.16 has no such op; PJRT text holds ops of"):
        to_text(module, syntax="pjrt-1.16")


def test_op_without_custom_form_keeps_its_text():
    op = test_dialect.TestOp(attributes={"a": UnitAttr()})
    before = str(op)
    to_generic_form(op)
    assert str(op) == before


SEVERAL_TYPES = """func.func @f(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<?xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<?xf32>):
    %1 = stablehlo.sine %a : tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<2xf32>) -> tensor<?xf32>
  %2 = stablehlo.sine %0 : tensor<?xf32>
  return %2 : tensor<?xf32>
}"""


def test_a_loop_of_several_types_is_spelled_in_full_by_the_stock_printer():
    """Its custom form would not say them; C++ prints a text that is another program, or none."""
    module = parse(SEVERAL_TYPES)
    assert '"stablehlo.while"(%x)' in str(module)
    assert "%2 = stablehlo.sine %0" in str(module)
    assert cpp.generic(str(module)) == cpp.generic(SEVERAL_TYPES)
    PjrtSyntaxPass().apply(Context(), module)
    assert cpp.generic(str(module)) == cpp.generic(SEVERAL_TYPES)


EXPLICIT_DEFAULTS = [
    "stablehlo.custom_call @t(%x) {api_version = 1 : i32, called_computations = [], has_side_effect = false, output_operand_aliases = []}",
    'stablehlo.composite "a.b" %x {composite_attributes = {}, decomposition = @f, version = 0 : i32}',
    "stablehlo.cholesky %x, lower = false",
    "stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}",
]


@pytest.mark.parametrize("op", EXPLICIT_DEFAULTS, ids=lambda op: op.split()[0])
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_explicit_defaults_stay(op: str, syntax: str):
    """C++ leaves them out of the custom form, and so prints a program that differs in generic form."""
    types = "(tensor<2x2xf32>) -> tensor<2x2xf32>" if " @" in op else "tensor<2x2xf32>"
    text = f"func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {{\n  %0 = {op} : {types}\n  return %0 : tensor<2x2xf32>\n}}"
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)
    assert cpp.generic(cpp.pretty(text)) != cpp.generic(text)
