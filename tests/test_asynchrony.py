"""Ops that run in the background: each constraint that upstream checks, broken alone."""

from __future__ import annotations

import pytest

from tests.refusals import check_refused

ASYNC = """func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %g : tensor<4xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}"""

BROKEN = [
    ("    stablehlo.return", "    %n = stablehlo.negate %g : tensor<4xf32>\n    stablehlo.return", "async_start C1"),
    ('"stablehlo.async_start"(%x)', '"stablehlo.async_start"(%y)', "async_start C3"),
    ("!stablehlo.future<tensor<4xf32>>", "!stablehlo.future<tensor<5xf32>>", "async_start C4"),
    ("-> tensor<4xf32>\n  return %1 : tensor<4xf32>", "-> tensor<5xf32>\n  return %1 : tensor<5xf32>", "async_done C1"),
]


@pytest.mark.parametrize(("right", "wrong", "label"), BROKEN, ids=[label for *_, label in BROKEN])
def test_constraint(right: str, wrong: str, label: str) -> None:
    broken = ASYNC.replace(right, wrong)
    if label == "async_start C3":
        broken = broken.replace("(%x: tensor<2xf32>)", "(%x: tensor<2xf32>, %y: tensor<3xf32>)").replace(
            "}) : (tensor<2xf32>)", "}) : (tensor<3xf32>)"
        )
    if label == "async_done C1":
        broken = broken.replace("(%x: tensor<2xf32>) -> tensor<4xf32>", "(%x: tensor<2xf32>) -> tensor<5xf32>")
    check_refused(ASYNC, broken, label)
