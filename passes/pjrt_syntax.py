"""`hhlo-pjrt-syntax`: afterwards the ordinary printer emits text that a StableHLO 1.16 parser takes.

Which op is spelled how stands in `spellings`; how an op is made to print generically in `generic_form`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.passes.generic_form import to_generic_form
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.spellings import is_spelled_generic


@dataclass(frozen=True)
class PjrtSyntaxPass(HhloPass):
    """Let each op print as the parser of a StableHLO version reads it; nothing else changes."""

    name = "hhlo-pjrt-syntax"

    version: str = "1.16"
    """The StableHLO version of the parser."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises SyntaxVersionError for an op or a version without spelling."""
        spell(op, self.version)


def spell(module: ModuleOp, version: str) -> None:
    """Let every op of `module` print as `version` spells it, in place."""
    for op in module.walk():
        if is_spelled_generic(op, version):
            to_generic_form(op)
