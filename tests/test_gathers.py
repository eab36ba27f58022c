"""The gradients of gather, dynamic_gather and torch_index_select."""

from __future__ import annotations

from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax import lax
from xdsl.dialects.builtin import f64, i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, elements
from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicGatherOp, GatherOp, ScatterOp, TorchIndexSelectOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.text import to_text
from tests.harness import check_jvp, check_vjp, program_of, run, vjp_of
from tests.slices import Layout, layouts
from tests.test_reduction import drawn

ROWS = IndexNumbers(window=(1,), collapsed=(0,), index_map=(0,), index_vector_dim=1)


def gather_text(layout: Layout, dynamic: bool = False) -> str:
    """main(%x, %i) = gather of %x at %i."""

    def build(x: SSAValue, i: SSAValue) -> Any:
        if not dynamic:
            return GatherOp(x, i, layout.numbers, layout.sizes)
        sizes = emit(ConstantOp(elements(tensor((len(layout.sizes),), i32), layout.sizes)))
        return DynamicGatherOp(x, i, sizes, layout.numbers)

    return program_of([tensor(layout.shape, f64), tensor(layout.indices, i32)], build)


@drawn(20)
@given(layouts(), st.sampled_from([1, 2]))
def test_gather_against_differences(layout: Layout, order: int) -> None:
    check_vjp(gather_text(layout), [layout.normal(layout.shape), layout.starts()], order=order)


@drawn(6)
@given(layouts())
def test_forward_mode(layout: Layout) -> None:
    check_jvp(gather_text(layout), [layout.normal(layout.shape), layout.starts()])


@drawn(6)
@given(layouts().filter(lambda layout: bool(layout.shape)))
def test_dynamic_gather_against_differences(layout: Layout) -> None:
    # The reference of the second order is a scatter and a gather, which are tested alone.
    check_vjp(gather_text(layout, dynamic=True), [layout.normal(layout.shape), layout.starts()])


def rows_text(rows: int, count: int, index: str = "i32", element: str = "f32", starts: str = "") -> str:
    """main(%x) = rows of %x at %i, an argument unless it is computed by `starts`."""
    i = f"tensor<{count}x1x{index}>"
    return f"""func.func @main(%x: tensor<{rows}x2x{element}>{"" if starts else f", %i: {i}"}) -> tensor<{count}x2x{element}> {{
      {starts}
      %y = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}}>
          : (tensor<{rows}x2x{element}>, {i}) -> tensor<{count}x2x{element}>
      return %y : tensor<{count}x2x{element}>
    }}"""


def test_starts_out_of_bounds_count_for_the_nearest_row() -> None:
    """gather clamps; a scatter of the cotangent at the same starts would drop it. JAX's mode="clip" agrees."""
    x, i, ct = np.zeros((3, 2), np.float32), np.array([[-9], [1], [9], [2]], np.int32), np.ones((4, 2), np.float32)
    ct *= np.array([[1], [10], [100], [1000]], np.float32)
    (found,) = run(vjp_of(rows_text(3, 4)), x, i, ct)
    _, pull = jax.vjp(lambda x: lax.gather(x, i, JAX_ROWS, (1, 2), mode="clip"), x)
    np.testing.assert_array_equal(found, pull(ct)[0])
    np.testing.assert_array_equal(found, [[1, 1], [10, 10], [1100, 1100]])


JAX_ROWS = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16], ids=["bf16", "f16"])
def test_many_equal_starts_add_up(dtype: Any) -> None:
    """1 + .. + 1 in bf16 would stop at 256, in f16 at 2048."""
    n, element = 5000, "bf16" if dtype is ml_dtypes.bfloat16 else "f16"
    (found,) = run(
        vjp_of(rows_text(3, n, element=element)),
        np.zeros((3, 2), dtype),
        np.ones((n, 1), np.int32),
        np.ones((n, 2), dtype),
    )
    np.testing.assert_array_equal(found, np.array([[0, 0], [n, n], [0, 0]], dtype))


@pytest.mark.parametrize("index, dtype", [("i8", np.int8), ("ui8", np.uint8), ("i64", np.int64), ("ui32", np.uint32)])
def test_indices_of_any_width(index: str, dtype: Any) -> None:
    """An operand of 300 rows: the greatest start does not fit into 8 bits."""
    i = np.array([[3], [100], [0], [3]], dtype)
    ct = np.arange(8, dtype=np.float32).reshape(4, 2)
    (found,) = run(vjp_of(rows_text(300, 4, index)), np.zeros((300, 2), np.float32), i, ct)
    expected = np.zeros((300, 2), np.float32)
    np.add.at(expected, i[:, 0].astype(int), ct)
    np.testing.assert_array_equal(found, expected)


IOTA = "%i = stablehlo.iota dim = 0 : tensor<3x1xi32>"
CONSTANT = "%i = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>"
FROM_THE_END = """%k = stablehlo.constant dense<[-1, 0, -3]> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %n = stablehlo.constant dense<4> : tensor<3xi32>
  %p = stablehlo.compare LT, %k, %zero : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %m = stablehlo.add %k, %n : tensor<3xi32>
  %s = stablehlo.select %p, %m, %k : tensor<3xi1>, tensor<3xi32>
  %i = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>"""


@pytest.mark.parametrize("starts", [IOTA, CONSTANT, FROM_THE_END], ids=["iota", "constant", "from the end"])
def test_starts_that_are_seen_to_be_in_bounds_are_not_clamped(starts: str) -> None:
    module = vjp_of(rows_text(4, 3, starts=starts))
    assert "clamp" not in to_text(module)
    ct = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    rows = {IOTA: [0, 1, 2], CONSTANT: [2, 0, 1], FROM_THE_END: [3, 0, 1]}[starts]
    expected = np.zeros((4, 2))
    expected[rows] = ct
    np.testing.assert_array_equal(run(module, np.zeros((4, 2), np.float32), ct)[0], expected)
    (scatter,) = (op for op in module.walk() if isinstance(op, ScatterOp))
    assert (scatter.unique_indices is not None) == (starts == CONSTANT)


@pytest.mark.parametrize("rows, count", [(0, 0), (3, 0)])
def test_nothing_is_gathered(rows: int, count: int) -> None:
    (found,) = run(
        vjp_of(rows_text(3, count)),
        np.zeros((3, 2), np.float32),
        np.zeros((count, 1), np.int32),
        np.zeros((count, 2), np.float32),
    )
    np.testing.assert_array_equal(found, np.zeros((3, 2)))


@pytest.mark.parametrize("dim, batch_dims", [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)])
def test_torch_index_select(dim: int, batch_dims: int) -> None:
    """XLA has no such op: the reference interpreter's gather is told by the one it is defined by."""
    shape, rng = (2, 3, 4), np.random.default_rng(0)
    index = rng.integers(0, shape[dim], (*shape[:batch_dims], 3)).astype(np.int32)
    text = program_of(
        [tensor(shape, f64), tensor(index.shape, i32)], lambda x, i: TorchIndexSelectOp(x, i, dim, batch_dims)
    )
    x = rng.standard_normal(shape)

    def select(x: Any) -> Any:
        if batch_dims == 0:
            return jax.numpy.take(x, index, dim)
        inner = jax.vmap(lambda x, i: jax.numpy.take(x, i, dim - batch_dims))
        return (inner if batch_dims == 1 else jax.vmap(inner))(x, index)

    y, pull = jax.vjp(select, x)
    ct = rng.standard_normal(y.shape)
    (found,) = run(vjp_of(text), x, index, ct)
    np.testing.assert_allclose(found, pull(ct)[0], rtol=1e-12)


def test_gradients_of_gradients_are_gathers() -> None:
    names = {op.name for op in vjp_of(vjp_of(gather_text(Layout((4, 2), (3, 1), ROWS, (1, 2), 0)))).walk()}
    assert "stablehlo.gather" in names
