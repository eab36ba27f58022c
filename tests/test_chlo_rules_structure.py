"""Derivatives of top_k, ragged_dot and scan: both modes and order two against central differences, and JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.harness import check_jvp, check_vjp, jvp_of, run, vjp_of

TOP_K = """func.func @main(%x: tensor<2x5xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>) {
  %v, %i = chlo.top_k(%x, k = 3) : tensor<2x5xf64> -> (tensor<2x3xf64>, tensor<2x3xi32>)
  return %v, %i : tensor<2x3xf64>, tensor<2x3xi32>
}"""


def test_top_k():
    """The cotangent of a value goes to the element it was; of equal ones, to the first. As in JAX."""
    import jax

    x = np.array([[3.0, 7, 3, -1, 3], [2, 1, 5, 4, 0]])
    ct = np.arange(1.0, 7).reshape(2, 3)
    _, pullback = jax.vjp(lambda y: jax.lax.top_k(y, 3)[0], x.astype(np.float32))
    (expected,) = pullback(ct.astype(np.float32))
    (found,) = run(vjp_of(TOP_K), x, ct)
    assert (found == np.asarray(expected)).all()
    *_, pushed = run(jvp_of(TOP_K), x, np.arange(10.0).reshape(2, 5))
    assert (pushed == [[1, 0, 2], [7, 8, 5]]).all()


def test_top_k_of_distinct_elements():
    x = np.random.default_rng(0).permutation(10).reshape(2, 5) * 1.0
    check_jvp(TOP_K, [x], order=2)


# ragged_dot: [b, m.., k..] in the order of letters; g counts groups, of which `sizes` has those of each outer index


def ragged_text(lhs: str, rhs: str, ragged: str, sizes: tuple[int, ...]) -> str:
    """Letters a and b are batching where both operands have them, k and l contracted, g groups; each has a size."""
    shared = [d for d in "abkl" if d in lhs and d in rhs]
    batch, contracted = ([d for d in shared if d in kind] for kind in ("ab", "kl"))
    numbers = {
        "lhs_batching": [lhs.index(d) for d in batch],
        "rhs_batching": [rhs.index(d) for d in batch],
        "lhs_contracting": [lhs.index(d) for d in contracted],
        "rhs_contracting": [rhs.index(d) for d in contracted],
        "lhs_ragged": [lhs.index(ragged)],
        "rhs_group": [rhs.index("g")] if "g" in rhs else [],
    }
    free = [d for d in lhs if d not in shared] + [d for d in rhs if d not in shared and d != "g"]
    result = (["g"] if ragged in contracted else []) + batch + free
    types = [f"tensor<{'x'.join(str(SIZES[d]) for d in dims)}xf64>" for dims in (lhs, rhs, result)]
    groups = f"tensor<{'x'.join(map(str, sizes))}xi32>"
    spelled = ", ".join(f"{name}_dimensions = {dims}" for name, dims in numbers.items())
    return (
        f"func.func @main(%x: {types[0]}, %y: {types[1]}, %g: {groups}) -> {types[2]} {{\n"
        f'  %0 = "chlo.ragged_dot"(%x, %y, %g) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{spelled}>}}> '
        f": ({types[0]}, {types[1]}, {groups}) -> {types[2]}\n  return %0 : {types[2]}\n}}"
    )


SIZES = {"a": 2, "b": 3, "k": 4, "l": 2, "m": 5, "o": 2, "n": 3, "g": 3}
RAGGED = {
    "free": ("mk", "gkn", "m", [2, 0, 2]),
    "free-batched": ("mak", "kgan", "m", [[2, 0, 2], [1, 4, 0]]),
    "free-behind": ("aomkl", "laknog"[:4] + "g", "m", [[[2, 0, 2]] * 2, [[1, 4, 0], [0, 0, 3]]]),
    "contracting": ("mk", "kn", "k", [2, 0, 1]),
    "contracting-batched": ("kma", "nka", "k", [[2, 0, 2], [1, 3, 0]]),
    "contracting-second": ("lkma", "nkla", "l", [[[1, 0, 1]] * 4, [[0, 1, 0]] * 4]),
    "batching": ("bmk", "knb", "b", [1, 0, 2]),
}
"""Letters of lhs and of rhs, the ragged one, and the sizes of the groups."""


@pytest.mark.parametrize("name", RAGGED)
def test_ragged_dot(name: str):
    lhs, rhs, ragged, groups = RAGGED[name]
    rng = np.random.default_rng(1)
    sizes = np.array(groups, np.int32)
    x, y = (rng.standard_normal([SIZES[d] for d in dims]) for dims in (lhs, rhs))
    check_jvp(ragged_text(lhs, rhs, ragged, sizes.shape), [x, y, sizes])


@pytest.mark.parametrize("name", ["free-batched", "contracting-batched"])
def test_ragged_dot_twice(name: str):
    lhs, rhs, ragged, groups = RAGGED[name]
    rng = np.random.default_rng(2)
    sizes = np.array(groups, np.int32)
    x, y = (rng.standard_normal([SIZES[d] for d in dims]) for dims in (lhs, rhs))
    check_vjp(ragged_text(lhs, rhs, ragged, sizes.shape), [x, y, sizes], order=2)


def test_ragged_dot_agrees_with_jax():
    import jax

    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((5, 4)).astype(np.float32), rng.standard_normal((3, 4, 3)).astype(np.float32)
    sizes, ct = np.array([2, 0, 2], np.int32), rng.standard_normal((5, 3)).astype(np.float32)
    _, pullback = jax.vjp(lambda a, b: jax.lax.ragged_dot(a, b, sizes), x, y)
    text = ragged_text("mk", "gkn", "m", (3,)).replace("f64", "f32")
    for found, expected in zip(run(vjp_of(text), x, y, sizes, ct), pullback(ct), strict=True):
        np.testing.assert_allclose(found, np.asarray(expected), rtol=1e-5, atol=1e-6)


# scan

SCAN = """func.func @main(%x: tensor<2x4xf64>, %n: tensor<4xi32>, %s: tensor<f64>, %u: tensor<2xf64>)
    -> (tensor<2x4xf64>, tensor<4xi32>, tensor<f64>, tensor<2xf64>, tensor<i32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %m = stablehlo.reshape %n : (tensor<4xi32>) -> tensor<1x4xi32>
  %0:5 = chlo.scan(%x, %m) inits (%s, %u, %i) dimension=1 ATTRIBUTES {
  ^bb0(%a: tensor<2xf64>, %k: tensor<1xi32>, %c: tensor<f64>, %d: tensor<2xf64>, %j: tensor<i32>):
    %f = stablehlo.convert %k : (tensor<1xi32>) -> tensor<1xf64>
    %g = stablehlo.reshape %f : (tensor<1xf64>) -> tensor<f64>
    %h = stablehlo.multiply %c, %g : tensor<f64>
    %b = stablehlo.broadcast_in_dim %h, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %p = stablehlo.multiply %a, %b : tensor<2xf64>
    %q = chlo.sinh %p : tensor<2xf64> -> tensor<2xf64>
    %r = stablehlo.add %q, %d : tensor<2xf64>
    %t = stablehlo.sine %c : tensor<f64>
    %l = stablehlo.reshape %k : (tensor<1xi32>) -> tensor<i32>
    %v = stablehlo.add %j, %l : tensor<i32>
    %w = stablehlo.reshape %v : (tensor<i32>) -> tensor<1xi32>
    stablehlo.return %r, %w, %t, %r, %v : tensor<2xf64>, tensor<1xi32>, tensor<f64>, tensor<2xf64>, tensor<i32>
  } : (tensor<2x4xf64>, tensor<1x4xi32>, tensor<f64>, tensor<2xf64>, tensor<i32>)
    -> (tensor<2x4xf64>, tensor<1x4xi32>, tensor<f64>, tensor<2xf64>, tensor<i32>)
  %1 = stablehlo.reshape %0#1 : (tensor<1x4xi32>) -> tensor<4xi32>
  return %0#0, %1, %0#2, %0#3, %0#4 : tensor<2x4xf64>, tensor<4xi32>, tensor<f64>, tensor<2xf64>, tensor<i32>
}"""


def scan_arguments() -> list[Any]:
    rng = np.random.default_rng(4)
    return [0.5 * rng.standard_normal((2, 4)), np.array([1, 2, 0, 3], np.int32), np.array(0.7), rng.standard_normal(2)]


@pytest.mark.parametrize("attributes", ["", "attributes {is_reverse = true}"], ids=["forwards", "backwards"])
def test_scan(attributes: str):
    """A carry of lower rank than the scanned dimension needs, one that is only added to, and one of integers."""
    check_jvp(SCAN.replace("ATTRIBUTES", attributes), scan_arguments(), order=2, rtol=1e-6)


def test_scan_with_fewer_active_values():
    text = SCAN.replace("ATTRIBUTES", "")
    for wrt in ([0], [2], [3]):
        check_jvp(text, scan_arguments(), wrt=wrt, rtol=1e-6)


def test_the_way_back_of_a_scan_saves_what_it_reads():
    """%c is read by a product and a sine and saved; %d, which is only added, and %j, an integer, are not."""
    text = hh.to_text(vjp_of(SCAN.replace("ATTRIBUTES", "")))
    forward, back = [line for line in text.splitlines() if line.strip().startswith("} : (") and "chlo" not in line][:2]
    assert forward.count("tensor<1x4xf64>") == 1
    assert "tensor<2x4xf64>, tensor<1x4xi32>, tensor<1x4xf64>, tensor<2x4xf64>" in back
    assert text.count("chlo.scan") == 2


def test_scan_without_inputs_and_of_no_steps():
    text = """func.func @main(%s: tensor<2xf64>) -> (tensor<COUNTx2xf64>, tensor<2xf64>) {
  %0:2 = chlo.scan() inits (%s) dimension=0 attributes {scan_dim_size = COUNT : i64} {
  ^bb0(%c: tensor<2xf64>):
    %d = stablehlo.multiply %c, %c : tensor<2xf64>
    stablehlo.return %c, %d : tensor<2xf64>, tensor<2xf64>
  } : (tensor<2xf64>) -> (tensor<COUNTx2xf64>, tensor<2xf64>)
  return %0#0, %0#1 : tensor<COUNTx2xf64>, tensor<2xf64>
}"""
    check_jvp(text.replace("COUNT", "3"), [np.array([0.7, 1.1])])
    check_vjp(text.replace("COUNT", "0"), [np.array([0.7, 1.1])])
