"""Activations, normalisations, attention, dropout and losses, against JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(9)
X = np.concatenate([RNG.standard_normal(20) * 3, [0.0, 6.0, -3.0, 3.0, 1.0, -1.0, 50.0, -50.0]]).reshape(4, 7)
KEY = hh.random.key(4)

ACTIVATIONS = {
    **{
        name: (getattr(hh.nn, name), getattr(jax.nn, name))
        for name in (
            *("relu", "relu6", "elu", "selu", "mish", "log_sigmoid", "soft_sign", "hard_tanh", "hard_sigmoid"),
            *("hard_silu", "softplus", "silu", "swish", "leaky_relu", "gelu"),
        )
    },
    "elu of its own": (lambda x: hh.nn.elu(x, 0.3), lambda x: jax.nn.elu(x, 0.3)),
    "leaky of its own": (lambda x: hh.nn.leaky_relu(x, 0.3), lambda x: jax.nn.leaky_relu(x, 0.3)),
    "glu": (lambda x: hh.nn.glu(x, 0), lambda x: jax.nn.glu(x, 0)),
    "exact gelu": (lambda x: hh.nn.gelu(x, approximate=False), lambda x: jax.nn.gelu(x, approximate=False)),
}


def test_activations():
    check_with_jax(ACTIVATIONS, X, rtol=1e-9, atol=1e-12)


def gradients(pairs):
    return {
        name: (
            hh.grad(lambda x, f=f: (f(x) ** 2 / 2 + f(x)).sum()),
            jax.grad(lambda x, g=g: (g(x) ** 2 / 2 + g(x)).sum()),
        )
        for name, (f, g) in pairs.items()
    }


def test_gradients_of_activations():
    check_with_jax(gradients(ACTIVATIONS), X, rtol=1e-8, atol=1e-9)


def normalized(x, axes, eps):
    return (x - x.mean(axes, keepdims=True)) / jnp.sqrt(x.var(axes, keepdims=True) + eps)


IMAGES = RNG.standard_normal((3, 2, 5, 4)) * 2 + 1
SCALE, OFFSET = RNG.standard_normal(4), RNG.standard_normal(4)


def test_normalizations():
    pairs = {
        "batch": (
            lambda x: hh.nn.batch_norm(x, SCALE, OFFSET)[0],
            lambda x: normalized(x, (0, 1, 2), 1e-5) * SCALE + OFFSET,
        ),
        "batch, first": (
            lambda x: hh.nn.batch_norm(x.transpose(3, 0, 1, 2), SCALE, OFFSET, axis=0, eps=0.1)[0],
            lambda x: (normalized(x, (0, 1, 2), 0.1) * SCALE + OFFSET).transpose(3, 0, 1, 2),
        ),
        "mean": (lambda x: hh.nn.batch_norm(x, SCALE, OFFSET)[1], lambda x: x.mean((0, 1, 2))),
        "variance": (lambda x: hh.nn.batch_norm(x, SCALE, OFFSET)[2], lambda x: x.var((0, 1, 2))),
        "rms": (
            lambda x: hh.nn.rms_norm(x, SCALE),
            lambda x: x / jnp.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * SCALE,
        ),
        "group": (
            lambda x: hh.nn.group_norm(x, 2, SCALE, OFFSET),
            lambda x: normalized(x.reshape(3, -1, 2, 2), (1, 3), 1e-5).reshape(x.shape) * SCALE + OFFSET,
        ),
    }
    check_with_jax(pairs, IMAGES, rtol=1e-6, atol=1e-7)
    check_with_jax(gradients(pairs), IMAGES, rtol=1e-5, atol=1e-5)


def test_batch_norm_far_from_zero():
    x = (RNG.standard_normal((1000, 2)) + 1e4).astype(np.float32)
    found = evaluate({"f": lambda x: hh.nn.batch_norm(x, np.ones(2, np.float32), np.zeros(2, np.float32))}, x)["f"]
    exact = x.astype(np.float64)
    np.testing.assert_allclose(found[1], exact.mean(0), rtol=1e-6)
    np.testing.assert_allclose(found[2], exact.var(0), rtol=1e-3)
    narrow = evaluate(
        {"f": lambda x: hh.nn.batch_norm(x, SCALE[:2], OFFSET[:2])}, IMAGES[0, 0, :, :2].astype(np.float16)
    )["f"]
    assert [y.dtype.name for y in narrow] == ["float16"] * 3


Q, K, V = (RNG.standard_normal((2, n, 4, 3)) for n in (5, 6, 6))
MASK = RNG.random((2, 1, 5, 6)) > 0.4
BIAS = RNG.standard_normal((4, 5, 6))


def attend(q, k, v, **options):
    return jax.nn.dot_product_attention(q, k, v, **options)


def test_attention():
    options = {
        "plain": {},
        "mask": {"mask": MASK},
        "bias": {"bias": BIAS[None]},
        "causal": {"is_causal": True},
        "all": {"is_causal": True, "mask": MASK, "bias": BIAS[None], "scale": 0.3},
        "nothing seen": {"mask": np.zeros((1, 1, 5, 6), bool)},
    }
    pairs = {
        name: (lambda q, k, v, o=o: hh.nn.attention(q, k, v, **o), lambda q, k, v, o=o: attend(q, k, v, **o))
        for name, o in options.items()
    }
    pairs["groups"] = (
        lambda q, k, v: hh.nn.attention(q, k[:, :, :2], v[:, :, :2]),
        lambda q, k, v: attend(q, k[:, :, :2], v[:, :, :2]),
    )
    pairs["no batch"] = (lambda q, k, v: hh.nn.attention(q[0], k[0], v[0]), lambda q, k, v: attend(q[0], k[0], v[0]))
    # JAX computes the softmax of f64 in f32.
    check_with_jax(pairs, Q, K, V, rtol=1e-5, atol=1e-6)
    found = evaluate({"f": lambda q, k, v: hh.nn.attention(q, k, v, is_causal=True)}, Q, K[:, :5], V[:, :5])["f"]
    scores = np.einsum("btnh,bsnh->bnts", Q, K[:, :5]) / np.sqrt(3)
    weights = np.where(np.tri(5, dtype=bool), np.exp(scores), 0)
    expected = np.einsum("bnts,bsnh->btnh", weights / weights.sum(-1, keepdims=True), V[:, :5])
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_embedding_and_dropout():
    table = RNG.standard_normal((6, 3)).astype(np.float32)
    ids = np.array([[0, 5], [2, 2]])
    check({"rows": (lambda t, i: hh.nn.embedding(t, i), lambda t, i: t[i])}, table, ids)
    ones = np.ones((100, 100), np.float32)
    found = evaluate(
        {
            "some": lambda k, x: hh.nn.dropout(k, x, 0.3),
            "none": lambda k, x: hh.nn.dropout(k, x, 0),
            "gradient": lambda k, x: hh.grad(lambda x: (hh.nn.dropout(k, x, 0.3) * 2).sum())(x),
        },
        KEY,
        ones,
    )
    kept = found["some"] != 0
    np.testing.assert_allclose(found["some"][kept], 1 / 0.7, rtol=1e-6)
    assert abs(kept.mean() - 0.7) < 4 * np.sqrt(0.21) / 100
    np.testing.assert_array_equal(found["none"], ones)
    np.testing.assert_allclose(found["gradient"], found["some"] * 2, rtol=1e-6)


def test_losses():
    p = RNG.random((4, 7))

    def binary(x):
        return -p * jax.nn.log_sigmoid(x) - (1 - p) * jax.nn.log_sigmoid(-x)

    def huber(x):
        d = jnp.abs(x - p)
        return jnp.where(d <= 2, d * d / 2, 2 * (d - 1))

    pairs = {
        "binary": (lambda x: hh.nn.binary_cross_entropy(x, p), binary),
        "binary of i1": (
            lambda x: hh.nn.binary_cross_entropy(x, p > 0.5),
            lambda x: -jax.nn.log_sigmoid(jnp.where(p > 0.5, x, -x)),
        ),
        "squares": (lambda x: hh.nn.mean_squared_error(x, p), lambda x: ((x - p) ** 2).mean()),
        "huber": (lambda x: hh.nn.huber(x, p, 2.0), huber),
    }
    check_with_jax(pairs, X, rtol=1e-9)
    check_with_jax(gradients(pairs), X, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"split: dimension 1 of f32\[2, 3\] has size 3", lambda x: hh.nn.glu(x)),
        (hh.ShapeError, r"group_norm: x is f32\[2, 3\], groups is 2", lambda x: hh.nn.group_norm(x, 2)),
        (
            hh.ShapeError,
            r"batch_norm: scale is f32\[2\], x is f32\[2, 3\]; a vector of 3",
            lambda x: hh.nn.batch_norm(x, x[:, 0], x[0]),
        ),
        (hh.ShapeError, r"dropout: rate is 1", lambda x: hh.nn.dropout(KEY, x, 1)),
        (hh.DTypeError, r"embedding: ids is f32\[3\]; integers", lambda x: hh.nn.embedding(x, x[0])),
        (hh.ShapeError, r"attention: query is f32\[2, 3\], key f32\[2, 3\]", lambda x: hh.nn.attention(x, x, x)),
        (
            hh.ShapeError,
            r"mean_squared_error: found f32\[2, 3\] and f32\[3\]",
            lambda x: hh.nn.mean_squared_error(x, x[0]),
        ),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_nn_more\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
