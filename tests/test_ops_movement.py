"""Functions that move elements, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, evaluate

CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def same(**calls):
    """name -> arguments after the tensor, for functions that numpy calls the same."""
    return {
        name: (lambda x, n=name, a=a: getattr(hh, n)(x, *a), lambda x, n=name, a=a: getattr(np, n)(x, *a))
        for name, a in calls.items()
    }


def test_shapes():
    pairs = {
        "reshape": (lambda x: hh.reshape(x, (4, -1, 2)), lambda x: x.reshape(4, -1, 2)),
        "reshape to a row": (lambda x: hh.reshape(x, -1), lambda x: x.reshape(-1)),
        "permute_dims": (lambda x: hh.permute_dims(x, (2, 0, -2)), lambda x: x.transpose(2, 0, 1)),
        "matrix_transpose": (hh.matrix_transpose, lambda x: x.swapaxes(-1, -2)),
        "moveaxis of two": (lambda x: hh.moveaxis(x, (0, 2), (-1, 0)), lambda x: np.moveaxis(x, (0, 2), (-1, 0))),
        "expand_dims of two": (lambda x: hh.expand_dims(x, (0, -1)), lambda x: np.expand_dims(x, (0, -1))),
        "squeeze": (lambda x: hh.squeeze(x[:, :1, :1]), lambda x: x[:, 0, 0]),
        "squeeze one": (lambda x: hh.squeeze(x[:, :1, :1], -2), lambda x: x[:, 0, :1]),
        "broadcast_in_dim": (
            lambda x: hh.broadcast_in_dim(x[0], (4, 5, 3), (2, 0)),
            lambda x: np.broadcast_to(x[0].T[:, None], (4, 5, 3)),
        ),
        "broadcast_to": (
            lambda x: hh.broadcast_to(x[:, :1], (5, 2, 3, 4)),
            lambda x: np.broadcast_to(x[:, :1], (5, 2, 3, 4)),
        ),
    }
    check(pairs | same(moveaxis=(0, -1), expand_dims=(1,), flip=()), CUBE)


def test_order():
    axes = {"all": (), "one": (1,), "two": ((0, -1),)}
    pairs = {f"flip {name}": (lambda x, a=a: hh.flip(x, *a), lambda x, a=a: np.flip(x, *a)) for name, a in axes.items()}
    rolls = [(1,), (-30,), (2, 1), (-1, -1), ((1, 2), (0, 2)), (5, (0, 1)), (0, 1)]
    pairs |= {f"roll {a}": (lambda x, a=a: hh.roll(x, *a), lambda x, a=a: np.roll(x, *a)) for a in rolls}
    check(pairs, CUBE)


def test_joining():
    pairs = {
        "concat": (lambda x: hh.concat([x, x[:, :1], x], 1), lambda x: np.concatenate([x, x[:, :1], x], 1)),
        "concat from the end": (lambda x: hh.concat((x, x), -1), lambda x: np.concatenate((x, x), -1)),
        "concat rows": (lambda x: hh.concat([x, x[0]], None), lambda x: np.concatenate([x, x[0]], None)),
        "stack": (lambda x: hh.stack([x, x + 1]), lambda x: np.stack([x, x + 1])),
        "stack last": (lambda x: hh.stack(list(x), -1), lambda x: np.stack(list(x), -1)),
        "stack numbers": (lambda x: hh.stack([1, x[0, 0, 0], 2.5]), lambda x: np.array([1, 0, 2.5], np.float32)),
        "unstack": (lambda x: hh.unstack(x, 1), lambda x: [x[:, i] for i in range(3)]),
        "split": (lambda x: hh.split(x, 2, -1), lambda x: np.split(x, 2, -1)),
        "split at": (lambda x: hh.split(x, (1, 3, 3), 2), lambda x: np.split(x, (1, 3, 3), 2)),
        "split beyond": (lambda x: hh.split(x, (-1, 9), 2), lambda x: np.split(x, (-1, 9), 2)),
        "split nothing": (lambda x: hh.split(x[:0], 2), lambda x: np.split(x[:0], 2)),
    }
    check(pairs, CUBE, dtypes=True)


def test_joining_promotes():
    found = evaluate(
        {"concat": lambda a, b: hh.concat([a, b]), "stack": lambda a, b: hh.stack([a, b])}, np.arange(2), CUBE[0, 0, :2]
    )
    assert found["concat"].dtype == found["stack"].dtype == np.float32


def test_parts():
    pairs = {
        "slice": (lambda x: hh.slice(x, (0, 1, 0), (2, 3, 4), (1, 1, 3)), lambda x: x[:, 1:3, ::3]),
        "slice without strides": (lambda x: hh.slice(x, (1, 0, 2), (2, 0, 4)), lambda x: x[1:2, :0, 2:4]),
    }
    check(pairs, CUBE)


def test_padding():
    pairs = {
        "one number": (lambda x: hh.pad(x, 2), lambda x: np.pad(x, 2)),
        "one pair": (lambda x: hh.pad(x, (1, 0)), lambda x: np.pad(x, (1, 0))),
        "pairs": (
            lambda x: hh.pad(x, [(1, 0), (0, 2), (3, 1)], 7.5),
            lambda x: np.pad(x, [(1, 0), (0, 2), (3, 1)], constant_values=7.5),
        ),
        "cut": (
            lambda x: hh.pad(x, [(-1, 0), (0, 0), (1, -2)]),
            lambda x: np.pad(x[1:, :, :2], [(0, 0), (0, 0), (1, 0)]),
        ),
        "with a tensor": (lambda x: hh.pad(x[0, 0], 1, x[1, 2, 3]), lambda x: np.pad(x[0, 0], 1, constant_values=23)),
    }
    check(pairs, CUBE)


def test_padding_between():
    def spread(x):
        out = np.full((2, 5, 10), -1, np.float32)
        out[:, ::2, ::3] = x
        return out

    check({"interior": (lambda x: hh.pad(x, 0, -1, interior=(0, 1, 2)), spread)}, CUBE)


def test_padding_promotes():
    assert evaluate({"pad": lambda: hh.pad(np.arange(2), 1, 0.5)})["pad"].tolist() == [0.5, 0, 1, 0.5]


def test_what_changes_nothing_leaves_no_op():
    text = hh.to_text(hh.trace(lambda x: hh.permute_dims(x.reshape(2, -1), (0, 1)), hh.f32[2, 3]))
    assert "stablehlo" not in text


@pytest.mark.parametrize(
    ("message", "fn"),
    [
        (
            r"reshape: x is f32\[2, 3, 4\], the shape \[5, -1\]; one of 24 elements was expected",
            lambda x: hh.reshape(x, (5, -1)),
        ),
        (r"reshape: x is f32\[2, 3, 4\], the shape \[-1, -1\]", lambda x: x.reshape(-1, -1)),
        (r"reshape: shape is \[2, -2\]; integers >= 0 were expected", lambda x: x.reshape(2, -2)),
        (
            r"permute_dims: axes are \[0, 1\], x is f32\[2, 3, 4\]; 3 were expected",
            lambda x: hh.permute_dims(x, (0, 1)),
        ),
        (r"permute_dims: axis is \(0, 1, -2\); each axis may be named once", lambda x: hh.permute_dims(x, (0, 1, -2))),
        (r"matrix_transpose: x is f32\[4\]; at least 2 dimensions", lambda x: hh.matrix_transpose(x[0, 0])),
        (r"moveaxis: source is \(0, 1\), destination is 0; equally many", lambda x: hh.moveaxis(x, (0, 1), 0)),
        (r"squeeze: dimension 1 of f32\[2, 3, 4\] has size 3; 1 was expected", lambda x: hh.squeeze(x, 1)),
        (r"broadcast_to: f32\[2, 3, 4\] does not broadcast to \[3, 1\]", lambda x: hh.broadcast_to(x, (3, 1))),
        (r"broadcast_to: shapes \[2, 3, 4\] and \[2, 3, 5\] do not", lambda x: hh.broadcast_to(x, (2, 3, 5))),
        (
            r"stablehlo.broadcast_in_dim: broadcast_dimensions are \[0, 1, 1\]; they must be distinct",
            lambda x: hh.broadcast_in_dim(x, (2, 3, 4), (0, 1, 1)),
        ),
        (r"flip: axis is 3; an integer in -3..2 was expected, for rank 3", lambda x: hh.flip(x, 3)),
        (r"flip: axis is 1.5; an integer", lambda x: hh.flip(x, 1.5)),
        (r"roll: shift is \[1, 2\]; one integer or 1 were expected", lambda x: hh.roll(x, (1, 2), 0)),
        (r"concat: there are no arrays", lambda x: hh.concat([])),
        (r"stablehlo.concatenate: inputs\[1\] is tensor<3x4xf32>", lambda x: hh.concat([x, x[0]])),
        (r"stack: arrays\[1\] is f32\[3, 4\], arrays\[0\] f32\[2, 3, 4\]; equal shapes", lambda x: hh.stack([x, x[0]])),
        (r"split: dimension 1 of f32\[2, 3, 4\] has size 3, which is not 2 equal parts", lambda x: hh.split(x, 2, 1)),
        (r"split: dimension 0 of f32\[2, 3, 4\] has size 2, which is not 0 equal", lambda x: hh.split(x, 0)),
        (
            r"stablehlo.slice: dimension 2 of tensor<2x3x4xf32> is sliced 1:5",
            lambda x: hh.slice(x, (0, 0, 1), (2, 3, 5)),
        ),
        (r"stablehlo.slice: start_indices is \[0\]", lambda x: hh.slice(x, (0,), (1,))),
        (r"pad: pad_width is \[\(1, 1\)\], x is f32\[2, 3, 4\]; a number, one pair", lambda x: hh.pad(x, [(1, 1)])),
        (r"pad: pad_width is 1.5, x is f32", lambda x: hh.pad(x, 1.5)),
        (r"pad: interior is \[1, 1\]; one integer or 3 were expected", lambda x: hh.pad(x, 0, interior=(1, 1))),
        (
            r"stablehlo.pad: operand is tensor<2x3x4xf32>, padded to sizes \[0, -1, 0\]",
            lambda x: hh.pad(x, [(-1, -1), (-2, -2), (-2, -2)]),
        ),
    ],
)
def test_errors(message, fn):
    with pytest.raises(hh.ShapeError, match=rf"^{message}(.|\n)*\n  at test_ops_movement\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3, 4])
