"""Elementwise ops with one operand."""

from __future__ import annotations

import re
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import (
    AbstractOp,
    AbstractTranscendental,
    AbstractUnary,
    Pure,
    tensor_operand,
    tensor_result,
    traits_def,
)
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import (
    ANY,
    FLOAT,
    FLOAT_OR_COMPLEX,
    INTEGER,
    INTEGER_OR_BOOL,
    NUMBER,
    QUANTIZED,
    QUANTIZED_ANY,
    SIGNED,
    UNKNOWN,
    RankedTensor,
    bit_width,
    compatible_shapes,
    compatible_sizes,
    is_complex,
    like,
    real_element,
    type_of,
)

I32 = IntegerAttr.constr(type=i32)


@irdl_op_definition
class CbrtOp(AbstractTranscendental):
    """result = the real cube root; complex: the principal one.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#cbrt
    """

    name = "stablehlo.cbrt"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class CeilOp(AbstractUnary):
    """result = the least integer not below.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#ceil
    """

    name = "stablehlo.ceil"
    ELEMENTS: ClassVar = FLOAT | QUANTIZED


@irdl_op_definition
class CountLeadingZerosOp(AbstractUnary):
    """result = the number of leading zero bits.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#count_leading_zeros
    """

    name = "stablehlo.count_leading_zeros"
    ELEMENTS: ClassVar = INTEGER


@irdl_op_definition
class CosineOp(AbstractTranscendental):
    """result = cos(operand), in radians.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#cosine
    """

    name = "stablehlo.cosine"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class ExponentialOp(AbstractTranscendental):
    """result = e ** operand.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#exponential
    """

    name = "stablehlo.exponential"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class ExponentialMinusOneOp(AbstractTranscendental):
    """result = e ** operand - 1, accurate near 0.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#exponential_minus_one
    """

    name = "stablehlo.exponential_minus_one"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class FloorOp(AbstractUnary):
    """result = the greatest integer not above.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#floor
    """

    name = "stablehlo.floor"
    ELEMENTS: ClassVar = FLOAT | QUANTIZED


@irdl_op_definition
class LogOp(AbstractTranscendental):
    """result = the natural logarithm.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#log
    """

    name = "stablehlo.log"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class LogPlusOneOp(AbstractTranscendental):
    """result = log(1 + operand), accurate near 0.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#log_plus_one
    """

    name = "stablehlo.log_plus_one"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class LogisticOp(AbstractTranscendental):
    """result = 1 / (1 + e ** -operand).

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#logistic
    """

    name = "stablehlo.logistic"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class NotOp(AbstractUnary):
    """result = not operand for i1, the complement of each bit for integers.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#not
    """

    name = "stablehlo.not"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL


@irdl_op_definition
class NegateOp(AbstractUnary):
    """result = -operand; unsigned integers wrap.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#negate
    """

    name = "stablehlo.negate"
    ELEMENTS: ClassVar = NUMBER | QUANTIZED


@irdl_op_definition
class PopcntOp(AbstractUnary):
    """result = the number of bits that are set.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#popcnt
    """

    name = "stablehlo.popcnt"
    ELEMENTS: ClassVar = INTEGER


@irdl_op_definition
class RoundNearestAfzOp(AbstractUnary):
    """result = the nearest integer, ties away from zero.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#round_nearest_afz
    """

    name = "stablehlo.round_nearest_afz"
    ELEMENTS: ClassVar = FLOAT | QUANTIZED


@irdl_op_definition
class RoundNearestEvenOp(AbstractUnary):
    """result = the nearest integer, ties to the even one.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#round_nearest_even
    """

    name = "stablehlo.round_nearest_even"
    ELEMENTS: ClassVar = FLOAT | QUANTIZED


@irdl_op_definition
class RsqrtOp(AbstractTranscendental):
    """result = 1 / sqrt(operand).

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#rsqrt
    """

    name = "stablehlo.rsqrt"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class SignOp(AbstractUnary):
    """result = -1, 0 (with the operand's sign) or 1, NaN for NaN; complex: operand / abs(operand), 0 at 0.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#sign
    """

    name = "stablehlo.sign"
    ELEMENTS: ClassVar = SIGNED | QUANTIZED


@irdl_op_definition
class SineOp(AbstractTranscendental):
    """result = sin(operand), in radians.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#sine
    """

    name = "stablehlo.sine"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class SqrtOp(AbstractTranscendental):
    """result = the square root.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#sqrt
    """

    name = "stablehlo.sqrt"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class TanOp(AbstractTranscendental):
    """result = tan(operand), in radians.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#tan
    """

    name = "stablehlo.tan"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


@irdl_op_definition
class TanhOp(AbstractTranscendental):
    """result = the hyperbolic tangent.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#tanh
    """

    name = "stablehlo.tanh"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX | QUANTIZED


class AbstractPart(AbstractUnary):
    """A real number for each element: shape as the operand (C1), element type its real one (C2)."""

    @classmethod
    def infer(cls, operand: RankedTensor) -> RankedTensor:
        """The type of the result: the operand's shape, real elements."""
        check_kind(cls.name, "operand", operand, cls.ELEMENTS)
        return like(operand, element=real_element(operand.element_type))

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.operand.type), "C1", elements="C2")


@irdl_op_definition
class AbsOp(AbstractPart):
    """result = |operand|; complex: the modulus, a real number.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#abs
    """

    name = "stablehlo.abs"
    ELEMENTS: ClassVar = SIGNED | QUANTIZED


@irdl_op_definition
class RealOp(AbstractPart):
    """result = the real part; a real operand itself.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#real
    """

    name = "stablehlo.real"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX


@irdl_op_definition
class ImagOp(AbstractPart):
    """result = the imaginary part; 0 for a real operand.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#imag
    """

    name = "stablehlo.imag"
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX


@irdl_op_definition
class IsFiniteOp(AbstractOp):
    """result = whether x is neither infinite nor NaN.

    x      : tensor ..xF, floating point
    result : tensor ..xi1                    (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#is_finite
    """

    name = "stablehlo.is_finite"
    x = tensor_operand()
    y = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue):
        self._build((x,), (self.infer(type_of(x)),))

    @classmethod
    def infer(cls, x: RankedTensor) -> RankedTensor:
        """The type of the result: i1 elements in the operand's shape."""
        check_kind(cls.name, "x", x, FLOAT | QUANTIZED)
        return like(x, element=i1)

    def verify_semantics(self) -> None:
        check_result(self.name, self.y.type, self.infer(self.x.type), "C1")


@irdl_op_definition
class ConvertOp(AbstractOp):
    """result = operand in another element type.

    operand, result : one shape, any two element types      (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#convert
    """

    name = "stablehlo.convert"
    operand = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME

    def __init__(self, operand: SSAValue, element: Attribute):
        self._build((operand,), (self.infer(type_of(operand), element),))

    @classmethod
    def infer(cls, operand: RankedTensor, element: Attribute) -> RankedTensor:
        """The type of the result: the operand's shape, elements of type `element`."""
        result = like(operand, element=element)
        check_kind(cls.name, "operand", operand, ANY)
        check_kind(cls.name, "result", result, ANY)
        return result

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.result.type.element_type)
        check_result(self.name, self.result.type, inferred, "C1", bounds=False)


@irdl_op_definition
class ReducePrecisionOp(AbstractOp):
    """output = operand, rounded to a float format of fewer bits and back.

    exponent_bits   : at least 1            (C2)
    mantissa_bits   : at least 0            (C3)
    operand, output : one type              (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#reduce_precision
    """

    name = "stablehlo.reduce_precision"
    operand = tensor_operand()
    exponent_bits = prop_def(I32)
    mantissa_bits = prop_def(I32)
    output = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME
    SPELLED: ClassVar = frozenset({"exponent_bits", "mantissa_bits"})

    def __init__(self, operand: SSAValue, exponent_bits: int, mantissa_bits: int):
        properties = {
            "exponent_bits": IntegerAttr(exponent_bits, i32),
            "mantissa_bits": IntegerAttr(mantissa_bits, i32),
        }
        self._build((operand,), (self.infer(type_of(operand), exponent_bits, mantissa_bits),), properties)

    @classmethod
    def infer(cls, operand: RankedTensor, exponent_bits: int, mantissa_bits: int) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_kind(cls.name, "operand", operand, FLOAT | QUANTIZED)
        for label, name, bits, least in (
            ("C2", "exponent_bits", exponent_bits, 1),
            ("C3", "mantissa_bits", mantissa_bits, 0),
        ):
            if bits < least:
                raise violated(cls.name, label, f"{name} is {bits}; it must be at least {least}", VerifyError)
        return operand

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.exponent_bits.value.data, self.mantissa_bits.value.data)
        check_result(self.name, self.output.type, inferred, "C1", "output")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 1)
        parser.parse_punctuation(",")
        parser.parse_keyword("format")
        parser.parse_punctuation("=")
        pos = parser.pos
        bits = re.fullmatch(r"e(\d{1,9})m(\d{1,9})", parser.parse_identifier())
        if bits is None:
            parser.raise_error("expected a format such as e5m10: 5 exponent bits, 10 mantissa bits", pos, parser.pos)
        names = "exponent_bits", "mantissa_bits"
        return operands, {name: IntegerAttr(int(n), i32) for name, n in zip(names, bits.groups(), strict=True)}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f", format = e{self.exponent_bits.value.data}m{self.mantissa_bits.value.data}")


@irdl_op_definition
class BitcastConvertOp(AbstractOp):
    """The bits of operand, read as elements of another type.

    bits of an element   shape                                                      (C1)
    equal                the operand's
    fewer, by 1/n        the operand's, and a last dimension of size n
    more, by n           the operand's, without its last dimension, which has size n

    operand, result : both complex, or neither                                      (C2)

    Where elements have equally many bits, ranks are not compared, as in upstream's verifier.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#bitcast_convert
    """

    name = "stablehlo.bitcast_convert"
    operand = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, element: Attribute):
        self._build((operand,), (self.infer(type_of(operand), element),))

    @classmethod
    def infer(cls, operand: RankedTensor, element: Attribute) -> RankedTensor:
        """The type of the result: the operand's bits as elements of type `element`."""
        before, after = bit_width(operand.element_type), bit_width(element)
        shape = operand.get_shape()
        if 0 < after < before:
            shape = (*shape, before // after)
        result = like(operand, shape=shape[:-1] if before < after else shape, element=element)
        cls._check(operand, result)
        return result

    @classmethod
    def _check(cls, operand: RankedTensor, result: RankedTensor) -> None:
        """Raise ShapeError or DTypeError unless `result` can hold the bits of `operand`."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED_ANY)
        check_kind(cls.name, "result", result, ANY | QUANTIZED_ANY)
        found = f"operand is {operand}, result is {result}"
        if is_complex(operand) != is_complex(result):
            raise violated(cls.name, "C2", f"{found}; both must be complex or neither; take real and imag", DTypeError)
        few, many = sorted((operand, result), key=lambda type: bit_width(type.element_type))
        bits, width, shape = bit_width(few.element_type), bit_width(many.element_type), few.get_shape()
        if bits == width:
            fits = all(compatible_sizes(m, n) for m, n in zip(shape, many.get_shape(), strict=False))
            expected = "equal"
        else:
            fits = bool(shape) and compatible_shapes(shape[:-1], many.get_shape())
            fits = fits and (shape[-1] == UNKNOWN or shape[-1] * bits == width)
            expected = f"equal but for a last one, {width / bits:g}, of {few}"
        if not fits:
            names = f"{few.element_type} has {bits} bits, {many.element_type} has {width}"
            raise violated(cls.name, "C1", f"{found}; {names}, so their sizes must be {expected}")

    def verify_semantics(self) -> None:
        self._check(self.operand.type, self.result.type)
