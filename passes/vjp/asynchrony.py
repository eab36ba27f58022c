"""Reverse-mode rules of ops that run in the background."""

from hhlo_xdsl.dialects.stablehlo.asynchrony import AsyncDoneOp, AsyncStartOp
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", AsyncDoneOp, AsyncStartOp)
