"""Reverse-mode rules, one file per family of ops. Importing any of its modules fills the tables of `core`."""

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
