"""Reverse-mode rules of ops that put elements in order."""

from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.passes.vjp.core import not_yet

not_yet("no rule has been written so far", SortOp)
