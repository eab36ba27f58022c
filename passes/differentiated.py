"""What both modes ask of the function they differentiate: which one, by which arguments, and its type afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType

from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.types import is_inexact
from hhlo_xdsl.passes.symbols import Symbols, referenced_symbols


def differentiated_function(symbols: Symbols, name: str, purpose: str) -> func.FuncOp:
    """The function @name; raises DifferentiationError, as the pass `purpose`, if there is none or it is called."""
    function = symbols.functions.get(name)
    if function is None:
        there = ", ".join("@" + n for n in symbols.functions) or "none"
        raise DifferentiationError(
            f"{purpose}: there is no function @{name} in the module; its functions are: {there};"
            ' name one with function="..."'
        )
    if name in set(referenced_symbols(symbols.module)):
        raise DifferentiationError(
            f"{purpose}: @{name} is called by another function, whose call would no longer fit;"
            " differentiate the caller"
        )
    return function


def differentiated_arguments(function: func.FuncOp, wrt: Sequence[int] | None, purpose: str) -> Sequence[int]:
    """The arguments to differentiate with respect to, checked; every floating or complex one if `wrt` is None."""
    name, types = function.sym_name.data, function.function_type.inputs.data
    if wrt is None:
        chosen = [i for i, t in enumerate(types) if is_inexact(t)]
        if not chosen:
            raise DifferentiationError(
                f"{purpose}: @{name} has no floating or complex argument to differentiate by; change the type of one"
            )
        return chosen
    for i in wrt:
        if not 0 <= i < len(types):
            raise DifferentiationError(f"{purpose}: wrt is {i}, but @{name} has {counted(len(types), 'argument')}")
        if not is_inexact(types[i]):
            raise DifferentiationError(
                f"{purpose}: wrt is {i}, and argument {i} of @{name} is {types[i]};"
                " only floating and complex tensors have"
                " gradients; leave it out or convert it outside"
            )
    if len(set(wrt)) != len(wrt):
        raise DifferentiationError(f"{purpose}: wrt is {','.join(map(str, wrt))}; each argument may be named once")
    return wrt


def counted(count: int, thing: str) -> str:
    """`2 arguments; use a number in 0..1`"""
    return f"{count} {thing}s; use a number in 0..{count - 1}" if count else f"no {thing}s; add one to the function"


def set_signature(function: func.FuncOp, *, arguments: int, results: int, value: bool) -> None:
    """Let the type and the attributes of the function follow its body.

    arguments : how many there are more than before, at the end
    results   : how many there are after those of the function itself, which are there if `value`
    """
    body = function.body.block
    assert body.last_op is not None
    ins, outs = [a.type for a in body.args], [v.type for v in body.last_op.operands]
    function.properties["function_type"] = FunctionType.from_lists(ins, outs)
    empty = DictionaryAttr({})
    if function.arg_attrs is not None:
        function.properties["arg_attrs"] = ArrayAttr([*function.arg_attrs.data, *[empty] * arguments])
    if function.res_attrs is not None:
        kept = function.res_attrs.data if value else ()
        function.properties["res_attrs"] = ArrayAttr([*kept, *[empty] * results])
