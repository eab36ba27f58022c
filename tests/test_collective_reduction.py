"""Collectives that fold elements: constructors, and random programs against upstream."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64, i32
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp
from hhlo_xdsl.dialects.stablehlo.collective_reduction import AllReduceOp, CollectiveReduceOp, ReduceScatterOp
from hhlo_xdsl.dialects.stablehlo.control_flow import region_of
from hhlo_xdsl.dialects.stablehlo.reducers import reducer_of
from hhlo_xdsl.dialects.types import UNKNOWN, tensor
from hhlo_xdsl.errors import DTypeError, ShapeError
from tests import cpp
from tests.random_programs import COIN, Draw, check_against_upstream, near, other, program, spelled

X = create_ssa_value(tensor((4, 6), f32))
PAIRS = [[0, 1], [2, 3]]


def test_all_reduce() -> None:
    y = create_ssa_value(tensor((3,), f32))
    op = AllReduceOp([X, y], PAIRS, AddOp, channel=3, use_global_device_ids=True)
    op.verify()
    assert [r.type for r in op.results] == [X.type, y.type]
    assert reducer_of(op) is AddOp


def test_groups_may_differ_in_length() -> None:
    op = AllReduceOp([X], [[0, 1, 2], [3]], lambda a, b: emit(MaximumOp(a, b)))
    op.verify()
    assert "dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>" in str(op)
    with pytest.raises(ShapeError, match="reduce_scatter C5"):
        ReduceScatterOp(X, 0, [[0, 1, 2], [3]], AddOp, result_type=tensor((2, 6), f32)).verify()


def test_the_result_has_the_elements_of_the_computation() -> None:
    wide = region_of(AddOp, [tensor((), f64)] * 2)
    assert AllReduceOp([X], PAIRS, wide).results[0].type == tensor((4, 6), f64)


def test_operands_of_two_element_types_need_two_ops() -> None:
    with pytest.raises(DTypeError, match=r"operands\[1\] is tensor<4xi32>, and the body computes in f32"):
        AllReduceOp([X, create_ssa_value(tensor((4,), i32))], PAIRS, AddOp)


def test_reduce_scatter() -> None:
    op = ReduceScatterOp(X, 1, PAIRS, AddOp)
    op.verify()
    assert op.result.type == tensor((4, 3), f32)
    y = create_ssa_value(tensor((UNKNOWN, 6), f32))
    assert ReduceScatterOp(y, 0, PAIRS, AddOp).result.type == y.type


def test_reduce_scatter_needs_a_multiple_of_the_group() -> None:
    """Upstream's verifier does not look, but a shape must be inferred."""
    with pytest.raises(ShapeError, match=r"dimension 0 must be a multiple of that; pad it \(spec reduce_scatter C1\)"):
        ReduceScatterOp(create_ssa_value(tensor((5, 6), f32)), 0, PAIRS, AddOp)
    with pytest.raises(ShapeError, match="give the types of the results"):
        ReduceScatterOp(X, 0, [], AddOp)


def test_collective_reduce() -> None:
    CollectiveReduceOp([X], PAIRS, AddOp).verify()
    roots = create_ssa_value(tensor((1,), i32))
    op = CollectiveReduceOp([X, roots], PAIRS, AddOp, has_dynamic_root=True)
    op.verify()
    assert [r.type for r in op.results] == [X.type]


# Random programs

GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
SIZE = st.sampled_from("1 2 2 4 ? 0".split())
SHAPE = st.lists(SIZE, min_size=1, max_size=3)
FLOATS = st.sampled_from("f32 f64 bf16".split())


def region(draw: Draw, element: str) -> str:
    """A block that adds, now and then of another number of arguments or with other elements."""
    inner = draw(FLOATS | st.sampled_from(["i32", "i64"])) if draw(COIN) else element
    scalar = spelled(["2"] if draw(COIN) else [], inner)
    arguments = ", ".join(f"%{n}: {scalar}" for n in ("a", "b", "c")[: 3 if draw(COIN) else 2])
    count = 2 if draw(COIN) else 1
    returned = f"{', '.join(['%s'] * count)} : {', '.join([scalar] * count)}"
    return f"  ^bb0({arguments}):\n    %s = stablehlo.add %a, %b : {scalar}\n    stablehlo.return {returned}"


def folding_text(draw: Draw, op: str, roots: bool) -> str:
    element = draw(st.sampled_from(["f32", "f32", "i32"]))
    operands, results = list[str](), list[str]()
    for _ in range(draw(st.integers(1, 2))):
        shape = draw(SHAPE)
        operands.append(spelled(shape, other(draw, element)))
        results.append(spelled(near(draw, shape), other(draw, element)))
    flags = ""
    if roots and draw(st.booleans()):
        operands.append(spelled([str(len(results) + draw(COIN))], draw(st.sampled_from(["i32", "i32", "ui32", "i64"]))))
        flags = ", has_dynamic_root"
    return program(f"stablehlo.{op}", GROUPS + flags, operands, *results, region=region(draw, element))


def all_reduce_text(draw: Draw) -> str:
    return folding_text(draw, "all_reduce", roots=False)


def collective_reduce_text(draw: Draw) -> str:
    return folding_text(draw, "collective_reduce", roots=True)


def reduce_scatter_text(draw: Draw) -> str:
    element, shape = draw(st.sampled_from(["f32", "f32", "i32"])), draw(SHAPE)
    dim = draw(st.integers(0, len(shape) - (not draw(COIN))))
    result = list(shape)
    if dim < len(shape) and result[dim] != "?":
        result[dim] = str(int(result[dim]) // 2 + draw(COIN))
    properties = f"{GROUPS}, scatter_dimension = {dim} : i64"
    operand, result_type = spelled(shape, element), spelled(near(draw, result), other(draw, element))
    return program("stablehlo.reduce_scatter", properties, [operand], result_type, region=region(draw, element))


@pytest.mark.parametrize("make", [all_reduce_text, collective_reduce_text, reduce_scatter_text])
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]) -> None:
    if make is collective_reduce_text and not cpp.is_newest():
        pytest.skip("the installed StableHLO has no such op")
    check_against_upstream(make)
