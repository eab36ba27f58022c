"""`jit`: a Python function that is traced and compiled when it meets new types, and only dispatched otherwise."""

from __future__ import annotations

import functools
import inspect
import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl import tree
from hhlo_xdsl.dtypes import Spec, spec
from hhlo_xdsl.errors import HhloError, RuntimeArgumentError
from hhlo_xdsl.runtime.array import Array
from hhlo_xdsl.runtime.client import Device
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.session import Session, default_session
from hhlo_xdsl.trace import Traced, is_tracing, traced

Statics = tuple[tuple[int | str, Any], ...]
"""The static arguments of a call: position or name, and value."""


Compiled = tuple[Callable[[Sequence[Any]], tuple[Array, ...]], Callable[[Sequence[Array]], Any]]
"""What runs a program on the leaves of the arguments, and what nests its results."""


@dataclass(frozen=True)
class Target:
    """Where and how a jitted function is compiled."""

    session: Session | None = None
    device: Device | None = None
    options: CompileOptions | None = None
    donate: tuple[int, ...] = ()

    def compile(self, module: ModuleOp, donated: tuple[int, ...]) -> Executable:
        """The program of `module`, whose arguments `donated` are given away."""
        options = self.options or CompileOptions()
        if donated:
            options = replace(options, donate=(*options.donate, *donated))
        return (self.session or default_session()).compile(module, device=self.device, options=options)


class Jit:
    """A function that is traced and compiled once per types of its arguments, then only dispatched."""

    def __init__(self, fn: Callable[..., Any], static: Sequence[int | str], target: Target):
        functools.update_wrapper(self, fn)
        self._fn = fn
        self._static = _positions_and_names(fn, static)
        self._target = target
        self._compiled: dict[Any, Compiled] = {}
        self._locks: dict[Any, threading.Lock] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results on the device, nested as fn nests them; within a trace, what fn itself gives."""
        if is_tracing():
            return self._fn(*args, **kwargs)
        statics: Statics = ()
        if self._static:
            statics, (args, kwargs) = self._parted(args, kwargs)
        leaves, structure = tree.outlined((args, kwargs) if kwargs else args)
        # The types of Arrays are compared by identity, which is fast.
        types = [x.type if type(x) is Array else _host_type(x) for x in leaves]
        key = (structure, bool(kwargs), statics, *types)
        run, nest = self._compiled.get(key) or self._compile(key, statics, (args, kwargs), leaves)
        return nest(run(leaves))

    def lower(self, *args: Any, **kwargs: Any) -> ModuleOp:
        """The module for arguments of these types: arrays, numbers, or types such as `hh.f32[3]`."""
        return self._traced(*self._parted(args, kwargs)).module

    def compile(self, *args: Any, **kwargs: Any) -> Executable:
        """The program for arguments of these types, not run. Its arguments are the leaves of those of fn, in order."""
        statics, dynamic = self._parted(args, kwargs)
        return self._target.compile(self._traced(statics, dynamic).module, self._donated(dynamic))

    def _parted(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Statics, tuple[Any, Any]]:
        """The static arguments, and the others with nothing in place of those."""
        static = self._static
        statics: Statics = (
            *((n, a) for n, a in enumerate(args) if n in static),
            *((k, a) for k, a in sorted(kwargs.items()) if k in static),
        )
        for name, value in statics:
            try:
                hash(value)
            except TypeError:
                raise RuntimeArgumentError(
                    f"static argument {name!r} is {type(value).__name__}, which has no hash; use what does not change,"
                    " such as a tuple, or do not declare it static"
                ) from None
        positional = tuple(None if n in static else a for n, a in enumerate(args))
        return statics, (positional, {k: a for k, a in kwargs.items() if k not in static})

    def _traced(self, statics: Statics, dynamic: tuple[Any, Any]) -> Traced:
        def of_dynamic(positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
            args, kwargs = list(positional), dict(named)
            for name, value in statics:
                if isinstance(name, int):
                    args[name] = value
                else:
                    kwargs[name] = value
            return self._fn(*args, **kwargs)

        return traced(functools.wraps(self._fn)(of_dynamic), dynamic)

    def _donated(self, dynamic: tuple[Any, Any]) -> tuple[int, ...]:
        """The numbers of the leaves that belong to donated arguments."""
        counts = [len(tree.flatten(a)[0]) for a in dynamic[0]]
        starts = [sum(counts[:n]) for n in range(len(counts))]
        return tuple(starts[n] + i for n in self._target.donate if n < len(counts) for i in range(counts[n]))

    def _compile(self, key: Any, statics: Statics, dynamic: tuple[Any, Any], leaves: Sequence[Any]) -> Compiled:
        for i, leaf in enumerate(leaves):
            _check_argument(leaf, i)
        # One lock per program, since tracing runs the user's code, which may wait for other threads.
        with self._locks.setdefault(key, threading.Lock()):
            if (found := self._compiled.get(key)) is None:
                result = self._traced(statics, dynamic)
                executable = self._target.compile(result.module, self._donated(dynamic))
                ready = executable.takes([x.type if type(x) is Array else None for x in leaves])
                run = executable.run if ready else executable.run_any
                found = self._compiled[key] = run, _nesting(result.out_tree)
            return found


def _host_type(leaf: Any) -> Any:
    """What tells the type of an argument that is not on a device from other types."""
    if type(leaf) is np.ndarray:
        return leaf.dtype, leaf.shape
    try:
        return spec(leaf)
    except (HhloError, TypeError, ValueError):
        return None  # _check_argument says why


def _check_argument(leaf: Any, i: int) -> None:
    """Raise RuntimeArgumentError for what has no values, or values of no element type."""
    if isinstance(leaf, Spec):
        raise RuntimeArgumentError(f"argument leaf {i} is the type {leaf}; an array or a number was expected")
    try:
        spec(leaf)
    except (HhloError, TypeError, ValueError) as error:
        raise RuntimeArgumentError(
            f"argument leaf {i} is {type(leaf).__name__}; an array or a number was expected ({error})"
        ) from None


def _nesting(out_tree: tree.TreeDef) -> Callable[[Sequence[Array]], Any]:
    return operator.itemgetter(0) if tree.is_leaf(out_tree) else functools.partial(tree.unflatten, out_tree)


def _positions_and_names(fn: Callable[..., Any], chosen: Sequence[int | str]) -> frozenset[int | str]:
    """The chosen parameters of fn by position and by name, however they were chosen."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return frozenset(chosen)
    names = [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    more = {p.kind for p in parameters}
    found: set[int | str] = set(chosen)
    for one in chosen:
        if isinstance(one, int) and 0 <= one < len(names):
            found.add(names[one])
        elif isinstance(one, str) and one in names:
            found.add(names.index(one))
        elif (isinstance(one, int) and one < 0) or _REST[type(one)] not in more:
            raise RuntimeArgumentError(
                f"jit: static names parameter {one!r}, and {getattr(fn, '__name__', 'the function')} has {names};"
                " use a name or a number from 0"
            )
    return frozenset(found)


_REST = {int: inspect.Parameter.VAR_POSITIONAL, str: inspect.Parameter.VAR_KEYWORD}
"""What kind of parameter takes arguments that no other does."""


def jit(
    fn: Callable[..., Any],
    *,
    static: int | str | Sequence[int | str] = (),
    donate: int | Sequence[int] = (),
    session: Session | None = None,
    device: Device | None = None,
    options: CompileOptions | None = None,
) -> Jit:
    """`fn`, compiled: traced once per structure, shapes and element types of its arguments, then dispatched.

    static  : parameters, by number or name, that fn gets as they are; it is traced once per value, which needs a hash
    donate  : numbers of parameters whose memory results may take over; their Arrays cannot be used afterwards
    session : where it runs; the default session (one CPU device) if None
    device  : the device of the session; the first if None
    options : how it is compiled, and over how many partitions

    Arguments, by position or by name, are arrays, Python numbers, or containers of them; results are `hh.Array`s,
    nested as fn nests them.
    """
    chosen = (static,) if isinstance(static, int | str) else tuple(static)
    donated = (donate,) if isinstance(donate, int) else tuple(donate)
    return Jit(fn, chosen, Target(session, device, options, donated))
