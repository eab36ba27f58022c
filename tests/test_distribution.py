"""Collectives that move elements: constructors, the text of groups and meshes, and random programs against upstream."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr, f32, i32
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.stablehlo.distribution import (
    AllGatherOp,
    AllToAllOp,
    CollectiveBroadcastOp,
    CollectivePermuteOp,
    CrossReplicaSumOp,
)
from hhlo_xdsl.dialects.stablehlo.processes import (
    AxisRef,
    AxisRefAttr,
    Channel,
    Mesh,
    MeshAttr,
    MeshAxis,
    ReplicaGroupMeshAxesAttr,
)
from hhlo_xdsl.dialects.types import UNKNOWN, tensor
from hhlo_xdsl.errors import HhloError, ShapeError, VerifyError
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.random_programs import COIN, Draw, check_against_upstream, near, other, program, spelled

X = create_ssa_value(tensor((4, 6), f32))
PAIRS = [[0, 1], [2, 3]]
MESH = MeshAttr(Mesh((MeshAxis("x", 2), MeshAxis("y", 6))))


def along(*axes: AxisRef) -> ReplicaGroupMeshAxesAttr:
    return ReplicaGroupMeshAxesAttr(MESH, ArrayAttr([AxisRefAttr(axis) for axis in axes]))


# Constructors


def test_all_gather() -> None:
    op = AllGatherOp([X], 1, PAIRS, channel=7, use_global_device_ids=True)
    op.verify()
    assert op.results[0].type == tensor((4, 12), f32)
    assert op.channel_handle is not None
    assert op.channel_handle.data == Channel(7, 0)
    assert "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>" in str(op)
    assert "use_global_device_ids" not in AllGatherOp([X], 1, PAIRS).properties


def test_all_gather_of_unknown_size() -> None:
    y = create_ssa_value(tensor((UNKNOWN, 6), f32))
    assert AllGatherOp([y], 0, PAIRS).results[0].type == tensor((UNKNOWN, 6), f32)


@pytest.mark.parametrize(
    "groups, size",
    [(along(AxisRef("x")), 2), (along(AxisRef("x"), AxisRef("y")), 12), (along(AxisRef("y", (2, 3))), 3), (along(), 1)],
)
def test_the_size_of_a_group_is_known_from_the_mesh(groups: ReplicaGroupMeshAxesAttr, size: int) -> None:
    assert AllGatherOp([X], 0, groups).results[0].type == tensor((4 * size, 6), f32)


@pytest.mark.parametrize("groups", [[], ReplicaGroupMeshAxesAttr(SymbolRefAttr("mesh"), ArrayAttr[AxisRefAttr]([]))])
def test_groups_of_unknown_size_need_the_types_of_the_results(groups: ReplicaGroupMeshAxesAttr) -> None:
    with pytest.raises(
        ShapeError, match=r"stablehlo\.all_gather: how large the groups .*; give the types of the results"
    ):
        AllGatherOp([X], 0, groups)
    AllGatherOp([X], 0, groups, result_types=[tensor((8, 6), f32)]).verify()


def test_all_to_all() -> None:
    op = AllToAllOp([X, X], 0, 1, 2, PAIRS, Channel(1, 1))
    op.verify()
    assert [r.type for r in op.results] == [tensor((2, 12), f32)] * 2
    assert AllToAllOp([X], 1, 1, 2, PAIRS).results[0].type == X.type


def test_collective_broadcast() -> None:
    CollectiveBroadcastOp([X], PAIRS).verify()
    roots = create_ssa_value(tensor((2,), i32))
    op = CollectiveBroadcastOp([X, X, roots], PAIRS, has_dynamic_root=True)
    op.verify()
    assert [r.type for r in op.results] == [X.type, X.type]


def test_collective_permute() -> None:
    op = CollectivePermuteOp(X, [(0, 1), (1, 0)])
    op.verify()
    assert op.pairs == [(0, 1), (1, 0)]
    assert CollectivePermuteOp(X, []).pairs == []


def test_cross_replica_sum() -> None:
    op = CrossReplicaSumOp(X, PAIRS)
    op.verify()
    assert op.result.type == X.type


# The text of groups and meshes

GATHER = """func.func @main(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {{
  %0 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 1 : i64, {}}}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}}"""
GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
AXES = '[#stablehlo.axis_ref<name = "x">]'
INLINE = '#stablehlo.mesh<axes=[<name = "x", size = 2>]>'


def meshed(mesh: str = INLINE, axes: str = AXES) -> str:
    return f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = {axes}>"


RIGHT = [
    GROUPS,
    "replica_groups = dense<> : tensor<0x0xi64>",
    f"{GROUPS}, channel_handle = #stablehlo.channel_handle<type = 1, handle = -3>",
    f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 0x10, type = 0>",
    meshed(),
    f"replica_groups = #stablehlo.replica_group_mesh_axes<axes = {AXES}, mesh = {INLINE}>",
    meshed('#stablehlo.mesh<axes = [#stablehlo.mesh_axis<size = 2, name = "x">, <name = "y\\22", size = 3>]>'),
    meshed('#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi32>>'),
    meshed("@main"),
    meshed("@main", '["y", 1 : i32]'),
    meshed(axes="[]"),
    meshed(axes='[#stablehlo.axis_ref<sub_axis_info = (1)2, name = "x">, #stablehlo.axis_ref<name = "x">]'),
]


@pytest.mark.parametrize("properties", RIGHT)
@pytest.mark.parametrize("syntax", ["pretty", "generic"])
def test_groups_are_read_and_written(properties: str, syntax: str) -> None:
    text = GATHER.format(properties)
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


WRONG = [
    (
        "replica_groups = dense<[[0, 1]]> : tensor<1x2xi32>",
        "attribute replica_groups is .*, which is of the wrong kind",
    ),
    ("replica_groups = array<i64: 0, 1>", "attribute replica_groups is .*, which is of the wrong kind"),
    (f"{GROUPS}, channel_handle = 1 : i64", "attribute channel_handle is 1 : i64, which is of the wrong kind"),
    (f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 1>", "expected the field type too"),
    (f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 1, handle = 2>", "there is no field handle left"),
    (f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0,>", "expected"),
    (f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 1, sort = 0>", "there is no field sort left"),
    (f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 1, type = {2**63}>", "does not fit into 64 bits"),
    (meshed(axes='[#stablehlo.axis_ref<name = "y">]'), "axes names y; the mesh has x"),
    (meshed(axes='["x"]'), 'axes holds "x"; it must hold axes such as'),
    (meshed(axes="@x"), "expected axes such as"),
    (meshed("@a::@b"), "mesh is @a::@b; it must be #stablehlo.mesh<..> or a name"),
    (meshed("1 : i64"), "mesh is 1 : i64; it must be"),
    (meshed("#stablehlo.mesh<axes=[]>", "[]"), "a mesh has one axis at least"),
    (meshed("#stablehlo.mesh<axes=[1 : i64]>"), "expected an axis such as"),
    (
        meshed('#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<1.0> : tensor<2xf32>>'),
        "expected ids of",
    ),
    (meshed(axes="[#stablehlo.axis_ref<sub_axis_info = (1)2>]"), "expected the field name too"),
]


@pytest.mark.parametrize("properties, message", WRONG)
def test_wrong_groups_are_refused(properties: str, message: str) -> None:
    text = GATHER.format(properties)
    assert cpp.refuses(text) is not None
    with pytest.raises(HhloError, match=message):
        parse(text)


def test_axes_are_checked_in_python() -> None:
    with pytest.raises(VerifyError, match="axes names z; the mesh has x, y"):
        along(AxisRef("z"))


def test_a_mesh_outside_of_a_module_is_not_looked_for() -> None:
    groups = ReplicaGroupMeshAxesAttr(SymbolRefAttr("mesh"), ArrayAttr([AxisRefAttr(AxisRef("x"))]))
    AllGatherOp([X], 0, groups, result_types=[tensor((8, 6), f32)]).verify()


# Random programs

GROUP_IDS = st.sampled_from(
    ["[[0, 1]]", "[[0, 1], [2, 3]]", "[[1, 0, 2]]", "[[0], [1]]", "[[0, 2]]", "[[0, -1]]", "[0, 1]"]
)


def groups_text(draw: Draw) -> str:
    ids = draw(GROUP_IDS) if draw(COIN) else "[[0, 1]]"
    inner = ids.count("[") - 1
    sizes = f"{inner}x{ids.split(']')[0].count(',') + 1}" if inner else f"{ids.count(',') + 1}"
    return f"replica_groups = dense<{ids}> : tensor<{sizes}xi64>"


SIZE = st.sampled_from("1 2 2 4 ? 0".split())
SHAPE = st.lists(SIZE, min_size=1, max_size=3)


def all_gather_text(draw: Draw) -> str:
    dim, operands, results = draw(st.integers(0, 2)) if draw(COIN) else 0, list[str](), list[str]()
    for _ in range(draw(st.integers(1, 2))):
        shape, element = draw(SHAPE), draw(st.sampled_from(["f32", "i32"]))
        result = near(draw, shape)
        if dim < len(result) and result[dim] != "?":
            result[dim] = str(int(result[dim]) * draw(st.integers(1, 3)) + draw(COIN))
        operands.append(spelled(shape, element))
        results.append(spelled(result, other(draw, element)))
    flags = ", use_global_device_ids" * draw(COIN)
    return program(
        "stablehlo.all_gather", f"all_gather_dim = {dim} : i64, {groups_text(draw)}{flags}", operands, *results
    )


def all_to_all_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(st.sampled_from(["f32", "i32"]))
    split, concat = (draw(st.integers(0, len(shape) - (not draw(COIN)))) for _ in range(2))
    count = draw(st.integers(0, 3)) if draw(COIN) else 2
    result = list(shape)
    if split < len(shape) and result[split] != "?" and count:
        result[split] = str(int(result[split]) // count)
    if concat < len(shape) and result[concat] != "?":
        result[concat] = str(int(result[concat]) * count)
    dims = f"split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = {count} : i64"
    operand, result_type = spelled(shape, element), spelled(near(draw, result), other(draw, element))
    return program("stablehlo.all_to_all", f"{dims}, {groups_text(draw)}", [operand], result_type)


def collective_permute_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(st.sampled_from(["f32", "i32"]))
    ids = st.integers(-1, 3) if draw(COIN) else st.integers(0, 6)
    pairs = draw(st.lists(st.tuples(ids, ids), max_size=3))
    values = "[" + ", ".join(f"[{a}, {b}]" for a, b in pairs) + "]" if pairs else ""
    properties = f"source_target_pairs = dense<{values}> : tensor<{len(pairs)}x2xi64>"
    result = spelled(near(draw, shape), other(draw, element))
    return program("stablehlo.collective_permute", properties, [spelled(shape, element)], result)


@pytest.mark.parametrize("make", [all_gather_text, all_to_all_text, collective_permute_text])
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]) -> None:
    check_against_upstream(make)
