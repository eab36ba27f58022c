"""Making single ops print in MLIR's generic form by the ordinary printer.

The class of an op is exchanged for its twin: a subclass that keeps what were properties in the attribute dictionary and
has no custom form. Operands, uses, accessors and verification stay; parsing the text gives the original class again.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any, cast

from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttributeDef, AttrSizedSegments, IRDLOperation, OptAttributeDef, OptPropertyDef
from xdsl.irdl.operations import get_accessors_from_op_def


@cache
def _twin(cls: type[IRDLOperation]) -> type[IRDLOperation]:
    definition = cls.get_irdl_definition()
    attributes = dict(definition.attributes)
    for name, prop in definition.properties.items():
        kind = OptAttributeDef if isinstance(prop, OptPropertyDef) else AttributeDef
        attributes[name] = kind(prop.constr, prop.default_value)
    options = [
        dataclasses.replace(o, as_property=False) if isinstance(o, AttrSizedSegments) else o for o in definition.options
    ]
    moved = dataclasses.replace(
        definition,
        properties={},
        attributes=attributes,
        options=options,
        assembly_format=None,
        accessor_names={field: (name, "attribute") for field, (name, _) in definition.accessor_names.items()},
    )
    members = get_accessors_from_op_def(moved, getattr(cls, "verify_semantics", None))
    body: dict[str, Any] = {**members, "print": Operation.print, "original": cls}
    return cast("type[IRDLOperation]", type(cls.__name__ + "Generic", (cls,), body))


def _property_names(cls: type[IRDLOperation]) -> list[str]:
    """The names of the properties of an op, in the order of their declaration."""
    definition = cls.get_irdl_definition()
    sizes = [o.attribute_name for o in definition.options if isinstance(o, AttrSizedSegments) and o.as_property]
    return [*definition.properties, *sizes]


def to_generic_form(op: Operation) -> None:
    """Let `op` print as `"name"(%operands) ({regions}) {attributes} : types`."""
    if is_generic_form(op) or not isinstance(op, IRDLOperation):
        return
    attributes = generic_attributes(op)
    op.__class__ = _twin(type(op))
    op.attributes, op.properties = attributes, {}


def generic_attributes(op: IRDLOperation) -> dict[str, Attribute]:
    """The properties, in order of declaration, and attributes of `op`, as they stand in its generic form."""
    properties = {name: op.properties[name] for name in _property_names(type(op)) if name in op.properties}
    return {**properties, **op.attributes, **properties}


def is_generic_form(op: Operation) -> bool:
    """Whether `to_generic_form` was applied to `op`."""
    return "original" in vars(type(op))


def from_generic_form(op: Operation) -> None:
    """Undo `to_generic_form`."""
    if not is_generic_form(op):
        return
    original: type[IRDLOperation] = vars(type(op))["original"]
    declared = _property_names(original)
    op.__class__ = original
    op.properties = {k: v for k, v in op.attributes.items() if k in declared}
    op.attributes = {k: v for k, v in op.attributes.items() if k not in declared}
