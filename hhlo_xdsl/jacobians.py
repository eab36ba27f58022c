"""Whole matrices of derivatives, a row or a column at a time, in a loop of the program."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.infix import Value, splat, zeros
from hhlo_xdsl.dialects.stablehlo.compare import SelectOp
from hhlo_xdsl.dialects.stablehlo.control_flow import WhileOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicUpdateSliceOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp, ReshapeOp, TransposeOp
from hhlo_xdsl.dialects.types import RankedTensor, like, shape_of, tensor, type_of
from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.inner import Inner, forward_walk, reverse_walk
from hhlo_xdsl.jit import jit
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.vjp.core import filled
from hhlo_xdsl.tensor import Tensor
from hhlo_xdsl.transforms import inner_of_wrt, nested_as_wrt
from hhlo_xdsl.where import with_place

Rows = Callable[[SSAValue], Sequence[SSAValue]]
"""A one-hot tensor -> for each of several derivatives, its part along that direction."""


def jacrev(
    fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False, safe: bool = False
) -> Callable[..., Any]:
    """The Jacobian of `fn`, by one reverse pass per element of its results: for few results and many arguments.

    It nests as the results do, and in the place of each leaf as the argument in `wrt` does, or as a tuple of several.
    A result of shape S and an argument of shape T give S + T. With `has_aux`, fn returns (value, aux) and the result is
    (Jacobian, aux). Results and arguments are floating. Composes as `hh.grad` does.
    """
    return _transformed(_jacrev, "jacrev", fn, wrt, has_aux, safe)


def jacfwd(
    fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False, safe: bool = False
) -> Callable[..., Any]:
    """The Jacobian of `fn`, by one forward pass per element of its arguments: for few arguments and many results.

    It nests as that of `jacrev`.
    """
    return _transformed(_jacfwd, "jacfwd", fn, wrt, has_aux, safe)


jacobian = jacrev


def hessian(
    fn: Callable[..., Any], wrt: int | Sequence[int] = 0, *, has_aux: bool = False, safe: bool = False
) -> Callable[..., Any]:
    """The second derivatives of `fn`: forward mode over reverse mode.

    A result of shape S and arguments of shapes T and U give S + T + U, nested as the Jacobian of the Jacobian.
    """
    first = jacrev(fn, wrt, has_aux=has_aux, safe=safe)
    return jacfwd(first, wrt, has_aux=has_aux, safe=safe)


def _transformed(
    derivative: Callable[[Inner, bool], list[list[Tensor]]],
    what: str,
    fn: Callable[..., Any],
    wrt: int | Sequence[int],
    has_aux: bool,
    safe: bool,
) -> Callable[..., Any]:
    def traced_jacobian(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        traced = inner_of_wrt(what, fn, wrt, has_aux, args, kwargs)
        _check_floating(what, traced)
        rows = [nested_as_wrt(traced, wrt, row) for row in derivative(traced, safe)]
        found = tree.unflatten(traced.out_tree, rows)
        if not has_aux:
            return found
        _, aux, _ = traced.split(traced.inlined())
        return found, aux

    run = jit(traced_jacobian)

    @functools.wraps(fn)
    def jacobian_of_fn(*args: Any, **kwargs: Any) -> Any:
        return run(args, kwargs)

    return jacobian_of_fn


def _check_floating(what: str, traced: Inner) -> None:
    for kind, specs in (("argument", [x.spec for x in traced.inputs]), ("result", traced.outputs)):
        for i, s in enumerate(specs):
            if s.dtype.kind != "float":
                raise with_place(
                    DifferentiationError(
                        f"{what}: leaf {i} of the {kind}s is {s}; floating ones were expected; use hh.vjp or hh.jvp"
                    )
                )


def _jacrev(traced: Inner, safe: bool) -> list[list[Tensor]]:
    """Per result, per argument: their Jacobian, result's dimensions first."""
    return [_rows_of(traced, r, out, safe) for r, out in enumerate(traced.outputs)]


def _rows_of(traced: Inner, r: int, out: Spec, safe: bool) -> list[Tensor]:
    types = [type_of(x.ssa) for x in traced.inputs]

    def derive(ops: list[Operation], arguments: Sequence[SSAValue], terminator: Operation) -> list[SSAValue]:
        y = terminator.operands[r]

        def row(ct: SSAValue) -> list[SSAValue]:
            cts = {y: ct}
            reverse_walk(safe).pullback(ops, cts, arguments)
            return [filled(cts.get(a), a) for a in arguments]

        return _stacked(row, type_of(y), types)

    *_, found = traced.split(traced.inlined(derive, copy=True))
    return [Tensor(_reshaped(m.ssa, (*out.shape, *t.get_shape()))) for m, t in zip(found, types, strict=True)]


def _jacfwd(traced: Inner, safe: bool) -> list[list[Tensor]]:
    """Per result, per argument: their Jacobian, result's dimensions first."""
    columns = [_columns_of(traced, k, x, safe) for k, x in enumerate(traced.inputs)]
    return [[column[r] for column in columns] for r in range(len(traced.outputs))]


def _columns_of(traced: Inner, k: int, x: Tensor, safe: bool) -> list[Tensor]:
    returned = terminator_of(traced.region.block).operands
    types = [type_of(y) for y in returned[: len(traced.outputs)]]

    def column(tangent: SSAValue) -> list[SSAValue]:
        def derive(ops: list[Operation], arguments: Sequence[SSAValue], terminator: Operation) -> list[SSAValue]:
            tangents = {arguments[k]: tangent}
            forward_walk(safe).pushforward(ops, tangents)
            return [filled(tangents.get(y), y) for y in terminator.operands[: len(types)]]

        *_, found = traced.split(traced.inlined(derive, copy=True))
        return [t.ssa for t in found]

    found = _stacked(column, type_of(x.ssa), types)
    return [
        Tensor(_turned(_reshaped(m, (*x.shape, *t.get_shape())), x.ndim)) for m, t in zip(found, types, strict=True)
    ]


def _turned(x: SSAValue, n: int) -> SSAValue:
    """x with its first n dimensions last."""
    rank = len(shape_of(x))
    return emit(TransposeOp(x, [*range(n, rank), *range(n)])) if 0 < n < rank else x


def _reshaped(x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
    return x if shape_of(x) == shape else emit(ReshapeOp(x, shape))


# The loop carries i and one matrix per type, of shape [n, *type]; step i writes row i of each.


def _stacked(rows: Rows, direction: RankedTensor, types: Sequence[RankedTensor]) -> list[SSAValue]:
    """`rows` of each one-hot tensor of type `direction`, in row-major order of its one, stacked along dimension 0."""
    n = prod(direction.get_shape())
    if n == 1:
        return [_reshaped(row, (1, *shape_of(row))) for row in rows(splat(1, direction))]
    matrices = [zeros(like(t, shape=(n, *t.get_shape()))) for t in types]
    if n == 0:
        return matrices
    counter = tensor((), i32)

    def cond(i: SSAValue, *_: SSAValue) -> list[SSAValue]:
        return [(Value(i) < n).ssa]

    def body(i: SSAValue, *matrices: SSAValue) -> list[SSAValue]:
        zero = splat(0, counter)
        written = [
            emit(DynamicUpdateSliceOp(m, _reshaped(row, (1, *shape_of(row))), [i, *[zero] * len(shape_of(row))]))
            for m, row in zip(matrices, rows(_one_hot(i, n, direction)), strict=True)
        ]
        return [(Value(i) + 1).ssa, *written]

    return list(add(WhileOp([splat(0, counter), *matrices], cond, body)).results[1:])


def _one_hot(i: SSAValue, n: int, type: RankedTensor) -> SSAValue:
    """A tensor of `type` that is 1 at its i-th element in row-major order, and 0 elsewhere."""
    places = tensor((n,), i32)
    hit = Value(emit(IotaOp(places, 0))).equal(Value(emit(BroadcastInDimOp(i, (n,), ()))))
    flat = like(type, shape=(n,))
    return _reshaped(emit(SelectOp(hit.ssa, splat(1, flat), zeros(flat))), type.get_shape())
