"""Ops that are kept for old programs: text, what is refused, values, constructors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Operation
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.deprecated import BroadcastOp, DotOp, EinsumOp, UnaryEinsumOp
from hhlo_xdsl.dialects.types import UNKNOWN, tensor
from hhlo_xdsl.errors import HhloError, ShapeError
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import program_of, run
from tests.random_programs import (
    ANY_QUANTIZED,
    COMMON,
    ELEMENT,
    SHAPE,
    SIZE,
    Draw,
    check_against_upstream,
    near,
    nearly,
    other,
    program,
    spelled,
)


def broadcast_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED)
    sizes = [draw(st.sampled_from([0, 1, 2, 2, 3, -1])) for _ in range(draw(st.integers(0, 2)))]
    result = [*("?" if n < 0 else str(n) for n in sizes), *shape]
    properties = f"broadcast_sizes = {nearly(draw, sizes)}"
    operands = [spelled(shape, element)]
    return program("stablehlo.broadcast", properties, operands, spelled(near(draw, result), other(draw, element)))


def dot_text(draw: Draw) -> str:
    element, k = draw(COMMON | ELEMENT | ANY_QUANTIZED), draw(SIZE)
    left, right = ([draw(SIZE)] if draw(st.booleans()) else [] for _ in range(2))
    lhs, rhs = near(draw, [*left, k]), near(draw, [k, *right])
    properties = ""
    if draw(st.booleans()):
        high = "#stablehlo<precision HIGH>"
        properties = f"precision_config = [{', '.join([high] * draw(st.integers(0, 3)))}]"
    operands = [spelled(lhs, element), spelled(rhs, other(draw, element))]
    result = spelled(near(draw, [*left, *right]), other(draw, element))
    return program("stablehlo.dot", properties, operands, result)


TEXTS = [broadcast_text, dot_text]


@pytest.mark.parametrize("make", TEXTS, ids=lambda f: f.__name__.removesuffix("_text"))
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


@pytest.mark.parametrize("element", ["f32", "i1", "ui8", "complex<f32>", "!quant.uniform<i8:f32, 0.5>"])
@pytest.mark.parametrize("config", ["ij,jk->ik", "...", "", 'no \\"config\\"'])
def test_any_config_is_accepted(element: str, config: str):
    """As upstream does, whatever the types are."""
    a, b, c = (f"tensor<{shape}x{element}>" for shape in ("2x3", "?", "4x5"))
    text = f"""func.func @main(%a: {a}, %b: {b}) {{
      %0 = stablehlo.einsum %a, %b, config = "{config}" {{note}} : ({a}, {b}) -> {c}
      %1 = stablehlo.unary_einsum %a, config = "{config}" : ({a}) -> {c}
      return
    }}"""
    for syntax in ("pretty", "generic", "pjrt-1.16"):
        assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


REFUSED = {
    "broadcast_sizes are": ("broadcast", "%x, sizes = [-1] : (tensor<2x3xf32>) -> tensor<?x2x3xf32>"),
    "result is tensor<2x3xf32>, but": ("broadcast", "%x, sizes = [1] : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
    "result is tensor<1x2x3xi32>, but": ("broadcast", "%x, sizes = [1] : (tensor<2x3xf32>) -> tensor<1x2x3xi32>"),
    "they need rank 1 or 2": ("dot", "%x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"),
    "result is tensor<3xf32>, but": ("dot", "%x, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>"),
    "give one for lhs and one for rhs": (
        "dot",
        "%x, %v, precision = [HIGH, HIGH, HIGH] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>",
    ),
    "expected": ("dot", "%x, %v, : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>"),
    "elements must be": ("einsum", '%x, %i, config = "" : (tensor<2x3xf32>, tensor<3xindex>) -> tensor<2xf32>'),
    "result is tensor<2xindex>; its": ("unary_einsum", '%x, config = "" : (tensor<2x3xf32>) -> tensor<2xindex>'),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message: str):
    op, rest = REFUSED[message]
    text = f"""func.func @main(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %i: tensor<3xindex>) {{
      %0 = stablehlo.{op} {rest}
      return
    }}"""
    assert cpp.refuses(text) is not None
    with pytest.raises(HhloError, match=message) as error:
        parse(text)
    assert "(spec" not in str(error.value)


A, B, V = (np.random.default_rng(k).standard_normal(shape) for k, shape in enumerate(((2, 3), (3, 4), (3,))))
VALUES: dict[str, tuple[Callable[..., Operation], list[Any], Any]] = {
    "broadcast": (lambda a: BroadcastOp(a, (2, 1)), [A], np.broadcast_to(A, (2, 1, 2, 3))),
    "matrices": (lambda a, b: DotOp(a, b, precision=(Precision.HIGHEST,)), [A, B], A @ B),
    "matrix and vector": (DotOp, [A, V], A @ V),
    "vector and matrix": (DotOp, [V, B], V @ B),
    "vectors": (DotOp, [V, V], V @ V),
    "einsum": (lambda a, b: EinsumOp(a, b, "ij,jk->ki"), [A, B], (A @ B).T),
}


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str):
    build, arrays, expected = VALUES[name]
    (found,) = run(program_of([tensor(a.shape, f64) for a in arrays], build), *arrays)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_constructors():
    x, y = create_ssa_value(tensor((2, UNKNOWN), f32)), create_ssa_value(tensor((3, 4), f32))
    assert BroadcastOp(x, (5,)).result.type == tensor((5, 2, UNKNOWN), f32)
    assert DotOp(x, y, element=f64).result.type == tensor((2, 4), f64)
    assert DotOp(x, y).precision_config is None
    assert EinsumOp(x, y, "ij,jk->kji").result.type == tensor((4, 3, 2), f32)
    assert UnaryEinsumOp(x, "ij->j").result.type == tensor((UNKNOWN,), f32)


@pytest.mark.parametrize(
    "config, message",
    [
        ("ij,jk", "before the arrow it needs 2 and 2 letters"),
        ("i,jk->i", "before the arrow it needs 2 and 2 letters"),
        ("ij,ik->j", "letter i stands for two sizes"),
        ("ij,jk->l", "every letter after the arrow must stand before it"),
    ],
)
def test_a_config_that_does_not_fit_is_refused_by_the_constructor(config: str, message: str):
    x, y = create_ssa_value(tensor((2, 3), f32)), create_ssa_value(tensor((3, 4), f32))
    with pytest.raises(ShapeError, match=rf"stablehlo.einsum: config is {config}, operands are .*; {message}"):
        EinsumOp(x, y, config)
