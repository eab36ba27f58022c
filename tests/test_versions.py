"""What each StableHLO version can say, against jaxlib's own writer of portable artifacts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jaxlib.mlir.dialects import stablehlo

from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.errors import SyntaxVersionError
from hhlo_xdsl.passes.versions import VERSIONS, check_version
from hhlo_xdsl.text import parse, to_text

ROOT = Path(__file__).parent.parent
OPS: list[dict[str, Any]] = json.loads((ROOT / "tests/data/op_examples.json").read_text())
EXAMPLES = {
    f"{op['name']}-{example['tag']}": example["module"]
    for op in OPS
    for example in op["examples"]
    if op["name"] in {known.name for known in StableHLO.operations}
}
NEWEST = min(str(stablehlo.get_current_version()).rpartition(".")[0], VERSIONS[-1], key=lambda v: int(v[2:]))


def oldest_for_upstream(text: str) -> str | None:
    """The oldest version that upstream writes `text` for; None if it writes it for none."""
    for version in VERSIONS[: VERSIONS.index(NEWEST) + 1]:
        try:
            stablehlo.serialize_portable_artifact_str(text, f"{version}.0")
        except ValueError:
            continue
        return version
    return None


def oldest_for_us(text: str) -> str:
    module = parse(text)
    for version in VERSIONS:
        try:
            for op in module.walk():
                check_version(op, version)
        except SyntaxVersionError:
            continue
        return version
    raise AssertionError("no version can say it")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_oldest_version_of_each_example_is_upstreams(name: str) -> None:
    theirs = oldest_for_upstream(EXAMPLES[name])
    if theirs is None:
        pytest.skip("upstream writes no artifact of it")
    assert oldest_for_us(EXAMPLES[name]) == theirs


TAN = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.tan %x : tensor<f32>
  return %y : tensor<f32>
}"""


def test_what_is_newer_names_op_and_version() -> None:
    with pytest.raises(
        SyntaxVersionError, match=r"stablehlo\.tan: the op appeared in StableHLO 1\.4; the target is 1\.3"
    ):
        to_text(parse(TAN), syntax="pjrt-1.3")
    assert "stablehlo.tan" in to_text(parse(TAN), syntax="pjrt-1.4")


def test_an_unknown_version() -> None:
    with pytest.raises(SyntaxVersionError, match=r'"9\.9" is not known; known are 1\.0 to 1\.22'):
        check_version(parse(TAN), "9.9")
