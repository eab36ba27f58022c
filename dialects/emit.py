"""The one door into a block: where the next op goes, and which source location it carries.

The insertion point is kept per thread. (xDSL's ImplicitBuilder patches `Operation.__post_init__` for all threads.)
Shape rules do not belong here; they stand in the ops.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import Block, Operation, SSAValue

from hhlo_xdsl.dialects.errors import TraceError

OpT = TypeVar("OpT", bound=Operation)


class _State(threading.local):
    block: Block | None = None
    before: Operation | None = None
    location: LocationAttr | None = None
    splats: dict[object, SSAValue] | None = None
    """Splat constants already emitted at this insertion point, by value and type."""


_state = _State()


@contextmanager
def inserting(block: Block, before: Operation | None = None) -> Generator[Block]:
    """Within the context, `emit` appends to `block`, or inserts before its op `before`."""
    saved = _state.block, _state.before, _state.splats
    _state.block, _state.before, _state.splats = block, before, {}
    try:
        yield block
    finally:
        _state.block, _state.before, _state.splats = saved


@contextmanager
def inserting_after(op: Operation) -> Generator[None]:
    """Within the context, `emit` inserts after `op`, after what it inserted there before.

    Used for one op after another of the insertion point's block, from the first to the last, so that the constants
    remembered for one stand before the next.
    """
    saved = _state.block, _state.before
    _state.block, _state.before = op.parent, op.next_op
    try:
        yield
    finally:
        _state.block, _state.before = saved


@contextmanager
def located(location: LocationAttr | None) -> Generator[None]:
    """Within the context, emitted ops carry `location`."""
    saved, _state.location = _state.location, location
    try:
        yield
    finally:
        _state.location = saved


def insertion_block() -> Block | None:
    """The block that `emit` adds to, or None outside `inserting`."""
    return _state.block


def add(op: OpT) -> OpT:
    """Insert `op` at the insertion point and return it; raises TraceError outside `inserting`."""
    if _state.location is not None:
        op.location = _state.location
    return _insert(op)


def _insert(op: OpT) -> OpT:
    block = _state.block
    if block is None:
        raise TraceError(
            f"{op.name}: no function is being built here;"
            " call this inside a function given to hh.trace, hh.jit or hh.grad"
        )
    if _state.before is None:
        block.add_op(op)
    else:
        block.insert_op_before(op, _state.before)
    return op


def emit(op: Operation) -> SSAValue:
    """Insert an op with one result at the insertion point and return that result."""
    return add(op).results[0]


def emitted_splat(key: object) -> SSAValue | None:
    """The splat constant already emitted at this insertion point under `key`, if any."""
    return None if _state.splats is None else _state.splats.get(key)


def remember_splat(key: object, value: SSAValue) -> SSAValue:
    """Let later requests for `key` at this insertion point reuse `value`."""
    if _state.splats is not None:
        _state.splats[key] = value
    return value


def block_of(op: Operation) -> Block:
    """The block that `op` stands in."""
    if op.parent is None:
        raise RuntimeError(f"{op.name} stands in no block; this is a bug")
    return op.parent


def is_located(op: Operation) -> bool:
    """Whether `op` knows where it comes from."""
    return not isinstance(op.location, UnknownLoc)


def inline(block: Block, values: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
    """Move the ops of `block` to the insertion point, with `values` for its arguments; the terminator's operands.

    `block` is left empty. Raises TraceError outside `inserting`.
    """
    for arg, value in zip(block.args, values, strict=True):
        arg.replace_all_uses_with(value)
    *body, terminator = list(block.ops)
    for op in body:
        op.detach()
        _insert(op)
    results = tuple(terminator.operands)
    block.erase_op(terminator)
    return results
