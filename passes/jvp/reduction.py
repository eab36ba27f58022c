"""Forward-mode rules of reduce and of the ops on sliding windows."""

from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp, ReduceWindowOp, SelectAndScatterOp
from hhlo_xdsl.passes.jvp.core import not_yet

not_yet("no rule has been written so far", ReduceOp, ReduceWindowOp, SelectAndScatterOp)
