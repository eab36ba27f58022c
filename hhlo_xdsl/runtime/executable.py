"""From program text to results: `compile_text` and `Executable`. Types and buffers only; jaxlib is behind `client`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hhlo_xdsl.dtypes import DType, Kind, Spec, from_numpy
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
from hhlo_xdsl.runtime.client import Device, Options


def compile_text(
    device: Device, text: str, inputs: Sequence[Spec], outputs: Sequence[Spec], options: Options | None = None
) -> Executable:
    """Compile the StableHLO module `text` for `device`.

    inputs, outputs : the types of the arguments and results of the module's `main`
    options         : XLA debug flags, such as {"xla_backend_optimization_level": 0}

    Raises CompileError when XLA refuses the program, when running it would block or crash the process, and when
    `inputs` or `outputs` are not the types of `main`.
    """
    device.client.check_open()
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CompileError(f"found a {type(text).__name__}, expected the program's text; print the module first")
    _refuse_unsafe(text)
    try:
        compiled = device.jaxlib.compile(text, device, options or {})
    except (RuntimeError, TypeError, ValueError) as error:
        raise _compile_error(text, str(error)) from error
    signature = device.jaxlib.signature(compiled)
    if signature is not None:
        _check_types("argument", inputs, signature[0])
        _check_types("result", outputs, signature[1])
    return Executable(device, compiled, text, inputs, outputs)


@final
class Executable:
    """A compiled program. Calling it runs it; results come at once and are computed in the background.

    May be called from several threads.
    """

    __slots__ = (
        *("__weakref__", "_execute", "_handlers", "_input_types", "_output_types"),
        *("compiled", "device", "inputs", "outputs", "text"),
    )

    def __init__(self, device: Device, compiled: Any, text: str, inputs: Sequence[Spec], outputs: Sequence[Spec]):
        self.device = device
        """Where the program runs, and where its arguments must be."""
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

    def __call__(self, *args: Any) -> tuple[Array, ...]:
        """Run the program on `args`, one per entry of `inputs`; the results have the types of `outputs`.

        An argument is an Array on `device`, a numpy array or scalar of exactly the parameter's shape and dtype,
        anything with `__array__` that gives one, or, for a scalar parameter, a Python number, which takes the
        parameter's dtype if its kind and range allow it. Raises RuntimeArgumentError for anything else, and HhloError
        when running fails.
        """
        # The short way for Arrays of the right types, which are then the same objects; everything else is looked at.
        types = [a.type if type(a) is Array else None for a in args]
        ready = types == self._input_types and not self.device.client.gone
        buffers = [a.buffer for a in args] if ready else self._buffers(args)
        try:
            results = self._execute(buffers).consume_with_handlers(self._handlers)
        except (RuntimeError, ValueError) as error:
            raise self._failure(args, error) from error
        return tuple(map(Array, results, self._output_types))

    def _buffers(self, args: Sequence[Any]) -> list[Any]:
        """The buffers of `args`, each checked against its parameter and put on the device if it is not there."""
        self.device.client.check_open()
        if len(args) != len(self.inputs):
            raise RuntimeArgumentError(
                f"found {len(args)} arguments, expected {len(self.inputs)}: ({_list(self.inputs)});"
                " pass one value per parameter"
            )
        return [self._buffer(n, arg) for n, arg in enumerate(args)]

    def _buffer(self, index: int, value: Any) -> Any:
        type = self._input_types[index]
        try:
            if isinstance(value, Array):
                self._check(value, type.spec)
                return value.buffer
            return self.device.jaxlib.put(_host_argument(value, type.spec), type)
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
            return failure(f"running the program {self._signature()} failed", error)
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
        return failure(f"running the program {self._signature()} failed", error)

    def _signature(self) -> str:
        return f"({_list(self.inputs)}) -> ({_list(self.outputs)})"

    def __repr__(self) -> str:
        return f"Executable({self._signature()} on {self.device})"


_ABOUT_DELETED = re.compile(r"deleted|donate|got: \[0\]")
_ABOUT_TWICE = re.compile(r"donate the same buffer twice|previously donated")


def _types(device: Device, specs: Sequence[Spec]) -> list[ArrayType]:
    return [device.array_type(spec.dtype.numpy, spec.shape) for spec in specs]


def _list(specs: Sequence[Spec]) -> str:
    return ", ".join(map(str, specs))


def _host_argument(value: Any, want: Spec) -> HostArray:
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


_UNSAFE = (
    (
        re.compile(r"\b(?:stablehlo|mhlo)\.infeed\b"),
        "waits for ever: nothing feeds it. Pass the data as an argument of main",
    ),
    (
        re.compile(r"\b(?:stablehlo|mhlo)\.outfeed\b"),
        "waits for ever: nothing reads it. Return the value from main",
    ),
    (
        re.compile(r"\bmhlo\.layout_mode\b"),
        "changes how arrays lie in memory, and arrays here are row-major. Leave the attribute out",
    ),
    (
        re.compile(r"\bxla_(?:ffi_)?(?:partitioned_)?python_(?:cpu|gpu)_callback\b"),
        "crashes: it calls back into Python functions that were never registered. Express it with StableHLO ops",
    ),
)


def _refuse_unsafe(text: str) -> None:
    """Raise CompileError for what XLA compiles although running it never returns, crashes or misreads memory."""
    for pattern, why in _UNSAFE:
        for match in pattern.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            if "//" not in _STRING.sub("", text[start : match.start()]):
                line, column = text.count("\n", 0, start) + 1, match.start() - start + 1
                found = f"the program cannot run: {match.group()} at line {line}, column {column} {why}"
                raise CompileError(f"{found}\n{_quote(text, line, column)}", line, column)


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def _check_types(what: str, declared: Sequence[Spec], compiled: Sequence[str]) -> None:
    """XLA does not check the types that arrays claim to have, so a wrong claim would give wrong numbers."""
    if len(declared) != len(compiled):
        raise CompileError(
            f"main has {len(compiled)} {what}s ({', '.join(compiled)}), but {len(declared)} were declared"
            f" ({_list(declared)}); declare the types of main"
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

_DIAGNOSTIC = re.compile(
    r"^(?:[A-Z_]+: )?(?P<file>\S.*?):(?P<line>\d+)(?::(?P<column>\d+))?: (?:error|note): (?P<what>.*)$", re.MULTILINE
)
_NOISE = re.compile(r"Failed to parse using StableHLO|see current operation")
_STATUS = re.compile(r"^[A-Z_]+: ")


def _compile_error(text: str, message: str) -> CompileError:
    """The error for XLA's `message`: its first diagnostic, the line of `text` that names, the rest, and a way out."""
    found = [m for m in _DIAGNOSTIC.finditer(message) if not _NOISE.search(m["what"])]
    if not found:
        return CompileError(f"XLA refused the program: {_STATUS.sub('', message).strip()}\n{_way_out(message)}")
    first, *others = found
    line, column = int(first["line"]), int(first["column"] or 0)
    in_text = first["file"] == "-" and line > 0
    parts = [f"XLA refused the program{_place(first)}: {first['what']}"]
    if in_text:
        parts.append(_quote(text, line, column))
    parts += [f"{m['what']}{_place(m)}" for m in others]
    parts.append(_way_out(message))
    return CompileError("\n".join(parts), line if in_text else 0, column if in_text else 0)


def _place(diagnostic: re.Match[str]) -> str:
    file, line, column = diagnostic["file"], diagnostic["line"], diagnostic["column"]
    if line == "0":
        return ""
    return f" at line {line}, column {column}" if file == "-" else f" at {file}:{line}"


def _quote(text: str, line: int, column: int) -> str:
    """Line `line` of `text` with a caret under `column`, cut to what fits a terminal."""
    lines = text.split("\n", line)
    if len(lines) < line:
        return ""
    start = max(0, column - 1 - _QUOTE_WIDTH // 2)
    shown = lines[line - 1][start : start + _QUOTE_WIDTH].replace("\t", " ")
    margin = " " * len(str(line))
    return f"  {line} | {shown}\n  {margin} | {' ' * (column - 1 - start)}^"


_QUOTE_WIDTH = 110

_WAYS_OUT = (
    (r"main function|with .main. function", "Name the function to run @main and do not make it private."),
    (r"Unbounded dynamism|PadToStatic", "Give every dimension a size: XLA runs programs of static shape."),
    (
        r"No FFI handler|No registered implementation",
        "No code for this custom call is in the process. Replace it by StableHLO ops.",
    ),
    (r"can't be translated|for export to XLA|not supported by XLA", "Express it with ops that XLA runs here."),
    (r"Dialect `|unregistered", "Use the ops of the dialects stablehlo, chlo and func."),
    (r"compile option|While setting option", "Options are XLA debug flags: {'xla_backend_optimization_level': 0}."),
)


def _way_out(message: str) -> str:
    for pattern, remedy in _WAYS_OUT:
        if re.search(pattern, message):
            return remedy
    return "Correct the program there; the StableHLO specification lists what each op demands."
