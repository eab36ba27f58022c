"""The text for PJRT, on whatever jaxlib is installed: `make compat` runs this file on the oldest one.

jaxlib 0.10.0 bundles StableHLO 1.16.0, whose parser is the one that the text is meant for.
"""

from __future__ import annotations

import contextlib
import io
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jaxlib.mlir.dialects import stablehlo

from hhlo_xdsl.errors import SyntaxVersionError, VerifyError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import QUICK, compiled, run, session
from tests.test_dialect import OPS, is_known

pytestmark = pytest.mark.compat

DATA = Path(__file__).parent / "data"
WRT: dict[str, tuple[int, ...]] = {
    entry["name"]: tuple(entry["wrt"]) for entry in json.loads((DATA / "programs/index.json").read_text())
}
TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-10}

Arrays = list[np.ndarray[Any, Any]]


def source(name: str) -> str:
    return (DATA / f"programs/{name}.mlir").read_text()


def stored(name: str) -> tuple[Arrays, np.ndarray[Any, Any], Arrays]:
    """Arguments, value and gradients, from JAX."""
    with np.load(DATA / f"programs/{name}.npz") as numbers:
        arguments = [numbers[f"in_{i}"] for i in range(sum(key.startswith("in_") for key in numbers))]
        return arguments, numbers["value"], [numbers[f"grad_{i}"] for i in WRT[name]]


def gradient_text(name: str) -> str:
    module = parse(source(name))
    differentiate(module, GradPass(wrt=WRT[name]))
    return to_text(module, syntax="pjrt-1.16")


def close(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> bool:
    """Equal within the element type's tolerance, relative to the largest element."""
    scale = float(np.abs(expected).max())
    return found.dtype == expected.dtype and float(np.abs(found - expected).max()) <= TOLERANCE[found.dtype] * scale


def is_1_16(text: str) -> bool:
    """Whether StableHLO 1.16 has every op and attribute of a program."""
    with contextlib.redirect_stderr(io.StringIO()):
        return bool(stablehlo.serialize_portable_artifact_str(text, "1.16.0"))


def test_bundled_version():
    bundled = stablehlo.get_current_version()
    assert tuple(map(int, bundled.split("."))) >= (1, 16, 0)
    if version("jaxlib") == "0.10.0":
        assert bundled == "1.16.0"


@pytest.mark.parametrize("name", WRT)
def test_program(name: str):
    arguments, value, _ = stored(name)
    text = to_text(parse(source(name)), syntax="pjrt-1.16")
    assert cpp.generic(text) == cpp.generic(source(name))
    (found,) = run(text, *arguments)
    assert close(found, value)


@pytest.mark.parametrize("name", WRT)
def test_gradient(name: str):
    arguments, value, gradients = stored(name)
    text = gradient_text(name)
    assert cpp.refuses(text) is None
    found = run(text, *arguments)
    assert len(found) == 1 + len(gradients)
    assert close(found[0], value)
    for one, expected in zip(found[1:], gradients, strict=True):
        assert close(one, expected)


@pytest.mark.parametrize("name", [name for name in WRT if "chlo." not in source(name)])
def test_gradient_needs_no_newer_version(name: str):
    assert is_1_16(gradient_text(name))


EXAMPLES = {
    f"{op['name']}-{example['tag']}": example["module"]
    for op in OPS
    for example in op["examples"]
    if example["runs"] and is_known(example["generic_module"])
}


def example_text(name: str) -> str | None:
    """The text of an example; None if it needs a newer StableHLO, as the oldest parser must confirm."""
    try:
        return to_text(parse(EXAMPLES[name]), syntax="pjrt-1.16")
    except SyntaxVersionError:
        if stablehlo.get_current_version() == "1.16.0":
            assert cpp.refuses(EXAMPLES[name]) is not None
        return None


# What main takes and gives must be arrays, which have known sizes.
NO_ARRAYS = {
    "stablehlo.get_tuple_element-main": "is not a tensor; arguments and results of a program that runs must be tensors",
    "stablehlo.set_dimension_size-main": "has an unknown size; a program that runs needs known sizes",
}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in NO_ARRAYS])
def test_example_compiles(name: str):
    text = example_text(name)
    if text is not None:
        compiled(text, QUICK)


@pytest.mark.parametrize("name", NO_ARRAYS)
def test_what_is_no_array_is_refused_before_compilation(name: str):
    with pytest.raises(VerifyError, match=NO_ARRAYS[name]):
        session().compile(EXAMPLES[name])


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("stablehlo.")])
def test_example_needs_no_newer_version(name: str):
    text = example_text(name)
    assert text is None or is_1_16(text)
