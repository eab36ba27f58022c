"""`Tensor`: operators, constants, indexing, and the errors of what cannot be."""

from __future__ import annotations

import inspect
import operator
import re

import ml_dtypes
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, evaluate

FLOATS = np.array([[1.5, -2.0, 0.5], [4.0, -0.25, 3.0]], np.float32)
INTS = np.array([[7, -7, 5], [-6, 4, 9]], np.int32)
BITS = np.array([[True, False, True], [False, False, True]])

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod]
ORDER = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
BITWISE = [operator.and_, operator.or_, operator.xor]
SHIFTS = [operator.lshift, operator.rshift]


def both_ways(functions, left, right):
    """Each function of tensors, then with the array on the left and on the right of a tensor, then with a number."""
    number = right.ravel()[0].item()
    pairs = {}
    for f in functions:
        pairs |= {
            f"{f.__name__}(t, t)": (f, f),
            f"{f.__name__}(array, t)": (lambda a, b, f=f: f(left, b), f),
            f"{f.__name__}(t, array)": (lambda a, b, f=f: f(a, right), f),
            f"{f.__name__}(t, number)": (lambda a, b, f=f: f(a, number), lambda a, b, f=f: f(a, a.dtype.type(number))),
            f"{f.__name__}(number, t)": (lambda a, b, f=f: f(number, b), lambda a, b, f=f: f(b.dtype.type(number), b)),
        }
    return pairs


def test_operators_on_floats():
    right = np.array([2.0, -0.75, 1.25], np.float32)
    check(both_ways([*ARITHMETIC, *ORDER], FLOATS, right), FLOATS, right, dtypes=True)


def test_power():
    base, exponent = np.abs(FLOATS), np.array([2.0, -0.5, 3.0], np.float32)
    check(both_ways([operator.pow], base, exponent), base, exponent, dtypes=True)


def test_operators_on_integers():
    right = np.array([3, -2, 4], np.int32)
    functions = [f for f in ARITHMETIC if f is not operator.truediv]
    check(both_ways([*functions, *ORDER, *BITWISE], INTS, right), INTS, right, dtypes=True)
    check(both_ways(SHIFTS, INTS, np.abs(right)), INTS, np.abs(right), dtypes=True)


def test_operators_on_unsigned_integers():
    left, right = np.array([200, 7, 0], np.uint8), np.array([3, 7, 2], np.uint8)
    functions = [f for f in ARITHMETIC if f is not operator.truediv]
    check(both_ways([*functions, *ORDER, *BITWISE, *SHIFTS], left, right), left, right, dtypes=True)


def test_operators_on_booleans():
    check(both_ways([*BITWISE, *ORDER, operator.add, operator.mul], BITS, BITS[::-1]), BITS, BITS[::-1], dtypes=True)


def test_division_of_integers_is_true_division():
    check({"int": (operator.truediv, lambda a, b: (a / b).astype(np.float32))}, INTS, INTS[::-1].copy(), dtypes=True)


def test_operators_with_one_operand():
    pairs = {"-": (operator.neg, operator.neg), "+": (operator.pos, operator.pos), "abs": (abs, np.abs)}
    check(pairs, FLOATS, dtypes=True)
    check(pairs, INTS, dtypes=True)
    check({"~": (operator.invert, operator.invert)}, BITS, dtypes=True)
    check({"~": (operator.invert, operator.invert)}, INTS, dtypes=True)


def test_matrix_product_with_an_array_on_either_side():
    square = FLOATS.T @ FLOATS
    check(
        {"@": (lambda a: a @ square, lambda a: a @ square), "r@": (lambda a: FLOATS @ a.T, lambda a: FLOATS @ a.T)},
        FLOATS,
    )


def test_chained_comparison_is_an_error():
    with pytest.raises(
        hh.TraceError, match=r"bool\(\) of Tensor\(i1\[3\]\): it has no value while the function is traced"
    ):
        hh.trace(lambda x: 0 < x < 1, hh.f32[3])


def test_attributes():
    seen = []

    def look(x):
        seen.append((x.shape, x.dtype, x.ndim, x.size, len(x), repr(x), x.T.shape, [r.shape for r in x]))
        return x

    hh.trace(look, hh.bf16[2, 3])
    assert seen == [((2, 3), hh.bf16, 2, 6, 2, "Tensor(bf16[2, 3])", (3, 2), [(3,), (3,)])]


def test_methods():
    pairs = {
        "reshape": (lambda x: x.reshape(3, -1), lambda x: x.reshape(3, -1)),
        "reshape tuple": (lambda x: x.reshape((6,)), lambda x: x.reshape(6)),
        "sum": (lambda x: x.sum(-1, keepdims=True), lambda x: x.sum(-1, keepdims=True)),
        "mean": (lambda x: x.mean(), lambda x: x.mean()),
        "astype": (lambda x: x.astype(hh.i32), lambda x: x.astype(np.int32)),
        "astype numpy": (lambda x: x.astype(np.float16), lambda x: x.astype(np.float16)),
        "astype python": (lambda x: x.astype(bool), lambda x: x.astype(bool)),
    }
    check(pairs, FLOATS, dtypes=True)


INDICES = [
    0,
    -1,
    np.int64(1),
    (1, 2),
    (slice(None), 1),
    (..., 0),
    (0, ..., -1),
    None,
    (None, ..., None),
    (slice(None), None, 2, slice(1, None)),
    slice(1, 3),
    slice(None, None, -1),
    (slice(None, None, 2), slice(3, 0, -2)),
    (slice(-2, None), slice(None, -1), slice(-100, 100, 3)),
    (1, slice(2, 2)),
    (slice(None, 0), slice(5, 1, 2)),
    (slice(2, None, -3), slice(None), slice(None, None, -4)),
    (0, 1, 2),
    (),
    ...,
]


def test_indexing_is_numpys():
    x = np.arange(3 * 4 * 5, dtype=np.float32).reshape(3, 4, 5)
    check({str(i): (lambda t, i=i: t[i], lambda t, i=i: t[i]) for i in INDICES}, x, dtypes=True)


def test_whole_slices_leave_no_op():
    text = hh.to_text(hh.trace(lambda x: x[:, ..., :][:, None], hh.f32[2, 3]))
    assert "slice" not in text


CONSTANTS = {
    "i1": True,
    "i32": 3,
    "f32": -0.0,
    "complex<f32>": 1 + 2j,
    "i32[2, 2]": [[1, 2], [3, -4]],
    "f32[3]": (1.5, np.inf, 2),
    "f32[0]": [],
    "i1[2]": [True, False],
    "f64[2]": np.array([1e300, 2]),
    "i64[1]": np.array([2**40]),
    "bf16[2]": np.array([1.5, -3], ml_dtypes.bfloat16),
    "ui8[3]": np.array([1, 255, 3], np.uint8)[::-1],
    "i16[2, 2]": np.array([[1, 2], [3, 4]], ">i2").T,
}


def test_constants():
    found = evaluate({spec: lambda value=value: hh.asarray(value) for spec, value in CONSTANTS.items()})
    for spec, value in CONSTANTS.items():
        assert repr(hh.spec(found[spec])).removesuffix("[]") == spec
        np.testing.assert_array_equal(found[spec], value)
    assert np.signbit(found["f32"])


def test_constants_in_another_type():
    found = evaluate(
        {
            "list": lambda: hh.asarray([1, 2**40], hh.i64),
            "truncated": lambda: hh.asarray(2.75, hh.i8),
            "array": lambda: hh.asarray(np.arange(3), np.float16),
            "truth": lambda: hh.asarray(5, bool),
        }
    )
    assert found["list"].tolist() == [1, 2**40]
    assert (found["truncated"].dtype, found["truncated"].item()) == (np.int8, 2)
    assert found["array"].dtype == np.float16
    assert found["truth"].item() is True


def test_arrays_of_a_device_become_constants():
    x = hh.jit(lambda x: x + 1)(np.float32(1))
    assert hh.jit(lambda y: y * x)(np.float32(3)).item() == 6


def fails(error, message, fn, *types):
    """Assert the whole message: its text, then the line of `fn`."""
    with pytest.raises(error) as caught:
        hh.trace(fn, *types)
    place = rf"\n  at test_tensor\.py:{inspect.getsourcelines(fn)[1]} in <lambda>"
    assert re.fullmatch(re.escape(message) + place, str(caught.value)), str(caught.value)


def test_errors_of_operators():
    fails(
        hh.ShapeError,
        "stablehlo.add: shapes [2] and [3] do not broadcast: their sizes at dimension -1 are 2 and 3; equal sizes, or 1,"
        " were expected; reshape or slice one",
        lambda x, y: x + y,
        hh.f32[2],
        hh.f32[3],
    )
    fails(
        hh.DTypeError,
        "stablehlo.subtract: lhs is tensor<2xi1>; its elements must be signed integers, unsigned integers, floating point"
        " or complex; convert it first (spec subtract I1)",
        lambda x: x - x,
        hh.i1[2],
    )
    fails(
        hh.DTypeError,
        "ui64 and i64 have no common integer type; convert one with astype",
        lambda x, y: x * y,
        hh.i64[2],
        hh.ui64[2],
    )
    fails(
        hh.DTypeError,
        "300 does not fit i8, which holds -128..127; convert the tensor with astype first",
        lambda x: x + 300,
        hh.i8[2],
    )
    fails(
        hh.DTypeError,
        "stablehlo.compare: complex<f32>[2] has no order, only == and !=; compare hh.abs or hh.real of it",
        lambda x: x < 1,
        hh.c64[2],
    )


def test_errors_of_indexing():
    fails(
        hh.ShapeError,
        "index 3 of Tensor(f32[2, 3]): dimension 0 has size 2; -2 <= index < 2 was expected",
        lambda x: x[3],
        hh.f32[2, 3],
    )
    fails(
        hh.ShapeError,
        "index (0, 1, 2) of Tensor(f32[2, 3]): at most 2 entries and one ... were expected",
        lambda x: x[0, 1, 2],
        hh.f32[2, 3],
    )
    fails(
        hh.TraceError,
        "index 1.5 of Tensor(f32[2]): integers, slices, None, ... and arrays or tensors of integers were expected",
        lambda x: x[1.5],
        hh.f32[2],
    )
    for index in (True, "a", np.array([0.5]), [True, 2.0], slice(0.5, None), slice("a"), slice(None, None, 1.5)):
        with pytest.raises(hh.TraceError, match=r"integers(, slices, None, ... and| that are known)"):
            hh.trace(lambda x, index=index: x[index], hh.f32[2])


def test_errors_of_attributes():
    fails(hh.ShapeError, "T: found f32[3]; 2 dimensions were expected; use hh.permute_dims", lambda x: x.T, hh.f32[3])
    for use in (len, list):
        with pytest.raises(hh.ShapeError, match="rank 0"):
            hh.trace(lambda x, use=use: use(x), hh.f32[()])
    with pytest.raises(hh.DTypeError, match="'flot' is not an element type"):
        hh.trace(lambda x: x.astype("flot"), hh.f32[3])


@pytest.mark.parametrize("use", [bool, int, float, np.asarray, lambda x: [1, 2, 3][x]])
def test_a_tensor_has_no_value(use):
    with pytest.raises(hh.TraceError, match=r"of Tensor\(f32\[\]\): it has no value while the function is traced"):
        hh.trace(lambda x: use(x), hh.f32[()])


def test_what_is_no_array():
    for value in (None, object(), [1, None]):
        with pytest.raises(hh.DTypeError, match="is not an array of numbers; pass numbers, arrays or tensors"):
            hh.trace(lambda x, value=value: x + value, hh.f32[2])
    with pytest.raises(hh.DTypeError, match="dtype <U4 has no StableHLO element type"):
        hh.trace(lambda x: x + "text", hh.f32[2])
    with pytest.raises(hh.TraceError, match=r"found a list of tensors; join them with hh\.stack"):
        hh.trace(lambda x: hh.exp([x, x]), hh.f32[2])
    with pytest.raises(hh.ShapeError, match="this list is not an array"):
        hh.trace(lambda x: hh.add(x, [[1], [2, 3]]), hh.f32[2])
    with pytest.raises(hh.DTypeError, match=r"4294967296 does not fit i32"):
        hh.trace(lambda x: hh.add(x, [2**32]), hh.f32[1])


def test_a_tensor_belongs_to_its_trace():
    kept = []
    hh.trace(lambda x: kept.append(x) or x, hh.f32[2])
    with pytest.raises(hh.TraceError, match="belongs to another trace"):
        hh.trace(lambda x: x + kept[0], hh.f32[2])
    with pytest.raises(hh.TraceError, match="no function is being built here"):
        kept[0] + 1
