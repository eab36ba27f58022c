"""Making many ops at once."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Generator[None]:
    """Within the context, Python does not look for garbage: nothing dies while ops are made by the thousand.

    Looking would take up to half of the time, and more with every op.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
