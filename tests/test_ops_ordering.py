"""Functions that put elements in order, and those that fold up to each place, against numpy and JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(5)
X = RNG.standard_normal((3, 4, 5)).astype(np.float32)
TIES = RNG.integers(0, 3, (4, 6)).astype(np.float32)
WITH_NAN = np.array([3, np.nan, -np.inf, 1, -0.0, np.nan, 0.0, np.inf, 1], np.float32)


def test_sort():
    pairs = {}
    for axis in (-1, 0, 1):
        pairs |= {
            f"sort {axis}": (lambda x, a=axis: hh.sort(x, a), lambda x, a=axis: np.sort(x, a)),
            f"descending {axis}": (
                lambda x, a=axis: hh.sort(x, a, descending=True),
                lambda x, a=axis: -np.sort(-x, a),
            ),
            f"argsort {axis}": (lambda x, a=axis: hh.argsort(x, a), lambda x, a=axis: np.argsort(x, a)),
        }
    check(pairs, X)


def test_ties_keep_their_order():
    pairs = {
        "up": (hh.argsort, lambda x: np.argsort(x, kind="stable")),
        "down": (lambda x: hh.argsort(x, descending=True), lambda x: np.argsort(-x, kind="stable")),
        "greatest": (lambda x: hh.top_k(x, 4), lambda x: [np.asarray(v) for v in jax.lax.top_k(x, 4)]),
    }
    check(pairs, TIES)


def test_nan_and_zeros():
    found = evaluate({"sort": hh.sort, "places": hh.argsort, "top": lambda x: hh.top_k(x, 4)}, WITH_NAN)
    np.testing.assert_array_equal(found["sort"], np.sort(WITH_NAN))
    np.testing.assert_array_equal(found["places"], np.argsort(WITH_NAN, kind="stable"))
    np.testing.assert_array_equal(found["top"][0], [np.nan, np.nan, np.inf, 3])
    assert found["top"][1].tolist() == [1, 5, 7, 0]


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.bool_, np.float16, ml_dtypes.bfloat16, np.complex64])
def test_types(dtype):
    x = (TIES + 1j * TIES[::-1]).astype(dtype) if dtype is np.complex64 else TIES.astype(dtype)
    check({"sort": (hh.sort, np.sort), "argsort": (hh.argsort, lambda x: np.argsort(x, kind="stable"))}, x)


def test_no_elements_and_one():
    pairs = {
        "none": (lambda x: hh.sort(x[:, :0]), lambda x: x[:, :0]),
        "no lines": (lambda x: hh.argsort(x[:0]), lambda x: np.zeros((0, 6), np.int32)),
        "one": (lambda x: hh.sort(x[:, :1]), lambda x: x[:, :1]),
        "none of them": (lambda x: hh.top_k(x, 0)[0], lambda x: x[:, :0]),
        "along the first": (lambda x: hh.top_k(x, 2, 0)[0], lambda x: -np.sort(-x, 0)[:2]),
    }
    check(pairs, TIES)


def test_searchsorted():
    values = np.array([[-1, 0, 0.5], [2, 7, np.nan]], np.float32)
    pairs = {
        f"{side} {n}": (
            lambda x, v, s=side, n=n: hh.searchsorted(x[:n], v, s),
            lambda x, v, s=side, n=n: np.searchsorted(x[:n], v, s),
        )
        for side in ("left", "right")
        for n in (0, 1, 2, 5, 8)
    }
    pairs["number"] = (lambda x, v: hh.searchsorted(x, 2), lambda x, v: np.searchsorted(x, 2))
    check(pairs, np.array([0, 0, 1, 2, 2, 2, 5, 7], np.float32), values)


CUMULATIVE = {
    "cumsum": np.cumsum,
    "cumprod": np.cumprod,
    "cummax": np.maximum.accumulate,
    "cummin": np.minimum.accumulate,
}


def test_cumulative():
    pairs = {}
    for name, theirs in CUMULATIVE.items():
        for axis in (0, 1, -1):
            pairs |= {
                f"{name} {axis}": (lambda x, n=name, a=axis: getattr(hh, n)(x, a), lambda x, f=theirs, a=axis: f(x, a)),
                f"{name} {axis} reverse": (
                    lambda x, n=name, a=axis: getattr(hh, n)(x, a, reverse=True),
                    lambda x, f=theirs, a=axis: np.flip(f(np.flip(x, a), a), a),
                ),
            }
        pairs[f"{name} of a row"] = (lambda x, n=name: getattr(hh, n)(x), lambda x, f=theirs: f(x.ravel()))
        pairs[f"{name} of none"] = (lambda x, n=name: getattr(hh, n)(x[:0], 0), lambda x: x[:0])
        pairs[f"{name} of one"] = (lambda x, n=name: getattr(hh, n)(x[:1], 0), lambda x: x[:1])
    pairs["cumlogsumexp"] = (lambda x: hh.cumlogsumexp(x, 1), lambda x: np.logaddexp.accumulate(x, 1))
    check(pairs, X, rtol=1e-5, atol=1e-5, dtypes=True)


def test_cumulative_of_the_standard():
    pairs = {
        "sum": (lambda x: hh.cumulative_sum(x, 1), lambda x: np.cumsum(x, 1)),
        "with 0": (
            lambda x: hh.cumulative_sum(x, 1, include_initial=True),
            lambda x: np.concatenate([x[:, :1] * 0, np.cumsum(x, 1)], 1),
        ),
        "with 1": (
            lambda x: hh.cumulative_prod(x[0, 0], include_initial=True),
            lambda x: np.concatenate([[1], np.cumprod(x[0, 0])]),
        ),
    }
    check(pairs, X, rtol=1e-5)


def test_types_of_sums():
    ones = np.ones(300, np.float16)
    found = evaluate(
        {
            "i8": lambda x: hh.cumsum(x.astype(hh.i8)),
            "i1": lambda x: hh.cumsum(x > 0),
            "f16": lambda x: hh.cumsum(x * 30),
            "f64": lambda x: hh.cumsum(x, dtype=hh.f64),
            "nan": lambda x: hh.cummax(hh.stack([x[0], x[0] * np.float16(np.nan), x[0]])),
        },
        ones,
    )
    assert {name: y.dtype.name for name, y in found.items()} == {
        "i8": "int32",
        "i1": "int32",
        "f16": "float16",
        "f64": "float64",
        "nan": "float16",
    }
    assert found["i8"][-1] == found["i1"][-1] == found["f64"][-1] == 300
    assert found["f16"][-1] == np.float16(9000)
    np.testing.assert_array_equal(found["nan"], [1, np.nan, np.nan])


def test_diff():
    pairs = {
        f"{n} {axis}": (lambda x, n=n, a=axis: hh.diff(x, n, a), lambda x, n=n, a=axis: np.diff(x, n, a))
        for n in (0, 1, 2, 5)
        for axis in (0, -1)
    }
    pairs["i1"] = (lambda x: hh.diff(x > 0), lambda x: np.diff(x > 0))
    check(pairs, X, atol=1e-5)


def test_gradients():
    functions = {
        "cumsum": lambda m, x: (m.cumsum(x, axis=1) ** 2).sum(),
        "cumprod": lambda m, x: (m.cumprod(x, axis=2) ** 2).sum(),
        "diff": lambda m, x: (m.diff(x, n=2) ** 2).sum(),
        "sort": lambda m, x: (m.sort(x, axis=1) ** 2 * np.arange(4)[:, None]).sum(),
    }
    pairs = {
        name: (hh.grad(lambda x, f=fn: f(hh, x)), jax.grad(lambda x, f=fn: f(jnp, x))) for name, fn in functions.items()
    }
    pairs["top_k"] = (
        hh.grad(lambda x: (hh.top_k(x, 2)[0] ** 3).sum()),
        jax.grad(lambda x: (jax.lax.top_k(x, 2)[0] ** 3).sum()),
    )
    pairs["cummax"] = (
        hh.grad(lambda x: (hh.cummax(x, 2) ** 2).sum()),
        jax.grad(lambda x: (jax.lax.cummax(x, 2) ** 2).sum()),
    )
    x = X.astype(np.float64)
    x[0, 0, :2] = 0
    check_with_jax(pairs, x, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"sort: axis is 2", lambda x: hh.sort(x, 2)),
        (hh.ShapeError, r"sort: axis is -1, but a tensor of rank 0 has none", lambda x: hh.sort(x[0, 0])),
        (hh.ShapeError, r"top_k: k is 4, x is f32\[2, 3\]; a number in 0\.\.3", lambda x: hh.top_k(x, 4)),
        (hh.ShapeError, r"top_k: shape is \(2\.5,\); integers", lambda x: hh.top_k(x, 2.5)),
        (hh.ShapeError, r"searchsorted: x is f32\[2, 3\]", lambda x: hh.searchsorted(x, 1)),
        (hh.ShapeError, r"searchsorted: .* side is 'up'", lambda x: hh.searchsorted(x[0], 1, "up")),
        (hh.ShapeError, r"cumulative_sum: x is f32\[2, 3\], axis is None", lambda x: hh.cumulative_sum(x)),
        (hh.ShapeError, r"cumsum: axis is 5", lambda x: hh.cumsum(x, 5)),
        (hh.DTypeError, r"cummax: complex<f32>\[2, 3\] has no order", lambda x: hh.cummax(x + 1j)),
        (hh.ShapeError, r"diff: n is -1", lambda x: hh.diff(x, -1)),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_ops_ordering\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
