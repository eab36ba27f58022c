"""Reverse-mode rules of CHLO's elementwise ops. t is the cotangent of y = f(x).

Floats narrower than f32 are differentiated in f32, where squares do not overflow. Broadcasting ops are in
passes/vjp/chlo_broadcast.py; top_k and ragged_dot in passes/vjp/chlo_structure.py, scan in passes/vjp/chlo_scan.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.chlo import binary, creation, unary
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import (
    Value,
    complex_of,
    conjugate,
    cosine,
    exponential,
    imag,
    real,
    select,
    square_root,
)
from hhlo_xdsl.dialects.types import is_complex
from hhlo_xdsl.passes.chlo_legalize.core import LOWERINGS, in_f32
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp import core
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, only, region_rule, scaled_by, vjp_rule
from hhlo_xdsl.passes.vjp.regions import back_through

Partial = Callable[[Value, Value, Value], Value]


def wide(partial: Partial) -> Partial:
    """The same row of the table, computed in f32 for narrower floats."""
    return lambda t, x, y: in_f32(partial, t, x, y)


def row(op: type[Operation], partial: Partial) -> None:
    """Register y = f(x), by (t, x, y) -> t * df/dx, computed in f32 for narrower floats."""
    core.unary(op, wide(partial))


# sqrt(1 - x^2) as a product of roots: it neither cancels near 1 nor overflows, and is on the principal branch.


def _cosine_of_asin(x: Value) -> Value:
    """sqrt(1 - x^2)"""
    return square_root(1 - x) * square_root(1 + x)


def _times_i(z: Value) -> Value:
    """i z"""
    return complex_of(-imag(z), real(z))


def _over_difference_of_squares(t: Value, z: Value) -> Value:
    """t / (1 - z^2), without overflow of z^2."""
    return t * (1 / (1 - z)) * (1 / (1 + z))


def _scaled(x: Value) -> tuple[Value, Value]:
    """r and v, |v| <= 1, for which 1 + x^2 = (1 + v^2) / r^2: 1 and x, or 1 / x and 1 / x for |x| > 1."""
    large = abs(x) > 1
    r = 1 / select(large, x, 1)
    return r, select(large, r, x)


def atan(t: Value, x: Value, y: Value) -> Value:
    """t / (1 + x^2)"""
    if is_complex(x.type):
        return _over_difference_of_squares(t, _times_i(x))
    r, v = _scaled(x)
    return t * r * (r / (1 + v * v))


def asinh(t: Value, x: Value, y: Value) -> Value:
    """t / sqrt(1 + x^2)"""
    if is_complex(x.type):
        return t / _cosine_of_asin(_times_i(x))
    r, v = _scaled(x)
    return t * (abs(r) / square_root(1 + v * v))


def tan(t: Value, x: Value, y: Value) -> Value:
    """t (1 + y^2); of complex numbers t / cos^2 x, since y is near i or -i where the imaginary part is large."""
    if not is_complex(x.type):
        return t * (1 + y * y)
    secant = 1 / cosine(x)
    return t * secant * secant


row(unary.AcosOp, lambda t, x, y: -t / _cosine_of_asin(x))
row(unary.AcoshOp, lambda t, x, y: t / (square_root(x - 1) * square_root(x + 1)))
row(unary.AsinOp, lambda t, x, y: t / _cosine_of_asin(x))
row(unary.AsinhOp, asinh)
row(unary.AtanOp, atan)
row(unary.AtanhOp, lambda t, x, y: _over_difference_of_squares(t, x))
row(unary.CoshOp, lambda t, x, y: t * x.apply(unary.SinhOp))
row(unary.SinhOp, lambda t, x, y: t * x.apply(unary.CoshOp))
row(unary.TanOp, tan)
core.unary(unary.SquareOp, lambda t, x, y: 2 * t * x)

row(unary.ErfOp, lambda t, x, y: (2 / math.sqrt(math.pi)) * t * exponential(-(x * x)))
row(unary.ErfcOp, lambda t, x, y: (-2 / math.sqrt(math.pi)) * t * exponential(-(x * x)))
row(unary.ErfInvOp, lambda t, x, y: (math.sqrt(math.pi) / 2) * t * exponential(y * y))

core.unary(unary.LgammaOp, lambda t, x, y: t * x.apply(unary.DigammaOp))
core.unary(unary.DigammaOp, lambda t, x, y: t * Value(x.operand(1)).apply(binary.PolygammaOp, x))


@vjp_rule(unary.ConjOp)
def conj(op: unary.ConjOp, cts: Cotangents) -> Cotangents:
    """conj(t), since pairing is without conjugation; t for a real operand."""
    t = Value(only(cts))
    return [conjugate(t).ssa if is_complex(t.type) else t.ssa]


@vjp_rule(unary.AsinAcosKernelOp)
def asin_acos_kernel(op: unary.AsinAcosKernelOp, cts: Cotangents) -> Cotangents:
    """y = Re s + i |Im asin z| with s = sqrt(1 - z^2); ds/dz = -z / s, d asin z / dz = 1 / s.

    Re(t dy) = Re(((-Re t) z + i (sign of Im z) Im t) dz / s).
    """
    t, z = Value(only(cts)), Value(op.operand)
    along = complex_of(real(t) * real(z), real(t) * imag(z))
    across = select(imag(z) < 0, -imag(t), imag(t))
    return [((complex_of(-real(along), across - imag(along))) / _cosine_of_asin(z)).ssa]


@region_rule(unary.BesselI1eOp)
def bessel_i1e(op: unary.BesselI1eOp, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """The rule of the series that it is computed by. In closed form, e^-|x| (I0 - I1 / |x|) - y cancels for large x."""
    return back_through(op, cts, walk, active, lambda: LOWERINGS[unary.BesselI1eOp](op))


def undefined(op: Operation, operand: str, reason: str) -> DifferentiationError:
    """The error for an operand that has no derivative, and depends on the differentiated arguments."""
    return DifferentiationError(
        f"{op.name}: {operand} depends on the differentiated arguments, and there is no derivative with respect to it:"
        f" {reason}; differentiate with respect to other arguments, or hold it fixed by stop_gradient{place(op)}"
    )


NO_ORDER = ("its order n", "n is a whole number")
NO_EXPONENT = ("its exponent x", "it is no function of CHLO or StableHLO")


def polygamma_in_x(t: Value, n: Value, x: Value, y: Value) -> Value:
    """t times the derivative of polygamma(n, x) in x: polygamma(n + 1, x)."""
    return t * (n + 1).apply(binary.PolygammaOp, x)


def zeta_in_q(t: Value, s: Value, q: Value, y: Value) -> Value:
    """t times the derivative of zeta(s, q) in q: -s zeta(s + 1, q)."""
    return -t * s * (s + 1).apply(binary.ZetaOp, q)


@region_rule(binary.PolygammaOp)
def polygamma(op: binary.PolygammaOp, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """In x only."""
    if op.n in active:
        raise undefined(op, *NO_ORDER)
    return [None, scaled_by(polygamma_in_x, Value(only(cts)), op, walk.options)]


@region_rule(binary.ZetaOp)
def zeta(op: binary.ZetaOp, cts: Cotangents, walk: Walk, active: Collection[SSAValue]) -> Cotangents:
    """In q only."""
    if op.x in active:
        raise undefined(op, *NO_EXPONENT)
    return [None, scaled_by(zeta_in_q, Value(only(cts)), op, walk.options)]


@vjp_rule(binary.NextAfterOp)
def next_after(op: binary.NextAfterOp, cts: Cotangents) -> Cotangents:
    """x moves by one step of its own, y only says which way: t, and zero. As in JAX."""
    return [only(cts), None]


core.non_differentiable("it reads nothing but a shape", creation.ConstantOp, creation.ConstantLikeOp)
core.non_differentiable("its result is boolean", unary.IsInfOp, unary.IsNegInfOp, unary.IsPosInfOp)
core.non_differentiable("it works on integers", binary.MulhiOp)
