"""Forward-mode rules of Shardy's marks: they change where a value lies, not what it is."""

from hhlo_xdsl.dialects.sdy import ReshardOp, ShardingConstraintOp
from hhlo_xdsl.passes.jvp.core import linear

linear(ReshardOp, ShardingConstraintOp)
