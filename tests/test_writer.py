"""The writer's text is, byte by byte, what xDSL's printer gives, after the pass where it is for PJRT."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from hhlo_xdsl import reader
from hhlo_xdsl.dialects.stablehlo.control_flow import is_lossy
from hhlo_xdsl.errors import SyntaxVersionError
from hhlo_xdsl.passes.generic_form import to_generic_form
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.pjrt_syntax import spell
from hhlo_xdsl.passes.signature import signature, signature_inside
from hhlo_xdsl.passes.spellings import is_spelled_generic
from hhlo_xdsl.text import context, parse, to_text
from hhlo_xdsl.writer import Writer, written

DATA = Path(__file__).parent / "data"
PROGRAMS = sorted(path.stem for path in (DATA / "programs").glob("*.mlir"))
NEWEST = "1.22"
SYNTAXES = ("pretty", "generic", f"pjrt-{NEWEST}")


def stock(module: ModuleOp, syntax: str) -> str:
    """What xDSL's printer gives."""
    if syntax != "generic":
        module = module.clone()
        for op in module.walk():
            if is_lossy(op) if syntax == "pretty" else is_spelled_generic(op, syntax.removeprefix("pjrt-")):
                to_generic_form(op)
    out = io.StringIO()
    Printer(out, print_generic_format=syntax == "generic").print_op(module)
    return out.getvalue() + "\n"


def assert_same(module: ModuleOp) -> None:
    for syntax in SYNTAXES:
        assert to_text(module, syntax=syntax) == stock(module, syntax)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_and_their_gradients(name: str) -> None:
    module = parse((DATA / "programs" / f"{name}.mlir").read_text())
    assert_same(module)
    wrt = next(
        entry["wrt"] for entry in json.loads((DATA / "programs/index.json").read_text()) if entry["name"] == name
    )
    differentiate(module, GradPass(wrt=tuple(wrt)))
    assert_same(module)


def examples() -> list[Any]:
    known = {op.name for dialect in context().loaded_dialects for op in dialect.operations}
    entries = json.loads((DATA / "op_examples.json").read_text())
    return [
        pytest.param(example["module"], id=f"{entry['name']}-{example['tag']}")
        for entry in entries
        if entry["name"] in known
        for example in entry["examples"]
    ]


@pytest.mark.parametrize("text", examples())
def test_ops(text: str) -> None:
    """Each op, and three times, so that its text is found, and repeated at two depths."""
    module = Parser(context(), text).parse_module()
    assert_same(module)
    ops = [op for op in module.walk() if op.name == "func.func"]
    for i, name in enumerate(("again", "third")):
        copies = [op.clone() for op in ops]
        for copy in copies:
            copy.properties["sym_name"] = type(copy.properties["sym_name"])(
                f"{copy.properties['sym_name'].data}_{name}"
            )
        around = ModuleOp(copies)
        module.body.block.add_ops([around] if i else [copy for copy in copies if not copy.detach()])
    assert_same(module)


MAIN = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<f32>) {{\n{}\n  return\n}}\n"
SUM = "  {} = stablehlo.reduce({} init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n   reducer({}: tensor<f32>, {}: tensor<f32>) {{\n{}  }}\n"

BODIES = {
    "operands in another order": "  %0 = stablehlo.subtract %a, %b : tensor<4xf32>\n  %1 = stablehlo.subtract %b, %a : tensor<4xf32>",
    "one operand twice": "  %0 = stablehlo.add %a, %a : tensor<4xf32>\n  %1 = stablehlo.add %a, %b : tensor<4xf32>\n  %2 = stablehlo.add %b, %b : tensor<4xf32>",
    "two of three operands": "  %0 = stablehlo.clamp %a, %a, %b : tensor<4xf32>\n  %1 = stablehlo.clamp %a, %b, %a : tensor<4xf32>\n  %2 = stablehlo.clamp %b, %b, %a : tensor<4xf32>\n  %3 = stablehlo.clamp %b, %a, %b : tensor<4xf32>",
    "names": "  %x = stablehlo.sine %a : tensor<4xf32>\n  %x_0 = stablehlo.sine %x : tensor<4xf32>\n  %1 = stablehlo.sine %x_0 : tensor<4xf32>\n  %a_3 = stablehlo.sine %1 : tensor<4xf32>",
    "a percent sign": '  %0 = stablehlo.sine %a {"%s" = "100 %d"} : tensor<4xf32>\n  %1 = stablehlo.sine %0 {"%s" = "100 %d"} : tensor<4xf32>',
    "a new line": '  %0 = stablehlo.sine %a {x = "1\\0A2"} : tensor<4xf32>\n  %1 = stablehlo.sine %0 {x = "1\\0A2"} : tensor<4xf32>',
    "attributes": "  %0 = stablehlo.transpose %a, dims = [0] {y, x = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>\n  %1 = stablehlo.transpose %0, dims = [0] {x = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>",
    "a location as attribute": '  %0 = stablehlo.sine %a {x = loc("f":1:2), y = loc("n"("f":1:2))} : tensor<4xf32>\n  %1 = stablehlo.sine %0 {x = loc("f":1:2), y = loc("n"("f":1:2))} : tensor<4xf32>',
    "uses before definitions": "  %0 = stablehlo.sine %2 : tensor<4xf32>\n  %1 = stablehlo.sine %0 : tensor<4xf32>\n  %2 = stablehlo.sine %1 : tensor<4xf32>",
    "several results": "  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<4xf32>\n  %x:2 = stablehlo.optimization_barrier %0#1, %0#0 : tensor<4xf32>, tensor<4xf32>\n  %2:2 = stablehlo.optimization_barrier %x#1, %b : tensor<4xf32>, tensor<4xf32>",
    "an outer product": "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>\n  %1 = stablehlo.dot_general %b, %a, contracting_dims = [] x [] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>",
    "equal bodies": "".join(SUM.format(f"%s{i}", f"%{x}", "%x", "%y", "    %1 = stablehlo.subtract %x, %y : tensor<f32>\n    stablehlo.return %1 : tensor<f32>\n") for i, x in enumerate("aabab")),
    "bodies that differ in the order of values": "".join(SUM.format(f"%{i}", "%a", "%x", "%y", f"    %z = stablehlo.subtract %{x}, %{y} : tensor<f32>\n    stablehlo.return %z : tensor<f32>\n") for i, (x, y) in enumerate(("xy", "yx", "xx", "xy", "yx"))),
    "bodies that differ in names": "".join(SUM.format(f"%{i}", "%a", f"%{x}", f"%{y}", f"    %z = stablehlo.subtract %{x}, %{y} : tensor<f32>\n    stablehlo.return %z : tensor<f32>\n") for i, (x, y) in enumerate((("x", "y"), ("1", "y"), ("z.", "2"), ("x", "z_1")))),
    "bodies that read an operand": "".join(SUM.format(f"%{i}", "%a", "%x", "%y", "    %z = stablehlo.subtract %x, %c : tensor<f32>\n    stablehlo.return %z : tensor<f32>\n") for i in range(3)),
    "bodies that read what is outside": "  %k = stablehlo.constant dense<1.0> : tensor<f32>\n" + "".join(SUM.format(f"%{i}", "%a", "%x", "%y", "    %z = stablehlo.subtract %x, %k : tensor<f32>\n    stablehlo.return %z : tensor<f32>\n") for i in range(3)),
    "loops": "".join(f"  %{i}:2 = stablehlo.while(%x = %c, %y = %a) : tensor<f32>, tensor<4xf32>\n  cond {{\n    %t = stablehlo.compare LT, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %t : tensor<i1>\n  }} do {{\n    stablehlo.return %x, %y : tensor<f32>, tensor<4xf32>\n  }}\n" for i in range(3)),
    "bodies at two depths": "  %p = stablehlo.compare LT, %c, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>\n" + "".join("  %i" + str(i) + ' = "stablehlo.if"(%p) ({\n' + SUM.format("%s", "%a", "%x", "%y", "    %z = stablehlo.subtract %x, %y : tensor<f32>\n    stablehlo.return %z : tensor<f32>\n") + "    stablehlo.return %s : tensor<f32>\n  }, {\n    stablehlo.return %c : tensor<f32>\n  }) : (tensor<i1>) -> tensor<f32>\n" + SUM.format(f"%{i}", "%a", "%x", "%y", "    %z = stablehlo.subtract %x, %y : tensor<f32>\n    stablehlo.return %z : tensor<f32>\n") for i in range(2)),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_lines(body: str) -> None:
    module = Parser(context(), MAIN.format(body)).parse_module()
    assert_same(module)
    # Nothing that is printed once is printed wrongly the second time.
    writer = Writer()
    for _ in range(2):
        writer.print_op(module)
    out = io.StringIO()
    printer = Printer(out)
    for _ in range(2):
        printer.print_op(module)
    assert writer.text == out.getvalue()


def test_ops_in_generic_form_stay_so() -> None:
    """After the pass, every syntax prints what the ordinary printer does."""
    module = Parser(context(), MAIN.format(BODIES["attributes"])).parse_module()
    spell(module, NEWEST)
    assert "{permutation = " in to_text(module)
    assert_same(module)


def test_unknown_ops() -> None:
    unregistered = Context(allow_unregistered=True)
    for dialect in context().loaded_dialects:
        unregistered.load_dialect(dialect)
    line = '  %{} = "other.op"(%{}) {{x = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>\n'
    assert_same(Parser(unregistered, MAIN.format(line.format(0, "a") + line.format(1, "0"))).parse_module())


def test_whole_functions_in_full() -> None:
    """Names of values begin anew in what is isolated, however it is printed."""
    lines = "  %0 = stablehlo.sine %a : tensor<4xf32>\n  %x = stablehlo.sine %0 : tensor<4xf32>"
    text = MAIN.format(lines) + MAIN.format(lines).replace("@main", "@other")
    module = Parser(context(), text).parse_module()
    full = written(module, lambda op: op.name == "func.func")
    for op in list(module.walk()):
        if op.name == "func.func":
            to_generic_form(op)
    assert full + "\n" == stock(module, "pretty")


def test_what_a_version_is_too_old_for() -> None:
    module = parse(MAIN.format("  %0 = stablehlo.tan %a : tensor<4xf32>\n  %1 = stablehlo.tan %0 : tensor<4xf32>"))
    assert to_text(module, syntax="pjrt-1.4").count("stablehlo.tan") == 2
    with pytest.raises(SyntaxVersionError, match=r"stablehlo\.tan: the op appeared in StableHLO 1\.4"):
        to_text(module, syntax="pjrt-1.3")


def test_signatures_hold_what_ops_have_in_common() -> None:
    lines = [
        "%0 = stablehlo.sine %a : tensor<4xf32>",
        "%1 = stablehlo.sine %b : tensor<4xf32>",
        "%2 = stablehlo.cosine %b : tensor<4xf32>",
        "%3 = stablehlo.sine %c : tensor<f32>",
        "%4 = stablehlo.sine %b {x} : tensor<4xf32>",
        "%5 = stablehlo.transpose %a, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>",
        "%6 = stablehlo.transpose %b, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>",
    ]
    module = parse(MAIN.format("\n".join(lines)))
    found = [signature(op) for op in module.walk() if op.results]
    assert [found.index(s) for s in found] == [0, 0, 2, 3, 4, 5, 5]


def test_signatures_of_bodies() -> None:
    for bodies, expected in (
        ("bodies that differ in the order of values", [0, 1, 2, 0, 1]),
        ("bodies that differ in names", [0, 0, 0, 0]),
        ("bodies that read an operand", None),
        ("bodies that read what is outside", None),
    ):
        module = reader.read(context(), MAIN.format(BODIES[bodies]), "f.mlir")
        found = [signature_inside(op)[0] for op in module.walk() if op.name == "stablehlo.reduce"]
        assert [found.index(s) for s in found] == expected if expected else set(found) == {None}
