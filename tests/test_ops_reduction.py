"""Functions that fold elements, against numpy; windows against jax.lax."""

from __future__ import annotations

import jax
import ml_dtypes
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(7)
FLOATS = RNG.standard_normal((3, 4, 5)).astype(np.float32)
AXES = [None, 0, -1, (0, 2), (-1, 1), (0, 1, 2), ()]


def over_axes(*names, axes=AXES, **options):
    """Each function over each axis, with and without the dimension kept."""
    return {
        f"{name} {axis} {keep}": (
            lambda x, n=name, a=axis, k=keep: getattr(hh, n)(x, a, keepdims=k),
            lambda x, n=name, a=axis, k=keep: getattr(np, n)(x, axis=a, keepdims=k, **options),
        )
        for name in names
        for axis in axes
        for keep in (False, True)
    }


def test_floats():
    check(over_axes("sum", "prod", "max", "min", "mean", "var", "std"), FLOATS, rtol=1e-5, atol=1e-5, dtypes=True)


def test_truth():
    check(over_axes("any", "all"), FLOATS > 0.5, dtypes=True)
    check(over_axes("any", "all"), (FLOATS > 0.5).astype(np.int8), dtypes=True)


def test_places():
    ties = RNG.integers(0, 3, (3, 4, 5)).astype(np.float32)
    with_nan = ties.copy()
    with_nan[1, 2, 3] = with_nan[0, 0, 4] = np.nan
    for x in (ties, with_nan, ties.astype(np.int32), ties > 0):
        check(over_axes("argmax", "argmin", axes=[None, 0, 1, -1]), x)
    assert evaluate({"argmax": hh.argmax}, ties)["argmax"].dtype == np.int32


def test_extremes_of_integers():
    for dtype in (np.int8, np.uint8, np.int64, np.bool_):
        x = RNG.integers(0, 200, (3, 4)).astype(dtype)
        check(over_axes("max", "min", axes=[None, 0]), x, dtypes=True)


def test_extremes_with_nan_and_infinities():
    x = np.array([[1, np.nan, -np.inf], [-np.inf, -np.inf, np.inf]], np.float32)
    check(over_axes("max", "min", axes=[None, 0, 1]), x)


@pytest.mark.parametrize("name", ["sum", "prod"])
@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        *(("bool", "int32"), ("int8", "int32"), ("int16", "int32"), ("int32", "int32"), ("int64", "int64")),
        *(("uint8", "uint32"), ("uint64", "uint64"), ("float16", "float16"), ("float64", "float64")),
        ("complex64", "complex64"),
    ],
)
def test_types_of_sums(name, dtype, expected):
    """As in JAX without 64 bits; 64-bit types stay what they are."""
    found = evaluate({name: getattr(hh, name)}, np.ones(3, dtype))[name]
    assert found.dtype == expected
    assert found == (3 if name == "sum" else 1)


def test_sums_in_a_given_type():
    x = np.full(300, 1.5, np.float16)
    found = evaluate(
        {"f32": lambda x: hh.sum(x, dtype=hh.f32), "i8": lambda x: hh.prod(x[:3].astype(hh.i8), dtype=hh.i8)}, x
    )
    assert found["f32"].dtype == np.float32
    assert found["f32"] == 450
    assert found["i8"].dtype == np.int8


def test_narrow_floats_are_added_up_in_f32():
    """In bf16 itself, 256 + 1 is 256."""
    x = np.ones(1000, ml_dtypes.bfloat16)
    found = evaluate({"sum": hh.sum, "mean": hh.mean, "var": hh.var}, x)
    assert [float(found[name]) for name in ("sum", "mean", "var")] == [1000, 1, 0]
    assert all(y.dtype == ml_dtypes.bfloat16 for y in found.values())


def test_integers_become_f32_in_means():
    x = RNG.integers(-9, 9, (3, 4)).astype(np.int32)
    found = evaluate({"mean": hh.mean, "var": hh.var, "std": hh.std}, x)
    for name, y in found.items():
        assert y.dtype == np.float32
        np.testing.assert_allclose(y, getattr(np, name)(x), rtol=1e-6)


def test_variance():
    z = (FLOATS + 1j * FLOATS[::-1]).astype(np.complex64)
    pairs = {
        "correction": (lambda x, z: hh.var(x, 1, correction=1), lambda x, z: np.var(x, 1, ddof=1)),
        "std with correction": (lambda x, z: hh.std(x, correction=1), lambda x, z: np.std(x, ddof=1)),
        "complex": (lambda x, z: hh.var(z, (0, 2)), lambda x, z: np.var(z, (0, 2))),
        "complex mean": (lambda x, z: hh.mean(z), lambda x, z: np.mean(z)),
    }
    check(pairs, FLOATS, z, rtol=1e-5, dtypes=True)


def test_no_elements():
    x = np.zeros((0, 3), np.float32)
    pairs = {
        name: (lambda x, n=name: getattr(hh, n)(x, 0), lambda x, n=name: getattr(np, n)(x, 0))
        for name in ("sum", "prod", "any", "all")
    }
    check(pairs | {"max": (lambda x: hh.max(x, 1), lambda x: np.max(x, 1))}, x)
    assert np.isnan(evaluate({"mean": hh.mean}, x)["mean"])


WINDOWS = {
    "plain": {"window": (1, 2, 3)},
    "strides": {"window": (1, 3, 2), "strides": (1, 2, 1)},
    "same": {"window": (2, 3, 3), "strides": (1, 2, 3), "padding": "SAME"},
    "pairs": {"window": (1, 2, 2), "padding": [(0, 0), (1, 2), (-1, 0)]},
    "window dilation": {"window": (1, 2, 2), "window_dilation": (1, 2, 3)},
    "base dilation": {"window": (1, 2, 2), "base_dilation": (1, 3, 2), "strides": 2},
}
FOLDS = {"add": (0.0, hh.add, jax.lax.add), "max": (-np.inf, hh.maximum, jax.lax.max)}


def test_windows():
    def theirs(x, window, init, fn, strides=1, padding="VALID", base_dilation=(1, 1, 1), window_dilation=(1, 1, 1)):
        steps = (strides,) * 3 if isinstance(strides, int) else strides
        options = {"base_dilation": base_dilation, "window_dilation": window_dilation}
        return jax.lax.reduce_window(x, np.float32(init), fn, window, steps, padding, **options)

    pairs = {
        f"{fold} {name}": (
            lambda x, i=init, f=ours, o=options: hh.reduce_window(x, i, f, **o),
            lambda x, i=init, f=fn, o=options: theirs(x, init=i, fn=f, **o),
        )
        for name, options in WINDOWS.items()
        for fold, (init, ours, fn) in FOLDS.items()
    }
    check_with_jax(pairs, FLOATS)


def test_windows_with_a_function_of_ones_own():
    found = evaluate(
        {"f": lambda x: hh.reduce_window(x, 1, lambda a, b: a * b, (2,))}, np.arange(1, 5, dtype=np.float32)
    )
    assert found["f"].tolist() == [2, 6, 12]


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"sum: axis is 2; an integer in -2..1 was expected, for rank 2", lambda x: hh.sum(x, 2)),
        (hh.ShapeError, r"mean: axis is \(0, -2\); each axis may be named once", lambda x: hh.mean(x, (0, -2))),
        (hh.ShapeError, r"sum: axis is True; an integer", lambda x: x.sum(True)),
        (hh.ShapeError, r"max: x is f32\[0, 3\]; elements along axis \[0\] were expected", lambda x: hh.max(x[:0], 0)),
        (hh.ShapeError, r"argmin: x is f32\[0\]; elements along axis \[0\] were expected", lambda x: hh.argmin(x[:0])),
        (
            hh.DTypeError,
            r"min: complex<f32>\[2, 3\] has no order; real numbers were expected",
            lambda x: hh.min(x + 1j),
        ),
        (
            hh.ShapeError,
            r"reduce_window: window is \[2\]; one integer or 2 were",
            lambda x: hh.reduce_window(x, 0, hh.add, (2,)),
        ),
        (
            hh.ShapeError,
            r"reduce_window: padding is 'same'; .SAME., .VALID. or 2 pairs",
            lambda x: hh.reduce_window(x, 0, hh.add, (2, 2), padding="same"),
        ),
        (
            hh.ShapeError,
            r"reduce_window: strides is \[0, 1\]; each must be at least 1",
            lambda x: hh.reduce_window(x, 0, hh.add, (2, 2), strides=(0, 1)),
        ),
        (
            hh.ShapeError,
            r'reduce_window: padding "SAME" has no meaning beside base dilation 2',
            lambda x: hh.reduce_window(x, 0, hh.add, (2, 2), base_dilation=2, padding="SAME"),
        ),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_ops_reduction\.py:\d+ in (<lambda>|test_errors)$"):
        hh.trace(fn, hh.f32[2, 3])


def test_functions_that_use_outer_tensors_are_refused():
    f = hh.jit(lambda x: hh.reduce_window(x, 0, lambda a, b: a + b * x[0, 0], (2, 2)))
    with pytest.raises(hh.CompileError, match=r"reduce_window: .* reads a value of type tensor<4x5xf32> from outside"):
        f(FLOATS[0])
