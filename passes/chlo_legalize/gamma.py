"""The gamma function's relatives: lgamma, digamma, polygamma and the Hurwitz zeta function.

Sources: C. Lanczos, "A precision approximation of the gamma function", SIAM J. Numer. Anal. B 1, 1964, with g = 7 and
nine coefficients (P. Godfrey); F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and its
derivatives", 2013, formula 5 (Euler-Maclaurin summation); NIST DLMF 5.5, 5.15 and 25.11 for the reflections.
"""

from __future__ import annotations

import math

from hhlo_xdsl.dialects.chlo.binary import PolygammaOp, ZetaOp
from hhlo_xdsl.dialects.chlo.unary import DigammaOp, LgammaOp
from hhlo_xdsl.dialects.infix import (
    Value,
    both,
    cosine,
    either,
    exponential,
    floor,
    is_finite,
    log,
    log_plus_one,
    opposite,
    power,
    remainder,
    select,
    sine,
)
from hhlo_xdsl.passes.chlo_legalize.core import elementwise
from hhlo_xdsl.passes.chlo_legalize.series import constant

G = 7.0
BASE = 0.99999999999980993227684700473478
LANCZOS = (
    676.520368121885098567009190444019,
    -1259.13921672240287047156078755283,
    771.3234287776530788486528258894,
    -176.61502916214059906584551354,
    12.507343278686904814458936853,
    -0.13857109526572011689554707,
    9.984369578019570859563e-6,
    1.50563273514931155834e-7,
)

# Gamma(z + 1) = sqrt(2 pi) t^(z + 1/2) e^-t a(z), where t = z + G + 1/2 and a(z) = BASE + sum of LANCZOS[k] / (z + k),
# for z > -1/2. Below 1/2, Gamma(x) Gamma(1 - x) = pi / sin(pi x).


def _shifted(x: Value) -> tuple[Value, Value]:
    """Whether x is reflected, and z: x - 1, or -x if so."""
    reflected = x < 0.5
    return reflected, select(reflected, -x, x - 1)


def _lanczos(z: Value) -> tuple[Value, Value, Value, Value]:
    """a(z), a'(z), t and log t."""
    a, slope = constant(BASE, z), constant(0, z)
    for k, c in enumerate(LANCZOS, 1):
        term = c / (z + k)
        a, slope = a + term, slope - term / (z + k)
    t = z + (G + 0.5)
    return a, slope, t, math.log(G + 0.5) + log_plus_one(z / (G + 0.5))


def lgamma(x: Value) -> Value:
    """log |Gamma(x)|; infinite at 0, -1, -2, .. and at the infinities."""
    reflected, z = _shifted(x)
    a, _, t, log_t = _lanczos(z)
    # (z + 1/2) log t - t overflows late in this form.
    above = math.log(2 * math.pi) / 2 + (z + 0.5 - t / log_t) * log_t + log(a)
    # |sin(pi x)| has the period 1 and is even around 1/2.
    fraction = abs(x) - floor(abs(x))
    log_sine = log(sine(math.pi * select(fraction > 0.5, 1 - fraction, fraction)))
    below = select(is_finite(log_sine), math.log(math.pi) - log_sine - above, -log_sine)
    return select(abs(x).equal(math.inf), math.inf, select(reflected, below, above))


def digamma(x: Value) -> Value:
    """The derivative of lgamma; NaN at -1, -2, .., and -1 / x at 0, which has two signs."""
    reflected, z = _shifted(x)
    a, slope, t, log_t = _lanczos(z)
    above = log_t + slope / a - G / t
    # pi cot(pi x) has the period 1; between -1/2 and 1/2, pi x keeps its digits.
    angle = math.pi * (x - floor(x + 0.5))
    below = above - math.pi * cosine(angle) / sine(angle)
    pole = both(x <= 0, x.equal(floor(x)))
    at_pole = select(x.equal(0), -1 / x, math.nan)
    return select(pole, at_pole, select(reflected, below, above))


BERNOULLI = (
    -7.1661652561756670113e18,
    1.8152105401943546773e17,
    -4.5979787224074726105e15,
    1.1646782814350067249e14,
    -2.950130727918164224e12,
    7.47242496e10,
    -1.8924375803183791606e9,
    47900160.0,
    -1209600.0,
    30240.0,
    -720.0,
    12.0,
)
"""(2 k)! / B(2 k), for k = 12, 11, .., 1."""
TERMS = 9
"""How many terms are summed one by one before the remainder is estimated."""


def _zeta_above(s: Value, q: Value) -> Value:
    """The sum of (q + k) ** -s over k = 0, 1, .., for s > 1 and q > 0.

    The remainder after the terms up to a = q + TERMS is a^-s times
    a / (s - 1) - 1/2 + s / a (B2 / 2! + (s + 1)(s + 2) / a^2 (B4 / 4! + ..)), the last term included in the sum.
    """
    last, a = power(q, -s), q
    total = last
    for _ in range(TERMS):
        a = a + 1
        last = power(a, -s)
        total = total + last
    inverse_square = 1 / (a * a)
    series = constant(0, s)
    for k, c in enumerate(BERNOULLI[:-1]):
        j = 2 * (len(BERNOULLI) - k) - 2
        series = (s + j) * (s + (j - 1)) * inverse_square * (series + 1 / c)
    tail = a / (s - 1) - 0.5 + s / a * (series + 1 / BERNOULLI[-1])
    # Where a^-s is 0 there is no remainder, and its factor may be infinite.
    return select(last.equal(0), total, total + last * tail)


def zeta(s: Value, q: Value) -> Value:
    """The Hurwitz zeta function: infinite for s = 1, NaN below; for q <= 0 only whole s give numbers.

    Below 0, with f = q - floor(q), the terms below 0 are (-1)^s times terms above 0:
    zeta(s, q) = zeta(s, f) + (-1)^s (zeta(s, 1 - f) - zeta(s, 1 - q)).
    """
    whole = s.equal(floor(s))
    even = remainder(s, 2).equal(0)
    negative = q < 0
    f = q - floor(q)
    direct = _zeta_above(s, select(negative, f, q))
    mirrored = _zeta_above(s, select(negative, 1 - f, 1)) - _zeta_above(s, select(negative, 1 - q, 1))
    result = select(negative, direct + select(even, mirrored, -mirrored), direct)
    pole = both(q <= 0, q.equal(floor(q)))
    result = select(pole, select(even, constant(math.inf, s), math.nan), result)
    result = select(both(q <= 0, opposite(whole)), math.nan, result)
    return select(s.equal(1), math.inf, select(s < 1, math.nan, result))


def polygamma(n: Value, x: Value) -> Value:
    """The n-th derivative of digamma: (-1)^(n+1) n! zeta(n + 1, x); NaN unless n is 0, 1, 2, .."""
    odd = remainder(n, 2).equal(1)
    size = exponential(lgamma(n + 1)) * zeta(n + 1, x)
    result = select(n.equal(0), digamma(x), select(odd, size, -size))
    return select(either(n < 0, opposite(n.equal(floor(n)))), math.nan, result)


elementwise(LgammaOp, lgamma)
elementwise(DigammaOp, digamma)
elementwise(ZetaOp, zeta)
elementwise(PolygammaOp, polygamma)
