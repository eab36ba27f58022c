"""Reverse-mode rules, one file per family of ops. Importing this package fills the tables of `core`."""

from hhlo_xdsl.passes.vjp import (
    binary,
    chlo,
    compare,
    contraction,
    control_flow,
    creation,
    movement,
    reduction,
    unary,
)

__all__ = [
    "binary",
    "chlo",
    "compare",
    "contraction",
    "control_flow",
    "creation",
    "movement",
    "reduction",
    "unary",
]
