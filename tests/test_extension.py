"""Tokens, tuples and process numbers: each constraint that upstream checks, broken alone."""

from __future__ import annotations

import pytest

from tests.refusals import check_refused

TUPLE = """func.func @main(%a: tensor<2xf32>, %b: tensor<i32>) -> tensor<2xf32> {
  %0 = "stablehlo.tuple"(%a, %b) : (tensor<2xf32>, tensor<i32>) -> tuple<tensor<2xf32>, tensor<i32>>
  %1 = "stablehlo.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}"""
BROKEN = [
    ("tuple<tensor<2xf32>, tensor<i32>>", "tuple<tensor<2xf32>, tensor<i64>>", "tuple C1"),
    ("index = 0", "index = 2", "get_tuple_element C1"),
    ("index = 0", "index = 1", "get_tuple_element C2"),
]


@pytest.mark.parametrize(("right", "wrong", "label"), BROKEN, ids=[label for *_, label in BROKEN])
def test_constraint(right: str, wrong: str, label: str) -> None:
    check_refused(TUPLE, TUPLE.replace(right, wrong), label)
