"""Bounds of unknown sizes: their spellings, and how they pass through ops."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jaxlib.mlir import ir
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Block
from xdsl.parser import Parser

from hhlo_xdsl.dialects.bounds import UNBOUNDED, BoundsAttr, bounds_of
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.movement import ConcatenateOp, PadOp, ReshapeOp, SliceOp, TransposeOp
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, bounded, compatible, merged, tensor
from hhlo_xdsl.errors import HhloError, ShapeError
from hhlo_xdsl.text import context, parse
from tests import cpp
from tests.random_programs import Draw, is_accepted
from tests.test_dialect import OPS, is_known

TYPES = [
    "tensor<4x?xf32, #stablehlo.bounds<?, 8>>",
    "tensor<4x?xf32, #stablehlo.type_extensions<bounds = [?, 8]>>",
    "tensor<4x?xf32, #stablehlo<type_extensions<bounds = [?, 8]>>>",
    "tensor<?x?xf32, #stablehlo<bounds<8 ,?>>>",
    "tensor<?xf32, #stablehlo.bounds<0x8>>",
    "tensor<?xf32, #stablehlo.bounds<-3>>",
    "tensor<4x?xf32, #stablehlo.bounds<?, ?>>",
    "tensor<f32, #stablehlo.bounds<>>",
    'tensor<?xf32, "any attribute">',
    "tuple<tensor<f32>, tuple<>, tuple<tensor<2x!quant.uniform<i8:f32, 0.5>>, !stablehlo.token>>",
]


@pytest.mark.parametrize("text", TYPES)
def test_type(text: str):
    """Read and printed, it is what upstream reads and prints."""
    assert str(Parser(context(), text).parse_type()) == str(ir.Type.parse(text, cpp.context()))


WRONG = {
    "static": "tensor<4x?xf32, #stablehlo.bounds<4, 8>>",
    "few": "tensor<4x?xf32, #stablehlo.bounds<8>>",
    "none": "tensor<4x?xf32, #stablehlo.bounds<>>",
    "wide": "tensor<?xf32, #stablehlo.bounds<9223372036854775808>>",
    "comma": "tensor<?xf32, #stablehlo.bounds<8,>>",
    "word": "tensor<?xf32, #stablehlo.type_extensions<>>",
}


@pytest.mark.parametrize("type_", WRONG.values(), ids=WRONG)
def test_wrong_bounds(type_: str):
    text = f"func.func @f(%x: {type_}) {{\n  %r = stablehlo.abs %x : {type_}\n  return\n}}"
    assert cpp.refuses(text) is not None
    with pytest.raises(HhloError):
        parse(text)


@pytest.mark.parametrize("type_", [WRONG["static"], WRONG["few"]])
def test_wrong_bounds_of_an_argument(type_: str):
    """Of a function that does nothing else with it."""
    text = f"func.func private @f({type_})"
    assert cpp.refuses(text) is not None
    with pytest.raises(HhloError, match=r"func\.func: .* bound.*\n  at <text>:1:1"):
        parse(text)


def of(*bounds: int) -> RankedTensor:
    """A tensor of unknown sizes with these bounds."""
    return bounded((UNKNOWN,) * len(bounds), f32, bounds)


def argument(type_: Attribute) -> Any:
    return Block(arg_types=[type_]).args[0]


def test_types_with_bounds():
    assert bounds_of(of(3, UNBOUNDED)) == (3, UNBOUNDED)
    assert bounds_of(of(UNBOUNDED, UNBOUNDED)) is None
    assert of(3) is of(3)
    assert compatible(of(3), tensor((3,), f32))
    assert not compatible(of(3), tensor((4,), f32))
    assert not compatible(tensor((4,), f32), of(3))
    assert merged(of(3, 5), of(4, UNBOUNDED)) == of(3, 5)
    assert merged(of(3), tensor((2,), f32)) == tensor((2,), f32)


def test_constructors_infer_bounds():
    x = argument(of(3, 5))
    assert AddOp(x, argument(of(4, 4))).result.type == of(3, 4)
    assert bounds_of(CompareOp(x, x, ComparisonDirection.LT).result.type) == (3, 5)
    assert TransposeOp(x, (1, 0)).result.type == of(5, 3)
    assert PadOp(x, argument(tensor((), f32)), (1, 0), (0, -1), (0, 1)).result.type == of(4, 8)
    assert ConcatenateOp([x, argument(of(2, 4))], 0).result.type == of(5, 4)
    assert ConcatenateOp([x, argument(tensor((2, 5), f32))], 0).result.type == bounded(
        (UNKNOWN, 5), f32, (5, UNBOUNDED)
    )
    assert SliceOp(x, (0, 0), (3, 4), (1, 1)).result.type == tensor((3, 4), f32)
    with pytest.raises(ShapeError, match=r"dimension 0 of .* is sliced 0:4; 0 <= start <= limit <= 3"):
        SliceOp(x, (0, 0), (4, 4), (1, 1))
    with pytest.raises(ShapeError, match="sizes must be known"):
        ReshapeOp(x, (UNKNOWN,))
    assert isinstance(of(3).encoding, BoundsAttr)


# Random types in upstream's examples

SIZES = re.compile(r"tensor<((?:[\d?]+x)+)([^<>]*(?:<[^<>]*>)?)>")


def vaguer(draw: Draw, match: re.Match[str]) -> str:
    """A tensor type, some of whose sizes are unknown, and some of those bounded."""
    dims = match[1].removesuffix("x").split("x")
    sizes = [d if d != "?" and draw(st.booleans()) else "?" for d in dims]
    if sizes == dims or draw(st.booleans()):
        return f"tensor<{''.join(n + 'x' for n in sizes)}{match[2]}>"
    bounds = [draw(st.sampled_from("? 1 2 3 4 5 6 8".split())) if n == "?" else "?" for n in sizes]
    return f"tensor<{''.join(n + 'x' for n in sizes)}{match[2]}, #stablehlo.bounds<{', '.join(bounds)}>>"


def variant(draw: Draw, text: str) -> str:
    """`text`, each of whose types is exchanged for one vaguer type; constants keep theirs."""
    types = {m[0]: vaguer(draw, m) if draw(st.booleans()) else m[0] for m in SIZES.finditer(text)}
    lines = text.splitlines()
    return "\n".join(n if "dense<" in n else SIZES.sub(lambda m: types[m[0]], n) for n in lines)


# Upstream takes any bounds of its result.
LOOSE = {"chlo.broadcast_select"}
EXAMPLES = {op["name"]: op["examples"][0]["generic_module"] for op in OPS if op["examples"]}


@pytest.mark.parametrize("name", [name for name, text in EXAMPLES.items() if "tensor<" in text])
def test_accepts_what_upstream_accepts(name: str):
    if name in LOOSE or not is_known(EXAMPLES[name]) or cpp.refuses(EXAMPLES[name]) is not None:
        pytest.skip("upstream does not check its bounds, or it is not in the dialect yet, nor in older upstreams")

    @settings(max_examples=15)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        is_accepted(variant(data.draw, EXAMPLES[name]))

    check()
