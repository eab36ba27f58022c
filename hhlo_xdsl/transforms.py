"""`grad`, `value_and_grad`, `vjp`, `jvp`: compositions of trace, passes and runtime. No rules here."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any

from xdsl.ir import Operation, SSAValue

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.infix import splat
from hhlo_xdsl.dialects.types import is_inexact, type_of
from hhlo_xdsl.dtypes import Spec, is_python_number, spec
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.inner import Inner, forward_walk, inner, reverse_walk
from hhlo_xdsl.jit import jit
from hhlo_xdsl.passes.vjp.core import accumulate, filled
from hhlo_xdsl.tensor import Tensor, tensor
from hhlo_xdsl.trace import is_tracing
from hhlo_xdsl.where import with_place


def grad(
    fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False, safe: bool = False
) -> Callable[..., Any]:
    """The gradient of `fn`, which returns one floating scalar, with respect to the arguments that `wrt` numbers.

    The result nests as the argument does; with several arguments, a tuple; with `has_aux`, fn returns (scalar, aux) and
    the result is (gradient, aux). Complex arguments get the cotangent without conjugation, as in JAX. With `safe`, what
    was not chosen makes no NaN, as the option of `hhlo-grad` says.

    Arguments given by name are passed on, without a gradient. The result may be traced, nested, jitted, and may use
    outer tensors. Outside a trace it is compiled and run. Raises DifferentiationError where there is no gradient.
    """
    both = value_and_grad(fn, wrt, has_aux=has_aux, safe=safe)

    @functools.wraps(fn)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def value_and_grad(
    fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False, safe: bool = False
) -> Callable[..., Any]:
    """(value, gradient) of `fn`; with `has_aux`, ((value, aux), gradient). See `grad`."""

    def traced_both(*args: Any, **kwargs: Any) -> Any:
        return _value_and_grad(fn, wrt, has_aux, safe, args, kwargs)

    run = jit(functools.wraps(fn)(traced_both))

    @functools.wraps(fn)
    def both(*args: Any, **kwargs: Any) -> Any:
        return run(*args, **kwargs)

    return both


def _value_and_grad(
    fn: Callable[..., Any],
    wrt: int | Sequence[int],
    has_aux: bool,
    safe: bool,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Any:
    traced = inner_of_wrt("grad", fn, wrt, has_aux, args, kwargs)
    _check_scalar_loss(fn, traced)

    def derive(ops: list[Operation], arguments: Sequence[SSAValue], terminator: Operation) -> list[SSAValue]:
        loss = terminator.operands[0]
        cts = {loss: splat(1, type_of(loss))}
        reverse_walk(safe).pullback(ops, cts, arguments)
        return [filled(cts.get(a), a) for a in arguments]

    (loss,), aux, gradients = traced.split(traced.inlined(derive))
    return ((loss, aux) if has_aux else loss), nested_as_wrt(traced, wrt, gradients)


def inner_of_wrt(
    what: str,
    fn: Callable[..., Any],
    wrt: int | Sequence[int],
    has_aux: bool,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Inner:
    """`fn` as a function of the arguments that `wrt` numbers, all of whose leaves must be floating or complex."""
    numbers = _argument_numbers(what, wrt, len(args))

    def of_chosen(*chosen: Any) -> Any:
        replaced = dict(zip(numbers, chosen, strict=True))
        return fn(*(replaced.get(i, a) for i, a in enumerate(args)), **kwargs)

    chosen = [args[i] for i in numbers]
    for i, leaf in enumerate(tree.flatten(chosen)[0]):
        _check_differentiable(what, tensor(leaf), i)
    return inner(what, functools.wraps(fn)(of_chosen), chosen, has_aux)


def nested_as_wrt(traced: Inner, wrt: int | Sequence[int], leaves: Sequence[Any]) -> Any:
    """`leaves`, one per leaf of the arguments in `wrt`, nested as these; a tuple unless `wrt` is one number."""
    nested = tree.unflatten(traced.in_tree, leaves)
    return nested[0] if isinstance(wrt, Integral) else nested


def _argument_numbers(what: str, wrt: int | Sequence[int], count: int) -> list[int]:
    if not count:
        found = "the function was called without arguments"
        raise with_place(DifferentiationError(f"{what}: {found}; pass those in wrt, by position"))
    numbers = integers(f"{what}: wrt", [wrt] if isinstance(wrt, Integral) else wrt)
    for i in numbers:
        if not -count <= i < count:
            raise with_place(
                DifferentiationError(
                    f"{what}: wrt is {i}, but the function was called with {count} arguments;"
                    f" a number in 0..{count - 1} was expected"
                )
            )
    wrapped = [i % count for i in numbers]
    if not wrapped or len(set(wrapped)) != len(wrapped):
        raise with_place(
            DifferentiationError(f"{what}: wrt is {wrt!r}; one argument or more, each once, were expected")
        )
    return wrapped


def integers(what: str, values: Any) -> list[int]:
    """`values` as Python integers; raises DifferentiationError, which calls them `what`, if they are not."""
    try:
        numbers = [operator.index(v) for v in values if not isinstance(v, bool)]
        if len(numbers) == len(values):
            return numbers
    except TypeError:
        pass
    raise with_place(DifferentiationError(f"{what} is {values!r}; integers were expected"))


def _check_differentiable(what: str, x: Tensor, i: int) -> None:
    if not x.dtype.is_inexact:
        raise with_place(
            DifferentiationError(
                f"{what}: leaf {i} of the arguments in wrt is {x.spec}; only floating and complex ones have gradients;"
                " choose others with wrt, or convert it with astype"
            )
        )


def _check_scalar_loss(fn: Callable[..., Any], traced: Inner) -> None:
    name = getattr(fn, "__name__", "the function")
    if not traced.out_tree.is_leaf():
        found = (traced.out_tree.type or type(None)).__name__
        raise with_place(
            DifferentiationError(
                f"grad: {name} returns {found}; a gradient needs one floating scalar;"
                " with more results use has_aux=True, or hh.vjp"
            )
        )
    (loss,) = traced.outputs
    if loss.shape or loss.dtype.kind != "float":
        raise with_place(
            DifferentiationError(
                f"grad: {name} returns {loss}; a gradient needs one floating scalar; sum it, or convert it"
            )
        )


def vjp(fn: Callable[..., Any], *args: Any, has_aux: bool = False, safe: bool = False) -> Any:
    """(fn(*args), pull), where `pull(ct)` gives a tuple with the cotangent of each argument, nested as it.

    ct      : cotangents of the results, nested as these; None for an integer, or for zero
    has_aux : fn returns (value, aux), and so is the result: (value, pull, aux)
    safe    : where an incoming cotangent is exactly zero, so is the outgoing one

    An integer has no cotangent: None stands in its place. `pull` may be called more than once; each call computes the
    function again, which XLA joins with the first where it can. Outside a trace, function and pull are compiled.
    """
    if not is_tracing():
        return _vjp_of_arrays(fn, args, has_aux, safe)
    traced = inner("vjp", fn, args, has_aux)
    values, aux, _ = traced.split(traced.inlined(copy=True))

    def pull(ct: Any) -> Any:
        return _pull(traced, ct, safe)

    value = tree.unflatten(traced.out_tree, values)
    return (value, pull, aux) if has_aux else (value, pull)


def _pull(traced: Inner, ct: Any, safe: bool) -> Any:
    cts = _matched("vjp: the cotangent", traced.out_tree, ct, traced.outputs)

    def derive(ops: list[Operation], arguments: Sequence[SSAValue], terminator: Operation) -> list[SSAValue]:
        seeds: dict[SSAValue, SSAValue] = {}
        for y, seed in zip(terminator.operands, cts, strict=False):
            if seed is not None:
                accumulate(seeds, y, seed.ssa)
        reverse_walk(safe).pullback(ops, seeds, arguments)
        return [filled(seeds.get(a), a) for a in arguments if is_inexact(a.type)]

    _, _, gradients = traced.split(traced.inlined(derive, copy=True))
    return _with_nones(traced.in_tree, [x.spec for x in traced.inputs], gradients)


def _vjp_of_arrays(fn: Callable[..., Any], args: Sequence[Any], has_aux: bool, safe: bool) -> Any:
    value = jit(fn)(*args)
    value, aux = value if has_aux else (value, None)
    leaves, out_tree = tree.flatten(value)

    def traced_pull(args: Sequence[Any], ct: Any) -> Any:
        return vjp(fn, *args, has_aux=has_aux, safe=safe)[1](ct)

    run = jit(traced_pull)

    def pull(ct: Any) -> Any:
        return run(tuple(args), _numbers_as([leaf.spec for leaf in leaves], out_tree, ct))

    return (value, pull, aux) if has_aux else (value, pull)


def jvp(
    fn: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], *, has_aux: bool = False, safe: bool = False
) -> Any:
    """(fn(*args), its tangent): the derivative of `fn` at `args` along `tangents`, in forward mode.

    args     : the arguments, as a tuple or list
    tangents : one per argument, nested as it; None for an integer, or for zero
    has_aux  : fn returns (value, aux), and the result is (value, tangent, aux)
    safe     : where an incoming tangent is exactly zero, so is the outgoing one

    The tangent nests as the value does, with None in the place of integers. May be traced, nested and jitted, and fn
    may use outer tensors. Outside a trace it is compiled and run.
    """
    for name, given in (("args", args), ("tangents", tangents)):
        if not isinstance(given, tuple | list):
            raise with_place(
                DifferentiationError(f"jvp: {name} is {type(given).__name__}; a tuple or list was expected")
            )
    args, tangents = tuple(args), tuple(tangents)

    def traced_jvp(args: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return _jvp(fn, args, tangents, has_aux, safe)

    if is_tracing():
        return traced_jvp(args, tangents)
    leaves, in_tree = tree.flatten(args)
    return jit(traced_jvp)(args, _numbers_as([spec(leaf) for leaf in leaves], in_tree, tangents))


def _jvp(fn: Callable[..., Any], args: Sequence[Any], tangents: Any, has_aux: bool, safe: bool) -> Any:
    traced = inner("jvp", fn, args, has_aux)
    given = _matched("jvp: the tangent", traced.in_tree, tangents, [x.spec for x in traced.inputs])

    def derive(ops: list[Operation], arguments: Sequence[SSAValue], terminator: Operation) -> list[SSAValue]:
        found = {a: t.ssa for a, t in zip(arguments, given, strict=True) if t is not None}
        forward_walk(safe).pushforward(ops, found)
        values = terminator.operands[: len(traced.outputs)]
        return [filled(found.get(y), y) for y in values if is_inexact(y.type)]

    values, aux, found = traced.split(traced.inlined(derive))
    value = tree.unflatten(traced.out_tree, values)
    tangent = _with_nones(traced.out_tree, traced.outputs, found)
    return (value, tangent, aux) if has_aux else (value, tangent)


def _with_nones(structure: tree.TreeDef, specs: Sequence[Spec], found: Sequence[Tensor]) -> Any:
    """`found`, one per floating or complex leaf, nested as `structure`, with None for the other leaves."""
    rest = iter(found)
    return tree.unflatten(structure, [next(rest) if s.dtype.is_inexact else None for s in specs])


def _parts(what: str, structure: tree.TreeDef, given: Any) -> list[Any]:
    try:
        return structure.flatten_up_to(given)
    except (TypeError, ValueError) as error:
        raise with_place(DifferentiationError(f"{what} does not nest as expected: {error}")) from None


def _matched(what: str, structure: tree.TreeDef, given: Any, expected: Sequence[Spec]) -> list[Tensor | None]:
    """The leaves of `given` as tensors, one per leaf of `structure`; each of the expected type, or None."""
    return [
        None if leaf is None else _matched_leaf(f"{what} of leaf {i}", leaf, type)
        for i, (leaf, type) in enumerate(zip(_parts(what, structure, given), expected, strict=True))
    ]


def _matched_leaf(what: str, leaf: Any, expected: Spec) -> Tensor:
    found = tensor(leaf, expected.dtype if is_python_number(leaf) and expected.dtype.is_inexact else None)
    if not expected.dtype.is_inexact:
        raise with_place(DifferentiationError(f"{what}, which is {expected}, is {found.spec}; None was expected"))
    if found.spec != expected:
        raise with_place(DifferentiationError(f"{what} is {found.spec}; {expected} was expected"))
    return found


def _numbers_as(specs: Sequence[Spec], structure: tree.TreeDef, given: Any) -> Any:
    """`given`, with Python numbers in it made arrays of the element types of `specs`, nested as `structure`."""
    import numpy as np

    parts = _parts("the tangent or cotangent", structure, given)
    leaves = [
        np.asarray(leaf, s.dtype.numpy) if is_python_number(leaf) and s.dtype.is_inexact else leaf
        for leaf, s in zip(parts, specs, strict=True)
    ]
    return tree.unflatten(structure, leaves)
