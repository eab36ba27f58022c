"""Nested containers of arrays: dicts, lists, tuples, named tuples, dataclasses, and what is registered with optree."""

from __future__ import annotations

import dataclasses
import functools
import operator
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
    met = set(map(type, leaves))
    if not met <= _leaf_classes:
        if _register_dataclasses(leaves):
            return flatten(tree)
        _leaf_classes.update(met)
    return leaves, treedef


def outlined(tree: Any) -> tuple[list[Any], Any]:
    """The leaves of `tree` in the order of `flatten`, and what tells its structure from others, which has a hash.

    Several times as fast as `flatten` where all containers are lists, tuples and dicts.
    """
    leaves: list[Any] = []
    try:
        return leaves, _outline(tree, leaves)
    except LookupError:
        found, treedef = flatten(tree)
    # Its leaves are known now. If that was what was missing, later calls will go the short way and must agree.
    try:
        leaves.clear()
        return leaves, _outline(tree, leaves)
    except LookupError:
        return found, treedef


def _outline(tree: Any, leaves: list[Any]) -> Any:
    """Append the leaves of `tree` to `leaves`; its structure. LookupError for a class that `flatten` has not met."""
    kind: Any = tree.__class__
    if kind in _leaf_classes:
        leaves.append(tree)
        return 0
    if kind is dict:
        keys = tuple(tree)
        token, values = (dict, keys), _in_order(keys)(tree)
    elif kind is list or kind is tuple:
        token, values = (kind, len(tree)), tree
    elif tree is None:
        return None
    else:
        raise LookupError(kind)
    if _leaf_classes.issuperset(map(type, values)):
        leaves.extend(values)
        return token
    return token, tuple([_outline(v, leaves) for v in values])


_leaf_classes: set[type] = set()
"""Classes of leaves that `flatten` met. Such a class is never registered as a container later: a leaf is an array or a
number."""


@functools.lru_cache(maxsize=4096)
def _in_order(keys: tuple[Any, ...]) -> Callable[[Any], Sequence[Any]]:
    """What gives the values of a dict with these keys in the order of `flatten`."""
    numbers, _ = flatten({k: n for n, k in enumerate(keys)})
    order = [keys[n] for n in numbers]
    return operator.itemgetter(*order) if len(order) > 1 else lambda d: [d[k] for k in order]


def unflatten(treedef: TreeDef, leaves: Sequence[Any]) -> Any:
    """The tree of structure `treedef` with the given leaves."""
    return optree.tree_unflatten(treedef, leaves)


def is_leaf(treedef: TreeDef) -> bool:
    """Whether it is the structure of a single leaf."""
    return treedef.num_nodes == 1 and treedef.num_leaves == 1


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
