"""Comparison and choice: compare, select, clamp."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp, same_type, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import (
    ANY,
    QUANTIZED,
    Kind,
    RankedTensor,
    bools,
    compatible_elements,
    compatible_shapes,
    kind,
    type_of,
)

_NATURAL_TYPE: dict[Kind, ComparisonType] = {
    "bool": ComparisonType.UNSIGNED,
    "uint": ComparisonType.UNSIGNED,
    "int": ComparisonType.SIGNED,
    "float": ComparisonType.FLOAT,
    "complex": ComparisonType.FLOAT,
    "quantized": ComparisonType.FLOAT,
}


@irdl_op_definition
class CompareOp(AbstractOp):
    """result = lhs <direction> rhs, element by element.

    lhs, rhs     : one type            (C1, C2)
    compare_type : that of the elements; TOTALORDER orders NaN and signed zeros too     (C3)
    result       : their shape, i1     (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#compare
    """

    name = "stablehlo.compare"
    lhs = tensor_operand()
    rhs = tensor_operand()
    comparison_direction = prop_def(ComparisonDirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"comparison_direction", "compare_type"})

    def __init__(
        self, lhs: SSAValue, rhs: SSAValue, direction: ComparisonDirection, compare_type: ComparisonType | None = None
    ):
        """Compare by the natural order of the elements if `compare_type` is None."""
        result = self.infer(type_of(lhs), type_of(rhs))
        natural = _NATURAL_TYPE[kind(type_of(lhs).element_type)]
        properties = {
            "comparison_direction": ComparisonDirectionAttr(direction),
            "compare_type": ComparisonTypeAttr(compare_type or natural),
        }
        self._build((lhs, rhs), (result,), properties)

    @classmethod
    def infer(cls, lhs: RankedTensor, rhs: RankedTensor) -> RankedTensor:
        """The type of the result: i1 elements in the operands' shape."""
        check_kind(cls.name, "lhs", lhs, ANY | QUANTIZED)
        return bools(same_type(cls.name, "C2", ("lhs", "rhs"), lhs, rhs, elements="C1"))

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.lhs.type, self.rhs.type), "C2")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        direction = ComparisonDirectionAttr(parser.parse_str_enum(ComparisonDirection))
        parser.parse_punctuation(",")
        operands = assembly.parse_operands(parser, 2)
        properties: dict[str, Attribute] = {"comparison_direction": direction}
        if parser.parse_optional_punctuation(",") is not None:
            properties["compare_type"] = ComparisonTypeAttr(parser.parse_str_enum(ComparisonType))
        return operands, properties

    def print_arguments(self, printer: Printer) -> None:
        printer.print_string(f" {self.comparison_direction.data.value},")
        assembly.print_operands(printer, self.operands)
        if self.compare_type is not None:
            printer.print_string(f", {self.compare_type.data.value}")


@irdl_op_definition
class SelectOp(AbstractOp):
    """result = on_true where pred holds, else on_false.

    pred                        : i1 of the branches' shape, or of rank 0    (C1)
    on_true, on_false, result   : one type                                   (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#select
    """

    name = "stablehlo.select"
    pred = tensor_operand()
    on_true = tensor_operand()
    on_false = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SELECT

    def __init__(self, pred: SSAValue, on_true: SSAValue, on_false: SSAValue):
        result = self.infer(type_of(pred), type_of(on_true), type_of(on_false))
        self._build((pred, on_true, on_false), (result,))

    @classmethod
    def infer(cls, pred: RankedTensor, on_true: RankedTensor, on_false: RankedTensor) -> RankedTensor:
        """The type of the result: that of the branches."""
        check_kind(cls.name, "on_true", on_true, ANY | QUANTIZED)
        result = same_type(cls.name, "C2", ("on_true", "on_false"), on_true, on_false)
        if pred.element_type != i1:
            raise violated(cls.name, "I1", f"pred is {pred}; its elements must be i1; compare it with 0", DTypeError)
        if pred.get_num_dims() and not compatible_shapes(pred.get_shape(), result.get_shape()):
            raise violated(
                cls.name, "C1", f"pred is {pred}, on_true is {on_true}; pred must be a scalar or have the same shape"
            )
        return result

    def verify_semantics(self) -> None:
        inferred = self.infer(self.pred.type, self.on_true.type, self.on_false.type)
        check_result(self.name, self.result.type, inferred, "C2")


@irdl_op_definition
class ClampOp(AbstractOp):
    """result = minimum(maximum(operand, min), max).

    min, max : the operand's type, or rank 0       (C1, C2, C3)
    result   : the operand's type                  (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#clamp
    """

    name = "stablehlo.clamp"
    min = tensor_operand()
    operand = tensor_operand()
    max = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME

    def __init__(self, min: SSAValue, operand: SSAValue, max: SSAValue):
        self._build((min, operand, max), (self.infer(type_of(min), type_of(operand), type_of(max)),))

    @classmethod
    def infer(cls, min: RankedTensor, operand: RankedTensor, max: RankedTensor) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED)
        for label, name, bound in (("C1", "min", min), ("C2", "max", max)):
            if not compatible_elements(bound.element_type, operand.element_type):
                raise violated(
                    cls.name,
                    "C3",
                    f"{name} is {bound}, operand is {operand}; their element types must be equal",
                    DTypeError,
                )
            if bound.get_num_dims() and not compatible_shapes(bound.get_shape(), operand.get_shape()):
                raise violated(
                    cls.name,
                    label,
                    f"{name} is {bound}, operand is {operand}; a bound is a scalar or has the same shape",
                )
        return operand

    def verify_semantics(self) -> None:
        inferred = self.infer(self.min.type, self.operand.type, self.max.type)
        check_result(self.name, self.result.type, inferred, "C4")
