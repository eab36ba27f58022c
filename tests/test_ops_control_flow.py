"""The functions that build loops and choices: values, gradients, containers, outer tensors, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hhlo_xdsl as hh
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from tests.evaluate import check_with_jax

RNG = np.random.default_rng(0)
X, W, XS = RNG.standard_normal(3), RNG.standard_normal((3, 3)), RNG.standard_normal((5, 3))


def rnn(xp: Any, scan: Any) -> Callable[..., Any]:
    """The loss of a recurrent network; its weight is an outer tensor, its carry a dict."""

    def loss(w: Any, xs: Any) -> Any:
        def step(carry: Any, x: Any) -> Any:
            h = xp.tanh(xp.matmul(w, carry["h"]) + x)
            return {"h": h, "n": carry["n"] + 1}, (h, xp.sum(h))

        carry, (hs, sums) = scan(step, {"h": xs[0], "n": 0}, xs)
        return xp.sum(hs * hs) + xp.sum(sums) * xp.sum(carry["h"])

    return loss


def test_values() -> None:
    check_with_jax(
        {
            "while": (
                lambda x, *_: hh.while_loop(
                    lambda c: hh.sum(c["y"]) < 9.0, lambda c: {"y": c["y"] * 1.5}, {"y": hh.abs(x)}
                )["y"],
                lambda x, *_: lax.while_loop(lambda y: jnp.sum(y) < 9.0, lambda y: y * 1.5, jnp.abs(x)),
            ),
            "fori": (
                lambda x, w, _: hh.fori_loop(1, 4, lambda i, y: hh.sin(y) * w[i - 1] + i, x),
                lambda x, w, _: lax.fori_loop(1, 4, lambda i, y: jnp.sin(y) * w[i - 1] + i, x),
            ),
            "fori_of_tensors": (
                lambda x, w, _: hh.fori_loop(0, hh.argmax(x) + 2, lambda i, y: hh.matmul(w, y), x),
                lambda x, w, _: lax.fori_loop(0, jnp.argmax(x) + 2, lambda i, y: w @ y, x),
            ),
            "rnn": (lambda _, w, xs: rnn(hh, hh.scan)(w, xs), lambda _, w, xs: rnn(jnp, lax.scan)(w, xs)),
            "reverse": (
                lambda x, w, xs: hh.scan(lambda c, v: (c * v, c + v), x, xs, reverse=True)[1],
                lambda x, w, xs: lax.scan(lambda c, v: (c * v, c + v), x, xs, reverse=True)[1],
            ),
            "length": (
                lambda x, *_: hh.scan(lambda c, _: (c * 2, c), x, length=4)[1],
                lambda x, *_: lax.scan(lambda c, _: (c * 2, c), x, None, length=4)[1],
            ),
            "map": (
                lambda x, w, xs: hh.map(lambda v: hh.matmul(w, v[0]) * v[1], (xs, xs[:, 0])),
                lambda x, w, xs: lax.map(lambda v: w @ v[0] * v[1], (xs, xs[:, 0])),
            ),
            "cond": (
                lambda x, w, _: hh.cond(hh.sum(x) > 0, lambda y: hh.matmul(w, y), lambda y: y * 2, x),
                lambda x, w, _: lax.cond(jnp.sum(x) > 0, lambda y: w @ y, lambda y: y * 2, x),
            ),
            "switch": (
                lambda x, *_: [hh.switch(i, [hh.sin, hh.cos, lambda y: y], x) for i in (0, 1, 2, 7)],
                lambda x, *_: [jnp.sin(x), jnp.cos(x), x, x],
            ),
            "checkpoint": (lambda x, *_: hh.checkpoint(lambda y: hh.sin(y) * 2)(x), lambda x, *_: jnp.sin(x) * 2),
        },
        X,
        W,
        XS,
        rtol=1e-12,
        atol=1e-12,
    )


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8])
def test_associative_scan(n: int) -> None:
    """Of affine maps, which do not commute."""
    a, b = RNG.standard_normal((2, n)), RNG.standard_normal((2, n))

    def after(p: Any, q: Any) -> Any:
        return p[0] * q[0], p[1] * q[0] + q[1]

    for reverse in (False, True):
        found = hh.jit(lambda a, b, r=reverse: hh.associative_scan(after, (a, b), axis=1, reverse=r))(a, b)
        expected = lax.associative_scan(after, (a, b), axis=1, reverse=reverse)
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x.numpy(), y, rtol=1e-12)


def test_no_steps() -> None:
    last, ys = hh.jit(lambda x, xs: hh.scan(lambda c, v: (c * 2, (c + v, 1)), x, xs))(X, XS[:0])
    assert last.numpy().tolist() == X.tolist()
    assert [y.numpy().shape for y in ys] == [(0, 3), (0,)]


def test_gradients() -> None:
    ours = hh.value_and_grad(rnn(hh, hh.scan), wrt=(0, 1))(W, XS)
    theirs = jax.jit(jax.value_and_grad(rnn(jnp, lax.scan), (0, 1)))(W, XS)
    for a, b in zip(jax.tree.leaves(theirs), (ours[0], *ours[1]), strict=True):
        np.testing.assert_allclose(b.numpy(), a, rtol=1e-10)


@pytest.mark.parametrize("checkpoint", ["sqrt", "binomial"])
def test_checkpoints_of_one_loop(checkpoint: str) -> None:
    def scan(*args: Any) -> Any:
        return hh.scan(*args, checkpoint=checkpoint)

    found = hh.jit(hh.grad(rnn(hh, scan)))(W, XS)
    np.testing.assert_allclose(found.numpy(), jax.jit(jax.grad(rnn(jnp, lax.scan)))(W, XS), rtol=1e-10)


def test_hessian_vector_product() -> None:
    """The gradient of a gradient of a scan."""

    def hvp(xp: Any, grad: Any, scan: Any) -> Callable[..., Any]:
        def product(w: Any, xs: Any, v: Any) -> Any:
            return grad(lambda w: xp.sum(grad(rnn(xp, scan))(w, xs) * v))(w)

        return product

    found = hh.jit(hvp(hh, hh.grad, hh.scan))(W, XS, W + 1)
    np.testing.assert_allclose(found.numpy(), jax.jit(hvp(jnp, jax.grad, lax.scan))(W, XS, W + 1), rtol=1e-9)


def test_unknown_trip_count() -> None:
    def root(a: Any) -> Any:
        return hh.while_loop(lambda x: hh.abs(x * x - a) > 1e-13, lambda x: (x + a / x) / 2, a, slots=3)

    np.testing.assert_allclose(hh.grad(root)(np.array(7.3)).numpy(), 0.5 / np.sqrt(7.3), rtol=1e-10)


def test_aux_and_outer_tensors_survive_the_way_back() -> None:
    def loss(x: Any) -> Any:
        y = hh.fori_loop(0, 3, lambda _, y: hh.sin(y) * x, x)
        z = hh.cond(hh.sum(y) > -100.0, lambda: y * y, lambda: y)
        return hh.sum(z), (y, z)

    gradient, (y, z) = hh.grad(loss, has_aux=True)(X)
    expected = X
    for _ in range(3):
        expected = np.sin(expected) * X
    np.testing.assert_allclose(y.numpy(), expected)
    np.testing.assert_allclose(z.numpy(), expected**2)
    assert gradient.numpy().shape == (3,)


def checkpointed(xp: Any, checkpoint: Any) -> Callable[..., Any]:
    block = checkpoint(lambda w, x: xp.tanh(xp.matmul(w, xp.sin(x))))

    def loss(w: Any, x: Any) -> Any:
        for _ in range(3):
            x = block(w, x)
        return xp.sum(x * x)

    return loss


def test_checkpoint_computes_again() -> None:
    loss = checkpointed(hh, hh.checkpoint)
    found = hh.grad(loss, wrt=(0, 1))(W, X)
    expected = jax.jit(jax.grad(checkpointed(jnp, jax.checkpoint), (0, 1)))(W, X)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b, rtol=1e-10)
    text = hh.to_text(hh.trace(hh.grad(loss), hh.f64[3, 3], hh.f64[3]))
    assert text.count("stablehlo.sine") == 6
    assert text.count("stablehlo.optimization_barrier") == 3


def test_checkpointed_steps_of_a_scan() -> None:
    """Only what each step starts from is saved; first and second order."""

    def loss(xp: Any, scan: Any, checkpoint: Any) -> Callable[..., Any]:
        def fn(w: Any, x: Any, xs: Any) -> Any:
            def step(h: Any, u: Any) -> Any:
                h = xp.tanh(xp.matmul(w, xp.sin(xp.matmul(w, h) + u)))
                return h, xp.sum(h)

            h, y = scan(checkpoint(step), x, xs)
            return xp.sum(h * h) + xp.sum(y * y)

        return fn

    ours, theirs = loss(hh, hh.scan, hh.checkpoint), loss(jnp, lax.scan, jax.checkpoint)
    found = hh.grad(ours, (0, 1, 2))(W, X, XS)
    for a, b in zip(found, jax.jit(jax.grad(theirs, (0, 1, 2)))(W, X, XS), strict=True):
        np.testing.assert_allclose(a.numpy(), b, rtol=1e-10)
    second = hh.grad(lambda w: hh.sum(hh.grad(ours)(w, X, XS) * w))(W)
    expected = jax.jit(jax.grad(lambda w: jnp.sum(jax.grad(theirs)(w, X, XS) * w)))(W)
    np.testing.assert_allclose(second.numpy(), expected, rtol=1e-9)
    module = hh.trace(hh.grad(ours), hh.f64[3, 3], hh.f64[3], hh.f64[5, 3])
    forward = next(op for op in module.walk() if isinstance(op, WhileOp))
    assert [str(r.type) for r in forward.results] == [
        "tensor<i32>",
        "tensor<3xf64>",
        "tensor<5xf64>",
        "tensor<5x3xf64>",
    ]


def test_checkpoint_needs_less_memory() -> None:
    """XLA's own count of temporary bytes: eight parts of four large values each."""

    def loss(part: Any, x: Any) -> Any:
        for _ in range(8):
            x = part(x)
        return hh.sum(x)

    def part(x: Any) -> Any:
        for _ in range(4):
            x = hh.tanh(hh.matmul(x, x))
        return x

    def temporary(fn: Any) -> int:
        module = hh.trace(hh.grad(lambda x: loss(fn, x)), hh.f32[64, 64])
        return hh.Session("cpu").compile(module).compiled.get_compiled_memory_stats().temp_size_in_bytes

    assert temporary(hh.checkpoint(part)) < 0.6 * temporary(part)


WRONG: dict[str, tuple[Callable[..., Any], type[Exception], str]] = {
    "carry_dtype": (
        lambda x: hh.fori_loop(0, 3, lambda i, c: {"a": c["a"] + x.astype(hh.f64)}, {"a": x}),
        hh.DTypeError,
        r"fori_loop: body takes f32\[2\] at \['a'\] and returns f64\[2\]; its element type must stay",
    ),
    "carry_shape": (
        lambda x: hh.while_loop(lambda c: True, lambda c: hh.concat([c, c]), x),
        hh.ShapeError,
        r"while_loop: body takes f32\[2\] and returns f32\[4\]; its shape must stay",
    ),
    "carry_structure": (
        lambda x: hh.scan(lambda c, _: ((c, c), c), x, length=2),
        hh.TraceError,
        "scan: f takes the structure .* and returns",
    ),
    "pair": (lambda x: hh.scan(lambda c, _: c, x, length=2), hh.TraceError, r"f returned Tensor; a pair"),
    "no_length": (lambda x: hh.scan(lambda c, _: (c, c), x), hh.TraceError, "give the number of steps as length"),
    "lengths": (
        lambda x: hh.map(lambda v: v[0], (x, hh.concat([x, x]))),
        hh.ShapeError,
        r"scan: the size of xs\[0\] is 2, the size of xs\[1\] is 4; one number of steps",
    ),
    "rank": (
        lambda x: hh.map(lambda v: v, hh.sum(x)),
        hh.ShapeError,
        r"xs is f32\[\]; a tensor with a first dimension was",
    ),
    "predicate": (
        lambda x: hh.while_loop(lambda c: c > 0, lambda c: c, x),
        hh.DTypeError,
        r"while_loop: cond is i1\[2\]; a boolean scalar was expected",
    ),
    "pred": (lambda x: hh.cond(hh.sum(x), hh.sin, hh.cos, x), hh.DTypeError, r"cond: pred is f32\[\]; a boolean"),
    "branches": (
        lambda x: hh.cond(True, lambda: x, lambda: hh.sum(x)),
        hh.ShapeError,
        r"cond: as result 0 true_fn returns f32\[2\], false_fn returns f32\[\]; one type was expected",
    ),
    "structures": (
        lambda x: hh.cond(True, lambda: x, lambda: (x, x)),
        hh.TraceError,
        "cond: true_fn returns the struc",
    ),
    "index": (lambda x: hh.switch(hh.sum(x), [hh.sin], x), hh.DTypeError, r"switch: index is f32\[\]; one integer"),
    "no_branches": (lambda x: hh.switch(0, [], x), hh.TraceError, "there are no branches"),
    "bound": (lambda x: hh.fori_loop(0, x, lambda i, c: c, x), hh.DTypeError, r"fori_loop: upper|lower is f32"),
    "slots": (lambda x: hh.while_loop(lambda c: True, hh.sin, x, slots=0), hh.TraceError, "slots is 0; at least 1"),
    "checkpoint": (
        lambda x: hh.map(hh.sin, x, checkpoint="some"),
        hh.TraceError,
        "checkpoint is 'some'; one of 'all', 'sqrt', 'binomial'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors(name: str) -> None:
    fn, kind, message = WRONG[name]
    with pytest.raises(kind, match=message):
        hh.trace(fn, hh.f32[2])


def test_each_function_is_traced_once() -> None:
    calls: list[str] = []

    def noted(name: str, fn: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            calls.append(name)
            return fn(*args)

        return run

    def program(x: Any) -> Any:
        x = hh.while_loop(noted("cond", lambda c: hh.sum(c) < 1), noted("body", hh.sin), x)
        x, _ = hh.scan(noted("f", lambda c, _: (c, c)), x, length=3)
        return hh.switch(0, [noted("a", hh.sin), noted("b", hh.cos)], x)

    hh.trace(hh.grad(lambda x: hh.sum(program(x))), hh.f32[2])
    assert sorted(calls) == ["a", "b", "body", "cond", "f"]


def test_numbers_take_the_type_of_what_is_carried() -> None:
    module = hh.trace(lambda x: hh.cond(x > 0, lambda: x, lambda: 0), hh.f64)
    assert "tensor<i32>" not in hh.to_text(module)
    found = hh.jit(lambda x: hh.fori_loop(0, 3, lambda i, c: (c[1], 2), (x, x)))(np.array(1.0))
    assert [float(f.numpy()) for f in found] == [2.0, 2.0]
