"""`chlo-legalize-to-stablehlo`: CHLO's ops become StableHLO's. What each becomes stands in the other files.

A lowering is a function that emits StableHLO at the insertion point and gives the values that take the place of the
op's results. Elementwise ones are formulas on `Value`s; floats narrower than f32 are computed in f32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, f32
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl.dialects.emit import block_of, inserting, is_located, located
from hhlo_xdsl.dialects.errors import DTypeError, ShapeError
from hhlo_xdsl.dialects.infix import Value, convert
from hhlo_xdsl.dialects.types import bit_width, compatible
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.place import place

Lowering: TypeAlias = Callable[[Any], Sequence[SSAValue]]
Formula: TypeAlias = Callable[..., Value]

LOWERINGS: dict[type[Operation], Lowering] = {}
"""op -> what emits, at the insertion point, the values that stand for its results."""


def lowering(op: type[Operation]) -> Callable[[Lowering], Lowering]:
    """Register a function `(op) -> values of its results` as the lowering of `op`."""

    def register(lower: Lowering) -> Lowering:
        LOWERINGS[op] = lower
        return lower

    return register


def elementwise(op: type[Operation], formula: Formula) -> None:
    """Register y = formula(operands...), of one type; narrow floats are widened to f32 and the result rounded."""
    LOWERINGS[op] = lambda found: [in_f32(formula, *map(Value, found.operands)).ssa]


def exactly(op: type[Operation], formula: Formula) -> None:
    """Register y = formula(operands...), computed in the operands' own element type."""
    LOWERINGS[op] = lambda found: [formula(*map(Value, found.operands)).ssa]


def in_f32(formula: Formula, *operands: Value) -> Value:
    """formula(operands...), computed in f32 where their elements are narrower floats."""
    element = operands[0].type.element_type
    if not isinstance(element, AnyFloat) or bit_width(element) >= 32:
        return formula(*operands)
    return convert(formula(*(convert(x, f32) for x in operands)), element)


def lowered(op: Operation) -> Sequence[SSAValue]:
    """What stands for the results of `op`, emitted at the insertion point; DTypeError for elements it cannot be for."""
    try:
        return LOWERINGS[type(op)](op)
    except DTypeError as error:
        types = ", ".join(str(v.type) for v in op.operands)
        raise DTypeError(
            f"{op.name}: it has no form in StableHLO for operands {types} ({error}); convert them, for example to f32"
            f"{place(op)}"
        ) from None


def legalize(module: ModuleOp, is_wanted: Callable[[Operation], bool] = lambda op: True) -> None:
    """Replace the CHLO ops of `module`, in place, or those of them that are wanted."""
    for op in list(module.walk(region_first=True)):
        if type(op) in LOWERINGS and is_wanted(op):
            _replace(op)


NOT_FOR_XLA = frozenset(
    {
        *("chlo.ragged_dot", "chlo.scan"),  # XLA on CPU has no code for them, or has not in older versions
        *("chlo.mulhi", "chlo.top_k"),  # StableHLO 1.16 cannot spell mulhi, nor what top_k may say of ties
        *("chlo.zeta", "chlo.broadcast_zeta"),  # wrong for q < -9, where it takes a fixed number of terms
        *("chlo.polygamma", "chlo.broadcast_polygamma"),  # made of zeta
    }
)
"""The ops that XLA's own legalization has no good answer for."""


def for_xla(module: ModuleOp) -> ModuleOp:
    """`module` in which XLA knows every CHLO op: itself, or a copy with the others replaced."""

    def is_wanted(op: Operation) -> bool:
        if op.name == "chlo.top_k":
            return "is_stable" in op.properties
        # XLA aligns operands at their last dimensions only.
        return op.name in NOT_FOR_XLA or (op.name.startswith("chlo.") and "broadcast_dimensions" in op.properties)

    if not any(map(is_wanted, module.walk())):
        return module
    copy = module.clone()
    legalize(copy, is_wanted)
    return copy


def _replace(op: Operation) -> None:
    block = block_of(op)
    with inserting(block, op), located(op.location if is_located(op) else None):
        values = lowered(op)
    for old, new in zip(op.results, values, strict=True):
        if new.type != old.type:
            raise _wrong_type(op, old, new)
        new.name_hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)
    block.erase_op(op)


def _wrong_type(op: Operation, old: SSAValue, new: SSAValue) -> Exception:
    """The error for a lowering whose value has another type than the result it stands for."""
    if compatible(old.type, new.type):
        return ShapeError(
            f"{op.name}: its result is {old.type}, and its form in StableHLO {new.type}; refine the program's types"
            f" first, and leave bounds out{place(op)}"
        )
    return RuntimeError(f"the lowering of {op.name} gave {new.type} for a result of type {old.type}; this is a bug")


@dataclass(frozen=True)
class ChloLegalizePass(HhloPass):
    """Replace every CHLO op by StableHLO ops that compute the same.

    Raises DTypeError for elements that an op has no form for, ShapeError for unknown sizes that a form needs.
    """

    name = "chlo-legalize-to-stablehlo"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        legalize(op)
