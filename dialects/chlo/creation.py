"""CHLO's ops that make tensors from numbers.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.traits import Pure

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.base import AbstractGenericOp, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_result, violated
from hhlo_xdsl.dialects.stablehlo.creation import AbstractConstant
from hhlo_xdsl.dialects.types import RankedTensor, like, type_of


@irdl_op_definition
class ConstantOp(AbstractConstant):
    """output = value; see AbstractConstant.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloconstant-chloconstantop
    """

    name = "chlo.constant"


@irdl_op_definition
class ConstantLikeOp(AbstractGenericOp):
    """result = value in every element, in the operand's shape, which may be unknown.

    value  : a number of type E
    result : the operand's sizes, elements E

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloconstant_like-chloconstantlikeop
    """

    name = "chlo.constant_like"
    operand = tensor_operand()
    value = prop_def(Attribute)
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, value: FloatAttr | IntegerAttr, operand: SSAValue):
        self._build((operand,), (self.infer(type_of(operand), value),), {"value": value})

    @classmethod
    def infer(cls, operand: RankedTensor, value: Attribute) -> RankedTensor:
        """The type of the result: the operand's sizes, elements of the type of `value`."""
        element = getattr(value, "type", None)
        if not isinstance(element, Attribute):
            raise violated(cls.name, "", f"value is {value}; a number with a type, as 1.0 : f32, is needed", DTypeError)
        return like(operand, element=element)

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.operand.type, self.value), "")
