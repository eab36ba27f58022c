"""Derivatives of CHLO's ops: both modes and order two against central differences, tails against closed forms, and JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import scipy.special as sp

from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.states import states
from tests.chlo_programs import elementwise
from tests.harness import check_jvp, check_vjp, run, run_all, vjp_of

Array = np.ndarray[Any, Any]
REAL = {
    "inverse": (0.2, 0.8, ["acos", "asin", "asinh", "atan", "atanh", "erf_inv"]),
    "direct": (-1, 1, ["conj", "cosh", "erf", "erfc", "sinh", "square", "tan"]),
    "gamma": (1.2, 5, ["acosh", "asinh", "atan", "digamma", "lgamma"]),
    "bessel": (0.5, 12, ["bessel_i1e"]),
}
"""Ops that share a program, and where they are smooth."""
COMPLEX = {
    "inverse": ["_asin_acos_kernel", "acos", "acosh", "asin", "asinh"],
    "others": ["atan", "atanh", "conj", "cosh", "sinh", "square", "tan"],
}


@pytest.mark.parametrize("group", REAL)
def test_real(group: str):
    low, high, ops = REAL[group]
    x = np.random.default_rng(0).uniform(low, high, 3)
    check_jvp(elementwise(ops, "tensor<3xf64>"), [x], order=2, rtol=1e-6)


@pytest.mark.parametrize("group", COMPLEX)
def test_complex(group: str):
    """On both sides of the axes, away from the cuts."""
    rng = np.random.default_rng(1)
    z = rng.uniform(0.3, 0.9, 4) * [1, -1, 1, -1] + 1j * rng.uniform(0.3, 0.9, 4) * [1, 1, -1, -1]
    check_jvp(elementwise(COMPLEX[group], "tensor<4xcomplex<f64>>"), [z], order=2, rtol=1e-6)


def test_every_rule_is_tried():
    tried = {op for _, _, ops in REAL.values() for op in ops} | set(COMPLEX["inverse"])
    tried |= {"polygamma", "zeta", "next_after", "top_k", "ragged_dot", "scan", "broadcast_select", *BROADCAST}
    ours = {
        op.name for op, ((state, _),) in states("reverse").items() if state == "rule" and op.name.startswith("chlo.")
    }
    assert {f"chlo.{op}" for op in tried} == ours
    forward = {op.name for op, ((state, _),) in states("forward").items() if state == "rule"}
    assert ours <= forward


def test_polygamma_and_zeta():
    n, x = np.array([0.0, 1.0, 2.0]), np.array([0.7, 1.9, 3.2])
    for op, first in (("polygamma", n), ("zeta", n + 1.5)):
        text = elementwise([op], "tensor<3xf64>", 2)
        check_jvp(text, [first, x], wrt=[1], rtol=1e-6)
        check_vjp(text, [first, x], wrt=[1], order=2, rtol=1e-6)


@pytest.mark.parametrize(
    "op, message",
    [
        ("polygamma", r"chlo.polygamma: its order n depends on .* n is a whole number; .*stop_gradient"),
        ("zeta", r"chlo.zeta: its exponent x depends on .*; .*stop_gradient"),
        ("broadcast_polygamma", r"chlo.polygamma: its order n depends on"),
        ("broadcast_zeta", r"chlo.zeta: its exponent x depends on"),
    ],
)
def test_orders_have_no_derivative(op: str, message: str):
    text = elementwise([op], "tensor<3xf64>", 2)
    if op.startswith("broadcast"):
        text = text.replace(": tensor<3xf64>, tensor<3xf64> ->", ": (tensor<3xf64>, tensor<3xf64>) ->")
    with pytest.raises(DifferentiationError, match=message):
        vjp_of(text)
    with pytest.raises(DifferentiationError, match=message):
        check_jvp(text, [np.ones(3), np.ones(3)], wrt=[0])


def test_next_after():
    """Of x the cotangent itself, of y none."""
    x, y, ct = np.array([1.0, 2.0]), np.array([2.0, 1.0]), np.array([3.0, 5.0])
    found = run(vjp_of(elementwise(["next_after"], "tensor<2xf64>", 2)), x, y, ct)
    assert (found[0] == ct).all()
    assert (found[1] == 0).all()


# Tails

TAILS: dict[str, tuple[Array, Callable[[Array], Array]]] = {
    "acosh": (np.array([1.0 + 2**-10, 300.0, 1e4]), lambda x: 1 / np.sqrt((x - 1) * (x + 1))),
    "asin": (np.array([1 - 2**-8, -0.5]), lambda x: 1 / np.sqrt((1 - x) * (1 + x))),
    "asinh": (np.array([300.0, -6e4, 1e-3]), lambda x: 1 / np.hypot(1, x)),
    "atan": (np.array([300.0, -2e3, 1.0]), lambda x: 1 / (1 + x * x)),
    "atanh": (np.array([1 - 2**-8, 0.25]), lambda x: 1 / ((1 - x) * (1 + x))),
    "bessel_i1e": (np.array([0.0, 20.0, 1e3, -1e3]), lambda x: i1e_slope(x)),
    "erf": (np.array([3.0, -2.5]), lambda x: 2 / np.sqrt(np.pi) * np.exp(-x * x)),
    "erfc": (np.array([3.0, 0.5]), lambda x: -2 / np.sqrt(np.pi) * np.exp(-x * x)),
    "lgamma": (np.array([1e4, 0.01]), sp.psi),
    "digamma": (np.array([100.0, 0.1]), lambda x: sp.polygamma(1, x)),
}
"""Op -> where squares overflow in f16, or differences cancel, and its derivative in f64."""


def i1e_slope(x: Array) -> Array:
    """I1' = (I0 + I2) / 2; for large x the derivative of the series in 1 / x, DLMF 10.40.1."""
    a = np.where(np.abs(x) < 100, 1e9, np.abs(x))
    series = {0: 1.0, 1: -3 / 8, 2: -15 / 128, 3: -315 / 3072, 4: -14175 / 98304}
    tail = sum(-(k + 0.5) * c * a ** -(k + 1.5) for k, c in series.items()) / np.sqrt(2 * np.pi)
    return np.where(np.abs(x) < 100, (sp.i0e(x) + sp.ive(2, x)) / 2 - sp.i1e(np.abs(x)), tail)


@pytest.mark.parametrize(
    "element, dtype", [("f64", np.float64), ("f32", np.float32), ("f16", np.float16), ("bf16", ml_dtypes.bfloat16)]
)
def test_tails(element: str, dtype: Any):
    """No square overflows, and nothing cancels: a few units in the last place, and one in narrow floats."""
    eps, least = float(ml_dtypes.finfo(dtype).eps), float(ml_dtypes.finfo(dtype).smallest_normal)
    xs = [points.astype(dtype) for points, _ in TAILS.values()]
    calls = [
        (vjp_of(elementwise([op], f"tensor<{len(x)}x{element}>")), [x, np.full(len(x), 8, dtype)])
        for op, x in zip(TAILS, xs, strict=True)
    ]
    for (op, (_, slope)), x, (found,) in zip(TAILS.items(), xs, run_all(*calls), strict=True):
        with np.errstate(all="ignore"):
            expected = 8 * slope(x.astype(np.float64))
        units = 64 if element in ("f64", "f32") else 2
        np.testing.assert_allclose(found.astype(np.float64), expected, rtol=units * eps, atol=least, err_msg=op)


def test_large_arguments_do_not_overflow():
    x = np.array([1e200, -1e160, 1e19])
    (found,) = run(vjp_of(elementwise(["asinh"], "tensor<3xf64>")), x, np.ones(3))
    np.testing.assert_allclose(found, 1 / np.abs(x), rtol=1e-14)
    (found,) = run(vjp_of(elementwise(["atan"], "tensor<3xf64>")), x, np.full(3, 1e300))
    np.testing.assert_allclose(found, [1e300 / 1e200 / 1e200, 1e300 / 1e160 / 1e160, 1e300 / 1e38], rtol=1e-13)
    z = np.array([1e200 + 1e200j, 3e180 - 1j])
    for op, slope in {"atanh": lambda z: -1 / z / z, "asin": lambda z: 1 / (np.sqrt(1 - z) * np.sqrt(1 + z))}.items():
        (found,) = run(vjp_of(elementwise([op], "tensor<2xcomplex<f64>>")), z, np.ones(2, complex))
        np.testing.assert_allclose(found, slope(z), rtol=1e-13, atol=1e-300, err_msg=op)


def test_tangent_far_from_the_real_axis():
    """1 + tan^2 would be 0 up to rounding: tan is near i there."""
    z = np.array([0.7 + 20j, -0.3 - 30j])
    (found,) = run(vjp_of(elementwise(["tan"], "tensor<2xcomplex<f64>>")), z, np.ones(2, complex))
    np.testing.assert_allclose(found, 1 / np.cos(z) ** 2, rtol=1e-13)


def test_jax_agrees():
    """The gradients of JAX, at ordinary points and at kinks."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    functions: dict[str, tuple[Any, Array]] = {
        "acos": (jnp.arccos, np.array([-0.3, 0.9, 1.0])),
        "acosh": (jnp.arccosh, np.array([1.0, 1.5, 20])),
        "asin": (jnp.arcsin, np.array([-1.0, 0.2, 0.9])),
        "asinh": (jnp.arcsinh, np.array([-3, 0.0, 20])),
        "atan": (jnp.arctan, np.array([-3, 0.0, 20])),
        "atanh": (jnp.arctanh, np.array([-0.3, 0.0, 1.0])),
        "bessel_i1e": (lax.bessel_i1e, np.array([-3, 0.0, 7.5])),
        "cosh": (jnp.cosh, np.array([-3, 0.0, 2.0])),
        "digamma": (lax.digamma, np.array([0.3, 2.0, -1.5])),
        "erf": (lax.erf, np.array([-3, 0.0, 0.5])),
        "erf_inv": (lax.erf_inv, np.array([-1.0, 0.0, 0.5])),
        "erfc": (lax.erfc, np.array([-3, 0.0, 0.5])),
        "lgamma": (lax.lgamma, np.array([0.3, 2.0, -1.5])),
        "sinh": (jnp.sinh, np.array([-3, 0.0, 2.0])),
        "square": (lax.square, np.array([-3, 0.0, 2.0])),
        "tan": (jnp.tan, np.array([-3, 0.0, 2.0])),
    }
    points = [x.astype(np.float32) for _, x in functions.values()]
    theirs = jax.jit(
        lambda *xs: [jax.grad(lambda x, f=f: f(x).sum())(x) for (f, _), x in zip(functions.values(), xs, strict=True)]
    )(*points)
    ones = np.ones(3, np.float32)
    ours = run_all(
        *((vjp_of(elementwise([op], "tensor<3xf32>")), [x, ones]) for op, x in zip(functions, points, strict=True))
    )
    for op, (found,), expected in zip(functions, ours, theirs, strict=True):
        np.testing.assert_allclose(found, np.asarray(expected), rtol=2e-5, atol=1e-6, err_msg=op)


# Broadcasting

SMOOTH = ["add", "atan2", "complex", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"]
BROADCAST = [f"broadcast_{op}" for op in (*SMOOTH, "next_after", "polygamma", "zeta")]


def broadcast_text(op: str, a: str, b: str, result: str, attributes: str = "") -> str:
    return (
        f"func.func @main(%a: {a}, %b: {b}) -> {result} {{\n"
        f"  %0 = chlo.{op} %a, %b{attributes} : ({a}, {b}) -> {result}\n  return %0 : {result}\n}}"
    )


def test_broadcast():
    """All in one program."""
    rng = np.random.default_rng(2)
    a, b = rng.uniform(0.5, 2, (2, 1)), rng.uniform(0.5, 2, 3)
    types = ["tensor<2x3xcomplex<f64>>" if op == "complex" else "tensor<2x3xf64>" for op in SMOOTH]
    lines = [
        f"  %{op} = chlo.broadcast_{op} %a, %b : (tensor<2x1xf64>, tensor<3xf64>) -> {type}"
        for op, type in zip(SMOOTH, types, strict=True)
    ]
    results, body = ", ".join(f"%{op}" for op in SMOOTH), "\n".join(lines)
    text = (
        f"func.func @main(%a: tensor<2x1xf64>, %b: tensor<3xf64>) -> ({', '.join(types)}) {{\n{body}\n"
        f"  return {results} : {', '.join(types)}\n}}"
    )
    check_jvp(text, [a, b], order=2, rtol=1e-6)


def test_broadcast_along_other_dimensions():
    rng = np.random.default_rng(3)
    text = broadcast_text(
        "broadcast_multiply",
        "tensor<2xf64>",
        "tensor<2x3xf64>",
        "tensor<2x3xf64>",
        " {broadcast_dimensions = array<i64: 0>}",
    )
    check_jvp(text, [rng.standard_normal(2), rng.standard_normal((2, 3))])


def test_broadcast_in_the_second_operand_only():
    a, b = np.array([[1.0], [2.0]]), np.array([0.7, 1.9, 3.2])
    for op in ("broadcast_polygamma", "broadcast_zeta"):
        text = broadcast_text(op, "tensor<2x1xf64>", "tensor<3xf64>", "tensor<2x3xf64>")
        check_vjp(text, [a + (op == "broadcast_zeta"), b], wrt=[1], rtol=1e-6)
    text = broadcast_text("broadcast_next_after", "tensor<2x1xf64>", "tensor<3xf64>", "tensor<2x3xf64>")
    found = run(vjp_of(text), a, b, np.ones((2, 3)))
    assert (found[0] == 3).all()
    assert (found[1] == 0).all()


def test_broadcast_select():
    text = """func.func @main(%p: tensor<2x1xi1>, %a: tensor<3xf64>, %b: tensor<f64>) -> tensor<2x3xf64> {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<2x1xi1>, tensor<3xf64>, tensor<f64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}"""
    check_jvp(text, [np.array([[True], [False]]), np.arange(3.0), np.array(2.0)])
