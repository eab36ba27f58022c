"""Elementwise ops with one operand: a row per op, then the places where derivatives are delicate."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ComplexType, f16, f32, f64, i8, i16
from xdsl.ir import Block

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.unary import BitcastConvertOp, ReducePrecisionOp
from hhlo_xdsl.dialects.types import tensor, type_of
from tests.harness import check_vjp, run, vjp_of
from tests.op_case import OpCase, check_forward, check_gradient, check_round_trip

POSITIVE, AWAY = (0.5, 3.0), (0.2, 1.4)


SMOOTH = [
    OpCase("cbrt", np.cbrt, POSITIVE),
    OpCase("cosine", np.cos),
    OpCase("exponential", np.exp),
    OpCase("exponential_minus_one", np.expm1),
    OpCase("log", np.log, POSITIVE),
    OpCase("log_plus_one", np.log1p, POSITIVE),
    OpCase("logistic", lambda x: 1 / (1 + np.exp(-x))),
    OpCase("negate", np.negative),
    OpCase("rsqrt", lambda x: 1 / np.sqrt(x), POSITIVE),
    OpCase("sine", np.sin),
    OpCase("sqrt", np.sqrt, POSITIVE),
    OpCase("tan", np.tan, (-1.2, 1.2)),
    OpCase("tanh", np.tanh),
    OpCase("abs", np.abs, AWAY),
    OpCase("abs", np.abs, (-1.4, -0.2)),
    OpCase("square", np.square, dialect="chlo"),
    OpCase("real", np.real),
]
COMPLEX = [
    OpCase(name, reference, (0.3, 1.2), element="complex<f64>")
    for name, reference in [
        ("cosine", np.cos),
        ("exponential", np.exp),
        ("log", np.log),
        ("negate", np.negative),
        ("sine", np.sin),
        ("sqrt", np.sqrt),
        ("tanh", np.tanh),
        ("sign", lambda z: z / np.abs(z)),
    ]
] + [
    OpCase("abs", np.abs, (0.3, 1.2), element="complex<f64>", result="f64"),
    OpCase("real", np.real, element="complex<f64>", result="f64"),
    OpCase("imag", np.imag, element="complex<f64>", result="f64"),
    OpCase("square", np.square, element="complex<f64>", dialect="chlo"),
]
CONSTANT = [
    OpCase("ceil", np.ceil),
    OpCase("floor", np.floor),
    OpCase("round_nearest_even", np.round),
    OpCase("round_nearest_afz", lambda x: np.trunc(x + np.copysign(0.5, x))),
    OpCase("sign", np.sign),
    OpCase("imag", np.imag),
]
INTEGER = [
    OpCase("not", np.logical_not, element="i1"),
    OpCase("not", np.invert, (-9, 9), element="i32"),
    OpCase("abs", np.abs, (-9, 9), element="i32"),
    OpCase("negate", np.negative, (-9, 9), element="i32"),
    OpCase("sign", np.sign, (-9, 9), element="i32"),
    OpCase("popcnt", lambda x: np.vectorize(lambda n: int(n).bit_count())(x), (0, 99), element="ui32"),
    OpCase(
        "count_leading_zeros", lambda x: np.vectorize(lambda n: 32 - int(n).bit_length())(x), (0, 99), element="ui32"
    ),
    OpCase("is_finite", np.isfinite, result="i1"),
]


@pytest.mark.parametrize("case", SMOOTH + COMPLEX + CONSTANT + INTEGER, ids=str)
def test_forward_and_round_trip(case: OpCase) -> None:
    check_forward(case)
    check_round_trip(case)


@pytest.mark.parametrize("case", SMOOTH + COMPLEX, ids=str)
def test_derivatives(case: OpCase) -> None:
    check_gradient(case)


@pytest.mark.parametrize("case", CONSTANT, ids=str)
def test_piecewise_constant_has_zero_gradient(case: OpCase) -> None:
    args = case.sample()
    (gradient,) = run(vjp_of(case.text), *args, np.ones((2, 3)))
    assert (gradient == 0).all()


def _gradient(name: str, xs: list[float], element: str = "f64") -> list[float]:
    """The derivative of an op at each of `xs`."""
    dtype = {"f64": np.float64, "f32": np.float32}[element]
    t = f"tensor<{len(xs)}x{element}>"
    text = f"func.func @main(%x: {t}) -> {t} {{\n  %y = stablehlo.{name} %x : {t}\n  return %y : {t}\n}}"
    (gradient,) = run(vjp_of(text), np.array(xs, dtype), np.ones(len(xs), dtype))
    return gradient.tolist()


def test_abs_at_zero_takes_the_right_derivative() -> None:
    assert _gradient("abs", [0.0, -0.0, -1.0, 2.0]) == [1.0, 1.0, -1.0, 1.0]


def test_sqrt_at_zero_is_infinite() -> None:
    assert _gradient("sqrt", [0.0, 4.0]) == [np.inf, 0.25]


def test_cbrt_of_a_negative_number() -> None:
    assert _gradient("cbrt", [-8.0]) == pytest.approx([1 / 12], rel=1e-12)


def test_logistic_keeps_its_tails() -> None:
    # y * (1 - y) would be 0 at 40 in f64, and at 20 in f32.
    assert _gradient("logistic", [-40.0, 40.0]) == pytest.approx([np.exp(-40)] * 2, rel=1e-12)
    assert _gradient("logistic", [-20.0, 20.0], "f32") == pytest.approx([np.exp(-20)] * 2, rel=1e-5)


def test_exponential_minus_one_keeps_its_tail() -> None:
    assert _gradient("exponential_minus_one", [-40.0]) == pytest.approx([np.exp(-40)], rel=1e-12)


def test_abs_of_complex_zero_has_zero_gradient() -> None:
    t, r = "tensor<2xcomplex<f64>>", "tensor<2xf64>"
    text = f"func.func @main(%z: {t}) -> {r} {{\n  %y = stablehlo.abs %z : ({t}) -> {r}\n  return %y : {r}\n}}"
    (gradient,) = run(vjp_of(text), np.array([0, 3 + 4j]), np.ones(2))
    np.testing.assert_allclose(gradient, [0, (3 - 4j) / 5], rtol=1e-12)


def test_abs_of_very_small_and_large_complex_numbers() -> None:
    t, r = "tensor<2xcomplex<f32>>", "tensor<2xf32>"
    text = f"func.func @main(%z: {t}) -> {r} {{\n  %y = stablehlo.abs %z : ({t}) -> {r}\n  return %y : {r}\n}}"
    ct = np.array([8, 0.25], np.float32)  # ct / |z| overflows, and underflows
    (gradient,) = run(vjp_of(text), np.array([2e-38, -3e38j], np.complex64), ct)
    np.testing.assert_allclose(gradient, [8, 0.25j], rtol=1e-3)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("f64", "f32", [1.0, 2.0]),
        ("f32", "f64", [1.0, 2.0]),
        ("f64", "i32", [0.0, 0.0]),
    ],
)
def test_convert(source: str, target: str, expected: list[float]) -> None:
    a, b = f"tensor<2x{source}>", f"tensor<2x{target}>"
    text = f"""func.func @main(%x: {a}, %c: {a}) -> {a} {{
      %0 = stablehlo.convert %x : ({a}) -> {b}
      %1 = stablehlo.convert %0 : ({b}) -> {a}
      %2 = stablehlo.multiply %1, %c : {a}
      return %2 : {a}
    }}"""
    dtype = {"f64": np.float64, "f32": np.float32}[source]
    (gradient,) = run(vjp_of(text, [0]), np.array([1.5, 2.5], dtype), np.array([1, 2], dtype), np.ones(2, dtype))
    assert gradient.tolist() == expected


def test_convert_between_complex_and_real() -> None:
    c, f = "tensor<2xcomplex<f64>>", "tensor<2xf64>"
    text = f"""func.func @main(%z: {c}, %x: {f}) -> {c} {{
      %0 = stablehlo.convert %z : ({c}) -> {f}
      %1 = stablehlo.multiply %0, %x : {f}
      %2 = stablehlo.convert %1 : ({f}) -> {c}
      %3 = stablehlo.multiply %2, %z : {c}
      return %3 : {c}
    }}"""
    rng = np.random.default_rng(0)
    z = rng.standard_normal(2) + 1j * rng.standard_normal(2)
    check_vjp(text, [z, rng.standard_normal(2)], order=2)


def test_bits() -> None:
    x = np.array([1.0, -2.5, 1e30, np.inf], np.float32)
    whole, halves, back, rounded = run(
        """func.func @main(%x: tensor<4xf32>) -> (tensor<4xui32>, tensor<4x2xui16>, tensor<4xf32>, tensor<4xf32>) {
          %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xui32>
          %1 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x2xui16>
          %2 = stablehlo.bitcast_convert %1 : (tensor<4x2xui16>) -> tensor<4xf32>
          %3 = stablehlo.reduce_precision %x, format = e5m1 : tensor<4xf32>
          return %0, %1, %2, %3 : tensor<4xui32>, tensor<4x2xui16>, tensor<4xf32>, tensor<4xf32>
        }""",
        x,
    )
    np.testing.assert_array_equal(whole, x.view(np.uint32))
    np.testing.assert_array_equal(halves, x.view(np.uint16).reshape(4, 2))
    np.testing.assert_array_equal(back, x)
    np.testing.assert_array_equal(rounded, [1, -2, np.inf, np.inf])  # 2.5 is halfway; 1e30 needs more exponent bits


def test_bits_in_python() -> None:
    x = Block(arg_types=[tensor((4, 2), f16)]).args[0]
    assert type_of(BitcastConvertOp(x, i16).result) == tensor((4, 2), i16)
    assert type_of(BitcastConvertOp(x, i8).result) == tensor((4, 2, 2), i8)
    assert type_of(BitcastConvertOp(x, f32).result) == tensor((4,), f32)
    with pytest.raises(ShapeError, match="so their sizes must be equal but for a last one, 4, of"):
        BitcastConvertOp(x, f64)
    with pytest.raises(DTypeError, match="both must be complex or neither"):
        BitcastConvertOp(x, ComplexType(f32))
    op = ReducePrecisionOp(x, 5, 2)
    assert (type_of(op.output), op.exponent_bits.value.data, op.mantissa_bits.value.data) == (x.type, 5, 2)
    with pytest.raises(VerifyError, match="exponent_bits is 0; it must be at least 1"):
        ReducePrecisionOp(x, 0, 2)
