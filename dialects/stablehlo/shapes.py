"""Integer arithmetic on shapes, shared by the `infer` of ops and by the rules of passes. No IR here.

Sizes are ints >= 0, or UNKNOWN for `?`, which every function passes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

UNKNOWN = -(2**63)
"""What tensor types hold in place of a size spelled `?`; far from every size that negative padding can give."""


def dilated(size: int, dilation: int) -> int:
    """The extent of `size` elements with `dilation - 1` holes between neighbours."""
    if size == UNKNOWN:
        return UNKNOWN
    return 0 if size == 0 else (size - 1) * dilation + 1


def windows(extent: int, window: int, stride: int) -> int:
    """How many windows, `stride` apart, fit wholly into `extent`."""
    if UNKNOWN in (extent, window):
        return UNKNOWN
    return 0 if extent < window else (extent - window) // stride + 1


@dataclass(frozen=True, slots=True)
class WindowDim:
    """One dimension of a sliding window, as convolution, reduce_window and select_and_scatter use it."""

    base: int
    """The size of the dimension that the window slides over."""
    size: int
    """How many elements the window takes."""
    stride: int = 1
    low: int = 0
    """Padding before the first element; negative cuts."""
    high: int = 0
    """Padding after the last element; negative cuts."""
    base_dilation: int = 1
    window_dilation: int = 1
    reversal: bool = False
    """Whether the window is read backwards (convolution only)."""

    @property
    def dilated_base(self) -> int:
        """The extent of the base with its holes, without padding."""
        return dilated(self.base, self.base_dilation)

    @property
    def reach(self) -> int:
        """The extent of the window with its holes."""
        return dilated(self.size, self.window_dilation)

    @property
    def out(self) -> int:
        """How many positions the window takes."""
        if UNKNOWN in (self.base, self.size):
            return UNKNOWN
        # Negative padding may cut more than there is.
        return windows(max(0, self.low + self.dilated_base + self.high), self.reach, self.stride)


def sliced(start: int, limit: int, stride: int) -> int:
    """How many elements start, start + stride, ... stay below limit."""
    return max(0, -(-(limit - start) // stride))


def padded(size: int, low: int, high: int, interior: int) -> int:
    """The size with `interior` elements between neighbours and edges `low`, `high` (negative cuts); may be < 0."""
    return UNKNOWN if size == UNKNOWN else low + dilated(size, interior + 1) + high


def without(shape: Sequence[int], dims: Sequence[int]) -> tuple[int, ...]:
    """The sizes of `shape` that are not at `dims`."""
    return tuple(n for d, n in enumerate(shape) if d not in dims)


def others(rank: int, *dims: Sequence[int]) -> tuple[int, ...]:
    """The dimensions 0..rank-1 that are in none of `dims`, ascending."""
    taken = {d for group in dims for d in group}
    return tuple(d for d in range(rank) if d not in taken)


def inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    """The permutation that undoes `permutation`."""
    result = [0] * len(permutation)
    for i, d in enumerate(permutation):
        result[d] = i
    return tuple(result)


def count(shape: Sequence[int]) -> int:
    """How many elements an array of `shape` has; UNKNOWN if a size is."""
    return UNKNOWN if UNKNOWN in shape else prod(shape)
