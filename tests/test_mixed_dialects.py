"""Programs that mix StableHLO with dialects of xDSL: read, verified and written; told apart where they cannot go on."""

import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.errors import DifferentiationError, SyntaxVersionError, VerifyError
from tests import cpp

BLOCKS = """func.func @main(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  cf.cond_br %p, ^bb1(%0 : tensor<4xf32>), ^bb2
^bb1(%a: tensor<4xf32>):
  %1 = stablehlo.add %a, %0 : tensor<4xf32>
  cf.br ^bb2
^bb2:
  return %0 : tensor<4xf32>
}"""

ARITH = """func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = arith.addf %x, %c : tensor<4xf32>
  %i = arith.constant 0 : index
  %d = tensor.dim %0, %i : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
  return %2 : tensor<?xf32>
}"""


@pytest.mark.parametrize("text", [BLOCKS, ARITH], ids=["cf", "arith"])
@pytest.mark.parametrize("syntax", ["pretty", "generic"])
def test_read_and_written(text: str, syntax: str):
    assert cpp.generic(hh.to_text(hh.parse(text), syntax=syntax)) == cpp.generic(text)


@pytest.mark.parametrize("text, op", [(BLOCKS, "cf.cond_br"), (ARITH, "arith.constant")], ids=["cf", "arith"])
def test_no_text_for_devices(text: str, op: str):
    with pytest.raises(SyntaxVersionError, match=rf"{op}: StableHLO 1.16 has no such op"):
        hh.to_text(hh.parse(text), syntax="pjrt-1.16")


def test_no_gradient():
    with pytest.raises(DifferentiationError, match=r"tensor\.cast: no derivative rule"):
        hh.grad_module(hh.parse(ARITH), (0,), seed=True)
    with pytest.raises(DifferentiationError, match=r"@main has 3 blocks; one was expected"):
        hh.grad_module(hh.parse(BLOCKS), (0,), seed=True)


def test_a_block_uses_what_is_defined_on_every_way_to_it():
    wrong = BLOCKS.replace("return %0", "return %1")
    assert cpp.refuses(wrong) is not None
    with pytest.raises(VerifyError, match=r"func\.return: operand 0.* used before its definition.*\n  at <text>:8:3"):
        hh.parse(wrong)
