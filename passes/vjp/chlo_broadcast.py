"""Reverse-mode rules of CHLO's broadcasting ops: that of the op that does not broadcast, then that of the broadcast,
which sums over the copies of each element.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.chlo import broadcast as chlo
from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.passes.chlo_legalize.broadcast import PLAIN, Broadcasting, plain
from hhlo_xdsl.passes.vjp.core import NON_DIFFERENTIABLE, Cotangents, Walk, non_differentiable, region_rule
from hhlo_xdsl.passes.vjp.regions import back_through

non_differentiable("its result is boolean", chlo.BroadcastCompareOp)
non_differentiable(
    "it works on integers or booleans",
    chlo.BroadcastAndOp,
    chlo.BroadcastOrOp,
    chlo.BroadcastXorOp,
    chlo.BroadcastShiftLeftOp,
    chlo.BroadcastShiftRightArithmeticOp,
    chlo.BroadcastShiftRightLogicalOp,
)


def broadcasting(op: Broadcasting, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """The cotangents, back through the plain op and the broadcasts of its operands."""
    return back_through(op, cts, walk, active, lambda: [emit(plain(op))])


for _op in PLAIN.keys() - NON_DIFFERENTIABLE.keys():
    region_rule(_op)(broadcasting)
