"""Python functions and native code that programs call: what is registered, and how XLA gets to it.

A program names a Python function by a number that this process gave it. XLA copies what the function returns without
looking at it, so results are checked here first.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import CompileError, PluginError
from hhlo_xdsl.runtime.client import load_jaxlib

TARGET = "hhlo_python_callback"
"""The custom call that stands for a Python function in programs."""
NUMBER = "hhlo_callback"
"""The entry of its backend_config that tells which."""

Function = Callable[..., Sequence[Any]]
_functions: dict[int, Function] = {}
_numbers = itertools.count()


def register_function(fn: Function, outputs: Sequence[Spec]) -> int:
    """The number of `fn`, which programs call with numpy arrays and which returns one array per type in `outputs`.

    It is kept as long as the process runs.
    """
    number = next(_numbers)
    _functions[number] = _checked(fn, tuple(outputs))
    return number


def _checked(fn: Function, outputs: tuple[Spec, ...]) -> Function:
    name = getattr(fn, "__name__", type(fn).__name__)

    def call(*args: Any) -> tuple[Any, ...]:
        # XLA's memory is gone after the call, so the function gets copies.
        values = fn(*(np.array(a) for a in args))
        return tuple(_result(name, i, v, s) for i, (v, s) in enumerate(zip(values, outputs, strict=True)))

    return call


def _result(name: str, index: int, value: Any, want: Spec) -> Any:
    array = np.asarray(value)
    if array.shape != want.shape or array.dtype != want.dtype.numpy:
        raise TypeError(
            f"the callback {name} returned result {index} as {array.dtype}{list(array.shape)}, expected {want};"
            f" convert it, as in numpy.asarray(y, numpy.dtype({want.dtype.numpy.name!r}))"
        )
    return np.ascontiguousarray(array).reshape(want.shape)


_NUMBER = re.compile(rf"\b{NUMBER} = (\d+)")


def with_callbacks(text: str) -> tuple[str, list[Function]]:
    """The program with XLA's words for callbacks, and the functions in the order in which it numbers them.

    Raises CompileError for a program that names functions of another process.
    """
    if TARGET not in text:
        return text, []
    used: dict[int, int] = {}
    for match in _NUMBER.finditer(text):
        number = int(match[1])
        if number not in _functions:
            raise CompileError(
                f"the program calls Python function {number}, which this process does not have; a program with"
                " hh.callback runs in the process that traced it"
            )
        used.setdefault(number, len(used))
    renumbered = _NUMBER.sub(lambda m: f"index = {used[int(m[1])]}", text)
    return renumbered.replace(TARGET, "xla_ffi_python_cpu_callback"), [_functions[n] for n in used]


_LAPACK = re.compile(r"\blapack_[a-z0-9]+_ffi\b")


def register_lapack(text: str) -> None:
    """Let the program call functions of LAPACK, whose code jaxlib brings, if it names any."""
    if _LAPACK.search(text):
        _register_lapack()


@functools.cache
def _register_lapack() -> None:
    load_jaxlib().register_lapack()


_lock = threading.Lock()
_libraries: dict[str, ctypes.CDLL] = {}
_registered: dict[tuple[str, str], tuple[str, str]] = {}


def register_ffi(
    name: str, library: str | os.PathLike[str], symbol: str | None = None, *, platform: str = "cpu"
) -> None:
    """Let `stablehlo.custom_call @name` with api_version 4 run native code.

    library : the path of a shared library
    symbol  : its function of XLA's FFI interface, as XLA_FFI_DEFINE_HANDLER_SYMBOL makes them; `name` if None

    Registering the same function again changes nothing. Raises PluginError if the library does not load, has no such
    symbol, is not a handler of this version of the interface, or `name` stands for another function already.
    Interface: https://openxla.org/xla/custom_call
    """
    path, symbol = os.fspath(library), symbol or name
    with _lock:
        known = _registered.get((name, platform))
        if known == (path, symbol):
            return
        if known is not None:
            raise PluginError(f"register_ffi: {name} is {known[1]} of {known[0]} already; choose another name")
        capsule = _capsule(_function(path, symbol))
        try:
            load_jaxlib().register_target(name, capsule, platform)
        except (RuntimeError, TypeError, ValueError) as error:
            raise PluginError(f"register_ffi: XLA refused {symbol} of {path}: {error}") from error
        _registered[name, platform] = (path, symbol)


def _function(path: str, symbol: str) -> Any:
    try:
        library = _libraries.setdefault(path, ctypes.CDLL(path))
    except OSError as error:
        raise PluginError(f"register_ffi: the library {path} does not load: {error}") from error
    try:
        return library[symbol]
    except AttributeError:
        raise PluginError(f'register_ffi: {path} has no symbol {symbol}; declare it extern "C" and export it') from None


def _capsule(function: Any) -> Any:
    """A nameless capsule of the function's address, which is how jaxlib takes native code."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(ctypes.cast(function, ctypes.c_void_p), None, None)
