"""CHLO's elementwise ops with two operands.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import Pure

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp, same_type, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result
from hhlo_xdsl.dialects.types import FLOAT, INTEGER, Kind, RankedTensor, type_of


class AbstractChloBinary(AbstractOp):
    """result = f(first operand, second operand), element by element; all three have one type."""

    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.ARROW
    ELEMENTS: ClassVar[frozenset[Kind]] = FLOAT
    """The kinds of elements the op takes."""

    def __init__(self, first: SSAValue, second: SSAValue):
        self._build((first, second), (self.infer(type_of(first), type_of(second)),))

    @classmethod
    def infer(cls, first: RankedTensor, second: RankedTensor) -> RankedTensor:
        """The type of the result: that of both operands."""
        check_kind(cls.name, "the first operand", first, cls.ELEMENTS)
        return same_type(cls.name, "C1", ("the first operand", "the second operand"), first, second)

    def verify_semantics(self) -> None:
        first, second = self.operands
        check_result(self.name, self.result.type, self.infer(type_of(first), type_of(second)), "C1")


@irdl_op_definition
class NextAfterOp(AbstractChloBinary):
    """result = the next representable number after x in the direction of y; y where they are equal.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlonext_after-chlonextafterop
    """

    name = "chlo.next_after"
    x = tensor_operand()
    y = tensor_operand()


@irdl_op_definition
class PolygammaOp(AbstractChloBinary):
    """result = the n-th derivative of digamma at x, for whole n >= 0; NaN otherwise.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlopolygamma-chlopolygammaop
    """

    name = "chlo.polygamma"
    n = tensor_operand()
    x = tensor_operand()


@irdl_op_definition
class ZetaOp(AbstractChloBinary):
    """result = the Hurwitz zeta function, the sum of (q + k) ** -x over k = 0, 1, ...

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlozeta-chlozetaop
    """

    name = "chlo.zeta"
    x = tensor_operand()
    q = tensor_operand()


@irdl_op_definition
class MulhiOp(AbstractChloBinary):
    """result = the upper half of the bits of the product lhs * rhs.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlomulhi-chlomulhiop
    """

    name = "chlo.mulhi"
    lhs = tensor_operand()
    rhs = tensor_operand()
    ELEMENTS: ClassVar = INTEGER
