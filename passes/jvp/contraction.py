"""Forward-mode rules of dot_general and convolution: both are linear in each operand.

d(a b) = da b + a db, for a and b the operands and a b their product.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp, DotGeneralOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Tangent, Tangents, jvp_walk_rule, total
from hhlo_xdsl.passes.vjp.contraction import for_derivatives
from hhlo_xdsl.passes.vjp.guards import guarded_product


@jvp_walk_rule(DotGeneralOp)
def dot_general(op: DotGeneralOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """da b + a db"""
    return [_product_rule(op, tangents, walk)]


@jvp_walk_rule(ConvolutionOp)
def convolution(op: ConvolutionOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """da b + a db"""
    return [_product_rule(op, tangents, walk)]


def _product_rule(op: DotGeneralOp | ConvolutionOp, tangents: Tangents, walk: ForwardWalk) -> Tangent:
    a, b = op.operands
    da, db = tangents
    return total(
        None if da is None else guarded_product(lambda t, other: _product(op, t, other), da, b, walk.options),
        None if db is None else guarded_product(lambda t, other: _product(op, other, t), db, a, walk.options),
    )


def _product(op: DotGeneralOp | ConvolutionOp, a: SSAValue, b: SSAValue) -> SSAValue:
    """The product of a and b of the kind that `op` is, without an algorithm that rounds to 8 bits."""
    copy = op.clone()
    copy.operands = [a, b]
    if isinstance(copy, DotGeneralOp) and copy.algorithm is not None and for_derivatives(copy.algorithm.data) is None:
        del copy.properties["algorithm"]
    return add(copy).results[0]
