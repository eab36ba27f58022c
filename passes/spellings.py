"""How each op is spelled in the text that a PJRT plug-in's StableHLO parser reads. What a version can say: `versions`.

A parser of version 1.16 takes the custom forms of most ops, but not of all in the variants that producers print. The
ops below are spelled in generic form, `"name"(...) {...} : ...`, which every parser takes.
"""

from __future__ import annotations

from xdsl.ir import Operation

from hhlo_xdsl.dialects.errors import SyntaxVersionError
from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.control_flow import is_lossy
from hhlo_xdsl.passes.versions import check_version

GENERIC: frozenset[str] = frozenset(
    f"stablehlo.{name}"
    for name in (
        "batch_norm_grad",
        "batch_norm_inference",
        "batch_norm_training",
        "compare",
        "concatenate",
        "dynamic_conv",
        "dynamic_gather",
        "dynamic_slice",
        "gather",
        "iota",
        "map",
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
        "torch_index_select",
        "transpose",
    )
) | {"chlo.scan"}
"""The ops that are spelled in generic form, in every version."""

_DIALECTS = ("builtin", "func", "stablehlo", "chlo", "sdy")


def is_spelled_generic(op: Operation, version: str) -> bool:
    """Whether `op` is spelled in generic form; raises SyntaxVersionError if `version` has no spelling for it."""
    dialect = op.name.partition(".")[0]
    if dialect not in _DIALECTS:
        raise SyntaxVersionError(
            f"{op.name}: StableHLO {version} has no such op; PJRT text holds ops of {', '.join(_DIALECTS)};"
            " lower it first"
        )
    check_version(op, version)
    return op.name in GENERIC or _without_contraction(op) or is_lossy(op)


def _without_contraction(op: Operation) -> bool:
    """An outer product, whose custom form ends in the empty lists that not every parser of the text takes."""
    return isinstance(op, DotGeneralOp) and not op.dot_dimension_numbers.data.lhs_contracting
