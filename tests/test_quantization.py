"""uniform_quantize and uniform_dequantize, and what other ops do with quantized numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from tests.random_programs import (
    ANY_QUANTIZED,
    COIN,
    ELEMENT,
    SHAPE,
    Draw,
    check_against_upstream,
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
