"""Forward-mode rules of calls of what is defined elsewhere."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo.extension import CompositeOp
from hhlo_xdsl.passes.jvp.core import ForwardWalk, Joint, Tangents, joint_rule, missing_rule


@joint_rule(CompositeOp)
def composite(op: CompositeOp, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """A composite is a call of its decomposition."""
    if walk.call is None:
        raise missing_rule(op)
    return walk.call(op, tangents)
