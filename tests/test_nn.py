"""Layers and losses and their gradients, against jax.nn and formulas on jax.numpy."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(11)
SPECIAL = np.array([0.0, -0.0, 0.5, -1.5, 30.0, -30.0, 1e4, -1e4, np.inf, -np.inf, np.nan], np.float32)
FINITE = SPECIAL[:8]
IMAGES = RNG.standard_normal((2, 6, 5, 3)).astype(np.float32)
LOGITS = RNG.standard_normal((4, 7)).astype(np.float32) * 5
CLASSES = np.array([0, 6, 2, 2], np.int64)

ACTIVATIONS = {
    "relu": (hh.nn.relu, jax.nn.relu),
    "gelu": (hh.nn.gelu, jax.nn.gelu),
    "silu": (hh.nn.silu, jax.nn.silu),
    "softplus": (hh.nn.softplus, jax.nn.softplus),
}


def gradients(pairs):
    """The derivatives of elementwise functions, in place of the functions."""
    return {
        name: (hh.grad(lambda x, f=ours: hh.sum(f(x))), jax.grad(lambda x, f=theirs: jnp.sum(f(x))))
        for name, (ours, theirs) in pairs.items()
    }


def test_activations():
    check_with_jax(ACTIVATIONS, SPECIAL, rtol=1e-5)
    check_with_jax(gradients(ACTIVATIONS), FINITE, rtol=1e-5)
    check_with_jax(gradients(gradients(ACTIVATIONS)), FINITE[:6], rtol=1e-4, atol=1e-5)


def test_activations_of_integers():
    x = np.array([-3, 0, 2], np.int32)
    found = evaluate({name: ours for name, (ours, _) in ACTIVATIONS.items()}, x)
    assert {name: y.dtype for name, y in found.items()} == dict.fromkeys(ACTIVATIONS, np.float32) | {"relu": np.int32}


AXES = [-1, 0, (0, 1)]
EXPONENTIAL = {
    f"{name} {axis}": (
        lambda x, n=name, a=axis: getattr(hh.nn, n)(x, a),
        lambda x, n=name, a=axis: getattr(jax.nn, n)(x, a),
    )
    for name in ("softmax", "log_softmax", "logsumexp")
    for axis in AXES
}


def test_softmax():
    huge = LOGITS * 1e3
    for x in (LOGITS, huge):
        check_with_jax(EXPONENTIAL, x, rtol=1e-5, atol=1e-5)
    weights = RNG.standard_normal(7).astype(np.float32)
    pairs = {
        name: (lambda x, f=ours: f(x) * weights, lambda x, f=theirs: f(x) * weights)
        for name, (ours, theirs) in EXPONENTIAL.items()
        if name != "logsumexp -1"
    }
    for x in (LOGITS, huge):
        check_with_jax(gradients(pairs), x, rtol=1e-4, atol=1e-5)


def test_logsumexp():
    x = np.array([[-np.inf, -np.inf], [np.inf, 0], [np.nan, 1], [-np.inf, 3]], np.float32)
    pairs = {
        "rows": (lambda x: hh.nn.logsumexp(x, 1), lambda x: jax.nn.logsumexp(x, 1)),
        "kept": (lambda x: hh.nn.logsumexp(x, 1, keepdims=True), lambda x: jax.nn.logsumexp(x, 1, keepdims=True)),
        "all": (lambda x: hh.nn.logsumexp(x[3:]), lambda x: jax.nn.logsumexp(x[3:])),
    }
    check_with_jax(pairs, x)


def test_linear():
    x, w, b = (RNG.standard_normal(s).astype(np.float32) for s in ((2, 5, 3), (3, 4), (4,)))
    pairs = {
        "bias": (hh.nn.linear, lambda x, w, b: x @ w + b),
        "none": (lambda x, w, b: hh.nn.linear(x, w), lambda x, w, b: x @ w),
    }
    check(pairs, x, w, b, rtol=1e-5, atol=1e-5)


def normalised(x, scale, offset, axis, eps=1e-5):
    center = jnp.mean(x, axis, keepdims=True)
    return (x - center) / jnp.sqrt(jnp.var(x, axis, keepdims=True) + eps) * scale + offset


def test_layer_norm():
    scale, offset = RNG.standard_normal((2, 3)).astype(np.float32)
    pairs = {
        "last": (lambda x, s, o: hh.nn.layer_norm(x, s, o), lambda x, s, o: normalised(x, s, o, -1)),
        "space": (
            lambda x, s, o: hh.nn.layer_norm(x, axis=(1, 2), eps=1e-3),
            lambda x, s, o: normalised(x, 1, 0, (1, 2), 1e-3),
        ),
    }
    check_with_jax(pairs, IMAGES, scale, offset, rtol=1e-4, atol=1e-5)
    gradient = {
        "d": (
            hh.grad(lambda x, s, o: hh.sum(hh.nn.layer_norm(x, s, o) ** 3)),
            jax.grad(lambda x, s, o: jnp.sum(normalised(x, s, o, -1) ** 3)),
        )
    }
    check_with_jax(gradient, IMAGES, scale, offset, rtol=1e-3, atol=1e-3)


def test_batch_norm_inference():
    per_feature = RNG.uniform(0.5, 2, (4, 3)).astype(np.float32)

    def theirs(x, scale, offset, mean, variance):
        return (x - mean) / np.sqrt(variance + 1e-5) * scale + offset

    pairs = {
        "last": (hh.nn.batch_norm_inference, theirs),
        "first": (
            lambda x, *v: hh.nn.batch_norm_inference(hh.moveaxis(x, -1, 1), *v, axis=1),
            lambda x, *v: np.moveaxis(theirs(x, *v), -1, 1),
        ),
    }
    check(pairs, IMAGES, *per_feature, rtol=1e-5, atol=1e-5)


POOLS = [
    {"window": (2, 2)},
    {"window": 3, "strides": 2},
    {"window": (3, 2), "strides": 1},
    {"window": (3, 3), "strides": (2, 1), "padding": "SAME"},
    {"window": (2, 2), "padding": [(1, 0), (0, 1)]},
]


def lax_pool(x, init, fn, window, strides=None, padding="VALID"):
    sizes, steps = ((n, n) if isinstance(n, int) else n for n in (window, window if strides is None else strides))
    around = padding if isinstance(padding, str) else [(0, 0), *padding, (0, 0)]
    return jax.lax.reduce_window(x, init, fn, (1, *sizes, 1), (1, *steps, 1), around)


def pool_pairs(options):
    def mean(x, counted):
        return lax_pool(x, 0.0, jax.lax.add, **options) / counted

    def inside(x):
        return mean(x, lax_pool(jnp.ones_like(x), 0.0, jax.lax.add, **options))

    return {
        f"max {options}": (
            lambda x: hh.nn.max_pool(x, **options),
            lambda x: lax_pool(x, -jnp.inf, jax.lax.max, **options),
        ),
        f"mean {options}": (
            lambda x: hh.nn.avg_pool(x, **options),
            lambda x: mean(x, np.prod(np.broadcast_to(options["window"], 2))),
        ),
        f"inside {options}": (lambda x: hh.nn.avg_pool(x, **options, count_include_pad=False), inside),
    }


def test_pools():
    pairs = {name: pair for options in POOLS for name, pair in pool_pairs(options).items()}
    check_with_jax(pairs, IMAGES, rtol=1e-5)
    squares = {n: (lambda x, f=f: f(x) ** 2, lambda x, g=g: g(x) ** 2) for n, (f, g) in pairs.items()}
    check_with_jax(gradients(squares), IMAGES, rtol=1e-4, atol=1e-5)


def test_pools_of_other_ranks_and_types():
    found = evaluate(
        {
            "1-D": lambda x: hh.nn.max_pool(x[0], (3,)),
            "int": lambda x: hh.nn.max_pool(x.astype(hh.i8), (6, 5)),
            "mean of int": lambda x: hh.nn.avg_pool(x.astype(hh.i8), (6, 5)),
            "global": hh.nn.global_avg_pool,
            "global 1-D": lambda x: hh.nn.global_avg_pool(x[0]),
            "no space": lambda x: hh.nn.global_avg_pool(x[0, 0]),
        },
        IMAGES,
    )
    np.testing.assert_array_equal(found["1-D"][:, 0], IMAGES[0, :, :3].max(1))
    assert found["int"].dtype == np.int8
    assert found["mean of int"].dtype == np.float32
    np.testing.assert_allclose(found["global"], IMAGES.mean((1, 2)), atol=1e-6)
    np.testing.assert_allclose(found["global 1-D"], IMAGES[0].mean(1), atol=1e-6)
    np.testing.assert_array_equal(found["no space"], IMAGES[0, 0])


def test_one_hot():
    labels = np.array([[0, 3], [2, -1]])
    pairs = {
        "last": (lambda y: hh.nn.one_hot(y, 3), lambda y: jax.nn.one_hot(y, 3, dtype=np.float32)),
        "first": (
            lambda y: hh.nn.one_hot(y, 3, axis=0, dtype=hh.i8),
            lambda y: jax.nn.one_hot(y, 3, axis=0, dtype=np.int8),
        ),
        "small labels": (
            lambda y: hh.nn.one_hot(y.astype(hh.i8), 200)[0, 0],
            lambda y: np.eye(200, dtype=np.float32)[0],
        ),
    }
    check(pairs, labels, dtypes=True)


def log_likelihood(x, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1)[:, 0]


def test_cross_entropy():
    smooth = RNG.dirichlet(np.ones(7), 4).astype(np.float32)
    pairs = {
        "classes": (lambda x, y, p: hh.nn.cross_entropy(x, y), lambda x, y, p: log_likelihood(x, y)),
        "axis": (lambda x, y, p: hh.nn.cross_entropy(x.T, y, 0), lambda x, y, p: log_likelihood(x, y)),
        "probabilities": (
            lambda x, y, p: hh.nn.cross_entropy(x, p),
            lambda x, y, p: -jnp.sum(p * jax.nn.log_softmax(x), 1),
        ),
    }
    check_with_jax(pairs, LOGITS, CLASSES, smooth, rtol=1e-5, atol=1e-5)
    check_with_jax(gradients_of_first(pairs), LOGITS, CLASSES, smooth, rtol=1e-4, atol=1e-5)


def gradients_of_first(pairs):
    return {
        name: (hh.grad(lambda *xs, f=f: hh.mean(f(*xs))), jax.grad(lambda *xs, g=g: jnp.mean(g(*xs))))
        for name, (f, g) in pairs.items()
    }


def test_impossible_classes_leave_the_loss_of_the_others():
    logits = np.array([[0.0, -np.inf, 0.0]], np.float32)
    found = evaluate({"loss": lambda x, y: hh.nn.cross_entropy(x, y)}, logits, np.array([2]))
    np.testing.assert_allclose(found["loss"], [np.log(2)], rtol=1e-6)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"softmax: axis is 2; an integer in -2\.\.1", lambda x: hh.nn.softmax(x, 2)),
        (hh.ShapeError, r"logsumexp: axis is \(0, 0\); each axis", lambda x: hh.nn.logsumexp(x, (0, 0))),
        (hh.ShapeError, r"layer_norm: axis is -3", lambda x: hh.nn.layer_norm(x, axis=-3)),
        (hh.ShapeError, r"matmul: operands are f32\[2, 3\] and f32\[2, 3\]", lambda x: hh.nn.linear(x, x)),
        (
            hh.ShapeError,
            r"batch_norm_inference: mean is f32\[2\], x is f32\[2, 3\]; a vector of 3 elements, the size of dimension 1",
            lambda x: hh.nn.batch_norm_inference(x, x[0], x[0], x[:, 0], x[0]),
        ),
        (
            hh.ShapeError,
            r"max_pool: window is \[2, 2\]; one integer or 0 were expected",
            lambda x: hh.nn.max_pool(x, (2, 2)),
        ),
        (hh.ShapeError, r"avg_pool: x is f32\[3\]; \[N, spatial\.\., C\]", lambda x: hh.nn.avg_pool(x[0], 2)),
        (
            hh.ShapeError,
            r"global_avg_pool: x is f32\[3\]; \[N, spatial\.\., C\]",
            lambda x: hh.nn.global_avg_pool(x[0]),
        ),
        (hh.DTypeError, r"one_hot: labels are f32\[2, 3\]; integers were expected", lambda x: hh.nn.one_hot(x, 3)),
        (
            hh.ShapeError,
            r"cross_entropy: labels are i32\[3\], logits are f32\[2, 3\]; labels \[2\] were expected",
            lambda x: hh.nn.cross_entropy(x, hh.arange(3)),
        ),
        (hh.ShapeError, r"cross_entropy: labels are f32\[3\]", lambda x: hh.nn.cross_entropy(x, x[0])),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_nn\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
