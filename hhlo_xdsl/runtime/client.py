"""Clients, their devices, and the one adapter to jaxlib. Nothing else in the project imports jaxlib to run programs.

jaxlib is imported by the first `open_client`, so that importing the package stays cheap. Where jaxlib's versions
differ, the adapter asks for the feature, never for the version.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import importlib.util
import operator
import os
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, final
from weakref import WeakSet, WeakValueDictionary

import numpy as np

from hhlo_xdsl.dtypes import Spec, from_numpy
from hhlo_xdsl.errors import PluginError, RuntimeArgumentError
from hhlo_xdsl.runtime.array import Array, ArrayType, HostArray, host_array
from hhlo_xdsl.runtime.bytecode import mlir_module
from hhlo_xdsl.runtime.sharding import Sharding, Tiling, tiling

Options = Mapping[str, bool | int | float | str]
Grid = Sequence[Sequence["Device"]]
"""A row of devices per replica: one, or one per partition."""
Propagate = tuple[list[bool], list[bool]]
"""For each parameter and each result whether the partitioner may choose how it is cut."""

MAX_CPU_DEVICES = 1024
"""More take jaxlib minutes to make, and it does not refuse them."""


def open_client(
    platform: str = "cpu",
    devices: int = 1,
    plugin: str | os.PathLike[str] | None = None,
    options: Options | None = None,
) -> Client:
    """Open a client of a platform and use its first `devices` devices.

    platform : "cpu", which is built into jaxlib and makes as many devices as it is told to, or the platform of an
               installed plug-in, such as "cuda"
    plugin   : the path of the shared library of a PJRT plug-in, instead of a platform
    options  : settings that the plug-in understands, such as {"cpu_device_count": 2}

    Raises PluginError when the platform, the plug-in or that many devices are not to be had.
    """
    count = _device_count(devices)
    if plugin is None and platform != "cpu":
        plugin = _installed_plugin(platform)
    if plugin is not None:
        return Client(_open_plugin(Path(plugin), count, options), count)
    if options:
        raise PluginError(
            f"found options {dict(options)}, expected none for the built-in cpu platform; pass plugin= too"
        )
    return Client(_open_cpu(count), count)


def put(value: Any, device: Device) -> Array:
    """`value` as an Array on `device`; see `Device.put`."""
    return device.put(value)


@final
class Client:
    """A connection to a platform. Owns its devices, and through them their arrays and programs.

    Usable from several threads. Once closed, or in a process forked from the one that opened it, every use of its
    devices, arrays and programs raises RuntimeArgumentError.
    """

    __slots__ = ("__weakref__", "_handle", "_lock", "_shardings", "all_devices", "devices", "gone", "platform")

    def __init__(self, handle: Any, count: int):
        self._handle = handle
        self._lock = threading.Lock()
        self._shardings: WeakValueDictionary[Any, Sharding] = WeakValueDictionary()
        self.gone = ""
        """Why the client cannot be used any more, "" while it can."""
        self.platform = str(handle.platform)
        """What the devices are: "cpu", "cuda"."""
        self.devices = tuple(Device(self, device) for device in handle.local_devices()[:count])
        """The devices of this process, one object each."""
        local = {d.id: d for d in self.devices}
        self.all_devices = tuple(local.get(int(d.id)) or Device(self, d) for d in _of_all(handle, self.devices))
        """The devices of all processes of the group, in the same order in each."""
        _clients.add(self)

    def check_open(self) -> None:
        """Raise RuntimeArgumentError if the client cannot be used any more."""
        if self.gone:
            raise RuntimeArgumentError(self.gone)

    def sharding(
        self, devices: Sequence[Device], tiles: tuple[int, ...], order: tuple[tuple[int, ...], ...]
    ) -> Sharding:
        """The one object for arrays cut into `tiles` over `devices`; see `Sharding`."""
        key = (tuple(d.id for d in devices), tiles, order)
        with self._lock:
            return self._shardings.get(key) or self._shardings.setdefault(key, Sharding(tuple(devices), tiles, order))

    def close(self) -> None:
        """Give back the memory of all arrays and refuse further use. Views from `Array.numpy` stay valid.

        Closing twice is allowed.
        """
        with self._lock:
            if self.gone:
                return
            self.gone = (
                f"the {self.platform} client was closed; use its arrays and programs before closing it,"
                " and copy results out with numpy()"
            )
        for buffer in self._handle.live_arrays():
            buffer.delete()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.platform!r}, devices={list(self.devices)}{', closed' if self.gone else ''})"


def _of_all(handle: Any, mine: Sequence[Device]) -> Sequence[Any]:
    """jaxlib's devices of all processes; those of this one if it is alone."""
    everyone = handle.devices()
    alone = len({d.process_index for d in everyone}) == 1
    return [d.handle for d in mine] if alone else everyone


_clients: WeakSet[Client] = WeakSet()


def _after_fork() -> None:
    """A forked child has none of the threads that run programs: a call there would wait for ever."""
    for client in _clients:
        client.gone = (
            f"the {client.platform} client was opened before this process was forked and has no threads here;"
            " open a client in this process, or start it with the spawn method"
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@final
class Device:
    """One device of a client. There is one object per device, so devices are equal only when identical."""

    __slots__ = (
        "__weakref__",
        "_lock",
        "_types",
        "client",
        "handle",
        "id",
        "jaxlib",
        "kind",
        "platform",
        "process",
        "sharding",
    )

    def __init__(self, client: Client, handle: Any):
        self.client = client
        self.handle = handle
        """jaxlib's device."""
        self.jaxlib = load_jaxlib()
        self.sharding = self.jaxlib.sharding(handle)
        self.id = int(handle.id)
        self.platform = str(handle.platform)
        """What the device is: "cpu", "cuda"."""
        self.process = int(handle.process_index)
        """The number of the process that has it, 0 outside a group."""
        self.kind = str(handle.device_kind)
        """The vendor's name of the model."""
        self._lock = threading.Lock()
        self._types: WeakValueDictionary[tuple[np.dtype[Any], tuple[int, ...]], ArrayType] = WeakValueDictionary()

    def put(self, value: Any) -> Array:
        """`value` as an Array on this device.

        value : a numpy array of any strides and byte order, a numpy scalar, anything with `__array__` or `__dlpack__`,
                a Python bool, int, float or complex (i1, i32, f32, complex<f32>), or an Array, which is returned as it
                is when it lives here already and copied when it does not

        The values are copied before `put` returns: changing a numpy array later does not change the Array. Raises
        RuntimeArgumentError for values that no StableHLO type holds and for arrays that are no longer usable.
        """
        self.client.check_open()
        if not isinstance(value, Array):
            return self.put_host(host_array(value))
        value.check_usable()
        if value.device is self:
            return value
        if value.device.client is not self.client or isinstance(value.device, Sharding):
            return self.put_host(value.numpy())
        type = self.array_type(value.dtype, value.shape)
        return Array(self.jaxlib.put(value.buffer, type), type)

    def put_host(self, host: HostArray) -> Array:
        """An Array with the values of `host`, which `host_array` made."""
        type = self.array_type(host.dtype, host.shape)
        try:
            return Array(self.jaxlib.put(host, type), type)
        except RuntimeError as error:
            raise RuntimeArgumentError(
                f"{self.platform} devices of this jaxlib cannot hold {type.spec}: {error}; convert the array"
            ) from error

    def array_type(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> ArrayType:
        """The one object for arrays of `dtype` and `shape` on this device."""
        known = self._types.get((dtype, shape))
        if known is not None:
            return known
        with self._lock:
            return self._types.setdefault((dtype, shape), ArrayType(self, Spec(from_numpy(dtype), shape)))

    def to_numpy(self, buffer: Any, type: ArrayType) -> HostArray:
        """A read-only array with the values of `buffer`, which is finished and of `type`."""
        return self.jaxlib.to_numpy(buffer, type)

    def __repr__(self) -> str:
        return f"{self.platform}:{self.id}"


@final
class Jaxlib:
    """Everything this project asks of jaxlib to run programs, the same on every supported version."""

    def __init__(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        self._loaded_before = not sys.modules.keys().isdisjoint(("jaxlib._jax", "jaxlib._hlo", "jaxlib.mlir"))
        try:
            self._xc: Any = importlib.import_module("jaxlib.xla_client")
            self._native: Any = importlib.import_module("jaxlib._jax")
        except ImportError as error:
            raise PluginError(
                f"jaxlib, which runs programs, cannot be imported: {error}; pip install jaxlib"
            ) from error
        self._copy = self._native.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
        checks = "_skip_checks" in self._xc.array_result_handler.__doc__
        self._handler_options = {"_skip_checks": True} if checks else {}
        # Both read every dtype; the one that newer versions have does so without importing jax.
        newer = hasattr(self._xc.ArrayImpl, "_to_np_array_did_copy")
        self._fetch = operator.methodcaller(
            "_to_np_array_did_copy" if newer else "_single_device_array_to_np_array_did_copy"
        )

    def cpu_client(self, devices: int) -> Any:
        """A new client of the built-in platform."""
        # The log level is read when jaxlib is first imported; somebody else may have done that.
        with _stderr_to_null() if self._loaded_before else contextlib.nullcontext():
            return self._xc.make_cpu_client(num_devices=devices, **_process_group)

    def coordinator(self, address: str, processes: int, timeout: int) -> Any:
        """The service through which `processes` processes find each other, run by this one."""
        return self._native.get_distributed_runtime_service(
            address, processes, shutdown_timeout=timeout, heartbeat_timeout=_NO_HEARTBEAT
        )

    def join_group(self, address: str, number: int, timeout: int) -> Any:
        """A connection to the coordinator; raises RuntimeError when not all processes come within `timeout` seconds."""
        handle = self._native.get_distributed_runtime_client(
            address,
            number,
            init_timeout=timeout,
            shutdown_timeout=timeout,
            heartbeat_timeout=_NO_HEARTBEAT,
            # With any callback, jaxlib raises an error where it would end the process.
            missed_heartbeat_callback=print,
        )
        handle.connect()
        return handle

    def group_arguments(self, handle: Any, number: int, processes: int, address: str | None) -> dict[str, Any]:
        """What `make_cpu_client` is told about the group."""
        collectives = self._native.make_gloo_tcp_collectives(handle, address)
        return {"distributed_client": handle, "node_id": number, "num_nodes": processes, "collectives": collectives}

    def load_plugin(self, path: Path) -> str:
        """Load the plug-in at `path` once, and return the name it has in jaxlib."""
        name = f"hhlo:{path.resolve()}"
        _check_entry(path)
        if not self._xc.pjrt_plugin_loaded(name):
            self._xc.load_pjrt_plugin_dynamically(name, str(path))
        if not self._xc.pjrt_plugin_initialized(name):
            self._xc.initialize_pjrt_plugin(name)
        return name

    def plugin_client(self, name: str, options: Options) -> Any:
        """A new client of the plug-in that `load_plugin` called `name`."""
        return self._xc.make_c_api_client(name, dict(options))

    def gpu_options(self) -> Options:
        """The settings of XLA's GPU plug-ins, from the environment variables that JAX documents."""
        return self._xc.generate_pjrt_gpu_plugin_options()

    def sharding(self, device: Any) -> Any:
        """The placement of an array on `device` alone."""
        return self._xc.GSPMDSharding(self._xc.DeviceList((device,)), self._xc.HloSharding.replicate())

    def over(self, handles: Sequence[Any]) -> Any:
        """The placement of an array with one piece per device."""
        return self._xc.GSPMDSharding(
            self._xc.DeviceList(tuple(handles)), self._xc.HloSharding.iota_tile([len(handles)])
        )

    def join(self, pieces: Sequence[Any], placement: Any, dtype: np.dtype[Any]) -> Any:
        """One array of a buffer per device. jaxlib is told a shape of one row per device, and never looks at it."""
        claim = _Claim((len(pieces),), dtype)
        return self._xc.ArrayImpl(claim, placement, list(pieces), True, True)

    def pieces(self, array: Any) -> Sequence[Any]:
        """The buffers that `join` was given."""
        return array._arrays

    def put(self, value: Any, type: ArrayType) -> Any:
        """A buffer of `type` with the values of a numpy array or of a buffer of another device of the client."""
        device = cast("Device", type.device)
        return self._xc.batched_device_put(
            type, device.sharding, [value], [device.handle], True, False, self._copy, enable_x64=True
        )

    def to_numpy(self, buffer: Any, type: ArrayType) -> HostArray:
        """A read-only array with the values of `buffer`, which is finished and of `type`."""
        if type.dtype.isbuiltin == 1:
            view = np.asarray(buffer)
            if view.dtype == type.dtype:
                return view
        host = self._fetch(buffer)[0]
        host.flags.writeable = False
        return host

    def compile(
        self, program: str, grid: Grid, flags: Options, propagate: Propagate, callbacks: Sequence[Callable[..., Any]]
    ) -> Any:
        """jaxlib's executable of a program for a row of devices per replica.

        flags     : XLA's debug flags
        callbacks : the Python functions that the program calls by number
        """
        build = self._build(grid)
        settings = build.executable_build_options
        settings.use_shardy_partitioner = "sdy." in program
        if len(grid[0]) > 1:
            settings.use_spmd_partitioning = True
            settings.allow_spmd_sharding_propagation_to_parameters = propagate[0]
            settings.allow_spmd_sharding_propagation_to_output = propagate[1]
        build.env_option_overrides = list(flags.items())
        client, devices = grid[0][0].handle.client, self._list(grid)
        if callbacks:
            return client.compile_and_load(mlir_module(program), devices, build, list(callbacks))
        return client.compile_and_load(program, devices, build)

    def load_executable(self, code: bytes, grid: Grid) -> Any:
        """jaxlib's executable of what one of this very version, platform and processor serialized."""
        return grid[0][0].handle.client.deserialize_executable(code, self._list(grid), self._build(grid))

    def register_target(self, name: str, handler: Any, platform: str) -> None:
        """Let custom calls of `name` run the FFI handler in the capsule `handler`."""
        self._xc.register_custom_call_target(name, handler, platform, 1)

    def register_lapack(self) -> None:
        """Let custom calls of the LAPACK functions that jaxlib brings run on the CPU. Other users of jaxlib may too."""
        lapack = importlib.import_module("jaxlib.cpu._lapack")
        lapack.initialize()
        for name, handler in lapack.registrations().items():
            if name.endswith("_ffi"):
                self.register_target(name, handler, "cpu")

    def version(self) -> str:
        """jaxlib's version."""
        return importlib.import_module("jaxlib.version").__version__

    def _build(self, grid: Grid) -> Any:
        """Options with the devices, which must agree with `_list`: a mismatch ends the process."""
        build = self._xc.CompileOptions()
        build.num_replicas, build.num_partitions = len(grid), len(grid[0])
        ids = np.array([[d.id for d in row] for row in grid], np.int32)
        build.device_assignment = self._xc.DeviceAssignment.create(ids)
        return build

    def _list(self, grid: Grid) -> Any:
        return self._xc.DeviceList(tuple(d.handle for row in grid for d in row))

    def shardings(self, executable: Any, devices: int) -> tuple[list[Tiling | None], list[Tiling | None]]:
        """How the parameters and the results of a partitioned program lie on the devices of one replica."""
        read = self._xc.HloSharding.from_proto
        return (
            [tiling(read(s), devices) for s in executable.get_parameter_shardings() or ()],
            [tiling(read(s), devices) for s in executable.get_output_shardings() or ()],
        )

    def signature(self, executable: Any) -> tuple[list[str], list[str]] | None:
        """The types of the parameters and results as XLA writes them, `f32[2,3]{1,0}`; None where it does not say."""
        try:
            module = executable.hlo_modules()[0].as_serialized_hlo_module_proto()
            shape = self._xc.XlaComputation(module).program_shape()
        except RuntimeError:
            return None
        result = shape.result_shape()
        results = result.tuple_shapes() if result.is_tuple() else [result]
        return [str(s) for s in shape.parameter_shapes()], [str(s) for s in results]

    def result_handler(self, type: ArrayType) -> Any:
        """What turns a result of an execution on one device into a buffer of `type`."""
        sharding = cast("Device", type.device).sharding
        return self._xc.array_result_handler(type, sharding, True, **self._handler_options)


@dataclass(frozen=True)
class _Claim:
    """What jaxlib is told about an array of several pieces."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    weak_type: bool = False


@functools.cache
def load_jaxlib() -> Jaxlib:
    """The adapter; imports jaxlib. Raises PluginError if there is none."""
    return Jaxlib()


@contextlib.contextmanager
def _stderr_to_null() -> Generator[None]:
    """Send what the process writes to file descriptor 2 nowhere."""
    try:
        saved = os.dup(2)
    except OSError:
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)


def _device_count(devices: Any) -> int:
    try:
        count = operator.index(devices)
    except TypeError:
        count = 0
    if count < 1:
        raise PluginError(f"found devices={devices!r}, expected an integer of at least 1; leave it out for one device")
    return count


def _open_cpu(count: int) -> Any:
    if count > MAX_CPU_DEVICES:
        raise PluginError(f"found devices={count}, expected at most {MAX_CPU_DEVICES} on the cpu platform; use fewer")
    try:
        return load_jaxlib().cpu_client(count)
    except RuntimeError as error:
        raise PluginError(f"jaxlib could not make {count} cpu devices: {error}; use fewer") from error


_process_group: dict[str, Any] = {}
"""What new CPU clients are told about the group of processes that this one belongs to."""

_NO_HEARTBEAT = 10**8
"""Seconds until a silent process counts as dead: never. jaxlib would end the others then, while a collective with a
dead process fails by itself."""


def set_process_group(arguments: dict[str, Any]) -> None:
    """Let CPU clients made from now on belong to a group of processes, or to none if `arguments` are empty."""
    _process_group.clear()
    _process_group.update(arguments)


_plugin_lock = threading.Lock()


def _open_plugin(path: Path, count: int, options: Options | None) -> Any:
    if not path.is_file():
        raise PluginError(f"found no file {path}, expected the shared library of a PJRT plug-in; {_plugin_advice()}")
    jaxlib = load_jaxlib()
    try:
        with _plugin_lock:
            name = jaxlib.load_plugin(path)
        handle = _plugin_client(jaxlib, name, path, count, options)
    except (RuntimeError, TypeError) as error:
        raise PluginError(
            f"the plug-in {path} did not start: {error}; check that it is a PJRT plug-in for this machine, that its"
            " device and driver are there, and that it knows the options"
        ) from error
    found = handle.local_device_count()
    if found < count:
        raise PluginError(f"the plug-in {path} has {found} devices, expected at least {count}; pass devices={found}")
    return handle


def _check_entry(path: Path) -> None:
    """Raise RuntimeError for a library that gives no table of functions: jaxlib would end the process."""
    try:
        entry = ctypes.CDLL(str(path)).GetPjrtApi
    except OSError as error:
        raise RuntimeError(f"it does not load: {error}") from error
    except AttributeError:
        raise RuntimeError("it has no function GetPjrtApi") from None
    entry.restype = ctypes.c_void_p
    if not entry():
        raise RuntimeError("its GetPjrtApi gives no table of functions")


def _plugin_client(jaxlib: Jaxlib, name: str, path: Path, count: int, options: Options | None) -> Any:
    """A client with the given options, or else with those that the kind of platform is known to take."""
    if options is not None:
        return jaxlib.plugin_client(name, options)
    gpu = any(vendor in path.name for vendor in _GPU_VENDORS)
    handle = jaxlib.plugin_client(name, jaxlib.gpu_options() if gpu else {})
    if handle.platform == "cpu" and handle.local_device_count() < count:
        return jaxlib.plugin_client(name, {"cpu_device_count": count})
    return handle


_GPU_VENDORS = ("cuda", "rocm")


def _installed_plugin(platform: str) -> Path:
    names = _GPU_VENDORS if platform == "gpu" else (platform,)
    for package, library in find_plugins().items():
        if any(name in package for name in names):
            return library
    raise PluginError(f"found platform {platform!r}, but only 'cpu' is built in; {_plugin_advice()}")


def _plugin_advice() -> str:
    found = find_plugins()
    if not found:
        return "install a plug-in, such as jax-cuda13-pjrt, or pass plugin= with the path of its shared library"
    return f"pass plugin= with a path; installed here: {', '.join(map(str, found.values()))}"


def find_plugins() -> dict[str, Path]:
    """The PJRT plug-ins installed as `jax_plugins` packages, by package name. Imports none of them."""
    spec = importlib.util.find_spec("jax_plugins")
    folders = spec.submodule_search_locations if spec is not None else None
    libraries = (library for folder in folders or () for library in sorted(Path(folder).glob("*/*.so")))
    return {library.parent.name: library for library in libraries if "plugin" in library.name}
