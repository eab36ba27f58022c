"""cholesky, triangular_solve and fft: text, constraints, constructors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import ComplexType, f32, f64
from xdsl.ir import Attribute, Block, SSAValue

from hhlo_xdsl.dialects.errors import DifferentiationError, DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.attributes import FftType, Transpose
from hhlo_xdsl.dialects.stablehlo.linalg import CholeskyOp, FftOp, TriangularSolveOp
from hhlo_xdsl.dialects.types import UNKNOWN, tensor, type_of
from hhlo_xdsl.text import parse
from tests.harness import run, vjp_of
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


def test_no_gradient_yet():
    module = parse(
        """func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>> {
          %f = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
          return %f : tensor<2x3xcomplex<f32>>
        }"""
    )
    with pytest.raises(DifferentiationError, match=r"stablehlo\.fft: no derivative rule yet"):
        vjp_of(module)
