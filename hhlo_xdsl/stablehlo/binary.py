"""Thin functions of the family binary."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo import binary as dialect
from hhlo_xdsl.stablehlo.shared import binary_function

add = binary_function(dialect.AddOp)
and_ = binary_function(dialect.AndOp)
atan2 = binary_function(dialect.Atan2Op)
complex = binary_function(dialect.ComplexOp)
divide = binary_function(dialect.DivideOp)
maximum = binary_function(dialect.MaximumOp)
minimum = binary_function(dialect.MinimumOp)
multiply = binary_function(dialect.MultiplyOp)
or_ = binary_function(dialect.OrOp)
power = binary_function(dialect.PowerOp)
remainder = binary_function(dialect.RemainderOp)
shift_left = binary_function(dialect.ShiftLeftOp)
shift_right_arithmetic = binary_function(dialect.ShiftRightArithmeticOp)
shift_right_logical = binary_function(dialect.ShiftRightLogicalOp)
subtract = binary_function(dialect.SubtractOp)
xor = binary_function(dialect.XorOp)
