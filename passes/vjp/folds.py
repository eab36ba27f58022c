"""Folding tensors by a function of two, written out as whole-tensor ops that the walk can differentiate.

`reduce` and `reduce_window` hide what they do in a region. Here the same fold becomes a number of ops that grows with
the logarithm of how many elements are folded. It keeps their order: the function must associate, but need not commute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from hhlo_xdsl.dialects.emit import add, emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, select
from hhlo_xdsl.dialects.stablehlo.binary import (
    AddOp,
    AndOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    OrOp,
)
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp, ConcatenateOp, ReshapeOp, ReverseOp, SliceOp
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp
from hhlo_xdsl.dialects.types import is_complex, is_static, like, shape_of, type_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import known_value

Combine: TypeAlias = Callable[[Sequence[SSAValue], Sequence[SSAValue]], list[SSAValue]]
"""(N left tensors, N right tensors) -> N tensors, element by element, all of one shape."""


def fold_along(f: Combine, values: Sequence[SSAValue], dim: int) -> list[SSAValue]:
    """The fold of `values` along `dim`, which keeps size 1. Its size must not be 0.

    Neighbours are joined, 0 with 1, 2 with 3, ..; an odd last one goes to the front of the tail.
    """
    values, tail = list(values), None
    while (n := shape_of(values[0])[dim]) > 1:
        even = n - n % 2
        if n > even:
            last = [part(v, dim, even, n) for v in values]
            tail = last if tail is None else f(last, tail)
        left, right = ([part(v, dim, start, even, 2) for v in values] for start in (0, 1))
        values = f(left, right)
    return values if tail is None else f(values, tail)


def fold_windows(f: Combine, values: Sequence[SSAValue], windows: Sequence[WindowDim]) -> list[SSAValue]:
    """The fold of each window of `values`, which are padded already: only size, stride and window dilation are used.

    The last dimension is folded first: row by row is the row-major order of a window.
    """
    values = list(values)
    for dim in reversed(range(len(windows))):
        window = windows[dim]
        # One by one, f runs q - 1 times at every s-th place; by doubling, at most twice per bit of q at every place.
        doublings = window.size.bit_length() + window.size.bit_count() - 2
        one_by_one = window.size - 1 <= doublings * window.stride
        values = (_one_by_one if one_by_one else _by_doubling)(f, values, dim, window)
    return values


def _one_by_one(f: Combine, values: list[SSAValue], dim: int, window: WindowDim) -> list[SSAValue]:
    """The first elements of all windows, folded with the second ones, and so on."""
    reach = (window.out - 1) * window.stride + 1
    starts = range(0, window.reach, window.window_dilation)
    elements = [[part(v, dim, k, k + reach, window.stride) for v in values] for k in starts]
    return reduce(f, elements)


# Along one dimension, with window size q and dilation a, let fold(m)[i] be the fold of the m elements i, i + a, ..
# Then fold(c + m)[i] = f(fold(c)[i], fold(m)[i + c a]). The powers of two come from c = m; q is their sum by its bits.


def _by_doubling(f: Combine, values: list[SSAValue], dim: int, window: WindowDim) -> list[SSAValue]:
    """fold(q) at every i where the window fits, and of these every s-th."""
    power, m = values, 1
    done, c = values, 0
    while True:
        if window.size & m:
            done, c = (_join(f, done, power, dim, c * window.window_dilation) if c else power), c + m
        if c == window.size:
            return [part(v, dim, 0, shape_of(v)[dim], window.stride) for v in done]
        power, m = _join(f, power, power, dim, m * window.window_dilation), 2 * m


def _join(f: Combine, left: list[SSAValue], right: list[SSAValue], dim: int, offset: int) -> list[SSAValue]:
    """f(left[i], right[i + offset]) at every i where both are."""
    n = min(shape_of(left[0])[dim], shape_of(right[0])[dim] - offset)
    return f([part(v, dim, 0, n) for v in left], [part(v, dim, offset, offset + n) for v in right])


# Prefixes of n elements in about 2 n steps of f: pairs are folded first, and their prefixes are every other result;
# each of the rest is one element more than the one before.


def fold_prefixes(f: Combine, values: Sequence[SSAValue], dim: int) -> list[SSAValue]:
    """At each i along `dim` the fold of the elements 0, 1, .., i."""
    n, values = shape_of(values[0])[dim], list(values)
    if n < 2:
        return values
    pairs = f([part(v, dim, 0, n - n % 2, 2) for v in values], [part(v, dim, 1, n, 2) for v in values])
    odd = fold_prefixes(f, pairs, dim)
    even = [part(v, dim, 0, 1) for v in values]
    if n > 2:
        before = [part(v, dim, 0, (n - 1) // 2) for v in odd]
        later = f(before, [part(v, dim, 2, n, 2) for v in values])
        even = [emit(ConcatenateOp(both, dim)) for both in zip(even, later, strict=True)]
    return [_interleaved(a, b, dim) for a, b in zip(even, odd, strict=True)]


def fold_suffixes(f: Combine, values: Sequence[SSAValue], dim: int) -> list[SSAValue]:
    """At each i along `dim` the fold of the elements i, .., n - 1."""
    turned = [emit(ReverseOp(v, [dim])) for v in values]
    folded = fold_prefixes(lambda left, right: f(right, left), turned, dim)
    return [emit(ReverseOp(v, [dim])) for v in folded]


def _interleaved(even: SSAValue, odd: SSAValue, dim: int) -> SSAValue:
    """even[0], odd[0], even[1], odd[1], .. along `dim`; `even` may be longer by one."""
    shape, n = list(shape_of(odd)), shape_of(even)[dim]
    m = shape[dim]
    apart = [*shape[: dim + 1], 1, *shape[dim + 1 :]]
    pairs = [emit(ReshapeOp(v, apart)) for v in (part(even, dim, 0, m), odd)]
    shape[dim] = 2 * m
    joined = emit(ReshapeOp(emit(ConcatenateOp(pairs, dim + 1)), shape))
    return joined if n == m else emit(ConcatenateOp([joined, part(even, dim, m, n)], dim))


def part(x: SSAValue, dim: int, start: int, limit: int, stride: int = 1) -> SSAValue:
    """x[start:limit:stride] along one dimension; x itself if that is all of it."""
    shape = shape_of(x)
    if (start, limit, stride) == (0, shape[dim], 1):
        return x
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[dim], limits[dim], strides[dim] = start, limit, stride
    return emit(SliceOp(x, starts, limits, strides))


def skipping(f: Combine) -> Combine:
    """f on values that come with a flag, the last tensor: whether an element is there. Those not there are skipped."""

    def combine(left: Sequence[SSAValue], right: Sequence[SSAValue]) -> list[SSAValue]:
        (*p, left_is), (*q, right_is) = left, right
        both = Value(emit(AndOp(left_is, right_is)))
        one = [select(Value(left_is), Value(a), Value(b)) for a, b in zip(p, q, strict=True)]
        joined = [select(both, Value(r), v).ssa for r, v in zip(f(p, q), one, strict=True)]
        return [*joined, emit(OrOp(left_is, right_is))]

    return combine


def stretched(x: SSAValue, shape: Sequence[int], dims: Sequence[int] = ()) -> SSAValue:
    """x in a larger shape, its dimensions at `dims`; x itself if it has that shape."""
    return x if shape_of(x) == tuple(shape) else emit(BroadcastInDimOp(x, shape, dims))


def on_tensors(owner: Operation, body: Region) -> Combine:
    """The function on scalars that a region of `owner` computes, element by element on tensors of one shape.

    Calling it raises DifferentiationError if the region holds an op that is not elementwise.
    """

    def combine(left: Sequence[SSAValue], right: Sequence[SSAValue]) -> list[SSAValue]:
        shape = shape_of(left[0])
        values: dict[SSAValue, SSAValue] = dict(zip(body.block.args, (*left, *right), strict=True))
        *ops, terminator = body.block.ops
        for inner in ops:
            operands = [_on_shape(v, values, shape) for v in inner.operands]
            values.update(zip(inner.results, _lifted(owner, inner, operands, shape), strict=True))
        return [_on_shape(v, values, shape) for v in terminator.operands]

    return combine


def _on_shape(value: SSAValue, values: dict[SSAValue, SSAValue], shape: Sequence[int]) -> SSAValue:
    """What stands for `value`; a constant from outside the region is stretched."""
    return values[value] if value in values else stretched(value, shape)


def _lifted(owner: Operation, inner: Operation, operands: list[SSAValue], shape: tuple[int, ...]) -> Sequence[SSAValue]:
    """The results of `inner`, an op on scalars, on tensors of `shape`."""
    if isinstance(inner, ConstantOp):
        return [stretched(emit(inner.clone()), shape)]
    values = (*inner.operands, *inner.results)
    if inner.regions or not inner.has_trait(Pure) or any(shape_of(v) for v in values):
        raise _not_elementwise(owner, inner)
    types = [like(type_of(r), shape=shape) for r in inner.results]
    made = type(inner).create(
        operands=operands, result_types=types, properties=dict(inner.properties), attributes=dict(inner.attributes)
    )
    try:
        made.verify()
    except VerifyException:
        raise _not_elementwise(owner, inner) from None
    return add(made).results


def _not_elementwise(owner: Operation, inner: Operation) -> DifferentiationError:
    return DifferentiationError(
        f"{owner.name}: its body holds {inner.name}, which does not work element by element, so there is no derivative"
        f" rule for it; write it with elementwise ops, or differentiate with respect to other arguments{place(owner)}"
    )


# What the rules of folding ops ask about their op.


def converted(x: SSAValue, to: SSAValue | Attribute) -> SSAValue:
    """x in the element type `to`, or that of the value `to`; x itself if it has it."""
    element = type_of(to).element_type if isinstance(to, SSAValue) else to
    return x if type_of(x).element_type == element else emit(ConvertOp(x, element))


def is_fixed(init: SSAValue) -> bool:
    """Whether the init value is a constant, which needs no cotangent."""
    return known_value(init) is not None


_IDENTITIES: dict[type[Operation], float] = {
    AddOp: 0.0,
    MultiplyOp: 1.0,
    MaximumOp: float("-inf"),
    MinimumOp: float("inf"),
}


def is_identity(reducer: type[Operation] | None, init: SSAValue) -> bool:
    """Whether folding in the init value is known to change nothing."""
    return reducer in _IDENTITIES and known_value(init) == _IDENTITIES[reducer]


def check_static(op: Operation) -> None:
    """Raise DifferentiationError unless all sizes are known."""
    for v in (*op.operands, *op.results):
        if not is_static(type_of(v)):
            raise DifferentiationError(
                f"{op.name}: it works on {v.type}, and its derivative rule needs every size; give the program static"
                f" shapes{place(op)}"
            )


def check_ordered(op: Operation) -> None:
    """Raise DifferentiationError for a maximum or minimum of complex numbers."""
    if is_complex(op.results[0].type):
        raise DifferentiationError(
            f"{op.name}: maximum and minimum of complex numbers have no derivative here: their order is lexicographic;"
            f" take the maximum of real numbers, such as their abs{place(op)}"
        )
