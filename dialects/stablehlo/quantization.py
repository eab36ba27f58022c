"""Ops between floats and the small integers that stand for them: uniform_quantize and uniform_dequantize."""

from __future__ import annotations

from typing import ClassVar, cast

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import Pure

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.quant import UniformType
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import FLOAT, QUANTIZED_ANY, RankedTensor, like, type_of


@irdl_op_definition
class UniformQuantizeOp(AbstractOp):
    """result = round(operand / scale) + zero point, kept within the storage range; quantized numbers: requantized.

    operand : tensor of floats E, or of quantized numbers that stand for E
    result  : its shape (C1), quantized numbers that stand for E (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#uniform_quantize
    """

    name = "stablehlo.uniform_quantize"
    operand = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME

    def __init__(self, operand: SSAValue, element: UniformType):
        self._build((operand,), (self.infer(type_of(operand), element),))

    @classmethod
    def infer(cls, operand: RankedTensor, element: Attribute) -> RankedTensor:
        """The type of the result: the operand's shape, elements of type `element`."""
        result = like(operand, element=element)
        check_kind(cls.name, "operand", operand, FLOAT | QUANTIZED_ANY)
        check_kind(cls.name, "result", result, QUANTIZED_ANY)
        expressed = cast(UniformType, element).data.expressed
        if expressed != _expressed(operand):
            raise violated(
                cls.name,
                "C2",
                f"operand is {operand}, and result, {result}, stands for {expressed}; both must stand for one type;"
                " convert the operand first",
                DTypeError,
            )
        return result

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.result.type.element_type)
        check_result(self.name, self.result.type, inferred, "C1", bounds=False)


def _expressed(type: RankedTensor) -> Attribute:
    """What the elements of `type` stand for: their expressed type if they are quantized, else their own."""
    return type.element_type.data.expressed if isinstance(type.element_type, UniformType) else type.element_type


@irdl_op_definition
class UniformDequantizeOp(AbstractOp):
    """result = (operand - zero point) * scale.

    operand : tensor of quantized numbers that stand for floats E
    result  : its shape (C1), elements E (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#uniform_dequantize
    """

    name = "stablehlo.uniform_dequantize"
    operand = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME

    def __init__(self, operand: SSAValue):
        self._build((operand,), (self.infer(type_of(operand)),))

    @classmethod
    def infer(cls, operand: RankedTensor) -> RankedTensor:
        """The type of the result: the operand's shape, elements that the operand's stand for."""
        check_kind(cls.name, "operand", operand, QUANTIZED_ANY)
        return like(operand, shape=operand.get_shape(), element=_expressed(operand))

    def verify_semantics(self) -> None:
        check_kind(self.name, "result", self.result.type, FLOAT)
        check_result(self.name, self.result.type, self.infer(self.operand.type), "C1", elements="C2")
