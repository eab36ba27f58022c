"""Forward-mode rules of dot_general and convolution: both are linear in each operand.

d(a b) = da b + a db, for a and b the operands and a b their product.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp, DotGeneralOp
from hhlo_xdsl.passes.jvp.core import Tangent, Tangents, jvp_rule, total


@jvp_rule(DotGeneralOp)
def dot_general(op: DotGeneralOp, tangents: Tangents) -> Tangents:
    """da b + a db"""
    return [_product_rule(op, tangents)]


@jvp_rule(ConvolutionOp)
def convolution(op: ConvolutionOp, tangents: Tangents) -> Tangents:
    """da b + a db"""
    return [_product_rule(op, tangents)]


def _product_rule(op: DotGeneralOp | ConvolutionOp, tangents: Tangents) -> Tangent:
    a, b = op.operands
    da, db = tangents
    return total(
        None if da is None else _product(op, da, b),
        None if db is None else _product(op, a, db),
    )


def _product(op: DotGeneralOp | ConvolutionOp, a: SSAValue, b: SSAValue) -> SSAValue:
    """The product of a and b of the kind that `op` is."""
    copy = op.clone()
    copy.operands = [a, b]
    return add(copy).results[0]
