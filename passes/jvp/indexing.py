"""Forward-mode rules of ops that read or write at places known only when the program runs."""

from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp
from hhlo_xdsl.passes.jvp.core import linear

linear(DynamicSliceOp, DynamicUpdateSliceOp)
