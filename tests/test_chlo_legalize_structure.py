"""chlo-legalize-to-stablehlo: ops with attributes or regions, broadcasting, unknown sizes; against numpy and XLA."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special as sp

import hhlo_xdsl as hh
from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import DTypeError, ShapeError
from hhlo_xdsl.ir_types import spec_of
from tests import cpp
from tests.chlo_programs import legalized
from tests.harness import main_of, run, run_all, session

Array = np.ndarray[Any, Any]

# Ops with attributes and regions


def top_k_text(type: str, values: str, indices: str, k: int, attributes: str = "") -> str:
    return (
        f"func.func @main(%x: {type}) -> ({values}, {indices}) {{\n"
        f"  %v, %i = chlo.top_k(%x, k = {k}{attributes}) : {type} -> ({values}, {indices})\n"
        f"  return %v, %i : {values}, {indices}\n}}"
    )


@pytest.mark.parametrize("attributes", ["", ", is_stable = true", ", is_stable = false"])
def test_top_k(attributes: str):
    x = np.array([[3.0, -0.0, 7, 3, np.inf, 0], [1, 1, -np.inf, 1, 2, 1]], np.float32)
    text = top_k_text("tensor<2x6xf32>", "tensor<2x4xf32>", "tensor<2x4xi32>", 4, attributes)
    values, indices = run(legalized(text), x)
    assert (values == [[np.inf, 7, 3, 3], [2, 1, 1, 1]]).all()
    if "false" not in attributes:
        assert (indices == [[4, 2, 0, 3], [4, 0, 1, 3]]).all()
    assert (run(text, x)[0] == values).all()


def test_top_k_of_integers_and_of_nan():
    values, indices = run(
        legalized(top_k_text("tensor<4xui8>", "tensor<4xui8>", "tensor<4xi32>", 4)), np.array([3, 250, 0, 3], np.uint8)
    )
    assert (values == [250, 3, 3, 0]).all()
    assert (indices == [1, 0, 3, 2]).all()
    x = np.array([1.0, np.nan, np.inf], np.float32)
    values, indices = run(legalized(top_k_text("tensor<3xf32>", "tensor<2xf32>", "tensor<2xi32>", 2)), x)
    assert (indices == [1, 2]).all()
    with pytest.raises(DTypeError, match=r"chlo.top_k: it has no form in StableHLO.*these elements have no order"):
        hh.legalize_chlo(hh.parse(top_k_text("tensor<3xcomplex<f32>>", "tensor<1xcomplex<f32>>", "tensor<1xi32>", 1)))


def ragged_text(lhs: str, rhs: str, sizes: str, result: str, numbers: str) -> str:
    return (
        f"func.func @main(%x: {lhs}, %y: {rhs}, %g: {sizes}) -> {result} {{\n"
        f'  %0 = "chlo.ragged_dot"(%x, %y, %g) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>}}> '
        f": ({lhs}, {rhs}, {sizes}) -> {result}\n  return %0 : {result}\n}}"
    )


FREE = "lhs_batching_dimensions = [1], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2],"
FREE += " rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]"
CONTRACTING = "lhs_batching_dimensions = [1], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [0],"
CONTRACTING += " rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]"
BATCHING = "lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2],"
BATCHING += " rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]"


@pytest.mark.parametrize("outer", [False, True], ids=["one for all", "one per batch"])
def test_ragged_dot_of_free_rows(outer: bool):
    """Row i of batch b meets the matrix of its group; the last row is in no group; what other groups hold is not read."""
    rng = np.random.default_rng(5)
    x, w = rng.standard_normal((6, 2, 3)), rng.standard_normal((3, 3, 2, 4))  # [m, b, k], [k, g, b, n]
    w[:, 1] = np.inf
    sizes = np.array([[2, 0, 3], [4, 0, 1]]) if outer else np.array([2, 0, 3])
    spelled = "tensor<2x3xi64>" if outer else "tensor<3xi64>"
    text = ragged_text("tensor<6x2x3xf64>", "tensor<3x3x2x4xf64>", spelled, "tensor<2x6x4xf64>", FREE)
    expected = np.zeros((2, 6, 4))
    for b in range(2):
        group = np.repeat(np.arange(3), sizes[b] if outer else sizes)
        for i, g in enumerate(group):
            expected[b, i] = x[i, b] @ w[:, g, b]
    for (found,) in run_all((legalized(text), [x, w, sizes]), (text, [x, w, sizes])):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("outer", [False, True], ids=["one for all", "one per batch"])
def test_ragged_dot_of_contracted_rows(outer: bool):
    rng = np.random.default_rng(6)
    x, y = rng.standard_normal((6, 2, 3)), rng.standard_normal((6, 4, 2))  # [k, b, m], [k, n, b]
    y[5] = np.nan  # in no group
    sizes = np.array([[2, 0, 3], [4, 0, 1]], np.int32) if outer else np.array([2, 0, 3], np.int32)
    spelled = "tensor<2x3xi32>" if outer else "tensor<3xi32>"
    text = ragged_text("tensor<6x2x3xf64>", "tensor<6x4x2xf64>", spelled, "tensor<3x2x3x4xf64>", CONTRACTING)
    expected = np.zeros((3, 2, 3, 4))
    for b in range(2):
        ends = np.cumsum(sizes[b] if outer else sizes)
        for g, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            expected[g, b] = x[start:end, b].T @ y[start:end, :, b]
    np.testing.assert_allclose(run(legalized(text), x, y, sizes)[0], expected, rtol=1e-12)


def test_ragged_dot_of_batches():
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal((3, 2, 5)), rng.standard_normal((5, 4, 3))
    text = ragged_text("tensor<3x2x5xf64>", "tensor<5x4x3xf64>", "tensor<2xi64>", "tensor<3x2x4xf64>", BATCHING)
    (found,) = run(legalized(text), x, y, np.array([1, 2]))
    np.testing.assert_allclose(found, np.einsum("bmk,knb->bmn", x, y), rtol=1e-12)


SCAN = """func.func @main(%x: tensor<2x5xf64>, %s: tensor<2xf64>) -> (tensor<3x5xf64>, tensor<2x5xi1>, tensor<2xf64>) {
  %0:3 = chlo.scan(%x) inits (%s) dimension=1 attributes {REVERSE} {
  ^bb0(%a: tensor<2xf64>, %c: tensor<2xf64>):
    %q = chlo.square %a : tensor<2xf64> -> tensor<2xf64>
    %n = stablehlo.subtract %q, %c : tensor<2xf64>
    %p = stablehlo.constant dense<0.5> : tensor<1xf64>
    %o = stablehlo.concatenate %c, %p, dim = 0 : (tensor<2xf64>, tensor<1xf64>) -> tensor<3xf64>
    %b = chlo.is_inf %n : tensor<2xf64> -> tensor<2xi1>
    stablehlo.return %o, %b, %n : tensor<3xf64>, tensor<2xi1>, tensor<2xf64>
  } : (tensor<2x5xf64>, tensor<2xf64>) -> (tensor<3x5xf64>, tensor<2x5xi1>, tensor<2xf64>)
  return %0#0, %0#1, %0#2 : tensor<3x5xf64>, tensor<2x5xi1>, tensor<2xf64>
}"""


@pytest.mark.parametrize("reverse", [False, True])
def test_scan(reverse: bool):
    rng = np.random.default_rng(8)
    x, carry = rng.standard_normal((2, 5)), rng.standard_normal(2)
    text = SCAN.replace("REVERSE", f"is_reverse = {str(reverse).lower()}")
    found = run(legalized(text), x, carry)
    seen = np.full((3, 5), 0.5)
    for i in range(4, -1, -1) if reverse else range(5):
        seen[:2, i] = carry
        carry = x[:, i] ** 2 - carry
    np.testing.assert_allclose(found[0], seen)
    assert not found[1].any()
    np.testing.assert_allclose(found[2], carry)
    for ours, sessions in zip(found, run(text, x, seen[:2, -1 if reverse else 0]), strict=True):
        np.testing.assert_allclose(sessions, ours)


def test_scan_that_is_no_loop():
    text = SCAN.replace(" attributes {REVERSE}", "")
    with pytest.raises(ShapeError, match=r"chlo.scan: it works on tensor<2x\?xf64>; as a loop it needs every size"):
        hh.legalize_chlo(hh.parse(text.replace("x5xf", "x?xf").replace("x5xi1", "x?xi1")))
    changing = """func.func @main(%x: tensor<5xf64>, %s: tensor<2xf64>) -> (tensor<5xf64>, tensor<3xf64>) {
  %0:2 = chlo.scan(%x) inits (%s) dimension=0 {
  ^bb0(%a: tensor<f64>, %c: tensor<2xf64>):
    %n = stablehlo.constant dense<0.0> : tensor<3xf64>
    stablehlo.return %a, %n : tensor<f64>, tensor<3xf64>
  } : (tensor<5xf64>, tensor<2xf64>) -> (tensor<5xf64>, tensor<3xf64>)
  return %0#0, %0#1 : tensor<5xf64>, tensor<3xf64>
}"""
    with pytest.raises(ShapeError, match=r"the carry is tensor<2xf64> at first and tensor<3xf64> after a step"):
        hh.legalize_chlo(hh.parse(changing))


# Broadcasting


def broadcast_text(op: str, types: Sequence[str], result: str, attributes: str = "") -> str:
    names = ", ".join(f"%a{i}" for i in range(len(types)))
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    dictionary = f" {{{attributes}}}" if attributes else ""
    return (
        f"func.func @main({arguments}) -> {result} {{\n"
        f"  %0 = chlo.{op} {names}{dictionary} : ({', '.join(types)}) -> {result}\n  return %0 : {result}\n}}"
    )


FLOATS: dict[str, Callable[..., Any]] = {
    "broadcast_add": np.add,
    "broadcast_atan2": np.arctan2,
    "broadcast_divide": np.divide,
    "broadcast_maximum": np.maximum,
    "broadcast_minimum": np.minimum,
    "broadcast_multiply": np.multiply,
    "broadcast_next_after": np.nextafter,
    "broadcast_power": np.power,
    "broadcast_remainder": np.fmod,
    "broadcast_subtract": np.subtract,
    "broadcast_zeta": lambda s, q: sp.zeta(1 + s, q),
}
INTEGERS: dict[str, Callable[..., Any]] = {
    "broadcast_and": np.bitwise_and,
    "broadcast_or": np.bitwise_or,
    "broadcast_xor": np.bitwise_xor,
    "broadcast_shift_left": np.left_shift,
    "broadcast_shift_right_arithmetic": np.right_shift,
    "broadcast_shift_right_logical": lambda a, b: (a.view("u8") >> b.view("u8")).view("i8"),
}


@pytest.mark.parametrize("op", [*FLOATS, *INTEGERS])
def test_broadcast(op: str):
    """Aligned at the last dimension, sizes of 1 stretched."""
    rng = np.random.default_rng(9)
    a, b = rng.uniform(0.5, 9, (2, 1, 3)), rng.uniform(0.5, 9, (4, 3))
    element = "f64"
    if op in INTEGERS:
        a, b, element = (a * 100).astype(np.int64) - 500, b.astype(np.int64), "i64"
    text = broadcast_text(op, [f"tensor<2x1x3x{element}>", f"tensor<4x3x{element}>"], f"tensor<2x4x3x{element}>")
    expected = (FLOATS | INTEGERS)[op](a, b)
    first = a + 1 if op == "broadcast_zeta" else a
    for (found,) in run_all((legalized(text), [first, b]), (text, [first, b])):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_broadcast_dimensions():
    """The operand of lower rank may lie along any dimensions."""
    a, b = np.arange(2.0), np.arange(6.0).reshape(2, 3)
    types = ["tensor<2xf64>", "tensor<2x3xf64>"]
    text = broadcast_text("broadcast_subtract", types, "tensor<2x3xf64>", "broadcast_dimensions = array<i64: 0>")
    assert (run(legalized(text), a, b)[0] == a[:, None] - b).all()
    one = broadcast_text(
        "broadcast_add", ["tensor<1xf64>", "tensor<2x3xf64>"], "tensor<2x3xf64>", "broadcast_dimensions = array<i64: 0>"
    )
    assert (run(legalized(one), np.ones(1), b)[0] == 1 + b).all()


def test_broadcast_compare_complex_select_polygamma():
    a, b = np.arange(3.0), np.array([[1.0], [2.0]])
    types = ["tensor<3xf64>", "tensor<2x1xf64>"]
    less = "comparison_direction = #chlo<comparison_direction LT>"
    order = "compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>"
    scalars = ["tensor<f64>", "tensor<2xf64>"]
    calls = [
        (broadcast_text("broadcast_compare", types, "tensor<2x3xi1>", less), [a, b]),
        (broadcast_text("broadcast_compare", scalars, "tensor<2xi1>", order), [np.float64(0.0), np.array([-0.0, 0.0])]),
        (broadcast_text("broadcast_complex", types, "tensor<2x3xcomplex<f64>>"), [a, b]),
        (broadcast_text("broadcast_select", ["tensor<i1>", *types], "tensor<2x3xf64>"), [np.False_, a, b]),
        (broadcast_text("broadcast_polygamma", types, "tensor<2x3xf64>"), [a, b]),
    ]
    (is_less,), (is_greater,), (both,), (chosen,), (derived,) = run_all(*((legalized(t), xs) for t, xs in calls))
    assert (is_less == (a < b)).all()
    assert (is_greater == [True, False]).all()
    assert (both == a + 1j * b).all()
    assert (chosen == np.broadcast_to(b, (2, 3))).all()
    np.testing.assert_allclose(derived, sp.polygamma(a.astype(int), b), rtol=1e-12)


def test_constants():
    text = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xbf16>) {
  %0 = chlo.constant dense<[3, -1]> : tensor<2xi32>
  %1 = "chlo.constant_like"(%x) <{value = 2.5 : bf16}> : (tensor<2xf32>) -> tensor<2xbf16>
  return %0, %1 : tensor<2xi32>, tensor<2xbf16>
}"""
    ints, floats = run(legalized(text), np.zeros(2, np.float32))
    assert (ints == [3, -1]).all()
    assert (floats.astype(np.float64) == 2.5).all()


# Unknown sizes: XLA runs none, so only the text is checked, by C++ too

UNKNOWN_SIZES = {
    "erf": "  %0 = chlo.erf %x : tensor<?x3xf32> -> tensor<?x3xf32>",
    "constant_like": '  %0 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<?x3xf32>) -> tensor<?x3xf32>',
    "broadcast_add": "  %0 = chlo.broadcast_add %x, %y : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>",
}


@pytest.mark.parametrize("name", UNKNOWN_SIZES)
def test_unknown_sizes_are_read_when_the_program_runs(name: str):
    text = f"func.func @main(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> tensor<?x3xf32> {{\n{UNKNOWN_SIZES[name]}\n  return %0 : tensor<?x3xf32>\n}}"
    assert "stablehlo.dynamic_broadcast_in_dim" in hh.to_text(legalized(text))


def test_bounds_are_refused():
    type = "tensor<?xf32, #stablehlo.bounds<4>>"
    text = f"func.func @main(%x: {type}) -> {type} {{\n  %0 = chlo.cosh %x : {type} -> {type}\n  return %0 : {type}\n}}"
    with pytest.raises(ShapeError, match=r"chlo.cosh: .*leave bounds out"):
        hh.legalize_chlo(hh.parse(text))


# Against XLA's own legalization

OPS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data/op_examples.json").read_text())
EXAMPLES = {op["name"]: op["examples"][0]["module"] for op in OPS if op["name"].startswith("chlo.") and op["examples"]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str):
    """The same values as without the pass, where XLA legalizes the op itself."""
    if cpp.refuses(EXAMPLES[name]) is not None:
        pytest.skip("the installed StableHLO is older than this example")
    rng = np.random.default_rng(10)
    module = hh.parse(EXAMPLES[name])
    args = [_sample(rng, spec_of(t)) for t in main_of(module).function_type.inputs]
    ours, theirs = run_all((legalized(EXAMPLES[name]), args), (module, args))
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)


def _sample(rng: np.random.Generator, spec: Spec) -> Array:
    x = rng.uniform(0.1, 0.9, spec.shape)
    if spec.dtype.kind in ("int", "uint"):
        return rng.integers(0, 3, spec.shape).astype(spec.dtype.numpy)
    return np.asarray(x + 0.5j * x if spec.dtype.kind == "complex" else x, spec.dtype.numpy)


def test_legalization_leaves_the_module_alone():
    module = hh.parse(SCAN.replace("REVERSE", ""))
    before = hh.to_text(module)
    hh.legalize_chlo(module)
    session().compile(module)
    assert hh.to_text(module) == before
