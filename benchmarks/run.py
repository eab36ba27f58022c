"""Measures the budgets of the project, each beside its peers in the same run. `run.py text calls` measures these only.

Times are the fastest of several tries. On a busy machine ratios mean more than rates.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from importlib import metadata

import calls
import gradients
import loops
import report
import text

SECTIONS = {
    "text": text.speed,
    "growth": text.growth,
    "constants": text.constants,
    "making": gradients.making,
    "cost": gradients.cost,
    "loops": loops.measure,
    "calls": calls.dispatch,
    "trees": calls.trees,
    "hosts": calls.hosts,
    "first": calls.first,
    "import": calls.imports,
}


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        sys.exit(f"{' '.join(unknown)}: unknown; known are {', '.join(SECTIONS)}")
    start = time.perf_counter()
    print(where())
    for name in names or SECTIONS:
        SECTIONS[name]()
    report.section(f"{len(report.missed)} of {report.count} budgets are missed, in {time.perf_counter() - start:.0f} s")
    for line in report.missed:
        print(line)


def where() -> str:
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("hhlo-xdsl", "xdsl", "jax", "jaxlib"))
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{versions}; Python {platform.python_version()}, {os.cpu_count()} cores{load}"


if __name__ == "__main__":
    main(sys.argv[1:])
