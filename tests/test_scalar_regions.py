"""Regions that are no functions of scalars: read and written as upstream does, not compiled, not differentiated."""

import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.errors import CompileError, DifferentiationError, VerifyError
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from tests import cpp

CAPTURED = r"reads a value of type tensor<\w+> from outside, in stablehlo\.\w+; it may read its arguments and constants"

PROGRAMS = {
    "reduce": """func.func @main(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %1 = stablehlo.multiply %b, %c : tensor<f32>
        %2 = stablehlo.add %a, %1 : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }
      return %0 : tensor<f32>
    }""",
    "reduce_window": """func.func @main(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<2xf32> {
      %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.maximum %b, %c : tensor<f32>
        %2 = stablehlo.add %a, %1 : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""",
    "select_and_scatter": """func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>, %c: tensor<i1>) -> tensor<4xf32> {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.select_and_scatter"(%x, %y, %z) <{
        window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %c : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""",
    "scatter": """func.func @main(%x: tensor<3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>, %c: tensor<f32>) -> tensor<3xf32> {
      %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %c : tensor<f32>
      }) : (tensor<3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }""",
    "map": """func.func @main(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
      %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
      ^bb0(%a: tensor<f32>):
        %1 = stablehlo.multiply %a, %c : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""",
    "sort": """func.func @main(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
      %0 = "stablehlo.sort"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %c : tensor<i1>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""",
    "all_reduce": """func.func @main(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %c : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
def test_a_capture_is_read_and_written(name: str, syntax: str):
    text = PROGRAMS[name]
    assert cpp.generic(hh.to_text(hh.parse(text), syntax=syntax)) == cpp.generic(text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_capture_is_not_differentiated(name: str):
    with pytest.raises(DifferentiationError, match=rf"stablehlo\.{name}: .*{CAPTURED}; make the value an input\n  at "):
        hh.grad_module(hh.parse(PROGRAMS[name]), (0,), seed=True)
    with pytest.raises(DifferentiationError, match=rf"stablehlo\.{name}: .*{CAPTURED}"):
        differentiate_forward(hh.parse(PROGRAMS[name]), JvpPass(wrt=(0,)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_capture_is_not_compiled(name: str):
    with hh.Session("cpu") as session, pytest.raises(CompileError, match=rf"stablehlo\.{name}: .*{CAPTURED}"):
        session.compile(PROGRAMS[name])


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "all_reduce"])
def test_a_constant_may_be_captured(name: str):
    """XLA copies constants into regions, so they count as inside; its CPU runs few bodies of all_reduce at all."""
    text = PROGRAMS[name]
    type, value = ("i1", "true") if "%c: tensor<i1>" in text else ("f32", "1.0")
    head, line, rest = text.replace(f", %c: tensor<{type}>", "").partition(
        "tensor<4xf32> {\n" if "x4" in text else "{\n"
    )
    constant = f"      %c = stablehlo.constant dense<{value}> : tensor<{type}>\n"
    with hh.Session("cpu") as session:
        session.compile(head + line + constant + rest)


BLOCKS = """func.func @main(%x: tensor<3x4x5xf32>, %z: tensor<{1}f32>) -> tensor<4x5xf32> {{
  %0 = {0}({{
  ^bb0(%a: tensor<{1}f32>, %b: tensor<{1}f32>):
    %1 = stablehlo.add %a, %b : tensor<{1}f32>
    stablehlo.return %1 : tensor<{1}f32>
  }}) : (tensor<3x4x5xf32>, tensor<{1}f32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}}"""
REDUCE = '"stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}>'


@pytest.mark.parametrize("shape", ["4x5x", "4x", "5x", "?x", "4x?x"])
def test_a_body_on_blocks(shape: str):
    """Upstream's verifier takes a body on some of the sizes that remain, in order."""
    text = BLOCKS.format(REDUCE, shape)
    for syntax in ("pretty", "generic", "pjrt-1.16"):
        assert cpp.generic(hh.to_text(hh.parse(text), syntax=syntax)) == cpp.generic(text)
    with pytest.raises(
        DifferentiationError, match=rf"reduce: .* takes tensor<{shape.replace('?', '.')}f32>; .*scalars"
    ):
        hh.grad_module(hh.parse(text), (0,), seed=True)
    if "?" not in shape:
        with hh.Session("cpu") as session, pytest.raises(CompileError, match="it must take scalars"):
            session.compile(text)


@pytest.mark.parametrize("shape", ["5x4x", "3x", "4x5x1x"])
def test_a_body_on_other_blocks_is_refused(shape: str):
    text = BLOCKS.format(REDUCE, shape)
    assert cpp.refuses(text) is not None
    with pytest.raises(VerifyError, match=r"spec reduce C[26]"):
        hh.parse(text)


WINDOW = """func.func @main(%x: tensor<4x3xf32>, %z: tensor<{0}f32>) -> tensor<3x1xf32> {{
  %0 = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 2, 3>}}> ({{
  ^bb0(%a: tensor<{0}f32>, %b: tensor<{0}f32>):
    %1 = stablehlo.add %a, %b : tensor<{0}f32>
    stablehlo.return %1 : tensor<{0}f32>
  }}) : (tensor<4x3xf32>, tensor<{0}f32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}}"""


@pytest.mark.parametrize("shape", ["", "2x", "3x", "2x3x", "4x", "3x2x"])
def test_a_window_body_on_blocks(shape: str):
    """Of some of the window's sizes, in order."""
    text = WINDOW.format(shape)
    if cpp.refuses(text) is None:
        assert cpp.generic(hh.to_text(hh.parse(text))) == cpp.generic(text)
    else:
        with pytest.raises(VerifyError, match=r"spec reduce_window C13"):
            hh.parse(text)


NARROW, WIDE = "!quant.uniform<i8:f32, 2.0:15>", "!quant.uniform<i16:f32, 2.0:15>"
QUANTIZED = """func.func @main(%x: tensor<4x!narrow>, %z: tensor<!narrow>) -> tensor<!wide> {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4x!narrow>, tensor<!narrow>) -> tensor<!wide>
   reducer(%a: tensor<!wide>, %b: tensor<!wide>) {
    %1 = stablehlo.add %a, %b : tensor<!wide>
    stablehlo.return %1 : tensor<!wide>
  }
  return %0 : tensor<!wide>
}"""


def test_quantized_numbers_promote_to_wider_ones():
    text = QUANTIZED.replace("!narrow", NARROW).replace("!wide", WIDE)
    assert cpp.generic(hh.to_text(hh.parse(text))) == cpp.generic(text)
    for narrow, wide in ((WIDE, NARROW), (NARROW.replace("f32", "f16"), WIDE)):
        wrong = QUANTIZED.replace("!narrow", narrow).replace("!wide", wide)
        assert cpp.refuses(wrong) is not None
        with pytest.raises(VerifyError, match=r"spec reduce C[26]"):
            hh.parse(wrong)
