"""Nested containers of arrays: dicts, lists, tuples, named tuples, dataclasses, and what is registered with optree."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import optree

_optree: Any = optree  # its stubs ask for collections
_NAMESPACE = "hhlo_xdsl"
_lock = threading.Lock()

TreeDef: TypeAlias = optree.PyTreeSpec


def flatten(tree: Any) -> tuple[list[Any], TreeDef]:
    """The leaves of `tree` in a fixed order, and its structure. None is an empty tree."""
    leaves, treedef = optree.tree_flatten(tree, namespace=_NAMESPACE)
    if _register_dataclasses(leaves):
        return flatten(tree)
    return leaves, treedef


def unflatten(treedef: TreeDef, leaves: Sequence[Any]) -> Any:
    """The tree of structure `treedef` with the given leaves."""
    return optree.tree_unflatten(treedef, leaves)


def paths(tree: Any) -> list[str]:
    """How each leaf of `tree` is reached, as `['w'][0]`."""
    flatten(tree)
    entries, _, _ = optree.tree_flatten_with_path(tree, namespace=_NAMESPACE)
    return ["".join(f"[{entry!r}]" for entry in path) for path in entries]


def map_leaves(fn: Callable[[Any], Any], tree: Any) -> Any:
    """`tree` with `fn` applied to each leaf."""
    leaves, treedef = flatten(tree)
    return unflatten(treedef, [fn(leaf) for leaf in leaves])


def _register_dataclasses(leaves: Sequence[Any]) -> bool:
    """Teach optree the dataclasses among `leaves`; whether there was a new one."""
    new = {
        type(x)
        for x in leaves
        if dataclasses.is_dataclass(x) and not isinstance(x, type) and not _is_leaf_class(type(x))
    }
    for cls in new:
        _register(cls)
    return bool(new)


def _is_leaf_class(cls: type) -> bool:
    """The project's own types are leaves although some are dataclasses."""
    return cls.__module__.startswith("hhlo_xdsl.")


def _register(cls: type[Any]) -> None:
    names = [f.name for f in dataclasses.fields(cls)]

    def split(x: Any) -> tuple[list[Any], None, list[str]]:
        return [getattr(x, n) for n in names], None, names

    def join(_: object, children: Iterable[Any]) -> Any:
        made = object.__new__(cls)
        for name, child in zip(names, children, strict=True):
            object.__setattr__(made, name, child)
        return made

    with _lock:
        try:
            _optree.register_pytree_node(cls, split, join, namespace=_NAMESPACE)
        except ValueError:
            # Another thread registered it between the flatten and the lock.
            return
