"""How convolutions and windowed reductions spell strides, dilations and padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.operands import entries, per_axis
from hhlo_xdsl.where import with_place

PerAxis: TypeAlias = int | Sequence[int]
Padding: TypeAlias = str | Sequence[tuple[int, int]]
""""VALID" (none), "SAME" (as many windows as fit strides into the size), or (low, high) per dimension."""


def windows(
    function: str,
    bases: Sequence[int],
    sizes: Sequence[int],
    strides: PerAxis,
    padding: Padding,
    dilations: tuple[PerAxis, PerAxis] = (1, 1),
) -> list[WindowDim]:
    """One window per dimension, of the given sizes, sliding over `bases`; `dilations` are of the base and the window.

    Raises ShapeError for another number of strides, dilations or pairs, for ones below 1, and for unknown padding.
    """
    n = len(bases)
    columns = [
        _positive(function, name, per_axis(function, name, values, n))
        for name, values in (("strides", strides), ("base dilation", dilations[0]), ("window dilation", dilations[1]))
    ]
    plain = [
        WindowDim(base, size, stride, base_dilation=b, window_dilation=w)
        for base, size, stride, b, w in zip(bases, sizes, *columns, strict=True)
    ]
    pairs = _pairs(function, padding, plain)
    return [replace(d, low=low, high=high) for d, (low, high) in zip(plain, pairs, strict=True)]


def _positive(function: str, name: str, values: tuple[int, ...]) -> tuple[int, ...]:
    if any(n < 1 for n in values):
        raise with_place(ShapeError(f"{function}: {name} is {list(values)}; each must be at least 1"))
    return values


def _pairs(function: str, padding: Any, dims: Sequence[WindowDim]) -> list[tuple[int, int]]:
    """(low, high) per dimension."""
    if padding == "VALID":
        return [(0, 0)] * len(dims)
    if padding == "SAME":
        return [same(function, d) for d in dims]
    pairs = [tuple(entries(p)) for p in entries(padding)]
    if len(pairs) != len(dims) or any(len(p) != 2 for p in pairs):
        raise with_place(
            ShapeError(f'{function}: padding is {padding!r}; "SAME", "VALID" or {len(dims)} pairs were expected')
        )
    return [(p[0], p[1]) for p in pairs]


def same(function: str, d: WindowDim) -> tuple[int, int]:
    """The padding that gives ceil(base / stride) windows; the odd element goes after the last."""
    if d.base_dilation != 1:
        raise with_place(
            ShapeError(f'{function}: padding "SAME" has no meaning beside base dilation {d.base_dilation}; give pairs')
        )
    total = max((-(-d.base // d.stride) - 1) * d.stride + d.reach - d.base, 0)
    return total // 2, total - total // 2
