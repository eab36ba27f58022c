"""`hh.parse`: what it takes, and how it tells what is wrong with a text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc

from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp
from hhlo_xdsl.dialects.stablehlo.unary import CosineOp
from hhlo_xdsl.errors import DTypeError, HhloError, ParseError, ShapeError, SyntaxVersionError, VerifyError
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.text import parse, to_text
from tests import cpp

PROGRAMS = Path(__file__).parent / "data/programs"

MAIN = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = {}
  return %0 : tensor<2xf32>
}}"""
COSINE = MAIN.format("stablehlo.cosine %a : tensor<2xf32>")

# Words of xDSL's that mean nothing to who wrote the text.
INTERNAL = re.compile(r"xdsl|SSAValue|irdl|property '|base attribute|Traceback|\{first_char\}|UnregisteredOp|<class")


def failure(text: str) -> HhloError:
    with pytest.raises(HhloError) as caught:
        parse(text)
    assert isinstance(caught.value, ParseError | VerifyError)
    assert not INTERNAL.search(str(caught.value))
    return caught.value


# Faults: body of @main, line, column, message

SYNTAX = {
    "unknown op": (
        "stablehlo.cosin %a : tensor<2xf32>",
        2,
        8,
        "stablehlo.cosin: unknown op; did you mean stablehlo.cosine?",
    ),
    "unknown op in quotes": (
        '"stablehlo.cosin"(%a) : (tensor<2xf32>) -> tensor<2xf32>',
        2,
        9,
        "stablehlo.cosin: unknown op; did you mean stablehlo.cosine?",
    ),
    "op without dialect": ("cosine %a : tensor<2xf32>", 2, 8, "cosine: unknown op; did you mean stablehlo.cosine?"),
    "op of mhlo": ("mhlo.add %a, %a : tensor<2xf32>", 2, 8, "mhlo.add: unknown op; did you mean stablehlo.add?"),
    "op of another dialect": (
        "linalg.xyzzy %a : tensor<2xf32>",
        2,
        8,
        "linalg.xyzzy: unknown op; the known dialects are builtin, chlo, func, sdy, stablehlo",
    ),
    "unknown attribute": (
        "stablehlo.cosine %a {x = #stablehlo.precison<HIGH>} : tensor<2xf32>",
        2,
        34,
        "stablehlo.precison: unknown attribute or type; did you mean stablehlo.precision?",
    ),
    "undefined value": ("stablehlo.add %a, %b : tensor<2xf32>", 2, 26, "%b is used but not defined"),
    "value defined twice": (
        "stablehlo.cosine %a : tensor<2xf32>\n  %0 = stablehlo.sine %a : tensor<2xf32>",
        3,
        3,
        "SSA value %0 is already defined",
    ),
    "type of an operand": (
        "stablehlo.cosine %a : tensor<3xf32>",
        2,
        25,
        "operand is used with type tensor<3xf32>, but has been previously used or defined with type tensor<2xf32>",
    ),
    "types of too few operands": (
        "stablehlo.add %a, %a : (tensor<2xf32>) -> tensor<2xf32>",
        2,
        31,
        "2 operands have 1 types",
    ),
    "too many results": (
        '"stablehlo.cosine"(%a) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)',
        2,
        3,
        "operation has 2 results, but was given 1 to bind",
    ),
    "element type": ("stablehlo.cosine %a : tensor<2xfloat>", 2, 39, "expected shape type; found float"),
    "missing comma": ("stablehlo.add %a %a : tensor<2xf32>", 2, 25, "expected ','; found %a"),
    "missing type": ("stablehlo.cosine %a", 3, 3, "expected ':'; found return"),
    "keyword": ("stablehlo.reverse %a, dim = [0] : tensor<2xf32>", 2, 30, "expected 'dims'; found dim"),
    "direction": (
        "stablehlo.compare lt, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
        2,
        26,
        "expected `EQ`, `NE`, `GE`, `GT`, `LE`, or `LT`; found lt",
    ),
    "not ASCII": ("stablehlo.cosine %é : tensor<2xf32>", 2, 25, "expected a name after this sign; found %é"),
    "after other letters": (
        'stablehlo.cosine %a {x = "é∂漢"} : tensor<2xf32> // ∂\n  %1 = stablehlo.sin %a : tensor<2xf32>',
        3,
        8,
        "stablehlo.sin: unknown op; did you mean stablehlo.sine?",
    ),
    "open string": (
        'stablehlo.cosine %a {x = "abc} : tensor<2xf32>',
        2,
        33,
        "end of file reached before closing string",
    ),
    "long open string": (
        f'stablehlo.cosine %a {{x = "{"abc " * 50}}} : tensor<2xf32>',
        2,
        33,
        "end of file reached before closing string",
    ),
    "tabs": ("\t\tstablehlo.cosin %a : tensor<2xf32>", 2, 10, "stablehlo.cosin: unknown op"),
    "carriage returns": ("\r\n  stablehlo.cosin %a : tensor<2xf32>\r", 3, 3, "stablehlo.cosin: unknown op"),
}


@pytest.mark.parametrize("body, line, column, message", SYNTAX.values(), ids=SYNTAX)
def test_syntax_error(body: str, line: int, column: int, message: str):
    text = MAIN.format(body)
    error = failure(text)
    assert isinstance(error, ParseError)
    assert (error.line, error.column) == (line, column)
    assert str(error).startswith(f"<text>:{line}:{column}: {message}")
    assert cpp.refuses(text) is not None


def test_the_line_is_shown_with_a_mark():
    error = failure(MAIN.format("stablehlo.add %a, %b : tensor<2xf32>"))
    assert str(error) == (
        "<text>:2:26: %b is used but not defined\n"
        "  %0 = stablehlo.add %a, %b : tensor<2xf32>\n"
        "                         ^"
    )


def test_of_a_long_line_a_part_is_shown():
    error = failure(MAIN.format(f"stablehlo.cosine {' ' * 500}%b : tensor<2xf32>"))
    _, shown, mark = str(error).split("\n")
    assert len(shown) < 110
    assert shown[mark.index("^") :].startswith("%b")


FAULTY = {
    "missing operand": (
        '"stablehlo.add"(%a) : (tensor<2xf32>) -> tensor<2xf32>',
        VerifyError,
        "stablehlo.add: expected 2 operands, but got 1\n  at <text>:2:3",
    ),
    "missing attribute": (
        '"stablehlo.reverse"(%a) : (tensor<2xf32>) -> tensor<2xf32>',
        VerifyError,
        "stablehlo.reverse: attribute dimensions is missing\n  at <text>:2:3",
    ),
    "attribute of the wrong kind": (
        '"stablehlo.reverse"(%a) <{dimensions = 1 : i64}> : (tensor<2xf32>) -> tensor<2xf32>',
        VerifyError,
        "stablehlo.reverse: attribute dimensions is 1 : i64, which is of the wrong kind\n  at <text>:2:3",
    ),
    "old spelling": (
        '"stablehlo.reverse"(%a) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2xf32>) -> tensor<2xf32>',
        VerifyError,
        "stablehlo.reverse: attribute dimensions is dense<0> : tensor<1xi64>, which is of the wrong kind",
    ),
    "shape": (
        "stablehlo.slice %a [0:3] : (tensor<2xf32>) -> tensor<2xf32>",
        ShapeError,
        "stablehlo.slice: dimension 0 of tensor<2xf32> is sliced 0:3; 0 <= start <= limit <= 2 (spec slice C3)",
    ),
    "element type": (
        "stablehlo.popcnt %a : tensor<2xf32>",
        DTypeError,
        "stablehlo.popcnt: operand is tensor<2xf32>; its elements must be signed integers or unsigned integers;",
    ),
    "use before definition": (
        "stablehlo.add %a, %1 : tensor<2xf32>\n  %1 = stablehlo.cosine %a : tensor<2xf32>",
        VerifyError,
        "stablehlo.add: operand 1, of type tensor<2xf32>, is used before its definition or outside its scope;"
        " move the definition before the use\n  at <text>:2:3",
    ),
    "unknown rank": (
        "stablehlo.cosine %a : tensor<2xf32>\n  %1 = stablehlo.cosine %a : (tensor<2xf32>) -> tensor<*xf32>",
        VerifyError,
        "stablehlo.cosine: result: found tensor<*xf32>; a tensor of known rank was expected\n  at <text>:3:3",
    ),
    "lists of several lengths": (
        '"stablehlo.reduce"(%a) <{dimensions = array<i64>}> ({\n}) : (tensor<2xf32>) -> tensor<2xf32>',
        VerifyError,
        "stablehlo.reduce: found 1 operands for 2 lists of one length; give each list as many\n  at <text>:2:3",
    ),
    "unknown function": (
        "func.call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>",
        VerifyError,
        "func.call: '@g' could not be found in symbol table\n  at <text>:2:3",
    ),
}


@pytest.mark.parametrize("body, kind, message", FAULTY.values(), ids=FAULTY)
def test_invalid_program(body: str, kind: type[VerifyError], message: str):
    error = failure(MAIN.format(body))
    assert type(error) is kind
    assert str(error).startswith(message)
    assert cpp.refuses(MAIN.format(body)) is not None


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "func.func @f() {\n}",
            "func.func: @f is public and has no body; give it one, or declare it private\n  at <text>:1:1",
        ),
        (
            '"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n^bb0:\n}) : () -> ()',
            "func.func: its body is empty; end it with a return\n  at <text>:1:1",
        ),
        (
            COSINE.replace("  return %0 : tensor<2xf32>\n", ""),
            "stablehlo.cosine: it ends its block; a return was expected after it\n  at <text>:2:3",
        ),
        (
            COSINE.replace("return %0 : tensor<2xf32>", "return"),
            "func.return: expected arguments to have the same types as the function output types:"
            " expected [tensor<2xf32>], got []\n  at <text>:3:3",
        ),
        (
            "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\nfunc.func @f() {\n  return\n}",
            'builtin.module: redefinition of symbol "f"\n  at <text>:7:1',
        ),
        (
            '"func.func"() <{sym_name = "f"}> ({\n  "func.return"() : () -> ()\n}) : () -> ()',
            "func.func: attribute function_type is missing\n  at <text>:1:1",
        ),
        (
            '"func.func"() <{function_type = 1 : i32, sym_name = "f"}> ({\n  "func.return"() : () -> ()\n}) : () -> ()',
            "func.func: attribute function_type is 1 : i32, which is of the wrong kind\n  at <text>:1:1",
        ),
        (
            "func.func private @g(%a: tensor<3xf32>) -> tensor<2xf32>\n"
            + MAIN.format("func.call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>"),
            "func.call: operand type mismatch: expected operand type tensor<3xf32>, but provided tensor<2xf32>"
            " for operand number 0\n  at <text>:3:3",
        ),
    ],
)
def test_invalid_function(text: str, message: str):
    error = failure(text)
    assert type(error) is VerifyError
    assert str(error) == message
    assert cpp.refuses(text) is not None


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "<text>:1:1: the text is empty; a module was expected"),
        ("  \n\t", "<text>:2:2: the text is empty; a module was expected"),
        ("hello world", "<text>:1:1: hello: unknown op; the known dialects are builtin, chlo, func, sdy, stablehlo"),
        ('{"a": 1}', "<text>:1:1: expected an op; found {"),
        ("\ufeffmodule {}", "<text>:1:1: unexpected character: \ufeff"),
        ("module {", "<text>:1:9: expected an op or }; found the end of the text"),
        ("func.func @f() { ^", "<text>:1:18: expected a name after this sign; found ^"),
        ("^", "<text>:1:1: expected a name after this sign; found ^"),
        ("HloModule jit_f", "<text>:1:1: HloModule: unknown op"),
        ("func.func @f(%a: i1, %a: i1) { return }", "<text>:1:22: SSA value %a is already defined"),
        ("module attributes {a.x = " + "[" * 3000 + "]" * 3000 + "} {}", "nested too deeply"),
        ("module {" * 2000 + "}" * 2000, "nested too deeply"),
        (
            "module attributes {a.x = dense<" + "[" * 3000 + "1" + "]" * 3000 + "> : tensor<1xi32>} {}",
            "nested too deeply",
        ),
    ],
    ids=lambda text: text[:20],
)
def test_not_a_program(text: str, message: str):
    error = failure(text)
    assert isinstance(error, ParseError)
    assert message in str(error)
    assert len(str(error)) < 500
    assert error.line >= 1
    assert error.column >= 1


BEYOND_ASCII = [
    'module @"\u00e9" attributes {a.x = "\u00e9\\0A", a.y = "\\00"} {}',
    r'module attributes {a.x = "\FF", a.y = "caf\C3\A9"} {}',
    r'func.func @"\C3\A9"() { return } func.func @g() { call @"\C3\A9"() : () -> () return }',
    r'"builtin.module"() ({ "func.func"() <{function_type = () -> (), sym_name = "\C3\A9"}> ({ "func.return"() : () -> () '
    "}) : () -> () }) : () -> ()",
]


@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
def test_a_text_of_comments_is_an_empty_module(syntax: str):
    text = "// RUN: nothing\n\n// to read\n"
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


@pytest.mark.parametrize("text", BEYOND_ASCII)
@pytest.mark.parametrize("syntax", ["pretty", "generic"])
def test_strings_beyond_ascii(text: str, syntax: str):
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


def test_a_name_that_is_not_utf8():
    assert "1:17: a name is UTF-8" in str(failure(r'func.func @"\FF"() { return }'))


@pytest.mark.parametrize("op", ["stablehlo.add", "stablehlo.tuple", "chlo.square", "func.return"])
def test_attributes_of_an_op_without_attributes(op: str):
    """An op that declares none takes no dictionary of them, not even an empty one; ops that declare some do."""
    operands = "%a, %a" if op == "stablehlo.add" else "%a"
    types = "tensor<f32>, tensor<f32>" if op == "stablehlo.add" else "tensor<f32>"
    result = {"func.return": "()", "stablehlo.tuple": "tuple<tensor<f32>>"}.get(op, "tensor<f32>")
    line = f'"{op}"({operands}) <{{}}> : ({types}) -> {result}'
    text = f"func.func @f(%a: tensor<f32>) -> tensor<f32> {{\n  {line}\n  return %a : tensor<f32>\n}}"
    assert cpp.refuses(text) is not None
    assert re.search(rf"2:\d+: {op} takes no attributes in <{{\.\.}}>", str(failure(text)))
    parse(text.replace(line, '"stablehlo.tanh"(%a) <{}> : (tensor<f32>) -> tensor<f32>'))


@pytest.mark.parametrize("value", [b"module {}", None, 3])
def test_not_a_text(value: object):
    with pytest.raises(ParseError, match=f"got {type(value).__name__}; text \\(str\\) was expected"):
        parse(value)  # pyright: ignore[reportArgumentType]


def test_file_name_in_errors():
    with pytest.raises(ParseError, match=r"^model\.mlir:1:1: hello"):
        parse("hello", filename="model.mlir")
    with pytest.raises(VerifyError, match=r"\n  at model\.mlir:2:3$"):
        parse(MAIN.format("stablehlo.reverse %a, dims = [1] : tensor<2xf32>"), filename="model.mlir")


# Broken files

TOKEN = re.compile(r'%[\w#]+|@\w+|#[\w.]+|"[^"]*"|->|-?\d+\.\d+(?:e[+-]\d+)?|0x[0-9A-F]+|[A-Za-z_][\w.$]*|-?\d+|\S')


@pytest.mark.parametrize("name, step", [("calls", 1), ("cnn", 11)])
def test_file_cut_off_anywhere(name: str, step: int):
    """Before every `step`th token of a real program: an error at the end of the text, or before it."""
    text = (PROGRAMS / f"{name}.mlir").read_text()
    for token in list(TOKEN.finditer(text))[:-1:step]:
        cut = text[: token.start()]
        error = failure(cut)
        assert isinstance(error, ParseError), cut[-100:]
        last = cut.count("\n") + 1
        assert 1 <= error.line <= last
        assert 1 <= error.column <= len(cut.split("\n")[error.line - 1]) + 1


@pytest.mark.parametrize("name", ["second_order"])
def test_file_with_a_hole_anywhere(name: str):
    """Without one token, it is refused as in C++, or the same program."""
    text = (PROGRAMS / f"{name}.mlir").read_text()
    for token in TOKEN.finditer(text):
        holed = text[: token.start()] + text[token.end() :]
        if cpp.refuses(holed) is None:
            assert cpp.generic(to_text(parse(holed))) == cpp.generic(holed), token.group()
        else:
            failure(holed)


# Locations


def test_ops_know_their_line():
    places = [(op.name, place(op)) for op in parse("\n" + COSINE, filename="f.mlir").walk()]
    assert places[1:] == [
        ("func.func", "\n  at f.mlir:2:1"),
        ("stablehlo.cosine", "\n  at f.mlir:3:3"),
        ("func.return", "\n  at f.mlir:4:3"),
    ]


LOCATIONS = {
    'loc("model.py":3:4)': ("FileLineColLoc", "\n  at model.py:3:4"),
    'loc("model.py":3:4 to :9)': ("FileLineColLoc", "\n  at model.py:3:4"),
    'loc("model.py":3:4 to 5:9)': ("FileLineColLoc", "\n  at model.py:3:4"),
    'loc("jit(f)/cos"("model.py":3:4))': ("NameLoc", "\n  at model.py:3:4"),
    'loc("jit(f)/cos")': ("NameLoc", ""),
    'loc(callsite("f"("model.py":3:4) at "main.py":7:1))': ("CallSiteLoc", "\n  at model.py:3:4"),
    'loc(callsite("f" at "main.py":7:1))': ("CallSiteLoc", "\n  at main.py:7:1"),
    'loc(fused["a", "model.py":3:4])': ("FusedLoc", "\n  at model.py:3:4"),
    'loc(fused<"note">["model.py":3:4])': ("FusedLoc", "\n  at model.py:3:4"),
    "loc(unknown)": ("FileLineColLoc", "\n  at <text>:2:3"),
}


@pytest.mark.parametrize("text", LOCATIONS)
def test_location_in_the_text(text: str):
    kinds = {c.__name__: c for c in (FileLineColLoc, NameLoc, CallSiteLoc, FusedLoc)}
    kind, at = LOCATIONS[text]
    program = MAIN.format(f"stablehlo.cosine %a : tensor<2xf32> {text}")
    op = next(op for op in parse(program).walk() if isinstance(op, CosineOp))
    assert isinstance(op.location, kinds[kind])
    assert place(op) == at
    assert cpp.refuses(program) is None


NAMED_LATER = """#loc = loc(unknown)
#loc1 = loc("x")
module @m {
  func.func public @main(%x: tensor<2x3xf32> loc("x")) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0.0> : tensor<f32> loc(#loc)
    %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32> loc(#loc4)
    return %0 : tensor<2xf32> loc(#loc3)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("model.py":8:19 to :36)
#loc3 = loc("sum"(#loc2))
#loc4 = loc(callsite(#loc3 at #loc2))
"""


def test_locations_named_after_their_use():
    """As MLIR prints them, and so JAX with debug_info=True."""
    module = parse(NAMED_LATER)
    op = next(op for op in module.walk() if isinstance(op, ReduceOp))
    assert place(op) == "\n  at model.py:8:19"
    assert cpp.generic(to_text(module)) == cpp.generic(NAMED_LATER)


def test_errors_name_the_users_line():
    text = NAMED_LATER.replace("dimensions = [1]", "dimensions = [2]")
    with pytest.raises(ShapeError, match=r"\(spec reduce C4\)\n  at model\.py:8:19$"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["loc(#loc9)", "loc(fused)", 'loc("a":1)', "loc(", 'loc("a":1:2 to)', 'loc("a":1:2 to :-3)', "loc(#loc)"],
)
def test_broken_location(text: str):
    """The last one is defined by itself."""
    program = MAIN.format(f"stablehlo.cosine %a : tensor<2xf32> {text}") + "\n#loc = loc(#loc)"
    assert isinstance(failure(program), ParseError)


# Printing

SYNTAXES = {
    "pretty": "stablehlo.reverse %a, dims = [0] : tensor<2xf32>",
    "generic": '"stablehlo.reverse"(%a) <{dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2xf32>',
    "pjrt-1.16": '"stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>',
}


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_syntaxes(syntax: str):
    module = parse(MAIN.format(SYNTAXES["pretty"]))
    assert SYNTAXES[syntax] in to_text(module, syntax=syntax)
    assert to_text(module, syntax=syntax).endswith("}\n" if syntax != "generic" else "}) : () -> ()\n")


@pytest.mark.parametrize("syntax", ["", "mlir", "pjrt", "pjrt-", "pjrt-0.1", "generic-1.16"])
def test_unknown_syntax(syntax: str):
    message = f'to_text: syntax is "{syntax}"; it must be "pretty", "generic", or "pjrt-VERSION"'
    with pytest.raises(SyntaxVersionError, match=re.escape(message)):
        to_text(parse(COSINE), syntax=syntax)


def test_text_of_what_is_not_a_module():
    with pytest.raises(HhloError, match="to_text: got str; a module was expected"):
        to_text(COSINE)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_printing_leaves_the_module_as_it_is(syntax: str):
    module = parse(MAIN.format(SYNTAXES["pretty"]))
    before = str(module)
    to_text(module, syntax=syntax)
    assert str(module) == before
