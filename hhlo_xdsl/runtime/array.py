"""`Array`, a value in a device's memory, and the host values that may become one. No jaxlib and no programs here."""

from __future__ import annotations

import cmath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, final

import numpy as np
from numpy.typing import DTypeLike

from hhlo_xdsl.dtypes import ALL, DType, Kind, Spec, from_numpy, i1, spec
from hhlo_xdsl.errors import DTypeError, HhloError, RuntimeArgumentError

if TYPE_CHECKING:
    from hhlo_xdsl.runtime.client import Device
    from hhlo_xdsl.runtime.sharding import Sharding

T = TypeVar("T")
HostArray = np.ndarray[Any, np.dtype[Any]]

_HOST_CPU = (1, 0)
"""DLPack's name for ordinary host memory: kDLCPU, device 0."""


@final
class ArrayType:
    """What arrays of one type on one device share.

    A device makes one of these per type, so that a call compares its arguments by identity. `shape`, `dtype` and
    `weak_type` are what jaxlib reads.
    """

    __slots__ = ("__weakref__", "device", "dtype", "is_bool", "shape", "spec")

    weak_type: ClassVar[bool] = False

    def __init__(self, device: Device | Sharding, spec: Spec):
        self.device = device
        self.spec = spec
        self.shape = spec.shape
        self.dtype = spec.dtype.numpy
        self.is_bool = spec.dtype is i1

    def __repr__(self) -> str:
        return f"{self.spec} on {self.device}"


@final
class Array:
    """An immutable array on a device, made by `Device.put` or by calling an `Executable`.

    It may still be being computed. `numpy()` waits for its values; `is_ready()` and `block_until_ready()` ask for the
    state. Every use of an array that was deleted, donated to a program, or whose client was closed raises
    RuntimeArgumentError; an array whose computation failed raises HhloError.
    """

    __slots__ = ("__weakref__", "buffer", "type")

    def __init__(self, buffer: Any, type: ArrayType):
        self.buffer = buffer
        """jaxlib's array. Reading it directly skips every check of this class."""
        self.type = type

    @property
    def spec(self) -> Spec:
        """Element type and shape."""
        return self.type.spec

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return self.type.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type as a numpy dtype; `spec.dtype` is the one of StableHLO."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return len(self.type.shape)

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self.type.spec.size

    @property
    def device(self) -> Device | Sharding:
        """Where the values are: a device, or several that hold a piece or a copy each."""
        return self.type.device

    @property
    def is_deleted(self) -> bool:
        """Whether the memory was given back, by `delete`, by donation to a program or by closing the client."""
        return bool(self.buffer.is_deleted())

    def check_usable(self) -> None:
        """Raise RuntimeArgumentError if the client is closed or the values are gone."""
        self.type.device.client.check_open()
        if self.buffer.is_deleted():
            raise RuntimeArgumentError(
                f"this array, {self.type}, was deleted or donated to a program; expected one that still has its values."
                " Copy what you need with numpy() before, or do not donate the argument"
            )

    def is_ready(self) -> bool:
        """Whether the values are there, so that `numpy()` would not wait. True also when computing them failed."""
        self.check_usable()
        return bool(self.buffer.is_ready())

    def block_until_ready(self) -> Array:
        """Wait until the values are there and return this array. Raises HhloError if computing them failed."""
        self.check_usable()
        try:
            self.buffer.block_until_ready()
        except RuntimeError as error:
            self.check_usable()
            raise failure(f"computing this array, {self.type}, failed", error) from error
        return self

    def delete(self) -> None:
        """Give the memory back now rather than when the last reference goes. Views from `numpy()` stay valid."""
        self.buffer.delete()

    def copy_to(self, device: Device | Sharding) -> Array:
        """This array on another device, which may be of another session; itself if it is there already."""
        return device.put(self)

    def numpy(self) -> HostArray:
        """The values as a read-only numpy array of `shape` and `dtype`; waits for them.

        A view of the device's memory where that is host memory, a copy otherwise. Raises HhloError if computing the
        values failed.
        """
        self.block_until_ready()
        return self.type.device.to_numpy(self.buffer, self.type)

    def item(self) -> Any:
        """The only element, as a Python bool, int, float or complex."""
        if self.size != 1:
            raise RuntimeArgumentError(
                f"{self.spec} has {self.size} elements, expected exactly one; use numpy() to get all of them"
            )
        return self.numpy().item()

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> HostArray:
        view = self.numpy()
        if dtype is None or np.dtype(dtype) == view.dtype:
            return view.copy() if copy else view
        if copy is False:
            raise ValueError(f"{self.spec} cannot become {np.dtype(dtype)} without a copy; leave out copy=False")
        return view.astype(dtype)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of the values in host memory. Consumers that cannot be told "read-only" get a copy."""
        host: Any = self.numpy()
        if host.dtype.isbuiltin != 1:
            raise BufferError(
                f"numpy cannot export {self.spec} through DLPack; export its bits,"
                f" array.numpy().view(numpy.uint{8 * host.itemsize})"
            )
        if max_version is not None and max_version >= (1, 0):
            return host.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        if copy is False:
            raise BufferError(f"{self.spec} is read-only, which DLPack before 1.0 cannot say; leave out copy=False")
        return host.copy().__dlpack__(stream=stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _HOST_CPU

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"{self.spec} is a scalar and has no len(); use item() for its value")
        return self.shape[0]

    def __repr__(self) -> str:
        try:
            values = np.array2string(self.numpy(), threshold=20, separator=", ", prefix="Array(")
        except RuntimeArgumentError:
            values = "<deleted>"
        except HhloError:
            values = "<failed>"
        return f"Array({values}, {self.type})"


def wait(arrays: T) -> T:
    """Block until every Array in `arrays` is ready, and return `arrays`.

    arrays : an Array, or lists, tuples and dicts of them, nested as you like; other leaves are left alone

    Raises HhloError if computing an array failed.
    """
    _wait(arrays)
    return arrays


def _wait(tree: Any) -> None:
    if isinstance(tree, Array):
        tree.block_until_ready()
    elif isinstance(tree, (list, tuple, dict)):
        branch = cast("list[Any] | tuple[Any, ...] | dict[Any, Any]", tree)
        for child in branch.values() if isinstance(branch, dict) else branch:
            _wait(child)


def failure(what: str, error: Exception) -> HhloError:
    """The error for a program that failed while running. `what` opens the message, XLA's own words follow."""
    reason = str(error).strip()
    if reason.startswith("RESOURCE_EXHAUSTED"):
        reason += " Use smaller arrays, delete arrays that are no longer needed, or keep less for the backward pass"
    return HhloError(f"{what}: {reason}")


def host_array(value: Any) -> HostArray:
    """`value` as the numpy array that a device is given: an accepted dtype in native byte order.

    value : numpy array or scalar, anything with `__array__` or, in host memory, `__dlpack__`, or a Python bool, int,
            float or complex, which become i1, i32, f32 and complex<f32>. Nothing is ever narrowed.

    Raises RuntimeArgumentError for other values, for dtypes without a StableHLO type and for integers that need more
    than 32 bits.
    """
    if is_python_scalar(value):
        return weak_scalar(value, spec(value).dtype)
    array = value if type(value) is np.ndarray else _as_numpy(value)
    if array.dtype not in _ACCEPTED:
        array = _native(array)
    # A byte other than 0 or 1 counts as true in numpy, while XLA computes with its bits.
    return np.asarray(array.view(np.uint8) != 0) if array.dtype == i1.numpy else array


_ACCEPTED = frozenset(dtype.numpy for dtype in ALL)


def _native(array: HostArray) -> HostArray:
    try:
        return array.astype(from_numpy(array.dtype).numpy)
    except DTypeError as error:
        raise RuntimeArgumentError(str(error)) from None


def _as_numpy(value: Any) -> HostArray:
    method = next((name for name in ("__array__", "__dlpack__") if hasattr(value, name)), None)
    if method is None:
        raise RuntimeArgumentError(
            f"found a {type(value).__name__}, expected an Array, a numpy array, a scalar or something with __array__"
            " or __dlpack__; numpy.asarray(x, dtype) makes an array of a list"
        )
    try:
        return np.asarray(value) if method == "__array__" else np.from_dlpack(value)
    except HhloError:
        raise
    except Exception as error:
        raise RuntimeArgumentError(
            f"the {method} method of a {type(value).__name__} failed: {error}; pass a numpy array instead"
        ) from error


_RANK: dict[Kind, int] = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}
_NO_KIND_BELOW = {bool: 0, int: 1, float: 2, complex: 3}


def is_python_scalar(value: Any) -> bool:
    """Whether `value` is a Python bool, int, float or complex, which have no element type of their own."""
    return type(value) in _NO_KIND_BELOW


def weak_scalar(value: complex, dtype: DType) -> HostArray:
    """The Python number `value` as a 0-d array of `dtype`.

    The kind may only grow, bool < int < float < complex, and the value must fit: an integer must be in range and a
    finite number must stay finite. Raises RuntimeArgumentError otherwise.
    """
    if _NO_KIND_BELOW[type(value)] > _RANK[dtype.kind]:
        raise RuntimeArgumentError(
            f"found the {type(value).__name__} {value!r}, expected {dtype}; convert it explicitly, as in"
            f" {dtype_name(dtype)}(x)"
        )
    array = _fitting(value, dtype)
    if array is None:
        raise RuntimeArgumentError(
            f"found {value!r}, expected a value in the range of {dtype}; use a wider element type, such as that of"
            " numpy.int64(x) or numpy.float64(x)"
        )
    return array


def _fitting(value: complex, dtype: DType) -> HostArray | None:
    """`value` as a 0-d array of `dtype`, None if it is out of range."""
    try:
        with np.errstate(over="ignore"):
            array = np.array(value, dtype.numpy)
    except (OverflowError, ValueError):
        return None
    if dtype.kind in ("int", "uint"):
        return array if array.item() == value else None
    overflowed = cmath.isfinite(value) and not cmath.isfinite(complex(array.item()))
    return None if overflowed else array


def dtype_name(dtype: DType) -> str:
    """How Python code spells `dtype`: numpy.float32, ml_dtypes.bfloat16."""
    module = "numpy" if dtype.numpy.isbuiltin == 1 else "ml_dtypes"
    return f"{module}.{dtype.numpy.name}"
