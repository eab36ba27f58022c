"""hh.chlo: a function per op of CHLO, each in a program that runs."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.dialects.chlo import CHLO, binary, broadcast, unary
from hhlo_xdsl.dialects.registry import ops_of


def function(name: str):
    return getattr(hh.chlo, name.removeprefix("chlo.").lstrip("_"))


@pytest.mark.parametrize("name", [op.name for op in CHLO.operations])
def test_every_op_has_a_function(name: str):
    assert inspect.getdoc(function(name))
    assert function(name).__name__.lstrip("_") == name.removeprefix("chlo.").lstrip("_")


def test_each_function_makes_its_op():
    integers = ("mulhi", "and", "or", "xor", "shift")
    made = [op.name for module in (unary, binary, broadcast) for op in ops_of(module, "chlo")]
    for name in made:
        if name in ("chlo.broadcast_compare", "chlo.broadcast_select"):
            continue
        dtype = hh.i32 if any(word in name.split("_") or name.endswith(word) for word in integers) else hh.f32
        dtype = hh.c64 if name == "chlo._asin_acos_kernel" else dtype
        count = 1 if name in [op.name for op in ops_of(unary, "chlo")] else 2
        text = hh.to_text(hh.trace(function(name), *[dtype[2, 3]] * count))
        assert f" {name} " in text, text


def test_what_broadcasts():
    x, y = np.array([1.0, 3.0, 2.0], np.float32), np.array([2.0, 4.0], np.float32)
    less, chosen, along = hh.jit(_broadcasts)(x, y)
    assert (less.numpy() == (x < y[:, None])).all()
    assert (chosen.numpy() == np.where(x < y[:, None], x, 0)).all()
    assert (along.numpy() == y[:, None] - x).all()


def _broadcasts(x: hh.Tensor, y: hh.Tensor):
    column = hh.reshape(y, (2, 1))
    less = hh.chlo.broadcast_compare(x, column, "LT")
    rows = hh.broadcast_to(x, (2, 3))
    zero = hh.chlo.constant(0.0, hh.f32)
    return less, hh.chlo.broadcast_select(less, x, zero), hh.chlo.broadcast_subtract(y, rows, (0,))


def test_wrong_names_and_types():
    with pytest.raises(hh.VerifyError, match=r"chlo.broadcast_compare: found 'LESS'; one of 'EQ'"):
        hh.trace(lambda x: hh.chlo.broadcast_compare(x, x, "LESS"), hh.f32[2])
    with pytest.raises(hh.DTypeError, match=r"chlo.erf: operand is tensor<2xi32>"):
        hh.trace(hh.chlo.erf, hh.i32[2])
    with pytest.raises(hh.DTypeError, match=r"chlo.constant_like: elements are complex<f32>"):
        hh.trace(lambda x: hh.chlo.constant_like(x, 1.0), hh.c64[2])


def test_attributes_and_regions():
    def fn(x: hh.Tensor, w: hh.Tensor, sizes: hh.Tensor):
        values, indices = hh.chlo.top_k(x, 2)
        sums, last = hh.chlo.scan([x], [hh.zeros((4,))], 1, lambda a, c: (a + c, a + c), is_reverse=True)
        rows = hh.chlo.ragged_dot(
            x,
            w,
            sizes,
            lhs_contracting_dimensions=(1,),
            rhs_contracting_dimensions=(1,),
            lhs_ragged_dimensions=(0,),
            rhs_group_dimensions=(0,),
        )
        return values, indices, sums, last, rows, hh.chlo.constant_like(x, 2), hh.chlo.constant_like(x, 2, hh.i32)

    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((4, 3)).astype(np.float32), rng.standard_normal((2, 3, 5)).astype(np.float32)
    values, indices, sums, last, rows, twos, integers = (r.numpy() for r in hh.jit(fn)(x, w, np.array([1, 3])))
    order = np.argsort(-x, axis=1)[:, :2]
    assert (indices == order).all()
    assert (values == np.take_along_axis(x, order, 1)).all()
    np.testing.assert_allclose(sums, np.cumsum(x[:, ::-1], 1)[:, ::-1], rtol=1e-6)
    np.testing.assert_allclose(last, x.sum(1), rtol=1e-5)
    np.testing.assert_allclose(rows, np.concatenate([x[:1] @ w[0], x[1:] @ w[1]]), rtol=1e-5)
    assert (twos == 2).all()
    assert (integers == 2).all()
    assert integers.dtype == np.int32
