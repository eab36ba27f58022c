"""Reverse-mode rules of ops between floats and quantized numbers."""

from hhlo_xdsl.dialects.stablehlo.quantization import UniformDequantizeOp, UniformQuantizeOp
from hhlo_xdsl.passes.vjp.core import non_differentiable

non_differentiable("its result is constant between steps", UniformQuantizeOp)
non_differentiable("what it reads are integers", UniformDequantizeOp)
