"""Every element type in every op: upstream's examples with other elements are accepted or refused as upstream does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests import cpp
from tests.random_programs import is_accepted
from tests.test_dialect import OPS, is_known

ELEMENTS = [
    *"i1 i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64".split(),
    *"f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU".split(),
    *"bf16 f16 f32 f64 complex<f32> complex<f64>".split(),
    # No op computes with these.
    *"i3 si8 ui1 i128 index tf32 f80 f128 complex<f16> complex<i32> !quant.any<i8:f32>".split(),
    "!quant.uniform<i8:f32, 0.5:2>",
    "!quant.uniform<u4:bf16, 0.5>",
    "!quant.uniform<i8:f32:0, {0.5,0.25}>",
    "!quant.uniform<i8:f32:1, {0.5,0.25,0.125}>",
]

SHAPE = r"tensor<(?:[\d?]+x)*"
ELEMENT = r"complex<\w+>|![\w.]+(?:<[^<>]*>)?|\w+"


def variants(text: str) -> list[str]:
    """`text` with each of its element types exchanged for each other one."""
    return [
        re.sub(rf"({SHAPE}){re.escape(old)}(?=[,>])", lambda m, new=new: m[1] + new, text)
        for old in sorted(set(re.findall(rf"{SHAPE}({ELEMENT})", text)))
        for new in ELEMENTS
        if new != old
    ]


@pytest.mark.parametrize("op", [op for op in OPS if op["examples"]], ids=lambda op: op["name"])
def test_elements(op: dict[str, Any]):
    text = op["examples"][0]["generic_module"]
    if not is_known(text) or cpp.refuses(text) is not None:
        pytest.skip("not in the dialect yet, or not in older upstreams")
    for variant in variants(text):
        is_accepted(variant)
