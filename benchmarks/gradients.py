"""Gradients beside JAX's: the time to make them, and what XLA counts in them once they are compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from programs import Program, programs, shaped, transformer
from report import fastest, no_more_than_jax, row, section

import hhlo_xdsl as hh

LAYERS = 12
WHERE = "as JAX makes it by jit(value_and_grad(f)).lower().as_text(), nothing remembered"


def making() -> None:
    section(f"Making gradients: the time beside that of JAX, {WHERE}")
    theirs, ours = transformer(jnp), transformer(hh)
    their_types = shaped(lambda shape: jax.ShapeDtypeStruct(shape, np.float32), LAYERS)
    our_types = shaped(lambda shape: hh.f32[shape], LAYERS)

    def here() -> None:
        hh.to_text(hh.trace(hh.value_and_grad(ours, wrt=(0, 1)), *our_types), syntax="pjrt-1.16")

    seconds = fastest(5, ours=here, jax=lambda: in_jax(theirs, their_types, (0, 1)))
    no_more_than_jax(f"transformer of {LAYERS} layers: trace", seconds["ours"] * 1e3, seconds["jax"] * 1e3, "ms")
    for p in programs():
        made(p)


def in_jax(f: Any, arguments: Any, wrt: tuple[int, ...]) -> None:
    jax.clear_caches()
    jax.jit(jax.value_and_grad(f, argnums=wrt)).lower(*arguments).as_text()


def made(p: Program) -> None:
    """From the text of a program to that of its gradient, and from the function to that in JAX."""
    text = jax.jit(p.f).lower(*p.arguments).as_text()

    def here() -> None:
        hh.to_text(hh.grad_module(hh.parse(text), wrt=leaves(p), value=True), syntax="pjrt-1.16")

    try:
        seconds = fastest(3, ours=here, jax=lambda: in_jax(p.f, p.arguments, p.wrt))
    except hh.HhloError as error:
        row(f"{p.name}: read", "none", "<= JAX", False, str(error)[:60])
        return
    no_more_than_jax(f"{p.name}: read", seconds["ours"] * 1e3, seconds["jax"] * 1e3, "ms")


def leaves(p: Program) -> tuple[int, ...]:
    """Which of the arguments of the text are differentiated: JAX makes one of every leaf of a tree."""
    sizes = [len(jax.tree.leaves(a)) for a in p.arguments]
    return tuple(sum(sizes[:i]) + k for i in p.wrt for k in range(sizes[i]))


def needs(executable: Any) -> dict[str, float]:
    """What XLA counts in a compiled program."""
    cost, memory = executable.cost_analysis(), executable.get_compiled_memory_stats()
    return {"flops": cost["flops"], "bytes": cost["bytes accessed"], "temp. bytes": memory.temp_size_in_bytes}


def compared(p: Program, session: hh.Session) -> Iterator[tuple[str, float, float]]:
    both = jax.jit(jax.value_and_grad(p.f, argnums=p.wrt)).lower(*p.arguments).compile()
    theirs = needs(both.runtime_executable())
    text = jax.jit(p.f).lower(*p.arguments).as_text()
    module = hh.grad_module(hh.parse(text), wrt=leaves(p), value=True)
    ours = needs(session.compile(module).compiled)
    yield from ((what, ours[what], theirs[what]) for what in ours)


def cost() -> None:
    section("What XLA counts in compiled gradients, from one program of JAX's each")
    with hh.Session("cpu") as session:
        for p in programs():
            try:
                for what, ours, theirs in compared(p, session):
                    no_more_than_jax(f"{p.name}: {what}", ours, theirs, "")
            except hh.HhloError as error:
                row(p.name, "none", "<= JAX", False, str(error)[:60])
