"""Tensor types: interned construction, element kinds, and how shapes with unknown sizes compare.

xDSL never shares equal types, and making one costs about ten microseconds; every type the project makes therefore comes
from `tensor` or `like`, whose results are cached, so that equality mostly hits the identity shortcut.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    FixedBitwidthType,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatTF32Type,
    IntegerType,
    NoneAttr,
    Signedness,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, SSAValue

from hhlo_xdsl.dialects.bounds import NO_ENCODING, Bounds, bounds_of, encoded, of_unknown_sizes, tightest, within
from hhlo_xdsl.dialects.elements import real_element
from hhlo_xdsl.dialects.quant import Uniform, UniformType, signedness

RankedTensor: TypeAlias = TensorType[Attribute]
Kind: TypeAlias = Literal["bool", "int", "uint", "float", "complex", "quantized", "quantized_axis", "other"]
"""What sort of number an element is. "quantized": with one scale per tensor; "quantized_axis": per index of an axis."""

QUANTIZED: frozenset[Kind] = frozenset({"quantized"})
QUANTIZED_ANY: frozenset[Kind] = frozenset({"quantized", "quantized_axis"})
FLOAT: frozenset[Kind] = frozenset({"float"})
FLOAT_OR_COMPLEX: frozenset[Kind] = frozenset({"float", "complex"})
INTEGER: frozenset[Kind] = frozenset({"int", "uint"})
INTEGER_OR_BOOL: frozenset[Kind] = frozenset({"bool", "int", "uint"})
SIGNED: frozenset[Kind] = frozenset({"int", "float", "complex"})
NUMBER: frozenset[Kind] = frozenset({"int", "uint", "float", "complex"})
ANY: frozenset[Kind] = frozenset({"bool", "int", "uint", "float", "complex"})
"""All but quantized numbers."""

UNKNOWN = DYNAMIC_INDEX
"""The size of a dimension spelled `?`."""


@cache
def tensor(shape: tuple[int, ...], element: Attribute, encoding: Attribute = NO_ENCODING) -> RankedTensor:
    """The tensor type of `shape` and `element`; the same object for equal arguments."""
    return TensorType(element, shape, encoding)


def bounded(shape: tuple[int, ...], element: Attribute, bounds: Bounds | None) -> RankedTensor:
    """The tensor type of `shape` and `element`, whose unknown sizes have `bounds`, if any."""
    return tensor(shape, element, encoded(bounds))


@cache
def kind(element: Attribute) -> Kind:
    """What sort of number an element type holds; "other" if StableHLO does not compute with it (i3, si8, tf32)."""
    if isinstance(element, IntegerType):
        return _integer_kind(cast("IntegerType[Any, Any]", element))
    if isinstance(element, AnyFloat):
        return "other" if isinstance(element, FloatTF32Type | Float80Type | Float128Type) else "float"
    if isinstance(element, ComplexType):
        return "complex" if isinstance(real_element(cast(Attribute, element)), Float32Type | Float64Type) else "other"
    if isinstance(element, UniformType):
        return _quantized_kind(element.data)
    return "other"


def _integer_kind(element: IntegerType[Any, Any]) -> Kind:
    width, signedness = element.width.data, element.signedness.data
    if width == 1 and signedness is Signedness.SIGNLESS:
        return "bool"
    if width not in (2, 4, 8, 16, 32, 64) or signedness is Signedness.SIGNED:
        return "other"
    return "uint" if signedness is Signedness.UNSIGNED else "int"


def _quantized_kind(quantized: Uniform) -> Kind:
    storage = quantized.storage
    type = storage.type
    if signedness(type) not in (Signedness.SIGNLESS, Signedness.UNSIGNED) or bit_width(type) not in (2, 4, 8, 16, 32):
        return "other"
    if quantized.blocks is not None or any(not storage.low <= z <= storage.high for z in quantized.zero_points):
        return "other"
    return "quantized" if quantized.is_per_tensor else "quantized_axis"


def bit_width(element: Attribute) -> int:
    """How many bits hold an element: of complex numbers both parts, of quantized ones what is stored."""
    if isinstance(element, ComplexType):
        return 2 * bit_width(real_element(cast(Attribute, element)))
    stored = element.data.storage.type if isinstance(element, UniformType) else element
    return stored.bitwidth if isinstance(stored, FixedBitwidthType) else 0


def like(base: RankedTensor, *, shape: Sequence[int] | None = None, element: Attribute | None = None) -> RankedTensor:
    """`base` with another shape or element type; what bounds its sizes stays with the shape only."""
    kind = base.element_type if element is None else element
    return tensor(base.get_shape(), kind, base.encoding) if shape is None else tensor(tuple(shape), kind)


def limits(type: RankedTensor) -> tuple[int, ...]:
    """Per dimension its size if that is known, else its bound if it has one, else UNKNOWN."""
    bounds = bounds_of(type)
    sizes = type.get_shape()
    return sizes if bounds is None else tuple(b if n == UNKNOWN else n for n, b in zip(sizes, bounds, strict=False))


def within_limits(
    base: RankedTensor, shape: Sequence[int], greatest: Sequence[int], element: Attribute
) -> RankedTensor:
    """The tensor type of `shape`, whose unknown sizes are at most `greatest` if those of `base` are bounded."""
    sizes = tuple(shape)
    return bounded(sizes, element, None if bounds_of(base) is None else of_unknown_sizes(tuple(greatest), sizes))


def scalar(base: RankedTensor) -> RankedTensor:
    """The rank 0 tensor of `base`'s element type."""
    return tensor((), base.element_type)


def bools(base: RankedTensor) -> RankedTensor:
    """The i1 tensor of `base`'s shape."""
    return like(base, element=i1)


def type_of(value: SSAValue) -> RankedTensor:
    """The type of a value that is known to be a ranked tensor."""
    return cast(RankedTensor, value.type)


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The sizes of a value that is known to be a ranked tensor."""
    return type_of(value).get_shape()


def is_inexact(type: Attribute) -> bool:
    """Whether values of `type` carry gradients: a tensor of floating or complex elements."""
    return isinstance(type, TensorType) and kind(cast(RankedTensor, type).element_type) in FLOAT_OR_COMPLEX


def is_complex(type: Attribute) -> bool:
    """Whether a type is a tensor of complex numbers."""
    return isinstance(type, TensorType) and kind(cast(RankedTensor, type).element_type) == "complex"


def is_static(type: RankedTensor) -> bool:
    """Whether every size of `type` is known."""
    return UNKNOWN not in type.get_shape()


def compatible_shapes(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes can be the same one at run time: equal rank, and sizes equal where both are known."""
    return len(a) == len(b) and all(compatible_sizes(m, n) for m, n in zip(a, b, strict=True))


def compatible_sizes(m: int, n: int) -> bool:
    """Whether two sizes can be equal at run time."""
    return m == n or m == UNKNOWN or n == UNKNOWN


def compatible(a: Attribute, b: Attribute) -> bool:
    """Whether two types can be the same one at run time."""
    if a is b:
        return True
    if not (isinstance(a, TensorType) and isinstance(b, TensorType)):
        return a == b
    left, right = cast(RankedTensor, a), cast(RankedTensor, b)
    return compatible_elements(left.element_type, right.element_type) and compatible_sizes_and_bounds(left, right)


def compatible_elements(a: Attribute, b: Attribute) -> bool:
    """Whether two element types are equal, or quantized and alike in all but scales and zero points."""
    if a == b:
        return True
    if not (isinstance(a, UniformType) and isinstance(b, UniformType)):
        return False
    return a.data.is_like(b.data) and kind(a) == kind(b)


def compatible_sizes_and_bounds(a: RankedTensor, b: RankedTensor) -> bool:
    """Whether two types can have the same sizes at run time."""
    m, n = a.get_shape(), b.get_shape()
    return compatible_shapes(m, n) and within(m, bounds_of(b)) and within(n, bounds_of(a))


def merged(a: RankedTensor, b: RankedTensor) -> RankedTensor:
    """The more precise of two compatible types: each size is known if it is known in either, bounded likewise."""
    if a is b:
        return a
    sizes = tuple(n if m == UNKNOWN else m for m, n in zip(a.get_shape(), b.get_shape(), strict=True))
    bounds = tightest(bounds_of(a), bounds_of(b))
    return bounded(sizes, a.element_type, of_unknown_sizes(bounds, sizes))


def has_encoding(type: RankedTensor) -> bool:
    """Whether `type` carries an encoding, such as bounds of unknown sizes."""
    return not isinstance(type.encoding, NoneAttr)
