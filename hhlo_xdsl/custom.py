"""`stop_gradient`, `custom_vjp`, `custom_jvp`: derivatives that a program says itself, in attributes of its IR.

What the attributes mean stands in `passes.custom`.
"""

from __future__ import annotations

import abc
import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, SymbolRefAttr, i1
from xdsl.ir import Attribute

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp
from hhlo_xdsl.dialects.types import type_of
from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.ir_types import spec_of, tensor_type
from hhlo_xdsl.jit import Jit, jit
from hhlo_xdsl.passes.custom import JVP, STOP, VJP
from hhlo_xdsl.passes.symbols import Symbols
from hhlo_xdsl.tensor import Tensor, at_user_line, tensor
from hhlo_xdsl.trace import is_tracing, private_traced, traced_symbols
from hhlo_xdsl.where import with_place


def stop_gradient(x: Any) -> Any:
    """x itself, through which no derivative flows in either mode: what is computed from it counts as constant.

    x : a tensor, or a container of tensors

    In the IR it is a conversion of x to its own type, marked `hhlo.stop_gradient = true`.
    """
    return tree.map_leaves(_stopped, x)


def _stopped(leaf: Any) -> Tensor:
    x = tensor(leaf)
    if not x.dtype.is_inexact:
        return x
    with at_user_line():
        op = add(ConvertOp(x.ssa, type_of(x.ssa).element_type))
    op.attributes[STOP] = IntegerAttr(1, i1)
    return Tensor(op.result)


class _Custom(abc.ABC):
    """A function that becomes a private function of the program, with an attribute that names its rule."""

    def __init__(self, fn: Callable[..., Any]):
        functools.update_wrapper(self, fn)
        self._fn = fn
        self._name = getattr(fn, "__name__", "custom").strip("<>")
        self._made: weakref.WeakKeyDictionary[Symbols, dict[Any, tuple[func.FuncOp, tree.TreeDef]]]
        self._made = weakref.WeakKeyDictionary()
        self._run: Jit = jit(self._traced)

    def __call__(self, *args: Any) -> Any:
        """fn(*args). Outside a trace it is compiled and run."""
        return self._traced(*args) if is_tracing() else self._run(*args)

    def _traced(self, *args: Any) -> Any:
        leaves, in_tree = tree.flatten(args)
        inputs = [tensor(leaf) for leaf in leaves]
        made = self._made.setdefault(traced_symbols(self._name), {})
        key = in_tree, tuple(x.ssa.type for x in inputs)
        if key not in made:
            given = tree.unflatten(in_tree, inputs)
            made[key] = function, out_tree = private_traced(self._fn, given, self._name)
            # The rule comes after, for it may call the function.
            name, value = self._rule(given, function, out_tree)
            function.attributes[name] = value
        function, out_tree = made[key]
        with at_user_line():
            outputs = list(function.function_type.outputs.data)
            call = add(func.CallOp(function.sym_name.data, [x.ssa for x in inputs], outputs))
        return tree.unflatten(out_tree, [Tensor(r) for r in call.results])

    @abc.abstractmethod
    def _rule(self, args: Sequence[Any], function: func.FuncOp, out_tree: tree.TreeDef) -> tuple[str, Attribute]:
        """The name and the value of the attribute that names the rule, whose functions join the program."""

    def _error(self, message: str) -> Exception:
        return with_place(DifferentiationError(f"{type(self).__name__}: {message}"))

    def _like(self, what: str, structure: tree.TreeDef, given: Any, expected: Sequence[Spec]) -> list[Tensor]:
        """The floating and complex leaves of `given`, nested as `structure`; None is zero."""
        try:
            leaves: list[Any] = list(structure.flatten_up_to(given))
        except (TypeError, ValueError) as error:
            raise self._error(f"{what} does not nest as expected: {error}") from None
        pairs = [(leaf, s) for leaf, s in zip(leaves, expected, strict=True) if s.dtype.is_inexact]
        found = [Tensor(zeros(tensor_type(s))) if leaf is None else tensor(leaf) for leaf, s in pairs]
        for i, (x, (_, s)) in enumerate(zip(found, pairs, strict=True)):
            if x.spec != s:
                raise self._error(f"{what}, leaf {i}, is {x.spec}; {s} was expected")
        return found


class custom_vjp(_Custom):
    """A function with a reverse-mode rule of its own, which the program carries in its IR. May be used as a decorator.

    >>> f = hh.custom_vjp(lambda x: hh.sqrt(x))
    >>> f.defvjp(lambda x: (hh.sqrt(x), x), lambda x, ct: (hh.where(x > 0, ct / (2 * hh.sqrt(x)), 0),))

    Functions get tensors, or containers of them, and must not use tensors from outside: pass these as arguments.
    In forward mode the function is refused; see `custom_jvp`.
    """

    def __init__(self, fn: Callable[..., Any]):
        super().__init__(fn)
        self._forward: Callable[..., Any] | None = None
        self._backward: Callable[..., Any] | None = None

    def defvjp(self, forward: Callable[..., Any], backward: Callable[..., Any]) -> None:
        """Set the rule: forward(*args) -> (value, kept); backward(kept, ct) -> a tuple, the cotangent of each argument.

        ct nests as the value, a cotangent as its argument; None stands for an integer, or for zero.
        """
        self._forward, self._backward = forward, backward

    def _rule(self, args: Sequence[Any], function: func.FuncOp, out_tree: tree.TreeDef) -> tuple[str, Attribute]:
        if self._forward is None or self._backward is None:
            raise self._error(f"{self._name} has no rule; set it with defvjp(forward, backward)")
        types = list(function.function_type.outputs.data)
        forward, forward_tree = private_traced(
            self._checked_forward(self._forward, out_tree), args, f"{self._name}_fwd"
        )
        outputs = list(forward.function_type.outputs.data)
        if outputs[: len(types)] != types:
            raise self._error(
                f"forward of {self._name} returns a value of {_listed(outputs[: len(types)])}, and the function one of"
                f" {_listed(types)}"
            )
        given = [spec_of(t) for t in types]
        ct = tree.unflatten(out_tree, [s if s.dtype.is_inexact else None for s in given])
        _, kept = tree.unflatten(forward_tree, [spec_of(t) for t in outputs])
        backward, _ = private_traced(self._checked_backward(self._backward, args), (kept, ct), f"{self._name}_bwd")
        names = (f.sym_name.data for f in (forward, backward))
        return VJP, ArrayAttr([SymbolRefAttr(name) for name in names])

    def _checked_forward(self, forward: Callable[..., Any], out_tree: tree.TreeDef) -> Callable[..., Any]:
        def checked(*args: Any) -> Any:
            result = forward(*args)
            if not isinstance(result, tuple) or len(result) != 2:  # pyright: ignore[reportUnknownArgumentType]
                raise self._error(f"forward of {self._name} must return (value, kept)")
            if tree.flatten(result[0])[1] != out_tree:
                raise self._error(f"forward of {self._name} returns a value that nests unlike that of the function")
            return result  # pyright: ignore[reportUnknownVariableType]

        return checked

    def _checked_backward(self, backward: Callable[..., Any], args: Sequence[Any]) -> Callable[..., Any]:
        def checked(kept: Any, ct: Any) -> list[Tensor]:
            result = backward(kept, ct)
            found: list[Any] = list(result) if isinstance(result, tuple | list) else []  # pyright: ignore[reportUnknownArgumentType]
            if len(found) != len(args):
                raise self._error(f"backward of {self._name} must return a tuple of {len(args)}, one per argument")
            cts: list[Tensor] = []
            for i, (x, own) in enumerate(zip(args, found, strict=True)):
                leaves, structure = tree.flatten(x)
                own = tree.unflatten(structure, [None] * len(leaves)) if own is None else own
                what = f"the cotangent of argument {i} of {self._name}"
                cts += self._like(what, structure, own, [leaf.spec for leaf in leaves])
            return cts

        return checked


class custom_jvp(_Custom):
    """A function with a forward-mode rule of its own, which the program carries in its IR. May be used as a decorator.

    >>> f = hh.custom_jvp(lambda x: hh.exp(x))
    >>> f.defjvp(lambda args, tangents: (hh.exp(args[0]), hh.exp(args[0]) * tangents[0]))

    Reverse mode transposes the rule, which must be linear in the tangents. Functions get tensors, or containers of
    them, and must not use tensors from outside: pass these as arguments.
    """

    def __init__(self, fn: Callable[..., Any]):
        super().__init__(fn)
        self._both: Callable[..., Any] | None = None

    def defjvp(self, rule: Callable[..., Any]) -> None:
        """Set the rule: rule(args, tangents) -> (value, tangent), both tuples nested as the arguments.

        None stands for the tangent of an integer, and for zero in what the rule returns.
        """
        self._both = rule

    def _rule(self, args: Sequence[Any], function: func.FuncOp, out_tree: tree.TreeDef) -> tuple[str, Attribute]:
        if self._both is None:
            raise self._error(f"{self._name} has no rule; set it with defjvp(rule)")
        rule = self._both
        types = [spec_of(t) for t in function.function_type.outputs.data]

        def checked(args: Any, tangents: Any) -> Any:
            result = rule(args, tangents)
            if not isinstance(result, tuple) or len(result) != 2:  # pyright: ignore[reportUnknownArgumentType]
                raise self._error(f"the rule of {self._name} must return (value, tangent)")
            value, tangent = result  # pyright: ignore[reportUnknownVariableType]
            leaves, value_tree = tree.flatten(value)
            values = [tensor(leaf) for leaf in leaves]
            if value_tree != out_tree or [x.spec for x in values] != types:
                raise self._error(
                    f"the rule of {self._name} returns a value of {[x.spec for x in values]}, and the function one of"
                    f" {types}"
                )
            return values, self._like(f"the tangent of {self._name}", out_tree, tangent, types)

        leaves, in_tree = tree.flatten(tuple(args))
        tangents = tree.unflatten(in_tree, [x.spec if x.dtype.is_inexact else None for x in leaves])
        both, _ = private_traced(checked, (tuple(args), tangents), f"{self._name}_jvp")
        return JVP, SymbolRefAttr(both.sym_name.data)


def _listed(types: Sequence[Attribute]) -> str:
    return ", ".join(str(spec_of(t)) for t in types)
