"""CHLO's op that multiplies matrices whose rows come in groups: ragged_dot, and the attribute with its dimensions.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Data, SSAValue
from xdsl.irdl import BaseAttr, irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.chlo.attributes import ChloPrecisionAttr
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.base import AbstractGenericOp, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_distinct_in_range, check_kind, check_result, violated
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import Dims, parse_dims, parse_fields
from hhlo_xdsl.dialects.stablehlo.precision import check_precision
from hhlo_xdsl.dialects.types import (
    ANY,
    INTEGER,
    QUANTIZED,
    QUANTIZED_ANY,
    RankedTensor,
    compatible_sizes,
    tensor,
    type_of,
)

RaggedRole: TypeAlias = Literal["free", "contracting", "batching"]
"""The role of lhs's ragged dimension; it decides what the groups do."""


@dataclass(frozen=True, slots=True)
class RaggedDotNumbers:
    """The roles of the dimensions of ragged_dot's operands; those in no list are free.

    The k-th batching dimension of lhs goes with the k-th of rhs, likewise the contracting ones. `lhs_ragged` is the
    one dimension of lhs that the groups cut; `rhs_group` counts the groups in rhs, if that has a slice for each.
    """

    lhs_batching: Dims = ()
    rhs_batching: Dims = ()
    lhs_contracting: Dims = ()
    rhs_contracting: Dims = ()
    lhs_ragged: Dims = ()
    rhs_group: Dims = ()

    @property
    def ragged(self) -> int:
        """The ragged dimension of lhs."""
        return self.lhs_ragged[0]

    @property
    def role(self) -> RaggedRole:
        """The role of the ragged dimension."""
        if self.ragged in self.lhs_batching:
            return "batching"
        return "contracting" if self.ragged in self.lhs_contracting else "free"

    def lhs_free(self, rank: int) -> Dims:
        """The dimensions of lhs, of `rank` dimensions, that are free; the ragged one among them in its role "free"."""
        return tuple(d for d in range(rank) if d not in self.lhs_batching + self.lhs_contracting)

    def rhs_free(self, rank: int) -> Dims:
        """The dimensions of rhs, of `rank` dimensions, that are free."""
        return tuple(d for d in range(rank) if d not in self.rhs_batching + self.rhs_contracting + self.rhs_group)

    def before_ragged(self, rank: int) -> Dims:
        """The dimensions of lhs, of `rank` dimensions, that have groups of their own: those outside the ragged one."""
        if self.role == "batching":
            return self.lhs_batching[: self.lhs_batching.index(self.ragged)]
        if self.role == "contracting":
            return self.lhs_batching + self.lhs_contracting[: self.lhs_contracting.index(self.ragged)]
        return self.lhs_batching + tuple(d for d in self.lhs_free(rank) if d < self.ragged)


@irdl_attr_definition
class RaggedDotNumbersAttr(Data[RaggedDotNumbers]):
    """`#chlo.ragged_dot<lhs_contracting_dimensions = [1], .., lhs_ragged_dimensions = [0]>`, without empty lists."""

    name = "chlo.ragged_dot"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> RaggedDotNumbers:
        with parser.in_angle_brackets():
            found = parse_fields(parser, {f"{f.name}_dimensions": parse_dims for f in fields(RaggedDotNumbers)})
        return RaggedDotNumbers(**{name.removesuffix("_dimensions"): dims for name, dims in found.items()})

    def print_parameter(self, printer: Printer) -> None:
        lists = ((f.name, getattr(self.data, f.name)) for f in fields(RaggedDotNumbers))
        spelled = (f"{name}_dimensions = {list(dims)}" for name, dims in lists if dims)
        printer.print_string(f"<{', '.join(spelled)}>")


@irdl_op_definition
class RaggedDotOp(AbstractGenericOp):
    """The products of matrices, one dimension of which is cut into groups of consecutive indices.

    With batching b, free m and n, contracting k, and g groups, by the role of lhs's ragged dimension:

    free        : lhs [b, m, k], rhs [g, b, k, n] -> [b, m, n]; row i of lhs meets the slice of rhs of its group
    contracting : lhs [b, m, k], rhs [b, k, n] -> [g, b, m, n]; each group of k gives a product of its own
    batching    : lhs [b, m, k], rhs [b, k, n] -> [b, m, n]; as dot_general, for indices of b in any group

    group_sizes      : integers [g], or [outer.., g] with the sizes of the dimensions outside the ragged one
    precision_config : how precisely lhs and rhs are multiplied
    result           : elements of any type

    Indices beyond the last group belong to none: their rows are 0.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloragged_dot-chloraggeddotop
    """

    name = "chlo.ragged_dot"
    lhs = tensor_operand()
    rhs = tensor_operand()
    group_sizes = tensor_operand()
    ragged_dot_dimension_numbers = prop_def(RaggedDotNumbersAttr)
    precision_config = opt_prop_def(ArrayAttr.constr(BaseAttr(ChloPrecisionAttr)))
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        group_sizes: SSAValue,
        numbers: RaggedDotNumbers,
        *,
        precision: Sequence[Precision] = (),
        element: Attribute | None = None,
    ):
        """`element` is the result's element type; lhs's if None."""
        result = self.infer(type_of(lhs), type_of(rhs), type_of(group_sizes), numbers, element)
        properties: dict[str, Attribute] = {"ragged_dot_dimension_numbers": RaggedDotNumbersAttr(numbers)}
        if precision:
            properties["precision_config"] = ArrayAttr([ChloPrecisionAttr(p) for p in precision])
        self._build((lhs, rhs, group_sizes), (result,), properties)

    @property
    def numbers(self) -> RaggedDotNumbers:
        """The roles of the dimensions."""
        return self.ragged_dot_dimension_numbers.data

    @property
    def precision(self) -> tuple[Precision, ...]:
        """The precisions; () where none are given."""
        return () if self.precision_config is None else tuple(p.data for p in self.precision_config)

    @classmethod
    def infer(
        cls,
        lhs: RankedTensor,
        rhs: RankedTensor,
        group_sizes: RankedTensor,
        numbers: RaggedDotNumbers,
        element: Attribute | None = None,
    ) -> RankedTensor:
        """The type of the result: groups if their sums stay apart, batching, lhs's free and rhs's free sizes."""
        check_kind(cls.name, "lhs", lhs, ANY | QUANTIZED_ANY)
        check_kind(cls.name, "rhs", rhs, ANY | QUANTIZED_ANY)
        check_kind(cls.name, "group_sizes", group_sizes, INTEGER)
        _check_contraction(lhs, rhs, numbers)
        _check_ragged(lhs, numbers)
        _check_group_sizes(lhs, group_sizes, numbers)
        groups = group_sizes.get_shape()[-1]
        _check_groups(rhs, groups, numbers)
        m, n = lhs.get_shape(), rhs.get_shape()
        apart = (groups,) if numbers.role == "contracting" else ()
        free = [m[d] for d in numbers.lhs_free(len(m))] + [n[d] for d in numbers.rhs_free(len(n))]
        batch = [m[d] for d in numbers.lhs_batching]
        return tensor((*apart, *batch, *free), lhs.element_type if element is None else element)

    def verify_semantics(self) -> None:
        operands = self.lhs.type, self.rhs.type, self.group_sizes.type
        check_kind(self.name, "result", self.result.type, ANY | QUANTIZED | QUANTIZED_ANY)
        inferred = self.infer(*operands, self.numbers, self.result.type.element_type)
        check_result(self.name, self.result.type, inferred, "", bounds=False)
        check_precision(self.name, "", self.precision)


_OP = RaggedDotOp.name


def _check_contraction(lhs: RankedTensor, rhs: RankedTensor, numbers: RaggedDotNumbers) -> None:
    """Raise ShapeError unless the batching and contracting dimensions exist, are distinct, and go together in pairs."""
    n = numbers
    for role, left, right in (
        ("batching", n.lhs_batching, n.rhs_batching),
        ("contracting", n.lhs_contracting, n.rhs_contracting),
    ):
        if len(left) != len(right):
            found = f"the {role} dimensions are {list(left)} of lhs and {list(right)} of rhs"
            raise violated(_OP, "", f"{found}; list equally many, in pairs")
    for name, type, dims in (
        ("lhs", lhs, n.lhs_batching + n.lhs_contracting),
        ("rhs", rhs, n.rhs_batching + n.rhs_contracting),
    ):
        what = f"the batching and contracting dimensions of {name}"
        check_distinct_in_range(_OP, ("", ""), what, dims, type.get_num_dims())
    pairs = zip(n.lhs_batching + n.lhs_contracting, n.rhs_batching + n.rhs_contracting, strict=True)
    for i, j in pairs:
        if not compatible_sizes(lhs.get_shape()[i], rhs.get_shape()[j]):
            found = f"dimension {i} of lhs {lhs} has size {lhs.get_shape()[i]}, its partner {j} of rhs {rhs} has size"
            raise violated(_OP, "", f"{found} {rhs.get_shape()[j]}; they must be equal")


def _check_ragged(lhs: RankedTensor, numbers: RaggedDotNumbers) -> None:
    if len(numbers.lhs_ragged) != 1:
        raise violated(_OP, "", f"lhs_ragged_dimensions are {list(numbers.lhs_ragged)}; name exactly one dimension")
    check_distinct_in_range(_OP, ("", ""), "lhs_ragged_dimensions", numbers.lhs_ragged, lhs.get_num_dims())


def _check_group_sizes(lhs: RankedTensor, group_sizes: RankedTensor, numbers: RaggedDotNumbers) -> None:
    """Raise ShapeError unless group_sizes are [g], or [outer.., g]."""
    sizes = group_sizes.get_shape()
    outer = tuple(lhs.get_shape()[d] for d in numbers.before_ragged(lhs.get_num_dims()))
    if len(sizes) == 1 or (len(sizes) == len(outer) + 1 and sizes[:-1] == outer):
        return
    expected = f"their shape must be [g], or {[*outer]} and g, for g groups"
    raise violated(_OP, "", f"group_sizes are {group_sizes}; {expected}; broadcast or slice them")


def _check_groups(rhs: RankedTensor, groups: int, numbers: RaggedDotNumbers) -> None:
    """Raise ShapeError unless rhs has a slice per group, in the role "free", or no group dimension, in the others."""
    taken = numbers.rhs_group + numbers.rhs_batching + numbers.rhs_contracting
    check_distinct_in_range(
        _OP, ("", ""), "the group, batching and contracting dimensions of rhs", taken, rhs.get_num_dims()
    )
    wanted = 1 if numbers.role == "free" else 0
    if len(numbers.rhs_group) != wanted:
        found = f"rhs_group_dimensions are {list(numbers.rhs_group)} where the ragged dimension is {numbers.role}"
        raise violated(_OP, "", f"{found}; name {'exactly one dimension' if wanted else 'none'}")
    for d in numbers.rhs_group:
        if not compatible_sizes(rhs.get_shape()[d], groups):
            found = f"group dimension {d} of rhs {rhs} has size {rhs.get_shape()[d]}"
            raise violated(_OP, "", f"{found}; there are {groups} group_sizes; they must be equally many")
