"""Small programs on which some other differentiator was wrong, as its users reported; the right gradients come with them.

The cases are lines of data/reported_bugs.jsonl: a program, its inputs, which input to differentiate by, and the value
and the gradient, from closed forms.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse
from tests.harness import run

CASES = {
    case["title"]: case
    for case in map(json.loads, (Path(__file__).parent / "data/reported_bugs.jsonl").read_text().splitlines())
}


TINY = 1e-150
"""Below this, a product of intermediate values underflows, and zero is the answer of the safe mode."""


def is_safe(case: Any) -> bool:
    """Whether the gradient is that of the safe mode."""
    return "safe mode" in case["expected"]


def inputs_of(case: Any) -> list[Any]:
    return [np.asarray(x, np.float64) for x in case["inputs"]]


@pytest.mark.parametrize("title", CASES)
def test_reverse_mode(title: str) -> None:
    case = CASES[title]
    module = parse(case["hlo"])
    differentiate(module, GradPass(wrt=(case["wrt"],), safe=is_safe(case)))
    verify(module)
    value, gradient = run(module, *inputs_of(case))
    np.testing.assert_allclose(value, case["value"], rtol=1e-9)
    np.testing.assert_allclose(gradient, case["expect_grad"], rtol=1e-9, atol=TINY)


OVERFLOWS = "1/(1+exp(-x)) for very negative x"
"""In forward mode the tangent of exp(800) is infinite, and what it meets is zero: `safe` is about tangents of zero."""


@pytest.mark.parametrize("title", CASES)
def test_forward_mode(title: str) -> None:
    """Along each direction of the axes, one element of the gradient."""
    case = CASES[title]
    module = parse(case["hlo"])
    differentiate_forward(module, JvpPass(wrt=(case["wrt"],), safe=is_safe(case)))
    verify(module)
    inputs = inputs_of(case)
    x = inputs[case["wrt"]]
    found = np.zeros(x.shape)
    for place in np.ndindex(*x.shape):
        along = np.zeros(x.shape)
        along[place] = 1
        found[place] = run(module, *inputs, along)[1]
    expected = np.array(case["expect_grad"], np.float64)
    if title == OVERFLOWS:
        expected[0] = np.nan
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=TINY)
