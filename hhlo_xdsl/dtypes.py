"""Element types and array types as people write them: `hh.f32`, `hh.f32[8, 3]`. No IR and no device here.

Promotion follows the Python array API standard (https://data-apis.org/array-api/latest/API_specification/type_promotion.html)
where that defines it. Mixed kinds, which it leaves open, promote as in JAX: any integer with a float gives the float.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

import ml_dtypes
import numpy as np

from hhlo_xdsl.errors import DTypeError, ShapeError

Kind = Literal["bool", "int", "uint", "float", "complex"]


@dataclass(frozen=True, slots=True)
class DType:
    """An element type. `dtype[2, 3]` is the type of an array of that shape, `dtype[()]` of a scalar."""

    name: str
    """The spelling in MLIR text, `f32`."""
    kind: Kind
    bits: int
    numpy: np.dtype[Any]

    def __getitem__(self, shape: int | Sequence[int]) -> Spec:
        """The array type of this element type and `shape`; raises ShapeError for a negative or non-integer size."""
        sizes = tuple(shape) if isinstance(shape, Sequence) else (shape,)
        return Spec(self, tuple(_size(self, sizes, n) for n in sizes))

    def __repr__(self) -> str:
        return self.name

    @property
    def is_inexact(self) -> bool:
        """Whether values of this type carry gradients: floating or complex."""
        return self.kind in ("float", "complex")


@dataclass(frozen=True, slots=True)
class Spec:
    """The type of an array: element type and shape."""

    dtype: DType
    shape: tuple[int, ...]

    def __repr__(self) -> str:
        return f"{self.dtype.name}[{', '.join(map(str, self.shape))}]"

    @property
    def size(self) -> int:
        """How many elements an array of this type has."""
        n = 1
        for d in self.shape:
            n *= d
        return n


def _size(dtype: DType, shape: Sequence[Any], n: Any) -> int:
    try:
        size = operator.index(n)
    except TypeError:
        size = -1
    if size < 0 or isinstance(n, bool):
        raise ShapeError(
            f"{dtype.name}{list(shape)}: {n!r} is not a size; integers >= 0 were expected, as in {dtype.name}[8, 3]"
        )
    return size


def _dtype(name: str, kind: Kind, bits: int, numpy: Any) -> DType:
    return DType(name, kind, bits, np.dtype(numpy))


i1 = bool_ = _dtype("i1", "bool", 1, np.bool_)
i2 = _dtype("i2", "int", 2, ml_dtypes.int2)
i4 = _dtype("i4", "int", 4, ml_dtypes.int4)
i8 = _dtype("i8", "int", 8, np.int8)
i16 = _dtype("i16", "int", 16, np.int16)
i32 = _dtype("i32", "int", 32, np.int32)
i64 = _dtype("i64", "int", 64, np.int64)
ui2 = _dtype("ui2", "uint", 2, ml_dtypes.uint2)
ui4 = _dtype("ui4", "uint", 4, ml_dtypes.uint4)
ui8 = _dtype("ui8", "uint", 8, np.uint8)
ui16 = _dtype("ui16", "uint", 16, np.uint16)
ui32 = _dtype("ui32", "uint", 32, np.uint32)
ui64 = _dtype("ui64", "uint", 64, np.uint64)
f4E2M1FN = _dtype("f4E2M1FN", "float", 4, ml_dtypes.float4_e2m1fn)
f6E2M3FN = _dtype("f6E2M3FN", "float", 6, ml_dtypes.float6_e2m3fn)
f6E3M2FN = _dtype("f6E3M2FN", "float", 6, ml_dtypes.float6_e3m2fn)
f8E3M4 = _dtype("f8E3M4", "float", 8, ml_dtypes.float8_e3m4)
f8E4M3 = _dtype("f8E4M3", "float", 8, ml_dtypes.float8_e4m3)
f8E4M3FN = _dtype("f8E4M3FN", "float", 8, ml_dtypes.float8_e4m3fn)
f8E4M3FNUZ = _dtype("f8E4M3FNUZ", "float", 8, ml_dtypes.float8_e4m3fnuz)
f8E4M3B11FNUZ = _dtype("f8E4M3B11FNUZ", "float", 8, ml_dtypes.float8_e4m3b11fnuz)
f8E5M2FNUZ = _dtype("f8E5M2FNUZ", "float", 8, ml_dtypes.float8_e5m2fnuz)
f8E8M0FNU = _dtype("f8E8M0FNU", "float", 8, ml_dtypes.float8_e8m0fnu)
f8E5M2 = _dtype("f8E5M2", "float", 8, ml_dtypes.float8_e5m2)
f16 = _dtype("f16", "float", 16, np.float16)
bf16 = _dtype("bf16", "float", 16, ml_dtypes.bfloat16)
f32 = _dtype("f32", "float", 32, np.float32)
f64 = _dtype("f64", "float", 64, np.float64)
c64 = _dtype("complex<f32>", "complex", 64, np.complex64)
c128 = _dtype("complex<f64>", "complex", 128, np.complex128)

ALL: tuple[DType, ...] = (
    *(i1, i2, i4, i8, i16, i32, i64, ui2, ui4, ui8, ui16, ui32, ui64),
    *(f4E2M1FN, f6E2M3FN, f6E3M2FN),
    *(f8E3M4, f8E4M3, f8E4M3FN, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E5M2, f8E5M2FNUZ, f8E8M0FNU),
    *(f16, bf16, f32, f64, c64, c128),
)
BY_NAME: dict[str, DType] = {d.name: d for d in ALL}
_BY_NUMPY: dict[np.dtype[Any], DType] = {d.numpy: d for d in ALL}


def from_numpy(dtype: Any) -> DType:
    """The element type of a numpy or ml_dtypes dtype; raises DTypeError when StableHLO has none."""
    native = np.dtype(dtype).newbyteorder("=")
    found = _BY_NUMPY.get(native)
    if found is None:
        raise DTypeError(
            f"dtype {native} has no StableHLO element type here; convert the array to one of"
            f" {', '.join(d.numpy.name for d in ALL)}"
        )
    return found


_OF_PYTHON: dict[type, DType] = {bool: i1, int: i32, float: f32, complex: c64}
"""In this order: a bool is also an int."""


def as_dtype(value: Any) -> DType:
    """A DType, or that of a numpy dtype or of Python's bool, int, float or complex; DTypeError for others."""
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value in _OF_PYTHON:
        return _OF_PYTHON[value]
    try:
        return from_numpy(value)
    except (TypeError, ValueError):
        raise DTypeError(
            f"{value!r} is not an element type; one such as hh.f32 or numpy.float32 was expected"
        ) from None


def is_python_number(value: Any) -> TypeGuard[bool | int | float | complex]:
    """Whether `value` is a plain Python number, which takes the precision of what it meets.

    numpy's scalars have a precision of their own, although float64 and complex128 are subclasses of float and complex.
    """
    return isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic)


def spec(value: Any) -> Spec:
    """The type of an array, a Python scalar, a DType (a scalar of it) or a Spec (itself).

    Python's bool, int, float and complex are i1, i32, f32 and complex<f32>, as in JAX's default mode.
    """
    if isinstance(value, Spec):
        return value
    if isinstance(value, DType):
        return value[()]
    if is_python_number(value):
        return next(dtype for python, dtype in _OF_PYTHON.items() if isinstance(value, python))[()]
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is None or dtype is None:
        only_dlpack = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
        array = np.from_dlpack(value) if only_dlpack else np.asarray(value)
        shape, dtype = array.shape, array.dtype
    return Spec(dtype if isinstance(dtype, DType) else from_numpy(dtype), tuple(shape))
