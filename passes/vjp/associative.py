"""Whether a body of reduce or reduce_window associates, tried on a few numbers.

The specification leaves the order of a fold open, so a body that does not associate has no one value, and XLA's differs
from that of the fold written out. A body such as (a, b) -> a + b * b is an easy mistake, and would silently give a
wrong gradient. A body with ops that are not listed here, or other elements than floats, is taken on trust.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.stablehlo.binary import (
    AddOp,
    AndOp,
    Atan2Op,
    DivideOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    OrOp,
    PowerOp,
    RemainderOp,
    SubtractOp,
)
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp, SelectOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, scalar_value
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp, ReduceWindowOp
from hhlo_xdsl.dialects.stablehlo.unary import (
    AbsOp,
    CosineOp,
    ExponentialMinusOneOp,
    ExponentialOp,
    LogOp,
    LogPlusOneOp,
    NegateOp,
    NotOp,
    SineOp,
    SqrtOp,
    TanhOp,
)
from hhlo_xdsl.dialects.types import kind, type_of
from hhlo_xdsl.passes.place import place


def _quotient(a: float, b: float) -> float:
    return a / b


def _chosen(pred: bool, a: float, b: float) -> float:
    return a if pred else b


_FUNCTIONS: dict[type[Operation], Callable[..., Any]] = {
    AddOp: operator.add,
    SubtractOp: operator.sub,
    MultiplyOp: operator.mul,
    DivideOp: _quotient,
    PowerOp: math.pow,
    RemainderOp: math.fmod,
    Atan2Op: math.atan2,
    MaximumOp: max,
    MinimumOp: min,
    AndOp: min,  # of booleans: there are no others
    OrOp: max,
    NotOp: operator.not_,
    NegateOp: operator.neg,
    AbsOp: abs,
    ExponentialOp: math.exp,
    ExponentialMinusOneOp: math.expm1,
    LogOp: math.log,
    LogPlusOneOp: math.log1p,
    SqrtOp: math.sqrt,
    SineOp: math.sin,
    CosineOp: math.cos,
    TanhOp: math.tanh,
    SelectOp: _chosen,
}
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "LT": operator.lt,
    "LE": operator.le,
    "GT": operator.gt,
    "GE": operator.ge,
}
_TRIPLES = (0.5, 1.25, -0.75), (-1.5, 0.25, 2.0), (0.3, 0.6, 0.9), (1.1, 3.0, 1.7)
"""Three elements each; some are positive only, for bodies that take logarithms or roots."""


def check_associative(op: ReduceOp | ReduceWindowOp) -> None:
    """Raise DifferentiationError if the body is seen to give different results in different orders."""
    block = op.body.block
    if any(kind(type_of(a).element_type) != "float" for a in block.args):
        return
    for a, b, c in _TRIPLES:
        try:
            left, right = _both_orders(block, (a, b, c))
        except (_UnknownOp, ArithmeticError, ValueError):
            continue
        for p, q in zip(left, right, strict=True):
            if not math.isclose(p, q, rel_tol=1e-6, abs_tol=1e-9):
                raise DifferentiationError(
                    f"{op.name}: its body f is not associative: f(f({a}, {b}), {c}) is {p:.6g}, f({a}, f({b}, {c})) is"
                    f" {q:.6g}. The specification leaves the order open, so there is no one gradient; apply to each"
                    f" element beforehand what is meant for it, and fold by an associative op such as add{place(op)}"
                )


class _UnknownOp(Exception):
    pass


def _both_orders(block: Block, triple: Sequence[float]) -> tuple[list[Any], list[Any]]:
    """f(f(a, b), c) and f(a, f(b, c)); with several inputs, each has numbers of its own."""
    n = len(block.args) // 2
    a, b, c = ([x * (1 + 0.25 * k) + 0.125 * k for k in range(n)] for x in triple)
    return _value(block, [*_value(block, [*a, *b]), *c]), _value(block, [*a, *_value(block, [*b, *c])])


def _value(block: Block, arguments: Sequence[Any]) -> list[Any]:
    """What the block returns for numbers; raises _UnknownOp if it holds an op that is not listed."""
    values: dict[SSAValue, Any] = dict(zip(block.args, arguments, strict=True))
    *ops, terminator = block.ops
    for op in ops:
        values[op.results[0]] = _result(op, [_known(v, values) for v in op.operands])
    return [_known(v, values) for v in terminator.operands]


def _known(value: SSAValue, values: dict[SSAValue, Any]) -> Any:
    return values[value] if value in values else scalar_value(value.owner)


def _result(op: Operation, operands: list[Any]) -> Any:
    if isinstance(op, ConstantOp):
        return scalar_value(op)
    if isinstance(op, CompareOp):
        return _COMPARISONS[op.comparison_direction.data.value](*operands)
    if type(op) not in _FUNCTIONS:
        raise _UnknownOp
    return _FUNCTIONS[type(op)](*operands)
