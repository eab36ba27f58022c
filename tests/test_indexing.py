"""dynamic_slice, gather, scatter and the like: text, constraints, constructors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import f64, i32
from xdsl.ir import Attribute
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, elements
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import (
    DynamicGatherOp,
    DynamicSliceOp,
    DynamicUpdateSliceOp,
    GatherOp,
    ScatterOp,
    TorchIndexSelectOp,
)
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, tensor
from hhlo_xdsl.errors import ParseError, ShapeError
from hhlo_xdsl.text import parse
from tests import cpp
from tests.harness import program_of, run
from tests.random_programs import (
    ANY_QUANTIZED,
    COIN,
    COMMON,
    ELEMENT,
    SHAPE,
    SIZE,
    Draw,
    Shape,
    check_against_upstream,
    near,
    nearly,
    other,
    program,
    spelled,
)

Array = np.ndarray[Any, Any]

INDEX = st.sampled_from("i32 i32 i64 ui8 i1 f32 index".split())


def smaller(draw: Draw, n: str) -> int:
    """A size that fits into size `n`."""
    return draw(st.integers(0, 3 if n == "?" else int(n)))


def some(draw: Draw, values: list[int]) -> list[int]:
    """A few of `values`, in any order."""
    return draw(st.permutations(values))[: draw(st.integers(0, len(values)))]


def dynamic_slice_text(draw: Draw) -> str:
    shape, element, index = draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED), draw(INDEX)
    sizes = [smaller(draw, n) for n in shape]
    starts = [spelled(near(draw, []), other(draw, index)) for _ in near(draw, shape)]
    result = near(draw, [str(n) for n in sizes])
    properties = f"slice_sizes = {nearly(draw, sizes)}"
    operands = [spelled(shape, element), *starts]
    return program("stablehlo.dynamic_slice", properties, operands, spelled(result, other(draw, element)))


def dynamic_update_slice_text(draw: Draw) -> str:
    shape, element, index = draw(SHAPE), draw(ELEMENT | ANY_QUANTIZED), draw(INDEX)
    update = near(draw, [str(smaller(draw, n)) for n in shape])
    starts = [spelled(near(draw, []), other(draw, index)) for _ in near(draw, shape)]
    operands = [spelled(shape, element), spelled(update, other(draw, element)), *starts]
    result = spelled(near(draw, shape), other(draw, element))
    return program("stablehlo.dynamic_update_slice", "", operands, result)


@dataclass
class Slices:
    """A right choice of shapes and roles for gather or scatter."""

    operand: Shape
    indices: Shape
    sizes: list[int]
    result: Shape
    window: list[int]
    collapsed: list[int]
    operand_batching: list[int]
    indices_batching: list[int]
    index_map: list[int]
    index_vector_dim: int


def slices(draw: Draw, size: st.SearchStrategy[str] = SIZE) -> Slices:
    operand = draw(st.lists(size, max_size=3))
    roles = [draw(st.sampled_from("window window collapsed batching".split())) for _ in operand]
    of_role = {r: [d for d, s in enumerate(roles) if s == r] for r in ("window", "collapsed", "batching")}
    index_map = some(draw, of_role["window"] + of_role["collapsed"])
    indices = [draw(size) for _ in range(draw(st.integers(0, 2)))]
    for d in of_role["batching"]:
        indices.insert(draw(st.integers(0, len(indices))), operand[d])
    partners: list[int] = []
    free = list(range(len(indices)))
    for d in of_role["batching"]:
        partners.append(next((k for k in free if indices[k] == operand[d]), 0))
        free = [k for k in free if k != partners[-1]]
    vector = len(indices) if len(index_map) == 1 and draw(st.booleans()) else draw(st.integers(0, len(indices)))
    over = list(indices)
    if vector < len(indices) or len(index_map) != 1 or draw(st.booleans()):
        indices.insert(vector, str(len(index_map)))
        partners = [k + (k >= vector) for k in partners]
    sizes = [
        smaller(draw, n) if r == "window" else min(1, smaller(draw, n)) for r, n in zip(roles, operand, strict=True)
    ]
    rank = len(over) + len(of_role["window"])
    window = sorted(draw(st.permutations(range(rank)))[: len(of_role["window"])])
    within, outer = iter([str(sizes[d]) for d in of_role["window"]]), iter(over)
    result = [next(within if d in window else outer) for d in range(rank)]
    return Slices(
        operand, indices, sizes, result, window, of_role["collapsed"], of_role["batching"], partners, index_map, vector
    )


GATHER = "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map".split()
SCATTER = (
    "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims"
    " scatter_dims_to_operand_dims"
).split()


def numbers(draw: Draw, names: list[str], s: Slices) -> str:
    """The fields of the attribute in any order, now and then wrong."""
    values = (s.window, s.collapsed, s.operand_batching, s.indices_batching, s.index_map)
    lists = [nearly(draw, v) if draw(COIN) and draw(COIN) else str(v) for v in values]
    lists = [v.replace("array<i64: ", "[").replace("array<i64>", "[]").replace(">", "]") for v in lists]
    vector = s.index_vector_dim + (draw(st.sampled_from([-1, 1])) if draw(COIN) and draw(COIN) else 0)
    spelled_fields = [f"{n} = {v}" for n, v in zip(names, lists, strict=True) if v != "[]" or draw(st.booleans())]
    if vector or draw(st.booleans()):
        spelled_fields.append(f"index_vector_dim = {vector}")
    return ", ".join(draw(st.permutations(spelled_fields)))


def flag(draw: Draw, name: str) -> str:
    return draw(st.sampled_from(["", f", {name} = true", f", {name} = false"]))


def gather_text(draw: Draw) -> str:
    s, element = slices(draw), draw(COMMON | COMMON | ANY_QUANTIZED)
    properties = f"dimension_numbers = #stablehlo.gather<{numbers(draw, GATHER, s)}>"
    properties += f", slice_sizes = {nearly(draw, s.sizes)}" + flag(draw, "indices_are_sorted")
    operands = [spelled(s.operand, element), spelled(near(draw, s.indices), draw(INDEX))]
    return program("stablehlo.gather", properties, operands, spelled(near(draw, s.result), other(draw, element)))


def dynamic_gather_text(draw: Draw) -> str:
    s, element = slices(draw), draw(COMMON | COMMON | ANY_QUANTIZED)
    properties = f"dimension_numbers = #stablehlo.gather<{numbers(draw, GATHER, s)}>"
    operands = [spelled(s.operand, element), spelled(near(draw, s.indices), draw(INDEX))]
    result = spelled(near(draw, s.result), other(draw, element))
    index = draw(INDEX)
    if draw(st.booleans()):
        sizes = spelled(near(draw, [str(len(s.operand))]), index)
        return program("stablehlo.dynamic_gather", properties, [*operands, sizes], result)
    values = [n + (draw(st.sampled_from([-1, 1])) if draw(COIN) else 0) for n in s.sizes]
    sizes = f"tensor<{len(values)}xi64>"
    text = program("stablehlo.dynamic_gather", properties, [*operands, sizes], result)
    return text.replace(f", %a2: {sizes}", "").replace(
        "  %r", f"  %a2 = stablehlo.constant dense<{values}> : {sizes}\n  %r"
    )


def scatter_text(draw: Draw) -> str:
    s, element, count = slices(draw), draw(COMMON), draw(st.sampled_from([1, 1, 1, 2]))
    accumulator = draw(st.sampled_from([element] * 8 + ["f64", "f32", "i32"]))
    properties = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers(draw, SCATTER, s)}>"
    properties += flag(draw, "indices_are_sorted") + flag(draw, "unique_indices")
    inputs = [spelled(near(draw, s.operand), other(draw, element)) for _ in range(count)]
    updates = [spelled(near(draw, s.result), other(draw, element)) for _ in range(count)]
    operands = [*inputs, spelled(near(draw, s.indices), draw(INDEX)), *updates]
    results = [spelled(near(draw, s.operand), other(draw, accumulator)) for _ in range(count)]
    scalar = spelled([], accumulator)
    arguments = ", ".join(f"%b{i}: {scalar}" for i in range(2 * count))
    returned = ", ".join(f"%b{i}" for i in range(count))
    region = f"  ^bb0({arguments}):\n    stablehlo.return {returned} : {', '.join([scalar] * count)}"
    return program("stablehlo.scatter", properties, operands, *results, region=region)


def torch_index_select_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    properties = f"dim = {draw(st.integers(-2, 3))} : i64, batch_dims = {draw(st.integers(-2, 3))} : i64"
    operands = [spelled(shape, element), spelled(draw(SHAPE), draw(INDEX))]
    return program("stablehlo.torch_index_select", properties, operands, spelled(draw(SHAPE), draw(ELEMENT)))


TEXTS = [
    dynamic_slice_text,
    dynamic_update_slice_text,
    gather_text,
    dynamic_gather_text,
    scatter_text,
    torch_index_select_text,
]


@pytest.mark.parametrize("make", TEXTS, ids=lambda f: f.__name__.removesuffix("_text"))
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


# Values


def start_of(numbers: IndexNumbers, indices: Array, rank: int, over: tuple[int, ...]) -> list[int]:
    """Where in an operand of `rank` the slice for position `over` of the indices starts, before it is clamped."""
    along = list(over)
    along.insert(numbers.index_vector_dim, slice(None))  # pyright: ignore[reportArgumentType]
    start = [0] * rank
    for d, n in zip(numbers.index_map, np.atleast_1d(indices[tuple(along[: indices.ndim])]), strict=True):
        start[d] = int(n)
    for d, partner in zip(numbers.operand_batching, numbers.indices_batching, strict=True):
        start[d] = along[partner]
    return start


def gathered(operand: Array, indices: Array, numbers: IndexNumbers, sizes: list[int], result: Array) -> Array:
    """gather, position by position."""
    for at in np.ndindex(result.shape):
        over = tuple(at[d] for d in numbers.scattered(result.ndim))
        start = start_of(numbers, indices, operand.ndim, over)
        place = [min(max(s, 0), n - size) for s, n, size in zip(start, operand.shape, sizes, strict=True)]
        for d, w in zip(numbers.windowed(operand.ndim), numbers.window, strict=True):
            place[d] += at[w]
        result[at] = operand[tuple(place)]
    return result


def scattered(operand: Array, indices: Array, updates: Array, numbers: IndexNumbers) -> Array:
    """scatter by addition, position by position; a position outside of the operand is left out."""
    result = operand.copy()
    for at in np.ndindex(updates.shape):
        over = tuple(at[d] for d in numbers.scattered(updates.ndim))
        place = start_of(numbers, indices, operand.ndim, over)
        for d, w in zip(numbers.windowed(operand.ndim), numbers.window, strict=True):
            place[d] += at[w]
        if all(0 <= p < n for p, n in zip(place, operand.shape, strict=True)):
            result[tuple(place)] += updates[at]
    return result


def static_slices(draw: Draw) -> tuple[Slices, IndexNumbers]:
    s = slices(draw, st.sampled_from("1 2 3".split()))
    roles = (s.window, s.collapsed, s.operand_batching, s.indices_batching, s.index_map)
    return s, IndexNumbers(*map(tuple, roles), s.index_vector_dim)


def sized(shape: Shape, element: Attribute) -> RankedTensor:
    return tensor(tuple(map(int, shape)), element)


def sample(rng: np.random.Generator, type: RankedTensor) -> Array:
    return rng.standard_normal(type.get_shape())


def indices_of(rng: np.random.Generator, type: RankedTensor) -> Array:
    """Some of them out of bounds."""
    return rng.integers(-1, 4, type.get_shape(), dtype=np.int32)


@settings(max_examples=max(150, settings().max_examples))
@given(st.data())
def test_value_of_gather(data: st.DataObject):
    s, numbers = static_slices(data.draw)
    types = [sized(s.operand, f64), sized(s.indices, i32)]
    # A slice of no position in a dimension that the result leaves out means nothing; the interpreter aborts.
    sizes = [n if d in numbers.windowed(len(s.operand)) else 1 for d, n in enumerate(s.sizes)]
    text = program_of(types, lambda x, i: GatherOp(x, i, numbers, sizes))
    rng = np.random.default_rng(0)
    operand, indices = sample(rng, types[0]), indices_of(rng, types[1])
    (found,) = cpp.interpret(text, operand, indices)
    expected = np.zeros(sized(s.result, f64).get_shape())
    np.testing.assert_array_equal(found, gathered(operand, indices, numbers, sizes, expected))


@settings(max_examples=max(150, settings().max_examples))
@given(st.data())
def test_value_of_scatter(data: st.DataObject):
    s, numbers = static_slices(data.draw)
    types = [sized(s.operand, f64), sized(s.indices, i32), sized(s.result, f64)]
    text = program_of(types, lambda x, i, u: ScatterOp([x], i, [u], numbers, AddOp))
    rng = np.random.default_rng(0)
    operand, indices, updates = sample(rng, types[0]), indices_of(rng, types[1]), sample(rng, types[2])
    (found,) = cpp.interpret(text, operand, indices, updates)
    np.testing.assert_allclose(found, scattered(operand, indices, updates, numbers), rtol=1e-12)


def test_value_of_dynamic_slice():
    types = [tensor((4, 5), f64), tensor((), i32), tensor((), i32)]
    text = program_of(types, lambda x, i, j: DynamicSliceOp(x, [i, j], (2, 3)))
    x = np.arange(20.0).reshape(4, 5)
    for i, j in ((1, 1), (-3, 9)):
        (found,) = cpp.interpret(text, x, np.array(i, np.int32), np.array(j, np.int32))
        a, b = min(max(i, 0), 2), min(max(j, 0), 2)
        np.testing.assert_array_equal(found, x[a : a + 2, b : b + 3])


def test_value_of_dynamic_update_slice():
    types = [tensor((4, 5), f64), tensor((2, 3), f64), tensor((), i32), tensor((), i32)]
    text = program_of(types, lambda x, u, i, j: DynamicUpdateSliceOp(x, u, [i, j]))
    x, u = np.arange(20.0).reshape(4, 5), -np.ones((2, 3))
    for i, j in ((1, 1), (-3, 9)):
        (found,) = cpp.interpret(text, x, u, np.array(i, np.int32), np.array(j, np.int32))
        expected, a, b = x.copy(), min(max(i, 0), 2), min(max(j, 0), 2)
        expected[a : a + 2, b : b + 3] = u
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dim, batch_dims", [(0, 0), (1, 0), (2, 1), (1, 1), (2, 2)])
def test_value_of_torch_index_select(dim: int, batch_dims: int):
    x = np.arange(24.0).reshape(2, 3, 4)
    index = np.array([[1, 0, 1], [0, 1, 1]], np.int32)
    types = [tensor(x.shape, f64), tensor(index.shape, i32)]
    text = program_of(types, lambda a, i: TorchIndexSelectOp(a, i, dim, batch_dims))
    (found,) = run(text, x, index)
    if batch_dims == 0:
        expected = np.take(x, index, dim)
    elif batch_dims == 1:
        expected = np.stack([np.take(a, i, dim - 1) for a, i in zip(x, index, strict=True)])
    else:
        expected = np.take_along_axis(x, index[..., None], 2)[..., 0]
    np.testing.assert_array_equal(found, expected)


# Constructors


def test_sizes_that_are_no_constant_are_unknown():
    x, i, n = (create_ssa_value(tensor(s, e)) for s, e in (((3, 4), f64), ((5,), i32), ((2,), i32)))
    rows = IndexNumbers(window=(1,), collapsed=(0,), index_map=(0,), index_vector_dim=1)
    assert DynamicGatherOp(x, i, n, rows).result.type == tensor((5, UNKNOWN), f64)
    known = ConstantOp(elements(tensor((2,), i32), [1, 3])).output
    assert DynamicGatherOp(x, i, known, rows).result.type == tensor((5, 3), f64)


def test_promises_are_kept_only_if_made():
    x, i = create_ssa_value(tensor((3, 4), f64)), create_ssa_value(tensor((5,), i32))
    u = create_ssa_value(tensor((5, 4), f64))
    rows = IndexNumbers(window=(1,), collapsed=(0,), index_map=(0,), index_vector_dim=1)
    assert "indices_are_sorted" not in GatherOp(x, i, rows, (1, 4)).properties
    assert str(GatherOp(x, i, rows, (1, 4), indices_are_sorted=True).indices_are_sorted) == "true"
    scatter = ScatterOp([x], i, [u], rows, AddOp, unique_indices=True)
    assert str(scatter.unique_indices) == "true"
    assert "indices_are_sorted" not in scatter.properties


def test_a_wrong_torch_index_select_is_refused():
    x, i = create_ssa_value(tensor((3, 4), f64)), create_ssa_value(tensor((5,), i32))
    with pytest.raises(ShapeError, match="dim is 2, batch_dims is 0, operand is tensor<3x4xf64>; 0 <= batch_dims"):
        TorchIndexSelectOp(x, i, 2)


@pytest.mark.parametrize("text", ["offset_dims = [0], offset_dims = [1]", "window = [0]", "index_vector_dim = [0]"])
def test_wrong_fields_are_refused(text: str):
    program = f"""func.func @f(%x: tensor<3xf32>, %i: tensor<1xi32>) {{
      %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{text}>,
        slice_sizes = array<i64: 1>}}> : (tensor<3xf32>, tensor<1xi32>) -> tensor<1xf32>
      return
    }}"""
    assert cpp.refuses(program) is not None
    with pytest.raises(ParseError):
        parse(program)
