"""Programs of CHLO ops, and the same without them. What tests of the pass share."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

import hhlo_xdsl as hh
from hhlo_xdsl.passes.verify import verify
from tests import cpp


def legalized(text: str) -> ModuleOp:
    """The program without CHLO ops, verified by us and by C++."""
    module = hh.legalize_chlo(hh.parse(text))
    assert "chlo." not in hh.to_text(module)
    verify(module)
    assert cpp.refuses(hh.to_text(module)) is None
    return module


def elementwise(ops: Sequence[str], type: str, operands: int = 1, result: str | None = None) -> str:
    """A program that gives the results of all ops on the same operands."""
    names = ", ".join(f"%a{i}" for i in range(operands))
    arguments = ", ".join(f"%a{i}: {type}" for i in range(operands))
    result = result or type
    lines = [f"  %r{i} = chlo.{op} {names} : {', '.join([type] * operands)} -> {result}" for i, op in enumerate(ops)]
    results = ", ".join(f"%r{i}" for i in range(len(ops)))
    types = ", ".join([result] * len(ops))
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {results} : {types}\n}}"
