"""How long a call takes, and an import."""

from __future__ import annotations

import functools
import operator
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from report import at_most, beside_jax, fastest, section

import hhlo_xdsl as hh

CALLS = 1000


def repeated(f: Callable[..., Any], *args: Any) -> Callable[[], None]:
    def run() -> None:
        for _ in range(CALLS):
            f(*args)

    return run


def total(*args: Any) -> Any:
    """The sum of the arguments."""
    return functools.reduce(operator.add, args)


def dispatch() -> None:
    section("One call, arrays of the device in and out; us")
    host = np.ones(4, np.float32)
    for n in (1, 10, 100):
        ours, theirs = hh.jit(total), jax.jit(total)
        mine, other = [ours(host)] * n, [jnp.asarray(host)] * n
        executable = ours.compile(*mine)
        seconds = fastest(
            7,
            time.perf_counter,
            ours=repeated(executable, *mine),
            jit=repeated(ours, *mine),
            jax=repeated(theirs, *other),
        )
        for name, key, most in (("a compiled program", "ours", 0.9), ("hh.jit", "jit", 1.0)):
            beside_jax(f"{name}, {n} arguments", most, _us(seconds[key]), _us(seconds["jax"]), "us")


def trees() -> None:
    section("One call of a function of a dict of 100 parameters; us")

    def step(p: dict[str, Any], x: Any) -> Any:
        return total(*p.values()) + x

    host = np.ones(4, np.float32)
    ours, theirs = hh.jit(step), jax.jit(step)
    mine = ours({f"p{k}": host for k in range(100)}, host)
    other = jnp.asarray(host)
    seconds = fastest(
        7,
        time.perf_counter,
        ours=repeated(ours, dict.fromkeys((f"p{k}" for k in range(100)), mine), mine),
        jax=repeated(theirs, dict.fromkeys((f"p{k}" for k in range(100)), other), other),
    )
    beside_jax("hh.jit", 1.0, _us(seconds["ours"]), _us(seconds["jax"]), "us")


def hosts() -> None:
    section("One call, numpy arrays in and out; us")
    host = np.ones(4, np.float32)
    for n in (1, 10, 100):
        theirs = jax.jit(total)
        ours = hh.jit(total).compile(*[host] * n)
        seconds = fastest(
            7,
            time.perf_counter,
            ours=repeated(functools.partial(_to_numpy, ours), *[host] * n),
            jax=repeated(lambda f, *args: np.asarray(f(*args)), theirs, *[host] * n),
        )
        beside_jax(f"a compiled program, {n} arguments", 1.2, _us(seconds["ours"]), _us(seconds["jax"]), "us")


def _to_numpy(executable: hh.Executable, *args: Any) -> Any:
    return executable(*args)[0].numpy()


def first() -> None:
    section("First call of the gradient of a network: trace, differentiate, print, compile, run; ms")

    def loss(np_: Any, params: Any, x: Any) -> Any:
        for w in params:
            x = np_.tanh(x @ w)
        return np_.mean(x * x)

    params, x = [np.eye(16, dtype=np.float32)] * 8, np.ones((4, 16), np.float32)
    seconds = fastest(
        3,
        time.perf_counter,
        ours=lambda: hh.jit(hh.value_and_grad(functools.partial(loss, hh)))(params, x)[0].numpy(),
        jax=lambda: np.asarray(jax.jit(jax.value_and_grad(functools.partial(loss, jnp)))(params, x)[0]),
    )
    beside_jax("8 layers", 1.0, seconds["ours"] * 1e3, seconds["jax"] * 1e3, "ms")


def _us(seconds: float) -> float:
    return seconds / CALLS * 1e6


def imports() -> None:
    section("Import, in a process of its own")
    at_most("import hhlo_xdsl", 0.2, {"ours": seconds_of("import hhlo_xdsl")})
    first = seconds_of("import hhlo_xdsl as hh; hh.trace(lambda x: x + x, hh.f32[2])")
    print(f"and until a first function is traced: {first * 1000:.0f} ms")


def seconds_of(statement: str) -> float:
    code = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    command = [sys.executable, "-c", code]
    return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(7))
