"""`hh.stablehlo`: one strict function per op. Numbers are checked with the friendly functions; here, that each makes its op."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, Image, Kernel
from tests.evaluate import check, evaluate

S = hh.stablehlo
X = np.array([[1.5, -2.0, 0.5], [4.0, -0.25, 3.0]], np.float32)


def ops_in(fn, *types):
    """The names of the ops that `fn` makes, in order, but for constants."""
    block = next(iter(hh.trace(fn, *types).ops)).body.block
    return [
        op.name.removeprefix("stablehlo.") for op in block.ops if op.name not in ("stablehlo.constant", "func.return")
    ]


UNARY = {
    hh.f32: "abs cbrt ceil cosine exponential exponential_minus_one floor imag is_finite log log_plus_one logistic negate real"
    " round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh",
    hh.ui32: "count_leading_zeros not popcnt",
}
BINARY = {
    hh.f32: "add atan2 complex divide maximum minimum multiply power remainder subtract",
    hh.i32: "and or xor shift_left shift_right_arithmetic shift_right_logical",
}


@pytest.mark.parametrize(
    ("count", "dtype", "names"), [(n, d, s) for n, t in ((1, UNARY), (2, BINARY)) for d, s in t.items()]
)
def test_elementwise(count, dtype, names):
    for name in names.split():
        function = getattr(S, name, None) or getattr(S, f"{name}_")
        assert ops_in(function, *[dtype[2, 3]] * count) == [name]
        with pytest.raises(TypeError):
            function(*range(count + 1))


def test_values():
    pairs = {
        "constant": (lambda x: S.constant([[1, 2]], hh.i8), lambda x: np.array([[1, 2]])),
        "iota": (lambda x: S.iota(hh.i64[2, 3], 1), lambda x: np.indices((2, 3))[1]),
        "convert": (lambda x: S.convert(x, hh.i32), lambda x: x.astype(np.int32)),
        "bitcast_convert": (lambda x: S.bitcast_convert(x, hh.ui32), lambda x: x.view(np.uint32)),
        "reduce_precision": (
            lambda x: S.reduce_precision(x, 8, 7),
            lambda x: x.astype(ml_dtypes.bfloat16).astype(np.float32),
        ),
        "compare": (lambda x: S.compare(x, x[::-1], "LT"), lambda x: x < x[::-1]),
        "select": (lambda x: S.select(x > 0, x, -x), np.abs),
        "clamp": (lambda x: S.clamp(np.float32(-1), x, np.float32(2)), lambda x: x.clip(-1, 2)),
        "reshape": (lambda x: S.reshape(x, (3, 2)), lambda x: x.reshape(3, 2)),
        "transpose": (lambda x: S.transpose(x, [1, 0]), lambda x: x.T),
        "broadcast_in_dim": (lambda x: S.broadcast_in_dim(x, [2, 4, 3], [0, 2]), lambda x: np.stack([x] * 4, 1)),
        "reverse": (lambda x: S.reverse(x, [1]), lambda x: x[:, ::-1]),
        "concatenate": (lambda x: S.concatenate([x, x], 1), lambda x: np.concatenate([x, x], 1)),
        "pad": (
            lambda x: S.pad(x, np.float32(7), [1, 0], [0, 2], [0, 0]),
            lambda x: np.pad(x, [(1, 0), (0, 2)], constant_values=7),
        ),
        "slice": (lambda x: S.slice(x, [0, 0], [2, 3], [1, 2]), lambda x: x[:, ::2]),
        "reduce": (lambda x: S.reduce([x], [np.float32(0)], [1], S.add), lambda x: [x.sum(1)]),
    }
    check(pairs, X)


def test_total_order():
    x = np.array([np.nan, -0.0, 1.0], np.float32)
    found = evaluate({"f": lambda x: S.compare(x, np.array([np.inf, 0, 1], np.float32), "GE", "TOTALORDER")}, x)
    assert found["f"].tolist() == [True, False, True]


def test_dot_general():
    batched = {"lhs_batching_dimensions": [0], "rhs_batching_dimensions": [0]}
    pairs = {
        "matrix": (
            lambda x: S.dot_general(
                x, x, lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[1], precision_config=["HIGHEST"] * 2
            ),
            lambda x: x @ x.T,
        ),
        "batch": (lambda x: S.dot_general(x, x, **batched), lambda x: np.einsum("bi,bj->bij", x, x)),
    }
    check(pairs, X)
    product = hh.trace(lambda x: S.dot_general(x, x, **batched, dtype=hh.f32), hh.bf16[2, 3])
    assert "-> tensor<2x3x3xf32>" in hh.to_text(product)


def test_convolution():
    image, kernel = X.reshape(1, 2, 3, 1), np.ones((2, 2, 1, 1), np.float32)
    numbers = ConvNumbers(Image(0, 3, (1, 2)), Kernel(2, 3, (0, 1)), Image(0, 3, (1, 2)))
    options = {
        "window_strides": [1, 2],
        "padding": [(0, 1), (1, 0)],
        "rhs_dilation": [1, 1],
        "window_reversal": [True, False],
    }

    def text(x, k):
        return S.convolution(x, k, dimension_numbers="[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", **options)

    def record(x, k):
        return S.convolution(x, k, dimension_numbers=numbers, **options)

    def friendly(x, k):
        return hh.conv(x, k, strides=(1, 2), padding=options["padding"])

    found = evaluate({"text": text, "record": record, "friendly": friendly}, image, kernel)
    np.testing.assert_array_equal(found["text"], found["friendly"])
    np.testing.assert_array_equal(found["record"], found["friendly"])


def test_regions():
    def largest_with_place(a, i, b, j):
        return hh.where(a >= b, a, b), hh.where(a >= b, i, j)

    init = np.float32(-np.inf), np.int32(0)
    pairs = {
        "two inputs": (
            lambda x: S.reduce([x, S.iota(hh.i32[2, 3], 1)], init, [1], largest_with_place),
            lambda x: [x.max(1), x.argmax(1)],
        ),
        "window": (
            lambda x: S.reduce_window(
                [x], [np.float32(0)], [1, 2], S.add, window_strides=[1, 1], padding=[(0, 0), (1, 0)]
            ),
            lambda x: [x + np.pad(x, [(0, 0), (1, 0)])[:, :3]],
        ),
        "scatter": (
            lambda x: S.select_and_scatter(
                x, np.ones((2, 1), np.float32), np.float32(0), lambda a, b: a >= b, S.add, window_dimensions=[1, 3]
            ),
            lambda x: (x == x.max(1, keepdims=True)).astype(np.float32),
        ),
    }
    check(pairs, X)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"stablehlo.add: lhs is tensor<2x3xf32>, rhs is tensor<3xf32>", lambda x: S.add(x, x[0])),
        (hh.DTypeError, r"stablehlo.add: lhs is tensor<f32>, rhs is tensor<i32>", lambda x: S.add(x[0, 0], 1)),
        (
            hh.VerifyError,
            r"stablehlo.compare: found 'lt'; one of 'EQ', .* was expected",
            lambda x: S.compare(x, x, "lt"),
        ),
        (
            hh.VerifyError,
            r"stablehlo.convolution: dimension_numbers are 'NHWC' \(.*\); a text such as",
            lambda x: S.convolution(x, x, dimension_numbers="NHWC"),
        ),
        (
            hh.VerifyError,
            r"stablehlo.dot_general: found 'BEST'",
            lambda x: S.dot_general(x, x, precision_config=["BEST"]),
        ),
        (
            hh.ShapeError,
            r"stablehlo.reduce: there are 1 inputs and 0 init_values",
            lambda x: S.reduce([x], [], [0], S.add),
        ),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_stablehlo_functions\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
