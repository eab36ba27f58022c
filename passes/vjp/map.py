"""Reverse-mode rules of ops that apply a function of scalars to every element."""

from hhlo_xdsl.dialects.stablehlo.map import MapOp
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", MapOp)
