"""What ops can have in common: everything but the values they read and define."""

from __future__ import annotations

from xdsl.ir import Operation

Signature = tuple[object, ...]


def signature(op: Operation) -> Signature | None:
    """Equal for two ops of one class, with the same types, properties and attributes; None for one with regions.

    The same means the same objects, so a signature is good only as long as they live. Equal types and attributes that
    are not one object give different signatures; types made by `dialects.types`, and those in one text, are shared.
    """
    # Called once per op, where xDSL's public views of operands would take most of the time.
    if op.regions or op._successors:  # pyright: ignore[reportPrivateUsage]
        return None
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
    return tuple(parts)
