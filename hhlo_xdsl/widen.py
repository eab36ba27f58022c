"""A program in f64: what it computes without rounding errors that would hide a wrong gradient."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    TensorType,
    TupleType,
    f64,
)
from xdsl.ir import Attribute, Operation

from hhlo_xdsl.dialects.elements import elements, is_splat, numbers
from hhlo_xdsl.dialects.stablehlo.creation import Elements
from hhlo_xdsl.dialects.stablehlo.extension import CustomCallOp
from hhlo_xdsl.dialects.stablehlo.unary import BitcastConvertOp, ReducePrecisionOp
from hhlo_xdsl.dialects.stablehlo.values import holds_inexact
from hhlo_xdsl.dialects.types import kind, like, tensor, type_of
from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.passes.verify import verify

_C128 = ComplexType(f64)


class NotWidened(Exception):
    """There is no f64 form of a program; the message says why."""


def widened(module: ModuleOp) -> ModuleOp:
    """A copy in which every float has 64 bits, every complex number 128; raises NotWidened where that cannot be."""
    copy = module.clone()
    for op in copy.walk():
        _check_widens(op)
        for result in op.results:
            result._type = _wide(result.type)  # pyright: ignore[reportPrivateUsage]
        for block in [b for region in op.regions for b in region.blocks]:
            for arg in block.args:
                arg._type = _wide(arg.type)  # pyright: ignore[reportPrivateUsage]
        op.properties = {name: _wide(value) for name, value in op.properties.items()}
    try:
        verify(copy)
    except VerifyError as error:
        raise NotWidened(str(error)) from None
    return copy


def _check_widens(op: Operation) -> None:
    """Raise NotWidened for an op that means something else in f64, or nothing."""
    touches = any(holds_inexact(v.type) for v in (*op.operands, *op.results))
    if touches and isinstance(op, BitcastConvertOp | CustomCallOp | ReducePrecisionOp):
        raise NotWidened(f"{op.name} depends on the bits of its element type")
    for v in op.results:
        if isinstance(v.type, TensorType) and kind(type_of(v).element_type).startswith("quantized"):
            raise NotWidened(f"{op.name} works on quantized numbers")


def _wide(attribute: Attribute) -> Attribute:
    """The attribute with every float type in it replaced, and the elements of constants converted."""
    if isinstance(attribute, AnyFloat):
        return f64
    match attribute:
        case ComplexType():
            return _C128
        case DenseIntOrFPElementsAttr():
            return _wide_elements(cast(Elements, attribute))
        case TensorType():
            return like(attribute, element=_wide(attribute.element_type))
        case FunctionType():
            ins, outs = attribute.inputs.data, attribute.outputs.data
            return FunctionType.from_lists([_wide(t) for t in ins], [_wide(t) for t in outs])
        case TupleType():
            return TupleType(cast(Any, ArrayAttr([_wide(t) for t in attribute.types.data])))
        case ArrayAttr():
            return ArrayAttr([_wide(a) for a in attribute.data])
        case DictionaryAttr():
            return DictionaryAttr({name: _wide(a) for name, a in attribute.data.items()})
        case _:
            return attribute


def _wide_elements(dense: Elements) -> Attribute:
    type = tensor(tuple(dense.get_shape()), dense.get_element_type())
    if kind(type.element_type) not in ("float", "complex"):
        return dense
    values = list(numbers(dense))
    return elements(_wide(type), values[:1] if is_splat(dense) else values)
