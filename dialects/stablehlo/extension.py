"""Values beside tensors: tokens, tuples, and the number of the process that runs the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness, TupleType, i32
from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    BaseAttr,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.assembly import TypeForm, Types
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_result, violated
from hhlo_xdsl.dialects.stablehlo.types import TokenType
from hhlo_xdsl.dialects.stablehlo.values import check_value, parts
from hhlo_xdsl.dialects.types import compatible, tensor

TOKEN = TokenType()
PROCESS_ID = tensor((), IntegerType(32, Signedness.UNSIGNED))


def _parse_nothing(parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
    return [], {}


def _parse_values(parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
    """`%a, %b, ..`, or nothing."""
    found = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    return found or [], {}


def _parse_of_result(parser: Parser, count: int) -> Types:
    """The result's type; operands that are parts of a tuple have those, all others its own."""
    type = parser.parse_type()
    return (parts(type) if isinstance(type, TupleType) else [type] * count), [type]


OF_RESULT = TypeForm(_parse_of_result, assembly.RESULT.print)
"""`T`, the type of the result, from which those of the operands follow."""


class AbstractProcessId(AbstractOp):
    """output : tensor<ui32>, the number of a process."""

    output = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.RESULT

    def __init__(self):
        self._build((), (PROCESS_ID,))

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_nothing(parser)

    def print_arguments(self, printer: Printer) -> None:
        """There are none."""

    def verify_semantics(self) -> None:
        check_result(self.name, self.output.type, PROCESS_ID, "I1", "output")


@irdl_op_definition
class ReplicaIdOp(AbstractProcessId):
    """output = which replica runs the program; see AbstractProcessId.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#replica_id
    """

    name = "stablehlo.replica_id"


@irdl_op_definition
class PartitionIdOp(AbstractProcessId):
    """output = which partition runs the program; see AbstractProcessId.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#partition_id
    """

    name = "stablehlo.partition_id"


@irdl_op_definition
class CreateTokenOp(AbstractOp):
    """output = a token that waits for nothing; deprecated: after_all without operands.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.create_token"
    output = result_def(BaseAttr(TokenType))
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.RESULT

    def __init__(self):
        self._build((), (TOKEN,))

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_nothing(parser)

    def print_arguments(self, printer: Printer) -> None:
        """There are none."""


@irdl_op_definition
class AfterAllOp(AbstractOp):
    """result = a token that waits for all of inputs.

    inputs, result : tokens

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#after_all
    """

    name = "stablehlo.after_all"
    inputs = var_operand_def(BaseAttr(TokenType))
    result = result_def(BaseAttr(TokenType))
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = OF_RESULT

    def __init__(self, inputs: Sequence[SSAValue]):
        self._build(inputs, (TOKEN,))

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_values(parser)


@irdl_op_definition
class TupleOp(AbstractOp):
    """result = the tuple of val.

    val    : values of any type
    result : the tuple of their types       (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#tuple
    """

    name = "stablehlo.tuple"
    val = var_operand_def()
    result = result_def(BaseAttr(TupleType))
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = OF_RESULT

    def __init__(self, val: Sequence[SSAValue]):
        self._build(val, (self.infer([v.type for v in val]),))

    @classmethod
    def infer(cls, val: Sequence[Attribute]) -> TupleType:
        """The type of the result."""
        return TupleType(cast("tuple[TypeAttribute, ...]", tuple(val)))

    def verify_semantics(self) -> None:
        found, own = parts(self.result.type), [v.type for v in self.val]
        if len(found) != len(own) or not all(map(compatible, found, own)):
            raise violated(
                self.name, "C1", f"result is {self.result.type}, but its parts give {self.infer(own)}", VerifyError
            )
        check_value(self.name, "result", self.result.type, {"tuple"})

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_values(parser)


@irdl_op_definition
class GetTupleElementOp(AbstractOp):
    """result = the part of operand at index.

    operand : tuple
    index   : 0 <= index < the number of parts     (C1)
    result  : the type of that part                (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#get_tuple_element
    """

    name = "stablehlo.get_tuple_element"
    operand = operand_def(BaseAttr(TupleType))
    index = prop_def(IntegerAttr.constr(type=i32))
    result = result_def()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"index"})

    def __init__(self, operand: SSAValue, index: int):
        self._build((operand,), (self.infer(operand.type, index),), {"index": IntegerAttr(index, i32)})

    @classmethod
    def infer(cls, operand: Attribute, index: int) -> Attribute:
        """The type of the result: that of the part."""
        types = parts(operand)
        if not 0 <= index < len(types):
            raise violated(
                cls.name, "C1", f"index is {index}, of {operand}; it must be in 0..{len(types) - 1}", VerifyError
            )
        return types[index]

    def verify_semantics(self) -> None:
        check_value(self.name, "operand", self.operand.type, {"tuple"})
        inferred = self.infer(self.operand.type, self.index.value.data)
        if not compatible(self.result.type, inferred):
            found = f"result is {self.result.type}; it must be {inferred}"
            raise violated(self.name, "C2", f"{found}, the type of the part", VerifyError)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operand = parser.parse_unresolved_operand()
        (index,) = assembly.parse_ints(parser)
        return [operand], {"index": IntegerAttr(index, i32)}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f"[{self.index.value.data}]")
