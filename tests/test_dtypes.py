"""Element types and array types as people write them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl import dtypes


def test_types_are_spelled_with_brackets():
    assert repr(hh.f32[8, 3]) == "f32[8, 3]"
    assert repr(hh.c64[2]) == "complex<f32>[2]"
    assert hh.f32[()].shape == ()
    assert hh.f32[5] == hh.f32[(5,)] == hh.f32[[5]] == hh.f32[np.int64(5)]
    assert hh.i8[2, 3, 4].size == 24
    assert hh.i8[()].size == 1
    assert {hh.f32[2]: 1}[hh.f32[2]] == 1


@pytest.mark.parametrize("shape", [-1, (2, -3), 2.0, "2", (None,), True])
def test_a_size_is_an_integer_that_is_not_negative(shape):
    with pytest.raises(hh.ShapeError, match=r"^f32\[.*is not a size; integers >= 0 were expected, as in f32\[8, 3\]"):
        hh.f32[shape]


def test_numpy_and_back():
    for dtype in dtypes.ALL:
        assert dtypes.from_numpy(dtype.numpy) is dtype
        assert dtypes.BY_NAME[dtype.name] is dtype
        assert dtypes.spec(np.zeros((2, 0), dtype.numpy)) == dtype[2, 0]


def test_byte_order_does_not_matter():
    assert dtypes.from_numpy(">f4") is hh.f32


def test_unknown_numpy_types():
    with pytest.raises(hh.DTypeError, match=r"dtype datetime64\[s\] has no StableHLO element type.*float32"):
        dtypes.from_numpy("datetime64[s]")


def test_as_dtype_takes_what_numpy_takes():
    assert dtypes.as_dtype(hh.bf16) is hh.bf16
    assert dtypes.as_dtype(np.float64) is hh.f64
    assert dtypes.as_dtype(ml_dtypes.bfloat16) is hh.bf16
    assert dtypes.as_dtype("int8") is hh.i8


def test_pythons_types_are_those_of_its_numbers():
    for kind in (bool, int, float, complex):
        assert dtypes.as_dtype(kind) is dtypes.spec(kind(1)).dtype


@pytest.mark.parametrize("value", ["float33", 7, hh.f32[2]])
def test_what_is_no_dtype(value):
    with pytest.raises(hh.DTypeError, match=r"is not an element type; one such as hh\.f32"):
        dtypes.as_dtype(value)


def test_spec_of_values():
    assert hh.spec(True) == hh.i1[()]
    assert hh.spec(2) == hh.i32[()]
    assert hh.spec(2.0) == hh.f32[()]
    assert hh.spec(2j) == hh.c64[()]
    assert hh.spec(hh.f16) == hh.f16[()]
    assert hh.spec(hh.f16[3]) == hh.f16[3]
    assert hh.spec(np.float64(2)) == hh.f64[()]
    assert hh.spec(np.float16(2)) == hh.f16[()]


def test_kinds():
    assert [d.name for d in dtypes.ALL if d.is_inexact] == [
        *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2"),
        *("f8E5M2FNUZ", "f8E8M0FNU", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"),
    ]
    assert hh.bool_ is hh.i1
