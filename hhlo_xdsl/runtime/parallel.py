"""`ParallelExecutable`: one program on several devices, as replicas, as partitions of one run, or as both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import RuntimeArgumentError
from hhlo_xdsl.runtime.array import Array, ArrayType
from hhlo_xdsl.runtime.client import Device, Grid
from hhlo_xdsl.runtime.executable import Executable, host_argument
from hhlo_xdsl.runtime.sharding import Sharding, Tiling

Side = tuple[Sequence[Spec], Sequence[Tiling]]
"""The types of the arguments or of the results, and how each lies on the devices of one replica."""


class ParallelExecutable(Executable):
    """A program compiled for several devices. `grid` has a row of devices per replica, with one per partition.

    A program of one replica is called like any other, with whole arrays; what is not cut yet is cut. With several
    replicas, `run_replicas` takes the arguments of each. All devices start at once, so that collectives meet.
    """

    __slots__ = ("_rows", "_whole")

    def __init__(self, grid: Grid, compiled: Any, text: str, ins: Side, outs: Side):
        process = grid[0][0].client.devices[0].process
        mine = next(device for row in grid for device in row if device.process == process)
        super().__init__(mine, compiled, text, ins[0], outs[0])
        self.grid = grid
        here = [row for row in grid if row[0].process == process]
        self._rows = [(_types(row, ins), _types(row, outs)) for row in here]
        self._whole = self.device.jaxlib.over([d.handle for row in grid for d in row])

    def run_any(self, args: Sequence[Any]) -> tuple[Array, ...]:
        """Run a program of one replica on whole arrays; results are whole arrays over its partitions."""
        if len(self.grid) > 1:
            raise RuntimeArgumentError(
                f"the program was compiled for {len(self.grid)} replicas, each with arguments of its own; use"
                " run_replicas with one sequence of arguments per replica"
            )
        return self.run_replicas([args])[0]

    def takes(self, types: Sequence[ArrayType | None]) -> bool:
        """Never: arguments are looked at for each device."""
        return False

    def run_replicas(self, args: Sequence[Sequence[Any]]) -> list[tuple[Array, ...]]:
        """Run every replica at once: `args` has the arguments of each, and the result their results.

        In a group of processes each gives, and gets, those of its own devices, and all must run the program.

        Raises RuntimeArgumentError as a call does, with the number of the replica.
        """
        self.device.client.check_open()
        if len(args) != len(self._rows):
            here = "" if len(self._rows) == len(self.grid) else f", of which {len(self._rows)} are in this process"
            raise RuntimeArgumentError(
                f"found arguments for {len(args)} replicas, but the program was compiled for {len(self.grid)}{here}"
            )
        arrays = [self._arrays(r, values) for r, values in enumerate(args)]
        buffers = [self._join([row[i] for row in arrays], spec) for i, spec in enumerate(self.inputs)]
        try:
            results = self._execute(buffers).consume_with_handlers([_per_device] * len(self.outputs))
        except (RuntimeError, ValueError) as error:
            raise self._failure([a for row in arrays for a in row], error) from error
        return [self._results(r, results) for r in range(len(self._rows))]

    def _arrays(self, replica: int, values: Sequence[Any]) -> list[Array]:
        """The arguments of one replica, checked and where they must be."""
        if len(values) != len(self.inputs):
            raise RuntimeArgumentError(
                f"replica {replica}: found {len(values)} arguments, expected {len(self.inputs)}; pass one value per"
                " parameter"
            )
        return [
            self._array(replica, i, type, v)
            for i, (type, v) in enumerate(zip(self._rows[replica][0], values, strict=True))
        ]

    def _array(self, replica: int, index: int, type: ArrayType, value: Any) -> Array:
        try:
            if not isinstance(value, Array):
                return type.device.put_host(host_argument(value, type.spec))
            value.check_usable()
            return value if value.type is type else type.device.put_host(host_argument(value.numpy(), type.spec))
        except RuntimeArgumentError as error:
            where = f"replica {replica}, " if len(self.grid) > 1 else ""
            raise RuntimeArgumentError(f"{where}argument {index}, expected {type.spec}: {error}") from None

    def _join(self, arrays: Sequence[Array], spec: Spec) -> Any:
        pieces = [piece for array in arrays for piece in self.device.jaxlib.pieces(array.buffer)]
        return self.device.jaxlib.join(pieces, self._whole, spec.dtype.numpy)

    def _results(self, replica: int, results: Sequence[Sequence[Any]]) -> tuple[Array, ...]:
        width = len(self.grid[0])
        mine = [pieces[replica * width : (replica + 1) * width] for pieces in results]
        return tuple(map(_array_of, mine, self._rows[replica][1]))

    def __repr__(self) -> str:
        return f"ParallelExecutable({self._types_text()} on {[list(row) for row in self.grid]})"


def _per_device(pieces: list[Any]) -> list[Any]:
    return pieces


def _types(row: Sequence[Device], side: Side) -> list[ArrayType]:
    """The types of the arguments or results of one replica."""
    specs, cuts = side
    places: list[Device | Sharding] = [row[0] if len(row) == 1 else row[0].client.sharding(row, *cut) for cut in cuts]
    return [place.array_type(spec.dtype.numpy, spec.shape) for place, spec in zip(places, specs, strict=True)]


def _array_of(pieces: Sequence[Any], type: ArrayType) -> Array:
    place = type.device
    return place.join(pieces, type) if isinstance(place, Sharding) else Array(pieces[0], type)
