"""cholesky, triangular_solve and fft: text, constraints, constructors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

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
