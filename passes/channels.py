"""Channels for the collectives that derivatives add: each collective of a program needs a channel of its own."""

from __future__ import annotations

from typing import cast
from weakref import WeakKeyDictionary

from xdsl.ir import Operation

from hhlo_xdsl.dialects.stablehlo.processes import Channel, ChannelHandleAttr

_LAST: WeakKeyDictionary[Operation, int] = WeakKeyDictionary()
"""The last handle that was given out, by the module it is for: ops that are not yet in it count too."""


def fresh_channel(op: Operation) -> Channel | None:
    """A channel of the kind of op's, with a handle that no other op of its module has; None if op has no channel."""
    given = _channel(op)
    if given is None or given.handle <= 0:
        return given
    module = cast(Operation, op.get_toplevel_object())
    taken = [channel.handle for other in module.walk() if (channel := _channel(other)) is not None]
    _LAST[module] = max(*taken, _LAST.get(module, 0)) + 1
    return Channel(_LAST[module], given.type)


def _channel(op: Operation) -> Channel | None:
    found = op.properties.get("channel_handle")
    return found.data if isinstance(found, ChannelHandleAttr) else None
