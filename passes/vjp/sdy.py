"""Reverse-mode rules of Shardy's marks: they change where a value lies, not what it is."""

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.sdy import ManualComputationOp, MeshOp, ReshardOp, ReturnOp, ShardingConstraintOp
from hhlo_xdsl.passes.vjp.core import Cotangents, non_differentiable, not_yet, only, vjp_rule

non_differentiable("it names an arrangement of devices", MeshOp)
non_differentiable("it ends a region; the op that owns the region has the rule", ReturnOp)
not_yet("its body holds collectives, which have no rules so far", ManualComputationOp)


@vjp_rule(ShardingConstraintOp)
def sharding_constraint(op: ShardingConstraintOp, cts: Cotangents) -> Cotangents:
    """The cotangent, under the same constraint."""
    return [emit(ShardingConstraintOp.laid_out(only(cts), op.sharding))]


@vjp_rule(ReshardOp)
def reshard(op: ReshardOp, cts: Cotangents) -> Cotangents:
    """The cotangent as it is: where the input lay is not known here."""
    return [only(cts)]
