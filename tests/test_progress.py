"""What a terminal, and nobody else, is told while something takes long."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

CODE = """
import time
from hhlo_xdsl import progress

progress.PATIENCE, progress.PERIOD = {patience}, 0.01
with progress.progress("compiling"):
    time.sleep(0.2)
"""


def on_terminal(patience: float) -> str:
    """What a process writes to a standard error that is a terminal."""
    terminal, end = pty.openpty()
    subprocess.run([sys.executable, "-c", CODE.format(patience=patience)], stderr=end, check=True)
    os.write(end, b"end")
    os.close(end)
    found = b""
    while not found.endswith(b"end"):
        found += os.read(terminal, 10_000)
    os.close(terminal)
    return found.decode().removesuffix("end")


def test_a_terminal_is_told_and_wiped() -> None:
    assert re.fullmatch(r"(\rcompiling: 0 s )+\r\x1b\[K", on_terminal(0.0))


def test_what_is_short_is_silent() -> None:
    assert on_terminal(60.0) == ""


def test_pipes_are_silent() -> None:
    done = subprocess.run([sys.executable, "-c", CODE.format(patience=0.0)], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
