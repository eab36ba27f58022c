"""Reverse-mode rules of ops that are kept for old programs: those of the newer ops that say the same."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import Value, select
from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.deprecated import BroadcastOp, DotOp, EinsumOp, UnaryEinsumOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import DotNumbers
from hhlo_xdsl.dialects.types import like, shape_of, type_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, only, vjp_rule, walk_rule
from hhlo_xdsl.passes.vjp.folds import check_static, converted
from hhlo_xdsl.passes.vjp.movement import transposed
from hhlo_xdsl.passes.vjp.regions import pulled_back
from hhlo_xdsl.passes.vjp.sums import sum_over


@vjp_rule(BroadcastOp)
def broadcast(op: BroadcastOp, cts: Cotangents) -> Cotangents:
    """The cotangent, summed over the dimensions in front."""
    return [sum_over(only(cts), range(len(shape_of(op.result)) - len(shape_of(op.operand))))]


@walk_rule(DotOp)
def dot(op: DotOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Those of dot_general."""
    check_static(op)
    return pulled_back(walk, lambda: [dot_general_of(op)], cts, op.operands)


def dot_general_of(op: DotOp) -> SSAValue:
    """The dot_general that says the same."""
    numbers = DotNumbers((), (), (len(shape_of(op.lhs)) - 1,), (0,))
    element = type_of(op.result).element_type
    return emit(DotGeneralOp(op.lhs, op.rhs, numbers, precision=op.precision, element=element))


@walk_rule(EinsumOp)
@walk_rule(UnaryEinsumOp)
def einsum(op: EinsumOp | UnaryEinsumOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Those of the sums and products that it stands for."""
    check_static(op)
    return pulled_back(walk, lambda: [written_out(op)], cts, op.operands)


# An einsum, one step at a time: an operand in which a letter stands twice keeps its diagonal; a letter that stands in
# one operand only, and not in the result, is summed over; dot_general multiplies the rest, with the letters that both
# have as batch if the result has them, else contracted; a transpose brings them into the order of the result.


def written_out(op: EinsumOp | UnaryEinsumOp) -> SSAValue:
    """What `op` computes, by other ops."""
    _check_letters(op)
    given, _, wanted = op.einsum_config.data.partition("->")
    terms = given.split(",")
    reduced = [
        _reduced(x, letters, wanted + "".join(terms[:i] + terms[i + 1 :]))
        for i, (x, letters) in enumerate(zip(op.operands, terms, strict=True))
    ]
    result, letters = reduced[0] if len(reduced) == 1 else _product(*reduced[0], *reduced[1], wanted)
    return converted(transposed(result, [letters.index(k) for k in wanted]), op.result)


def _check_letters(op: EinsumOp | UnaryEinsumOp) -> None:
    """Raise DifferentiationError unless the config is one, and gives the result's sizes; upstream checks neither."""
    config = op.einsum_config.data
    shape = op.infer([type_of(x) for x in op.operands], config).get_shape()
    wanted = config.partition("->")[2]
    if shape != shape_of(op.result) or len(set(wanted)) != len(wanted):
        raise DifferentiationError(
            f"{op.name}: its config {config} gives sizes {list(shape)}, its result is {op.result.type}; its derivative"
            f" needs equal sizes, and letters after the arrow once each{place(op)}"
        )


def _reduced(x: SSAValue, letters: str, needed: str) -> tuple[SSAValue, str]:
    """x with each letter once, and without those that nothing else needs."""
    while repeated := next((k for k in letters if letters.count(k) > 1), None):
        first, second = letters.index(repeated), letters.rindex(repeated)
        x, letters = _diagonal(x, first, second), letters[:second] + letters[second + 1 :]
    alone = [d for d, k in enumerate(letters) if k not in needed]
    return sum_over(x, alone), "".join(k for k in letters if k in needed)


def _diagonal(x: SSAValue, first: int, second: int) -> SSAValue:
    """The elements whose positions in two dimensions are equal, without the second one."""
    type = like(type_of(x), element=i32)
    rows, columns = (Value(emit(IotaOp(type, d))) for d in (first, second))
    return sum_over(select(rows.equal(columns), Value(x), 0).ssa, [second])


def _product(x: SSAValue, left: str, y: SSAValue, right: str, wanted: str) -> tuple[SSAValue, str]:
    """The product of two operands, with the letters of its dimensions; letters that both have are summed over."""
    batch = [k for k in left if k in right and k in wanted]
    contracted = [k for k in left if k in right and k not in wanted]
    numbers = DotNumbers(*(_places(k, at) for k in (batch, contracted) for at in (left, right)))
    free = [k for at in (left, right) for k in at if k not in batch and k not in contracted]
    return emit(DotGeneralOp(x, y, numbers)), "".join([*batch, *free])


def _places(letters: Sequence[str], at: str) -> tuple[int, ...]:
    return tuple(at.index(k) for k in letters)
