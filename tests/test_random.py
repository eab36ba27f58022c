"""rng and rng_bit_generator: text, constraints, constructors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerType, Signedness, f32, i64
from xdsl.ir import Block
from xdsl.traits import is_side_effect_free

from hhlo_xdsl.dialects.elements import elements
from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.stablehlo.attributes import RngAlgorithm, RngDistribution
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp
from hhlo_xdsl.dialects.stablehlo.random import RngBitGeneratorOp, RngOp
from hhlo_xdsl.dialects.types import UNKNOWN, tensor, type_of
from tests.harness import run
from tests.random_programs import COIN, ELEMENT, SHAPE, Draw, check_against_upstream, near, other, program, spelled

STATIC = st.lists(st.sampled_from("0 1 2 2 3".split()), max_size=3)


def rng_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    distribution = draw(st.sampled_from("UNIFORM UNIFORM NORMAL".split()))
    index = draw(st.sampled_from("i64 i64 i32 ui8 index f32 i1".split()))
    operands = [
        spelled(near(draw, []), element),
        spelled(near(draw, []), other(draw, element)),
        spelled(near(draw, [str(len(shape))]), index),
    ]
    properties = f"rng_distribution = #stablehlo<rng_distribution {distribution}>"
    return program("stablehlo.rng", properties, operands, spelled(shape, other(draw, element)))


def constant_rng_text(draw: Draw) -> str:
    """The shape is a constant."""
    sizes = draw(STATIC)
    shape = near(draw, [draw(st.sampled_from([n, n, "?"])) for n in sizes])
    values = f"[{', '.join(sizes)}]" if sizes else ""
    result = spelled(shape, "f32")
    return f"""func.func @f(%a: tensor<f32>) {{
  %s = stablehlo.constant dense<{values}> : tensor<{len(sizes)}xi64>
  %r = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<{len(sizes)}xi64>) -> {result}
  return
}}"""


def rng_bit_generator_text(draw: Draw) -> str:
    state, element = draw(SHAPE), draw(ELEMENT)
    algorithm = draw(st.sampled_from("DEFAULT THREE_FRY PHILOX".split()))
    output = spelled(draw(SHAPE) if draw(COIN) else draw(STATIC), draw(ELEMENT))
    properties = f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>"
    results = spelled(near(draw, state), other(draw, element)), output
    return program("stablehlo.rng_bit_generator", properties, [spelled(state, element)], *results)


@pytest.mark.parametrize("make", [rng_text, constant_rng_text, rng_bit_generator_text])
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


# Constructors and values


def test_rng_in_python():
    block = Block(arg_types=[tensor((), f32), tensor((2,), i64)])
    a, sizes = block.args
    assert type_of(RngOp(a, a, sizes, RngDistribution.NORMAL).result) == tensor((UNKNOWN, UNKNOWN), f32)
    known = ConstantOp(elements(tensor((2,), i64), [3, 4])).output
    op = RngOp(a, a, known, RngDistribution.UNIFORM)
    assert type_of(op.result) == tensor((3, 4), f32)
    op.verify()
    assert not is_side_effect_free(op)


def test_rng_bit_generator_in_python():
    ui32, ui64 = (IntegerType(width, Signedness.UNSIGNED) for width in (32, 64))
    state = Block(arg_types=[tensor((2,), ui64)]).args[0]
    op = RngBitGeneratorOp(state, tensor((5,), ui32), RngAlgorithm.THREE_FRY)
    assert [type_of(r) for r in op.results] == [tensor((2,), ui64), tensor((5,), ui32)]
    assert is_side_effect_free(op)
    with pytest.raises(ShapeError, match="its sizes must be known"):
        RngBitGeneratorOp(state, tensor((UNKNOWN,), ui32))


def test_rng_bit_generator_values():
    """Equal states give equal bits, and the next state other ones."""
    program = """func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>) {
      %r:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
      return %r#0, %r#1 : tensor<2xui64>, tensor<8xui32>
    }"""
    state = np.array([1, 2], np.uint64)
    following, bits = run(program, state)
    np.testing.assert_array_equal(run(program, state)[1], bits)
    assert (run(program, following)[1] != bits).any()


def test_rng_values():
    (found,) = run(
        """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<1000xf32> {
          %s = stablehlo.constant dense<1000> : tensor<1xi64>
          %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
          return %r : tensor<1000xf32>
        }""",
        np.float32(2),
        np.float32(3),
    )
    assert 2 <= found.min() < 2.1
    assert 2.9 < found.max() < 3
