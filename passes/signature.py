"""What ops can have in common: everything but the values they read and define."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

Signature = tuple[object, ...]


def signature(op: Operation) -> Signature | None:
    """Equal for two ops of one class, with the same types, properties and attributes; None for one with regions.

    The same means the same objects, so a signature is good only as long as they live. Equal types and attributes that
    are not one object give different signatures; types made by `dialects.types`, and those in one text, are shared.
    """
    # Called once per op, where xDSL's public views of operands would take most of the time.
    if op.regions or op._successors:  # pyright: ignore[reportPrivateUsage]
        return None
    return tuple(_parts(op))


def _parts(op: Operation) -> list[object]:
    parts: list[object] = [type(op)]
    parts += [id(v.type) for v in op._operands]  # pyright: ignore[reportPrivateUsage]
    parts.append(None)
    parts += [id(v.type) for v in op.results]
    if op.properties:
        parts += op.properties
        parts += map(id, op.properties.values())
    if op.attributes:
        parts.append(None)
        parts += op.attributes
        parts += map(id, op.attributes.values())
    return parts


_LARGE = 8
"""Bodies of more ops are not compared."""


def signature_inside(op: Operation) -> tuple[Signature | None, list[SSAValue]]:
    """A signature of an op with regions, and its values: operands, then those defined inside.

    None unless its regions are single blocks of a few ops that have signatures and read no value from outside. An op
    that is isolated has none, although its regions cannot: names of values begin anew in it.
    """
    values: list[SSAValue] = list(op.operands)
    if op.has_trait(IsolatedFromAbove):
        return None, values
    known: dict[int, int] = {}
    parts = _parts(op)

    def define(defined: tuple[SSAValue, ...]) -> None:
        for value in defined:
            known[id(value)] = len(values)
            values.append(value)

    for region in op.regions:
        block = region.first_block
        if block is None or block.next_block is not None or block.name_hint is not None:
            return None, values
        parts += [None, *(id(arg.type) for arg in block.args)]
        define(block.args)
        for count, inner in enumerate(block.ops):
            found = signature(inner)
            read = [known.get(id(operand)) for operand in inner.operands]
            if found is None or count == _LARGE or None in read:
                return None, values
            parts += [found, *read]
            define(inner.results)
    return tuple(parts), values
