"""The CHLO dialect: client ops that decompose into StableHLO. This file only lists the families.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from hhlo_xdsl.dialects.chlo import (
    attributes,
    binary,
    broadcast,
    contraction,
    control_flow,
    creation,
    ordering,
    unary,
)
from hhlo_xdsl.dialects.registry import dialect

CHLO = dialect("chlo", attributes, creation, unary, binary, broadcast, contraction, ordering, control_flow)
