"""The element type and shape that operands meet in, against jax.numpy with 64 bits enabled and numpy."""

from __future__ import annotations

import itertools
import math

import hypothesis
import hypothesis.strategies as st
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl import dtypes
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.promotion import broadcast_shapes, check_fits, promoted, promoted_with

NARROW = {d for d in dtypes.ALL if d.bits < (16 if d.is_inexact else 8) and d.kind != "bool"}
"""Types that JAX does not promote. Here they do, like others of their kind."""
SIGNED = [d for d in dtypes.ALL if d.kind == "int"]


def answer(rule, *args):
    try:
        return rule(*args)
    except (hh.DTypeError, TypeError, ValueError):
        return None


def test_strong_types_promote_as_in_jax():
    """But for a signed integer with ui64, which JAX makes f64: that loses digits, so here it is an error."""
    for a, b in itertools.product(dtypes.ALL, repeat=2):
        if (a in NARROW or b in NARROW) and a is not b:
            continue
        expected = dtypes.from_numpy(jnp.promote_types(a.numpy, b.numpy))
        if {a, b} & {hh.ui64} and {a, b} & {*SIGNED}:
            expected = None
        assert answer(promoted, a, b) is expected, (a, b)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (hh.i4, hh.i8, hh.i8),
        (hh.i4, hh.ui4, hh.i8),
        (hh.ui4, hh.i8, hh.i8),
        (hh.ui4, hh.ui16, hh.ui16),
        (hh.i4, hh.bf16, hh.bf16),
        (hh.f8E4M3FN, hh.f16, hh.f16),
        (hh.f8E5M2, hh.f32, hh.f32),
        (hh.f8E4M3FN, hh.f8E5M2, None),
        (hh.f8E5M2, hh.c64, hh.c64),
        (hh.f4E2M1FN, hh.f6E2M3FN, None),
        (hh.f6E3M2FN, hh.f8E5M2, None),
        (hh.f6E3M2FN, hh.f16, hh.f16),
        (hh.f8E8M0FNU, hh.f16, None),
        (hh.f8E8M0FNU, hh.bf16, hh.bf16),
        (hh.i2, hh.ui2, hh.i4),
        (hh.i2, hh.i4, hh.i4),
    ],
)
def test_narrow_types(a: DType, b: DType, expected: DType | None):
    assert answer(promoted, a, b) is answer(promoted, b, a) is expected


@pytest.mark.parametrize("value", [True, 3, 0.5, 1j])
def test_numbers_take_the_precision_of_the_tensor(value):
    """As in JAX, but where it falls back on its default types: ours are 32 bits wide also for f64 programs."""
    default = {hh.i64: hh.i32, hh.f64: hh.f32, hh.c128: hh.c64}
    for dtype in dtypes.ALL:
        if dtype in NARROW:
            continue
        expected = dtypes.from_numpy((jnp.zeros((), dtype.numpy) + value).dtype)
        if dtype.kind in ("bool", "int", "uint") and expected is not dtype:
            expected = default[expected]
        assert promoted_with(dtype, value) is expected, dtype


def test_numpy_numbers_have_a_precision_of_their_own():
    """Also numpy.float64, although it is a subclass of float."""
    program = hh.trace(lambda x: [x * 2.0, x * np.float32(2), x * np.float64(2)], hh.f16[3])
    results = next(iter(program.ops)).function_type.outputs
    assert [str(t) for t in results] == ["tensor<3xf16>", "tensor<3xf32>", "tensor<3xf64>"]


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (hh.i8, 128),
        (hh.i8, -129),
        (hh.ui8, -1),
        (hh.ui64, 2**64),
        (hh.i4, 8),
        (hh.i32, math.nan),
        (hh.i32, 2.0**31),
        (hh.f16, 65520),
        (hh.f32, 10**400),
        (hh.f32, 1e39),
        (hh.f8E4M3FN, 500.0),
        (hh.f32, 1j),
        (hh.c64, 1e39j),
    ],
)
def test_numbers_that_do_not_fit(dtype: DType, value):
    with pytest.raises(hh.DTypeError, match=f"does not fit {dtype}"):
        check_fits(dtype, value)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (hh.i8, 127),
        (hh.i8, 127.9),
        (hh.ui64, 2**64 - 1),
        (hh.f16, 65504),
        (hh.f32, 3.4028235e38),
        (hh.f32, math.inf),
        (hh.bf16, -math.nan),
        (hh.c64, complex(math.inf, 1)),
        (hh.i1, 7),
    ],
)
def test_numbers_that_fit(dtype: DType, value):
    check_fits(dtype, value)


sizes = st.lists(st.integers(0, 3), max_size=4)


@hypothesis.given(st.lists(sizes, min_size=1, max_size=4))
def test_shapes_broadcast_as_in_numpy(shapes):
    try:
        expected = np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        expected = None
    try:
        found = broadcast_shapes("f", *shapes)
    except hh.ShapeError:
        found = None
    assert found == expected


def test_shapes_that_do_not_broadcast():
    with pytest.raises(hh.ShapeError) as caught:
        broadcast_shapes("add", (2, 3), (4, 1), (3,))
    assert str(caught.value) == (
        "add: shapes [2, 3] and [4, 1] and [3] do not broadcast: their sizes at dimension -2 are 2 and 4; equal sizes, or"
        " 1, were expected; reshape or slice one"
    )


def test_types_without_a_common_one():
    with pytest.raises(hh.DTypeError, match=r"^ui64 and i32 have no common integer type; convert one with astype"):
        promoted(hh.i32, hh.ui64)
    with pytest.raises(hh.DTypeError, match=r"^f8E4M3FN and f8E5M2 have no common element type"):
        promoted(hh.f8E4M3FN, hh.f8E5M2)
