"""How times are taken and told: the fastest of several tries, tries of peers in turn, and a line per budget."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

count = 0
"""How many budgets there were."""
missed: list[str] = []
"""The budgets that were not kept."""


def fastest(
    tries: int, clock: Callable[[], float] = time.process_time, **candidates: Callable[[], Any]
) -> dict[str, float]:
    """The seconds of the fastest call of each; they take turns, so that what else runs here slows all of them alike.

    clock : what counts; by default the time of the processor, which other processes do not change much; for what runs
            in other threads, as XLA's programs do, take time.perf_counter
    """
    seconds = dict.fromkeys(candidates, float("inf"))
    for _ in range(tries):
        for name, run in candidates.items():
            start = clock()
            run()
            seconds[name] = min(seconds[name], clock() - start)
    return seconds


def section(title: str) -> None:
    print(f"\n{title}\n", flush=True)


def row(what: str, ours: str, budget: str, kept: bool, peers: str = "") -> None:
    """One line; a budget that is not kept is told again at the end."""
    global count
    count += 1
    if not kept:
        missed.append(f"{what}: {ours}, budget {budget}")
    print(f"{what:46} {ours:>14}  {budget:>16}  {'OK' if kept else 'missed':6}  {peers}", flush=True)


def at_least(what: str, ops: int, least: int, seconds: dict[str, float]) -> None:
    """So many `ops` per second, ours and those of peers."""
    rates = {name: ops / s for name, s in seconds.items()}
    ours = rates.pop("ours")
    peers = ", ".join(f"{name} {rate:,.0f} (x{ours / rate:.2g})" for name, rate in rates.items())
    row(what, f"{ours:,.0f} ops/s", f">= {least:,}", ours >= least, peers)


def at_most(what: str, most: float, seconds: dict[str, float]) -> None:
    """So many seconds."""
    seconds = dict(seconds)
    ours = seconds.pop("ours")
    peers = ", ".join(f"{name} {s * 1000:,.1f} ms" for name, s in seconds.items())
    row(what, f"{ours * 1000:,.1f} ms", f"<= {most * 1000:,.0f} ms", ours <= most, peers)


def no_more_than_jax(what: str, ours: float, jax: float, unit: str) -> None:
    """As much as JAX needs, or less; both are equal if both are nothing."""
    ratio = ours / jax if jax else float(ours > 0) or 1.0
    row(what, f"{ours:,.6g} {unit}".rstrip(), "<= JAX", ours <= jax, f"JAX {jax:,.6g} (x{ratio:.3f})")


def beside_jax(what: str, most: float, ours: float, jax: float, unit: str) -> None:
    """At most `most` times as much as JAX needs."""
    row(what, f"{ours:,.6g} {unit}", f"<= {most} x JAX", ours <= most * jax, f"JAX {jax:,.6g} (x{ours / jax:.3f})")
