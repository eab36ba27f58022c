"""Gradients of loops: time per step as loops grow, time and memory beside JAX's, and what unknown trip counts cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from programs import gru
from report import fastest, row, section

import hhlo_xdsl as hh

STEPS = (100, 1000, 10000)


def rnn(x: Any, w: Any, xs: Any) -> Any:
    """A small recurrent network, whose steps cost little beside what a loop adds."""
    return jnp.sum(jax.lax.scan(lambda h, u: (jnp.tanh(w @ h) + u, h * u), x, xs)[1] ** 2)


def arguments(name: str, steps: int) -> tuple[Any, ...]:
    random = np.random.default_rng(0)

    def array(*shape: int) -> Any:
        return (random.standard_normal(shape) * 0.1).astype(np.float32)

    if name == "rnn":
        return array(32), array(32, 32), array(steps, 32)
    return array(48, 32), array(48, 32), array(48, 32), array(steps, 8, 16)


PROGRAMS: dict[str, Callable[..., Any]] = {"rnn": rnn, "gru": gru}


def pair(
    name: str, steps: int, session: hh.Session
) -> tuple[Callable[[], Any], Callable[[], Any], tuple[float, float]]:
    """A call of our gradient, one of JAX's, and the temporary bytes of both."""
    fn, args = PROGRAMS[name], arguments(name, steps)
    wrt = tuple(range(len(args)))
    theirs = jax.jit(jax.value_and_grad(fn, wrt)).lower(*args).compile()
    module = hh.grad_module(hh.parse(jax.jit(fn).lower(*args).as_text()), wrt=wrt, value=True)
    ours = session.compile(module)
    here, there = [session.put(a) for a in args], [jax.device_put(a) for a in args]
    sizes = [e.get_compiled_memory_stats().temp_size_in_bytes for e in (ours.compiled, theirs.runtime_executable())]
    return (
        lambda: hh.wait(ours(*here)),
        lambda: jax.block_until_ready(theirs(*there)),
        (sizes[0], sizes[1]),
    )


def known() -> None:
    section("Gradients of scans: seconds per step may grow by 1.3, and be 1.1 of JAX's")
    with hh.Session("cpu") as session:
        for name in PROGRAMS:
            per_step: list[float] = []
            for steps in STEPS:
                ours, theirs, bytes = pair(name, steps, session)
                seconds = fastest(15, time.perf_counter, ours=ours, jax=theirs)
                per_step.append(seconds["ours"] / steps)
                compared(f"{name}, {steps} steps: time", seconds["ours"] * 1e3, seconds["jax"] * 1e3, "ms")
                compared(f"{name}, {steps} steps: memory", bytes[0] / 1e3, bytes[1] / 1e3, "kB")
            growth = per_step[-1] / per_step[0]
            row(f"{name}: time per step, {STEPS[-1]} against {STEPS[0]}", f"x{growth:.2f}", "<= x1.3", growth <= 1.3)


def compared(what: str, ours: float, jax: float, unit: str) -> None:
    row(what, f"{ours:,.4g} {unit}", "<= 1.1 JAX", ours <= 1.1 * jax, f"JAX {jax:,.4g} (x{ours / jax:.3f})")


def unknown() -> None:
    section("Gradients of loops whose trip count is known when they run only, and of the same ones known before")

    def loop(cond: Callable[[Any], Any]) -> Callable[..., Any]:
        def fn(x: Any, w: Any, n: Any) -> Any:
            def step(carry: Any) -> Any:
                return carry[0] + 1, hh.tanh(hh.matmul(w, carry[1])) + x

            return hh.sum(hh.while_loop(lambda c: cond(c[0], n), step, (hh.asarray(0), x))[1])

        return fn

    x, w, _ = arguments("rnn", 1)
    with hh.Session("cpu") as session:
        for steps in (100, 4000):
            runs: dict[str, Callable[[], Any]] = {}
            for name, cond in {"ours": lambda i, n: i < n, "known": lambda i, n: i < steps}.items():  # noqa: B023
                module = hh.trace(hh.grad(loop(cond), (0, 1)), x, w, np.int32(0))
                exe = session.compile(module)
                here = [session.put(a) for a in (x, w, np.int32(steps))]
                runs[name] = lambda exe=exe, here=here: hh.wait(exe(*here))
            seconds = fastest(15, time.perf_counter, **runs)
            ratio = seconds["ours"] / seconds["known"]
            peer = f"known {seconds['known'] * 1e3:.3g} ms"
            row(f"{steps} steps", f"{seconds['ours'] * 1e3:.3g} ms", "<= 3 known", ratio <= 3, f"{peer} (x{ratio:.2f})")


def measure() -> None:
    known()
    unknown()
