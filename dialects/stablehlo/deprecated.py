"""Ops that upstream keeps for old programs only: broadcast, dot, einsum, unary_einsum. Newer ops say the same.

The specification only lists them, so their constraints have no labels; they are those of upstream's verifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import BaseAttr, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.base import I64S, AbstractOp, i64_array, ints, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result
from hhlo_xdsl.dialects.stablehlo.precision import (
    PRECISIONS,
    check_precision,
    parse_precision,
    precision_property,
    precisions,
    spelled_precision,
)
from hhlo_xdsl.dialects.stablehlo.values import ELEMENTS, ELEMENTS_PER_AXIS
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, compatible_sizes, like, tensor, type_of


@irdl_op_definition
class BroadcastOp(AbstractOp):
    """result[i.., j..] = operand[j..] for all i below broadcast_sizes; deprecated: broadcast_in_dim.

    broadcast_sizes : sizes >= 0
    result          : operand's element type; broadcast_sizes, then operand's sizes

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.broadcast"
    operand = tensor_operand()
    broadcast_sizes = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"broadcast_sizes"})

    def __init__(self, operand: SSAValue, broadcast_sizes: Sequence[int]):
        sizes = tuple(broadcast_sizes)
        self._build((operand,), (self.infer(type_of(operand), sizes),), {"broadcast_sizes": i64_array(sizes)})

    @classmethod
    def infer(cls, operand: RankedTensor, broadcast_sizes: Sequence[int]) -> RankedTensor:
        """The type of the result: `broadcast_sizes`, then the operand's sizes."""
        check_kind(cls.name, "operand", operand, ELEMENTS, "")
        if any(n < 0 for n in broadcast_sizes):
            raise ShapeError(f"{cls.name}: broadcast_sizes are {list(broadcast_sizes)}; they must not be negative")
        return like(operand, shape=(*broadcast_sizes, *operand.get_shape()))

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, ints(self.broadcast_sizes))
        check_result(self.name, self.result.type, inferred, "", exact=True)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        return [operand], {"broadcast_sizes": i64_array(assembly.parse_named_ints(parser, "sizes"))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        assembly.print_named_ints(printer, "sizes", ints(self.broadcast_sizes))


@irdl_op_definition
class DotOp(AbstractOp):
    """The product of two matrices, of a matrix and a vector, or of two vectors; deprecated: dot_general.

    lhs, rhs         : of rank 1 or 2; lhs's last size is rhs's first
    precision_config : at most two, for lhs and rhs
    result           : the other sizes, of any element type

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.dot"
    lhs = tensor_operand()
    rhs = tensor_operand()
    precision_config = opt_prop_def(PRECISIONS)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"precision_config"})

    def __init__(
        self, lhs: SSAValue, rhs: SSAValue, *, precision: Sequence[Precision] = (), element: Attribute | None = None
    ):
        """The result's elements are those of lhs unless `element` says otherwise."""
        result = self.infer(type_of(lhs), type_of(rhs), element)
        check_precision(self.name, "", precision)
        self._build((lhs, rhs), (result,), precision_property(precision))

    @property
    def precision(self) -> tuple[Precision, ...]:
        """The precisions of lhs and rhs; () where absent."""
        return precisions(self.precision_config)

    @classmethod
    def infer(cls, lhs: RankedTensor, rhs: RankedTensor, element: Attribute | None = None) -> RankedTensor:
        """The type of the result, of `element` or lhs's elements."""
        check_kind(cls.name, "lhs", lhs, ELEMENTS, "")
        check_kind(cls.name, "rhs", rhs, ELEMENTS_PER_AXIS, "")
        left, right = lhs.get_shape(), rhs.get_shape()
        if not {len(left), len(right)} <= {1, 2} or not compatible_sizes(left[-1], right[0]):
            found = f"lhs is {lhs}, rhs is {rhs}"
            raise ShapeError(f"{cls.name}: {found}; they need rank 1 or 2, and the last size of lhs first in rhs")
        return tensor((*left[:-1], *right[1:]), lhs.element_type if element is None else element)

    def verify_semantics(self) -> None:
        inferred = self.infer(self.lhs.type, self.rhs.type, self.result.type.element_type)
        check_kind(self.name, "result", self.result.type, ELEMENTS_PER_AXIS, "")
        check_result(self.name, self.result.type, inferred, "", bounds=False)
        check_precision(self.name, "", self.precision)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 2)
        if parser.parse_optional_punctuation(",") is None:
            return operands, {}
        parser.parse_keyword("precision")
        return operands, parse_precision(parser)

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        if self.precision_config is not None:
            printer.print_string(", " + spelled_precision(self.precision))


class AbstractEinsum(AbstractOp):
    """An op spelled `%a, %b, config = "ij,jk->ik"`: a sum of products over all letters that the result does not have.

    As in upstream's verifier, neither the config nor the result's type is checked.
    """

    einsum_config = prop_def(BaseAttr(StringAttr))
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"einsum_config"})

    @classmethod
    def infer(cls, operands: Sequence[RankedTensor], config: str) -> RankedTensor:
        """The type of the result: per letter after the arrow the size it stands for, with the first operand's elements.

        Raise ShapeError unless every operand has a letter per dimension, and a letter stands for one size.
        """
        given, arrow, wanted = config.partition("->")
        terms, sizes = given.split(","), dict[str, int]()
        found = f"config is {config}, operands are {', '.join(map(str, operands))}"
        if not arrow or [len(t) for t in terms] != [x.get_num_dims() for x in operands]:
            expected = " and ".join(str(x.get_num_dims()) for x in operands)
            raise ShapeError(f"{cls.name}: {found}; before the arrow it needs {expected} letters")
        for letters, x in zip(terms, operands, strict=True):
            for letter, n in zip(letters, x.get_shape(), strict=True):
                before = sizes.get(letter, n)
                if not compatible_sizes(before, n):
                    raise ShapeError(f"{cls.name}: {found}; letter {letter} stands for two sizes")
                sizes[letter] = n if before == UNKNOWN else before
        if any(letter not in sizes for letter in wanted):
            raise ShapeError(f"{cls.name}: {found}; every letter after the arrow must stand before it")
        return like(operands[0], shape=[sizes[letter] for letter in wanted])

    def verify_semantics(self) -> None:
        for name, value in zip(("operand",) if len(self.operands) == 1 else ("lhs", "rhs"), self.operands, strict=True):
            check_kind(self.name, name, type_of(value), ELEMENTS, "")
        check_kind(self.name, "result", self.result.type, ELEMENTS, "")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, len(cls.get_irdl_definition().operands))
        parser.parse_punctuation(",")
        parser.parse_keyword("config")
        parser.parse_punctuation("=")
        return operands, {"einsum_config": StringAttr(parser.parse_str_literal())}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(", config = ")
        printer.print_attribute(self.einsum_config)


@irdl_op_definition
class EinsumOp(AbstractEinsum):
    """result[i..] = the sum of lhs[..] * rhs[..] over the letters of einsum_config that are not in i; deprecated.

    einsum_config : "ij,jk->ik": a letter per dimension of lhs, of rhs, of result

    Upstream's verifier checks neither it nor the result's type; dot_general says the same of most of them.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.einsum"
    lhs = tensor_operand()
    rhs = tensor_operand()

    def __init__(self, lhs: SSAValue, rhs: SSAValue, einsum_config: str):
        result = self.infer([type_of(lhs), type_of(rhs)], einsum_config)
        self._build((lhs, rhs), (result,), {"einsum_config": StringAttr(einsum_config)})


@irdl_op_definition
class UnaryEinsumOp(AbstractEinsum):
    """result[i..] = the sum of operand[..] over the letters of einsum_config that are not in i; deprecated: reduce.

    einsum_config : "ij->i": a letter per dimension of operand, of result

    Upstream's verifier checks neither it nor the result's type.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.unary_einsum"
    operand = tensor_operand()

    def __init__(self, operand: SSAValue, einsum_config: str):
        result = self.infer([type_of(operand)], einsum_config)
        self._build((operand,), (result,), {"einsum_config": StringAttr(einsum_config)})
