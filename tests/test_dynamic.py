"""Ops that take sizes as operands: text, constraints, values, constructors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, TensorType, f32, f64, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.bounds import UNBOUNDED
from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp
from hhlo_xdsl.dialects.stablehlo.conv_window import Window
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, elements, scalar_elements
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, Image, Kernel
from hhlo_xdsl.dialects.stablehlo.dynamic import (
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicIotaOp,
    DynamicPadOp,
    DynamicReshapeOp,
    GetDimensionSizeOp,
    RealDynamicSliceOp,
    SetDimensionSizeOp,
)
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, bounded, tensor
from hhlo_xdsl.errors import VerifyError
from tests import cpp
from tests.harness import program_of, run
from tests.random_programs import (
    ANY_QUANTIZED,
    COIN,
    COMMON,
    ELEMENT,
    SHAPE,
    SIZE,
    Draw,
    check_against_upstream,
    near,
    nearly,
    other,
    program,
    spelled,
)

INDEX = st.sampled_from("i64 i64 i32 ui8 i1 f32 index".split())


def sizes_of(draw: Draw, shape: list[str]) -> list[str]:
    """Known sizes that `shape` may have, now and then others."""
    return near(draw, [draw(st.sampled_from("0 1 2 3".split())) if n == "?" else n for n in shape])


def with_sizes(draw: Draw, op: str, properties: str, operands: list[str], sizes: list[list[str]], result: str) -> str:
    """An op whose last operands are lists of integers: arguments of one type, or constants."""
    index = draw(INDEX)
    types = [spelled([str(len(s))], index) for s in sizes]
    if draw(st.booleans()):
        types = [spelled(near(draw, [str(len(s))]), other(draw, index)) for s in sizes]
        return program(op, properties, [*operands, *types], result)
    types = [t.replace(index, "i64") for t in types]
    text = program(op, properties, [*operands, *types], result)
    first = len(operands)
    constants = ""
    for i, (values, type) in enumerate(zip(sizes, types, strict=True), first):
        text = text.replace(f", %a{i}: {type}", "").replace(f"%a{i}: {type}", "")
        values = ["-1" if v == "?" else v for v in values]
        constants += f"  %a{i} = stablehlo.constant dense<[{', '.join(values)}]> : {type}\n"
    return text.replace("  %r", f"{constants}  %r")


def iota_text(draw: Draw) -> str:
    shape, properties = draw(SHAPE), f"iota_dimension = {draw(st.integers(-1, 2))} : i64"
    sizes = [sizes_of(draw, shape)]
    return with_sizes(draw, "stablehlo.dynamic_iota", properties, [], sizes, spelled(near(draw, shape), draw(ELEMENT)))


def reshape_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED)
    result = draw(st.sampled_from([shape, shape[::-1], [*shape, "1"], near(draw, shape)]))
    sizes = [sizes_of(draw, result)]
    operands = [spelled(shape, element)]
    result = spelled(result, other(draw, element))
    return with_sizes(draw, "stablehlo.dynamic_reshape", "", operands, sizes, result)


def broadcast_text(draw: Draw) -> str:
    result, element = draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED)
    dims = draw(st.permutations(range(len(result))))[: draw(st.integers(0, len(result)))]
    shape = near(draw, [draw(st.sampled_from([result[d], result[d], "1", "?"])) for d in dims])
    properties = f"broadcast_dimensions = {nearly(draw, dims)}"
    hints = list(draw(st.permutations(range(len(dims)))))
    cut = draw(st.integers(0, len(hints)))
    for name, hint in (("expanding", hints[:cut]), ("nonexpanding", hints[cut:])):
        if draw(st.booleans()):
            properties += f", known_{name}_dimensions = {nearly(draw, hint)}"
    sizes, operands = [sizes_of(draw, result)], [spelled(shape, element)]
    result = spelled(result, other(draw, element))
    return with_sizes(draw, "stablehlo.dynamic_broadcast_in_dim", properties, operands, sizes, result)


def pad_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(COMMON)
    low, high = ([draw(st.integers(-1, 2)) for _ in shape] for _ in range(2))
    interior = [draw(st.sampled_from([0, 0, 1, 2, -1])) for _ in shape]
    sizes = [
        n if n == "?" else str(max(0, int(n) + a + b + max(int(n) - 1, 0) * c))
        for n, a, b, c in zip(shape, low, high, interior, strict=True)
    ]
    operands = [spelled(shape, element), spelled(["1"] if draw(COIN) else [], other(draw, element))]
    lists = [[str(v) for v in values] for values in (low, high, interior)]
    return with_sizes(
        draw, "stablehlo.dynamic_pad", "", operands, lists, spelled(near(draw, sizes), other(draw, element))
    )


def slice_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(COMMON)
    lists = [[draw(st.sampled_from("0 1 2".split())) for _ in shape] for _ in range(3)]
    operands = [spelled(shape, element)]
    result = spelled(near(draw, shape), other(draw, element))
    return with_sizes(draw, "stablehlo.real_dynamic_slice", "", operands, lists, result)


def get_text(draw: Draw) -> str:
    properties = f"dimension = {draw(st.integers(-1, 2))} : i64"
    operands = [spelled(draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED))]
    result = spelled(near(draw, []), draw(st.sampled_from("i32 i32 i32 i64 ui32".split())))
    return program("stablehlo.get_dimension_size", properties, operands, result)


def with_bounds(draw: Draw, shape: list[str], element: str) -> str:
    """A tensor type, now and then with bounds of its unknown sizes."""
    bounds = [draw(st.sampled_from("? 2 3".split())) if n == "?" or (draw(COIN) and draw(COIN)) else "?" for n in shape]
    encoding = f", #stablehlo.bounds<{', '.join(bounds)}>" if bounds and draw(st.booleans()) else ""
    return spelled(shape, element).removesuffix(">") + encoding + ">"


def set_text(draw: Draw) -> str:
    shape, element, dim = draw(SHAPE), draw(COMMON), draw(st.integers(-1, 2))
    size = spelled(near(draw, []), draw(st.sampled_from("i32 i32 i32 i64 ui32".split())))
    result = list(shape)
    if 0 <= dim < len(result):
        result[dim] = draw(st.sampled_from(["?", "?", result[dim], draw(SIZE)]))
    operands = [with_bounds(draw, shape, element), size]
    result = with_bounds(draw, near(draw, result), other(draw, element))
    text = program("stablehlo.set_dimension_size", f"dimension = {dim} : i64", operands, result)
    if draw(st.booleans()) or size != "tensor<i32>":
        return text
    constant = f"  %a1 = stablehlo.constant dense<{draw(st.integers(0, 3))}> : {size}\n"
    return text.replace(f", %a1: {size}", "").replace("  %r", f"{constant}  %r")


def roles(draw: Draw, part: str, first: str, second: str, spatial: int) -> tuple[str, list[int]]:
    """The fields of one operand's dimensions, and the dimensions: two with a name, then the spatial ones."""
    dims = list(draw(st.permutations(range(spatial + 2))))
    if draw(COIN) and draw(COIN):
        # Dimensions out of range would make older versions of upstream's printer abort.
        dims[0] = draw(st.integers(0, spatial + 1))
    named = f"{part}_{first}_dimension = {dims[0]}, {part}_{second}_dimension = {dims[1]}"
    return f"{named}, {part}_spatial_dimensions = {dims[2:]}", dims


def placed(sizes: list[str], dims: list[int]) -> list[str]:
    """The shape that has `sizes[k]` at dimension `dims[k]`, where there is such a dimension."""
    at = dict(zip(dims, sizes, strict=True))
    return [at.get(d, "1") for d in range(len(sizes))]


def conv_text(draw: Draw) -> str:
    spatial, element = draw(st.integers(0, 2)), draw(COMMON | COMMON | ANY_QUANTIZED)
    count = spatial if not (draw(COIN) and draw(COIN)) else draw(st.integers(0, 2))
    numbers, dims = zip(
        roles(draw, "input", "batch", "feature", spatial),
        roles(draw, "kernel", "input_feature", "output_feature", count),
        roles(draw, "output", "batch", "feature", spatial),
        strict=True,
    )
    groups = draw(st.sampled_from([(1, 1)] * 4 + [(2, 1)] * 3 + [(1, 2)] * 3 + [(2, 2), (0, 1), (1, -1)]))
    batch, features, made = (draw(st.sampled_from("2 4 4 ? 3".split())) for _ in range(3))
    taken = features if features == "?" else str(int(features) // max(1, groups[0]))
    lhs = placed([batch, features, *(draw(SIZE) for _ in range(spatial))], dims[0])
    rhs = placed([taken, made, *(draw(SIZE) for _ in range(count))], dims[1])
    properties = [f"dimension_numbers = #stablehlo.conv<raw {', '.join(numbers)}>"]
    properties += [f"feature_group_count = {groups[0]} : i64", f"batch_group_count = {groups[1]} : i64"]
    for name in ("window_strides", "lhs_dilation", "rhs_dilation"):
        if draw(st.booleans()):
            properties.append(f"{name} = {nearly(draw, [1] * spatial)}")
    if draw(st.booleans()):
        high = "#stablehlo<precision HIGH>"
        properties.append(f"precision_config = [{', '.join([high] * draw(st.integers(0, 3)))}]")
    padding = spelled(near(draw, [str(spatial), "2"]), draw(st.sampled_from("i64 i64 i64 i32 f32".split())))
    operands = [spelled(lhs, element), spelled(near(draw, rhs), other(draw, element)), padding]
    text = program(
        "stablehlo.dynamic_conv", ", ".join(properties), operands, spelled(draw(SHAPE), other(draw, element))
    )
    if draw(st.booleans()) or "?" in padding or padding.startswith("tensor<0") or padding.endswith("f32>"):
        return text
    constant = f"  %a2 = stablehlo.constant dense<{draw(st.integers(-1, 1))}> : {padding}\n"
    return text.replace(f", %a2: {padding}", "").replace("  %r", f"{constant}  %r")


TEXTS = [iota_text, reshape_text, broadcast_text, pad_text, slice_text, get_text, set_text, conv_text]


@pytest.mark.parametrize("make", TEXTS, ids=lambda f: f.__name__.removesuffix("_text"))
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


# Values


def constant(*values: int) -> SSAValue:
    """`dense<[..]> : tensor<..xi64>`, at the insertion point."""
    return emit(ConstantOp(elements(tensor((len(values),), i64), values)))


def number(element: Attribute, value: int) -> SSAValue:
    """A scalar constant, at the insertion point."""
    return emit(ConstantOp(scalar_elements(element, value)))


X = np.arange(6.0).reshape(2, 3)
PROGRAMS: dict[str, tuple[Callable[[SSAValue], Operation], Any]] = {
    "dynamic_iota": (lambda x: DynamicIotaOp(constant(2, 3), 1, f64), [[0, 1, 2], [0, 1, 2]]),
    "dynamic_reshape": (lambda x: DynamicReshapeOp(x, constant(3, 2)), X.reshape(3, 2)),
    "dynamic_broadcast_in_dim": (
        lambda x: DynamicBroadcastInDimOp(x, constant(3, 4, 2), (2, 0)),
        np.broadcast_to(X.T[:, None, :], (3, 4, 2)),
    ),
    "dynamic_pad": (
        lambda x: DynamicPadOp(x, number(f64, 7), constant(0, 1), constant(1, -1), constant(0, 1)),
        [[7, 0, 7, 1, 7], [7, 3, 7, 4, 7], [7] * 5],
    ),
    "real_dynamic_slice": (lambda x: RealDynamicSliceOp(x, constant(0, 1), constant(2, 3), constant(1, 2)), X[:, 1::2]),
    "get_dimension_size": (lambda x: GetDimensionSizeOp(x, 1), 3),
    "set_dimension_size": (lambda x: SetDimensionSizeOp(x, number(i32, 3), 1), X),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_value(name: str):
    build, expected = PROGRAMS[name]
    (found,) = run(program_of([tensor((2, 3), f64)], build), X)
    np.testing.assert_array_equal(found, np.asarray(expected))


# Constructors: sizes that are no constants are unknown.

M, N = UNKNOWN, create_ssa_value(tensor((2,), i64))
V = create_ssa_value(tensor((2, 3), f32))
MADE: dict[str, tuple[Callable[[], Operation], RankedTensor]] = {
    "iota": (lambda: DynamicIotaOp(N, 0, f32), tensor((M, M), f32)),
    "iota of given sizes": (lambda: DynamicIotaOp(N, 0, f32, (M, 4)), tensor((M, 4), f32)),
    "reshape": (lambda: DynamicReshapeOp(V, N), tensor((M, M), f32)),
    "reshape to given sizes": (lambda: DynamicReshapeOp(V, N, (3, M)), tensor((3, M), f32)),
    "broadcast": (lambda: DynamicBroadcastInDimOp(V, N, (1, 0)), tensor((M, M), f32)),
    "broadcast to given sizes": (lambda: DynamicBroadcastInDimOp(V, N, (1, 0), (3, M)), tensor((3, M), f32)),
    "pad": (lambda: DynamicPadOp(V, create_ssa_value(tensor((), f32)), N, N, N), tensor((M, M), f32)),
    "slice": (lambda: RealDynamicSliceOp(V, N, N, N), tensor((M, M), f32)),
    "slice to given sizes": (lambda: RealDynamicSliceOp(V, N, N, N, (1, M)), tensor((1, M), f32)),
    "set": (
        lambda: SetDimensionSizeOp(V, create_ssa_value(tensor((), i32)), 1),
        bounded((2, M), f32, (UNBOUNDED, 3)),
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_constructor(name: str):
    build, expected = MADE[name]
    assert build().results[0].type == expected


def test_hints_are_kept_only_if_given():
    assert "known_expanding_dimensions" not in DynamicBroadcastInDimOp(V, N, (1, 0)).properties
    hinted = DynamicBroadcastInDimOp(V, N, (1, 0), expanding=(0,), nonexpanding=(1,))
    assert str(hinted.known_expanding_dimensions) == "array<i64: 0>"
    assert str(hinted.known_nonexpanding_dimensions) == "array<i64: 1>"


def test_a_constant_of_another_dialect_counts():
    sizes = arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(TensorType(IndexType(), [2]), [3, 2])).result
    assert DynamicReshapeOp(V, sizes).result.type == tensor((3, 2), f32)
    assert as_ints(arith.ConstantOp.from_int_and_width(3, 64).result) is None
    assert as_ints(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(TensorType(f32, [1]), [3.0])).result) is None


WRONG = {
    "real_dynamic_slice": (lambda: RealDynamicSliceOp(V, *[create_ssa_value(tensor((1,), i64))] * 3), "one entry per"),
    "set_dimension_size": (lambda: SetDimensionSizeOp(V, N, 0), r"size is tensor<2xi64>; it must be tensor<i32>"),
    "dynamic_iota": (lambda: DynamicIotaOp(V, 0, f32), r"output_shape is tensor<2x3xf32>; its elements must be"),
    "dynamic_reshape": (
        lambda: DynamicReshapeOp(V, create_ssa_value(tensor((2, 1), i64))),
        r"output_shape is tensor<2x1xi64>; it must have rank 1 and known sizes \(spec dynamic_reshape I2\)",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_operands_are_refused(name: str):
    build, message = WRONG[name]
    with pytest.raises(VerifyError, match=rf"stablehlo.{name}: .*{message}"):
        build()


LAYOUT = ConvNumbers(Image(0, 3, (1, 2)), Kernel(2, 3, (0, 1)), Image(0, 3, (1, 2)))
STRIDED = Window(strides=(2, 1), rhs_dilation=(1, 2), reversal=(True, False))


def test_value_of_dynamic_conv():
    """That of convolution with the same padding as attribute."""
    types = [tensor((2, 5, 6, 4), f64), tensor((3, 2, 2, 6), f64)]
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(t.get_shape()) for t in types]
    padding = ((1, 0), (-1, 2))
    flat = [n for pair in padding for n in pair]

    def dynamic(x: SSAValue, k: SSAValue) -> DynamicConvOp:
        pairs = emit(ConstantOp(elements(tensor((2, 2), i64), flat)))
        return DynamicConvOp(x, k, pairs, LAYOUT, STRIDED, feature_group_count=2)

    def static(x: SSAValue, k: SSAValue) -> ConvolutionOp:
        return ConvolutionOp(x, k, LAYOUT, replace(STRIDED, padding=padding), feature_group_count=2)

    (found,), (expected,) = (cpp.interpret(program_of(types, build), *arrays) for build in (dynamic, static))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_spatial_sizes_of_dynamic_conv_are_unknown_where_padding_is_no_constant():
    x, k = (create_ssa_value(tensor(s, f32)) for s in ((2, 5, 6, 4), (3, 2, 4, 6)))
    op = DynamicConvOp(x, k, create_ssa_value(tensor((2, 2), i32)), LAYOUT, STRIDED, precision=(Precision.HIGH,))
    assert op.result.type == tensor((2, M, M, 6), f32)
    assert str(op.window_strides) == "array<i64: 2, 1>"
    assert op.lhs_dilation is None
    assert op.precision == (Precision.HIGH,)
