"""The terminator of regions."""

import pytest
from xdsl.dialects.builtin import f32
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import ParseError
from hhlo_xdsl.text import parse

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
