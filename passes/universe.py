"""What stock `xdsl-opt` sees of this project: dialects and passes, each imported when first used.

xDSL does not start if two installed packages define one dialect, and xdsl-jax, for example, defines `stablehlo` too, in
part. Loading this module therefore takes the dialects defined here out of the other packages' lists, in this process
only; their passes stay. HHLO_XDSL_KEEP_OTHER_DIALECTS=1 in the environment leaves the lists alone: to see xDSL's own
message, or where the other package is made to give way.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from hhlo_xdsl.dialects.elements import install_elements_fixes
from hhlo_xdsl.dialects.locations import install_location_fixes


def _stablehlo() -> Dialect:
    from hhlo_xdsl.dialects.stablehlo import StableHLO

    return StableHLO


def _chlo() -> Dialect:
    from hhlo_xdsl.dialects.chlo import CHLO

    return CHLO


def _quant() -> Dialect:
    from hhlo_xdsl.dialects.quant import Quant

    return Quant


def _sdy() -> Dialect:
    from hhlo_xdsl.dialects.sdy import Sdy

    return Sdy


def _grad() -> type[ModulePass]:
    from hhlo_xdsl.passes.grad import GradPass

    return GradPass


def _jvp() -> type[ModulePass]:
    from hhlo_xdsl.passes.forward import JvpPass

    return JvpPass


def _inline() -> type[ModulePass]:
    from hhlo_xdsl.passes.inline import InlinePass

    return InlinePass


def _pjrt_syntax() -> type[ModulePass]:
    from hhlo_xdsl.passes.pjrt_syntax import PjrtSyntaxPass

    return PjrtSyntaxPass


def _chlo_legalize() -> type[ModulePass]:
    from hhlo_xdsl.passes.chlo_legalize.core import ChloLegalizePass

    return ChloLegalizePass


def _simplify() -> type[ModulePass]:
    from hhlo_xdsl.passes.simplify import SimplifyPass

    return SimplifyPass


UNIVERSE = Universe(
    all_dialects={"stablehlo": _stablehlo, "chlo": _chlo, "quant": _quant, "sdy": _sdy},
    all_passes={
        "chlo-legalize-to-stablehlo": _chlo_legalize,
        "hhlo-grad": _grad,
        "hhlo-jvp": _jvp,
        "hhlo-inline": _inline,
        "hhlo-pjrt-syntax": _pjrt_syntax,
        "hhlo-simplify": _simplify,
    },
)


def _displace_others() -> None:
    for entry in entry_points(group="xdsl.universe"):
        if entry.value.partition(".")[0] not in ("xdsl", "hhlo_xdsl"):
            others = _dialects_of(entry)
            for name in UNIVERSE.all_dialects.keys() & others.keys():
                del others[name]


def _dialects_of(entry: EntryPoint) -> dict[str, Callable[[], Dialect]]:
    """The dialects of another package's universe; none if it cannot be loaded, which xDSL reports itself."""
    try:
        found: object = entry.load()
    except Exception:
        return {}
    return found.all_dialects if isinstance(found, Universe) else {}


# A constant or a location may come before the first op that makes xDSL load the dialect.
install_elements_fixes()
install_location_fixes()
if os.environ.get("HHLO_XDSL_KEEP_OTHER_DIALECTS") != "1":
    _displace_others()
