"""`grad`, `value_and_grad`, `grad_module`: compositions of trace, passes and runtime. No rules here."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.bulk import without_collector
from hhlo_xdsl.dialects.emit import add, inline, inserting
from hhlo_xdsl.dialects.infix import splat, zeros
from hhlo_xdsl.dialects.types import type_of
from hhlo_xdsl.errors import DifferentiationError, TraceError
from hhlo_xdsl.jit import jit
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.vjp.core import Options, Walk
from hhlo_xdsl.runtime.array import Array
from hhlo_xdsl.tensor import Tensor, tensor
from hhlo_xdsl.where import with_place


def grad(fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False) -> Callable[..., Any]:
    """The gradient of `fn`, which returns one floating scalar, with respect to the arguments that `wrt` numbers.

    The result nests as the argument does; with several arguments, a tuple; with `has_aux`, fn returns (scalar, aux) and
    the result is (gradient, aux). Complex arguments get the cotangent without conjugation, as in JAX.

    Arguments given by name are passed on, without a gradient. The result may be traced, nested, jitted, and may use
    outer tensors. Outside a trace it is compiled and run. Raises DifferentiationError where there is no gradient.
    """
    both = value_and_grad(fn, wrt, has_aux=has_aux)

    @functools.wraps(fn)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def value_and_grad(
    fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False
) -> Callable[..., Any]:
    """(value, gradient) of `fn`; with `has_aux`, ((value, aux), gradient). See `grad`."""

    def traced_both(*args: Any, **kwargs: Any) -> Any:
        return _value_and_grad(fn, wrt, has_aux, args, kwargs)

    run = jit(functools.wraps(fn)(traced_both))

    @functools.wraps(fn)
    def both(*args: Any, **kwargs: Any) -> Any:
        return run(*args, **kwargs)

    return both


def _value_and_grad(
    fn: Callable[..., Any], wrt: int | Sequence[int], has_aux: bool, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Trace fn into a block of its own, whose arguments are the leaves of `wrt`, walk it back, and inline both."""
    numbers = _argument_numbers(wrt, len(args))
    leaves, structure = tree.flatten([args[i] for i in numbers])
    inputs = [_differentiable(leaf, i) for i, leaf in enumerate(leaves)]
    block = Block(arg_types=[x.ssa.type for x in inputs])
    with inserting(block):
        replaced = dict(zip(numbers, tree.unflatten(structure, [Tensor(a) for a in block.args]), strict=True))
        value, aux = _split_aux(fn(*(replaced.get(i, a) for i, a in enumerate(args)), **kwargs), has_aux)
        loss = _scalar_loss(fn, value)
        aux_leaves, aux_tree = tree.flatten(aux)
        cts = {loss.ssa: splat(1, type_of(loss.ssa))}
        Walk(Options()).pullback(list(block.ops), cts, block.args)
        found = [cts.get(a) or zeros(type_of(a)) for a in block.args]
        add(func.ReturnOp(loss.ssa, *(tensor(a).ssa for a in aux_leaves), *found))
    values = [Tensor(v) for v in inline(block, [x.ssa for x in inputs])]
    loss, aux_values, gradients = values[0], values[1 : 1 + len(aux_leaves)], values[1 + len(aux_leaves) :]
    nested = tree.unflatten(structure, gradients)
    result = nested[0] if isinstance(wrt, Integral) else tuple(nested)
    return ((loss, tree.unflatten(aux_tree, aux_values)) if has_aux else loss), result


def _argument_numbers(wrt: int | Sequence[int], count: int) -> list[int]:
    if not count:
        found = "the function was called without arguments"
        raise with_place(DifferentiationError(f"grad: {found}; pass those in wrt, by position"))
    numbers = _integers("grad: wrt", [wrt] if isinstance(wrt, Integral) else wrt)
    for i in numbers:
        if not -count <= i < count:
            raise with_place(
                DifferentiationError(
                    f"grad: wrt is {i}, but the function was called with {count} arguments;"
                    f" a number in 0..{count - 1} was expected"
                )
            )
    wrapped = [i % count for i in numbers]
    if not wrapped or len(set(wrapped)) != len(wrapped):
        raise with_place(DifferentiationError(f"grad: wrt is {wrt!r}; one argument or more, each once, were expected"))
    return wrapped


def _integers(what: str, values: Any) -> list[int]:
    try:
        numbers = [operator.index(v) for v in values if not isinstance(v, bool)]
        if len(numbers) == len(values):
            return numbers
    except TypeError:
        pass
    raise with_place(DifferentiationError(f"{what} is {values!r}; integers were expected"))


def _differentiable(leaf: Any, i: int) -> Tensor:
    x = tensor(leaf)
    if not x.dtype.is_inexact:
        raise with_place(
            DifferentiationError(
                f"grad: leaf {i} of the arguments in wrt is {x.spec}; only floating and complex ones have gradients;"
                " choose others with wrt, or convert it with astype"
            )
        )
    return x


def _split_aux(result: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:  # pyright: ignore[reportUnknownArgumentType]
        raise with_place(DifferentiationError("grad: with has_aux=True the function must return (scalar, aux)"))
    return result  # pyright: ignore[reportUnknownVariableType]


def _scalar_loss(fn: Callable[..., Any], value: Any) -> Tensor:
    name = getattr(fn, "__name__", "the function")
    if not isinstance(value, Tensor | int | float | Array):
        raise with_place(
            DifferentiationError(
                f"grad: {name} returns {type(value).__name__}; a gradient needs one floating scalar;"
                " with more results use"
                " has_aux=True"
            )
        )
    loss = tensor(value)
    if loss.shape or loss.dtype.kind != "float":
        raise with_place(
            DifferentiationError(
                f"grad: {name} returns {loss.spec}; a gradient needs one floating scalar; sum it, or convert it"
            )
        )
    return loss


@without_collector()
def grad_module(module: ModuleOp, wrt: Sequence[int] | None = None, *, value: bool = False, **options: Any) -> ModuleOp:
    """A new module whose function is the gradient of that of `module`: what the pass `hhlo-grad` does.

    wrt     : the arguments to differentiate with respect to; every floating or complex one if None
    value   : whether the function's results come first
    options : the other options of `hhlo-grad`: function, result, seed, safe, portable, checkpoint, slots

    Raises DifferentiationError where there is no gradient.
    """
    if not isinstance(module, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TraceError(f"grad_module: got {type(module).__name__}; a module was expected; use hh.parse or hh.trace")
    if wrt is not None:
        wrt = tuple(_integers("grad_module: wrt", wrt))
    if "result" in options:
        options["result"] = tuple(_integers("grad_module: result", options["result"]))
    result = module.clone()
    try:
        request = GradPass(wrt=wrt, value=value, **options)
    except TypeError as error:
        raise TraceError(f"grad_module: {error}; the options are those of hhlo-grad") from None
    differentiate(result, request)
    return result
