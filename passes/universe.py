"""What stock `xdsl-opt` sees of this project: dialects and passes, each imported when first used."""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe


def _stablehlo() -> Dialect:
    from hhlo_xdsl.dialects.stablehlo import StableHLO

    return StableHLO


def _chlo() -> Dialect:
    from hhlo_xdsl.dialects.chlo import CHLO

    return CHLO


def _grad() -> type[ModulePass]:
    from hhlo_xdsl.passes.grad import GradPass

    return GradPass


def _pjrt_syntax() -> type[ModulePass]:
    from hhlo_xdsl.passes.pjrt_syntax import PjrtSyntaxPass

    return PjrtSyntaxPass


UNIVERSE = Universe(
    all_dialects={"stablehlo": _stablehlo, "chlo": _chlo},
    all_passes={"hhlo-grad": _grad, "hhlo-pjrt-syntax": _pjrt_syntax},
)
