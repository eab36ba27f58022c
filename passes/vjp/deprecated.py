"""Reverse-mode rules of ops that are kept for old programs."""

from hhlo_xdsl.dialects.stablehlo.deprecated import BroadcastOp, DotOp, EinsumOp, UnaryEinsumOp
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", BroadcastOp, DotOp, EinsumOp, UnaryEinsumOp)
