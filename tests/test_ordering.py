"""sort: text, constraints, values, constructor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64, i32
from xdsl.ir import SSAValue
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import DTypeError, ShapeError
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
    other,
    program,
    spelled,
)


def sort_text(draw: Draw) -> str:
    shape, element, count = (
        draw(SHAPE) or ["2"],
        draw(COMMON | COMMON | ELEMENT | ANY_QUANTIZED),
        draw(st.sampled_from([1, 2])),
    )
    elements = [element, draw(COMMON)][:count]
    inputs = [spelled(near(draw, shape), e) for e in elements]
    results = [spelled(near(draw, shape), other(draw, e)) for e in elements]
    scalars = [spelled(near(draw, []), other(draw, e)) for e in elements for _ in range(2)]
    arguments = ", ".join(f"%b{i}: {t}" for i, t in enumerate(scalars))
    body = f"  ^bb0({arguments}):\n    %c = stablehlo.constant dense<true> : tensor<i1>\n"
    wrong = [f"%b0 : {scalars[0]}", "%c, %c : tensor<i1>, tensor<i1>"]
    returned = draw(st.sampled_from(["%c : tensor<i1>"] * 6 + wrong))
    properties = (
        [f"dimension = {draw(st.sampled_from([-1, -1, 0, 0, *range(-3, 3)]))} : i64"] if draw(st.booleans()) else []
    )
    properties += draw(st.sampled_from([[], ["is_stable = true"], ["is_stable = false"]]))
    region = f"{body}    stablehlo.return {returned}"
    return program("stablehlo.sort", ", ".join(properties), inputs, *results, region=region)


def test_accepts_what_upstream_accepts():
    check_against_upstream(sort_text)


def ascending(*scalars: SSAValue) -> SSAValue:
    """Whether the left of the first input is less than its right."""
    return emit(CompareOp(scalars[0], scalars[1], ComparisonDirection.LT))


@pytest.mark.parametrize("dimension", [0, 1, -1, -2])
def test_value(dimension: int):
    types = [tensor((3, 4), f64), tensor((3, 4), i32)]
    text = program_of(types, lambda x, y: SortOp([x, y], dimension, ascending, is_stable=True))
    x, y = np.random.default_rng(0).integers(0, 3, (3, 4)).astype(float), np.arange(12, dtype=np.int32).reshape(3, 4)
    order = np.argsort(x, dimension, kind="stable")
    for found, expected in zip(cpp.interpret(text, x, y), (x, y), strict=True):
        np.testing.assert_array_equal(found, np.take_along_axis(expected, order, dimension))


def test_properties():
    x = create_ssa_value(tensor((3, 4), f32))
    op = SortOp([x], -2, ascending)
    assert op.dimension is not None
    assert op.dimension.value.data == op.sorted_dimension == 0
    assert op.is_stable is None
    del op.properties["dimension"]
    assert op.sorted_dimension == 1


def test_wrong_arguments_are_refused():
    x = create_ssa_value(tensor((3, 4), f32))
    with pytest.raises(ShapeError, match=r"dimension is 2, .* must be in -2..1 \(spec sort C4\)"):
        SortOp([x], 2, ascending)
    with pytest.raises(DTypeError, match=r"comparator maps .* to \(tensor<f32>\); it must map .* \(spec sort C5\)"):
        SortOp([x], 0, lambda a, b: a)
