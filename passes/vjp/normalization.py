"""Reverse-mode rules of batch normalization."""

from hhlo_xdsl.dialects.stablehlo.normalization import BatchNormGradOp, BatchNormInferenceOp, BatchNormTrainingOp
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", BatchNormTrainingOp, BatchNormInferenceOp, BatchNormGradOp)
