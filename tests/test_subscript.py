"""`x[index]`, `x.at[index]` and the functions of places known only when the program runs, against numpy and JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(3)
X = RNG.standard_normal((4, 3, 5)).astype(np.float32)
I = np.array([3, 0, -1, 0], np.int32)
J = np.array([[1, 2], [0, -3]], np.int64)
K = np.int32(2)

# Each is called with hh's tensors and with numpy's arrays alike: x, i, j, k.
READS = {
    "scalar": lambda x, i, j, k: x[k],
    "negative scalar": lambda x, i, j, k: x[-k],
    "scalar and slice": lambda x, i, j, k: x[k, ::2, 1],
    "scalars of two": lambda x, i, j, k: x[:, k, k],
    "scalars, all": lambda x, i, j, k: x[k, 0, -k],
    "array": lambda x, i, j, k: x[i],
    "matrix": lambda x, i, j, k: x[j],
    "array in the middle": lambda x, i, j, k: x[:, j],
    "array last": lambda x, i, j, k: x[..., i],
    "two arrays": lambda x, i, j, k: x[i[:2], j],
    "two arrays apart": lambda x, i, j, k: x[i[:2], :, j],
    "two arrays around None": lambda x, i, j, k: x[i[:2], None, j],
    "array and integer": lambda x, i, j, k: x[j, 1],
    "array and integer apart": lambda x, i, j, k: x[1, :, j],
    "array and scalar": lambda x, i, j, k: x[k, j],
    "three": lambda x, i, j, k: x[i[:2], j, k],
    "slices and array": lambda x, i, j, k: x[1:, ::-1, i],
    "steps and array": lambda x, i, j, k: x[::-2, j, 4:1:-2],
    "None and array": lambda x, i, j, k: x[None, :, None, j, ..., None],
    "list": lambda x, i, j, k: x[[0, 2, -1]],
    "lists": lambda x, i, j, k: x[[0, 2], 1:, [1, 1]],
    "empty list": lambda x, i, j, k: x[[]],
    "empty slice": lambda x, i, j, k: x[2:2, j],
    "mask": lambda x, i, j, k: x[np.array([True, False, False, True])],
    "mask of two": lambda x, i, j, k: x[np.arange(12).reshape(4, 3) % 5 == 0],
    "plain": lambda x, i, j, k: x[1, ..., ::-2, None],
    "mask after an ellipsis": lambda x, i, j, k: x[..., np.arange(15).reshape(3, 5) % 4 == 0],
    "mask and array": lambda x, i, j, k: x[None, i[:2], [True, False, True]],
    "nothing": lambda x, i, j, k: x[()],
}


def test_reads():
    check({name: (fn, fn) for name, fn in READS.items()}, X, I, J, K)


def test_index_types():
    pairs = {
        str(dtype): (lambda x, i, t=dtype: x[i.astype(t)], lambda x, i: x[i])
        for dtype in (hh.i8, hh.i16, hh.i32, hh.i64, hh.ui8, hh.ui32, hh.ui64)
    }
    check(pairs, RNG.standard_normal(200).astype(np.float32), np.array([[0, 100], [127, 3]]))
    pairs = {str(dtype): (lambda x, i, t=dtype: x[i.astype(t)], lambda x, i: x[i]) for dtype in (hh.i8, hh.i32, hh.i64)}
    check(pairs, RNG.standard_normal(200).astype(np.float32), np.array([-1, -100, -128]))


def test_out_of_range():
    i = np.array([-7, -4, 3, 4, 100])
    found = evaluate(
        {
            "read": lambda x, i: x[i],
            "scalar": lambda x, i: (x[i[0]], x[i[4]]),
            "set": lambda x, i: x.at[i].set(np.arange(5, dtype=np.float32)),
            "ui64": lambda x, i: x[i.astype(hh.ui64)],
            "bounds": lambda x, i: hh.take_along_axis(x, i, 0),
        },
        np.array([10, 20, 30, 40], np.float32),
        i,
    )
    assert found["read"].tolist() == found["bounds"].tolist() == [10, 10, 40, 40, 40]
    assert [float(v) for v in found["scalar"]] == [10, 40]
    assert found["set"].tolist() == [1, 20, 30, 2]
    assert found["ui64"].tolist() == [40, 40, 40, 40, 40]


def test_empty():
    x = np.zeros((0, 3), np.float32)
    pairs = {
        "rows": (lambda x: x[np.zeros(0, np.int32)], lambda x: x),
        "columns": (lambda x: x[:, np.array([0, 2])], lambda x: x[:, [0, 2]]),
        "set": (lambda x: x.at[:, np.array([0])].set(1.0), lambda x: x),
        "no update": (lambda x: x.T.at[1:1].set(1.0), lambda x: x.T),
        "take along": (lambda x: hh.take_along_axis(x, np.zeros((0, 3), np.int32), 0), lambda x: x),
    }
    check(pairs, x)
    with pytest.raises(hh.ShapeError, match="no elements to read along a dimension of size 0"):
        hh.trace(lambda x, i: x[i], hh.f32[0, 3], hh.i32[2])


UPDATES = {
    "integer": lambda p, i, j, k: p[1],
    "integers": lambda p, i, j, k: p[1, -1, 0],
    "slice": lambda p, i, j, k: p[1:3],
    "slices": lambda p, i, j, k: p[::2, 1, ::-1],
    "steps": lambda p, i, j, k: p[::-3, :, 1::2],
    "new": lambda p, i, j, k: p[None, 1],
    "all": lambda p, i, j, k: p[...],
    "scalar": lambda p, i, j, k: p[k],
    "scalar and slice": lambda p, i, j, k: p[k, 1:, ::2],
    "array": lambda p, i, j, k: p[i[:3]],
    "array last": lambda p, i, j, k: p[..., i[:2]],
    "arrays apart": lambda p, i, j, k: p[i[:2], :, j],
    "array and slices": lambda p, i, j, k: p[1::2, j, 1:4],
    "array, None and a reversed slice": lambda p, i, j, k: p[::-1, None, i[:2]],
}
FEW = ("slices", "scalar", "array and slices", "arrays apart")


@pytest.mark.parametrize("methods", [("set",), ("add",), ("subtract", "multiply", "divide", "min", "max")], ids=str)
def test_updates(methods):
    def pair(part, method):
        def of(numbers):
            def changed(x, i, j, k):
                value = numbers.linspace(0.5, 2, 5, dtype=np.float32)
                takes_rows = part(x, i, j, k).shape[-1:] == (5,)
                return getattr(part(x.at, i, j, k), method)(value if takes_rows else 1.5)

            return changed

        return of(hh), of(jnp)

    parts = {name: part for name, part in UPDATES.items() if len(methods) == 1 or name in FEW}
    pairs = {f"{name} {m}": pair(part, m) for m in methods for name, part in parts.items()}
    check_with_jax(pairs, X, I, J, K, rtol=1e-5)


def test_updates_of_masks_and_types():
    pairs = {
        "mask": (lambda x: x.at[x > 0].set(0.0), lambda x: np.where(x > 0, 0, x)),
        "mask of rows": (lambda x: x.at[x[:, 0, 0] > 0].add(1), lambda x: x + (x[:, :1, :1] > 0)),
        "get": (lambda x: x.at[1:].get(), lambda x: x[1:]),
        "known mask": (
            lambda x: x.at[np.array([True, False, False, True])].set(7),
            lambda x: np.concatenate([x[:1] * 0 + 7, x[1:3], x[3:] * 0 + 7]),
        ),
        "integers into floats": (
            lambda x: x.at[0].set(hh.arange(5)),
            lambda x: np.concatenate([x[:1] * 0 + np.arange(5), x[1:]]),
        ),
        "list": (lambda x: x.at[[0, 2]].set(1.0), lambda x: np.stack([x[0] * 0 + 1, x[1], x[2] * 0 + 1, x[3]])),
    }
    check(pairs, X)
    counts = evaluate({"n": lambda i: hh.zeros(4, hh.i32).at[i].add(1)}, np.array([0, 3, 3, 3, 1]))["n"]
    assert counts.tolist() == [1, 1, 0, 3]


def test_take():
    j = np.array([[1, 2, 0]])
    pairs = {
        "axis": (lambda x, j: hh.take(x, j, 1), lambda x, j: np.take(x, j, 1)),
        "last": (lambda x, j: hh.take(x, j[0], -1), lambda x, j: np.take(x, j[0], -1)),
        "flat": (lambda x, j: hh.take(x, j + 20), lambda x, j: np.take(x, j + 20)),
        "constant": (lambda x, j: hh.take(x, np.array([2, -1]), 0), lambda x, j: np.take(x, [2, -1], 0)),
        "along": (
            lambda x, j: hh.take_along_axis(x, hh.broadcast_to(j[:, :, None], (4, 3, 5)), 1),
            lambda x, j: np.take_along_axis(x, np.broadcast_to(j[:, :, None], (4, 3, 5)), 1),
        ),
        "broadcast": (
            lambda x, j: hh.take_along_axis(x, j[:, None], -1),
            lambda x, j: np.take_along_axis(x, j[:, None], -1),
        ),
    }
    check(pairs, X, j)


def test_dynamic_slices():
    pairs = {
        "slice": (lambda x, k: hh.dynamic_slice(x, (k, 0, k), (2, 3, 2)), lambda x, k: x[2:4, :, 2:4]),
        "moved": (lambda x, k: hh.dynamic_slice(x, (k + 9, 0, 0), (3, 3, 5)), lambda x, k: x[1:]),
        "negative": (lambda x, k: hh.dynamic_slice(x, (-k, 0, -1), (1, 3, 1)), lambda x, k: x[2:3, :, 4:]),
        "update": (
            lambda x, k: hh.dynamic_update_slice(x, hh.zeros((1, 3, 5)), (k, 0, 0)),
            lambda x, k: np.concatenate([x[:2], x[:1] * 0, x[3:]]),
        ),
        "types": (
            lambda x, k: hh.dynamic_slice(x, (k.astype(hh.i8), np.int64(1), 0), (1, 1, 5)),
            lambda x, k: x[2:3, 1:2],
        ),
    }
    check(pairs, X, K)


def test_gradients():
    """Of smooth functions of parts, by JAX."""

    def part(name):
        return lambda x, i, j, k: (READS[name](x, i, j, k) ** 3).sum()

    def update(x, i, j, k):
        return (x.at[i[:3], 1:].add(x[k, 1:] ** 2) ** 2).sum() + (x.at[::2, 0].set(x[k, 0] ** 3) ** 2).sum()

    names = ("scalar", "scalar and slice", "array", "two arrays apart", "None and array", "steps and array", "plain")
    functions = {name: part(name) for name in names} | {"update": update}
    pairs = {name: (hh.grad(fn), jax.grad(fn)) for name, fn in functions.items()}
    check_with_jax(pairs, X, I, J, K, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"index 2 of Tensor\(f32\[2, 3\]\): dimension 0 has size 2; -2 <= index < 2", lambda x: x[2]),
        (hh.ShapeError, r"index -4 of .*: dimension 1 has size 3", lambda x: x[:, np.array([0, -4])]),
        (hh.ShapeError, r"index .* of .*: at most 2 entries and one \.\.\. were expected", lambda x: x[0, 0, 0]),
        (hh.ShapeError, r"index slice\(None, None, 0\) of .*: its step is 0", lambda x: x[::0]),
        (hh.TraceError, r"index Tensor\(i1\[2, 3\]\) of .*: how many elements it chooses", lambda x: x[x > 0]),
        (hh.DTypeError, r"index Tensor\(f32\[3\]\) of .*: integers were expected", lambda x: x[x[0]]),
        (hh.TraceError, r"index 1\.5 of .*: integers, slices, None", lambda x: x[1.5]),
        (hh.TraceError, r"index 'a' of .*: integers, slices, None", lambda x: x["a"]),
        (hh.TraceError, r"index True of .*: integers, slices, None", lambda x: x[True]),
        (hh.TraceError, r"index slice\(.*\) of .*: integers that are known", lambda x: x[x[0, 0] :]),
        (hh.TraceError, r"index \[.*\] of .*: a list of tensors; join them", lambda x: x[[hh.argmax(x), 0]]),
        (
            hh.ShapeError,
            r"index \[True, False\] of .*: its sizes are \[2\]; \[3\] were",
            lambda x: x[..., [True, False]],
        ),
        (hh.ShapeError, r"index array\(.*\) of .*: its sizes are \[3\]; \[2\]", lambda x: x[np.ones(3, bool), None]),
        (hh.ShapeError, r"index: shapes \[2\] and \[3\] do not broadcast", lambda x: x[np.arange(2), np.zeros(3, int)]),
        (hh.TraceError, r"assignment to a part of .*; use x = x\.at\[index\]\.set", lambda x: x.__setitem__(0, 1.0)),
        (hh.DTypeError, r"at: values is f64\[3\], x is f32\[2, 3\], which cannot", lambda x: x.at[0].set(np.ones(3))),
        (hh.ShapeError, r"broadcast_to: .*", lambda x: x.at[0].set(np.ones(2, np.float32))),
        (hh.ShapeError, r"at: the index is i1\[2, 3\], x is f32\[2, 3\] and values", lambda x: x.at[x > 0].set(x[0])),
        (hh.ShapeError, r"take_along_axis: indices are i32\[2\]", lambda x: hh.take_along_axis(x, hh.arange(2))),
        (hh.DTypeError, r"take_along_axis: indices is f32\[2, 3\]; integers", lambda x: hh.take_along_axis(x, x)),
        (hh.ShapeError, r"dynamic_slice: there are 1 starts", lambda x: hh.dynamic_slice(x, (0,), (1, 1))),
        (
            hh.ShapeError,
            r"dynamic_slice: start is i32\[2\]; scalars",
            lambda x: hh.dynamic_slice(x, (hh.arange(2), 0), (1, 1)),
        ),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_subscript\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
