"""map: text, constraints, values, constructor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64, i1
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MultiplyOp
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.map import MapOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import DTypeError
from tests import cpp
from tests.harness import program_of
from tests.random_programs import (
    ANY_QUANTIZED,
    COMMON,
    ELEMENT,
    SHAPE,
    Draw,
    check_against_upstream,
    near,
    nearly,
    other,
    program,
    spelled,
)


def map_text(draw: Draw) -> str:
    shape, element, count = draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED), draw(st.sampled_from([0] + [1] * 6 + [2] * 6))
    elements = [element, draw(COMMON)][:count]
    inputs = [spelled(near(draw, shape), e) for e in elements]
    scalars = [spelled(near(draw, []), other(draw, e)) for e in elements]
    arguments = ", ".join(f"%b{i}: {t}" for i, t in enumerate(scalars))
    body = f"  ^bb0({arguments}):\n" if arguments else ""
    body += "    %c = stablehlo.constant dense<true> : tensor<i1>\n"
    last = count - 1
    returned = f"%b{last} : {scalars[last]}" if count and draw(st.booleans()) else "%c : tensor<i1>"
    given = elements[last] if returned.startswith("%b") else "i1"
    region = f"{body}    stablehlo.return {returned}"
    properties = f"dimensions = {nearly(draw, list(range(len(shape))))}"
    result = spelled(near(draw, shape), other(draw, given))
    return program("stablehlo.map", properties, inputs, result, region=region)


def test_accepts_what_upstream_accepts():
    check_against_upstream(map_text)


def test_value():
    types = [tensor((2, 3), f64), tensor((2, 3), f64)]
    text = program_of(types, lambda a, b: MapOp([a, b], lambda x, y: emit(AddOp(x, emit(MultiplyOp(x, y))))))
    a, b = np.random.default_rng(0).standard_normal((2, 2, 3))
    (found,) = cpp.interpret(text, a, b)
    np.testing.assert_allclose(found, a + a * b, rtol=1e-15)


def test_constructor():
    x = create_ssa_value(tensor((2, 3), f32))
    assert MapOp([x, x], AddOp).result.type == x.type
    less = MapOp([x, x], lambda a, b: emit(CompareOp(a, b, ComparisonDirection.LT)))
    assert less.result.type == tensor((2, 3), i1)
    with pytest.raises(
        DTypeError, match=r"to \(tensor<f32>, tensor<f32>\); it must map .* to one scalar \(spec map C4\)"
    ):
        MapOp([x], lambda a: (a, a))
