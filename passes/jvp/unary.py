"""Forward-mode rules of elementwise ops with one operand; those with a row in the shared table need none here.

t is the tangent of x, for y = f(x).
"""

from __future__ import annotations

from hhlo_xdsl.dialects.infix import Value, complex_of, conjugate, imag, real, select, sign, zeros
from hhlo_xdsl.dialects.stablehlo.unary import (
    AbsOp,
    BitcastConvertOp,
    ConvertOp,
    ImagOp,
    RealOp,
    ReducePrecisionOp,
    SignOp,
)
from hhlo_xdsl.dialects.types import is_complex
from hhlo_xdsl.passes.jvp.core import Tangents, jvp_rule, linear
from hhlo_xdsl.passes.vjp.core import only
from hhlo_xdsl.passes.vjp.unary import check_same_bits

linear(RealOp, ImagOp, ConvertOp, ReducePrecisionOp)


@jvp_rule(BitcastConvertOp)
def bitcast_convert(op: BitcastConvertOp, tangents: Tangents) -> Tangents:
    """t, if the element type stays."""
    check_same_bits(op)
    return [only(tangents)]


@jvp_rule(AbsOp)
def abs_(op: AbsOp, tangents: Tangents) -> Tangents:
    """Real: t where x >= 0, else -t, so t at 0. Complex: Re(t * conj(sign(x))), 0 at 0."""
    t, x = Value(only(tangents)), Value(op.operand)
    if not is_complex(x.type):
        return [select(x >= 0, t, -t).ssa]
    return [real(t * conjugate(sign(x))).ssa]


@jvp_rule(SignOp)
def sign_(op: SignOp, tangents: Tangents) -> Tangents:
    """Real: zero. Complex, s = x / |x|: the part of t across s, i s Im(conj(s) t) / |x|; 0 at 0."""
    t, x, s = Value(only(tangents)), Value(op.operand), Value(op.result)
    if not is_complex(x.type):
        return [None]
    size = abs(x)
    across = select(size.equal(0), 0, imag(conjugate(s) * t) / size)
    return [(complex_of(Value(zeros(across.type)), across) * s).ssa]
