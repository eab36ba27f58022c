"""Locations under stock xDSL: all forms that MLIR prints are read, and `--print-debuginfo` prints what MLIR reads."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from hhlo_xdsl.dialects.locations import install_location_fixes
from hhlo_xdsl.text import context, parse
from tests import cpp

install_location_fixes()

OP = "func.func @f(%x: tensor<f32>) -> tensor<f32> {{\n  %0 = stablehlo.sine %x : tensor<f32> {}\n  return %0 : tensor<f32>\n}}\n"

FORMS = [
    "loc(unknown)",
    'loc("model.py":3:4)',
    'loc("jit(f)/sin")',
    'loc("jit(f)/sin"("model.py":3:4))',
    'loc(callsite("f"("model.py":3:4) at "main.py":7:1))',
    'loc(fused["a", "model.py":3:4])',
    'loc(fused<"note">["model.py":3:4, callsite("f" at "main.py":7:1)])',
    'loc("a \\22 b"("model.py":3:4))',
]
LATER = [
    ("loc(#loc2)", '#loc1 = loc("model.py":3:4)\n#loc2 = loc("sum"(#loc1))'),
    ("loc(#loc)", "#loc = loc(unknown)"),
    ("loc(#loc1)", '#loc = loc("main.py":7:1)\n#loc1 = loc(callsite("f"(#loc) at #loc))'),
]


def stock(text: str) -> ModuleOp:
    """What xDSL's own parser reads."""
    return Parser(context(), text).parse_module()


def printed(module: ModuleOp) -> str:
    stream = io.StringIO()
    Printer(stream, print_debuginfo=True).print_op(module)
    return stream.getvalue()


def location(text: str) -> str:
    """That of the op, as C++ understands the text."""
    module = cpp.parse(text)
    function = next(iter(module.body.operations))
    return str(next(iter(function.regions[0].blocks[0].operations)).location)


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str):
    text = OP.format(form)
    module = parse(text) if "unknown" not in form else stock(text)
    assert location(printed(module)) == location(text)
    assert str(stock(text)) == str(module)


@pytest.mark.parametrize("form, definitions", LATER, ids=[form for form, _ in LATER])
def test_named_after_their_use(form: str, definitions: str):
    text = OP.format(form) + definitions
    found = location(printed(stock(text)))
    assert found == location(text)
    before = location(printed(stock(definitions + "\n" + OP.format(form))))
    assert found == before


def test_of_a_range_the_beginning_is_kept():
    text = OP.format('loc("model.py":3:4 to 5:9)')
    assert location(printed(stock(text))) == location(text.replace(" to 5:9", ""))


@pytest.mark.parametrize("definition", ["#loc = loc(#loc)", "#loc1 = loc(unknown)", "#loc = 1 : i32"])
def test_wrong_names(definition: str):
    with pytest.raises(ParseError):
        stock(OP.format("loc(#loc)") + definition)


EXAMPLES = json.loads((Path(__file__).parent / "data/op_examples.json").read_text())
MODULES = [op["examples"][0]["module"] for op in EXAMPLES]


def test_every_op_prints_with_its_location():
    """The lines of the text, which the parser notes, are where C++ finds them after printing."""
    for text in MODULES:
        if cpp.refuses(text) is None:
            again = printed(parse(text))
            assert cpp.generic(again) == cpp.generic(text)
            assert printed(parse(again)) == again
