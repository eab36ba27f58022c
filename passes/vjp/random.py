"""Reverse-mode rules of ops that make random numbers."""

from hhlo_xdsl.dialects.stablehlo.random import RngBitGeneratorOp, RngOp
from hhlo_xdsl.passes.vjp.core import non_differentiable, not_yet

non_differentiable("its bits do not depend smoothly on the state", RngBitGeneratorOp)
not_yet("no rule has been written so far", RngOp)
