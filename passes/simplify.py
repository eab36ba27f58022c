"""`hhlo-simplify`: fewer ops that compute the same, to the bit: no value, NaN or sign of zero changes.

Three steps: identities of single ops (passes/identities.py), ops that compute the same as an earlier one, and ops that
nobody uses. Only the payload of a NaN, which the specification leaves open, may differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.traits import IsolatedFromAbove, IsTerminator, is_side_effect_free

from hhlo_xdsl.dialects.bulk import without_collector
from hhlo_xdsl.dialects.emit import inserting, located
from hhlo_xdsl.dialects.types import ANY, kind, type_of
from hhlo_xdsl.passes.generic_form import from_generic_form
from hhlo_xdsl.passes.identities import IDENTITIES
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.signature import Signature, signature, signature_inside
from hhlo_xdsl.passes.sweep import sweep


@dataclass(frozen=True)
class SimplifyPass(HhloPass):
    """Apply identities, merge ops that compute the same, and erase unused ones."""

    name = "hhlo-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Every function, and every region in it."""
        simplify(op)


@without_collector()
def simplify(module: ModuleOp) -> None:
    """Simplify every function of `module`, in place."""
    for op in module.walk():
        from_generic_form(op)
    for op in list(module.walk()):
        _apply_identity(op)
    _share(module)
    _merge(module.body.block, {})
    _sweep(module)


def _apply_identity(op: Operation) -> None:
    """Let an older value, or a simpler op, take the place of the result of `op`, as often as there is one.

    Ops with attributes of their own, such as shardings, stay, and so does what works on quantized numbers.
    """
    block, rule = op.parent, IDENTITIES.get(type(op))
    if rule is None or block is None or op.attributes or not _is_plain(op):
        return
    before = op.prev_op
    with inserting(block, before=op), located(op.location):
        value = rule(op)
    made = None if op.prev_op is before else op.prev_op
    if value is not None and value.type == op.results[0].type:
        op.results[0].replace_all_uses_with(value)
        block.erase_op(op)
        if made is not None:
            _apply_identity(made)


def _is_plain(op: Operation) -> bool:
    return all(kind(type_of(v).element_type) in ANY for v in (*op.operands, *op.results))


def _share(module: ModuleOp) -> None:
    """Let equal types and attributes be one object, as `signature` compares them.

    Equal floats may be 0.0 and -0.0: they stay.
    """
    shared: dict[Attribute, Attribute] = {}
    for op in module.walk():
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args)):
            value._type = shared.setdefault(value.type, value.type)  # pyright: ignore[reportPrivateUsage]
        for name, held in op.properties.items():
            if not isinstance(held, FloatAttr):
                op.properties[name] = shared.setdefault(held, held)


Known = dict[tuple[Signature, tuple[int, ...]], Operation]
"""Ops that come before, and whose results are in scope: by what they have in common, and their operands."""


def _merge(block: Block, known: Known) -> None:
    """Replace each op of `block`, and of regions in it, by an earlier one that computes the same."""
    added: list[tuple[Signature, tuple[int, ...]]] = []
    for op in list(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                _merge(inner, {} if op.has_trait(IsolatedFromAbove) else known)
        key = _key(op)
        if key is None:
            continue
        if key in known:
            _replace(op, known[key])
        else:
            known[key] = op
            added.append(key)
    for key in added:
        del known[key]


def _key(op: Operation) -> tuple[Signature, tuple[int, ...]] | None:
    """Equal for ops that compute the same; None for those with effects."""
    if not op.results or op.has_trait(IsTerminator) or not is_side_effect_free(op):
        return None
    found = signature_inside(op)[0] if op.regions else signature(op)
    return None if found is None else (found, tuple(map(id, op.operands)))


def _replace(op: Operation, earlier: Operation) -> None:
    for old, new in zip(op.results, earlier.results, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def _sweep(op: Operation) -> None:
    """Erase what nobody uses, outside first: an unused op takes its regions with it."""
    for region in op.regions:
        for block in region.blocks:
            sweep(block)
            for inner in block.ops:
                _sweep(inner)
            sweep(block)
