"""How many steps a loop takes, against counting them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.passes.trips import trips
from hhlo_xdsl.text import parse
from tests.test_loops import LOOP

COMPARE = {
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
}
TYPES = {"i8": np.int8, "ui8": np.uint8}


def found(text: str) -> int | None:
    return trips(next(op for op in parse(text).walk() if isinstance(op, WhileOp)))


@pytest.mark.parametrize("element", TYPES)
@given(data=st.data())
def test_counting(element: str, data: st.DataObject) -> None:
    """If a count is found, it is the right one; it is found unless the counter wraps around."""
    limits = np.iinfo(TYPES[element])
    number = st.integers(int(limits.min), int(limits.max))
    start, bound, step = data.draw(number), data.draw(number), data.draw(st.integers(1, 9))
    direction, op = data.draw(st.sampled_from(list(COMPARE))), data.draw(st.sampled_from(["add", "subtract"]))
    text = LOOP.format(t=element, start=start, bound=bound, step=step, direction=direction, op=op)
    i, count = start, 0
    while COMPARE[direction](i, bound) and limits.min <= i <= limits.max:
        i, count = i + (step if op == "add" else -step), count + 1
    wraps = not limits.min <= i <= limits.max
    assert found(text) == (None if wraps else count)


def test_a_bound_that_is_carried_and_never_changed() -> None:
    text = """func.func @main() -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %seven = stablehlo.constant dense<7> : tensor<i32>
      %i, %n = stablehlo.while(%a = %zero, %b = %seven) : tensor<i32>, tensor<i32>
      cond {
        %p = stablehlo.compare GT, %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %two = stablehlo.constant dense<2> : tensor<i32>
        %c = stablehlo.add %two, %a : tensor<i32>
        stablehlo.return %c, %b : tensor<i32>, tensor<i32>
      }
      return %i : tensor<i32>
    }"""
    assert found(text) == 4
    assert found(text.replace("return %c, %b", "return %c, %c")) is None


@pytest.mark.parametrize(("value", "count"), [("false", 0), ("true", None)])
def test_a_constant_condition(value: str, count: int | None) -> None:
    text = f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %y = stablehlo.while(%a = %x) : tensor<f32>
      cond {{
        %p = stablehlo.constant dense<{value}> : tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        stablehlo.return %a : tensor<f32>
      }}
      return %y : tensor<f32>
    }}"""
    assert found(text) == count
