"""Further functions of elements and of shapes, against numpy and scipy's functions in JAX."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

X = np.array([[-0.9, -0.3, 0.0], [0.25, 0.5, 0.99]], np.float32)
ODD = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 2.5, -2.5], np.float32)


def test_of_one():
    names = {"acos": "arccos", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh"}
    names |= {n: n for n in ("cosh", "sinh", "exp2")}
    pairs = {ours: (getattr(hh, ours), getattr(np, theirs)) for ours, theirs in names.items()}
    pairs["acosh"] = (lambda x: hh.acosh(x + 2), lambda x: np.arccosh(x + 2))
    pairs["of integers"] = (lambda x: hh.atan(hh.arange(3)), lambda x: np.arctan(np.arange(3, dtype=np.float32)))
    check(pairs, X, rtol=1e-5)
    special = jax.scipy.special
    pairs = {
        n: (getattr(hh, n), getattr(special, m)) for n, m in (("erf", "erf"), ("erfc", "erfc"), ("erf_inv", "erfinv"))
    }
    pairs |= {
        "lgamma": (hh.lgamma, special.gammaln),
        "digamma": (lambda x: hh.digamma(x + 2), lambda x: special.digamma(x + 2)),
    }
    check_with_jax(pairs, X.astype(np.float64), rtol=1e-9)


SMOOTH = {
    **{name: (getattr(hh, name), getattr(jax.numpy, name)) for name in ("acos", "asin", "asinh", "atan", "atanh")},
    **{name: (getattr(hh, name), getattr(jax.numpy, name)) for name in ("cosh", "sinh")},
    **{name: (getattr(hh, name), getattr(jax.scipy.special, name)) for name in ("erf", "erfc")},
    "erf_inv": (hh.erf_inv, jax.scipy.special.erfinv),
    "acosh": (lambda x: hh.acosh(x + 2), lambda x: jax.numpy.acosh(x + 2)),
    "lgamma": (lambda x: hh.lgamma(x + 2), lambda x: jax.scipy.special.gammaln(x + 2)),
    "digamma": (lambda x: hh.digamma(x + 2), lambda x: jax.scipy.special.digamma(x + 2)),
}


def test_gradients():
    """First and second derivatives, and forward mode."""

    def first(grad, fn):
        return grad(lambda x: (fn(x) ** 2).sum())

    def second(grad, fn):
        return grad(lambda x: (first(grad, fn)(x) ** 2).sum())

    def forward(jvp, fn):
        return lambda x: jvp(fn, (x,), (x * x,))[1]

    pairs = {f"{n}, first": (first(hh.grad, f), first(jax.grad, g)) for n, (f, g) in SMOOTH.items()}
    pairs |= {f"{n}, forward": (forward(hh.jvp, f), forward(jax.jvp, g)) for n, (f, g) in SMOOTH.items()}
    pairs |= {f"{n}, second": (second(hh.grad, f), second(jax.grad, g)) for n, (f, g) in SMOOTH.items()}
    check_with_jax(pairs, X.astype(np.float64) * 0.97, rtol=1e-8, atol=1e-9)


def test_odd_numbers():
    pairs = {
        "signbit": (hh.signbit, np.signbit),
        "nan_to_num": (hh.nan_to_num, np.nan_to_num),
        "nan_to_num of one's own": (
            lambda x: hh.nan_to_num(x, 1, 2, 3),
            lambda x: np.nan_to_num(x, nan=1, posinf=2, neginf=3),
        ),
        "copysign": (lambda x: hh.copysign(3.0, x), lambda x: np.copysign(np.float32(3), x)),
        "copysign of odd ones": (lambda x: hh.copysign(x, x[::-1]), lambda x: np.copysign(x, x[::-1])),
        "hypot": (lambda x: hh.hypot(x, 2.0), lambda x: np.hypot(x, np.float32(2))),
        "isclose": (lambda x: hh.isclose(x, x + 1e-9), lambda x: np.isclose(x, x)),
        "isclose with nan": (lambda x: hh.isclose(x, x, equal_nan=True), lambda x: np.isclose(x, x, equal_nan=True)),
        "isclose apart": (lambda x: hh.isclose(x, x[::-1], rtol=2), lambda x: np.isclose(x, x[::-1], rtol=2)),
        "signbit of integers": (lambda x: hh.signbit(hh.asarray([-1, 0])), lambda x: np.array([True, False])),
        "large": (lambda x: hh.hypot(np.float32(3e38), np.float32(1)), lambda x: np.float32(3e38)),
        "small type": (lambda x: hh.hypot(np.float16(300), np.float16(400)), lambda x: np.float16(500)),
        "count": (lambda x: hh.count_nonzero(x), lambda x: np.count_nonzero(x)),
    }
    check(pairs, ODD)


def test_spaces():
    found = evaluate(
        {
            "plain": lambda: hh.linspace(-1, 2, 7),
            "open": lambda: hh.linspace(0, 1, 4, endpoint=False),
            "one": lambda: hh.linspace(3, 5, 1),
            "none": lambda: hh.linspace(3, 5, 0),
            "last": lambda: hh.linspace(0.1, 0.7, 12)[-1],
            "integers": lambda: hh.linspace(0, 6, 4, dtype=hh.i32),
            "complex": lambda: hh.linspace(0, 1j, 3),
            "f16": lambda: hh.linspace(np.float16(0), np.float16(2000), 2001),
        }
    )
    expected = {
        "plain": np.linspace(-1, 2, 7),
        "open": np.linspace(0, 1, 4, endpoint=False),
        "one": [3],
        "none": np.zeros(0),
        "last": np.float32(0.7),
        "integers": [0, 2, 4, 6],
        "complex": [0, 0.5j, 1j],
        "f16": np.linspace(0, 2000, 2001).astype(np.float16),
    }
    for name, y in expected.items():
        np.testing.assert_allclose(found[name], y, rtol=1e-6, atol=1e-7, err_msg=name)
    assert found["last"] == np.float32(0.7)
    assert found["plain"].dtype == np.float32


def test_grids():
    x, y, z = np.arange(3), np.arange(2) * 10, np.float32(5)
    for indexing in ("xy", "ij"):
        found = evaluate({"g": lambda x, y, z, i=indexing: hh.meshgrid(x, y, z, indexing=i)}, x, y, z)["g"]
        for ours, theirs in zip(found, np.meshgrid(x, y, z, indexing=indexing), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    found = evaluate({"one": lambda x: hh.meshgrid(x)}, x)["one"]
    np.testing.assert_array_equal(found[0], x)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.DTypeError, r"signbit: complex<f32>\[3\] has no order", lambda x: hh.signbit(x + 1j)),
        (hh.DTypeError, r"hypot: complex<f32>\[3\] has no order", lambda x: hh.hypot(x, 1j)),
        (hh.ShapeError, r"linspace: from f32\[3\] to f32\[\]; scalars", lambda x: hh.linspace(x, 1.0)),
        (hh.ShapeError, r"linspace: shape is \(-1,\)", lambda x: hh.linspace(0, 1, -1)),
        (hh.ShapeError, r"meshgrid: indexing is 'xz'", lambda x: hh.meshgrid(x, indexing="xz")),
        (hh.ShapeError, r"meshgrid: .* f32\[1, 3\]; vectors", lambda x: hh.meshgrid(x[None])),
        (hh.ShapeError, r"repeat: shape is \(-1,\)", lambda x: hh.repeat(x, -1)),
        (hh.ShapeError, r"swapaxes: axis is 1", lambda x: hh.swapaxes(x, 0, 1)),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_ops_more\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[3])
