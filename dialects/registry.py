"""Finding the ops and attributes that a module defines, so that a dialect's list cannot miss one."""

from __future__ import annotations

from types import ModuleType

from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import IRDLOperation


def ops_of(module: ModuleType, dialect: str) -> list[type[Operation]]:
    """The concrete ops of `dialect` that are defined in `module`, in order of definition."""
    return [
        c
        for c in vars(module).values()
        if isinstance(c, type)
        and issubclass(c, IRDLOperation)
        and c.__module__ == module.__name__
        and "name" in vars(c)
        and c.name.startswith(dialect + ".")
    ]


def attributes_of(module: ModuleType, dialect: str) -> list[type[Attribute]]:
    """The attributes and types of `dialect` that are defined in `module`, in order of definition."""
    return [
        c
        for c in vars(module).values()
        if isinstance(c, type)
        and issubclass(c, Attribute)
        and c.__module__ == module.__name__
        and isinstance(vars(c).get("name"), str)
        and c.name.startswith(dialect + ".")
    ]


def dialect(name: str, *modules: ModuleType) -> Dialect:
    """The dialect `name` made of the ops and attributes defined in `modules`."""
    ops = [op for module in modules for op in ops_of(module, name)]
    attributes = [attribute for module in modules for attribute in attributes_of(module, name)]
    return Dialect(name, ops, attributes)
