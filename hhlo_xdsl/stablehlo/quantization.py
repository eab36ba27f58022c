"""Thin functions of the family quantization."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.utils import exceptions

from hhlo_xdsl.dialects.quant import Quant, UniformType
from hhlo_xdsl.dialects.stablehlo import quantization as dialect
from hhlo_xdsl.errors import DTypeError
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor
from hhlo_xdsl.where import with_place


def uniform_quantize(operand: ArrayLike, element: str | UniformType) -> Tensor:
    """operand as quantized numbers; `element` is their type, such as "!quant.uniform<i8:f32, 0.5:-20>"."""
    return made(dialect.UniformQuantizeOp, tensor(operand), _uniform(element))


def uniform_dequantize(operand: ArrayLike) -> Tensor:
    """The floats that quantized numbers stand for."""
    return made(dialect.UniformDequantizeOp, tensor(operand))


def _uniform(element: str | UniformType) -> UniformType:
    if isinstance(element, UniformType):
        return element
    context = Context()
    context.load_dialect(Quant)
    try:
        found = Parser(context, element).parse_type()
    except exceptions.ParseError as error:
        found = error.msg
    if isinstance(found, UniformType):
        return found
    raise with_place(
        DTypeError(
            f"stablehlo.uniform_quantize: element is {element!r} ({found}); a type such as"
            ' "!quant.uniform<i8:f32, 0.5:-20>" was expected'
        )
    )
