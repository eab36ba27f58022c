"""chlo-legalize-to-stablehlo: every op against numpy, scipy or a loop, ordinary and extreme operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import scipy.special as sp

import hhlo_xdsl as hh
from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dtypes import as_dtype
from hhlo_xdsl.errors import DTypeError
from hhlo_xdsl.passes.chlo_legalize.core import LOWERINGS
from tests.chlo_programs import elementwise, legalized
from tests.harness import run

Array = np.ndarray[Any, Any]


def test_every_op_has_a_lowering():
    assert set(LOWERINGS) == set(CHLO.operations)


def test_what_is_no_module():
    with pytest.raises(hh.TraceError, match=r"legalize_chlo: got str; a module was expected"):
        hh.legalize_chlo("chlo.erf")  # pyright: ignore[reportArgumentType]


# Functions of one real number


def lgamma(x: Array) -> Array:
    return np.where(np.isneginf(x), np.inf, sp.gammaln(x))


REAL: dict[str, tuple[Callable[[Array], Array], float]] = {
    "acos": (np.arccos, 4),
    "acosh": (np.arccosh, 4),
    "asin": (np.arcsin, 4),
    "asinh": (np.arcsinh, 4),
    "atan": (np.arctan, 4),
    "atanh": (np.arctanh, 4),
    "bessel_i1e": (sp.i1e, 16),
    "cosh": (np.cosh, 4),
    "digamma": (sp.psi, 64),
    "erf": (sp.erf, 4),
    "erf_inv": (sp.erfinv, 8),
    "erfc": (sp.erfc, 512),  # scipy's own error where it is tiny
    "lgamma": (lgamma, 32),
    "sinh": (np.sinh, 4),
    "square": (np.square, 1),
    "tan": (np.tan, 4),
}
"""Op -> the right answer, and how many units in the last place ours may be away from it, or from 1 if that is more for
lgamma and digamma, which cross 0."""


def numbers(dtype: Any) -> Array:
    """Ordinary numbers of all sizes, around the joints of the formulas, and extreme ones."""
    rng = np.random.default_rng(0)
    info = ml_dtypes.finfo(dtype)
    spread = rng.choice([-1, 1], 100) * 10 ** rng.uniform(-6, 3, 100)
    unit = np.concatenate(
        [rng.uniform(-1, 1, 100), 1 - 10 ** rng.uniform(-6, -1, 20), 1 + 10 ** rng.uniform(-6, -1, 20)]
    )
    joints = np.array([-8.0, 8, -1, 1, 0.5, -0.5, 2, -2, 3, -3, -9.5, 30, -20.25, 1.4616321])
    extreme = [0.0, -0.0, np.inf, -np.inf, np.nan, info.max, info.min, info.smallest_normal, info.max / 2]
    found = np.concatenate([spread, rng.uniform(-30, 30, 100), unit, joints, np.array(extreme, float)])
    return found.astype(dtype)


def check_reals(element: str, dtype: Any) -> None:
    x = numbers(dtype)
    ops = list(REAL)
    found = run(legalized(elementwise(ops, f"tensor<{len(x)}x{element}>")), x)
    eps, least = float(ml_dtypes.finfo(dtype).eps), float(ml_dtypes.finfo(dtype).smallest_normal)
    wide = x.astype(np.float64)
    for op, y in zip(ops, found, strict=True):
        reference, ulps = REAL[op]
        with np.errstate(all="ignore"):
            expected = reference(wide)
            rounded = expected.astype(dtype).astype(np.float64)
        if op == "tan":  # XLA's tangent of large numbers is its own
            keep = ~(np.abs(wide) > 1e3)
            y, expected, rounded = y[keep], expected[keep], rounded[keep]
        floor = 1.0 if op in ("lgamma", "digamma") else 0.0
        y = y.astype(np.float64)
        same = (y == rounded) | (np.isnan(y) & np.isnan(rounded))
        with np.errstate(all="ignore"):
            close = np.abs(y - expected) <= ulps * eps * np.maximum(np.abs(expected), floor) + 2 * least
        wrong = ~(same | close)
        assert not wrong.any(), (
            op,
            element,
            wide[wrong] if op != "tan" else wide[keep][wrong],
            y[wrong],
            rounded[wrong],
        )


@pytest.mark.parametrize("element, dtype", [("f64", np.float64), ("f32", np.float32)])
def test_reals(element: str, dtype: Any):
    check_reals(element, dtype)


@pytest.mark.parametrize("element, dtype", [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_narrow_reals_are_rounded_once(element: str, dtype: Any):
    """Computed in f32: but for square, the result is the nearest number or its neighbour."""
    x = numbers(dtype)
    ops = [op for op in REAL if op not in ("square", "tan", "lgamma", "digamma")]
    found = run(legalized(elementwise(ops, f"tensor<{len(x)}x{element}>")), x)
    least = float(ml_dtypes.finfo(dtype).smallest_normal)
    for op, y in zip(ops, found, strict=True):
        with np.errstate(all="ignore"):
            expected = REAL[op][0](x.astype(np.float64)).astype(dtype).astype(np.float64)
        y = y.astype(np.float64)
        with np.errstate(all="ignore"):
            same = (y == expected) | (np.isnan(y) & np.isnan(expected)) | (np.abs(y - expected) <= least)
            close = np.abs(y - expected) <= float(ml_dtypes.finfo(dtype).eps) * np.abs(expected)
        assert (same | close).all(), (op, x[~(same | close)], y[~(same | close)])


def test_signs_of_zero():
    x = np.array([0.0, -0.0])
    odd = ["asin", "asinh", "atan", "atanh", "bessel_i1e", "erf", "erf_inv", "sinh"]
    for op, y in zip(odd, run(legalized(elementwise(odd, "tensor<2xf64>")), x), strict=True):
        assert (np.signbit(y) == [False, True]).all(), op
    (y,) = run(legalized(elementwise(["digamma"], "tensor<2xf64>")), x)
    assert (y == [-np.inf, np.inf]).all()


@pytest.mark.parametrize("element", ["f64", "f32", "f16", "bf16", "f8E5M2", "f8E4M3FN"])
def test_infinities(element: str):
    ops = {"is_inf": np.isinf, "is_pos_inf": np.isposinf, "is_neg_inf": np.isneginf}
    dtype = as_dtype(getattr(hh, element)).numpy
    with np.errstate(all="ignore"):
        x = np.array([0.0, np.inf, -np.inf, np.nan, 1.0, -3.0]).astype(dtype)
    found = run(legalized(elementwise(list(ops), f"tensor<6x{element}>", result="tensor<6xi1>")), x)
    for y, expected in zip(found, ops.values(), strict=True):
        assert (y == expected(x.astype(np.float64))).all()


# Complex numbers

COMPLEX = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "conj": np.conj,
    "cosh": np.cosh,
    "sinh": np.sinh,
    "square": np.square,
    "tan": np.tan,
}


def check_complex(ops: Sequence[str], z: Array, element: str, rtol: float, signs: bool = False) -> None:
    found = run(legalized(elementwise(ops, f"tensor<{len(z)}xcomplex<{element}>>")), z)
    for op, y in zip(ops, found, strict=True):
        with np.errstate(all="ignore"):
            expected = COMPLEX[op](z.astype(np.complex128))
        for a, b in ((y.real, expected.real), (y.imag, expected.imag)):
            np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * 1e-3, err_msg=op)
            assert not signs or (np.signbit(a) == np.signbit(b))[~np.isnan(b)].all(), op


@pytest.mark.parametrize("element, dtype, rtol", [("f64", np.complex128, 1e-13), ("f32", np.complex64, 2e-6)])
def test_complex(element: str, dtype: Any, rtol: float):
    """Both parts of the result have digits of their own, also beside the branch points and far out."""
    rng = np.random.default_rng(1)

    def normal(scale: Array | float) -> Array:
        return rng.standard_normal(60) * scale

    small = 10 ** rng.uniform(-6, 0, 60)
    near_one = rng.choice([-1, 1], 60) * (1 + normal(small * 0.1)) + 1j * normal(small)
    z = np.concatenate([normal(1) + 1j * normal(1), near_one, near_one * 1j, 1e3 * (normal(1) + 1j * normal(1))])
    z = z.astype(dtype)
    check_complex(["acos", "acosh", "asin", "asinh", "atan", "atanh", "conj", "square"], z, element, rtol)
    check_complex(["cosh", "sinh", "tan"], z[:180], element, rtol)


def test_complex_branch_cuts_and_infinities():
    """Signed zeros choose the side of a cut, as in C99."""
    v = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, np.inf, -np.inf]
    z = np.array([complex(a, b) for a in v for b in v])
    check_complex(["acos", "acosh", "asin", "asinh", "atan", "atanh"], z, "f64", 1e-14, signs=True)


def test_complex_far_out_nothing_overflows():
    z = np.array([complex(a, b) for a in (1e200, -1e-200, 3e307) for b in (1e300, -1e-300, 2.0)])
    check_complex(["acos", "acosh", "asin", "asinh"], z, "f64", 1e-14)
    (y,) = run(legalized(elementwise(["atanh"], "tensor<2xcomplex<f64>>")), np.array([1e200 + 1j, 1 + 1e200j]))
    np.testing.assert_allclose(y.real[0], 1e-200, rtol=1e-14)
    np.testing.assert_allclose(y.imag, np.pi / 2)


# Functions of two numbers


def test_zeta():
    rng = np.random.default_rng(2)
    s = np.concatenate([rng.uniform(1.01, 30, 200), [1.0, 0.5, 2, 3, 2, 3, 2.5, np.nan, 2, 50]])
    q = np.concatenate([rng.uniform(0, 40, 200), [3.0, 3.0, 0, 0, -4, -4, -1.5, 1.0, np.inf, 1e-5]])
    (y,) = run(legalized(elementwise(["zeta"], "tensor<210xf64>", 2)), s, q)
    expected = sp.zeta(s, q)
    expected[201:207] = [np.nan, np.inf, np.nan, np.inf, np.nan, np.nan]  # odd powers have two-sided poles
    np.testing.assert_allclose(y, expected, rtol=1e-12)


@pytest.mark.parametrize("op", ["zeta", "polygamma"])
@pytest.mark.parametrize("run_it", [lambda t: legalized(t), lambda t: t], ids=["legalized", "session"])
def test_far_below_zero(op: str, run_it: Callable[[str], Any]):
    """sum (q + k)^-s is a finite sum more than that from the fractional part on; XLA's own answer is off here."""
    q = np.array([-0.5, -9.25, -9.991, -20.75, -51.3])
    for s in (2.0, 3.0, 5.0):
        expected = np.array([sum((a + k) ** -s for k in range(int(np.ceil(-a)))) for a in q])
        expected += sp.zeta(s, q + np.ceil(-q))
        first = np.full(5, s if op == "zeta" else s - 1)
        if op == "polygamma":
            expected *= (-1) ** s * sp.gamma(s)
        (y,) = run(run_it(elementwise([op], "tensor<5xf64>", 2)), first, q)
        np.testing.assert_allclose(y, expected, rtol=1e-11)


def test_polygamma():
    rng = np.random.default_rng(3)
    n, x = rng.integers(0, 9, 300).astype(float), rng.uniform(0.01, 30, 300)
    (y,) = run(legalized(elementwise(["polygamma"], "tensor<300xf64>", 2)), n, x)
    np.testing.assert_allclose(y, sp.polygamma(n.astype(int), x), rtol=1e-11, atol=1e-13)
    wrong = np.array([-1.0, 0.5, np.nan])
    (y,) = run(legalized(elementwise(["polygamma"], "tensor<3xf64>", 2)), wrong, np.ones(3))
    assert np.isnan(y).all()


@pytest.mark.parametrize("element, dtype", [("f64", np.float64), ("f32", np.float32), ("f16", np.float16)])
def test_next_after(element: str, dtype: Any):
    """Bit by bit, between normal numbers: XLA on CPU takes numbers below those for 0."""
    info = np.finfo(dtype)
    v = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, info.max, -info.max, 2.0, -2.5, 1 + info.eps, 4 * info.tiny]
    x, y = (np.array(g, dtype).ravel() for g in np.meshgrid(v, v))
    (found,) = run(legalized(elementwise(["next_after"], f"tensor<{len(x)}x{element}>", 2)), x, y)
    with np.errstate(over="ignore"):
        expected = np.nextafter(x, y)
    bits = f"u{np.dtype(dtype).itemsize}"
    same = (found.view(bits) == expected.view(bits)) | (np.isnan(found) & np.isnan(expected))
    assert same.all(), (x[~same], y[~same], found[~same])


def test_next_after_of_numbers_that_are_no_sign_and_magnitude():
    text = elementwise(["next_after"], "tensor<2xf8E4M3FN>", 2)
    with pytest.raises(DTypeError, match=r"chlo.next_after: it has no form .* tensor<2xf8E4M3FN>.*needs bf16, f16"):
        hh.legalize_chlo(hh.parse(text))


@pytest.mark.parametrize("element", ["i4", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"])
def test_mulhi(element: str):
    width, signed = int(element.lstrip("ui")), not element.startswith("u")
    low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if signed else (0, 2**width - 1)
    rng = np.random.default_rng(4)
    v = [
        low,
        high,
        0,
        1,
        high - 1,
        low + 1,
        *(int(n) for n in rng.integers(low, high, 10, np.dtype(f"{'i' if signed else 'u'}8"))),
    ]
    pairs = [(a, b) for a in v for b in v]
    dtype = as_dtype(getattr(hh, element)).numpy
    a, b = (np.array([p[i] for p in pairs], "i8" if signed else "u8").astype(dtype) for i in range(2))
    (found,) = run(elementwise(["mulhi"], f"tensor<{len(pairs)}x{element}>", 2), a, b)
    assert [int(n) for n in found] == [(p * q) >> width for p, q in pairs]
