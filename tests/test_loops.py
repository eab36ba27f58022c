"""Gradients of loops whose trip count is a constant, as JAX lowers scan, fori_loop and map, against jax.grad."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.text import to_text
from tests.harness import check_jvp, check_vjp, run
from tests.jax_programs import check_with_jax, gradient, lowered

RNG = np.random.default_rng(0)
X, W, XS = RNG.standard_normal(4), RNG.standard_normal((4, 4)), RNG.standard_normal((6, 4))


def scan(x: Any, w: Any, xs: Any) -> Any:
    return jnp.sum(lax.scan(lambda h, u: (jnp.tanh(w @ h) + u, h * u), x, xs)[1] ** 2)


def reverse_scan(x: Any, w: Any, xs: Any) -> Any:
    return jnp.sum(lax.scan(lambda h, u: (jnp.tanh(w @ h) + u, h * u), x, xs, reverse=True)[1] ** 2)


def nested_scan(x: Any, w: Any, xs: Any) -> Any:
    def step(h: Any, u: Any) -> Any:
        return lax.scan(lambda g, v: (jnp.sin(w @ g) * v + u, jnp.sum(g)), h, xs[:3])

    h, y = lax.scan(step, x, xs)
    return jnp.sum(h**2) + jnp.sum(jnp.sin(y))


def scan_over_cond(x: Any, w: Any, xs: Any) -> Any:
    def step(h: Any, u: Any) -> Any:
        return lax.cond(u[0] > 0, lambda h: jnp.sin(h * u), lambda h: h @ w, h), u * h

    h, y = lax.scan(step, x, xs)
    return jnp.sum(h) + jnp.sum(y**2)


def cond_over_loops(x: Any, w: Any, p: Any) -> Any:
    def some(x: Any) -> Any:
        return lax.fori_loop(0, 4, lambda i, x: jnp.sin(x) * w[i], x)

    return jnp.sum(lax.cond(p, some, lambda x: lax.scan(lambda h, _: (h @ w, None), x, None, length=3)[0], x))


def counting_down(x: Any, w: Any) -> Any:
    return jnp.sum(lax.scan(lambda c, i: (jnp.sin(c) * w[i], None), x, jnp.arange(4)[::-1])[0])


def mapped(x: Any, w: Any) -> Any:
    return jnp.sum(lax.map(lambda row: jnp.sum(jnp.exp(row * x)), w) ** 2)


def lstm(x: Any, w: Any, xs: Any) -> Any:
    def step(carry: Any, u: Any) -> Any:
        h, c = carry
        z = jnp.concatenate([h, u]) @ jnp.concatenate([w, w * 0.5])
        c = jax.nn.sigmoid(z + 1) * c + jax.nn.sigmoid(z) * jnp.tanh(-z)
        h = jax.nn.sigmoid(2 * z) * jnp.tanh(c)
        return (h, c), h

    (_, c), ys = lax.scan(step, (x, x), xs)
    return jnp.sum(ys**2) + jnp.sum(c)


def runge_kutta(x: Any, w: Any) -> Any:
    def step(_: Any, y: Any) -> Any:
        k1 = jnp.tanh(w @ y)
        k2 = jnp.tanh(w @ (y + 0.05 * k1))
        k3 = jnp.tanh(w @ (y + 0.05 * k2))
        return y + (k1 + 2 * k2 + 2 * k3 + jnp.tanh(w @ (y + 0.1 * k3))) / 60

    return jnp.sum(lax.fori_loop(0, 10, step, x) ** 2)


def kalman(x: Any, w: Any, xs: Any) -> Any:
    a, q = w * 0.3, jnp.eye(4) * 0.1

    def step(carry: Any, z: Any) -> Any:
        m, p = a @ carry[0], a @ carry[1] @ a.T + q
        k = p / (1 + jnp.trace(p))
        return (m + k @ (z - m), p - k @ p), jnp.sum((z - m) ** 2)

    return jnp.sum(lax.scan(step, (x, jnp.eye(4)), xs)[1])


def many_types(x: Any, w: Any) -> Any:
    """An integer, a bool, a complex and an empty tensor are carried."""

    def step(carry: Any, _: Any) -> Any:
        i, b, z, e, h = carry
        h = jnp.where(b, jnp.sin(h), h * i) @ w
        return (i * 2 % 7, ~b, z * (1 + 0.1j), e, h), jnp.real(z) * h

    carry, y = lax.scan(step, (3, True, 1 + 2j, jnp.zeros((0, 3)), x), None, length=5)
    return jnp.sum(carry[4]) + jnp.sum(y) + jnp.real(carry[2])


def unused_carry(x: Any, w: Any) -> Any:
    return jnp.sum(lax.fori_loop(0, 4, lambda i, _: w[i], x) * x)


def gradient_of_a_scan(x: Any, w: Any) -> Any:
    def loss(x: Any) -> Any:
        return jnp.sum(lax.scan(lambda h, _: (jnp.tanh(w @ h), jnp.sum(h)), x, None, length=4)[1] ** 2)

    return jnp.sum(jax.grad(loss)(x) * x)


def sorting(x: Any, w: Any) -> Any:
    return jnp.sum(lax.fori_loop(0, 4, lambda _, x: jnp.sort(jnp.sin(x) @ w) * jnp.arange(1.0, 5.0), x) ** 2)


def beam_search(x: Any, w: Any) -> Any:
    """Scores of beams, extended by those of each next token, of which the best are kept."""

    def step(scores: Any, _: Any) -> Any:
        return lax.top_k((scores[:, None] + jax.nn.log_softmax(w, axis=1)).reshape(-1), 4)

    return jnp.sum(lax.scan(step, x, None, length=3)[0] * jnp.arange(1.0, 5.0))


def random_state(x: Any, w: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        key, bits = lax.rng_bit_generator(carry[0], (4,), dtype=np.uint32)
        return (key, jnp.tanh(w @ carry[1]) + bits / 2.0**32 * carry[1]), None

    return jnp.sum(lax.scan(step, (jnp.array([1, 2, 3, 4], jnp.uint32), x), None, length=3)[0][1] ** 2)


def tokens(x: Any, w: Any) -> Any:
    """Rows of a table, one of them twice, read and written by index."""

    def step(h: Any, i: Any) -> Any:
        return jnp.tanh(w @ h + w[i]).at[i].multiply(2.0), None

    return jnp.sum(lax.scan(step, x, jnp.array([0, 3, 3, 1]))[0])


def swapped(x: Any, w: Any) -> Any:
    """What is carried changes places; one value is read after the step that made it, another is a captured one."""

    def step(_: Any, c: Any) -> Any:
        return c[1], jnp.sin(c[0]) * c[2], x

    a, b, c = lax.fori_loop(0, 5, step, (x, w[0], w[1]))
    return jnp.sum(a * b + c)


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *((fn, (X, W, XS)) for fn in (scan, reverse_scan, nested_scan, scan_over_cond, lstm, kalman)),
    *((fn, (X, W)) for fn in (counting_down, mapped, runge_kutta, many_types, unused_carry, swapped, tokens)),
    *((fn, (X, W)) for fn in (gradient_of_a_scan, sorting, beam_search, random_state)),
    *((cond_over_loops, (X, W, np.array(p))) for p in (True, False)),
]
IDS = [f"{fn.__name__}-{i}" for i, (fn, _) in enumerate(PROGRAMS)]


@pytest.mark.parametrize(("fn", "args"), PROGRAMS, ids=IDS)
def test_gradients_are_those_of_jax(fn: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check_with_jax(fn, *args)


@pytest.mark.parametrize("checkpoint", ["sqrt", "binomial"])
@pytest.mark.parametrize("fn", [scan, nested_scan, many_types], ids=lambda fn: fn.__name__)
def test_checkpoints_do_not_change_the_gradient(fn: Callable[..., Any], checkpoint: str) -> None:
    check_with_jax(fn, *((X, W) if fn is many_types else (X, W, XS)), checkpoint=checkpoint)


@pytest.mark.parametrize("checkpoint", ["all", "sqrt", "binomial"])
@pytest.mark.parametrize("trips", [0, 1, 2, 5, 1000])
def test_trip_counts(trips: int, checkpoint: str) -> None:
    def fn(x: Any, w: Any) -> Any:
        return jnp.sum(lax.fori_loop(2, 2 + trips, lambda i, h: jnp.tanh(w @ h) + 0.001 * i * x, x) * w[0])

    check_with_jax(fn, X, W, checkpoint=checkpoint)


def test_forward_mode_and_both_modes_nested() -> None:
    """A Hessian-vector product of the loss of a recurrent network, among others."""
    check_jvp(lowered(scan, X, W, XS), [X, W, XS], order=2, alone=False)


LOOP = """func.func @main(%x: tensor<2xf64>, %c: tensor<2xf64>) -> tensor<2xf64> {{
  %start = stablehlo.constant dense<{start}> : tensor<{t}>
  %i, %y = "stablehlo.while"(%start, %x) ({{
  ^bb0(%a: tensor<{t}>, %b: tensor<2xf64>):
    %bound = stablehlo.constant dense<{bound}> : tensor<{t}>
    %p = stablehlo.compare {direction}, %a, %bound : (tensor<{t}>, tensor<{t}>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}, {{
  ^bb0(%a: tensor<{t}>, %b: tensor<2xf64>):
    %step = stablehlo.constant dense<{step}> : tensor<{t}>
    %next = stablehlo.{op} %a, %step : tensor<{t}>
    %e = stablehlo.convert %a : (tensor<{t}>) -> tensor<f64>
    %scale = stablehlo.constant dense<0.0625> : tensor<f64>
    %f = stablehlo.multiply %e, %scale : tensor<f64>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %s = stablehlo.sine %b : tensor<2xf64>
    %m = stablehlo.multiply %s, %c : tensor<2xf64>
    %n = stablehlo.multiply %m, %g : tensor<2xf64>
    stablehlo.return %next, %n : tensor<{t}>, tensor<2xf64>
  }}) : (tensor<{t}>, tensor<2xf64>) -> (tensor<{t}>, tensor<2xf64>)
  return %y : tensor<2xf64>
}}"""
COUNTERS = [
    dict(t="i32", start=1, direction="LT", bound=6, op="add", step=2),
    dict(t="i64", start=7, direction="GT", bound=1, op="subtract", step=3),
    dict(t="i8", start=-3, direction="LE", bound=1, op="add", step=1),
    dict(t="ui8", start=4, direction="NE", bound=0, op="subtract", step=1),
    dict(t="ui8", start=3, direction="GE", bound=1, op="add", step=255),
    dict(t="i32", start=5, direction="EQ", bound=5, op="add", step=1),
    dict(t="i8", start=120, direction="GT", bound=0, op="add", step=3),  # ends by wrapping around
]


@pytest.mark.parametrize("counter", COUNTERS, ids=str)
def test_counters(counter: dict[str, Any]) -> None:
    """Of the last one the trip count is not known, and the gradient of the gradient takes long to compile."""
    order = 1 if counter is COUNTERS[-1] else 2
    check_vjp(LOOP.format(**counter), [RNG.standard_normal(2), RNG.standard_normal(2)], order=order)


def loops(fn: Callable[..., Any], *args: Any) -> tuple[WhileOp, WhileOp]:
    """The loop forward and the loop back of a gradient."""
    forward, back = (op for op in gradient(fn, *args, wrt=(0, 1)).walk() if isinstance(op, WhileOp))
    return forward, back


def test_the_loop_back_carries_no_stack() -> None:
    """What scan gave is only read; only the cotangents of h and w are carried."""
    _, back = loops(scan, X, W, XS)
    assert [str(v.type) for v in back.operand] == ["tensor<i32>", "tensor<4xf64>", "tensor<4x4xf64>"]


def test_what_no_step_changes_is_not_saved() -> None:
    """Saved are h and tanh(w @ h), and neither w nor the slices of xs, beside the five values that scan carries."""
    forward, _ = loops(scan, X, W, XS)
    assert [str(r.type) for r in forward.results[5:]] == ["tensor<6x4xf64>"] * 2


def test_the_gradient_of_a_loop_is_linear_in_its_text() -> None:
    def nested(depth: int, x: Any) -> Any:
        if not depth:
            return jnp.sin(x)
        return lax.fori_loop(0, 2, lambda _, x: nested(depth - 1, x), x)

    sizes = [len(to_text(gradient(lambda x: jnp.sum(nested(depth, x)), X)).splitlines()) for depth in (1, 2, 3, 4)]  # noqa: B023
    assert sizes[3] - sizes[2] <= 1.5 * (sizes[1] - sizes[0])


def test_the_gradient_of_a_slice_in_a_loop_is_added_in_place() -> None:
    _, back = loops(lambda x, w: jnp.sum(lax.map(lambda row: jnp.sin(row) * x, w)), X, W)
    assert not re.search(r"stablehlo.add .* : tensor<4x4xf64>", str(back))
    assert "dynamic_update_slice" in str(back)


def test_the_gradient_of_a_gather_in_a_loop_is_added_in_place() -> None:
    _, back = loops(lambda x, w: jnp.sum(lax.map(lambda i: jnp.sin(w[i]) * x, jnp.array([0, 3, 3]))), X, W)
    assert not re.search(r"stablehlo.add .* : tensor<4x4xf64>", str(back))


def test_a_loop_that_never_ends_by_its_counter_is_not_counted() -> None:
    """120, 123, 126, -127: the i8 wraps; found by running it."""
    text = LOOP.format(**COUNTERS[-1])
    x, c = np.ones(2), np.ones(2)
    y = x
    for i in (120, 123, 126):
        y = np.sin(y) * i / 16
    np.testing.assert_allclose(run(text, x, c)[0], y)


def test_what_the_body_alone_reads_and_no_step_changes() -> None:
    """cos(x) is moved out of the body; only then does anything outside of it read x."""
    text = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
      %z = stablehlo.constant dense<0.0> : tensor<3xf64>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %a = %z) : tensor<i32>, tensor<3xf64>
      cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %u = stablehlo.cosine %x : tensor<3xf64>
        %s = stablehlo.dynamic_slice %u, %i, sizes = [1] : (tensor<3xf64>, tensor<i32>) -> tensor<1xf64>
        %b = stablehlo.dynamic_update_slice %a, %s, %i : (tensor<3xf64>, tensor<1xf64>, tensor<i32>) -> tensor<3xf64>
        %c = stablehlo.constant dense<1> : tensor<i32>
        %k = stablehlo.add %i, %c : tensor<i32>
        stablehlo.return %k, %b : tensor<i32>, tensor<3xf64>
      }
      return %r#1 : tensor<3xf64>
    }"""
    check_jvp(text, [np.array([0.1, 0.2, 0.3])], order=2)


def test_what_no_step_reads_or_changes() -> None:
    """%b and %d pass the loop unchanged; %b is not read in it, and %d by what is moved out only."""
    text = """func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>, %z: tensor<3xf64>) -> tensor<3xf64> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %d = %z)
          : tensor<i32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
      cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %u = stablehlo.cosine %d : tensor<3xf64>
        %s = stablehlo.sine %a : tensor<3xf64>
        %m = stablehlo.multiply %s, %u : tensor<3xf64>
        %c = stablehlo.constant dense<1> : tensor<i32>
        %k = stablehlo.add %i, %c : tensor<i32>
        stablehlo.return %k, %m, %b, %d : tensor<i32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
      }
      %v = stablehlo.multiply %r#1, %r#2 : tensor<3xf64>
      %w = stablehlo.multiply %v, %r#3 : tensor<3xf64>
      return %w : tensor<3xf64>
    }"""
    numbers = [np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.5, 0.6]), np.array([0.7, 0.8, 0.9])]
    check_jvp(text, numbers, order=2)
    check_vjp(text, numbers, checkpoint="sqrt")
