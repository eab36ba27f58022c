"""Derivatives that a program brings along: attributes that say how an op or a function is differentiated.

    hhlo.stop_gradient = true                 on an op: its results have no derivative
    hhlo.custom_vjp = [@forward, @backward]   on an op or a func.func: how it is differentiated in reverse mode
    hhlo.custom_jvp = @both                   on an op or a func.func: how it is differentiated in forward mode

For an op or function (x...) -> (y...), where a floating value is one of floating or complex elements:

    @forward  : (x...) -> (y..., kept...)
    @backward : (kept..., cotangent of each floating y...) -> (cotangent of each floating x...)
    @both     : (x..., tangent of each floating x...) -> (y..., tangent of each floating y...)

A call takes the attribute of its function, a composite that of its decomposition, unless it has one of its own.
Without custom_vjp, the reverse mode of what has custom_jvp is the transpose of @both in its tangents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, i1
from xdsl.ir import Attribute, Operation

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.stablehlo.extension import CompositeOp
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.symbols import Symbols

STOP = "hhlo.stop_gradient"
VJP = "hhlo.custom_vjp"
JVP = "hhlo.custom_jvp"

_FALSE = IntegerAttr(0, i1)


def is_stopped(op: Operation) -> bool:
    """Whether `op` is marked as one through which no derivative flows."""
    return STOP in op.attributes and op.attributes[STOP] != _FALSE


def brings_rule(op: Operation) -> bool:
    """Whether `op` itself, whatever it is, has a rule attached."""
    return VJP in op.attributes or JVP in op.attributes


@dataclass(frozen=True)
class CustomVjp:
    """How an op is differentiated in reverse mode."""

    forward: func.FuncOp
    backward: func.FuncOp


def custom_vjp_of(op: Operation, symbols: Symbols) -> CustomVjp | None:
    """The reverse-mode rule that `op` brings along, checked; None if there is none."""
    attribute = _attribute(op, VJP, symbols)
    if attribute is None:
        return None
    pair = cast("ArrayAttr[Attribute]", attribute).data if isinstance(attribute, ArrayAttr) else ()
    if len(pair) != 2:
        raise DifferentiationError(f"{op.name}: {VJP} is {attribute}; [@forward, @backward] was expected{place(op)}")
    forward, backward = (_function(op, VJP, part, symbols) for part in pair)
    xs, ys = [v.type for v in op.operands], [v.type for v in op.results]
    ins, outs = _types(forward)
    kept = outs[len(ys) :]
    _check(op, forward, ins, xs)
    _check(op, forward, outs[: len(ys)], ys)
    ins, outs = _types(backward)
    _check(op, backward, ins, [*kept, *filter(is_inexact, ys)])
    _check(op, backward, outs, list(filter(is_inexact, xs)))
    return CustomVjp(forward, backward)


def custom_jvp_of(op: Operation, symbols: Symbols) -> func.FuncOp | None:
    """The forward-mode rule that `op` brings along, checked; None if there is none."""
    attribute = _attribute(op, JVP, symbols)
    if attribute is None:
        return None
    both = _function(op, JVP, attribute, symbols)
    xs, ys = [v.type for v in op.operands], [v.type for v in op.results]
    ins, outs = _types(both)
    _check(op, both, ins, [*xs, *filter(is_inexact, xs)])
    _check(op, both, outs, [*ys, *filter(is_inexact, ys)])
    return both


def is_custom(op: Operation, symbols: Symbols) -> bool:
    """Whether `op`, or the function it calls, brings a rule along."""
    if not op.attributes and not isinstance(op, func.CallOp | CompositeOp):
        return False
    return any(_attribute(op, name, symbols) is not None for name in (VJP, JVP))


def _attribute(op: Operation, name: str, symbols: Symbols) -> Attribute | None:
    if name in op.attributes:
        return op.attributes[name]
    match op:
        case func.CallOp():
            function = symbols.functions.get(op.callee.root_reference.data)
        case CompositeOp():
            function = symbols.functions.get(op.decomposition.root_reference.data)
        case _:
            return None
    return None if function is None else function.attributes.get(name)


def _function(op: Operation, name: str, attribute: Attribute, symbols: Symbols) -> func.FuncOp:
    match attribute:
        case SymbolRefAttr():
            found = symbols.functions.get(attribute.root_reference.data)
        case StringAttr():  # what portable artifacts make of a symbol
            found = symbols.functions.get(attribute.data)
        case _:
            found = None
    if found is None:
        raise DifferentiationError(
            f"{op.name}: {name} names {attribute}; a function of the module was expected{place(op)}"
        )
    return found


def _types(function: func.FuncOp) -> tuple[list[Attribute], list[Attribute]]:
    type = function.function_type
    return list(type.inputs.data), list(type.outputs.data)


def _check(op: Operation, function: func.FuncOp, found: Sequence[Attribute], expected: Sequence[Attribute]) -> None:
    if list(found) != list(expected):
        raise DifferentiationError(
            f"{op.name}: its rule @{function.sym_name.data} has {function.function_type}, where"
            f" ({', '.join(map(str, expected))}) was expected among them in this order{place(op)}"
        )
