"""The error function, its complement and its inverse.

Sources: Cephes, ndtr.c and ndtrf.c (S. L. Moshier), and M. Giles, "Approximating the erfinv function", GPU Computing
Gems 2, 2010.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f64

from hhlo_xdsl.dialects.chlo.unary import ErfcOp, ErfInvOp, ErfOp
from hhlo_xdsl.dialects.infix import Value, exponential, exponential_minus_one, floor, log, select, square_root
from hhlo_xdsl.passes.chlo_legalize.core import elementwise
from hhlo_xdsl.passes.chlo_legalize.series import monic, polynomial

# f64: erf(x) = x T(x^2) / U(x^2) for |x| <= 1; erfc(x) = e^(-x^2) P(x) / Q(x) for 1 <= x < 8, and R(x) / S(x) beyond.
T = (
    9.60497373987051638749e0,
    9.00260197203842689217e1,
    2.23200534594684319226e3,
    7.00332514112805075473e3,
    5.55923013010394962768e4,
)
U = (
    3.35617141647503099647e1,
    5.21357949780152679795e2,
    4.59432382970980127987e3,
    2.26290000613890934246e4,
    4.92673942608635921086e4,
)
P = (
    2.46196981473530512524e-10,
    5.64189564831068821977e-1,
    7.46321056442269912687e0,
    4.86371970985681366614e1,
    1.96520832956077098242e2,
    5.26445194995477358631e2,
    9.34528527171957607540e2,
    1.02755188689515710272e3,
    5.57535335369399327526e2,
)
Q = (
    1.32281951154744992508e1,
    8.67072140885989742329e1,
    3.54937778887819891062e2,
    9.75708501743205489753e2,
    1.82390916687909736289e3,
    2.24633760818710981792e3,
    1.65666309194161350182e3,
    5.57535340817727675546e2,
)
R = (
    5.64189583547755073984e-1,
    1.27536670759978104416e0,
    5.01905042251180477414e0,
    6.16021097993053585195e0,
    7.40974269950448939160e0,
    2.97886665372100240670e0,
)
S = (
    2.26052863220117276590e0,
    9.39603524938001434673e0,
    1.20489539808096656605e1,
    1.70814450747565897222e1,
    9.60896809063285878198e0,
    3.36907645100081516050e0,
)

# f32: erf(x) = x T(x^2) for |x| <= 1; erfc(x) = e^(-x^2) / x P(1 / x^2) for 1 <= x < 2, and R(1 / x^2) beyond.
T32 = (
    7.853861353153693e-5,
    -8.010193625184903e-4,
    5.188327685732524e-3,
    -2.685381193529856e-2,
    1.128358514861418e-1,
    -3.761262582423300e-1,
    1.128379165726710e0,
)
P32 = (
    2.326819970068386e-2,
    -1.387039388740657e-1,
    3.687424674597105e-1,
    -5.824733027278666e-1,
    6.210004621745983e-1,
    -4.944515323274145e-1,
    3.404879937665872e-1,
    -2.741127028184656e-1,
    5.638259427386472e-1,
)
R32 = (
    -1.047766399936249e1,
    1.297719955372516e1,
    -7.495518717768503e0,
    2.921019019210786e0,
    -1.015265279202700e0,
    4.218463358204948e-1,
    -2.820767439740514e-1,
    5.641895067754075e-1,
)

# With w = -log((1 - x)(1 + x)), erf_inv(x) = x times a polynomial: of w - 2.5 for w < 5, of sqrt(w) - 3 beyond (f32);
# of w - 3.125 for w < 6.25, of sqrt(w) - 3.25 for w < 16, and of sqrt(w) - 5 beyond (f64).
CENTRE32 = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
TAIL32 = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)
CENTRE = (
    -3.6444120640178196996e-21,
    -1.685059138182016589e-19,
    1.2858480715256400167e-18,
    1.115787767802518096e-17,
    -1.333171662854620906e-16,
    2.0972767875968561637e-17,
    6.6376381343583238325e-15,
    -4.0545662729752068639e-14,
    -8.1519341976054721522e-14,
    2.6335093153082322977e-12,
    -1.2975133253453532498e-11,
    -5.4154120542946279317e-11,
    1.051212273321532285e-09,
    -4.1126339803469836976e-09,
    -2.9070369957882005086e-08,
    4.2347877827932403518e-07,
    -1.3654692000834678645e-06,
    -1.3882523362786468719e-05,
    0.0001867342080340571352,
    -0.00074070253416626697512,
    -0.0060336708714301490533,
    0.24015818242558961693,
    1.6536545626831027356,
)
TAIL = (
    2.2137376921775787049e-09,
    9.0756561938885390979e-08,
    -2.7517406297064545428e-07,
    1.8239629214389227755e-08,
    1.5027403968909827627e-06,
    -4.013867526981545969e-06,
    2.9234449089955446044e-06,
    1.2475304481671778723e-05,
    -4.7318229009055733981e-05,
    6.8284851459573175448e-05,
    2.4031110387097893999e-05,
    -0.0003550375203628474796,
    0.00095328937973738049703,
    -0.0016882755560235047313,
    0.0024914420961078508066,
    -0.0037512085075692412107,
    0.005370914553590063617,
    1.0052589676941592334,
    3.0838856104922207635,
)
END = (
    -2.7109920616438573243e-11,
    -2.5556418169965252055e-10,
    1.5076572693500548083e-09,
    -3.7894654401267369937e-09,
    7.6157012080783393804e-09,
    -1.4960026627149240478e-08,
    2.9147953450901080826e-08,
    -6.7711997758452339498e-08,
    2.2900482228026654717e-07,
    -9.9298272942317002539e-07,
    4.5260625972231537039e-06,
    -1.9681778105531670567e-05,
    7.5995277030017761139e-05,
    -0.00021503011930044477347,
    -0.00013871931833623122026,
    1.0103004648645343977,
    4.8499064014085844221,
)


def erf(x: Value) -> Value:
    """2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x."""
    return select(abs(x) < 1, _erf_centre(x), 1 - _erfc_tail(x))


def erfc(x: Value) -> Value:
    """1 - erf(x)"""
    return select(abs(x) < 1, 1 - _erf_centre(x), _erfc_tail(x))


def _erf_centre(x: Value) -> Value:
    """erf for |x| <= 1."""
    square = x * x
    if x.type.element_type == f64:
        return x * polynomial(square, T) / monic(square, U)
    return x * polynomial(square, T32)


def _erfc_tail(x: Value) -> Value:
    """erfc for |x| >= 1; 2 - erfc(-x) for negative x."""
    a = abs(x)
    tail = _scaled_tail64(a) if x.type.element_type == f64 else _scaled_tail32(a)
    # Beyond 30 all factors underflow or overflow.
    tail = select(a > 30, 0, tail * exp_minus_square(a))
    return select(x < 0, 2 - tail, tail)


def _scaled_tail64(a: Value) -> Value:
    """e^(a^2) erfc(a), for a >= 1."""
    return select(a < 8, polynomial(a, P) / monic(a, Q), polynomial(a, R) / monic(a, S))


def _scaled_tail32(a: Value) -> Value:
    """e^(a^2) erfc(a), for a >= 1."""
    inverse = 1 / a
    q = inverse * inverse
    return inverse * select(a < 2, polynomial(q, P32), polynomial(q, R32))


def exp_minus_square(x: Value) -> Value:
    """e^(-x^2) for |x| <= 30. The square is split so that its rounding error is not multiplied: x = m + f, m^2 exact.

    Source: Cephes, expx2.c.
    """
    m = floor(x * 128 + 0.5) / 128
    f = x - m
    e = exponential(-(m * m))
    # Not as a product of exponentials, which XLA makes one of the sum.
    return e + e * exponential_minus_one(-(f * (x + m)))


def erf_inv(x: Value) -> Value:
    """The number whose erf is x; NaN beyond -1 and 1."""
    w = -log((1 - x) * (1 + x))
    root = square_root(w)
    if x.type.element_type == f64:
        tail = select(w < 16, polynomial(root - 3.25, TAIL), polynomial(root - 5, END))
        factor = select(w < 6.25, polynomial(w - 3.125, CENTRE), tail)
    else:
        factor = select(w < 5, polynomial(w - 2.5, CENTRE32), polynomial(root - 3, TAIL32))
    return x * select(abs(x).equal(1), math.inf, factor)


elementwise(ErfOp, erf)
elementwise(ErfcOp, erfc)
elementwise(ErfInvOp, erf_inv)
