"""`Executable`, a compiled program on one device, and how its arguments are checked. jaxlib is behind `client`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from hhlo_xdsl.dtypes import Spec, from_numpy
from hhlo_xdsl.errors import CompileError, HhloError, RuntimeArgumentError
from hhlo_xdsl.runtime.array import (
    Array,
    ArrayType,
    HostArray,
    dtype_name,
    failure,
    host_array,
    is_python_scalar,
    weak_scalar,
)
from hhlo_xdsl.runtime.callbacks import TARGET
from hhlo_xdsl.runtime.client import Device, Grid
from hhlo_xdsl.runtime.serial import maker, packed

T = TypeVar("T")


@dataclass(frozen=True)
class MemoryStats:
    """What one run of a program keeps in memory on each device, in bytes."""

    arguments: int
    outputs: int
    temporaries: int
    """Beside arguments and results."""
    aliased: int
    """Of the results, what lies in donated arguments."""


class Executable:
    """A compiled program. Calling it runs it; results come at once and are computed in the background.

    May be called from several threads.
    """

    __slots__ = (
        *("__weakref__", "_client", "_execute", "_handlers", "_put", "_input_types", "_output_types"),
        *("compiled", "device", "grid", "inputs", "outputs", "text"),
    )

    def __init__(self, device: Device, compiled: Any, text: str, inputs: Sequence[Spec], outputs: Sequence[Spec]):
        self.device = device
        """Where the program runs, and where its arguments must be."""
        self.grid: Grid = ((device,),)
        """The devices: a row per replica, with a device per partition."""
        self.compiled = compiled
        """jaxlib's executable, for its cost and memory analysis."""
        self.text = text
        """The program."""
        self.inputs = tuple(inputs)
        """The types of the arguments."""
        self.outputs = tuple(outputs)
        """The types of the results."""
        self._input_types = _types(device, inputs)
        self._output_types = _types(device, outputs)
        self._handlers = [device.jaxlib.result_handler(type) for type in self._output_types]
        self._execute = compiled.execute_sharded
        self._client = device.client
        self._put = device.jaxlib.put

    def __call__(self, *args: Any) -> tuple[Array, ...]:
        """Run the program on `args`, one per entry of `inputs`; the results have the types of `outputs`.

        An argument is an Array on `device`, a numpy array or scalar of exactly the parameter's shape and dtype,
        anything with `__array__` or `__dlpack__` that gives one, or, for a scalar parameter, a Python number, which
        takes the parameter's dtype if its kind and range allow it. Raises RuntimeArgumentError for anything else, and
        HhloError when running fails.
        """
        # The short way for Arrays of the right types, which are then the same objects; everything else is looked at.
        ready = self.takes([a.type if type(a) is Array else None for a in args])
        return self.run(args) if ready else self.run_any(args)

    def takes(self, types: list[ArrayType | None]) -> bool:
        """Whether these are the very types of the arguments."""
        return types == self._input_types

    def run(self, args: Sequence[Array]) -> tuple[Array, ...]:
        """Run the program on Arrays of types that it `takes`, without looking at them again."""
        if self._client.gone:
            self._client.check_open()
        return self._run([a.buffer for a in args], args)

    def run_any(self, args: Sequence[Any]) -> tuple[Array, ...]:
        """Run the program on arguments of any kind; see `__call__`."""
        return self._run(self._buffers(args), args)

    def _run(self, buffers: list[Any], args: Sequence[Any]) -> tuple[Array, ...]:
        try:
            results = self._execute(buffers).consume_with_handlers(self._handlers)
        except (RuntimeError, ValueError) as error:
            raise self._failure(args, error) from error
        return tuple(map(Array, results, self._output_types))

    def run_replicas(self, args: Sequence[Sequence[Any]]) -> list[tuple[Array, ...]]:
        """Run every replica at once: `args` has the arguments of each, and the result their results.

        Raises RuntimeArgumentError as a call does, with the number of the replica.
        """
        if len(args) != 1:
            raise RuntimeArgumentError(
                f"found arguments for {len(args)} replicas, but the program was compiled for 1; compile it with"
                f" CompileOptions(replicas={len(args)})"
            )
        return [self(*args[0])]

    @property
    def signature(self) -> tuple[tuple[Spec, ...], tuple[Spec, ...]]:
        """The types of the arguments and of the results."""
        return self.inputs, self.outputs

    def cost_analysis(self) -> dict[str, float]:
        """XLA's count of one run: "flops", "transcendentals", "bytes accessed", and more.

        Raises HhloError where the platform does not count.
        """
        return self._asked("the cost of the program", self.compiled.cost_analysis)

    def memory_stats(self) -> MemoryStats:
        """What one run keeps in memory; raises HhloError where the platform does not say."""
        found = self._asked("the memory of the program", self.compiled.get_compiled_memory_stats)
        return MemoryStats(
            arguments=found.argument_size_in_bytes,
            outputs=found.output_size_in_bytes,
            temporaries=found.temp_size_in_bytes,
            aliased=found.alias_size_in_bytes,
        )

    def hlo_text(self) -> str:
        """The optimized program in HLO; raises HhloError where the platform does not show it."""
        return self._asked("the optimized program", self.compiled.get_hlo_text)

    def serialize(self) -> bytes:
        """The compiled program as bytes, for `Session.load` on the same kind of machine with the same jaxlib.

        Raises HhloError where the platform cannot give them, CompileError for a program with `hh.callback`.
        """
        if TARGET in self.text:
            raise CompileError("a program with hh.callback runs in the process that traced it; it has no bytes")
        about = {
            "made by": maker(self.device),
            "grid": [len(self.grid), len(self.grid[0])],
            "inputs": [[s.dtype.name, list(s.shape)] for s in self.inputs],
            "outputs": [[s.dtype.name, list(s.shape)] for s in self.outputs],
            "text": self.text,
        }
        return packed(about, bytes(self._asked("compiled programs", self.compiled.serialize)))

    def _asked(self, what: str, question: Callable[[], T]) -> T:
        self.device.client.check_open()
        try:
            return question()
        except RuntimeError as error:
            raise HhloError(f"the {self.device.platform} platform does not give {what}: {error}") from error

    def _buffers(self, args: Sequence[Any]) -> list[Any]:
        """The buffers of `args`, each checked against its parameter and put on the device if it is not there."""
        self.device.client.check_open()
        if len(args) != len(self.inputs):
            raise RuntimeArgumentError(
                f"found {len(args)} arguments, expected {len(self.inputs)}: ({listed(self.inputs)});"
                " pass one value per parameter"
            )
        return [
            self._put(arg, type) if _is_exactly(arg, type) else self._buffer(n, arg)
            for n, (arg, type) in enumerate(zip(args, self._input_types, strict=True))
        ]

    def _buffer(self, index: int, value: Any) -> Any:
        type = self._input_types[index]
        try:
            if isinstance(value, Array):
                self._check(value, type.spec)
                return value.buffer
            return self._put(host_argument(value, type.spec), type)
        except RuntimeArgumentError as error:
            raise RuntimeArgumentError(f"argument {index}, expected {type.spec}: {error}") from None

    def _check(self, array: Array, spec: Spec) -> None:
        array.check_usable()
        if array.device is not self.device:
            same = array.device.client is self.device.client
            raise RuntimeArgumentError(
                f"found an array on {array.device}{'' if same else ' of another client'}, but the program runs on"
                f" {self.device}; move the array with put(x, device)"
            )
        _check_type(array.dtype, array.shape, spec)

    def _failure(self, args: Sequence[Any], error: Exception) -> HhloError:
        if not _ABOUT_DELETED.search(str(error)):
            return failure(f"running the program {self._types_text()} failed", error)
        if len({id(arg) for arg in args}) < len(args) and _ABOUT_TWICE.search(str(error)):
            return RuntimeArgumentError(
                "found one array passed for two parameters, of which the program overwrites at least one; expected"
                " different arrays. Pass a copy for one of them"
            )
        gone = [n for n, arg in enumerate(args) if isinstance(arg, Array) and arg.is_deleted]
        if gone:
            return RuntimeArgumentError(
                f"argument {gone[0]}: found an array that was deleted or donated to a program, expected one that still"
                " has its values; pass another array, or do not donate it"
            )
        return failure(f"running the program {self._types_text()} failed", error)

    def _types_text(self) -> str:
        return f"({listed(self.inputs)}) -> ({listed(self.outputs)})"

    def __repr__(self) -> str:
        return f"Executable({self._types_text()} on {self.device})"


_ABOUT_DELETED = re.compile(r"deleted|donate|got: \[0\]")
_ABOUT_TWICE = re.compile(r"donate the same buffer twice|previously donated")


def _types(device: Device, specs: Sequence[Spec]) -> list[ArrayType]:
    return [device.array_type(spec.dtype.numpy, spec.shape) for spec in specs]


def listed(specs: Sequence[Spec]) -> str:
    """The types, separated by commas."""
    return ", ".join(map(str, specs))


def _is_exactly(value: Any, type: ArrayType) -> bool:
    """Whether `value` is a numpy array with nothing to say about or to do to; the bytes of bools are looked at."""
    return (
        value.__class__ is np.ndarray and value.dtype == type.dtype and value.shape == type.shape and not type.is_bool
    )


def host_argument(value: Any, want: Spec) -> HostArray:
    """`value` as a numpy array of type `want`; Python numbers take its dtype, everything else must have it."""
    if is_python_scalar(value) and not want.shape:
        return weak_scalar(value, want.dtype)
    array = host_array(value)
    _check_type(array.dtype, array.shape, want)
    return array


def _check_type(dtype: np.dtype[Any], shape: tuple[int, ...], want: Spec) -> None:
    if shape != want.shape:
        found = Spec(from_numpy(dtype), shape)
        raise RuntimeArgumentError(f"found {found}; reshape or transpose it, or compile the program for this shape")
    if dtype != want.dtype.numpy:
        found = Spec(from_numpy(dtype), shape)
        raise RuntimeArgumentError(f"found {found}; convert it with numpy.asarray(x, {dtype_name(want.dtype)})")
