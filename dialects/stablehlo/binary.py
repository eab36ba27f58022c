"""Elementwise ops with two operands."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ComplexType, Float32Type, Float64Type
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import Commutative, Pure

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractBinary, AbstractOp, same_type, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.stablehlo.quantized import check_sum, is_quantized
from hhlo_xdsl.dialects.types import (
    ANY,
    FLOAT_OR_COMPLEX,
    INTEGER,
    INTEGER_OR_BOOL,
    NUMBER,
    QUANTIZED,
    QUANTIZED_ANY,
    RankedTensor,
    like,
    type_of,
)


@irdl_op_definition
class AddOp(AbstractBinary):
    """result = lhs + rhs; i1: or.

    lhs, rhs, result : one type (C1); or all quantized (C2), of one storage type (C3) and expressed type (C4), the
                       result per axis if an operand is (C5), and all such along one dimension (C6, C7)

    As upstream's, the verifier also wants result to be quantized as lhs in all but scales and zero points.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#add
    """

    name = "stablehlo.add"
    ELEMENTS: ClassVar = ANY | QUANTIZED_ANY
    traits = traits_def(Commutative())

    @classmethod
    def infer(cls, lhs: RankedTensor, rhs: RankedTensor) -> RankedTensor:
        """The type of the result: that of both operands; if they are quantized, the elements of lhs."""
        if not is_quantized(lhs, rhs):
            return super().infer(lhs, rhs)
        check_kind(cls.name, "lhs", lhs, cls.ELEMENTS)
        check_kind(cls.name, "rhs", rhs, cls.ELEMENTS)
        result = same_type(cls.name, "C1", ("lhs", "rhs"), lhs, like(rhs, element=lhs.element_type))
        check_sum(cls.name, lhs, rhs, result)
        return result

    def verify_semantics(self) -> None:
        lhs, rhs, result = self.lhs.type, self.rhs.type, self.result.type
        if not is_quantized(lhs, rhs, result):
            super().verify_semantics()
            return
        check_kind(self.name, "result", result, self.ELEMENTS)
        check_sum(self.name, lhs, rhs, result)
        check_result(self.name, result, self.infer(lhs, rhs), "C1")


@irdl_op_definition
class Atan2Op(AbstractBinary):
    """result = the angle of the point (rhs, lhs), in radians, in [-pi, pi].

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#atan2
    """

    name = "stablehlo.atan2"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class DivideOp(AbstractBinary):
    """result = lhs / rhs; integers: rounded towards zero.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#divide
    """

    name = "stablehlo.divide"
    ELEMENTS: ClassVar = NUMBER | QUANTIZED


@irdl_op_definition
class MaximumOp(AbstractBinary):
    """result = the greater one, NaN if either is; i1: or; complex: in lexicographic order.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#maximum
    """

    name = "stablehlo.maximum"
    ELEMENTS: ClassVar = ANY | QUANTIZED
    traits = traits_def(Commutative())


@irdl_op_definition
class MinimumOp(AbstractBinary):
    """result = the lesser one, NaN if either is; i1: and; complex: in lexicographic order.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#minimum
    """

    name = "stablehlo.minimum"
    ELEMENTS: ClassVar = ANY | QUANTIZED
    traits = traits_def(Commutative())


@irdl_op_definition
class MultiplyOp(AbstractBinary):
    """result = lhs * rhs; i1: and.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#multiply
    """

    name = "stablehlo.multiply"
    ELEMENTS: ClassVar = ANY | QUANTIZED
    traits = traits_def(Commutative())


@irdl_op_definition
class PowerOp(AbstractBinary):
    """result = lhs ** rhs.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#power
    """

    name = "stablehlo.power"
    ELEMENTS: ClassVar = NUMBER | QUANTIZED


@irdl_op_definition
class RemainderOp(AbstractBinary):
    """result = lhs - rhs * trunc(lhs / rhs), with the sign of lhs.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#remainder
    """

    name = "stablehlo.remainder"
    ELEMENTS: ClassVar = NUMBER | QUANTIZED


@irdl_op_definition
class ShiftLeftOp(AbstractBinary):
    """result = lhs shifted left by rhs bits.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#shift_left
    """

    name = "stablehlo.shift_left"
    ELEMENTS: ClassVar = INTEGER


@irdl_op_definition
class ShiftRightArithmeticOp(AbstractBinary):
    """result = lhs shifted right by rhs bits, copies of the sign bit moving in.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#shift_right_arithmetic
    """

    name = "stablehlo.shift_right_arithmetic"
    ELEMENTS: ClassVar = INTEGER


@irdl_op_definition
class ShiftRightLogicalOp(AbstractBinary):
    """result = lhs shifted right by rhs bits, zeros moving in.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#shift_right_logical
    """

    name = "stablehlo.shift_right_logical"
    ELEMENTS: ClassVar = INTEGER


@irdl_op_definition
class SubtractOp(AbstractBinary):
    """result = lhs - rhs.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#subtract
    """

    name = "stablehlo.subtract"
    ELEMENTS: ClassVar = NUMBER | QUANTIZED


@irdl_op_definition
class AndOp(AbstractBinary):
    """result = lhs and rhs, for integers bit by bit.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#and
    """

    name = "stablehlo.and"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL
    traits = traits_def(Commutative())


@irdl_op_definition
class OrOp(AbstractBinary):
    """result = lhs or rhs, for integers bit by bit.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#or
    """

    name = "stablehlo.or"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL
    traits = traits_def(Commutative())


@irdl_op_definition
class XorOp(AbstractBinary):
    """result = lhs exclusive-or rhs, for integers bit by bit.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#xor
    """

    name = "stablehlo.xor"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL
    traits = traits_def(Commutative())


@irdl_op_definition
class ComplexOp(AbstractOp):
    """result = lhs + i * rhs.

    lhs, rhs : one type, of f32 or f64 elements E       (C1)
    result   : their shape, complex<E> elements         (C2, C3)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#complex
    """

    name = "stablehlo.complex"
    lhs = tensor_operand()
    rhs = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.COMPLEX

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        self._build((lhs, rhs), (self.infer(type_of(lhs), type_of(rhs)),))

    @classmethod
    def infer(cls, lhs: RankedTensor, rhs: RankedTensor) -> RankedTensor:
        """The type of the result: complex numbers of the operands' elements."""
        part = same_type(cls.name, "C1", ("lhs", "rhs"), lhs, rhs)
        element = part.element_type
        if not isinstance(element, Float32Type | Float64Type):
            raise violated(
                cls.name, "I1", f"lhs is {lhs}; its elements must be f32 or f64; convert it first", DTypeError
            )
        return like(part, element=ComplexType(element))

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.lhs.type, self.rhs.type), "C2", elements="C3")
