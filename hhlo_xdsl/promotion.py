"""The element type and shape that operands of different types meet in.

Types: https://data-apis.org/array-api/latest/API_specification/type_promotion.html; mixed kinds, which the standard
leaves open, as in JAX (https://docs.jax.dev/en/latest/type_promotion.html): an integer with a float gives the float.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np

from hhlo_xdsl import dtypes
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.errors import DTypeError, ShapeError

_RANK = {"bool": 0, "uint": 1, "int": 2, "float": 3, "complex": 4}
Scalar = bool | int | float | complex


def promoted(a: DType, b: DType) -> DType:
    """The element type of an operation on elements of types `a` and `b`; raises DTypeError if there is none."""
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda d: (_RANK[d.kind], d.bits))
    if low.kind == high.kind:
        return _same_kind(low, high)
    if low.kind == "uint" and high.kind == "int":
        return _unsigned_and_signed(low, high)
    if high.kind == "complex" and low.kind == "float":
        return dtypes.c128 if low.bits == 64 else high
    return high


def _same_kind(low: DType, high: DType) -> DType:
    small = low.kind == "float" and low.bits < 16
    if small and (high.bits < 16 or (low is dtypes.f8E8M0FNU and high is dtypes.f16)):
        raise DTypeError(f"{low} and {high} have no common element type; convert one with astype")
    if low.bits != high.bits:
        return high
    if low.kind == "float" and low.bits == 16:
        return dtypes.f32
    raise DTypeError(f"{low} and {high} have no common element type; convert one with astype")


def _unsigned_and_signed(unsigned: DType, signed: DType) -> DType:
    if unsigned.bits < signed.bits:
        return signed
    wider = {2: dtypes.i4, 4: dtypes.i8, 8: dtypes.i16, 16: dtypes.i32, 32: dtypes.i64}.get(unsigned.bits)
    if wider is None:
        raise DTypeError(f"{unsigned} and {signed} have no common integer type; convert one with astype")
    return wider


def promoted_with(dtype: DType, value: Scalar) -> DType:
    """The element type of an operation on elements of type `dtype` and a Python number, which is weakly typed."""
    if isinstance(value, complex):
        return dtype if dtype.kind == "complex" else dtypes.c128 if dtype is dtypes.f64 else dtypes.c64
    if isinstance(value, float):
        return dtype if dtype.is_inexact else dtypes.f32
    if isinstance(value, bool):
        return dtype
    result = dtypes.i32 if dtype.kind == "bool" else dtype
    check_fits(result, value)
    return result


def check_fits(dtype: DType, value: Scalar) -> None:
    """Raise DTypeError if elements of `dtype` cannot hold `value`.

    They hold no integer out of range, no finite number that would become infinite, and no complex number in a real
    type. Floats may round, and become integers by rounding towards zero.
    """
    if isinstance(value, complex):
        if dtype.kind != "complex":
            raise DTypeError(f"{value} does not fit {dtype}; take its real part")
        parts: tuple[int | float, ...] = (value.real, value.imag)
    else:
        parts = (value,)
    if dtype.kind != "bool" and not all(_holds(dtype, part) for part in parts):
        low, high = bounds(dtype)
        raise DTypeError(
            f"{value} does not fit {dtype}, which holds {low}..{high}; convert the tensor with astype first"
        )


def _holds(dtype: DType, value: int | float) -> bool:
    if dtype.kind in ("int", "uint"):
        low, high = bounds(dtype)
        return low <= (math.trunc(value) if isinstance(value, float) and math.isfinite(value) else value) <= high
    if isinstance(value, float) and not math.isfinite(value):
        return True
    try:
        with np.errstate(over="ignore"):
            return bool(np.isfinite(np.asarray(value, dtype.numpy)))
    except OverflowError:
        return False


def bounds(dtype: DType) -> tuple[int | float, int | float]:
    """The least and the greatest finite number of a type that is not i1; of the parts, if it is complex."""
    if dtype.kind == "int":
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    if dtype.kind == "uint":
        return 0, (1 << dtype.bits) - 1
    about = cast(Any, ml_dtypes.finfo(dtype.numpy))
    return float(about.min), float(about.max)


def has_infinity(dtype: DType) -> bool:
    """Whether a floating type has infinities; some of the small ones have not."""
    with np.errstate(all="ignore"):
        return bool(np.isinf(np.array(math.inf).astype(dtype.numpy)))


def broadcast_shapes(op: str, *shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that `shapes` broadcast to, aligned at their last dimensions; raises ShapeError if there is none."""
    rank = max(map(len, shapes), default=0)
    result: list[int] = []
    for d in range(-rank, 0):
        sizes = {s[d] for s in shapes if len(s) >= -d} - {1}
        if len(sizes) > 1:
            spelled = " and ".join(str(list(s)) for s in shapes)
            found = " and ".join(map(str, sorted(sizes)))
            raise ShapeError(
                f"{op}: shapes {spelled} do not broadcast: their sizes at dimension {d} are {found}; equal sizes, or 1,"
                " were expected; reshape or slice one"
            )
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)
