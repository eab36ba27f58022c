"""Nested containers of arrays."""

from __future__ import annotations

import collections
import dataclasses
import threading
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import hhlo_xdsl as hh
from hhlo_xdsl import tree


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Layer:
    w: Any
    b: Any = None


@dataclasses.dataclass
class Net:
    layers: list[Layer]
    scale: Any


def round_trip(value: Any) -> tuple[list[Any], Any]:
    leaves, structure = tree.flatten(value)
    return leaves, tree.unflatten(structure, [leaf * 10 for leaf in leaves])


def test_standard_containers():
    ordered = collections.OrderedDict(b=1, a=2)
    assert round_trip([1, (2, 3), {"b": 4, "a": 5}]) == ([1, 2, 3, 5, 4], [10, (20, 30), {"b": 40, "a": 50}])
    assert round_trip(ordered) == ([1, 2], collections.OrderedDict(b=10, a=20))
    assert round_trip(Point(1, [2])) == ([1, 2], Point(10, [20]))


def test_a_leaf_is_a_tree():
    assert round_trip(7) == ([7], 70)


def test_none_is_an_empty_tree():
    assert round_trip({"a": None, "b": 1}) == ([1], {"a": None, "b": 10})


def test_dataclasses_nest():
    net = Net([Layer(1, 2), Layer(3)], 4)
    assert round_trip(net) == ([1, 2, 3, 4], Net([Layer(10, 20), Layer(30)], 40))


def test_dataclasses_made_within_a_function():
    @dataclasses.dataclass
    class Local:
        v: Any

    assert round_trip([Local(Local(1))]) == ([1], [Local(Local(10))])


def test_types_and_arrays_are_leaves():
    spec, array = hh.f32[2], np.zeros(2)
    leaves, _ = tree.flatten({"a": spec, "b": [array, hh.i8]})
    assert leaves[0] is spec
    assert leaves[1] is array
    assert leaves[2] is hh.i8


def test_equal_structures_are_equal_keys():
    one, two = (tree.flatten(Net([Layer(1, n)], n))[1] for n in (2, 3))
    assert one == two
    assert hash(one) == hash(two)
    assert one != tree.flatten(Net([Layer(1)], 2))[1]


def test_paths_name_the_leaves():
    assert tree.paths({"a": [1, (2,)], "b": Layer(3)}) == ["['a'][0]", "['a'][1][0]", "['b']['w']"]


def test_map_leaves():
    assert tree.map_leaves(lambda x: x + 1, {"a": [1, 2]}) == {"a": [2, 3]}


def test_threads_may_meet_a_new_class_at_once():
    @dataclasses.dataclass
    class New:
        v: Any

    barrier, found = threading.Barrier(8), list[Any]()

    def work() -> None:
        barrier.wait()
        found.append(round_trip(New(1)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [([1], New(10))] * 8


def test_programs_take_and_give_trees():
    f = hh.jit(lambda net, x: {"y": x @ net.layers[0].w, "parts": Point(net.scale, x)})
    out = f(Net([Layer(np.ones((3, 2), np.float32))], 2.0), np.ones(3, np.float32))
    np.testing.assert_array_equal(out["y"].numpy(), [3, 3])
    assert isinstance(out["parts"], Point)
    assert out["parts"].x.item() == 2


TREES = st.recursive(
    st.one_of(st.none(), st.integers(0, 9), st.floats(0, 1)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["b", "a", "c", ("t", 1)]), inner, max_size=3),
        st.dictionaries(st.integers(0, 20), inner, max_size=3),
    ),
    max_leaves=12,
)


@given(TREES, TREES)
def test_outlines_agree_with_structures(one: Any, other: Any):
    leaves, outline = tree.outlined(one)
    assert leaves == tree.flatten(one)[0]
    if outline == tree.outlined(other)[1]:
        assert tree.flatten(one)[1] == tree.flatten(other)[1]
    assert hash(outline) == hash(tree.outlined(tree.unflatten(tree.flatten(one)[1], leaves))[1])


def test_outlines_of_other_containers():
    ordered = collections.OrderedDict(b=1.0, a=2.0)
    for _ in range(2):
        leaves, outline = tree.outlined([ordered, 3.0])
        assert leaves == tree.flatten([ordered, 3.0])[0]
        assert outline == tree.flatten([ordered, 3.0])[1]
