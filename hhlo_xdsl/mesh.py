"""`Mesh` and `shard`: how tensors of a traced program lie on several devices, in Shardy's terms."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.sdy import MeshAttr, MeshOp, ShardingAttr, ShardingConstraintOp
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.tensor import ArrayLike, Tensor, tensor
from hhlo_xdsl.where import with_place

Axes = str | Sequence[str] | None
"""Over which axes of a mesh a dimension is cut: none, one, or several, the first one outermost."""


@final
class Mesh:
    """An arrangement of devices with named axes: `Mesh({"data": 4, "model": 2})` has 8.

    A program that uses it is compiled with `CompileOptions(partitions=mesh.size)`; devices fill the mesh row by row.
    """

    def __init__(self, axes: Mapping[str, int]):
        self.axes = dict(axes)
        """The size of each axis."""
        for name, size in self.axes.items():
            if not re.fullmatch(r"[A-Za-z_]\w*", name) or type(size) is not int or size < 1:
                raise ShapeError(f'Mesh: axis {name!r} has size {size!r}; names with sizes as {{"x": 4}} were expected')
        if not self.axes:
            raise ShapeError('Mesh: there is no axis; names with sizes as {"x": 4} were expected')
        self.size = math.prod(self.axes.values())
        """How many devices there are."""
        self.name = "_".join(["mesh", *(f"{name}{size}" for name, size in self.axes.items())])
        """What it is called in programs; meshes with the same axes are the same."""
        _meshes[self.name] = self

    def op(self) -> MeshOp:
        """Its definition in a module."""
        axes = ", ".join(f"{json.dumps(name)}={size}" for name, size in self.axes.items())
        return MeshOp.create(properties={"sym_name": StringAttr(self.name), "mesh": MeshAttr(f"<[{axes}]>")})

    def __repr__(self) -> str:
        return f"Mesh({self.axes})"


_meshes: dict[str, Mesh] = {}
"""Every mesh that was made, by name."""


def shard(x: ArrayLike, mesh: Mesh, axes: Sequence[Axes]) -> Tensor:
    """x, cut over the devices of a mesh: dimension d over the axes `axes[d]`, and copied over those not named.

    Only where x lies changes, not what it is. Its cotangent is cut alike. Raises ShapeError for axes that the mesh does
    not have, that are named twice, or that do not divide the dimension.
    """
    t = tensor(x)
    cuts = [(a,) if isinstance(a, str) else tuple(a or ()) for a in axes]
    _check(t, mesh, cuts)
    dims = ", ".join("{" + ", ".join(map(json.dumps, cut)) + "}" for cut in cuts)
    return Tensor(emit(ShardingConstraintOp.laid_out(t.ssa, ShardingAttr(f"<@{mesh.name}, [{dims}]>"))))


def _check(x: Tensor, mesh: Mesh, cuts: Sequence[Sequence[Any]]) -> None:
    if len(cuts) != len(x.shape):
        raise with_place(
            ShapeError(
                f"shard: axes are given for {len(cuts)} dimensions, and {x.spec} has {len(x.shape)}; give one each"
            )
        )
    named = [name for cut in cuts for name in cut]
    for name in named:
        if name not in mesh.axes or named.count(name) > 1:
            raise with_place(
                ShapeError(
                    f"shard: axis {name!r} is not one of {list(mesh.axes)}, or named twice; use each at most once"
                )
            )
    for d, cut in enumerate(cuts):
        pieces = math.prod(mesh.axes[name] for name in cut)
        if x.shape[d] % pieces:
            raise with_place(
                ShapeError(f"shard: dimension {d} of {x.spec} cannot be cut into {pieces} equal pieces; pad it")
            )


def meshes_in(functions: Iterable[Operation]) -> list[MeshOp]:
    """The definitions of the meshes that ops of traced functions use, in order of first use."""
    used: dict[str, None] = {}
    for op in (op for function in functions for op in function.walk()):
        if isinstance(op, ShardingConstraintOp):
            used.update(dict.fromkeys(re.findall(r"<@(\w+)", op.sharding.data)))
    return [_meshes[name].op() for name in used]
