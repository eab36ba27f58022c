"""Programs that JAX lowers in the test itself, and whose gradients are compared with jax.grad's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse
from tests.harness import run


def lowered(fn: Callable[..., Any], *args: Any) -> ModuleOp:
    """The program of `fn`, as JAX prints it."""
    return parse(jax.jit(fn, keep_unused=True).lower(*args).as_text())


def gradient(fn: Callable[..., Any], *args: Any, wrt: Sequence[int] | None = None, **options: Any) -> ModuleOp:
    """(value, gradient...) of `fn`, by hhlo-grad, verified."""
    module = lowered(fn, *args)
    differentiate(module, GradPass(wrt=None if wrt is None else tuple(wrt), **options))
    verify(module)
    return module


def inexact(args: Sequence[Any]) -> tuple[int, ...]:
    """Which of the arguments are floating or complex."""
    return tuple(i for i, a in enumerate(args) if np.issubdtype(np.asarray(a).dtype, np.inexact))


def close(found: Sequence[np.ndarray[Any, Any]], expected: Any, rtol: float = 1e-9) -> None:
    """Equal within `rtol` of the largest element of each."""
    for a, b in zip(found, jax.tree.leaves(expected), strict=True):
        assert a.shape == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * max(float(np.abs(b).max(initial=0)), 1e-30))


def check_with_jax(fn: Callable[..., Any], *args: Any, rtol: float = 1e-9, **options: Any) -> None:
    """Assert that value and gradient of `fn` are those of jax.value_and_grad."""
    wrt = inexact(args)
    close(run(gradient(fn, *args, wrt=wrt, **options), *args), jax.jit(jax.value_and_grad(fn, wrt))(*args), rtol)
