"""cholesky, triangular_solve and fft: text, constraints, constructors, gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import ComplexType, f32, f64
from xdsl.ir import Attribute, Block, SSAValue

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.attributes import FftType, Transpose
from hhlo_xdsl.dialects.stablehlo.linalg import CholeskyOp, FftOp, TriangularSolveOp
from hhlo_xdsl.dialects.types import UNKNOWN, tensor, type_of
from tests.harness import check_jvp, run, vjp_of
from tests.random_programs import (
    COIN,
    ELEMENT,
    SHAPE,
    SIZE,
    Draw,
    check_against_upstream,
    near,
    nearly,
    other,
    program,
    spelled,
)


def cholesky_text(draw: Draw) -> str:
    n, element = draw(SIZE), draw(ELEMENT)
    shape = near(draw, [*draw(SHAPE), n, n])
    properties = draw(st.sampled_from(["", "lower = true", "lower = false"]))
    return program("stablehlo.cholesky", properties, [spelled(shape, element)], spelled(near(draw, shape), element))


def triangular_solve_text(draw: Draw) -> str:
    n, m, element, batch = draw(SIZE), draw(SIZE), draw(ELEMENT), draw(SHAPE)
    left = draw(st.booleans())
    b = near(draw, [*batch, *((n, m) if left else (m, n))])
    transpose = (
        draw(st.sampled_from("NO_TRANSPOSE TRANSPOSE ADJOINT".split())) if not draw(COIN) else "TRANSPOSE_INVALID"
    )
    properties = (
        f"left_side = {str(left).lower()}, lower = true, unit_diagonal = false,"
        f" transpose_a = #stablehlo<transpose {transpose}>"
    )
    operands = [spelled(near(draw, [*batch, n, n]), element), spelled(b, other(draw, element))]
    return program("stablehlo.triangular_solve", properties, operands, spelled(near(draw, b), other(draw, element)))


def fft_text(draw: Draw) -> str:
    kind = draw(st.sampled_from("FFT IFFT RFFT IRFFT".split()))
    real = draw(st.sampled_from("f32 f32 f64 bf16".split()))
    lengths = draw(st.lists(st.integers(0, 5), min_size=0 if draw(COIN) else 1, max_size=4 if draw(COIN) else 3))
    before, after = draw(st.lists(SIZE, max_size=1)), [str(n) for n in lengths]
    half = [*after[:-1], str(lengths[-1] // 2 + 1 if lengths[-1] else 0)] if lengths else []
    operand, result = (half, after) if kind == "IRFFT" else (after, half) if kind == "RFFT" else (after, after)
    elements = [real if kind == "RFFT" else f"complex<{real}>", real if kind == "IRFFT" else f"complex<{real}>"]
    unknown = [draw(st.sampled_from([n, n, n, "?"])) for n in operand]
    return program(
        "stablehlo.fft",
        f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {nearly(draw, lengths)}",
        [spelled(near(draw, [*before, *unknown]), other(draw, elements[0]))],
        spelled(near(draw, [*before, *result]), other(draw, elements[1])),
    )


@pytest.mark.parametrize("make", [cholesky_text, triangular_solve_text, fft_text])
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


# Constructors and values


def argument(*shape: int, element: Attribute = f32) -> SSAValue:
    return Block(arg_types=[tensor(shape, element)]).args[0]


def test_cholesky_in_python():
    op = CholeskyOp(argument(2, 3, 3), lower=True)
    assert type_of(op.result) == tensor((2, 3, 3), f32)
    assert op.lower is not None
    assert CholeskyOp(argument(3, 3)).lower is None
    with pytest.raises(ShapeError, match="its last two sizes must be equal"):
        CholeskyOp(argument(3, 4))


def test_triangular_solve_in_python():
    op = TriangularSolveOp(argument(3, 3), argument(2, 3), left_side=False, transpose_a=Transpose.ADJOINT)
    assert type_of(op.result) == tensor((2, 3), f32)
    with pytest.raises(DTypeError, match="their element types must be equal"):
        TriangularSolveOp(argument(3, 3), argument(3, 3, element=f64))
    with pytest.raises(VerifyError, match="use NO_TRANSPOSE, TRANSPOSE or ADJOINT"):
        TriangularSolveOp(argument(3, 3), argument(3, 3), transpose_a=Transpose.TRANSPOSE_INVALID)


def test_fft_in_python():
    c64 = ComplexType(f32)
    assert type_of(FftOp(argument(5, 8), FftType.RFFT, (8,)).result) == tensor((5, 5), c64)
    assert type_of(FftOp(argument(5, 5, element=c64), FftType.IRFFT, [9]).result) == tensor((5, 9), f32)
    assert type_of(FftOp(argument(5, 0), FftType.RFFT, (0,)).result) == tensor((5, 0), c64)
    assert type_of(FftOp(argument(UNKNOWN, 5, element=c64), FftType.FFT, (4, 5)).result) == tensor((UNKNOWN, 5), c64)


def test_cholesky_values():
    x = np.random.default_rng(0).normal(size=(2, 3, 3))
    a = x @ x.transpose(0, 2, 1) + np.eye(3)
    (found,) = run(
        """func.func @main(%a: tensor<2x3x3xf64>) -> tensor<2x3x3xf64> {
          %r = stablehlo.cholesky %a, lower = true : tensor<2x3x3xf64>
          return %r : tensor<2x3x3xf64>
        }""",
        a,
    )
    np.testing.assert_allclose(np.tril(found), np.linalg.cholesky(a), rtol=1e-12)


@pytest.mark.parametrize("left", [True, False])
def test_triangular_solve_values(left: bool):
    """op(a) X = b with op = transposition, or X op(a) = b; only the lower triangle of a is read."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    b = rng.normal(size=(3, 2) if left else (2, 3))
    t = f"tensor<{b.shape[0]}x{b.shape[1]}xf64>"
    (x,) = run(
        f"""func.func @main(%a: tensor<3x3xf64>, %b: {t}) -> {t} {{
          %r = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {str(left).lower()}, lower = true,
            unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}}> : (tensor<3x3xf64>, {t}) -> {t}
          return %r : {t}
        }}""",
        a,
        b,
    )
    lower = np.tril(a)
    np.testing.assert_allclose(lower.T @ x if left else x @ lower.T, b, rtol=1e-12, atol=1e-12)


def test_fft_values():
    x = np.random.default_rng(2).normal(size=(2, 6))
    found, back = run(
        """func.func @main(%x: tensor<2x6xf64>) -> (tensor<2x4xcomplex<f64>>, tensor<2x6xf64>) {
          %f = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<2x6xf64>) -> tensor<2x4xcomplex<f64>>
          %r = stablehlo.fft %f, type = IRFFT, length = [6] : (tensor<2x4xcomplex<f64>>) -> tensor<2x6xf64>
          return %f, %r : tensor<2x4xcomplex<f64>>, tensor<2x6xf64>
        }""",
        x,
    )
    np.testing.assert_allclose(found, np.fft.rfft(x), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(back, x, rtol=1e-12, atol=1e-12)


# Gradients


def random(*shape: int, complex: bool = False, seed: int = 0) -> np.ndarray[Any, Any]:
    """Normal numbers, f64."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return x + 1j * rng.normal(size=shape) if complex else x


def symmetrized(element: str, lower: bool, batch: str = "") -> str:
    """x -> the triangle of the Cholesky factor of x + x^H + 9."""
    t, c = f"tensor<{batch}3x3x{element}>", "(9.0, 0.0)" if element.startswith("complex") else "9.0"
    dims = "[0, 2, 1]" if batch else "[1, 0]"
    last = len(batch) // 2
    i = f"tensor<{batch}3x3xi32>"
    conjugate = ""
    if element.startswith("complex"):
        r = t.replace("complex<f64>", "f64")
        conjugate = f"""%re = stablehlo.real %t : ({t}) -> {r}
          %im = stablehlo.imag %t : ({t}) -> {r}
          %neg = stablehlo.negate %im : {r}
          %t_ = stablehlo.complex %re, %neg : {t}"""
    return f"""func.func @main(%x: {t}) -> {t} {{
      %t = stablehlo.transpose %x, dims = {dims} : ({t}) -> {t}
      {conjugate}
      %s = stablehlo.add %x, %t{"_" if conjugate else ""} : {t}
      %i = stablehlo.iota dim = {last} : {i}
      %j = stablehlo.iota dim = {last + 1} : {i}
      %zero = stablehlo.constant dense<{c.replace("9", "0")}> : {t}
      %nine = stablehlo.constant dense<{c}> : {t}
      %on = stablehlo.compare EQ, %i, %j : ({i}, {i}) -> tensor<{batch}3x3xi1>
      %diag = stablehlo.select %on, %nine, %zero : tensor<{batch}3x3xi1>, {t}
      %a = stablehlo.add %s, %diag : {t}
      %l = stablehlo.cholesky %a, lower = {str(lower).lower()} : {t}
      %in = stablehlo.compare {"GE" if lower else "LE"}, %i, %j : ({i}, {i}) -> tensor<{batch}3x3xi1>
      %y = stablehlo.select %in, %l, %zero : tensor<{batch}3x3xi1>, {t}
      return %y : {t}
    }}"""


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("element", ["f64", "complex<f64>"])
def test_cholesky_derivatives(element: str, lower: bool):
    is_complex = element.startswith("complex")
    check_jvp(symmetrized(element, lower), [random(3, 3, complex=is_complex)], order=2 if lower == is_complex else 1)


def test_cholesky_vjp_of_a_batch():
    check_jvp(symmetrized("f64", True, "2x"), [random(2, 3, 3)])


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("is_complex", [False, True])
def test_cholesky_gradient_is_hermitian(lower: bool, is_complex: bool):
    """As in JAX: that of the op on Hermitian matrices, whichever triangle it reads; the other one of ct is ignored."""
    x, ct = random(3, 3, complex=is_complex), random(3, 3, complex=is_complex, seed=1)
    a = x @ x.conj().T + np.eye(3)
    t = "tensor<3x3xcomplex<f64>>" if is_complex else "tensor<3x3xf64>"
    text = f"""func.func @main(%a: {t}) -> {t} {{
      %l = stablehlo.cholesky %a, lower = {str(lower).lower()} : {t}
      return %l : {t}
    }}"""
    (found,) = run(vjp_of(text), a, ct)

    def factor(a: Any) -> Any:
        l = jax.lax.linalg.cholesky(a)
        return l if lower else jnp.conj(l.T)

    expected = jax.jit(lambda a, ct: jax.vjp(factor, a)[1](ct)[0])(a, np.tril(ct) if lower else np.triu(ct))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found, found.conj().T, rtol=1e-12, atol=1e-12)


SOLVES = [
    (left, lower, unit, transpose)
    for left in (True, False)
    for lower in (True, False)
    for unit in (True, False)
    for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
]


def solve_text(element: str, left: bool, lower: bool, unit: bool, transpose: str, batch: str = "") -> str:
    a, b = f"tensor<{batch}3x3x{element}>", f"tensor<{batch}{'3x2' if left else '2x3'}x{element}>"
    flags = f"left_side = {left}, lower = {lower}, unit_diagonal = {unit}".lower()
    return f"""func.func @main(%a: {a}, %b: {b}) -> {b} {{
      %x = "stablehlo.triangular_solve"(%a, %b) <{{{flags}, transpose_a = #stablehlo<transpose {transpose}>}}>
        : ({a}, {b}) -> {b}
      return %x : {b}
    }}"""


@pytest.mark.parametrize("flags", SOLVES, ids=str)
def test_triangular_solve_derivatives(flags: tuple[bool, bool, bool, str]):
    left, lower, unit, transpose = flags
    is_complex = transpose == "ADJOINT" or unit
    a = random(3, 3, complex=is_complex) + 3 * np.eye(3)
    b = random(*((3, 2) if left else (2, 3)), complex=is_complex, seed=1)
    order = 2 if (left, unit) in ((True, False), (False, True)) and lower else 1
    check_jvp(solve_text("complex<f64>" if is_complex else "f64", *flags), [a, b], order=order, alone=lower)


def test_triangular_solve_vjp_of_a_batch():
    a, b = random(2, 3, 3) + 3 * np.eye(3), random(2, 2, 3, seed=1)
    check_jvp(solve_text("f64", False, True, False, "ADJOINT", "2x"), [a, b])


def test_triangular_solve_gradient_does_not_see_the_other_triangle():
    a, b = random(3, 3) + 3 * np.eye(3), random(3, 2, seed=1)
    a[np.triu_indices(3, 1)] = np.nan
    to_a, to_b = run(vjp_of(solve_text("f64", True, True, False, "NO_TRANSPOSE")), a, b, b)
    assert np.isfinite(to_b).all()
    assert np.isfinite(np.tril(to_a)).all()
    assert (to_a[np.triu_indices(3, 1)] == 0).all()


FFTS = [
    (kind, lengths)
    for kind in ("FFT", "IFFT", "RFFT", "IRFFT")
    for lengths in ((1,), (2,), (5,), (6,), (3, 4), (2, 1), (2, 3, 5))
]


@pytest.mark.parametrize("kind, lengths", FFTS, ids=str)
def test_fft_derivatives(kind: str, lengths: tuple[int, ...]):
    half = (2, *lengths[:-1], lengths[-1] // 2 + 1)
    shape, result = (half, (2, *lengths)) if kind == "IRFFT" else ((2, *lengths), half)
    result = shape if kind in ("FFT", "IFFT") else result

    def spell(shape: tuple[int, ...], is_real: bool) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{'f64' if is_real else 'complex<f64>'}>"

    t, r = spell(shape, kind == "RFFT"), spell(result, kind == "IRFFT")
    text = f"""func.func @main(%x: {t}) -> {r} {{
      %y = stablehlo.fft %x, type = {kind}, length = {list(lengths)} : ({t}) -> {r}
      return %y : {r}
    }}"""
    check_jvp(text, [random(*shape, complex=kind != "RFFT")], order=1 + (lengths == (3, 4)))
