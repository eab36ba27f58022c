"""Telling who waits at a terminal what takes long."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic

PATIENCE = 2.0
"""Seconds of silence."""
PERIOD = 0.5
"""Seconds between one report and the next."""


@contextmanager
def progress(what: str) -> Generator[None]:
    """Within the context: on a standard error that is a terminal, a line that says what goes on and for how long.

    It appears after two seconds, and is wiped out at the end. Nothing is written to files and pipes.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    reporter = threading.Thread(target=_report, args=(what, done), daemon=True)
    reporter.start()
    try:
        yield
    finally:
        done.set()
        reporter.join()


def _report(what: str, done: threading.Event) -> None:
    start = monotonic()
    if done.wait(PATIENCE):
        return
    while not done.wait(PERIOD):
        sys.stderr.write(f"\r{what}: {monotonic() - start:.0f} s ")
        sys.stderr.flush()
    sys.stderr.write("\r\033[K")
    sys.stderr.flush()
