"""Gradients of loops whose trip count is known only when the program runs: every count, few slots."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.text import parse
from tests.harness import check_jvp, compiled, run, vjp_of
from tests.jax_programs import close, gradient

RNG = np.random.default_rng(1)
X, W = RNG.standard_normal(3), RNG.standard_normal((3, 3))


def counted(x: Any, w: Any, n: Any) -> Any:
    """n steps that carry a vector, a scalar and a stack that they write, and read what they start from."""

    def step(carry: Any) -> Any:
        i, y, z, ys = carry
        ys = lax.dynamic_update_index_in_dim(ys, y[0], i % 5, 0)
        return i + 1, jnp.tanh(w @ y) + 0.1 * i * x, z * jnp.sum(y), ys

    _, y, z, ys = lax.while_loop(lambda c: c[0] < n, step, (jnp.int32(0), x, 1.0, x[0] * jnp.ones(5)))
    return jnp.sum(y**2) + z + jnp.sum(jnp.sin(ys))


@cache
def with_slots(slots: int) -> Executable:
    return compiled(gradient(counted, X, W, np.int32(3), wrt=(0, 1), slots=slots))


@cache
def expected(trips: int) -> Any:
    """By JAX, of the program whose trip count is a constant."""

    def known(x: Any, w: Any) -> Any:
        def step(i: Any, carry: Any) -> Any:
            y, z, ys = carry
            ys = lax.dynamic_update_index_in_dim(ys, y[0], i % 5, 0)
            return jnp.tanh(w @ y) + 0.1 * i * x, z * jnp.sum(y), ys

        y, z, ys = lax.fori_loop(0, trips, step, (x, 1.0, x[0] * jnp.ones(5)))
        return jnp.sum(y**2) + z + jnp.sum(jnp.sin(ys))

    return jax.jit(jax.value_and_grad(known, (0, 1)))(X, W)


@pytest.mark.parametrize("slots", [1, 2, 3, 4])
def test_every_trip_count(slots: int) -> None:
    for trips in sorted({0, 1, slots - 1, slots, slots + 1, slots**2, slots**2 + 1, 10 * slots**2}):
        found = with_slots(slots)(X, W, np.int32(trips))
        close([np.asarray(f.numpy()) for f in found], expected(trips), rtol=1e-8)


NEWTON = """func.func @main(%a: tensor<f64>) -> tensor<f64> {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %y = stablehlo.while(%x = %one) : tensor<f64>
  cond {
    %eps = stablehlo.constant dense<1.0e-13> : tensor<f64>
    %s = stablehlo.multiply %x, %x : tensor<f64>
    %d = stablehlo.subtract %s, %a : tensor<f64>
    %m = stablehlo.abs %d : tensor<f64>
    %p = stablehlo.compare GT, %m, %eps : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %h = stablehlo.constant dense<0.5> : tensor<f64>
    %q = stablehlo.divide %a, %x : tensor<f64>
    %s = stablehlo.add %x, %q : tensor<f64>
    %n = stablehlo.multiply %h, %s : tensor<f64>
    stablehlo.return %n : tensor<f64>
  }
  return %y : tensor<f64>
}"""


def test_newtons_square_root() -> None:
    """d sqrt(a)/da = 1/(2 sqrt(a)); the gradient of the gradient is -1/(4 a sqrt(a))."""
    a = np.array(7.3)
    (first,) = run(vjp_of(NEWTON, slots=2), a, np.array(1.0))
    np.testing.assert_allclose(first, 0.5 / np.sqrt(a), rtol=1e-9)
    second, _ = run(vjp_of(vjp_of(NEWTON, slots=2), slots=3), a, np.array(1.0), np.array(1.0))
    np.testing.assert_allclose(second, -0.25 / a**1.5, rtol=1e-6)


def test_newton_as_jax_prints_it(data: Path) -> None:
    module = parse((data / "programs/newton_while.mlir").read_text())
    differentiate(module, GradPass())
    np.testing.assert_allclose(run(module, np.array(7.3)), [np.sqrt(7.3), 0.5 / np.sqrt(7.3)], rtol=1e-12)


def test_forward_mode() -> None:
    """One loop over the value and its tangent."""
    check_jvp(NEWTON, [np.array(7.3)])


def adaptive(x: Any, w: Any) -> Any:
    """Steps of Heun's method, halved when the error is large: an early exit by two comparisons, a branch in the loop."""

    def step(carry: Any) -> Any:
        t, h, y = carry
        k1 = jnp.sin(w @ y)
        k2 = jnp.sin(w @ (y + h * k1))
        good = jnp.max(jnp.abs(k2 - k1)) * h < 0.1
        y = lax.cond(good, lambda: y + h * (k1 + k2) / 2, lambda: y)
        return t + jnp.where(good, h, 0.0), jnp.where(good, h * 1.2, h / 2), y

    return jnp.sum(lax.while_loop(lambda c: (c[0] < 1.0) & (jnp.sum(c[2] ** 2) < 1e3), step, (0.0, 0.3, x))[2] ** 2)


def test_adaptive_steps() -> None:
    """Against central differences, which take the same steps."""
    _, *gradients = run(gradient(adaptive, X, W, wrt=(0, 1), slots=3), X, W)
    for i, found in enumerate(gradients):
        u = np.random.default_rng(i).standard_normal(found.shape)

        def at(h: float, i: int = i, u: Any = u) -> float:
            args = [X, W]
            args[i] = args[i] + h * u
            return float(jax.jit(adaptive)(*args))

        h = 1e-5
        difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
        np.testing.assert_allclose(np.sum(found * u), difference, rtol=1e-7)


def test_a_loop_in_a_loop() -> None:
    """Collatz-like: the inner trip count depends on the outer step."""

    def fn(x: Any, n: Any) -> Any:
        def outer(carry: Any) -> Any:
            i, y = carry
            y = lax.while_loop(lambda c: c[0] < i, lambda c: (c[0] + 1, jnp.sin(c[1]) + 0.1 * x), (0, y))[1]
            return i + 1, y * 1.1

        return jnp.sum(lax.while_loop(lambda c: c[0] < n, outer, (0, x))[1])

    def known(x: Any) -> Any:
        y = x
        for i in range(6):
            for _ in range(i):
                y = jnp.sin(y) + 0.1 * x
            y = y * 1.1
        return jnp.sum(y)

    close(run(gradient(fn, X, 6, wrt=(0,), slots=2), X, np.array(6)), jax.jit(jax.value_and_grad(known))(X))


RANDOM = """func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %lo = stablehlo.constant dense<0.0> : tensor<f64>
  %hi = stablehlo.constant dense<1.0> : tensor<f64>
  %shape = stablehlo.constant dense<> : tensor<0xi64>
  %y = stablehlo.while(%a = %x) : tensor<f64>
  cond {
    %p = stablehlo.compare LT, %a, %hi : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
    %b = stablehlo.add %a, %u : tensor<f64>
    stablehlo.return %b : tensor<f64>
  }
  return %y : tensor<f64>
}"""


def test_random_numbers_are_not_drawn_twice() -> None:
    with pytest.raises(DifferentiationError, match=r"stablehlo.rng: it may give something else when it is run again"):
        vjp_of(RANDOM)
