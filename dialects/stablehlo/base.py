"""What all ops share: construction from inferred types, verification by `infer`, and the frame of custom assembly.

Concrete ops do not belong here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType, i1, i64
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue
from xdsl.irdl import BaseAttr, IRDLOperation, operand_def, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.bounds import check_bounds
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.assembly import TypeForm
from hhlo_xdsl.dialects.stablehlo.attributes import Accuracy, AccuracyAttr
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import (
    ANY,
    Kind,
    RankedTensor,
    compatible_elements,
    compatible_sizes_and_bounds,
    has_encoding,
    like,
    merged,
    type_of,
)

TENSOR = BaseAttr(TensorType)
I64S = DenseArrayBase.constr(i64)
I64 = IntegerAttr.constr(type=i64)
FLAG = IntegerAttr.constr(type=i1)


def tensor_operand() -> SSAValue[RankedTensor]:
    """An operand field: one ranked tensor."""
    return cast("SSAValue[RankedTensor]", operand_def(TENSOR))


def tensor_result() -> OpResult[RankedTensor]:
    """A result field: one ranked tensor."""
    return result_def(TENSOR)


@lru_cache(maxsize=4096)
def i64_array(values: tuple[int, ...]) -> DenseArrayBase[Any]:
    """`array<i64: ...>`; the same object for equal values."""
    return DenseArrayBase.from_list(i64, values)


@lru_cache(maxsize=4096)
def i64_attr(value: int) -> IntegerAttr[Any]:
    """`value : i64`; the same object for equal values."""
    return IntegerAttr(value, i64)


def ints(array: DenseArrayBase[Any]) -> tuple[int, ...]:
    """The values of `array<i64: ...>`."""
    return tuple(array.iter_values())


def flags(**values: bool) -> dict[str, Attribute]:
    """The properties `name = true`; those that are false are left out, which means the same."""
    return {name: IntegerAttr.from_bool(True) for name, value in values.items() if value}


def is_set(flag: IntegerAttr[Any] | None) -> bool:
    """Whether a flag is there and true."""
    return flag is not None and bool(flag.value.data)


class AbstractOp(IRDLOperation):
    """An op of this dialect.

    A concrete op declares its fields, an `infer` that gives the types of the results from those of the operands and the
    attributes, an `__init__` that calls `_build` with them, a `verify_semantics` that compares, and the two halves of
    its custom assembly form: `stablehlo.name <arguments> {dictionary} : <types>`.
    """

    TYPE_FORM: ClassVar[TypeForm] = assembly.FUNCTIONAL

    def _build(
        self,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> None:
        """Fill the op without the checks of `IRDLOperation.__init__`: the types are inferred, so they are right."""
        Operation.__init__(self, operands=operands, result_types=result_types, properties=properties, regions=regions)

    LOOKS_AROUND: ClassVar[bool] = False
    """Whether `verify_semantics` reads more than types, attributes and regions: constant operands, ops around."""

    OF_SCALARS: ClassVar[bool] = False
    """Whether the regions are functions of scalars: of nothing else for XLA and the derivative rules."""

    def verify_semantics(self) -> None:
        """Raise VerifyError unless the op keeps the constraints of the specification."""

    def verify_(self) -> None:
        check_bounds(self.name, [value.type for value in (*self.operands, *self.results)])
        self.verify_semantics()

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        """Read what stands between the op's name and its dictionary: operands and properties."""
        return assembly.parse_operands(parser, len(cls.get_irdl_definition().operands)), {}

    def print_arguments(self, printer: Printer) -> None:
        """Print what `parse_arguments` reads."""
        assembly.print_operands(printer, self.operands)

    SPELLED: ClassVar[frozenset[str]] = frozenset()
    """The properties that `print_arguments` prints; the others stand in the dictionary."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unresolved, properties = cls.parse_arguments(parser)
        declared = cls.get_irdl_definition().properties
        attributes = parser.parse_optional_attr_dict()
        properties |= {k: attributes.pop(k) for k in list(attributes) if k in declared}
        parser.parse_punctuation(":")
        pos = parser.pos
        operand_types, result_types = cls.TYPE_FORM.parse(parser, len(unresolved))
        operands = assembly.resolve(parser, unresolved, operand_types, pos)
        return cls.create(operands=operands, result_types=result_types, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        self.print_arguments(printer)
        self.print_dictionary(printer)
        assembly.print_types(printer, self.TYPE_FORM, self)

    def print_dictionary(self, printer: Printer) -> None:
        """Print ` {...}` with the attributes and the properties that have no place of their own; nothing if none."""
        rest = {k: v for k, v in self.properties.items() if k not in self.SPELLED} | self.attributes
        printer.print_op_attributes(dict(sorted(rest.items())))


class AbstractGenericOp(AbstractOp):
    """An op that has no custom form: it is printed, and must be written, in the generic one."""

    # The printer takes the generic form for ops that do not override this.
    print = Operation.print

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parser.raise_error(f"{cls.name} has no custom form; write the generic one, with its name in quotes")


class AbstractUnary(AbstractOp):
    """result = f(operand), element by element.

    operand, result : one type      (C1)
    """

    operand = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME
    ELEMENTS: ClassVar[frozenset[Kind]] = ANY
    """The kinds of elements the op takes."""

    def __init__(self, operand: SSAValue):
        self._build((operand,), (self.infer(type_of(operand)),))

    @classmethod
    def infer(cls, operand: RankedTensor) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_kind(cls.name, "operand", operand, cls.ELEMENTS)
        return operand

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.operand.type), "C1")


class AbstractTranscendental(AbstractUnary):
    """result = f(operand), element by element, where f is computed approximately.

    result_accuracy : how large the error may be; the implementation's choice where absent
    """

    result_accuracy = opt_prop_def(AccuracyAttr)

    def __init__(self, operand: SSAValue, result_accuracy: Accuracy | None = None):
        properties = {} if result_accuracy is None else {"result_accuracy": AccuracyAttr(result_accuracy)}
        self._build((operand,), (self.infer(type_of(operand)),), properties)


class AbstractBinary(AbstractOp):
    """result = f(lhs, rhs), element by element.

    lhs, rhs, result : one type     (C1)
    """

    lhs = tensor_operand()
    rhs = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME
    ELEMENTS: ClassVar[frozenset[Kind]] = ANY
    """The kinds of elements the op takes."""

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        self._build((lhs, rhs), (self.infer(type_of(lhs), type_of(rhs)),))

    @classmethod
    def infer(cls, lhs: RankedTensor, rhs: RankedTensor) -> RankedTensor:
        """The type of the result: that of both operands."""
        check_kind(cls.name, "lhs", lhs, cls.ELEMENTS)
        return same_type(cls.name, "C1", ("lhs", "rhs"), lhs, rhs)

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.lhs.type, self.rhs.type), "C1")


def same_type(
    op: str, label: str, names: tuple[str, str], a: RankedTensor, b: RankedTensor, *, elements: str | None = None
) -> RankedTensor:
    """The one type of two operands; raises ShapeError, or DTypeError for the constraint `elements` if given."""
    if a is b:
        return a
    if not compatible_elements(a.element_type, b.element_type):
        raise violated(
            op,
            elements or label,
            f"{names[0]} is {a}, {names[1]} is {b}; their element types must be equal; convert one",
            DTypeError,
        )
    if not compatible_sizes_and_bounds(a, b):
        raise violated(
            op, label, f"{names[0]} is {a}, {names[1]} is {b}; their shapes must be equal; broadcast_in_dim one of them"
        )
    result = merged(a, b)
    # As upstream, a type without bounds stays so.
    return result if has_encoding(a) else like(result, shape=result.get_shape())
