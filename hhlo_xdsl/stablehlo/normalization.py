"""Thin functions of the family normalization."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo import normalization as dialect
from hhlo_xdsl.stablehlo.shared import several, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made


def batch_norm_training(
    operand: ArrayLike, scale: ArrayLike, offset: ArrayLike, *, epsilon: float, feature_index: int
) -> tuple[Tensor, ...]:
    """(operand - mean) / sqrt(variance + epsilon) * scale + offset, by feature; the mean; the variance."""
    operands = values((operand, scale, offset))
    return several(lambda: dialect.BatchNormTrainingOp(*operands, epsilon=epsilon, feature_index=feature_index))


def batch_norm_inference(
    operand: ArrayLike,
    scale: ArrayLike,
    offset: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    *,
    epsilon: float,
    feature_index: int,
) -> Tensor:
    """(operand - mean) / sqrt(variance + epsilon) * scale + offset, by feature."""
    operands = values((operand, scale, offset, mean, variance))
    return made(lambda: dialect.BatchNormInferenceOp(*operands, epsilon=epsilon, feature_index=feature_index))


def batch_norm_grad(
    operand: ArrayLike,
    scale: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    grad_output: ArrayLike,
    *,
    epsilon: float,
    feature_index: int,
) -> tuple[Tensor, ...]:
    """The cotangents of operand, scale and offset of batch_norm_training, for that of its output."""
    operands = values((operand, scale, mean, variance, grad_output))
    return several(lambda: dialect.BatchNormGradOp(*operands, epsilon=epsilon, feature_index=feature_index))
