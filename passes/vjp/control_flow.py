"""Reverse-mode rules of control flow."""

from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.passes.vjp.core import non_differentiable

non_differentiable("it ends a region; the op that owns the region has the rule", ReturnOp)
