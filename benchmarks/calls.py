"""How long a call takes, and an import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from report import at_most, fastest, no_more_than_jax, section

import hhlo_xdsl as hh

CALLS = 2000


def repeated(f: Callable[..., Any], *args: Any) -> Callable[[], None]:
    def run() -> None:
        for _ in range(CALLS):
            f(*args)

    return run


def dispatch() -> None:
    section("One call, arrays of the device in and out")
    a = np.ones(4, np.float32)
    ours, theirs, b = hh.jit(lambda x: x + x), jax.jit(lambda x: x + x), jnp.asarray(a)
    with hh.Session("cpu") as session:
        executable = session.compile(hh.trace(lambda x: x + x, hh.f32[4]))
        c = session.put(a)
        d = ours(a)
        theirs(b)
        seconds = fastest(7, ours=repeated(executable, c), jit=repeated(ours, d), jax=repeated(theirs, b))
    for name, key in (("a compiled program", "ours"), ("hh.jit", "jit")):
        no_more_than_jax(name, seconds[key] / CALLS * 1e6, seconds["jax"] / CALLS * 1e6, "us")


def imports() -> None:
    section("Import, in a process of its own")
    at_most("import hhlo_xdsl", 0.2, {"ours": seconds_of("import hhlo_xdsl")})
    first = seconds_of("import hhlo_xdsl as hh; hh.trace(lambda x: x + x, hh.f32[2])")
    print(f"and until a first function is traced: {first * 1000:.0f} ms")


def seconds_of(statement: str) -> float:
    code = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    command = [sys.executable, "-c", code]
    return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(7))
