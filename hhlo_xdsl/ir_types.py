"""Between the types that people write (`hh.f32[2, 3]`) and those of the IR (`tensor<2x3xf32>`)."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.types import RankedTensor, is_static, tensor
from hhlo_xdsl.dtypes import DType, Spec
from hhlo_xdsl.errors import DTypeError, ShapeError

_ELEMENTS: dict[str, Attribute] = {
    "f4E2M1FN": Float4E2M1FNType(),
    "f6E2M3FN": Float6E2M3FNType(),
    "f6E3M2FN": Float6E3M2FNType(),
    "f8E3M4": Float8E3M4Type(),
    "f8E4M3": Float8E4M3Type(),
    "f8E4M3FN": Float8E4M3FNType(),
    "f8E4M3FNUZ": Float8E4M3FNUZType(),
    "f8E4M3B11FNUZ": Float8E4M3B11FNUZType(),
    "f8E5M2": Float8E5M2Type(),
    "f8E5M2FNUZ": Float8E5M2FNUZType(),
    "f8E8M0FNU": Float8E8M0FNUType(),
    "f16": Float16Type(),
    "bf16": BFloat16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
    "complex<f32>": ComplexType(Float32Type()),
    "complex<f64>": ComplexType(Float64Type()),
    **{d.name: IntegerType(d.bits) for d in dtypes.ALL if d.kind in ("bool", "int")},
    **{d.name: IntegerType(d.bits, Signedness.UNSIGNED) for d in dtypes.ALL if d.kind == "uint"},
}
_DTYPES: dict[Attribute, DType] = {element: dtypes.BY_NAME[name] for name, element in _ELEMENTS.items()}


def element_of(dtype: DType) -> Attribute:
    """The element type of the IR."""
    return _ELEMENTS[dtype.name]


@lru_cache(maxsize=4096)
def tensor_type(spec: Spec) -> RankedTensor:
    """`tensor<2x3xf32>` for `f32[2, 3]`."""
    return tensor(spec.shape, element_of(spec.dtype))


def dtype_of(element: Attribute) -> DType:
    """The DType of an element type; raises DTypeError if arrays cannot have it."""
    found = _DTYPES.get(element)
    if found is None:
        raise DTypeError(f"there is no array type with elements {element}; arrays have {', '.join(_ELEMENTS)}")
    return found


@lru_cache(maxsize=4096)
def spec_of(type: Attribute) -> Spec:
    """`f32[2, 3]` for `tensor<2x3xf32>`; raises DTypeError or ShapeError for what arrays cannot be."""
    if not isinstance(type, TensorType):
        raise DTypeError(f"{type} is not a tensor; arguments and results of a program that runs must be tensors")
    ranked: RankedTensor = type  # pyright: ignore[reportUnknownVariableType]
    if not is_static(ranked):
        raise ShapeError(f"{ranked} has an unknown size; a program that runs needs known sizes")
    return Spec(dtype_of(ranked.element_type), ranked.get_shape())
