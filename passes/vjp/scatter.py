"""Reverse-mode rules of scatter, by its body.

w is the cotangent of the result y; x is the input and u are the updates, a window for each index vector. XLA drops a
window that is not wholly in bounds, on all devices, and so do the rules: `inside` gives zero to its cotangent. Where it
stands, gather reads something else, since gather clamps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.infix import Value, select, splat, zeros
from hhlo_xdsl.dialects.stablehlo.base import is_set
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, MaximumOp, MinimumOp, MultiplyOp, SubtractOp
from hhlo_xdsl.dialects.stablehlo.control_flow import Body
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.indexing import GatherOp, ScatterOp
from hhlo_xdsl.dialects.stablehlo.reducers import reducer_of
from hhlo_xdsl.dialects.stablehlo.shapes import count
from hhlo_xdsl.dialects.types import like, shape_of, tensor, type_of
from hhlo_xdsl.passes.vjp.core import Cotangent, Cotangents, Walk, inputs, only, walk_rule
from hhlo_xdsl.passes.vjp.folds import check_ordered, check_static, converted, on_tensors, stretched
from hhlo_xdsl.passes.vjp.guards import guarded
from hhlo_xdsl.passes.vjp.indexing import summed_as
from hhlo_xdsl.passes.vjp.indices import are_distinct, in_bounds, scattered_sizes, slice_limits
from hhlo_xdsl.passes.vjp.movement import reshaped
from hhlo_xdsl.passes.vjp.reduction import divided
from hhlo_xdsl.passes.vjp.regions import pulled_back
from hhlo_xdsl.passes.vjp.replay import replay


def overwrite(x: SSAValue, update: SSAValue) -> SSAValue:
    """The body that overwrites."""
    return update


@dataclass(frozen=True)
class Places:
    """Where the windows of a scatter are."""

    op: ScatterOp

    @cached_property
    def sizes(self) -> list[int]:
        """The sizes of a window, per dimension of the input."""
        shape, numbers = shape_of(self.op.inputs[0]), self.op.numbers
        sizes = [1] * len(shape)
        for d, window in zip(numbers.windowed(len(shape)), numbers.window, strict=True):
            sizes[d] = shape_of(self.op.updates[0])[window]
        return sizes

    @cached_property
    def limits(self) -> list[int]:
        """The greatest starts of windows in bounds."""
        return slice_limits(self.op.numbers, shape_of(self.op.inputs[0]), self.sizes)

    @cached_property
    def distinct(self) -> bool:
        """Whether no element of the input is in two windows, by promise or as can be seen."""
        known = are_distinct(self.op.scatter_indices, self.op.numbers, self.sizes)
        return known or is_set(self.op.unique_indices)

    @cached_property
    def _mask(self) -> SSAValue | None:
        within = in_bounds(self.op.scatter_indices, self.op.numbers, self.limits)
        return within and self.over_windows(within)

    def over_windows(self, x: SSAValue) -> SSAValue:
        """One number per index vector, the same all over its window."""
        shape = shape_of(self.op.updates[0])
        return stretched(x, shape, self.op.numbers.scattered(len(shape)))

    def inside(self, u: SSAValue) -> SSAValue:
        """u, with zeros in windows that are dropped."""
        return u if self._mask is None else select(Value(self._mask), Value(u), 0).ssa

    def read(self, x: SSAValue) -> SSAValue:
        """The windows of x."""
        return emit(GatherOp(x, self.op.scatter_indices, self.op.numbers, self.sizes, indices_are_sorted=self._sorted))

    def write(self, x: SSAValue, u: SSAValue, body: Body, distinct: bool | None = None) -> SSAValue:
        """x with the windows u folded in by `body`."""
        unique = self.distinct if distinct is None else distinct
        starts, numbers = self.op.scatter_indices, self.op.numbers
        made = ScatterOp([x], starts, [u], numbers, body, indices_are_sorted=self._sorted, unique_indices=unique)
        return emit(made)

    @property
    def _sorted(self) -> bool:
        return is_set(self.op.indices_are_sorted)


@walk_rule(ScatterOp)
def scatter(op: ScatterOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """The cotangents of inputs and updates; indices and constants that the body captures have none."""
    check_static(op)
    places, rule = Places(op), _rule_of(op)
    if writes_nothing(op):
        to_inputs: Cotangents = [ct and converted(ct, x) for ct, x in zip(cts, op.inputs, strict=True)]
        to_updates: Cotangents = [None] * len(op.updates)
    elif rule is not None:
        w = only(cts)
        to_x, to_u = rule(places, w)
        if reducer_of(op) is MultiplyOp:
            to_x, to_u = guarded(w, to_x, walk.options), guarded(places.read(w), to_u, walk.options)
        to_inputs, to_updates = [converted(to_x, op.inputs[0])], [converted(to_u, op.updates[0])]
    else:
        to_inputs, to_updates = _general(places, cts, walk)
    return [*to_inputs, None, *to_updates, *[None] * (len(inputs(op)) - len(op.operands))]


Rule: TypeAlias = Callable[[Places, SSAValue], tuple[SSAValue, SSAValue]]
"""(where the windows are, w) -> cotangents of x and of u; both in the elements of the result."""


def _rule_of(op: ScatterOp) -> Rule | None:
    """The rule for a body that is one of the usual ones."""
    if overwrites(op):
        return _overwrite
    reducer = reducer_of(op)
    return None if reducer is None else _RULES.get(reducer)


def writes_nothing(op: ScatterOp) -> bool:
    """Whether there are no updates, or nothing to update."""
    return 0 in (count(shape_of(op.updates[0])), count(shape_of(op.inputs[0])))


def overwrites(op: ScatterOp) -> bool:
    """Whether the body returns the update."""
    block = op.update_computation.block
    return len(op.inputs) == 1 and block.last_op is not None and tuple(block.last_op.operands) == (block.args[1],)


def _operands(places: Places) -> tuple[Value, Value]:
    """x and u in the elements of the result."""
    op = places.op
    return Value(converted(op.inputs[0], op.results[0])), Value(converted(op.updates[0], op.results[0]))


def _add(places: Places, w: SSAValue) -> tuple[SSAValue, SSAValue]:
    return w, places.inside(places.read(w))


def _subtract(places: Places, w: SSAValue) -> tuple[SSAValue, SSAValue]:
    return w, (-Value(places.inside(places.read(w)))).ssa


# Overwriting. An element that is written gives its cotangent to the update that stayed: the last one. Which that was is
# found by scattering numbers in place of the updates; a window that was dropped finds its number nowhere.


def _overwrite(places: Places, w: SSAValue) -> tuple[SSAValue, SSAValue]:
    """To x where nothing was written; to the updates that were not overwritten by others."""
    op, read = places.op, Value(places.read(w))
    to_x = places.write(w, zeros(like(type_of(op.updates[0]), element=type_of(w).element_type)), overwrite)
    if places.distinct:
        return to_x, places.inside(read.ssa)
    number = Value(_numbers(places))
    stayed = places.write(zeros(like(type_of(w), element=i32)), number.ssa, overwrite)
    return to_x, select(Value(places.read(stayed)).equal(number), read, 0).ssa


def _numbers(places: Places) -> SSAValue:
    """1, 2, .. per index vector, all over its window."""
    shape = scattered_sizes(places.op.scatter_indices, places.op.numbers)
    number = Value(emit(IotaOp(tensor((count(shape),), i32), 0))) + 1
    return places.over_windows(reshaped(number.ssa, shape))


# Multiplying: y = x times all the u that meet it. The cotangent of each factor is w times the product of the others.
# With P the product of the u that are not zero, and Z how many are: the others of x have the product P if Z = 0, else
# 0; those of a u that is zero P if Z = 1, else 0; those of another u P / u if Z = 0, else 0.


def _multiply(places: Places, w: SSAValue) -> tuple[SSAValue, SSAValue]:
    x, u = _operands(places)
    wx = Value(places.inside(places.read((Value(w) * x).ssa)))
    if places.distinct:
        return places.write(w, u.ssa, MultiplyOp), wx.ssa
    is_zero = u.equal(0)
    one = Value(splat(1, like(is_zero.type, element=i32)))
    zeros_met = Value(places.write(zeros(like(x.type, element=i32)), select(is_zero, one, 0).ssa, AddOp))
    wide = summed_as(x.type.element_type)
    factor = Value(converted(select(is_zero, 1, u).ssa, wide))
    product = Value(places.write(splat(1, like(x.type, element=wide)), factor.ssa, MultiplyOp))
    met, others = Value(places.read(zeros_met.ssa)), Value(places.read(product.ssa))
    left = met - select(is_zero, one, 0)
    to_u = select(left.equal(0), wx * Value(converted((others / factor).ssa, w)), 0)
    to_x = select(zeros_met.equal(0), Value(w) * Value(converted(product.ssa, w)), 0)
    return to_x.ssa, to_u.ssa


# Maximum, minimum: x and the updates that reach y share its cotangent, w / k each if there are k of them.


def losers(places: Places) -> tuple[Value, Value, SSAValue]:
    """Which elements of x, and of u, do not reach y, and how many reach each y, as i32."""
    op = places.op
    check_ordered(op)
    x, u = _operands(places)
    y, is_max = Value(op.results[0]), reducer_of(op) is MaximumOp
    there = Value(places.read(y.ssa))
    x_loses, u_loses = (x < y, u < there) if is_max else (x > y, u > there)
    own = select(x_loses, 0, Value(splat(1, like(x.type, element=i32))))
    hits = select(u_loses, 0, Value(splat(1, like(u.type, element=i32))))
    return x_loses, u_loses, places.write(own.ssa, hits.ssa, AddOp)


def _extreme(places: Places, w: SSAValue) -> tuple[SSAValue, SSAValue]:
    x_loses, u_loses, k = losers(places)
    share = divided(w, k)
    to_u = select(u_loses, 0, Value(places.read(share)))
    return select(x_loses, 0, Value(share)).ssa, places.inside(to_u.ssa)


_RULES: dict[type[Operation], Rule] = {
    AddOp: _add,
    SubtractOp: _subtract,
    MultiplyOp: _multiply,
    MaximumOp: _extreme,
    MinimumOp: _extreme,
}


def _general(places: Places, cts: Cotangents, walk: Walk) -> tuple[Sequence[Cotangent], Sequence[Cotangent]]:
    """Any body, of any number of inputs."""
    op = places.op
    w = [zeros(type_of(y)) if ct is None else ct for ct, y in zip(cts, op.results, strict=True)]
    xs = [converted(x, y) for x, y in zip(op.inputs, op.results, strict=True)]
    us = [converted(u, y) for u, y in zip(op.updates, op.results, strict=True)]
    if places.distinct:
        to_xs, to_us = _once(places, w, xs, us, walk)
    else:
        within = in_bounds(op.scatter_indices, op.numbers, places.limits)
        to_xs, to_us = replay(op, places.sizes, within, w, xs, us, walk)
    to_inputs = [ct and converted(ct, x) for ct, x in zip(to_xs, op.inputs, strict=True)]
    return to_inputs, [ct and converted(ct, u) for ct, u in zip(to_us, op.updates, strict=True)]


def _once(
    places: Places, w: Sequence[SSAValue], xs: Sequence[SSAValue], us: Sequence[SSAValue], walk: Walk
) -> tuple[Sequence[Cotangent], Sequence[Cotangent]]:
    """No element is met twice: the adjoint of the body at each, where it stands."""
    f = on_tensors(places.op, places.op.update_computation)
    before = [places.read(x) for x in xs]
    found = pulled_back(walk, lambda: f(before, us), [places.read(ct) for ct in w], [*before, *us])
    to_before = [zeros(type_of(v)) if ct is None else ct for ct, v in zip(found, before, strict=False)]
    to_xs = [places.write(ct, to, overwrite) for ct, to in zip(w, to_before, strict=True)]
    return to_xs, [ct and places.inside(ct) for ct in found[len(xs) :]]
