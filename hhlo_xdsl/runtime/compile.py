"""`compile_text`: from program text to an executable, with the checks that XLA does not make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hhlo_xdsl.dtypes import DType, Kind, Spec
from hhlo_xdsl.errors import CompileError, RuntimeArgumentError
from hhlo_xdsl.progress import progress
from hhlo_xdsl.runtime.callbacks import register_lapack, with_callbacks
from hhlo_xdsl.runtime.client import Device, Grid, Propagate
from hhlo_xdsl.runtime.compile_errors import compile_error, refuse_unsafe
from hhlo_xdsl.runtime.executable import Executable, listed
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.runtime.parallel import ParallelExecutable
from hhlo_xdsl.runtime.sharding import Tiling, shard_shape


def compile_text(
    device: Device,
    text: str,
    inputs: Sequence[Spec],
    outputs: Sequence[Spec],
    options: CompileOptions | None = None,
    propagate: Propagate = ([False], [False]),
) -> Executable:
    """Compile the StableHLO module `text` for `device`, or for the devices that `options` ask for.

    inputs, outputs : the types of the arguments and results of the module's `main`
    propagate       : per argument and per result, whether the partitioner chooses how it is cut

    Raises CompileError when XLA refuses the program, when running it would block or crash the process, and when
    `inputs` or `outputs` are not the types of `main`.
    """
    device.client.check_open()
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CompileError(f"found a {type(text).__name__}, expected the program's text; print the module first")
    refuse_unsafe(text)
    options = options or CompileOptions()
    grid = device_grid(device, options)
    register_lapack(text)
    program, callbacks = with_callbacks(text)
    try:
        with progress("compiling"):
            compiled = device.jaxlib.compile(program, grid, options.xla_flags(), propagate, callbacks)
    except (RuntimeError, TypeError, ValueError) as error:
        raise compile_error(text, str(error)) from error
    return executable_of(grid, compiled, text, inputs, outputs)


def device_grid(device: Device, options: CompileOptions) -> Grid:
    """The devices of a program, a row per replica; `device` alone unless `options` ask for more."""
    count = options.replicas * options.partitions
    if count == 1 and not options.devices:
        return ((device,),)
    devices = tuple(options.devices) or device.client.all_devices[:count]
    if len(devices) != count:
        raise CompileError(
            f"{options.replicas} replicas of {options.partitions} partitions need {count} devices, found"
            f" {len(devices)}: {list(devices)}; open the session with Session(..., devices={count}), or name others"
        )
    if len(set(devices)) != count or any(d.client is not device.client for d in devices):
        raise CompileError(f"devices are {list(devices)}; expected different devices of one session")
    width = options.partitions
    _check_processes(devices, width)
    return tuple(devices[i : i + width] for i in range(0, count, width))


def _check_processes(devices: Sequence[Device], width: int) -> None:
    """The partitions of a replica are in one process, and this process has a part in the program."""
    for i in range(0, len(devices), width):
        if len({d.process for d in devices[i : i + width]}) > 1:
            raise CompileError(
                f"the partitions of replica {i // width} are on devices of several processes,"
                f" {list(devices[i : i + width])}; use replicas across processes, and partitions within one"
            )
    mine = devices[0].client.devices[0].process
    if all(d.process != mine for d in devices):
        raise CompileError(f"none of {list(devices)} is a device of this process; only processes that have one compile")


def executable_of(grid: Grid, compiled: Any, text: str, inputs: Sequence[Spec], outputs: Sequence[Spec]) -> Executable:
    """The Executable of what jaxlib compiled, checked against the declared types."""
    row = grid[0]
    cuts = (
        ([_WHOLE] * len(inputs), [_WHOLE] * len(outputs)) if len(row) == 1 else _cuts(grid, compiled, inputs, outputs)
    )
    signature = row[0].jaxlib.signature(compiled)
    if signature is not None:
        _check_types("argument", _pieces("argument", inputs, cuts[0]), signature[0])
        _check_types("result", _pieces("result", outputs, cuts[1]), signature[1])
    if len(grid) == len(row) == 1:
        return Executable(row[0], compiled, text, inputs, outputs)
    return ParallelExecutable(grid, compiled, text, (inputs, cuts[0]), (outputs, cuts[1]))


_WHOLE: Tiling = ((), ((0,),))


def _cuts(grid: Grid, compiled: Any, inputs: Sequence[Spec], outputs: Sequence[Spec]) -> list[list[Tiling]]:
    """How the arguments and the results lie on the devices of one replica."""
    width = len(grid[0])
    found = grid[0][0].jaxlib.shardings(compiled, width)
    both: list[list[Tiling]] = []
    for what, specs, cuts in zip(("argument", "result"), (inputs, outputs), found, strict=True):
        if len(cuts) != len(specs):
            raise CompileError(
                f"XLA gives shardings of {len(cuts)} {what}s of main, which has {len(specs)}; annotate each {what}"
            )
        both.append([_even(what, i, cut) for i, cut in enumerate(cuts)])
    return both


def _even(what: str, index: int, cut: Tiling | None) -> Tiling:
    if cut is None:
        raise CompileError(
            f"the sharding of {what} {index} is neither a cut into equal pieces nor copies; annotate it with one"
            " that is"
        )
    return cut


def _pieces(what: str, specs: Sequence[Spec], cuts: Sequence[Tiling]) -> list[Spec]:
    """The types of what one device holds."""
    found: list[Spec] = []
    for index, (spec, (tiles, _)) in enumerate(zip(specs, cuts, strict=True)):
        try:
            found.append(Spec(spec.dtype, shard_shape(spec.shape, tiles)))
        except RuntimeArgumentError as error:
            raise CompileError(f"{what} {index} of main: {error}") from None
    return found


def _check_types(what: str, declared: Sequence[Spec], compiled: Sequence[str]) -> None:
    """XLA does not check the types that arrays claim to have, so a wrong claim would give wrong numbers."""
    if len(declared) != len(compiled):
        raise CompileError(
            f"main has {len(compiled)} {what}s ({', '.join(compiled)}), but {len(declared)} were declared"
            f" ({listed(declared)}); declare the types of main"
        )
    for index, (spec, found) in enumerate(zip(declared, compiled, strict=True)):
        if _XLA_TILING.sub("", found) != _xla_type(spec):
            raise CompileError(
                f"{what} {index} of main is {found} to XLA, but {spec}, which is {_xla_type(spec)}, was declared;"
                " declare the types of main, and leave layout attributes out of the program"
            )


_XLA_TILING = re.compile(r":[^}]*(?=\})|\{:[^}]*\}")


def _xla_type(spec: Spec) -> str:
    """`spec` as XLA writes it, with the row-major layout: `f32[2,3]{1,0}`, `s32[]`."""
    dims = ",".join(map(str, spec.shape))
    order = ",".join(map(str, reversed(range(len(spec.shape)))))
    return f"{_xla_name(spec.dtype)}[{dims}]{'{' + order + '}' if order else ''}"


def _xla_name(dtype: DType) -> str:
    if dtype.kind == "float":
        return dtype.name.lower()
    return "pred" if dtype.kind == "bool" else f"{_XLA_KIND[dtype.kind]}{dtype.bits}"


_XLA_KIND: dict[Kind, str] = {"int": "s", "uint": "u", "complex": "c"}
