"""batch_norm_training, batch_norm_inference and batch_norm_grad: text, constraints, constructors, derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue

from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.stablehlo.normalization import BatchNormGradOp, BatchNormInferenceOp, BatchNormTrainingOp
from hhlo_xdsl.dialects.types import tensor, type_of
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse
from tests.harness import check_jvp, run, vjp_of
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


# Constructors and values


def argument(*shape: int) -> SSAValue:
    return Block(arg_types=[tensor(shape, f32)]).args[0]


def test_constructors():
    x, v = argument(2, 3, 4), argument(3)
    training = BatchNormTrainingOp(x, v, v, epsilon=1e-3, feature_index=1)
    assert [type_of(r) for r in training.results] == [tensor((2, 3, 4), f32), tensor((3,), f32), tensor((3,), f32)]
    inference = BatchNormInferenceOp(x, v, v, v, v, epsilon=1e-3, feature_index=1)
    assert type_of(inference.result) == tensor((2, 3, 4), f32)
    grad = BatchNormGradOp(x, v, v, v, x, epsilon=1e-3, feature_index=1)
    assert [type_of(r) for r in grad.results] == [tensor((2, 3, 4), f32), tensor((3,), f32), tensor((3,), f32)]
    for op in (training, inference, grad):
        op.verify()
    with pytest.raises(ShapeError, match=r"offset is tensor<4xf32>.* one element per feature"):
        BatchNormTrainingOp(x, v, argument(4), epsilon=1e-3, feature_index=1)


def test_values():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 3)).astype(np.float32)
    scale, offset = (rng.normal(size=3).astype(np.float32) for _ in range(2))
    output, mean, variance, again = run(
        """func.func @main(%x: tensor<5x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>)
            -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<5x3xf32>) {
          %y:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
            : (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>)
          %z = "stablehlo.batch_norm_inference"(%x, %s, %o, %y#1, %y#2) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
            : (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
          return %y#0, %y#1, %y#2, %z : tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<5x3xf32>
        }""",
        x,
        scale,
        offset,
    )
    expected = (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-3) * scale + offset
    np.testing.assert_allclose(mean, x.mean(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(variance, x.var(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(again, expected, rtol=1e-4, atol=1e-5)


# Derivatives

X, V = "tensor<2x3x4xf64>", "tensor<3xf64>"
PROPERTIES = "<{epsilon = 0.25 : f32, feature_index = 1 : i64}>"
TRAINING = f"""func.func @main(%x: {X}, %g: {V}, %o: {V}) -> ({X}, {V}, {V}) {{
  %y:3 = "stablehlo.batch_norm_training"(%x, %g, %o) {PROPERTIES} : ({X}, {V}, {V}) -> ({X}, {V}, {V})
  return %y#0, %y#1, %y#2 : {X}, {V}, {V}
}}"""
INFERENCE = f"""func.func @main(%x: {X}, %g: {V}, %o: {V}, %m: {V}, %v: {V}) -> {X} {{
  %y = "stablehlo.batch_norm_inference"(%x, %g, %o, %m, %v) {PROPERTIES} : ({X}, {V}, {V}, {V}, {V}) -> {X}
  return %y : {X}
}}"""
GRAD = f"""func.func @main(%x: {X}, %g: {V}, %m: {V}, %v: {V}, %w: {X}) -> ({X}, {V}, {V}) {{
  %y:3 = "stablehlo.batch_norm_grad"(%x, %g, %m, %v, %w) {PROPERTIES} : ({X}, {V}, {V}, {V}, {X}) -> ({X}, {V}, {V})
  return %y#0, %y#1, %y#2 : {X}, {V}, {V}
}}"""


def samples(*shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    """Positive numbers, as a variance needs them."""
    rng = np.random.default_rng(0)
    return [rng.uniform(0.5, 2, shape) for shape in shapes]


@pytest.mark.parametrize(
    "text, shapes",
    [
        (TRAINING, ((2, 3, 4), (3,), (3,))),
        (INFERENCE, ((2, 3, 4), (3,), (3,), (3,), (3,))),
        (GRAD, ((2, 3, 4), (3,), (3,), (3,), (2, 3, 4))),
    ],
    ids=["training", "inference", "grad"],
)
def test_derivatives(text: str, shapes: Sequence[tuple[int, ...]]):
    """All results have cotangents: mean and variance of training, the three gradients of grad."""
    check_jvp(text, samples(*shapes), order=2)


@pytest.mark.parametrize("result", range(3))
@pytest.mark.parametrize("text", [TRAINING, GRAD], ids=["training", "grad"])
def test_a_cotangent_of_one_result_alone(text: str, result: int):
    """The others have none, which is not the same code as a zero one; the sum over all is the gradient of all."""
    shapes = [(2, 3, 4), (3,), (3,)] if text is TRAINING else [(2, 3, 4), (3,), (3,), (3,), (2, 3, 4)]
    args, cts = samples(*shapes), samples((2, 3, 4), (3,), (3,))
    module = parse(text)
    differentiate(module, GradPass(value=False, seed=True, result=(result,)))
    alone = run(module, *args, cts[result])
    others = [ct if i == result else np.zeros_like(ct) for i, ct in enumerate(cts)]
    for found, expected in zip(alone, run(vjp_of(text), *args, *others), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_derivatives_of_no_elements():
    text = TRAINING.replace("2x3x4", "0x3x4")
    to_x, to_scale, to_offset = run(vjp_of(text), *samples((0, 3, 4), (3,), (3,), (0, 3, 4), (3,), (3,)))
    assert to_x.shape == (0, 3, 4)
    assert to_offset.tolist() == [0, 0, 0]
    assert to_scale.shape == (3,)
