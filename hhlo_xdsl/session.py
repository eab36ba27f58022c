"""`Session`: devices, and programs compiled for them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import CompileError, RuntimeArgumentError
from hhlo_xdsl.ir_types import spec_of
from hhlo_xdsl.limits import check_limits
from hhlo_xdsl.marks import donating, main_of, open_shardings
from hhlo_xdsl.passes.chlo_legalize import for_xla
from hhlo_xdsl.progress import progress
from hhlo_xdsl.runtime.array import Array
from hhlo_xdsl.runtime.bytecode import text_of
from hhlo_xdsl.runtime.cache import Cache, deserialize
from hhlo_xdsl.runtime.callbacks import TARGET as CALLBACK
from hhlo_xdsl.runtime.client import Device, Options, open_client
from hhlo_xdsl.runtime.compile import compile_text
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.text import parse, to_text

SYNTAX = "pjrt-1.16"
"""How programs are spelled for the device: every supported jaxlib reads it."""


class Session:
    """Devices of one platform, and programs compiled for them.

    with Session("cpu") as s:
        exe = s.compile(module)
        outs = exe(x, w)

    platform : "cpu", or a platform that an installed PJRT plug-in offers
    devices  : how many devices to make, on the CPU
    plugin   : the path of a PJRT plug-in, instead of a platform
    options  : settings that the plug-in understands, such as {"cpu_device_count": 2}
    cache    : a folder for compiled programs, so that a later process need not compile them again; none if None

    Raises PluginError if there is no such device. Leaving the context, or `close`, frees everything.
    """

    def __init__(
        self,
        platform: str = "cpu",
        *,
        devices: int = 1,
        plugin: str | Path | None = None,
        options: Options | None = None,
        cache: str | Path | None = None,
    ):
        self._client = open_client(platform, devices=devices, plugin=plugin, options=options)
        self._cache = None if cache is None else Cache(cache)

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices of this process, in order of their ids."""
        return self._client.devices

    @property
    def all_devices(self) -> tuple[Device, ...]:
        """The devices of all processes of the group (`hh.distributed`), in the same order in each process."""
        return self._client.all_devices

    @property
    def platform(self) -> str:
        """The name of the platform."""
        return self._client.platform

    def compile(
        self, program: ModuleOp | str | bytes, *, device: Device | None = None, options: CompileOptions | None = None
    ) -> Executable:
        """Compile a module, its text, or its bytes (a portable artifact) for a device (the first if None).

        options : how, and for how many devices; see `CompileOptions`

        Raises ParseError or VerifyError for text that is not a valid program, CompileError if it has no `@main` that
        can run, XLA refuses it, or XLA's CPU compiler would end the process for it.
        """
        module = for_xla(_module(program))
        options = options or CompileOptions()
        inputs, outputs = _signature(module)
        if self.platform == "cpu":
            check_limits(module)
        if options.donate:
            module = donating(module, options.donate)
        with progress("printing the program"):
            text = to_text(module, syntax=SYNTAX)
        where, propagate = self._on(device), open_shardings(module)

        def make() -> Executable:
            return compile_text(where, text, inputs, outputs, options, propagate)

        return make() if self._cache is None or CALLBACK in text else self._cache.get(text, where, options, make)

    def load(self, data: bytes, *, device: Device | None = None, devices: Sequence[Device] = ()) -> Executable:
        """The program that `Executable.serialize` gave, for a device (the first if None), or devices if it has several.

        Raises CompileError for bytes that are damaged, or made by another jaxlib, platform or kind of processor.
        """
        return deserialize(data, self._on(device), devices)

    def put(self, value: Any, *, device: Device | None = None) -> Array:
        """Copy an array to a device (the first if None)."""
        return self._on(device).put(value)

    def close(self) -> None:
        """Free the devices; later use of them, their arrays and programs is an error."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _on(self, device: Device | None) -> Device:
        if device is None:
            return self.devices[0]
        if device not in self.devices:
            raise RuntimeArgumentError(f"{device!r} belongs to another session; use one of {list(self.devices)}")
        return device


def _module(program: ModuleOp | str | bytes) -> ModuleOp:
    if isinstance(program, bytes):
        return parse(text_of(program, "<bytes>"))
    module = parse(program) if isinstance(program, str) else program
    if not isinstance(module, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CompileError(f"compile: got {type(module).__name__}; a module or its text was expected; use hh.trace")
    return module


def _signature(module: ModuleOp) -> tuple[list[Spec], list[Spec]]:
    """The types of the arguments and results of `@main`."""
    type = main_of(module).function_type
    return [spec_of(t) for t in type.inputs.data], [spec_of(t) for t in type.outputs.data]


_lock = threading.Lock()
_default: list[Session] = []


def default_session() -> Session:
    """The session that `hh.jit` uses: one CPU device, opened when first needed."""
    with _lock:
        if not _default:
            _default.append(Session("cpu"))
        return _default[0]
