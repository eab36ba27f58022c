"""How a custom call wants its values in memory: layouts, tilings, and which operands and results share a buffer.

Ops do not belong here.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#custom_call
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    MemRefType,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Data, TypeAttribute
from xdsl.irdl import AnyAttr, ParamAttrConstraint, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hhlo_xdsl.dialects.elements import Elements, elements, integers
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import Dims, parse_dim, parse_dims
from hhlo_xdsl.dialects.stablehlo.values import compatible_values, leaves, parts, sort_of
from hhlo_xdsl.dialects.types import tensor

INDEX_LIST = ParamAttrConstraint(DenseIntOrFPElementsAttr, (TensorType.constr(IndexType()), AnyAttr()))
"""`dense<[1, 0]> : tensor<2xindex>`"""
INDEX_LISTS = ArrayAttr.constr(INDEX_LIST)

Tiling: TypeAlias = Sequence[Sequence[int]]
"""The sizes of tiles, and of tiles in those."""


def index_lists(lists: Sequence[Sequence[int]]) -> ArrayAttr[Any]:
    """`[dense<[1, 0]> : tensor<2xindex>, ..]`"""
    return ArrayAttr([elements(tensor((len(ns),), IndexType()), list(ns)) for ns in lists])


# Layouts


def check_index_lists(op: str, name: str, lists: ArrayAttr[Any] | None) -> None:
    """Raise ShapeError unless each is a list, a tensor of rank 1."""
    for i, dims in enumerate(() if lists is None else lists.data):
        if len(cast(Elements, dims).get_shape()) != 1:
            raise violated(op, "", f"{name}[{i}] is {dims}; it must be a list, a tensor of rank 1")


def check_layouts(op: str, name: str, types: Sequence[Attribute], layouts: ArrayAttr[Any]) -> None:
    """Raise ShapeError unless there is a layout for each value: an order of a tensor's dimensions, else nothing."""
    if len(types) != len(layouts.data):
        raise violated(
            op, "", f"there are {len(types)} {name}s and {len(layouts.data)} {name}_layouts; give one for each"
        )
    check_index_lists(op, f"{name}_layouts", layouts)
    for i, (type, layout) in enumerate(zip(types, layouts.data, strict=True)):
        _check_layout(op, f"{name}_layouts[{i}]", type, cast(Elements, layout))


def _check_layout(op: str, name: str, type: Attribute, layout: Elements) -> None:
    order = list(integers(layout))
    match sort_of(type):
        case "tuple":
            raise violated(op, "", f"{name} is for {type}; layouts of tuples are not supported; pass the parts instead")
        case "unranked":
            return
        case "tensor" | "buffer":
            rank = cast("TensorType[Any] | MemRefType[Any]", type).get_num_dims()
            if sorted(order) != list(range(rank)):
                raise violated(op, "", f"{name} is {order}; for {type} it must hold each of 0..{rank - 1} once")
        case _:
            if order:
                raise violated(op, "", f"{name} is {order}; for {type}, which is no tensor, it must be empty")


# Aliases


@dataclass(frozen=True, slots=True)
class Alias:
    """One result, or part of a tuple, that lives in the buffer of an operand, or of part of one."""

    output: Dims
    """Indices of the part of the result; where there are several results, of the tuple of them."""
    operand: int
    operand_part: Dims = ()


@irdl_attr_definition
class OutputOperandAliasAttr(Data[Alias]):
    """`#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>`"""

    name = "stablehlo.output_operand_alias"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Alias:
        with parser.in_angle_brackets():
            _parse_name(parser, "output_tuple_indices")
            output = parse_dims(parser)
            parser.parse_punctuation(",")
            _parse_name(parser, "operand_index")
            operand = parse_dim(parser)
            parser.parse_punctuation(",")
            _parse_name(parser, "operand_tuple_indices")
            return Alias(output, operand, parse_dims(parser))

    def print_parameter(self, printer: Printer) -> None:
        output, part = list(self.data.output), list(self.data.operand_part)
        printer.print_string(
            f"<output_tuple_indices = {output}, operand_index = {self.data.operand}, operand_tuple_indices = {part}>"
        )


def _parse_name(parser: AttrParser, name: str) -> None:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


def aliases_of(attribute: ArrayAttr[OutputOperandAliasAttr] | None) -> list[Alias]:
    """The aliases in an attribute; none if it is absent."""
    return [] if attribute is None else [alias.data for alias in attribute.data]


def check_aliases(
    op: str, aliases: Sequence[Alias], operands: Sequence[Attribute], results: Sequence[Attribute]
) -> None:
    """Raise VerifyError unless each alias names an operand and a result, or parts of them, of one type."""
    for alias in aliases:
        if not 0 <= alias.operand < len(operands):
            found = f"output_operand_aliases have operand_index = {alias.operand}"
            raise violated(op, "", f"{found}; there are {len(operands)} operands, counted from 0")
        operand = _part(op, "operand_tuple_indices", operands[alias.operand], alias.operand_part)
        output = _part(op, "output_tuple_indices", _whole(results), alias.output)
        if operand != output:
            found = f"output_operand_aliases let a result of type {output} share a buffer with {operand}"
            raise violated(op, "", f"{found}; their types must be equal", DTypeError)


def _whole(results: Sequence[Attribute]) -> Attribute:
    """The type of the result; of the tuple of results if there is not exactly one."""
    return results[0] if len(results) == 1 else TupleType(cast("tuple[TypeAttribute, ...]", tuple(results)))


def _part(op: str, name: str, type: Attribute, indices: Dims) -> Attribute:
    whole = type
    for i in indices:
        found = parts(type)
        if not 0 <= i < len(found):
            raise violated(op, "", f"output_operand_aliases have {name} = {list(indices)}; {whole} has no such part")
        type = found[i]
    return type


def check_buffers(
    op: str, aliases: Sequence[Alias], operands: Sequence[Attribute], results: Sequence[Attribute]
) -> None:
    """Raise VerifyError if a buffer is a result without being the buffer of an operand."""
    shared = {a.output for a in aliases if isinstance(_part(op, "", operands[a.operand], a.operand_part), MemRefType)}
    for indices, type in leaves(_whole(results)):
        if isinstance(type, MemRefType) and indices not in shared:
            found = f"a result, at indices {list(indices)}, is the buffer {type}"
            raise violated(op, "", f"{found}; name the operand whose buffer it is in output_operand_aliases")


_BUFFER_TARGETS = {"CreateBuffer": ((), "buffer"), "Pin": (("tensor",), "buffer"), "Unpin": (("buffer",), "tensor")}
"""Custom calls that make buffers, turn tensors into buffers, and back: the sorts of their operands and result."""


def is_buffer_target(target: str) -> bool:
    """Whether a custom call has its meaning fixed by StableHLO."""
    return target in _BUFFER_TARGETS


def check_buffer_target(op: str, target: str, operands: Sequence[Attribute], results: Sequence[Attribute]) -> None:
    """Raise VerifyError unless a call of a buffer target takes and gives what it must, of one shape and elements."""
    takes, gives = _BUFFER_TARGETS[target]
    sorts = [tuple(_plain_sort(type) for type in types) for types in (operands, results)]
    if sorts != [takes, (gives,)]:
        found = f"@{target} maps ({', '.join(map(str, operands))}) to ({', '.join(map(str, results))})"
        raise violated(op, "", f"{found}; it must map ({', '.join(takes)}) to ({gives}), where a buffer is a memref")
    if operands and not compatible_values(operands[0], results[0]):
        raise violated(op, "", f"@{target} maps {operands[0]} to {results[0]}; shapes and elements must be equal")


def _plain_sort(type: Attribute) -> str | None:
    sort = sort_of(type)
    return "tensor" if sort == "unranked" else sort
