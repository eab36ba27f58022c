"""Checking a gradient against central differences, at a point and in a random direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.dtypes import Spec, c128, f64, from_numpy
from hhlo_xdsl.modules import grad_module
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.session import Session

_np: Any = np  # its stubs leave the results of reductions unknown

STEPS = {64: 1e-5, 32: 1e-2, 16: 1e-1}
"""Bits of an element -> step of the differences, relative to the direction."""
TOLERANCES = {64: 1e-6, 32: 1e-2, 16: 2e-1}
"""Bits of an element -> how far gradient and differences may be apart, relative to their size."""


def random_array(rng: np.random.Generator, spec: Spec) -> Any:
    """Random numbers of a type: standard normal (both parts of complex ones), integers in 0..9, fair booleans."""
    if not spec.dtype.is_inexact:
        return np.asarray(rng.integers(0, 2 if spec.dtype.kind == "bool" else 10, spec.shape), spec.dtype.numpy)
    x: Any = rng.standard_normal(spec.shape)
    if spec.dtype.kind == "complex":
        x = x + 1j * rng.standard_normal(spec.shape)
    return np.asarray(x, spec.dtype.numpy)


@dataclass(frozen=True)
class Row:
    """One argument: the derivative along a direction u, by the gradient and by differences."""

    argument: int
    gradient: float
    differences: float
    tolerance: float

    @property
    def error(self) -> float:
        """The difference, relative to the larger of the two."""
        size = max(abs(self.gradient), abs(self.differences), 1e-12)
        return abs(self.gradient - self.differences) / size

    @property
    def ok(self) -> bool:
        """Whether the two agree as well as the element type allows; NaN never does."""
        return self.error <= self.tolerance


def check_gradient(
    module: ModuleOp, args: Sequence[Any], wrt: Sequence[int] | None = None, *, session: Session, seed: int = 0
) -> list[Row]:
    """Compare the gradient of `@main` with central differences at `args`, one row per argument in `wrt`.

    wrt : the arguments; every floating or complex one if None
    """
    arrays = [np.asarray(a) for a in args]
    chosen = inexact_arguments(arrays) if wrt is None else list(wrt)
    forward = session.compile(module)
    gradients = session.compile(grad_module(module, chosen))(*arrays)
    rng = np.random.default_rng(seed)
    return [_row(forward, arrays, i, np.asarray(g.numpy()), rng) for i, g in zip(chosen, gradients, strict=True)]


def inexact_arguments(args: Sequence[Any]) -> list[int]:
    """Which of the arrays hold floating or complex numbers."""
    return [i for i, a in enumerate(args) if from_numpy(np.asarray(a).dtype).is_inexact]


def _row(forward: Executable, args: Sequence[Any], i: int, gradient: Any, rng: np.random.Generator) -> Row:
    dtype = from_numpy(args[i].dtype)
    u: Any = random_array(rng, c128[args[i].shape] if dtype.kind == "complex" else f64[args[i].shape])
    u = u / max(float(_np.sqrt(_np.sum(_np.abs(u) ** 2))), 1e-30)
    bits = dtype.bits // 2 if dtype.kind == "complex" else dtype.bits
    h = STEPS.get(bits, 1e-1)

    def at(step: float) -> float:
        moved: list[Any] = [np.asarray(a + step * u, a.dtype) if k == i else a for k, a in enumerate(args)]
        return float(forward(*moved)[0])

    along = float(_np.sum(_np.asarray(gradient, np.complex128) * u).real)
    return Row(i, along, (at(h) - at(-h)) / (2 * h), TOLERANCES.get(bits, 2e-1))
