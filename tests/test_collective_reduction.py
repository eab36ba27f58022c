"""Collectives that fold elements: each constraint that upstream checks, broken alone."""

from __future__ import annotations

import pytest

from tests.refusals import check_refused

BODY = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  })"""
PROPERTIES = """replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"""
ALL_REDUCE = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = "stablehlo.all_reduce"(%x) <{{{PROPERTIES}}}> {BODY} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""
REDUCE_SCATTER = f"""func.func @main(%x: tensor<4x3xf32>) -> tensor<2x3xf32> {{
  %0 = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = 0 : i64, {PROPERTIES}}}> {BODY}
    : (tensor<4x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}}"""
BROADCAST = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
    : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""

BROKEN = [
    (ALL_REDUCE, "[[0, 1]]", "[[0, 0]]", "all_reduce C1"),
    (ALL_REDUCE, "[[0, 1]]", "[[0, 2]]", "all_reduce C3"),
    (ALL_REDUCE, "handle = 1", "handle = 0", "all_reduce C4"),
    (ALL_REDUCE, "%b: tensor<f32>", "%b: tensor<2xf32>", "all_reduce C5"),
    (ALL_REDUCE, "-> tensor<4xf32>", "-> tensor<5xf32>", "all_reduce C6"),
    (ALL_REDUCE, "-> tensor<4xf32>", "-> tensor<4xf64>", "all_reduce C7"),
    (REDUCE_SCATTER, "scatter_dimension = 0", "scatter_dimension = 2", "reduce_scatter C2"),
    (REDUCE_SCATTER, "[[0, 1]]", "[[0, 0]]", "reduce_scatter C3"),
    (REDUCE_SCATTER, "[[0, 1]]", "[[0, 2]]", "reduce_scatter C5"),
    (REDUCE_SCATTER, "handle = 1", "handle = 0", "reduce_scatter C6"),
    (REDUCE_SCATTER, "tensor<2x3xf32>", "tensor<3x3xf32>", "reduce_scatter C8"),
    (REDUCE_SCATTER, "tensor<2x3xf32>", "tensor<2x3xf64>", "reduce_scatter C9"),
    (BROADCAST, "[[0, 1]]", "[[0, 0]]", "collective_broadcast C1"),
    (BROADCAST, "[[0, 1]]", "[[0, -2]]", "collective_broadcast C2"),
    (BROADCAST, "-> tensor<4xf32>", "-> tensor<5xf32>", "collective_broadcast C3"),
]


@pytest.mark.parametrize(("text", "right", "wrong", "label"), BROKEN, ids=[label for *_, label in BROKEN])
def test_constraint(text: str, right: str, wrong: str, label: str) -> None:
    broken = text.replace(right, wrong)
    if right.startswith("-> "):
        broken = broken.replace("return %0 : tensor<4xf32>", f"return %0 : {wrong.removeprefix('-> ')}")
    if "%b" in right:
        broken = broken.replace("%s = stablehlo.add %a, %b : tensor<f32>", "%s = stablehlo.add %a, %a : tensor<f32>")
    check_refused(text, broken, label)
