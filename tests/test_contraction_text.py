"""How dot_general and convolution are spelled, and what is refused, against XLA's own parser and verifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hhlo_xdsl.dialects.errors import DifferentiationError, HhloError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import vjp_of
from tests.test_contraction import main, spelled

Shape = Sequence[object]


def dot_text(clauses: str, lhs: Shape = (2, 3), rhs: Shape = (3, 4), out: Shape = (2, 4)) -> str:
    return main(f"stablehlo.dot_general %a, %b{clauses}", *(spelled(s, "f32") for s in (lhs, rhs, out)))


LAYOUT = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
RAW: dict[str, Any] = dict(
    input_batch=0,
    input_feature=3,
    input_spatial=[1, 2],
    kernel_input_feature=2,
    kernel_output_feature=3,
    kernel_spatial=[0, 1],
    output_batch=0,
    output_feature=3,
    output_spatial=[1, 2],
)


def raw(**changed: Any) -> str:
    """LAYOUT in the text form that can spell wrong layouts too."""
    return "raw " + ", ".join(f"{k}_dimension{'s' * isinstance(v, list)} = {v}" for k, v in (RAW | changed).items())


def conv_text(
    *properties: str,
    numbers: str = LAYOUT,
    groups: tuple[object, object] = (1, 1),
    lhs: Sequence[object] = (2, 4, 4, 6),
    rhs: Sequence[object] = (3, 3, 6, 6),
    out: Sequence[object] = (2, 2, 2, 6),
    elements: Sequence[str] = ("f32", "f32", "f32"),
) -> str:
    """A convolution in generic form, with feature and batch groups; valid with all defaults."""
    counts = f"feature_group_count = {groups[0]} : i64", f"batch_group_count = {groups[1]} : i64"
    listed = ", ".join((f"dimension_numbers = #stablehlo.conv<{numbers}>", *counts, *properties))
    types = (spelled(s, e) for s, e in zip((lhs, rhs, out), elements, strict=True))
    return main(f'"stablehlo.convolution"(%a, %b) <{{{listed}}}>', *types)


def algorithm(type: str = "tf32", counts: tuple[int, int, int] = (1, 1, 1)) -> str:
    return (
        f", algorithm = <lhs_precision_type = {type}, rhs_precision_type = tf32, accumulation_type = f32,"
        f" lhs_component_count = {counts[0]}, rhs_component_count = {counts[1]},"
        f" num_primitive_operations = {counts[2]}, allow_imprecise_accumulation = false>"
    )


ONES = ", contracting_dims = [1] x [0]"
BOTH = ", batching_dims = [{}] x [{}], contracting_dims = [1] x [0]"
HIGH = "#stablehlo<precision HIGH>"
IN_RANGE = r"each must be in 0\.\.1"
READABLE = {
    "matmul": dot_text(ONES),
    "precision": dot_text(ONES + ", precision = [DEFAULT, HIGHEST]"),
    "one precision": dot_text(ONES + ", precision = [HIGH]"),
    "no precisions": dot_text(ONES + ", precision = []"),
    "algorithm": dot_text(ONES + algorithm(counts=(1, 1, 3))),
    "both": dot_text(ONES + ", precision = [DEFAULT, DEFAULT]" + algorithm()),
    "dictionary": dot_text(ONES + " {precision_config = [#stablehlo<precision HIGH>], note}"),
    "batching": dot_text(", batching_dims = [0] x [1], contracting_dims = [1] x [0]", (4, 3), (3, 4), (4,)),
    "outer": dot_text(", contracting_dims = [] x []", (2,), (4,)),
    "unknown": dot_text(ONES, (2, "?"), ("?", 4), ("?", 4)),
    "plain": conv_text(),
    "absent and present": conv_text("window_strides = array<i64: 1, 1>", "window_reversal = array<i1: false, true>"),
    "padding splat": conv_text("padding = dense<1> : tensor<2x2xi64>", out=(2, 4, 4, 6)),
    "empty lists": conv_text("lhs_dilation = array<i64>", "padding = dense<> : tensor<0x2xi64>"),
    "precisions": conv_text(f"precision_config = [{HIGH}, {HIGH}]"),
    "raw": conv_text(numbers=raw()),
    "dynamic": conv_text(lhs=("?", "?", 4, "?"), rhs=(3, "?", "?", 6), out=("?", 2, "?", 6)),
    "wider result": conv_text(elements=("i8", "i8", "i32")),
}


@pytest.mark.parametrize("name", READABLE)
def test_text_means_what_it_means_to_xla(name: str) -> None:
    source = READABLE[name]
    module = parse(source)
    expected = cpp.generic(source)
    for syntax in ("pretty", "generic", "pjrt-1.16"):
        assert cpp.generic(to_text(module, syntax=syntax)) == expected
    assert cpp.pretty(to_text(module)) == cpp.pretty(source)


BAD: dict[str, tuple[str, str]] = {
    "dot_general_c1": (dot_text(BOTH.format("0", "")), "list equally many"),
    "dot_general_c2": (dot_text(", contracting_dims = [1] x []"), "list equally many"),
    "dot_general_c3": (dot_text(", contracting_dims = [1, 1] x [0, 1]"), "must be distinct"),
    "dot_general_c4": (
        dot_text(BOTH.format("0", "0")),
        "no dimension may be both",
    ),
    "dot_general_c5": (
        dot_text(BOTH.format("2", "1")),
        r"each must be in 0\.\.1",
    ),
    "dot_general_c6": (dot_text(", contracting_dims = [-1] x [0]"), IN_RANGE),
    "dot_general_c7": (
        dot_text(BOTH.format("0", "2")),
        r"each must be in 0\.\.1",
    ),
    "dot_general_c8": (dot_text(", contracting_dims = [1] x [5]"), IN_RANGE),
    "dot_general_c9": (dot_text(BOTH.format("0", "1")), "size 2, its partner 1"),
    "dot_general_c10": (dot_text(", contracting_dims = [0] x [0]"), "size 2, its partner 0"),
    "dot_general_c11": (dot_text(ONES + ", precision = [HIGH, HIGH, HIGH]"), "one for lhs and one for rhs"),
    "dot_general_c12": (dot_text(ONES, out=(4, 2)), "give tensor<2x4xf32>"),
    "dot_general_c21": (
        dot_text(ONES + ", precision = [HIGH, HIGH]" + algorithm()),
        "leave one of them out",
    ),
    "dot_general_c22": (dot_text(ONES + algorithm(counts=(0, 1, 1))), "lhs_component_count is 0"),
    "dot_general_c23": (dot_text(ONES + algorithm(counts=(1, 0, 1))), "rhs_component_count is 0"),
    "dot_general_c24": (
        dot_text(ONES + algorithm(counts=(1, 1, 0))),
        "num_primitive_operations is 0",
    ),
    "dot_general_i8": (dot_text(ONES + algorithm("f32")), "no hardware is known"),
    "convolution_c1": (conv_text(rhs=(3, 3, 6)), "ranks must be equal"),
    "convolution_c2": (conv_text("window_strides = array<i64: 1>"), "give 2 entries"),
    "convolution_c3": (conv_text("window_strides = array<i64: 1, 0>"), "at least 1"),
    "convolution_c4": (conv_text("padding = dense<0> : tensor<4xi64>"), r"\[low, high\] per spatial dimension"),
    "convolution_c5": (conv_text("lhs_dilation = array<i64: 1>"), "give 2 entries"),
    "convolution_c6": (conv_text("lhs_dilation = array<i64: 0, 1>"), "at least 1"),
    "convolution_c7": (conv_text("rhs_dilation = array<i64: 1, 1, 1>"), "give 2 entries"),
    "convolution_c8": (conv_text("rhs_dilation = array<i64: 1, -1>"), "at least 1"),
    "convolution_c9": (conv_text("window_reversal = array<i1: true>"), "give 2 entries"),
    "convolution_c10": (conv_text(groups=(1, 3)), "must divide 2"),
    "convolution_c11": (conv_text(groups=(4, 1)), "must divide 6"),
    "convolution_c12": (conv_text(numbers="[b, 0, f]x[0, i, o]->[b, 0, f]"), "rank 4 needs 2 of them"),
    "convolution_c13": (conv_text(numbers=raw(input_batch=1)), "must be distinct"),
    "convolution_c14": (conv_text(groups=(3, 1)), "it must take 2"),
    "convolution_c15": (conv_text(groups=(1, 2), rhs=(3, 3, 6, 5), out=(1, 2, 2, 5)), "must divide 5"),
    "convolution_c16": (conv_text(groups=(3, 1), rhs=(3, 3, 2, 5), out=(2, 2, 2, 5)), "must divide 5"),
    "convolution_c17": (conv_text(numbers=raw(kernel_spatial=[0])), "rank 4 needs 2 of them"),
    "convolution_c18": (conv_text(numbers=raw(kernel_spatial=[0, 0])), "must be distinct"),
    "convolution_c19": (conv_text(numbers=raw(output_spatial=[1])), "rank 4 needs 2 of them"),
    "convolution_c20": (conv_text(numbers=raw(output_feature=4)), r"each must be in 0\.\.3"),
    "convolution_c21": (conv_text(groups=(0, 1)), "at least 1"),
    "convolution_c22": (conv_text(groups=(1, -1)), "at least 1"),
    "convolution_c23": (conv_text(groups=(2, 2)), "one must be 1"),
    "convolution_c24": (
        conv_text(f"precision_config = [{', '.join(['#stablehlo<precision HIGH>'] * 3)}]"),
        "one for lhs",
    ),
    "convolution_c25": (conv_text(out=(2, 2, 3, 6)), "give tensor<2x2x2x6xf32>"),
    "convolution_c25 kernel": (conv_text(rhs=(0, 3, 6, 6)), "spatial sizes must be at least 1"),
    "convolution_c26": (conv_text(out=(2, 2, 2)), "rank of lhs"),
    "convolution_c27": (conv_text(elements=("f32", "f64", "f32")), "element types must be equal"),
}
"""Constraint -> a program that breaks it, and what the message says; XLA refuses each of them too."""


@pytest.mark.parametrize("name", BAD)
def test_constraint(name: str) -> None:
    text, message = BAD[name]
    op, _, label = name.partition(" ")[0].rpartition("_")
    with pytest.raises(HhloError, match=rf"(?s)stablehlo.{op}: .*{message}.*\(spec {op} {label.upper()}\)"):
        verify(parse(text))
    assert cpp.refuses(text)


@pytest.mark.parametrize(
    "op",
    [
        "stablehlo.dot_general %a, %b",
        "stablehlo.dot_general %a, %b, precision = [HIGH], contracting_dims = [1] x [0]",
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <>",
        "stablehlo.convolution(%a, %b) dim_numbers = [b, 1]x[i, o]->[b, f], window = {}",
        "stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, b], window = {}",
        "stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, f]->[b, f], window = {}",
        "stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], stride = []}",
        "stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {pad = [[1]]}",
    ],
)
def test_unreadable_text(op: str) -> None:
    text = main(op, "tensor<2x3xf32>", "tensor<3x4xf32>", "tensor<2x4xf32>")
    with pytest.raises(HhloError):
        parse(text)
    assert cpp.refuses(text)


def test_gradient_needs_the_sizes_in_space() -> None:
    text = conv_text(lhs=(2, "?", 4, 6), out=(2, "?", 2, 6))
    with pytest.raises(DifferentiationError, match=r"(?s)lhs is tensor<2x\?x4x6xf32>.*write them in place of `\?`"):
        differentiate(parse(text), GradPass(seed=True))


def test_an_algorithm_of_8_bits_is_not_used_for_cotangents() -> None:
    texts = (dot_text(ONES + algorithm().replace("tf32", type)) for type in ("tf32", "f8E5M2"))
    kept, dropped = (to_text(vjp_of(text)) for text in texts)
    assert kept.count("algorithm") == 2
    assert "algorithm" not in dropped
