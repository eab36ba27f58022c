"""Reverse-mode rules, one file per family of ops. Importing any of its modules fills the tables of `core`."""

from hhlo_xdsl.passes.vjp import (
    binary,
    chlo,
    compare,
    contraction,
    control_flow,
    creation,
    indexing,
    linalg,
    movement,
    normalization,
    quantization,
    random,
    reduction,
    sdy,
    unary,
)

__all__ = [
    "binary",
    "chlo",
    "compare",
    "contraction",
    "control_flow",
    "creation",
    "indexing",
    "linalg",
    "movement",
    "normalization",
    "quantization",
    "random",
    "reduction",
    "sdy",
    "unary",
]
