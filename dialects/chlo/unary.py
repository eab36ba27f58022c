"""CHLO's elementwise ops with one operand."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractUnary
from hhlo_xdsl.dialects.types import FLOAT_OR_COMPLEX


@irdl_op_definition
class SquareOp(AbstractUnary):
    """result = operand * operand.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlosquare-chlosquareop
    """

    name = "chlo.square"
    TYPE_FORM: ClassVar = assembly.ARROW
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX
