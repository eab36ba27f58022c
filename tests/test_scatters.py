"""The gradients of scatter: any body, windows that meet, windows out of bounds, ties."""

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

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, sine
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp, MultiplyOp, SubtractOp
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.indexing import GatherOp, ScatterOp
from hhlo_xdsl.dialects.types import tensor
from tests.harness import check_jvp, check_vjp, program_of, run, vjp_of
from tests.slices import Layout, layouts
from tests.test_reduction import drawn


def overwrite(a: SSAValue, b: SSAValue) -> SSAValue:
    return b


def curved(a: SSAValue, b: SSAValue) -> SSAValue:
    """Neither commutative nor associative."""
    return (Value(a) * sine(Value(b)) + Value(b)).ssa


BODIES: dict[str, Any] = {
    "add": AddOp,
    "subtract": SubtractOp,
    "multiply": MultiplyOp,
    "maximum": MaximumOp,
    "minimum": MinimumOp,
    "overwrite": overwrite,
    "curved": curved,
}


def scatter_text(layout: Layout, body: Any, unique: bool = False) -> str:
    """main(%x, %i, %u) = scatter of %u into %x."""
    types = [tensor(layout.shape, f64), tensor(layout.indices, i32), tensor(layout.slices, f64)]
    return program_of(types, lambda x, i, u: ScatterOp([x], i, [u], layout.numbers, body, unique_indices=unique))


def operands(layout: Layout) -> list[Any]:
    return [layout.normal(layout.shape), layout.starts(), layout.normal(layout.slices, 1)]


def meets_xla(layout: Layout) -> bool:
    """Whether XLA runs the scatter as it should.

    Without index vectors, and with updates of the input's shape, it takes the update for an elementwise operand.
    """
    return bool(layout.numbers.index_map)


@drawn(25)
@given(layouts().filter(meets_xla), st.sampled_from(list(BODIES)[:-1]), st.sampled_from([1, 2]))
def test_usual_bodies_against_differences(layout: Layout, body: str, order: int) -> None:
    check_vjp(scatter_text(layout, BODIES[body]), operands(layout), order=order)


@drawn(12)
@given(layouts().filter(meets_xla), st.sampled_from(list(BODIES)))
def test_forward_mode(layout: Layout, body: str) -> None:
    check_jvp(scatter_text(layout, BODIES[body]), operands(layout))


@drawn(12)
@given(layouts().filter(meets_xla))
def test_any_body_against_differences(layout: Layout) -> None:
    """Windows that meet are replayed in order."""
    check_vjp(scatter_text(layout, curved), operands(layout))


ROWS = """func.func @main(%x: tensor<4xE>, %i: tensor<Nx1xi32>, %u: tensor<NxE>) -> tensor<4xE> {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>UNIQUE}> ({
  ^bb0(%a: tensor<E>, %b: tensor<E>):
    BODY
    stablehlo.return %r : tensor<E>
  }) : (tensor<4xE>, tensor<Nx1xi32>, tensor<NxE>) -> tensor<4xE>
  return %y : tensor<4xE>
}"""


def text(body: str, n: int, element: str = "f64", unique: bool = False) -> str:
    """main(%x, %i, %u): n numbers scattered into 4."""
    ops = f"%r = stablehlo.{body} %a, %b : tensor<E>" if body.isidentifier() else body
    filled = ROWS.replace("BODY", "" if body == "OVERWRITE" else ops)
    filled = filled.replace("UNIQUE", ", unique_indices = true" * unique)
    filled = filled.replace("return %r : tensor<E>", "return %b : tensor<E>") if body == "OVERWRITE" else filled
    return filled.replace("Nx", f"{n}x").replace("tensor<E>", f"tensor<{element}>").replace("xE>", f"x{element}>")


X = np.array([2.0, 3.0, 5.0, 7.0])
I = np.array([[1], [3], [1], [9], [-1], [1]], np.int32)
W = np.array([1.0, 10.0, 100.0, 1000.0])


def test_overwriting_gives_the_cotangent_to_the_last_update() -> None:
    to_x, to_u = run(vjp_of(text("OVERWRITE", 6)), X, I, np.arange(6.0), W)
    np.testing.assert_array_equal(to_x, [1, 0, 100, 0])
    np.testing.assert_array_equal(to_u, [0, 1000, 0, 0, 0, 10])


@pytest.mark.parametrize("values", [[2, 3, 4, 5, 6, 7], [0, 3, 4, 5, 6, 7], [0, 0, 4, 5, 6, 0]], ids=str)
def test_products_with_zeros(values: list[float]) -> None:
    """Three updates meet at 1, with no zero, one, two among them; JAX refuses windows that may meet."""
    u = np.array(values, float)
    to_x, to_u = run(vjp_of(text("multiply", 6)), X, I, u, W)
    a, b, c = u[0], u[2], u[5]
    np.testing.assert_allclose(to_x, [1, 10 * a * b * c, 100, 1000 * u[1]], rtol=1e-14)
    scaled = 10 * X[1]
    np.testing.assert_allclose(to_u, [scaled * b * c, 7000, scaled * a * c, 0, 0, scaled * a * b], rtol=1e-14)


def test_ties_of_a_maximum_are_shared() -> None:
    """At 1, x and two of three updates are the greatest; at 3 the update is. JAX shares likewise."""
    x, u = np.array([2.0, 4.0, 5.0, 7.0]), np.array([4.0, 8.0, 4.0, 9.0, 9.0, 1.0])
    to_x, to_u = run(vjp_of(text("maximum", 6)), x, I, u, W * 3)
    np.testing.assert_allclose(to_x, [3, 10, 300, 0], rtol=1e-14)
    np.testing.assert_allclose(to_u, [10, 3000, 10, 0, 0, 0], rtol=1e-14)
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    _, pull = jax.vjp(lambda x, u: lax.scatter_max(x, I, u, numbers, mode="drop"), x, u)
    for ours, theirs in zip((to_x, to_u), pull(W * 3), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


def test_ties_of_a_maximum_are_counted_exactly() -> None:
    """5000 updates reach the maximum; f16 and bf16 count to 2048 and 256."""
    n, dtype = 4999, ml_dtypes.bfloat16
    x, i, u = np.zeros(4, dtype), np.ones((n, 1), np.int32), np.zeros(n, dtype)
    to_x, to_u = run(vjp_of(text("maximum", n, "bf16")), x, i, u, np.array([0, 5000, 0, 0], dtype))
    np.testing.assert_array_equal(to_x, np.array([0, 1, 0, 0], dtype))
    np.testing.assert_array_equal(to_u, np.ones(n, dtype))


AFFINE = """func.func @main(%x: tensor<4xf64>, %v: tensor<4xf64>, %i: tensor<6x1xi32>, %u: tensor<6xf64>, %t: tensor<6xf64>)
    -> (tensor<4xf64>, tensor<4xf64>) {
  %y:2 = "stablehlo.scatter"(%x, %v, %i, %u, %t) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>):
    %p = stablehlo.multiply %a, %c : tensor<f64>
    %q = stablehlo.multiply %b, %c : tensor<f64>
    %r = stablehlo.add %q, %d : tensor<f64>
    stablehlo.return %p, %r : tensor<f64>, tensor<f64>
  }) : (tensor<4xf64>, tensor<4xf64>, tensor<6x1xi32>, tensor<6xf64>, tensor<6xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %y#0, %y#1 : tensor<4xf64>, tensor<4xf64>
}"""


def test_several_inputs() -> None:
    """Affine maps, composed in order, at places that some windows share and some miss."""
    rng = np.random.default_rng(0)
    check_jvp(AFFINE, [X, rng.standard_normal(4), I, rng.standard_normal(6), rng.standard_normal(6)])


def test_updates_that_meet_are_replayed() -> None:
    """x = 3 becomes sin(3 u0), then sin(sin(3 u0) u2): the order of the updates is that of the indices."""
    body = "%p = stablehlo.multiply %a, %b : tensor<E>\n%r = stablehlo.sine %p : tensor<E>"
    i, u, w = np.array([[1], [3], [1]], np.int32), np.array([0.5, 2.0, -1.5]), np.array([0.0, 1.0, 0.0, 0.0])
    to_x, to_u = run(vjp_of(text(body, 3)), X, i, u, w)
    inner, outer = 3 * u[0], np.sin(3 * u[0]) * u[2]
    through = np.cos(outer) * u[2] * np.cos(inner)
    np.testing.assert_allclose(to_x, [0, through * u[0], 0, 0], rtol=1e-14)
    np.testing.assert_allclose(to_u, [through * 3, 0, np.cos(outer) * np.sin(inner)], rtol=1e-14)
    check_jvp(text(body, 3), [X, i, u], order=2)


def test_a_promise_of_unique_indices_needs_no_replay() -> None:
    body = "%q = stablehlo.multiply %a, %b : tensor<E>\n%r = stablehlo.add %q, %b : tensor<E>"
    assert any(isinstance(op, WhileOp) for op in vjp_of(text(body, 2)).walk())
    unique = text(body, 2, unique=True)
    ops = list(vjp_of(unique).walk())
    assert not any(isinstance(op, WhileOp) for op in ops)
    args = [X, np.array([[2], [-1]], np.int32), np.array([0.5, 1.5])]
    check_vjp(unique, args, order=2)
    for body in ("OVERWRITE", "multiply"):
        ops = list(vjp_of(text(body, 2, unique=True)).walk())
        assert sum(isinstance(op, ScatterOp) for op in ops) == 1
        assert sum(isinstance(op, GatherOp) for op in ops) == 1
        check_vjp(text(body, 2, unique=True), args, order=2)


def test_nothing_is_scattered() -> None:
    to_x, to_u = run(vjp_of(text("multiply", 0)), X, np.zeros((0, 1), np.int32), np.zeros(0), W)
    np.testing.assert_array_equal(to_x, W)
    assert to_u.shape == (0,)


def test_a_body_that_does_not_work_element_by_element_is_refused() -> None:
    body = """%p = stablehlo.compare LT, %a, %b : (tensor<E>, tensor<E>) -> tensor<i1>
    %r = "stablehlo.if"(%p) ({ stablehlo.return %a : tensor<E> }, { stablehlo.return %b : tensor<E> })
        : (tensor<i1>) -> tensor<E>"""
    with pytest.raises(DifferentiationError, match=r"stablehlo.scatter: its body holds stablehlo.if"):
        vjp_of(text(body, 2))


@pytest.mark.parametrize("body", ["add", "maximum", "OVERWRITE"])
def test_small_floats(body: str) -> None:
    """f32 and bf16 give what f64 gives, up to their rounding."""
    rng = np.random.default_rng(0)
    u = rng.standard_normal(6)
    expected = run(vjp_of(text(body, 6)), X, I, u, W)
    for element, dtype, rtol in (("f32", np.float32, 1e-6), ("bf16", ml_dtypes.bfloat16, 1e-2)):
        found = run(vjp_of(text(body, 6, element)), X.astype(dtype), I, u.astype(dtype), W.astype(dtype))
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a.astype(float), b, rtol=rtol)
