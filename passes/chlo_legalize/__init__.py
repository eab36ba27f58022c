"""CHLO's ops as StableHLO's, one file per family. Importing any of its modules fills the table of `core`."""

from hhlo_xdsl.passes.chlo_legalize import (
    bessel,
    bits,
    broadcast,
    contraction,
    control_flow,
    erf,
    gamma,
    hyperbolic,
    inverse,
    ordering,
)
from hhlo_xdsl.passes.chlo_legalize.core import for_xla, legalize

__all__ = [
    "bessel",
    "bits",
    "broadcast",
    "contraction",
    "control_flow",
    "erf",
    "for_xla",
    "gamma",
    "hyperbolic",
    "inverse",
    "legalize",
    "ordering",
]
