"""The StableHLO dialect. Each op stands in the file of its family; this file only lists the families.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md
"""

from hhlo_xdsl.dialects import bounds
from hhlo_xdsl.dialects.elements import install_elements_fixes
from hhlo_xdsl.dialects.registry import dialect
from hhlo_xdsl.dialects.stablehlo import (
    asynchrony,
    attributes,
    binary,
    collective_reduction,
    compare,
    contraction,
    control_flow,
    creation,
    deprecated,
    dimension_numbers,
    distribution,
    dynamic,
    extension,
    index_numbers,
    indexing,
    io,
    layouts,
    linalg,
    map,
    movement,
    normalization,
    ordering,
    processes,
    quantization,
    random,
    reduction,
    types,
    unary,
)

install_elements_fixes()
control_flow.install_generic_loops()

StableHLO = dialect(
    "stablehlo",
    bounds,
    types,
    attributes,
    dimension_numbers,
    creation,
    unary,
    binary,
    compare,
    movement,
    index_numbers,
    indexing,
    dynamic,
    contraction,
    deprecated,
    reduction,
    map,
    ordering,
    linalg,
    normalization,
    random,
    quantization,
    control_flow,
    processes,
    distribution,
    collective_reduction,
    asynchrony,
    io,
    layouts,
    extension,
)
