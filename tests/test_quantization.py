"""uniform_quantize and uniform_dequantize, and what other ops do with quantized numbers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64, i8
from xdsl.ir import Attribute, Block, SSAValue

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.quant import Storage, Uniform, UniformType
from hhlo_xdsl.dialects.stablehlo import StableHLO, binary, unary
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp, ReshapeOp, TransposeOp
from hhlo_xdsl.dialects.stablehlo.quantization import UniformDequantizeOp, UniformQuantizeOp
from hhlo_xdsl.dialects.types import UNKNOWN, tensor, type_of
from hhlo_xdsl.text import parse
from tests.harness import vjp_of
from tests.random_programs import (
    ANY_QUANTIZED,
    COIN,
    ELEMENT,
    PER_AXIS,
    QUANTIZED,
    SHAPE,
    Draw,
    check_against_upstream,
    listed,
    near,
    program,
    spelled,
)

FLOATS = st.sampled_from("f32 f32 f32 bf16 f64 i8".split())


def uniform_quantize_text(draw: Draw) -> str:
    shape = draw(SHAPE)
    operand = spelled(shape, draw(FLOATS | ANY_QUANTIZED))
    return program("stablehlo.uniform_quantize", "", [operand], spelled(near(draw, shape), draw(ANY_QUANTIZED)))


def uniform_dequantize_text(draw: Draw) -> str:
    shape = draw(SHAPE)
    result = spelled(near(draw, shape), draw(FLOATS))
    return program("stablehlo.uniform_dequantize", "", [spelled(shape, draw(ANY_QUANTIZED))], result)


def bitcast_convert_text(draw: Draw) -> str:
    element = st.sampled_from("f32 i32 i1 i8 ui4 complex<f32> complex<f64> f64 f4E2M1FN bf16".split())
    before, after = draw(element | ANY_QUANTIZED), draw(element | ANY_QUANTIZED)
    shape = draw(st.lists(st.sampled_from("2 3 ?".split()), max_size=2))
    last = draw(st.sampled_from([[], [], ["2"], ["4"], ["8"], ["32"], ["?"]]))
    longer, shorter = spelled([*shape, *last], before), spelled(near(draw, shape), after)
    operand, result = (longer, shorter) if draw(st.booleans()) else (shorter, longer)
    return program("stablehlo.bitcast_convert", "", [operand], result)


def reduce_precision_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT | FLOATS | FLOATS | ANY_QUANTIZED)
    exponent, mantissa = draw(st.integers(0, 9)), draw(st.integers(-1, 11))
    properties = f"exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32"
    result = draw(ANY_QUANTIZED | FLOATS) if draw(COIN) else element
    return program(
        "stablehlo.reduce_precision", properties, [spelled(shape, element)], spelled(near(draw, shape), result)
    )


@pytest.mark.parametrize(
    "make", [uniform_quantize_text, uniform_dequantize_text, bitcast_convert_text, reduce_precision_text]
)
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


# Other ops


def element(draw: Draw) -> str:
    return draw(ANY_QUANTIZED | ANY_QUANTIZED | FLOATS)


def another(draw: Draw, first: str) -> str:
    """`first`, or another element type, now and then."""
    return element(draw) if draw(st.sampled_from([True, False, False])) else first


OPS = [op.name for op in StableHLO.operations if op.__module__ in (unary.__name__, binary.__name__)]
OPS += ["stablehlo.clamp", "stablehlo.compare", "stablehlo.select"]
SMALL = st.lists(st.sampled_from("2 2 3 ?".split()), min_size=1, max_size=2)


def elementwise_text(draw: Draw) -> str:
    name, shape, first = draw(st.sampled_from(OPS)), draw(SMALL), element(draw)
    op = next(op for op in StableHLO.operations if op.name == name)
    count = len(op.get_irdl_definition().operands)
    operands = [spelled(shape, another(draw, first)) for _ in range(count)]
    if name == "stablehlo.select":
        operands[0] = spelled(shape, "i1")
    properties = "comparison_direction = #stablehlo<comparison_direction EQ>" if name == "stablehlo.compare" else ""
    result = "i1" if name in ("stablehlo.compare", "stablehlo.is_finite") else another(draw, first)
    return program(name, properties, operands, spelled(shape, result))


def add_text(draw: Draw) -> str:
    shape, first = draw(SMALL), draw(QUANTIZED | PER_AXIS)
    return program(
        "stablehlo.add",
        "",
        [spelled(shape, first), spelled(near(draw, shape), another(draw, first))],
        spelled(near(draw, shape), another(draw, first)),
    )


def moved(draw: Draw, element: str) -> str:
    """The element type, or one quantized along another dimension."""
    return re.sub(r":\d, ", f":{draw(st.integers(0, 2))}, ", element) if draw(st.booleans()) else another(draw, element)


def transpose_text(draw: Draw) -> str:
    shape, first = draw(SMALL), element(draw)
    order = draw(st.permutations(range(len(shape))))
    result = spelled([shape[d] for d in order], moved(draw, first))
    return program("stablehlo.transpose", f"permutation = {listed(order)}", [spelled(shape, first)], result)


def reshape_text(draw: Draw) -> str:
    shape, first = draw(SMALL), element(draw)
    sizes = draw(st.sampled_from([shape, shape[::-1], ["1", *shape], [*shape, "1"], ["2", "3"]]))
    return program("stablehlo.reshape", "", [spelled(shape, first)], spelled(sizes, moved(draw, first)))


def broadcast_text(draw: Draw) -> str:
    sizes, first = draw(SMALL), element(draw)
    dims = draw(st.permutations(range(len(sizes))))[: draw(st.integers(1, len(sizes)))]
    shape = [draw(st.sampled_from([sizes[d], "1"])) for d in dims]
    result = spelled(sizes, moved(draw, first))
    properties = f"broadcast_dimensions = {listed(dims)}"
    return program("stablehlo.broadcast_in_dim", properties, [spelled(shape, first)], result)


def exact_text(draw: Draw) -> str:
    """Ops whose result has the very element type of their operands."""
    first = element(draw)
    second, result = another(draw, first), another(draw, first)
    op, properties, operands = draw(
        st.sampled_from(
            [
                ("reverse", "dimensions = array<i64: 0>", [spelled(["2"], first)]),
                (
                    "slice",
                    "start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>",
                    [spelled(["2"], first)],
                ),
                ("concatenate", "dimension = 0 : i64", [spelled(["1"], first), spelled(["1"], second)]),
                (
                    "pad",
                    "edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>",
                    [spelled(["1"], first), spelled([], second)],
                ),
            ]
        )
    )
    return program(f"stablehlo.{op}", properties, operands, spelled(["2"], result))


def iota_text(draw: Draw) -> str:
    return program("stablehlo.iota", "iota_dimension = 0 : i64", [], spelled(draw(SMALL), element(draw)))


def constant_text(draw: Draw) -> str:
    stored = draw(st.sampled_from("i8 i8 i4 f32 ui8".split()))
    value = f"dense<{'1.0' if stored == 'f32' else '1'}> : {spelled(['2', '2'], stored)}"
    return program("stablehlo.constant", f"value = {value}", [], spelled(near(draw, ["2", "2"]), element(draw)))


def weights(draw: Draw) -> str:
    """An element type, most often with zero points 0."""
    return element(draw) if draw(COIN) else re.sub(r"(?<=0\.)(\d+):\d+", r"\1", element(draw))


def dot_general_text(draw: Draw) -> str:
    first, second, result = element(draw), weights(draw), element(draw)
    second, result = draw(st.sampled_from([(first, first), (second, first), (second, second), (second, result)]))
    numbers = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]"
    operands = [spelled(["2", "3"], first), spelled(["3", "2"], weights(draw) if draw(COIN) else second)]
    properties = f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"
    return program("stablehlo.dot_general", properties, operands, spelled(["2", "2"], result))


def convolution_text(draw: Draw) -> str:
    first, second, result = element(draw), weights(draw), element(draw)
    second, result = draw(st.sampled_from([(first, first), (second, first), (second, second), (second, result)]))
    numbers = draw(st.sampled_from(["[b, f]x[i, o]->[b, f]", "[b, f]x[o, i]->[f, b]"]))
    properties = (
        f"dimension_numbers = #stablehlo.conv<{numbers}>, batch_group_count = 1 : i64, feature_group_count = 1 : i64"
    )
    operands = [spelled(["2", "2"], first), spelled(["2", "2"], second)]
    return program("stablehlo.convolution", properties, operands, spelled(["2", "2"], result))


OTHERS = [
    elementwise_text,
    add_text,
    transpose_text,
    reshape_text,
    broadcast_text,
    exact_text,
    iota_text,
    constant_text,
    dot_general_text,
    convolution_text,
]


@pytest.mark.parametrize("make", OTHERS)
def test_other_ops_take_what_upstream_takes(make: Callable[[Draw], str]):
    check_against_upstream(make)


# Constructors


def argument(element: Attribute, *shape: int) -> SSAValue:
    return Block(arg_types=[tensor(shape, element)]).args[0]


def per_tensor(scale: float = 0.5, zero_point: int = 0) -> UniformType:
    return UniformType(Uniform(Storage.of(i8), f32, (scale,), (zero_point,)))


def per_axis(axis: int, *scales: float) -> UniformType:
    return UniformType(Uniform(Storage.of(i8), f32, scales, (0,) * len(scales), axis=axis))


def test_quantize_and_dequantize():
    q = per_tensor(0.25, 3)
    quantized = UniformQuantizeOp(argument(f32, 2, UNKNOWN), q)
    assert type_of(quantized.result) == tensor((2, UNKNOWN), q)
    assert type_of(UniformDequantizeOp(quantized.result).result) == tensor((2, UNKNOWN), f32)
    with pytest.raises(DTypeError, match="convert the operand first"):
        UniformQuantizeOp(argument(f64, 2), q)


def test_moves_take_the_axis_along():
    x = argument(per_axis(0, 0.5, 0.25), 2, 3)
    assert type_of(TransposeOp(x, (1, 0)).result) == tensor((3, 2), per_axis(1, 0.5, 0.25))
    assert type_of(ReshapeOp(x, (1, 2, 1, 3)).result) == tensor((1, 2, 1, 3), per_axis(1, 0.5, 0.25))
    assert type_of(BroadcastInDimOp(x, (4, 2, 3), (1, 2)).result) == tensor((4, 2, 3), per_axis(1, 0.5, 0.25))
    one = argument(per_axis(0, 0.5), 1, 3)
    assert type_of(BroadcastInDimOp(one, (3, 2), (1, 0)).result) == tensor((3, 2), per_axis(1, 0.5, 0.5))


def test_sums():
    """A sum has the elements of its first operand; where only the second is quantized per axis, upstream has no type."""
    x, y = argument(per_tensor(), 2), argument(per_axis(0, 0.5, 0.25), 2)
    assert type_of(AddOp(y, x).result).element_type == per_axis(0, 0.5, 0.25)
    with pytest.raises(DTypeError, match=r"per axis if an operand is, and only then \(spec add C5\)"):
        AddOp(x, y)


def test_messages_speak_of_quantization_to_whom_it_concerns():
    with pytest.raises(DTypeError, match=r"its elements must be floating point; convert it first"):
        unary.FloorOp(argument(i8, 2))
    with pytest.raises(DTypeError, match=r"floating point or quantized per tensor; a quantized one is stored in 2, 4,"):
        unary.FloorOp(argument(per_axis(0, 0.5, 0.25), 2))


def test_gradients_end_at_quantization():
    module = parse(
        """func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
          %q = stablehlo.uniform_quantize %x : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f64, 0.5>>
          %y = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<i8:f64, 0.5>>) -> tensor<2xf64>
          %z = stablehlo.add %x, %y : tensor<2xf64>
          return %z : tensor<2xf64>
        }"""
    )
    names = [op.name for op in vjp_of(module).walk()]
    assert "stablehlo.add" not in names[names.index("func.func") :]
