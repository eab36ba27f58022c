"""The inverse trigonometric and hyperbolic functions, of real and of complex numbers.

Source for asin and acos of complex numbers: T. E. Hull, T. F. Fairgrieve, P. T. P. Tang, "Implementing the complex
arcsine and arccosine functions using exception handling", ACM Trans. Math. Softw. 23, 1997. Branch cuts are those of
C99's complex.h.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from xdsl.dialects.builtin import f64

from hhlo_xdsl.dialects.chlo.unary import (
    AcoshOp,
    AcosOp,
    AsinAcosKernelOp,
    AsinhOp,
    AsinOp,
    AtanhOp,
    AtanOp,
)
from hhlo_xdsl.dialects.infix import (
    Value,
    atan2,
    both,
    complex_of,
    either,
    imag,
    is_finite,
    log,
    log_plus_one,
    maximum,
    minimum,
    real,
    select,
    sign,
    square_root,
)
from hhlo_xdsl.dialects.types import is_complex
from hhlo_xdsl.passes.chlo_legalize.core import Formula, elementwise
from hhlo_xdsl.passes.chlo_legalize.series import constant


class Limits(NamedTuple):
    """The numbers of a float format that decide which formula holds."""

    largest: float
    smallest: float
    """The smallest normal number."""
    epsilon: float
    """The distance from 1 to the next number below."""


F32 = Limits((2 - 2.0**-23) * 2.0**127, 2.0**-126, 2.0**-24)
F64 = Limits((2 - 2.0**-52) * 2.0**1023, 2.0**-1022, 2.0**-53)


def limits(x: Value) -> Limits:
    """The limits of the element type of x, f32 or f64."""
    return F64 if x.type.element_type == f64 else F32


# Real numbers


def asin(x: Value) -> Value:
    """The angle of the point (sqrt(1 - x^2), x); 1 - x^2 is written so that it does not cancel."""
    return atan2(x, square_root((1 - x) * (1 + x)))


def acos(x: Value) -> Value:
    """The angle of the point (x, sqrt(1 - x^2))."""
    return atan2(square_root((1 - x) * (1 + x)), x)


def atan(x: Value) -> Value:
    """The angle of the point (1, x)."""
    return atan2(x, 1)


def asinh(x: Value) -> Value:
    """log(x + sqrt(1 + x^2)), for |x|: log1p(x + x^2 / (1 + sqrt(1 + x^2))), and log 2x where x^2 overflows."""
    a = abs(x)
    large = a >= math.sqrt(limits(x).largest)
    b = select(large, 1, a)
    near = log_plus_one(b + b * b / (1 + square_root(1 + b * b)))
    return sign(x) * select(large, math.log(2) + log(a), near)


def acosh(x: Value) -> Value:
    """log(x + sqrt(x^2 - 1)) as log1p(sqrt(x - 1) (sqrt(x + 1) + sqrt(x - 1))), and log 2x where that overflows."""
    root = square_root(x - 1)
    near = log_plus_one(root * (square_root(x + 1) + root))
    return select(x >= limits(x).largest / 2, math.log(2) + log(x), near)


def atanh(x: Value) -> Value:
    """log((1 + x) / (1 - x)) / 2"""
    return (log_plus_one(x) - log_plus_one(-x)) * 0.5


# Complex numbers
#
# With z = x + i y, r = |z + 1|, s = |z - 1| and a = (r + s) / 2, Hull et al. write for x, y >= 0
#   asin z = atan(x / sqrt(a^2 - x^2)) + i log(a + sqrt(a^2 - 1)),   acos z = pi / 2 - asin z.
# The kernel has sqrt(a^2 - x^2) as its real part and log(a + sqrt(a^2 - 1)) as its imaginary part; asin, acos and the
# hyperbolic functions put them together and give them signs.


def hypotenuse(a: Value, b: Value) -> Value:
    """sqrt(a^2 + b^2) for a, b >= 0, without overflow."""
    large, small = maximum(a, b), minimum(a, b)
    ratio = select(large.equal(0), 0, small / large)
    return select(large.equal(math.inf), large, large * square_root(1 + ratio * ratio))


class Distances(NamedTuple):
    """What the kernel is made of: x = |Re z|, y = |Im z|, their distances r to -1 and s to 1, and a."""

    x: Value
    y: Value
    r: Value
    s: Value
    a: Value


def asin_acos_kernel(z: Value) -> Value:
    """sqrt(a^2 - x^2) + i log(a + sqrt(a^2 - 1))"""
    x, y = abs(real(z)), abs(imag(z))
    r, s = hypotenuse(abs(x + 1), y), hypotenuse(abs(x - 1), y)
    d = Distances(x, y, r, s, 0.5 * (r + s))
    return complex_of(_root(d), _logarithm(d))


def _root(d: Distances) -> Value:
    """sqrt((a + x)(a - x)), where 2 (a - x) = (r - (x + 1)) + (s - (x - 1)) is freed from cancellation."""
    x, y, r, s, a = d
    half = 0.5 * (a + x)
    near = square_root(half * (y * y / (r + (x + 1)) + (s - (x - 1))))
    beyond = y * square_root(half / (r + (x + 1)) + half / (s + (x - 1)))
    far = maximum(x, y) >= math.sqrt(limits(x).largest) / 8
    return select(far, y, select(x <= 1, near, beyond))


def _logarithm(d: Distances) -> Value:
    """log(a + sqrt(a^2 - 1)) = log1p(m + sqrt(m (a + 1))) with m = a - 1 freed from cancellation; log 2|z| far out."""
    x, y, r, s, a = d
    tiny = both(y < 4 * math.sqrt(limits(x).smallest), x < 1)
    left = 0.5 * y * y / (r + (x + 1))
    right = select(x >= 1, 0.5 * (s + (x - 1)), 0.5 * y * y / (s - (x - 1)))
    m = select(either(x >= 1, a <= 1.5), left + right, a - 1)
    m = select(tiny, (1 + x) * (1 - x) / (a + 1), m)
    root = square_root(m * (a + 1))
    near = select(tiny, y / root, log_plus_one(m + root))
    return select(_far(d), _log_double(x, y), near)


def _far(d: Distances) -> Value:
    """Whether 1 is lost beside |z|, and squares may overflow."""
    return maximum(d.x, d.y) >= math.sqrt(limits(d.x).largest) / 8


def _log_double(x: Value, y: Value) -> Value:
    """log 2 |x + i y| for numbers whose squares may overflow."""
    large, small = maximum(x, y), minimum(x, y)
    ratio = select(is_finite(large), small / large, 0)
    return math.log(2) + log(large) + 0.5 * log_plus_one(ratio * ratio)


def _with_sign(size: Value, of: Value) -> Value:
    """size, negated where `of` is below 0 or -0."""
    return select(_is_negative(of), -size, size)


def _is_negative(x: Value) -> Value:
    """Whether x has a minus sign, -0 included."""
    return either(x < 0, both(x.equal(0), constant(1, x) / x < 0))


def complex_asin(z: Value) -> Value:
    """atan2(x, w) + i (sign of y) w', with the kernel w + i w'."""
    w, x, y = asin_acos_kernel(z), real(z), imag(z)
    return complex_of(atan2(x, real(w)), _with_sign(imag(w), y))


def complex_acos(z: Value) -> Value:
    """atan2(w, x) - i (sign of y) w', with the kernel w + i w'."""
    w, x, y = asin_acos_kernel(z), real(z), imag(z)
    return complex_of(atan2(real(w), x), _with_sign(-imag(w), y))


def complex_asinh(z: Value) -> Value:
    """(sign of x) w' + i atan2(y, w), with the kernel w + i w' of i z."""
    x, y = real(z), imag(z)
    w = asin_acos_kernel(complex_of(-y, x))
    return complex_of(_with_sign(imag(w), x), atan2(y, real(w)))


def complex_acosh(z: Value) -> Value:
    """w' + i (sign of y) atan2(w, x), with the kernel w + i w'."""
    w, x, y = asin_acos_kernel(z), real(z), imag(z)
    return complex_of(imag(w), _with_sign(atan2(real(w), x), y))


def complex_atanh(z: Value) -> Value:
    """log1p(4 |x| / ((1 - |x|)^2 + y^2)) / 4 with the sign of x, + i atan2(2 y, (1 - x)(1 + x) - y^2) / 2.

    Far out, where 1 is lost beside |z|, the quotient is |x| / |z|^2 and the angle +-pi.
    """
    x, y = real(z), imag(z)
    ax, ay = abs(x), abs(y)
    bound = limits(x).epsilon ** -2
    near = both(ax < bound, ay < bound)
    square = (1 - ax) * (1 - ax) + y * y
    size = 0.25 * log_plus_one(4 * select(near, ax / square, _over_square(ax, ay)))
    angle = select(near, atan2(y + y, (1 - ax) * (1 + ax) - y * y), _with_sign(constant(math.pi, y), y))
    return complex_of(_with_sign(size, x), 0.5 * angle)


def _over_square(x: Value, y: Value) -> Value:
    """x / (x^2 + y^2) for x, y >= 0 whose squares may overflow.

    XLA makes a / (b * b) of a / b / b, so no two divisions follow one another.
    """
    large = maximum(x, y)
    ratio = select(is_finite(large), minimum(x, y) / large, 0)
    return select(x >= y, 1, ratio) * (1 / (large * (1 + ratio * ratio)))


def complex_atan(z: Value) -> Value:
    """-i atanh(i z)"""
    w = complex_atanh(complex_of(-imag(z), real(z)))
    return complex_of(imag(w), -real(w))


def either_kind(of_real: Formula, of_complex: Formula) -> Formula:
    """The formula for real numbers, or that for complex ones, as the operands are."""

    def formula(*operands: Value) -> Value:
        return of_complex(*operands) if is_complex(operands[0].type) else of_real(*operands)

    return formula


elementwise(AsinAcosKernelOp, asin_acos_kernel)
elementwise(AsinOp, either_kind(asin, complex_asin))
elementwise(AcosOp, either_kind(acos, complex_acos))
elementwise(AtanOp, either_kind(atan, complex_atan))
elementwise(AsinhOp, either_kind(asinh, complex_asinh))
elementwise(AcoshOp, either_kind(acosh, complex_acosh))
elementwise(AtanhOp, either_kind(atanh, complex_atanh))
