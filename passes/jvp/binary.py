"""Forward-mode rules of elementwise ops with two operands; those with a row in the shared table need none here."""

from hhlo_xdsl.dialects.stablehlo.binary import ComplexOp
from hhlo_xdsl.passes.jvp.core import linear

linear(ComplexOp)
