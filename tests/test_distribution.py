"""Collectives that move elements: each constraint that upstream checks, broken alone."""

from __future__ import annotations

import pytest

from tests.refusals import check_refused

ALL_GATHER = """func.func @main(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}>
    : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}"""
ALL_TO_ALL = """func.func @main(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}"""
PERMUTE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}>
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""

BROKEN = [
    (ALL_GATHER, "all_gather_dim = 1", "all_gather_dim = 2", "all_gather C1"),
    (ALL_GATHER, "[[0, 1]]", "[[0, 0]]", "all_gather C2"),
    (ALL_GATHER, "[[0, 1]]", "[[0, 2]]", "all_gather C4"),
    (ALL_GATHER, "tensor<2x4xf32>", "tensor<3x4xf32>", "all_gather C6"),
    (ALL_TO_ALL, "split_dimension = 1", "split_dimension = 2", "all_to_all C1"),
    (ALL_TO_ALL, "tensor<2x4xf32>", "tensor<2x3xf32>", "all_to_all C2"),
    (ALL_TO_ALL, "concat_dimension = 0", "concat_dimension = 2", "all_to_all C3"),
    (ALL_TO_ALL, "split_count = 2", "split_count = 0", "all_to_all C4"),
    (ALL_TO_ALL, "[[0, 1]]", "[[0, 0]]", "all_to_all C5"),
    (ALL_TO_ALL, "[[0, 1]]", "[[0, 2]]", "all_to_all C7"),
    (ALL_TO_ALL, "dense<[[0, 1]]> : tensor<1x2xi64>", "dense<[[0], [1]]> : tensor<2x1xi64>", "all_to_all C8"),
    (ALL_TO_ALL, "tensor<4x2xf32>", "tensor<4x3xf32>", "all_to_all C9"),
    (PERMUTE, "dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>", "dense<0> : tensor<2x3xi64>", "collective_permute C1"),
    (PERMUTE, "[1, 2]", "[0, 2]", "collective_permute C2"),
    (PERMUTE, "[1, 2]", "[1, 1]", "collective_permute C3"),
    (PERMUTE, "[1, 2]", "[-1, 2]", "collective_permute C4"),
    (PERMUTE, "-> tensor<2xf32>\n", "-> tensor<3xf32>\n", "collective_permute C5"),
]


@pytest.mark.parametrize(("text", "right", "wrong", "label"), BROKEN, ids=[label for *_, label in BROKEN])
def test_constraint(text: str, right: str, wrong: str, label: str) -> None:
    broken = text.replace(right, wrong)
    if label == "collective_permute C5":
        broken = broken.replace("return %0 : tensor<2xf32>", "return %0 : tensor<3xf32>").replace(
            "f32>) -> tensor<2xf32> {", "f32>) -> tensor<3xf32> {"
        )
    check_refused(text, broken, label)
