"""The option `safe`: where a (co)tangent is exactly zero, so is what a rule makes of it, whatever it is multiplied by.

What a rule only moves, adds or chooses needs no guard, for zero stays zero. What it multiplies by values does, since
0 * inf and 0 * NaN are NaN: elementwise ops, products, and scatters that multiply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.infix import Value, imag, is_finite, real, select, splat
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AndOp
from hhlo_xdsl.dialects.types import is_complex, is_inexact, type_of
from hhlo_xdsl.passes.vjp.core import Options

Product: TypeAlias = Callable[[SSAValue, SSAValue], SSAValue]
"""(t, other) -> a bilinear map of both, such as a matrix product."""


def guarded(t: SSAValue, scaled: SSAValue, options: Options) -> SSAValue:
    """`scaled`, of the shape of t; with `safe`, zero where t is exactly zero."""
    return select(Value(t).equal(0), 0, Value(scaled)).ssa if options.safe else scaled


# A product sums t[..] * other[..]. Without the terms of infinite or NaN `other` it is `clean`; `hits` counts those of
# them whose t is not zero. Where there is none, `clean` is the sum of what is left if zero times anything is zero.


def guarded_product(product: Product, t: SSAValue, other: SSAValue, options: Options) -> SSAValue:
    """product(t, other); with `safe`, terms whose t is exactly zero are zero."""
    if not options.safe or not is_inexact(other.type):
        return product(t, other)
    finite = _all_finite(Value(other))
    clean = product(t, select(finite, Value(other), 0).ssa)
    given = Value(t).compare(ComparisonDirection.NE, 0)
    hits = product(_ones_where(given, t), select(finite, 0, Value(splat(1, type_of(other)))).ssa)
    return select(Value(hits).equal(0), Value(clean), Value(product(t, other))).ssa


def _ones_where(pred: Value, like: SSAValue) -> SSAValue:
    return select(pred, Value(splat(1, type_of(like))), 0).ssa


def _all_finite(x: Value) -> Value:
    if is_complex(x.type):
        return is_finite(real(x)).apply(AndOp, is_finite(imag(x)))
    return is_finite(x)
