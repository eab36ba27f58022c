"""Reverse-mode rules of CHLO's ops. t is the cotangent of y = f(x)."""

from hhlo_xdsl.dialects.chlo.unary import SquareOp
from hhlo_xdsl.passes.vjp.core import unary

unary(SquareOp, lambda t, x, y: 2 * t * x)
