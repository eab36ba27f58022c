"""Ops that make tensors from nothing: constant and iota."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import BaseAttr, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from hhlo_xdsl.dialects.elements import Elements, Number, elements, is_splat, numbers
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import I64, AbstractOp, i64_attr, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, check_static, violated
from hhlo_xdsl.dialects.stablehlo.quantized import quantization
from hhlo_xdsl.dialects.types import ANY, NUMBER, QUANTIZED, QUANTIZED_ANY, RankedTensor, is_static, kind, like, tensor


class AbstractConstant(AbstractOp):
    """output = value.

    value  : dense<...> : tensor S x E
    output : tensor S x E, or of quantized numbers that are stored as E      (C1)
    """

    value = prop_def(BaseAttr(DenseIntOrFPElementsAttr) | BaseAttr(DenseResourceAttr))
    output = tensor_result()
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: Elements):
        self._build((), (self.infer(value),), {"value": value})

    @classmethod
    def infer(cls, value: Elements | DenseResourceAttr) -> RankedTensor:
        """The type of the result: that of the elements."""
        type = value.get_type()
        if not isinstance(type, TensorType):
            raise violated(cls.name, "C1", f"value has type {type}; it must be a tensor", DTypeError)
        result = cast(RankedTensor, type)
        check_kind(cls.name, "value", result, ANY)
        cls._check_sizes("value", result)
        return result

    @classmethod
    def _check_sizes(cls, name: str, type: RankedTensor) -> None:
        if not is_static(type):
            raise violated(cls.name, "C1", f"{name} has type {type}; every size of a constant must be known")

    def verify_semantics(self) -> None:
        output = self.output.type
        name, stored = "output", output
        if (quantized := quantization(output)) is not None:
            check_kind(self.name, "output", output, ANY | QUANTIZED_ANY)
            name, stored = "output, as it is stored,", like(output, element=quantized.storage.type)
        check_result(self.name, stored, self.infer(self.value), "C1", name)
        self._check_sizes("output", output)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        if parser.parse_optional_punctuation("(") is not None:
            return cls._parse_in_full(parser)
        attributes = parser.parse_optional_attr_dict()
        pos = parser.pos
        value = parser.parse_attribute()
        if not isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
            parser.raise_error("expected elements such as dense<1.0> : tensor<2xf32>", pos)
        if "value" in attributes:
            parser.raise_error("the value stands in the dictionary already", pos)
        elements = cast(Elements, value)
        return cls.create(result_types=(cls.infer(elements),), properties={"value": elements}, attributes=attributes)

    @classmethod
    def _parse_in_full(cls, parser: Parser) -> Self:
        """`) <{value = ..}> {..} : () -> T`, where either dictionary may hold the value."""
        parser.parse_punctuation(")")
        properties = parser.parse_optional_properties_dict()
        attributes = parser.parse_optional_attr_dict()
        properties = {"value": attributes.pop("value")} | properties if "value" in attributes else properties
        parser.parse_punctuation(":")
        _, results = assembly.FUNCTIONAL.parse(parser, 0)
        return cls.create(result_types=results, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.output.type != self.value.get_type():
            self._print_in_full(printer)
            return
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def _print_in_full(self, printer: Printer) -> None:
        """Print what `_parse_in_full` reads, for a result whose type is not that of `value`."""
        printer.print_string("() <{value = ")
        printer.print_attribute(self.value)
        printer.print_string("}>")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type((), (self.output.type,))


@irdl_op_definition
class ConstantOp(AbstractConstant):
    """output = value; see AbstractConstant.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#constant
    """

    name = "stablehlo.constant"


@irdl_op_definition
class IotaOp(AbstractOp):
    """output[i_0, .., i_n] = i_d, where d is iota_dimension.

    iota_dimension : 0 <= d < rank                  (C1)
    output         : tensor of numbers

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#iota
    """

    name = "stablehlo.iota"
    iota_dimension = prop_def(I64)
    output = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.RESULT
    SPELLED: ClassVar = frozenset({"iota_dimension"})

    def __init__(self, type: RankedTensor, iota_dimension: int):
        self._build((), (self.infer(type, iota_dimension),), {"iota_dimension": i64_attr(iota_dimension)})

    @classmethod
    def infer(cls, type: RankedTensor, iota_dimension: int) -> RankedTensor:
        """The type of the result, `type`."""
        check_kind(cls.name, "output", type, NUMBER | QUANTIZED)
        check_static(cls.name, "output", type)
        rank = type.get_num_dims()
        if not 0 <= iota_dimension < rank:
            raise violated(
                cls.name, "C1", f"iota_dimension is {iota_dimension}; it must be in 0..{rank - 1}, for output {type}"
            )
        return type

    def verify_semantics(self) -> None:
        self.infer(self.output.type, self.iota_dimension.value.data)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return [], {"iota_dimension": i64_attr(assembly.parse_named_int(parser, "dim"))}

    def print_arguments(self, printer: Printer) -> None:
        printer.print_string(f" dim = {self.iota_dimension.value.data}")


@lru_cache(maxsize=1024)
def _scalar_elements(element: Attribute, spelled: str, value: Number) -> Elements:
    return elements(tensor((), element), [value])


def scalar_elements(element: Attribute, value: Number) -> Elements:
    """`dense<value> : tensor<element>`; the same object for equal arguments (0.0 and -0.0 are not equal here)."""
    if kind(element) not in ANY:
        raise DTypeError(
            f"stablehlo.constant: there is no number of type {element}; use an integer, float or complex type"
        )
    try:
        return _scalar_elements(element, repr(value), value)
    except ValueError as error:
        raise DTypeError(f"stablehlo.constant: {error}; use a wider type") from None


def scalar_value(op: object) -> Number | None:
    """The number that a rank 0 or splat constant holds; None for any other op."""
    if not isinstance(op, ConstantOp) or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return None
    value = cast(Elements, op.value)
    if len(value) == 0 or (len(value) > 1 and not is_splat(value)):
        return None
    return next(numbers(value))


def as_constant(value: SSAValue) -> Number | None:
    """The number that `value` is known to hold in every element, if its definition is such a constant."""
    return scalar_value(value.owner)


__all__ = [
    "ConstantOp",
    "Elements",
    "IotaOp",
    "as_constant",
    "elements",
    "scalar_elements",
    "scalar_value",
]
