"""How each op is spelled in the text that a PJRT plug-in's StableHLO parser reads. One table per version.

A parser of version 1.16 takes the custom forms of most ops, but not of all in the variants that producers print. The
ops below are spelled in generic form, `"name"(...) {...} : ...`, which every parser takes.
"""

from __future__ import annotations

from xdsl.ir import Operation

from hhlo_xdsl.dialects.errors import SyntaxVersionError
from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp

GENERIC: dict[str, frozenset[str]] = {
    "1.16": frozenset(
        f"stablehlo.{name}"
        for name in (
            "batch_norm_grad",
            "batch_norm_inference",
            "batch_norm_training",
            "compare",
            "concatenate",
            "dynamic_slice",
            "gather",
            "iota",
            "pad",
            "reduce",
            "reduce_window",
            "return",
            "reverse",
            "rng",
            "rng_bit_generator",
            "scatter",
            "select_and_scatter",
            "slice",
            "sort",
            "transpose",
        )
    ),
}
"""Version -> the ops that are spelled in generic form."""

_DIALECTS = ("builtin", "func", "stablehlo", "chlo")


def is_spelled_generic(op: Operation, version: str) -> bool:
    """Whether `op` is spelled in generic form in `version`; raises SyntaxVersionError if it has no spelling."""
    dialect = op.name.partition(".")[0]
    if dialect not in _DIALECTS:
        raise SyntaxVersionError(
            f"{op.name}: StableHLO {version} has no such op; PJRT text holds ops of {', '.join(_DIALECTS)};"
            " lower it first"
        )
    return op.name in table(version) or _without_contraction(op)


def table(version: str) -> frozenset[str]:
    """The ops that `version` spells in generic form; raises SyntaxVersionError for an unknown version."""
    found = GENERIC.get(version)
    if found is None:
        raise SyntaxVersionError(f'StableHLO version "{version}" is not known; known are {", ".join(GENERIC)}')
    return found


def _without_contraction(op: Operation) -> bool:
    """The custom form of an outer product would end in a comma, which no parser takes."""
    return isinstance(op, DotGeneralOp) and not op.dot_dimension_numbers.data.lhs_contracting
