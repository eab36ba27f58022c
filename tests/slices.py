"""What tests of gather and scatter share: programs with any roles of dimensions, drawn by hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hhlo_xdsl.dialects.stablehlo.index_numbers import IndexNumbers

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Layout:
    """An operand's shape, the indices' shape, the roles of their dimensions, and the sizes of a slice."""

    shape: tuple[int, ...]
    indices: tuple[int, ...]
    numbers: IndexNumbers
    sizes: tuple[int, ...]
    seed: int

    @property
    def slices(self) -> tuple[int, ...]:
        """The shape of the tensor that holds all slices."""
        n = self.numbers
        window = iter([self.sizes[d] for d in range(len(self.shape)) if d not in (*n.collapsed, *n.operand_batching)])
        over = iter([s for d, s in enumerate(self.indices) if d != n.index_vector_dim])
        rank = len(n.window) + len(self.indices) - (n.index_vector_dim < len(self.indices))
        return tuple(next(window) if d in n.window else next(over) for d in range(rank))

    def starts(self, dtype: Any = np.int32) -> Array:
        """Index vectors, some of them out of bounds."""
        rng = np.random.default_rng(self.seed)
        n = self.numbers
        entries = [rng.integers(-1, self.shape[d] - self.sizes[d] + 2, self._vectors) for d in n.index_map]
        stacked = np.stack(entries, -1) if entries else np.zeros((*self._vectors, 0))
        if n.index_vector_dim == len(self.indices):
            return stacked[..., 0].astype(dtype)
        return np.moveaxis(stacked, -1, n.index_vector_dim).astype(dtype)

    @property
    def _vectors(self) -> tuple[int, ...]:
        return tuple(n for d, n in enumerate(self.indices) if d != self.numbers.index_vector_dim)

    def normal(self, shape: tuple[int, ...], salt: int = 0) -> Array:
        """Standard normal numbers."""
        return np.random.default_rng(self.seed + salt + 1).standard_normal(shape)


@st.composite
def layouts(draw: Callable[..., Any], whole_windows: bool = False) -> Layout:
    """Any roles of dimensions for an operand of rank 0 to 3."""
    shape = tuple(draw(st.lists(st.integers(1, 3), max_size=3)))
    roles = [draw(st.sampled_from(["window", "window", "collapsed", "batching"])) for _ in shape]
    batching = [d for d, role in enumerate(roles) if role == "batching"]
    mapped = [d for d in draw(st.permutations(range(len(shape)))) if d not in batching]
    mapped = mapped[: draw(st.integers(0, len(mapped)))]
    vectors: list[tuple[int, int | None]] = [(n, None) for n in draw(st.lists(st.integers(1, 3), max_size=2))]
    vectors = draw(st.permutations([*vectors, *((shape[d], d) for d in batching)]))
    implicit = len(mapped) == 1 and draw(st.booleans())
    vector_dim = len(vectors) if implicit else draw(st.integers(0, len(vectors)))
    indices = [n for n, _ in vectors]
    partner = [d for _, d in vectors]
    if not implicit:
        indices.insert(vector_dim, len(mapped))
        partner.insert(vector_dim, None)
    sizes = [
        1 if role != "window" else n if whole_windows else draw(st.integers(1, n))
        for n, role in zip(shape, roles, strict=True)
    ]
    rank = len(vectors) + roles.count("window")
    window = sorted(draw(st.permutations(range(rank)))[: roles.count("window")])
    numbers = IndexNumbers(
        tuple(window),
        tuple(d for d, role in enumerate(roles) if role == "collapsed"),
        tuple(batching),
        tuple(partner.index(d) for d in batching),
        tuple(mapped),
        vector_dim,
    )
    return Layout(shape, tuple(indices), numbers, tuple(sizes), draw(st.integers(0, 99)))
