"""rng and rng_bit_generator: text, constraints, constructors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

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
