"""Random nests of loops and branches, against jax.grad of the same program written out."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import hhlo_xdsl as hh

RNG = np.random.default_rng(0)
X, Y, W = RNG.standard_normal(3), RNG.standard_normal(3), RNG.standard_normal((3, 3)) * 0.5

Program = list[Any]
"""Statements: a number is a line of arithmetic, ("for", n, program), ("while", n, program), ("scan", n, program) or
("if", threshold, program, program)."""

LINES = st.integers(0, 4)
PROGRAMS = st.recursive(
    st.lists(LINES, min_size=1, max_size=2),
    lambda inner: st.lists(
        LINES
        | st.tuples(st.sampled_from(["for", "while", "scan"]), st.integers(0, 3), inner)
        | st.tuples(st.just("if"), st.sampled_from([-0.3, 0.1]), inner, inner),
        min_size=1,
        max_size=2,
    ),
    max_leaves=4,
)


def line(xp: Any, kind: int, x: Any, y: Any, w: Any) -> tuple[Any, Any]:
    match kind:
        case 0:
            return xp.sin(x) + y, y
        case 1:
            return y, xp.tanh(xp.matmul(w, x))
        case 2:
            return x * y, y * 0.5
        case 3:
            return xp.exp(-x * x) + w[0], x
        case _:
            return xp.concat([x[1:], x[:1]]), y + 0.1


def ours(program: Program, x: Any, y: Any, w: Any) -> tuple[Any, Any]:
    for statement in program:
        match statement:
            case int():
                x, y = line(hh, statement, x, y, w)
            case ("for", n, body):
                x, y = hh.fori_loop(1, 1 + n, lambda i, c, b=body: _shifted(ours(b, *c, w), i.astype(hh.f64)), (x, y))
            case ("while", n, body):

                def step(c: Any, b: Any = body) -> Any:
                    return (c[0] + 1.0, *_shifted(ours(b, c[1], c[2], w), c[0]))

                _, x, y = hh.while_loop(lambda c, n=n: c[0] < 1.0 + n, step, (hh.asarray(1.0, hh.f64), x, y), slots=2)
            case ("scan", n, body):

                def emits(c: Any, u: Any, b: Any = body) -> Any:
                    new = ours(b, c[0] + u, c[1], w)
                    return new, new[0] * new[1]

                (x, y), ys = hh.scan(emits, (x, y), w[:n])
                x = x + hh.sum(ys, axis=0)
            case (_, threshold, a, b):
                chosen = hh.sum(x) > threshold
                x, y = hh.cond(chosen, lambda a=a, x=x, y=y: ours(a, x, y, w), lambda b=b, x=x, y=y: ours(b, x, y, w))
    return x, y


def written_out(program: Program, x: Any, y: Any, w: Any) -> tuple[Any, Any]:
    for statement in program:
        match statement:
            case int():
                x, y = line(jnp, statement, x, y, w)
            case ("for" | "while", n, body):
                for i in range(1, 1 + n):
                    x, y = _shifted(written_out(body, x, y, w), float(i))
            case ("scan", n, body):
                total = jnp.zeros(3)
                for i in range(n):
                    x, y = written_out(body, x + w[i], y, w)
                    total = total + x * y
                x = x + total
            case (_, threshold, a, b):
                x, y = written_out(a if jnp.sum(x) > threshold else b, x, y, w)
    return x, y


def _shifted(values: tuple[Any, Any], i: Any) -> tuple[Any, Any]:
    return values[0] * (0.3 * i), values[1]


@settings(max_examples=max(12, settings().max_examples // 4))
@given(PROGRAMS)
def test_random_programs(program: Program) -> None:
    def loss(run: Any, xp: Any) -> Any:
        def fn(x: Any, y: Any, w: Any) -> Any:
            x, y = run(program, x, y, w)
            return xp.sum(x * x) + xp.sum(xp.sin(y))

        return fn

    value, gradients = hh.value_and_grad(loss(ours, hh), (0, 1, 2))(X, Y, W)
    expected = jax.value_and_grad(loss(written_out, jnp), (0, 1, 2))(X, Y, W)
    for found, right in zip((value, *gradients), (expected[0], *expected[1]), strict=True):
        scale = max(float(np.abs(right).max()), 1e-30)
        np.testing.assert_allclose(found.numpy(), right, rtol=1e-8, atol=1e-9 * scale)
