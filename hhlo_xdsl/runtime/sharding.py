"""`Sharding`: one array over several devices. Which part of it each device holds; no programs here."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast, final
from weakref import WeakValueDictionary

import numpy as np

from hhlo_xdsl.dtypes import Spec, from_numpy
from hhlo_xdsl.errors import RuntimeArgumentError
from hhlo_xdsl.runtime.array import Array, ArrayType, HostArray, host_array

if TYPE_CHECKING:
    from hhlo_xdsl.runtime.client import Client, Device

Box = tuple[slice, ...]
Tiling = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""`tiles` and `order` of a Sharding."""


@final
class Sharding:
    """Devices, and how an array is cut into one equal piece per device, or copied to all.

    tiles : how often each dimension is cut; () if every device holds the whole array
    order : for each tile, row by row, the numbers of the devices that hold it (several hold the same piece when there
            are more devices than tiles)

    Made by `Client.sharding`, so that equal ones are the same object.
    """

    __slots__ = ("__weakref__", "_lock", "_types", "client", "devices", "jaxlib", "order", "tiles", "whole")

    def __init__(self, devices: tuple[Device, ...], tiles: tuple[int, ...], order: tuple[tuple[int, ...], ...]):
        self.devices = devices
        self.tiles = tiles
        self.order = order
        self.client: Client = devices[0].client
        self.jaxlib = devices[0].jaxlib
        self.whole = self.jaxlib.over([d.handle for d in devices])
        """jaxlib's word for an array with one piece per device. What the pieces mean is known here only."""
        self._lock = threading.Lock()
        self._types: WeakValueDictionary[tuple[np.dtype[Any], tuple[int, ...]], ArrayType] = WeakValueDictionary()

    def boxes(self, shape: tuple[int, ...]) -> list[Box]:
        """Per device, which part of an array of `shape` it holds."""
        piece = shard_shape(shape, self.tiles)
        if not self.tiles:
            return [()] * len(self.devices)
        found: list[Box] = [()] * len(self.devices)
        for tile, holders in zip(np.ndindex(self.tiles), self.order, strict=True):
            for device in holders:
                found[device] = tuple(slice(i * n, (i + 1) * n) for i, n in zip(tile, piece, strict=True))
        return found

    def put(self, value: Any) -> Array:
        """`value` as an Array with a piece on each device; what values there may be, `Device.put` says."""
        self.client.check_open()
        if not isinstance(value, Array):
            return self.put_host(host_array(value))
        value.check_usable()
        return value if value.device is self else self.put_host(value.numpy())

    def put_host(self, host: HostArray) -> Array:
        """An Array with the values of `host`, which `host_array` made."""
        pieces = [d.put_host(host[box]).buffer for d, box in zip(self.devices, self.boxes(host.shape), strict=True)]
        return self.join(pieces, self.array_type(host.dtype, host.shape))

    def join(self, pieces: Sequence[Any], type: ArrayType) -> Array:
        """The Array that consists of one buffer per device."""
        return Array(self.jaxlib.join(pieces, self.whole, type.dtype), type)

    def array_type(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> ArrayType:
        """The one object for arrays of `dtype` and `shape` that lie like this."""
        shard_shape(shape, self.tiles)
        with self._lock:
            key = (dtype, shape)
            return self._types.get(key) or self._types.setdefault(key, ArrayType(self, Spec(from_numpy(dtype), shape)))

    def to_numpy(self, buffer: Any, type: ArrayType) -> HostArray:
        """A read-only array with the values of `buffer`, which is finished and of `type`."""
        pieces = self.jaxlib.pieces(buffer)
        result = np.empty(type.shape, type.dtype)
        piece_shape = shard_shape(type.shape, self.tiles)
        for device, box, piece in zip(self.devices, self.boxes(type.shape), pieces, strict=True):
            result[box] = self.jaxlib.to_numpy(piece, device.array_type(type.dtype, piece_shape))
        result.flags.writeable = False
        return result

    def __repr__(self) -> str:
        cut = "x".join(map(str, self.tiles)) + " pieces on " if self.tiles else "copies on "
        return cut + ",".join(map(repr, self.devices))


def shard_shape(shape: tuple[int, ...], tiles: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of each piece of an array; raises RuntimeArgumentError if the pieces would not be equal."""
    if not tiles:
        return shape
    if len(tiles) != len(shape) or any(d % n for d, n in zip(shape, tiles, strict=True)):
        raise RuntimeArgumentError(
            f"found shape {shape}, which cannot be cut into {'x'.join(map(str, tiles))} equal pieces, one per device;"
            " pad it to a multiple, or shard other dimensions"
        )
    return tuple(d // n for d, n in zip(shape, tiles, strict=True))


def tiling(hlo: Any, devices: int) -> Tiling | None:
    """`tiles` and `order` of jaxlib's HloSharding; None for one that is not an even cut or a copy.

    XLA lists the devices of all tiles row by row; the last dimension of the list may number copies of one tile.
    """
    if hlo is None or hlo.is_replicated():
        return (), (tuple(range(devices)),)
    if not hlo.is_tiled() or hlo.subgroup_types():
        return None
    dims = cast("list[int]", list(hlo.tile_assignment_dimensions()))
    numbers = cast("list[int]", list(hlo.tile_assignment_devices()))
    tiles = tuple(dims[:-1] if hlo.replicate_on_last_tile_dim() else dims)
    copies = len(numbers) // math.prod(tiles)
    return tiles, tuple(tuple(numbers[i : i + copies]) for i in range(0, len(numbers), copies))
