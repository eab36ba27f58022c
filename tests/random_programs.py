"""Random programs of one op in generic form, near the border between right and wrong, against upstream's verifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hhlo_xdsl.errors import HhloError
from hhlo_xdsl.text import parse, to_text
from tests import cpp

Draw = Callable[[st.SearchStrategy[Any]], Any]
Shape = list[str]

SIZE = st.sampled_from("0 1 2 2 3 ?".split())
SHAPE = st.lists(SIZE, max_size=3)
COMMON = st.sampled_from("f32 i32 i1 ui8 complex<f32> bf16".split())
RARE = st.sampled_from(
    "f64 f16 f8E4M3FN f8E8M0FNU f4E2M1FN tf32 f80 i2 i3 i4 i8 i128 ui1 ui4 si8 complex<f64> complex<f16> index".split()
)
ELEMENT = COMMON | RARE
QUANTIZED = st.sampled_from(
    [
        *("!quant.uniform<i8:f32, 0.5:2>", "!quant.uniform<i8:f32, 0.25>", "!quant.uniform<u8:f32, 0.5:255>"),
        *("!quant.uniform<i8<-127:127>:f32, 0.5>", "!quant.uniform<i4:f32, 0.5>", "!quant.uniform<i8:bf16, 0.5>"),
        *("!quant.uniform<i32:f32, 0.5>", "!quant.uniform<ui8:f32, 0.5>"),
    ]
)
PER_AXIS = st.sampled_from(
    [
        *("!quant.uniform<i8:f32:0, {0.5,0.25}>", "!quant.uniform<i8:f32:1, {0.5,0.25:1}>"),
        *("!quant.uniform<i8:f32:1, {0.5,0.25,0.1}>", "!quant.uniform<i8:f32:2, {0.5,0.25}>"),
        *("!quant.uniform<i8<-127:127>:f32:0, {0.5}>", "!quant.uniform<i4:f32:0, {0.5,0.25}>"),
        *("!quant.uniform<i8:f32:0, {0.5,0.125}>", "!quant.uniform<i8:f64:0, {0.5,0.25}>"),
    ]
)
UNUSABLE = st.sampled_from(
    [
        *("!quant.uniform<i3:f32, 0.5>", "!quant.uniform<si8:f32, 0.5>", "!quant.uniform<i8:f32, 0.5:300>"),
        "!quant.uniform<i8:f32:{0:1}, {0.5,0.25}>",
        *("!quant.any<i8:f32>", "!quant.calibrated<f32<-1.0:1.0>>"),
    ]
)
ANY_QUANTIZED = QUANTIZED | QUANTIZED | PER_AXIS | PER_AXIS | UNUSABLE
COIN = st.sampled_from([True] + [False] * 5)


def near(draw: Draw, shape: Shape) -> Shape:
    """`shape`, now and then with another size or rank."""
    if not draw(COIN):
        return list(shape)
    changed = [*shape, draw(SIZE)] if draw(st.booleans()) or not shape else [*shape[:-1], draw(SIZE)]
    return changed if draw(st.booleans()) else changed[:-1]


def nearly(draw: Draw, values: list[int]) -> str:
    """The list of `values`, now and then with another number or length."""
    values = list(values)
    if values and draw(COIN):
        values[draw(st.integers(0, len(values) - 1))] += draw(st.sampled_from([-1, 1]))
    if draw(COIN):
        values = [*values, 0] if draw(st.booleans()) else values[:-1]
    return listed(values)


def listed(values: list[int]) -> str:
    """`array<i64: ...>` of `values`."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def other(draw: Draw, element: str) -> str:
    """`element`, now and then another one."""
    return draw(COMMON) if draw(COIN) else element


def spelled(shape: Shape, element: str) -> str:
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def program(op: str, properties: str, operands: list[str], *results: str, region: str = "") -> str:
    """A function of one op, whose operands are its arguments; `region` is the text of its block, if it has one."""
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(operands))
    names = ", ".join(f"%a{i}" for i in range(len(operands)))
    properties = f" <{{{properties}}}>" if properties else ""
    region = f" ({{\n{region}\n  }})" if region else ""
    return (
        f"func.func @f({arguments}) {{\n"
        f'  %r:{len(results)} = "{op}"({names}){properties}{region} : ({", ".join(operands)}) -> ({", ".join(results)})\n'
        "  return\n}"
    )


def is_accepted(text: str) -> bool:
    """Whether a program is accepted; asserts that upstream does too, or refuses it too, and reads what we print."""
    theirs, ours, message = cpp.refuses(text), None, ""
    try:
        ours = parse(text)
    except HhloError as error:
        message = str(error)
    assert (theirs is None) == (ours is not None), f"{text}\nupstream: {theirs}\nours: {message}"
    if ours is not None:
        assert cpp.generic(to_text(ours)) == cpp.generic(text)
    return ours is not None


def check_against_upstream(make: Callable[[Draw], str]) -> None:
    """Assert that random texts are accepted or refused as upstream does, and mean the same after a round trip."""
    accepted = [0, 0]

    @settings(max_examples=max(150, settings().max_examples))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        accepted[is_accepted(make(data.draw))] += 1

    check()
    assert min(accepted) >= 10
