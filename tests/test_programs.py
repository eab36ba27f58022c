"""Real programs as JAX prints them: read, differentiated, printed, compiled, run; gradients as JAX stored them.

Values, and gradients without options, stand in test_compat. The stored numbers come from jax.value_and_grad of the
functions that the programs were lowered from; the gradient of newton_while, which JAX cannot differentiate, is that of
the square root.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import run

PROGRAMS = Path(__file__).parent / "data" / "programs"
NAMES = (
    "logistic_regression",
    "mlp",
    "cnn",
    "attention",
    "transposed_conv",
    "grouped_conv",
    "second_order",
    "calls",
    "gru_scan",
    "newton_while",
    "cond",
    "cumulative",
    "sort_gather",
    "embedding",
)
TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-10}


@cache
def source(name: str) -> str:
    return (PROGRAMS / f"{name}.mlir").read_text()


@cache
def stored(name: str) -> dict[str, np.ndarray[Any, Any]]:
    with np.load(PROGRAMS / f"{name}.npz") as file:
        return dict(file)


def wrt(name: str) -> tuple[int, ...]:
    index = json.loads((PROGRAMS / "index.json").read_text())
    return tuple(next(entry["wrt"] for entry in index if entry["name"] == name))


def arguments(name: str) -> list[np.ndarray[Any, Any]]:
    numbers = stored(name)
    return [numbers[f"in_{i}"] for i in range(sum(key.startswith("in_") for key in numbers))]


def gradient(name: str, **options: Any) -> ModuleOp:
    module = parse(source(name))
    differentiate(module, GradPass(wrt=wrt(name), **options))
    verify(module)
    return module


def close(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> None:
    """Equal within the element type's tolerance, relative to the largest element."""
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    scale = max(float(np.abs(expected).max(initial=0)), 1e-30)
    assert float(np.abs(found - expected).max(initial=0)) <= TOLERANCE[expected.dtype] * scale


@pytest.mark.parametrize("options", [{"portable": True}, {"safe": True}], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_options_do_not_change_the_gradient(name: str, options: dict[str, bool]) -> None:
    module = gradient(name, **options)
    if "portable" in options:
        text = to_text(module)
        assert "select_and_scatter" not in text
        assert "batch_group_count = 2" not in text
    _, *gradients = run(module, *arguments(name))
    for i, found in zip(wrt(name), gradients, strict=True):
        close(found, stored(name)[f"grad_{i}"])


@pytest.mark.parametrize("name", NAMES)
def test_printed_text_is_the_same_program(name: str) -> None:
    module, expected = parse(source(name)), cpp.generic(source(name))
    for syntax in ("pretty", "generic", "pjrt-1.16"):
        assert cpp.generic(to_text(module, syntax=syntax)) == expected, syntax


@pytest.mark.parametrize("name", NAMES)
def test_printed_gradients_are_one_program(name: str) -> None:
    module = gradient(name)
    texts = {cpp.generic(to_text(module, syntax=syntax)) for syntax in ("pretty", "generic", "pjrt-1.16")}
    assert len(texts) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_output_is_linear_in_the_input(name: str) -> None:
    """A gradient has a bounded number of ops per op of the program, and per loop some that keep its carries."""
    ops = [op.name for op in parse(source(name)).walk()]
    assert len(list(gradient(name).walk())) <= 8 * len(ops) + 100 * ops.count("stablehlo.while")
