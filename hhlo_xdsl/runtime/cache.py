"""Compiled programs from bytes, and a folder of them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hhlo_xdsl.dtypes import BY_NAME, Spec
from hhlo_xdsl.errors import CompileError
from hhlo_xdsl.runtime.callbacks import register_lapack
from hhlo_xdsl.runtime.client import Device
from hhlo_xdsl.runtime.compile import device_grid, executable_of
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.runtime.serial import maker, unpacked


def deserialize(data: bytes, device: Device, devices: Sequence[Device] = ()) -> Executable:
    """The program that `Executable.serialize` gave, for `device`, or for `devices` if it runs on several.

    Raises CompileError for bytes that are damaged, or made by another jaxlib, platform or kind of processor.
    """
    device.client.check_open()
    about, code = unpacked(data)
    if about["made by"] != (here := maker(device)):
        raise CompileError(
            f"the program was compiled by {about['made by']}, and this is {here}; compile its text again"
        )
    replicas, partitions = about["grid"]
    grid = device_grid(device, CompileOptions(replicas=replicas, partitions=partitions, devices=devices))
    register_lapack(about["text"])
    try:
        compiled = device.jaxlib.load_executable(code, grid)
    except (RuntimeError, ValueError) as error:
        raise CompileError(f"XLA cannot load the program: {error}; compile its text again") from error
    inputs, outputs = ([_spec(s) for s in about[side]] for side in ("inputs", "outputs"))
    return executable_of(grid, compiled, about["text"], inputs, outputs)


def _spec(named: Sequence[Any]) -> Spec:
    return Spec(BY_NAME[named[0]], tuple(named[1]))


class Cache:
    """Compiled programs in a folder, found again by text, options, jaxlib, platform and processor.

    May be shared by processes: files appear whole or not at all. A file that is damaged is compiled again.
    """

    def __init__(self, folder: str | os.PathLike[str]):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, text: str, device: Device, options: CompileOptions, make: Callable[[], Executable]) -> Executable:
        """The program from the folder, or made by `make` and left there."""
        path = self.folder / f"{_key(text, device, options)}.exe"
        try:
            return deserialize(path.read_bytes(), device, options.devices)
        except (CompileError, OSError):
            made = make()
        self._write(path, made.serialize())
        return made

    def _write(self, path: Path, data: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)


def _key(text: str, device: Device, options: CompileOptions) -> str:
    chosen = (options.replicas, options.partitions, sorted(options.xla_flags().items()))
    return hashlib.sha256(repr((text, chosen, maker(device))).encode()).hexdigest()
