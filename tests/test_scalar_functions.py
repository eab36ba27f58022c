"""The gradients of map, rng, reduce_precision, bitcast_convert, and of convert between all floats."""

from __future__ import annotations

from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.stablehlo.map import MapOp
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse
from tests.harness import check_jvp, check_vjp, jvp_of, run, vjp_of

MAP = """func.func @main(%x: tensor<2x3xf64>, %y: tensor<2x3xf64>, %i: tensor<2x3xi32>) -> tensor<2x3xf64> {
  %z = "stablehlo.map"(%x, %y, %i) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>, %k: tensor<i32>):
    %c = stablehlo.constant dense<2.0> : tensor<f64>
    %n = stablehlo.convert %k : (tensor<i32>) -> tensor<f64>
    %p = stablehlo.multiply %a, %b : tensor<f64>
    %q = stablehlo.sine %p : tensor<f64>
    %s = stablehlo.multiply %q, %n : tensor<f64>
    %r = stablehlo.add %s, %c : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xi32>) -> tensor<2x3xf64>
  return %z : tensor<2x3xf64>
}"""
BRANCH = """%p = stablehlo.compare LT, %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%p) ({
      %q = stablehlo.sine %a : tensor<f64>
      stablehlo.return %q : tensor<f64>
    }, {
      %q = stablehlo.multiply %a, %b : tensor<f64>
      stablehlo.return %q : tensor<f64>
    }) : (tensor<i1>) -> tensor<f64>
    stablehlo.return"""
BRANCHES = MAP[: MAP.index("%c =")] + "%zero = stablehlo.constant dense<0> : tensor<i32>\n    " + BRANCH
BRANCHES += MAP[MAP.index(" %r : tensor<f64>\n  })") :]


def numbers() -> list[Any]:
    rng = np.random.default_rng(0)
    pair = [rng.standard_normal((2, 3)), rng.standard_normal((2, 3))]
    return [*pair, np.array([[1, -1, 0], [-2, 3, 1]], np.int32)]


def test_map_of_elementwise_ops() -> None:
    check_jvp(MAP, numbers(), order=2)
    assert not any(isinstance(op, MapOp) for op in vjp_of(MAP).walk())


def test_map_with_branches() -> None:
    """A map of the adjoint: the branch of each element is chosen for it alone."""
    check_jvp(BRANCHES, numbers())
    check_vjp(BRANCHES, numbers(), order=2)


RNG = """func.func @main(%a: tensor<f64>, %b: tensor<f64>) -> tensor<1000xf64> {
  %s = stablehlo.constant dense<1000> : tensor<1xi64>
  %y = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<1000xf64>
  return %y : tensor<1000xf64>
}"""


@pytest.mark.parametrize("distribution", ["UNIFORM", "NORMAL"])
def test_rng_is_run_once(distribution: str) -> None:
    """With the same underlying u (or z), y = a + (b - a) u (or a + b z): the gradient must fit the y of the same run."""
    module = parse(RNG.replace("UNIFORM", distribution))
    differentiate(module, GradPass(seed=True))
    a, b, ct = 1.5, 4.0, np.random.default_rng(0).standard_normal(1000)
    y, to_a, to_b = run(module, np.array(a), np.array(b), ct)
    drawn = (y - a) / (b - a) if distribution == "UNIFORM" else (y - a) / b
    np.testing.assert_allclose(to_a, np.sum(ct * (1 - drawn) if distribution == "UNIFORM" else ct), rtol=1e-12)
    np.testing.assert_allclose(to_b, np.sum(ct * drawn), rtol=1e-12)
    pushed = jvp_of(RNG.replace("UNIFORM", distribution))
    y, t = run(pushed, np.array(a), np.array(b), np.array(2.0), np.array(3.0))
    drawn = (y - a) / (b - a) if distribution == "UNIFORM" else (y - a) / b
    expected = 2 * (1 - drawn) + 3 * drawn if distribution == "UNIFORM" else 2 + 3 * drawn
    np.testing.assert_allclose(t, expected, rtol=1e-12)


def test_reduce_precision() -> None:
    """The cotangent is rounded alike, as in JAX."""
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = stablehlo.reduce_precision %x, format = e5m2 : tensor<3xf32>
      return %y : tensor<3xf32>
    }"""
    x, ct = np.array([1.1, 2.2, 3.3], np.float32), np.array([0.3, 5.7, -1.9], np.float32)
    _, pull = jax.vjp(lambda x: lax.reduce_precision(x, 5, 2), x)
    np.testing.assert_array_equal(run(vjp_of(text), x, ct)[0], pull(ct)[0])
    _, t = jax.jvp(lambda x: lax.reduce_precision(x, 5, 2), [x], [ct])
    np.testing.assert_array_equal(run(jvp_of(text), x, ct)[1], t)


def bits(target: str) -> str:
    return f"""func.func @main(%x: tensor<3xf32>) -> {target} {{
      %y = stablehlo.bitcast_convert %x : (tensor<3xf32>) -> {target}
      return %y : {target}
    }}"""


def test_bits_of_the_same_type() -> None:
    x, ct = np.ones(3, np.float32), np.array([1, 2, 3], np.float32)
    np.testing.assert_array_equal(run(vjp_of(bits("tensor<3xf32>")), x, ct)[0], ct)
    for derive in (vjp_of, jvp_of):
        with pytest.raises(DifferentiationError, match=r"bitcast_convert: it reads the bits of tensor<3xf32> as"):
            derive(bits("tensor<3x2xbf16>"))


FLOATS = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}


def test_convert_between_all_floats() -> None:
    """The cotangent is converted back, and so rounded to the operand's type."""
    names = list(FLOATS)
    pairs = [(a, b) for a in names for b in names if a != b]
    lines = [f"%y{i} = stablehlo.convert %x{i} : (tensor<2x{a}>) -> tensor<2x{b}>" for i, (a, b) in enumerate(pairs)]
    arguments = ", ".join(f"%x{i}: tensor<2x{a}>" for i, (a, _) in enumerate(pairs))
    results = ", ".join(f"tensor<2x{b}>" for _, b in pairs)
    returned = ", ".join(f"%y{i}" for i in range(len(pairs)))
    body = "\n".join(lines)
    text = f"func.func @main({arguments}) -> ({results}) {{\n{body}\nreturn {returned} : {results}\n}}"
    args = [np.array([1, -2], FLOATS[a]) for a, _ in pairs]
    cts = [np.array([0.75, -1.3], FLOATS[b]) for _, b in pairs]
    for (a, b), ct, found in zip(pairs, cts, run(vjp_of(text), *args, *cts), strict=True):
        assert found.dtype == FLOATS[a]
        np.testing.assert_array_equal(found.astype(float), ct.astype(FLOATS[a]).astype(float), err_msg=f"{a} -> {b}")


def test_integers_between_floats_give_exact_zeros() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %i = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi32>
      %y = stablehlo.convert %i : (tensor<2xi32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }"""
    x, ct = np.array([1.5, 2.5], np.float32), np.array([np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(run(vjp_of(text), x, ct)[0], [0, 0])
