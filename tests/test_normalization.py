"""batch_norm_training, batch_norm_inference and batch_norm_grad: text, constraints, constructors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from tests.random_programs import (
    COIN,
    QUANTIZED,
    Draw,
    check_against_upstream,
    near,
    program,
    spelled,
)

FLOATS = st.sampled_from("f32 f32 f64 bf16 i32".split())


def batch_norm_text(draw: Draw, name: str, vectors: int, *, is_grad: bool = False, is_inference: bool = False) -> str:
    shape = draw(st.lists(st.sampled_from("1 2 3 ?".split()), min_size=1, max_size=3))
    feature = draw(st.integers(-1, 3)) if draw(COIN) else draw(st.integers(0, len(shape) - 1))
    element = draw(FLOATS | QUANTIZED)
    size = shape[feature] if 0 <= feature < len(shape) else "2"
    quantized = element.startswith("!")

    def spell(dims: list[str]) -> str:
        changed = draw(QUANTIZED if quantized else FLOATS) if draw(COIN) else element
        return spelled(near(draw, [draw(st.sampled_from([n, n, n, "?"])) for n in dims]), changed)

    operands = [spell(shape), *(spell([size]) for _ in range(vectors)), *([spell(shape)] if is_grad else [])]
    results = [spell(shape), *([] if is_inference else [spell([size]), spell([size])])]
    properties = f"epsilon = 0.001 : {'f64' if draw(COIN) else 'f32'}, feature_index = {feature} : i64"
    return program(f"stablehlo.{name}", properties, operands, *results)


def training_text(draw: Draw) -> str:
    return batch_norm_text(draw, "batch_norm_training", 2)


def inference_text(draw: Draw) -> str:
    return batch_norm_text(draw, "batch_norm_inference", 4, is_inference=True)


def grad_text(draw: Draw) -> str:
    return batch_norm_text(draw, "batch_norm_grad", 3, is_grad=True)


@pytest.mark.parametrize("make", [training_text, inference_text, grad_text])
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)
