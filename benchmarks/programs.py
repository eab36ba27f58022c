"""The programs that are measured, as functions of JAX; `transformer` is one of hhlo_xdsl too.

They are made of plain ops. What JAX knows beside the ops, custom derivative rules (relu, logaddexp) and stop_gradient
(log_softmax), is not in its text, which is all that a reader of text gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, TOKENS, BATCH = 64, 4, 16, 2
LAYER = {"q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "o": (WIDTH, WIDTH)} | {
    **{"up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)},
    **{name: (WIDTH,) for name in ("gain1", "bias1", "gain2", "bias2")},
}
"""The shapes of the parameters of one layer of a transformer."""


def transformer(xp: Any) -> Callable[[Any, Any], Any]:
    """The loss of a transformer, from its layers' parameters and the embedded tokens.

    xp : jax.numpy or hhlo_xdsl, which both have the names of the array API
    """

    def normalized(x: Any, gain: Any, bias: Any) -> Any:
        centered = x - xp.mean(x, axis=-1, keepdims=True)
        variance = xp.mean(centered * centered, axis=-1, keepdims=True)
        return centered / xp.sqrt(variance + 1e-5) * gain + bias

    def softmax(x: Any) -> Any:
        e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
        return e / xp.sum(e, axis=-1, keepdims=True)

    def heads(x: Any) -> Any:
        return xp.permute_dims(xp.reshape(x, (BATCH, TOKENS, HEADS, WIDTH // HEADS)), (0, 2, 1, 3))

    def attention(p: dict[str, Any], x: Any) -> Any:
        q, k, v = (heads(xp.matmul(x, p[name])) for name in ("q", "k", "v"))
        weights = softmax(xp.matmul(q, xp.matrix_transpose(k)) * (WIDTH // HEADS) ** -0.5)
        joined = xp.reshape(xp.permute_dims(xp.matmul(weights, v), (0, 2, 1, 3)), (BATCH, TOKENS, WIDTH))
        return xp.matmul(joined, p["o"])

    def gelu(x: Any) -> Any:
        return 0.5 * x * (1.0 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    def loss(layers: list[dict[str, Any]], x: Any) -> Any:
        for p in layers:
            x = x + attention(p, normalized(x, p["gain1"], p["bias1"]))
            hidden = gelu(xp.matmul(normalized(x, p["gain2"], p["bias2"]), p["up"]))
            x = x + xp.matmul(hidden, p["down"])
        return xp.mean(x * x)

    return loss


def shaped(make: Callable[[tuple[int, ...]], Any], layers: int) -> tuple[list[dict[str, Any]], Any]:
    """The arguments of a transformer of so many layers, each made from its shape."""
    return [{name: make(shape) for name, shape in LAYER.items()} for _ in range(layers)], make((BATCH, TOKENS, WIDTH))


def jax_text(layers: int) -> str:
    """A transformer as JAX prints it."""
    arguments = shaped(lambda shape: jax.ShapeDtypeStruct(shape, np.float32), layers)
    return jax.jit(transformer(jnp)).lower(*arguments).as_text()


@dataclass(frozen=True)
class Program:
    """A function whose gradient is compared: its name, itself, its arguments, and which of them are differentiated."""

    name: str
    f: Callable[..., Any]
    arguments: tuple[Any, ...]
    wrt: tuple[int, ...]


def _arrays(*shapes: tuple[int, ...], dtype: Any = np.float32) -> tuple[Any, ...]:
    random = np.random.default_rng(0)
    return tuple(random.standard_normal(shape).astype(dtype) for shape in shapes)


def logistic_regression(w: Any, b: Any, x: Any, y: Any) -> Any:
    z = -y * (x @ w + b)
    return jnp.mean(jnp.maximum(z, 0) + jnp.log1p(jnp.exp(-jnp.abs(z))))


def mlp(x: Any, y: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    return jnp.mean((jnp.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2)


def convolution(x: Any, w: Any, **options: Any) -> Any:
    return jax.lax.conv_general_dilated(x, w, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)


def pooled(x: Any) -> Any:
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def cross_entropy(x: Any, y: Any) -> Any:
    """The mean loss of logits x for probabilities y."""
    below = x - jnp.max(x, axis=-1, keepdims=True)
    return -jnp.mean(jnp.sum(y * (below - jnp.log(jnp.sum(jnp.exp(below), axis=-1, keepdims=True))), axis=-1))


def cnn(x: Any, y: Any, w1: Any, b1: Any, w2: Any, w3: Any) -> Any:
    x = pooled(jnp.maximum(convolution(x, w1, window_strides=(1, 1), padding="SAME") + b1, 0))
    x = jnp.maximum(convolution(x, w2, window_strides=(2, 2), padding="SAME"), 0)
    x = jax.lax.reduce_window(x, 0.0, jax.lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    return cross_entropy(x.reshape(len(x), -1) @ w3, y)


STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))
"""Of ResNet-50: the width of the inner convolutions, how many blocks, and the stride of the first one."""


def _normalized_conv(x: Any, p: dict[str, Any], stride: int) -> Any:
    """A convolution, then a batch normalization."""
    x = convolution(x, p["w"], window_strides=(stride, stride), padding="SAME")
    centered = x - jnp.mean(x, (0, 1, 2))
    return centered / jnp.sqrt(jnp.mean(centered * centered, (0, 1, 2)) + 1e-5) * p["gain"] + p["bias"]


def resnet50(p: dict[str, Any], x: Any, y: Any) -> Any:
    """The loss of ResNet-50, 25 million parameters, its batch normalizations included."""
    x = pooled(jnp.maximum(_normalized_conv(x, p["stem"], 2), 0))
    for stage, (_, blocks, stride) in enumerate(STAGES):
        for block in range(blocks):
            q, step = p[f"{stage}.{block}"], stride if block == 0 else 1
            inner = jnp.maximum(_normalized_conv(x, q["in"], 1), 0)
            inner = jnp.maximum(_normalized_conv(inner, q["mid"], step), 0)
            around = _normalized_conv(x, q["around"], step) if block == 0 else x
            x = jnp.maximum(_normalized_conv(inner, q["out"], 1) + around, 0)
    return cross_entropy(jnp.mean(x, (1, 2)) @ p["w"], y)


def _conv_shapes(size: int, inputs: int, outputs: int) -> dict[str, Any]:
    shapes = {"w": (size, size, inputs, outputs), "gain": (outputs,), "bias": (outputs,)}
    return {name: jax.ShapeDtypeStruct(shape, np.float32) for name, shape in shapes.items()}


def resnet50_shapes() -> tuple[Any, ...]:
    """The types of its parameters, and of two images of 64 x 64 with their labels."""
    p: dict[str, Any] = {"stem": _conv_shapes(7, 3, 64)}
    features = 64
    for stage, (width, blocks, _) in enumerate(STAGES):
        for block in range(blocks):
            q = {"in": _conv_shapes(1, features, width), "mid": _conv_shapes(3, width, width)}
            q["out"] = _conv_shapes(1, width, 4 * width)
            if block == 0:
                q["around"] = _conv_shapes(1, features, 4 * width)
            p[f"{stage}.{block}"], features = q, 4 * width
    p["w"] = jax.ShapeDtypeStruct((features, 1000), np.float32)
    return p, *(jax.ShapeDtypeStruct(shape, np.float32) for shape in ((2, 64, 64, 3), (2, 1000)))


def attention(x: Any, q: Any, k: Any, v: Any, o: Any, gain: Any) -> Any:
    h = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * gain
    scores = jnp.einsum("bid,bjd->bij", h @ q, h @ k) / np.sqrt(x.shape[-1])
    causal = jnp.tril(jnp.ones(scores.shape[1:], bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf))
    return jnp.mean((x + jnp.einsum("bij,bjd->bid", weights, h @ v) @ o) ** 2)


def transposed_conv(x: Any, w: Any) -> Any:
    options: dict[str, Any] = {"window_strides": (1, 1), "padding": ((2, 1), (2, 1)), "lhs_dilation": (2, 2)}
    return jnp.sum(jnp.sin(convolution(x, w, **options)))


def grouped_conv(x: Any, w: Any) -> Any:
    options: dict[str, Any] = {"window_strides": (2, 1), "padding": ((1, 1), (1, 1)), "rhs_dilation": (1, 2)}
    return jnp.sum(jnp.sin(convolution(x, w, feature_group_count=2, **options)))


def second_order(x: Any) -> Any:
    return jnp.sum(jax.grad(lambda x: jnp.sum(jnp.exp(x) * x))(x) ** 2)


def calls(x: Any) -> Any:
    f = jax.jit(lambda x: jnp.cos(x) * x)
    return jnp.sum(f(f(x)) + f(2.0 * x))


def embedding(table: Any, w: Any, tokens: Any) -> Any:
    return jnp.mean(jnp.tanh(table[tokens] @ w) ** 2)


def gru(wz: Any, wr: Any, wh: Any, xs: Any) -> Any:
    def step(h: Any, x: Any) -> tuple[Any, None]:
        both = jnp.concatenate([h, x], -1)
        z, r = jax.nn.sigmoid(both @ wz), jax.nn.sigmoid(both @ wr)
        return (1 - z) * h + z * jnp.tanh(jnp.concatenate([r * h, x], -1) @ wh), None

    return jnp.sum(jax.lax.scan(step, jnp.zeros((xs.shape[1], wz.shape[1])), xs)[0] ** 2)


def cumulative(x: Any) -> Any:
    return jnp.sum(jnp.cumsum(x) ** 2) + jnp.sum(jnp.cumprod(x)) + jnp.sum(jnp.sin(jax.lax.cummax(x)))


def cond(x: Any, p: Any) -> Any:
    return jnp.sum(jax.lax.cond(p > 0, jnp.sin, lambda x: x * x, x))


def sort_gather(x: Any) -> Any:
    order = jnp.argsort(x)
    return jnp.sum(x[order] * jnp.arange(1.0, 1.0 + len(x), dtype=x.dtype)) + jnp.sum(jnp.sort(x)[:3] ** 2)


def programs() -> list[Program]:
    """The functions behind tests/data/programs, and more: those and loops."""
    tokens = np.arange(10, dtype=np.int32) % 7
    layers, x = shaped(lambda shape: _arrays(shape)[0], 2)
    deep = shaped(lambda shape: jax.ShapeDtypeStruct(shape, np.float32), 12)
    return [
        Program("logistic_regression", logistic_regression, _arrays((5,), (), (20, 5), (20,)), (0, 1)),
        Program("mlp", mlp, _arrays((16, 4), (16, 2), (4, 32), (32,), (32, 2), (2,)), (2, 3, 4, 5)),
        Program(
            "cnn", cnn, _arrays((3, 16, 16, 2), (3, 4), (3, 3, 2, 6), (6,), (3, 3, 6, 8), (32, 4)), (0, 2, 3, 4, 5)
        ),
        Program("attention", attention, _arrays((2, 7, 12), *[(12, 12)] * 4, (12,)), (0, 1, 2, 3, 4, 5)),
        Program("transposed_conv", transposed_conv, _arrays((1, 3, 4, 2), (3, 3, 2, 3)), (0, 1)),
        Program("grouped_conv", grouped_conv, _arrays((2, 7, 6, 4), (3, 2, 2, 6)), (0, 1)),
        Program("second_order", second_order, _arrays((4,)), (0,)),
        Program("calls", calls, _arrays((3,)), (0,)),
        Program("transformer", transformer(jnp), (layers, x), (0, 1)),
        Program("transformer of 12 layers", transformer(jnp), deep, (0, 1)),
        Program("resnet50", resnet50, resnet50_shapes(), (0,)),
        Program("embedding", embedding, (*_arrays((7, 5), (5, 4)), tokens), (0, 1)),
        Program("gru", gru, _arrays((9, 5), (9, 5), (9, 5), (6, 3, 4)), (0, 1, 2, 3)),
        Program("cumulative", cumulative, _arrays((8,)), (0,)),
        Program("cond", cond, _arrays((5,), ()), (0,)),
        Program("sort_gather", sort_gather, _arrays((8,)), (0,)),
    ]
