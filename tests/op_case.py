"""One row per elementwise op, and the checks that a row drives: forward value, round trip, both modes of derivative, order two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hhlo_xdsl.text import parse, to_text
from tests.harness import check_jvp, run

SHAPE = (2, 3)


@dataclass(frozen=True)
class OpCase:
    """An elementwise op of one element type, numpy's function for it, and where to sample its operands."""

    name: str
    reference: Callable[..., Any]
    domain: tuple[float, float] = (-2.0, 2.0)
    operands: int = 1
    element: str = "f64"
    result: str | None = None
    dialect: str = "stablehlo"

    def __str__(self) -> str:
        return f"{self.name}-{self.element}"

    @property
    def text(self) -> str:
        """A program whose main is the op."""
        t, r = f"tensor<2x3x{self.element}>", f"tensor<2x3x{self.result or self.element}>"
        names = ["%a", "%b"][: self.operands]
        arguments = ", ".join(f"{n}: {t}" for n in names)
        types = f"({', '.join([t] * self.operands)}) -> {r}"
        if self.dialect == "chlo":
            types = f"{', '.join([t] * self.operands)} -> {r}"
        return (
            f"func.func @main({arguments}) -> {r} {{\n"
            f"  %y = {self.dialect}.{self.name} {', '.join(names)} : {types}\n"
            f"  return %y : {r}\n}}\n"
        )

    def sample(self, seed: int = 0) -> list[np.ndarray[Any, Any]]:
        """Operands, uniform in the domain (complex: both parts)."""
        rng = np.random.default_rng(seed)
        return [self._sample(rng) for _ in range(self.operands)]

    def _sample(self, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        low, high = self.domain
        x = rng.uniform(low, high, SHAPE)
        match self.element:
            case "f64":
                return x
            case "f32":
                return x.astype(np.float32)
            case "complex<f64>":
                return x + 1j * rng.uniform(low, high, SHAPE)
            case "i32":
                return rng.integers(int(low), int(high), SHAPE, dtype=np.int32)
            case "ui32":
                return rng.integers(int(low), int(high), SHAPE, dtype=np.uint32)
            case "i1":
                return rng.integers(0, 2, SHAPE).astype(bool)
            case other:
                raise ValueError(other)


def check_forward(case: OpCase, rtol: float = 1e-12) -> None:
    """The op's value is numpy's."""
    args = case.sample()
    (found,) = run(case.text, *args)
    expected = np.asarray(case.reference(*args))
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-5 if case.element == "f32" else rtol, atol=1e-12)


def check_round_trip(case: OpCase) -> None:
    """Pretty, generic and PJRT text all read back as the same module."""
    module = parse(case.text)
    for syntax in ("pretty", "generic", "pjrt-1.16"):
        assert parse(to_text(module, syntax=syntax)).is_structurally_equivalent(module)


def check_gradient(case: OpCase) -> None:
    """The op's derivatives, in both modes, agree with central differences, and so do second derivatives."""
    check_jvp(case.text, case.sample(), order=2)
