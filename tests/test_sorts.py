"""The gradients of sort: many inputs, any comparator, ties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax import lax
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.infix import Value
from hhlo_xdsl.dialects.stablehlo.indexing import ScatterOp
from hhlo_xdsl.dialects.stablehlo.ordering import SortOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse
from tests.harness import check_jvp, check_vjp, program_of, run, vjp_of
from tests.test_reduction import distinct, drawn

Shape = Sequence[int]


def descending(*args: SSAValue) -> SSAValue:
    """By the sum of the first two inputs, if there are two; greatest first."""
    a, b = (Value(args[i]) for i in (0, 1))
    if len(args) > 2:
        a, b = a + Value(args[2]), b + Value(args[3])
    return (a > b).ssa


def ascending(a: SSAValue, b: SSAValue, *others: SSAValue) -> SSAValue:
    return (Value(a) < Value(b)).ssa


def sort_text(shape: Shape, dim: int, inputs: int, comparator: Any = ascending, element: Any = f64) -> str:
    types = [tensor(tuple(shape), element)] * inputs
    return program_of(types, lambda *xs: SortOp(list(xs), dim, comparator, is_stable=True))


@st.composite
def sorts(draw: Callable[..., Any]) -> tuple[list[int], int, int]:
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    return shape, draw(st.integers(0, len(shape) - 1)), draw(st.integers(1, 3))


@drawn(10)
@given(sorts(), st.sampled_from([ascending, descending]), st.sampled_from([1, 2]))
def test_sort_against_differences(case: tuple[list[int], int, int], comparator: Any, order: int) -> None:
    shape, dim, inputs = case
    args = [distinct(shape, seed) for seed in range(inputs)]
    check_vjp(sort_text(shape, dim, inputs, comparator), args, order=order)


def test_forward_mode() -> None:
    check_jvp(sort_text([2, 4, 3], 1, 2, descending), [distinct([2, 4, 3], s) for s in (0, 1)], order=2)


def test_ties_keep_their_order() -> None:
    x, ct = np.array([[2, 1, 2, 1, 0]], np.float32), np.array([[1, 10, 100, 1000, 10000]], np.float32)
    (found,) = run(vjp_of(sort_text([1, 5], 1, 1, element=f32)), x, ct)
    _, pull = jax.vjp(lambda x: lax.sort(x, dimension=1, is_stable=True), x)
    np.testing.assert_array_equal(found, pull(ct)[0])
    np.testing.assert_array_equal(found, [[1000, 10, 10000, 100, 1]])


def test_values_that_are_no_numbers_are_put_back_too() -> None:
    x, ct = np.array([np.nan, 1, -np.inf, np.nan, 0], np.float32), np.arange(5, dtype=np.float32)
    text = sort_text([5], 0, 1, element=f32)
    (order,) = run(text, x)
    (found,) = run(vjp_of(text), x, ct)
    assert sorted(found) == [0, 1, 2, 3, 4]
    for place, t in zip(x, found, strict=True):
        np.testing.assert_array_equal(order[int(t)], place)


NEGATIVE = """func.func @main(%k: tensor<2x4xi32>, %x: tensor<2x4xf64>) -> (tensor<2x4xi32>, tensor<2x4xf64>) {
  %y:2 = "stablehlo.sort"(%k, %x) <{dimension = -2 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f64>, %d: tensor<f64>):
    %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x4xi32>, tensor<2x4xf64>) -> (tensor<2x4xi32>, tensor<2x4xf64>)
  return %y#0, %y#1 : tensor<2x4xi32>, tensor<2x4xf64>
}"""


def test_numbers_sorted_by_integer_keys() -> None:
    """XLA sorts wrongly along dimension -2 at times, so the gradient's sort counts from the front."""
    keys = np.array([[3, 1, 2, 2], [1, 2, 2, 0]], np.int32)
    module = vjp_of(NEGATIVE)
    (op,) = (op for op in module.walk() if isinstance(op, SortOp))
    assert op.dimension is not None
    assert op.dimension.value.data == 0
    ct = np.arange(8.0).reshape(2, 4)
    (found,) = run(module, keys, np.zeros((2, 4)), ct)
    np.testing.assert_array_equal(found, [[4, 1, 2, 7], [0, 5, 6, 3]])


def test_one_sort_serves_value_and_gradient() -> None:
    """The primal is replaced by a sort that carries positions along, and the gradient's gradient uses the same."""
    module = parse(sort_text([5], 0, 1))
    for _ in range(2):
        differentiate(module, GradPass(wrt=(0,), seed=True))
        assert sum(isinstance(op, SortOp) for op in module.walk()) == 1
    assert all(op.unique_indices is not None for op in module.walk() if isinstance(op, ScatterOp))


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 0), (1, 4)])
def test_nothing_to_sort(shape: tuple[int, ...]) -> None:
    ct = np.arange(float(np.prod(shape))).reshape(shape)
    np.testing.assert_array_equal(run(vjp_of(sort_text(shape, 0, 1)), np.zeros(shape), ct)[0], ct)
