"""Forward-mode rules, one file per family of ops. Importing any of its modules fills the tables of `core`."""

from hhlo_xdsl.passes.jvp import (
    binary,
    compare,
    contraction,
    control_flow,
    creation,
    indexing,
    linalg,
    movement,
    normalization,
    ordering,
    reduction,
    sdy,
    unary,
)

__all__ = [
    "binary",
    "compare",
    "contraction",
    "control_flow",
    "creation",
    "indexing",
    "linalg",
    "movement",
    "normalization",
    "ordering",
    "reduction",
    "sdy",
    "unary",
]
