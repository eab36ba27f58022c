"""Functions of creation, unary, binary and compare, against numpy."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, evaluate

SPECIAL = np.array([0.0, -0.0, 0.5, -0.5, 1.0, -1.5, 2.5, 1e30, -3.0, np.inf, -np.inf, np.nan], np.float32)
POSITIVE = np.array([1e-6, 0.3, 1.0, 2.5, 100.0], np.float32)
SMALL = np.array([-1.2, -1e-6, 0.0, 0.3, 1.1], np.float32)
INTS = np.array([-9, -1, 0, 3, 8], np.int32)
BYTES = np.array([0, 1, 200, 255], np.uint8)
COMPLEX = np.array([1 + 2j, -0.5j, -3.0, 0.25 - 1j], np.complex64)


def same(*names):
    return {name: (getattr(hh, name), getattr(np, name)) for name in names}


ROUNDED = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.round}


def test_functions_between_integers():
    check(same("exp", "log", "log1p", "log2", "log10", "sqrt", "cbrt", "square", "tanh"), POSITIVE, rtol=1e-5)
    check(same("exp", "expm1", "sin", "cos", "tan", "tanh", "square", "cbrt"), SMALL, rtol=1e-5)
    pairs = {
        "rsqrt": (hh.rsqrt, lambda x: 1 / np.sqrt(x)),
        "reciprocal": (hh.reciprocal, np.reciprocal),
        "sigmoid": (hh.sigmoid, lambda x: 1 / (1 + np.exp(-x))),
        "logistic": (hh.logistic, lambda x: 1 / (1 + np.exp(-x))),
    }
    check(pairs, POSITIVE, rtol=1e-5)


def test_functions_at_special_values():
    names = (
        "exp",
        "expm1",
        "log",
        "log1p",
        "sqrt",
        "tanh",
        "sin",
        "cos",
        "square",
        "sign",
        "abs",
        "isfinite",
        "isnan",
        "isinf",
    )
    check(same(*names), SPECIAL, rtol=1e-5)


def test_rounding_keeps_signs_of_zero_and_nan():
    check({name: (getattr(hh, name), fn) for name, fn in ROUNDED.items()}, SPECIAL, dtypes=True)
    negative = np.array([-0.3, -0.0], np.float32)
    found = evaluate({name: getattr(hh, name) for name in ("trunc", "ceil", "round")}, negative)
    assert all(np.signbit(values).all() for values in found.values())


def test_rounding_leaves_integers_alone():
    check({name: (getattr(hh, name), lambda x: x) for name in ROUNDED}, INTS, dtypes=True)
    check({name: (getattr(hh, name), lambda x: x) for name in ROUNDED}, np.array([True, False]), dtypes=True)


def test_integers_become_f32_where_the_function_needs_it():
    names = ("exp", "sin", "cos", "sqrt", "log1p")
    pairs = {name: (getattr(hh, name), lambda x, n=name: getattr(np, n)(x.astype(np.float32))) for name in names}
    for x in (np.array([0, 1, 3], np.int64), np.array([0, 1, 200], np.uint8), np.array([True, False])):
        check(pairs, x, rtol=1e-5, dtypes=True)


def test_integers():
    check(same("abs", "sign", "negative", "positive", "square", "isfinite", "isnan", "isinf"), INTS, dtypes=True)
    check(same("abs", "sign", "negative", "square", "logical_not", "bitwise_invert"), BYTES, dtypes=True)
    check({"abs": (hh.abs, np.abs), "not": (hh.logical_not, np.logical_not)}, np.array([True, False]), dtypes=True)


def test_complex_numbers():
    check(same("exp", "log", "sqrt", "sin", "cos", "tanh", "abs", "real", "imag", "conj", "square"), COMPLEX, rtol=1e-4)
    check({"sign": (hh.sign, lambda z: z / np.abs(z))}, COMPLEX)
    check(same("isfinite", "isnan", "isinf"), np.array([complex(np.inf, 1), complex(1, np.nan), 1j], np.complex64))
    check(same("real", "imag", "conj"), POSITIVE, dtypes=True)


def test_narrow_floats_stay_narrow():
    check(same("exp", "sqrt", "floor", "abs"), POSITIVE[:4].astype(np.float16), rtol=2e-3, dtypes=True)


def test_two_operands():
    a, b = SPECIAL[:, None], SPECIAL
    names = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmod", "equal", "not_equal")
    order = ("less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor")
    check(same(*names, *order), a, b)
    check({"atan2": (hh.atan2, np.arctan2), "pow": (hh.pow, np.power)}, a, b, rtol=1e-5)
    check(same("logaddexp"), a[:8], b[:8], rtol=1e-5)
    check(same("logaddexp"), np.float32(-np.inf), np.array([-np.inf, np.inf, 2], np.float32))


def test_derivatives_of_logaddexp():
    def ours(a, b):
        return hh.sum(hh.logaddexp(a, b))

    def theirs(a, b):
        return jnp.sum(jnp.logaddexp(a, b))

    a, b = np.array([1.0, 1.0, -3.0, 90.0], np.float32), np.array([1.0, 2.5, -3.0, 1.0], np.float32)
    pairs = {str(n): (hh.grad(ours, n), jax.grad(theirs, n)) for n in (0, 1)}
    pairs["second"] = (
        hh.grad(lambda a, b: hh.sum(hh.grad(ours)(a, b))),
        jax.grad(lambda a, b: jnp.sum(jax.grad(theirs)(a, b))),
    )
    check(pairs, a, b)
    infinite = np.array([-np.inf, np.inf], np.float32)
    assert not np.isnan(evaluate({"grad": hh.grad(ours)}, infinite, infinite)["grad"]).any()


def test_quotients_round_down():
    a = np.array([7.0, -7.0, 0.0, -0.0, 1.0, 6.5, np.inf, np.nan, 1e8], np.float32)[:, None]
    b = np.array([2.0, -2.0, 0.1, -0.3, np.inf, -np.inf, 0.0], np.float32)
    check(same("floor_divide"), a, b)
    check(same("remainder"), a, b, atol=1e-5)
    for dtype in (np.int8, np.int64):
        check(
            same("floor_divide", "remainder", "fmod"), np.arange(-9, 10, dtype=dtype)[:, None], np.array([3, -4], dtype)
        )
    check(same("floor_divide", "remainder"), BYTES[:, None], np.array([7, 200], np.uint8), dtypes=True)


def test_bits():
    names = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift")
    check(same(*names), INTS[:, None], np.array([1, 3], np.int32), dtypes=True)
    check(same(*names), BYTES[:, None], np.array([1, 3], np.uint8), dtypes=True)
    check(same(*names[:3]), np.array([True, False]), np.array([[True], [False]]), dtypes=True)


def test_where_and_clip():
    x, mask = SPECIAL.reshape(3, 4), np.array([[True], [False], [True]])
    low = np.array([-1, 0, 0.25, -2], np.float32)
    pairs = {
        "where": (lambda x, m, low: hh.where(m, x, low), lambda x, m, low: np.where(m, x, low)),
        "where scalars": (lambda x, m, low: hh.where(m, 1.0, 0), lambda x, m, low: np.where(m, 1.0, 0)),
        "where scalar condition": (lambda x, m, low: hh.where(m[0, 0], x, 7), lambda x, m, low: x),
        "clip": (lambda x, m, low: hh.clip(x, -0.75, 2), lambda x, m, low: np.clip(x, -0.75, 2)),
        "clip arrays": (lambda x, m, low: hh.clip(x, low, 2), lambda x, m, low: np.clip(x, low, 2)),
        "clip below": (lambda x, m, low: hh.clip(x, low), lambda x, m, low: np.maximum(x, low)),
        "clip above": (lambda x, m, low: hh.clip(x, max=1), lambda x, m, low: np.minimum(x, 1)),
        "clip not": (lambda x, m, low: hh.clip(x), lambda x, m, low: x),
    }
    check(pairs, x, mask, low)


def test_creation():
    x = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
    pairs = {
        "zeros": (lambda x: hh.zeros((2, 3)), lambda x: np.zeros((2, 3), np.float32)),
        "ones": (lambda x: hh.ones(4, hh.i8), lambda x: np.ones(4, np.int8)),
        "full": (lambda x: hh.full((), 2), lambda x: np.int32(2)),
        "full of a tensor": (lambda x: hh.full((2, 2), x[1, 2, 3]), lambda x: np.full((2, 2), 23.0)),
        "zeros_like": (hh.zeros_like, np.zeros_like),
        "ones_like": (lambda x: hh.ones_like(x, hh.i1), lambda x: np.ones_like(x, bool)),
        "full_like": (lambda x: hh.full_like(x, 7), lambda x: np.full_like(x, 7)),
        "iota": (lambda x: hh.iota((2, 3), 1, hh.i64), lambda x: np.indices((2, 3))[1]),
        "iota from the end": (
            lambda x: hh.iota((2, 3), -2, hh.f16),
            lambda x: np.indices((2, 3))[0].astype(np.float16),
        ),
        "eye": (lambda x: hh.eye(3, 4, -1), lambda x: np.eye(3, 4, -1, np.float32)),
        "tril": (lambda x: hh.tril(x, 1), lambda x: np.tril(x, 1)),
        "triu": (lambda x: hh.triu(x, -1), lambda x: np.triu(x, -1)),
    }
    check(pairs, x, dtypes=True)


ARANGES = [
    (5,),
    (2, 7),
    (7, 2),
    (0, 10, 3),
    (10, 0, -4),
    (0.0, 1.0, 0.25),
    (3, 4.5),
    (1.5, -2.0, -0.5),
    (0,),
    (-(2**31), 0, 2**30),
]


def test_arange():
    def expected(args):
        return np.arange(*args, dtype=np.float32 if any(isinstance(n, float) for n in args) else np.int32)

    check({str(a): (lambda a=a: hh.arange(*a), lambda a=a: expected(a)) for a in ARANGES}, dtypes=True)
    pairs = {
        "bf16 counts beyond 256": (lambda: hh.arange(300, dtype=hh.bf16), lambda: np.arange(300)),
        "i8 counts through 0": (lambda: hh.arange(-100, 100, dtype=hh.i8), lambda: np.arange(-100, 100, dtype=np.int8)),
        "numpy numbers": (lambda: hh.arange(np.int64(3)), lambda: np.arange(3)),
    }
    check(pairs, rtol=4e-3)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"full: shape is \(2, -1\); integers >= 0 were expected", lambda x: hh.full((2, -1), 0)),
        (hh.DTypeError, r"300 does not fit i8", lambda x: hh.full(2, 300, hh.i8)),
        (hh.ShapeError, r"iota: axis is 2; an integer in -2..1 was expected, for rank 2", lambda x: hh.iota((2, 3), 2)),
        (hh.ShapeError, r"iota: axis is 0, but a tensor of rank 0 has none", lambda x: hh.iota((), 0)),
        (hh.ShapeError, r"arange: step is 0", lambda x: hh.arange(0, 3, 0)),
        (hh.DTypeError, r"arange: 0.5 is not an integer, and dtype is i32", lambda x: hh.arange(0, 3, 0.5, hh.i32)),
        (hh.DTypeError, r"300 does not fit i8", lambda x: hh.arange(301, dtype=hh.i8)),
        (hh.DTypeError, r"arange: found Tensor\(f32\[3\]\); a real number", lambda x: hh.arange(x)),
        (hh.ShapeError, r"tril: x is f32\[3\]; at least 2 dimensions were expected", lambda x: hh.tril(x)),
        (
            hh.DTypeError,
            r"where: condition is f32\[3\]; i1 was expected; compare it with 0",
            lambda x: hh.where(x, x, x),
        ),
        (hh.ShapeError, r"where: shapes \[3\] and \[2\] and \[\] do not", lambda x: hh.where(x > 0, np.ones(2), 0)),
        (hh.ShapeError, r"clip: shapes \[3\] and \[2\] and \[\] do not", lambda x: hh.clip(x, np.zeros(2), 1)),
        (hh.ShapeError, r"divide: shapes \[3\] and \[2\] do not", lambda x: hh.divide(x, np.ones(2, np.float32))),
        (hh.DTypeError, r"floor_divide: complex<f32>\[3\] has no order", lambda x: x // 1j),
        (hh.DTypeError, r"stablehlo.and: lhs is tensor<3xf32>", lambda x: hh.bitwise_and(x, x)),
        (hh.DTypeError, r"stablehlo.shift_left: lhs is tensor<3xf32>", lambda x: x << x),
        (hh.DTypeError, r"stablehlo.negate: operand is tensor<3xi1>", lambda x: -(x > 0)),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_ops_elementwise\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[3])
