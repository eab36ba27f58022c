"""Reverse-mode rules of control flow."""

from hhlo_xdsl.dialects.stablehlo.control_flow import CaseOp, IfOp, OptimizationBarrierOp, ReturnOp, WhileOp
from hhlo_xdsl.passes.vjp.core import non_differentiable, not_yet

non_differentiable("it ends a region; the op that owns the region has the rule", ReturnOp)
not_yet("no rule has been written so far", IfOp, CaseOp, WhileOp, OptimizationBarrierOp)
