"""Ops copied from known lines, and pieces of text read once, are what xDSL's own parser makes of every line."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.parser import Parser

from hhlo_xdsl import reader
from hhlo_xdsl.errors import ParseError
from hhlo_xdsl.source import Source
from hhlo_xdsl.text import context, to_text

DATA = Path(__file__).parent / "data"
PROGRAMS = sorted(path.stem for path in (DATA / "programs").glob("*.mlir"))
SYNTAXES = ("pretty", "generic", "pjrt-1.16")


class Plain(reader.Reader):
    """Parses every line."""

    def _copy_lines(self, block: Block, known: Mapping[str, Any]) -> None:
        pass

    def _parse_line(self, known: dict[str, Any]) -> Operation | None:
        return None


def description(module: ModuleOp) -> list[Any]:
    """All there is to say about a module but for the locations of ops, op by op."""
    numbers = {value: i for i, value in enumerate(v for op in module.walk() for v in defined(op))}
    return [
        (
            type(op),
            [numbers[value] for value in op.operands],
            [(v.type, v.name_hint, getattr(v, "location", None), [u.index for u in v.uses]) for v in defined(op)],
            list(op.properties.items()),
            list(op.attributes.items()),
        )
        for op in module.walk()
    ]


def defined(op: Operation) -> Sequence[Any]:
    return [*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)]


def assert_same(text: str) -> ModuleOp:
    """`text` read by the line is what it is when every line is parsed, by this parser and by xDSL's; the module."""
    module = assert_same_as_parsed(text)
    assert description(module) == description(stock(text))
    return module


def assert_same_as_parsed(text: str) -> ModuleOp:
    module = reader.read(context(), text, "f.mlir")
    plain = Plain(context(), Source(text, "f.mlir")).parse_module()
    assert description(module) == description(plain)
    assert [op.location for op in module.walk()] == [op.location for op in plain.walk()]
    return module


def stock(text: str) -> ModuleOp:
    """What xDSL reads; if an attribute and a property have one name, the property counts, as in MLIR."""
    module = Parser(context(), text).parse_module()
    for op in module.walk():
        for name in op.properties.keys() & op.attributes.keys():
            del op.attributes[name]
    return module


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, syntax: str) -> None:
    text = (DATA / "programs" / f"{name}.mlir").read_text()
    module = assert_same(text)
    assert module.is_structurally_equivalent(assert_same(to_text(module, syntax=syntax)))


def examples() -> list[Any]:
    known = {op.name for dialect in context().loaded_dialects for op in dialect.operations}
    entries = json.loads((DATA / "op_examples.json").read_text())
    return [
        pytest.param(example[form], id=f"{entry['name']}-{example['tag']}-{form}")
        for entry in entries
        if entry["name"] in known
        for example in entry["examples"]
        for form in ("module", "generic_module")
    ]


@pytest.mark.parametrize("text", examples())
def test_ops(text: str) -> None:
    """Each op, and each twice, so that the second is copied."""
    assert_same(text)
    assert_same(twice(text))


def twice(text: str) -> str:
    """A module with two functions instead of one."""
    inside = text[text.index("{\n") + 2 : text.rindex("}")] if text.startswith("module") else text
    renamed = inside.replace("@main", "@again").replace('"main"', '"again"')
    return f"{inside}\n{renamed}"


MAIN = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {{\n{}\n  return %a : tensor<4xf32>\n}}\n"

SAME = {
    "operands in another order": "  %0 = stablehlo.subtract %a, %b : tensor<4xf32>\n  %1 = stablehlo.subtract %b, %0 : tensor<4xf32>",
    "one operand twice": "  %0 = stablehlo.subtract %a, %a : tensor<4xf32>\n  %1 = stablehlo.subtract %b, %a : tensor<4xf32>\n  %2 = stablehlo.subtract %b, %b : tensor<4xf32>",
    "names": "  %x_1 = stablehlo.sine %a : tensor<4xf32>\n  %x.y_22 = stablehlo.sine %a : tensor<4xf32>\n  %-$ = stablehlo.sine %a : tensor<4xf32>\n  %7 = stablehlo.sine %-$ : tensor<4xf32>",
    "indents": "%0 = stablehlo.sine %a : tensor<4xf32>\n\t  %1 = stablehlo.sine %0 : tensor<4xf32>\n\n\n %2 = stablehlo.sine %1 : tensor<4xf32>",
    "carriage returns": "  %0 = stablehlo.sine %a : tensor<4xf32>\r\n  %1 = stablehlo.sine %0 : tensor<4xf32>\r\n  %2 = stablehlo.sine %1 : tensor<4xf32>\r",
    "comments": "  %0 = stablehlo.sine %a : tensor<4xf32> // first\n  // %9\n  %1 = stablehlo.sine %0 : tensor<4xf32> // first\n  %2 = stablehlo.sine %1 : tensor<4xf32> // %1\n  %3 = stablehlo.sine %1 : tensor<4xf32> // %2",
    "names in strings": '  %0 = stablehlo.sine %a {x = "%b"} : tensor<4xf32>\n  %1 = stablehlo.sine %0 {x = "%c"} : tensor<4xf32>\n  %2 = stablehlo.sine %0 {x = "%c"} : tensor<4xf32>',
    "two ops on a line": "  %0 = stablehlo.sine %a : tensor<4xf32> %1 = stablehlo.sine %0 : tensor<4xf32>\n  %2 = stablehlo.sine %a : tensor<4xf32> %3 = stablehlo.sine %0 : tensor<4xf32>",
    "an op on two lines": "  %0 = stablehlo.sine %a :\n  tensor<4xf32>\n  %1 = stablehlo.sine %a :\n  tensor<4xf32>",
    "two spellings of one op": '  %0 = "stablehlo.sine"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  %1 = stablehlo.sine %0 : tensor<4xf32>\n  %2 = "stablehlo.sine"(%1) : (tensor<4xf32>) -> tensor<4xf32>',
    "attributes": '  %0 = stablehlo.sine %a {x = 1 : i32} : tensor<4xf32>\n  %1 = stablehlo.sine %0 {x = 2 : i32} : tensor<4xf32>\n  %2 = stablehlo.sine %1 {x = 1 : i32} : tensor<4xf32>',
    "locations": '  %0 = stablehlo.sine %a : tensor<4xf32> loc("x":1:2)\n  %1 = stablehlo.sine %0 : tensor<4xf32> loc("x":1:2)\n  %2 = stablehlo.sine %0 : tensor<4xf32>',
    "uses before definitions": "  %0 = stablehlo.sine %a : tensor<4xf32>\n  %1 = stablehlo.sine %2 : tensor<4xf32>\n  %2 = stablehlo.sine %1 : tensor<4xf32>\n  %3 = stablehlo.sine %2 : tensor<4xf32>",
    "several results": "  %0:2 = call @two(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n  %x:2 = call @two(%0#1) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n  %2:2 = call @two(%x#1) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n  %p, %q = call @two(%2#0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n  %r, %s = call @two(%p) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
    "bodies that are implied": "  %0 = stablehlo.constant dense<0.0> : tensor<f32>\n  %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n  %2 = stablehlo.reduce(%b init: %1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>",
}  # fmt: skip


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_lines(body: str) -> None:
    two = "func.func private @two(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
    assert_same(two + MAIN.format(body))


def test_a_name_may_stand_for_another_type_in_another_function() -> None:
    body = "  %0 = stablehlo.sine %x : tensor<{0}xf32>\n  return\n}}\n"
    functions = [f"func.func @f{i}(%x: tensor<{n}xf32>) {{\n" + body.format(n) for i, n in enumerate((4, 4, 8, 4))]
    assert_same("".join(functions))


def test_short_names_of_ops_depend_on_the_op_around() -> None:
    """`return` ends a function, and the body of an op as that op's dialect has it."""
    text = MAIN.format(
        "  %0 = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %1 = stablehlo.reduce(%a init: %0) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
        "   reducer(%x: tensor<f32>, %y: tensor<f32>) {\n"
        "    %4 = add %x, %y : tensor<f32>\n"
        "    return %4 : tensor<f32>\n"
        "  }\n"
        "  %2 = stablehlo.sine %1 : tensor<f32>\n"
    )
    names = [op.name for op in assert_same(text).walk()]
    assert names.count("stablehlo.return") == names.count("func.return") == 1


def test_locations_by_name() -> None:
    """Lines that differ in the name of their location are copied, each with its own."""
    ops = "".join(f"  %{i + 1} = stablehlo.sine %{i} : tensor<f32> loc(#loc{i % 3 + 1})\n" for i in range(9))
    named = '#loc1 = loc("a":1:1)\n#loc2 = loc("b"(#loc1))\n#loc3 = loc("c":3:3)\n'
    text = f"func.func @main(%0: tensor<f32>) {{\n{ops}  return loc(#loc2)\n}}\n{named}"
    module = assert_same_as_parsed(text)  # xDSL knows no location before its definition
    locations = [str(op.location) for op in module.walk() if op.name == "stablehlo.sine"]
    assert locations == ['loc("a":1:1)', 'loc("b"("a":1:1))', 'loc("c":3:3)'] * 3


def test_equal_types_are_one_object() -> None:
    module = reader.read(context(), MAIN.format("  %0 = stablehlo.sine %a : tensor<4xf32>"), "f.mlir")
    types = [v.type for op in module.walk() for v in op.operands if v.type.name == "tensor"]
    assert len({id(t) for t in types}) == 1


GOOD = "  %0 = stablehlo.sine %a : tensor<4xf32>\n"
FAULTS = {
    "undefined": ("  %1 = stablehlo.sine %z : tensor<4xf32>", 3, 23),
    "defined twice": ("  %0 = stablehlo.sine %b : tensor<4xf32>", 3, 3),
    "defined twice at once": ("  %1, %1 = stablehlo.sine %b : tensor<4xf32>", 3, 3),
    "another type": ("  %1 = stablehlo.sine %c : tensor<4xf32>", 3, 23),
    "no such part": ("  %1 = stablehlo.sine %a#1 : tensor<4xf32>", 3, 23),
    "too many results": ("  %1:2 = stablehlo.sine %a : tensor<4xf32>", 3, 3),
    "after copied lines": (f"  %1{GOOD[4:]}  %2{GOOD[4:]}  %3 = stablehlo.sine %a tensor<4xf32>", 5, 26),
    "no closing brace": ("  %1 = stablehlo.sine %a : tensor<4xf32>\n  }\n }", 5, 2),
}


@pytest.mark.parametrize("body, line, column", FAULTS.values(), ids=FAULTS)
def test_errors_are_those_of_the_ordinary_parser(body: str, line: int, column: int) -> None:
    """A line that is known, but at fault here, is told as if it were not known."""
    text = MAIN.format(GOOD + body)
    with pytest.raises(ParseError) as found:
        reader.read(context(), text, "f.mlir")
    assert (found.value.line, found.value.column) == (line, column)
    # Without the line before, nothing is known.
    with pytest.raises(ParseError) as plain:
        reader.read(context(), text.replace("stablehlo.sine %a", "stablehlo.cosine %a", 1), "f.mlir")
    assert str(plain.value).splitlines()[0] == str(found.value).splitlines()[0]
