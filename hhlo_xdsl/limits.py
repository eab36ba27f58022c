"""What XLA ends the process for, or refuses in words that do not help, found before it gets to see the program."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from hhlo_xdsl.dialects.stablehlo.reducers import beyond_scalars
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceWindowOp, SelectAndScatterOp
from hhlo_xdsl.dialects.types import type_of
from hhlo_xdsl.errors import CompileError
from hhlo_xdsl.passes.place import place

_MOST = 2**35
"""Elements of a result. XLA divides by zero when it plans loops over somewhat more, on the CPU."""


def check_limits(module: ModuleOp) -> None:
    """Raise CompileError for an op of a valid module that XLA cannot translate, or that would end the process in it."""
    for op in module.walk():
        complaint = _complaint(op)
        if complaint:
            raise CompileError(f"{op.name}: {complaint}{place(op)}")


def _complaint(op: Operation) -> str:
    for type in [type_of(r) for r in op.results if isinstance(r.type, TensorType)]:
        if math.prod(type.get_shape()) > _MOST:
            return f"{type} has more than 2**35 elements, which XLA cannot compile; split the computation"
    if beyond := beyond_scalars(op):
        return f"XLA cannot compile it: {beyond}"
    if isinstance(op, ReduceWindowOp) and _only_cuts(op):
        return (
            "a window of one element with negative padding, and neither strides nor dilation, which XLA cannot compile;"
            " slice the inputs instead of the padding"
        )
    if isinstance(op, SelectAndScatterOp) and not op.windows:
        return "the operand is a scalar, which XLA cannot compile; apply the scatter body to init_value and source"
    return ""


def _only_cuts(op: ReduceWindowOp) -> bool:
    """Whether each window is one element and all that changes is that padding cuts some of them off.

    XLA takes such an op for one that keeps the shape.
    """
    dims = op.windows
    is_trivial = all(d.size == d.stride == d.base_dilation == 1 and d.low <= 0 and d.high <= 0 for d in dims)
    return is_trivial and any(d.low or d.high for d in dims)
