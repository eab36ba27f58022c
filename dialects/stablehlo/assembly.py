"""The pieces that custom assembly forms are made of: operand lists, integer lists, and how the types are spelled.

Every function that parses has one that prints what it reads. Which pieces an op's form has stands in its class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ComplexType, FunctionType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from hhlo_xdsl.dialects.types import RankedTensor, like, real_element

Types = tuple[Sequence[Attribute], Sequence[Attribute]]
"""Operand types and result types."""


@dataclass(frozen=True)
class TypeForm:
    """How an op spells its operand and result types after the colon."""

    parse: Callable[[Parser, int], Types]
    """Reads the types of an op with the given number of operands."""
    print: Callable[[Printer, Sequence[Attribute], Sequence[Attribute]], None]


def _parse_functional(parser: Parser, count: int) -> Types:
    pos = parser.pos
    type = parser.parse_type()
    if not isinstance(type, FunctionType):
        parser.raise_error("expected a function type such as (A) -> B", pos, parser.pos)
    return type.inputs.data, type.outputs.data


def _print_functional(printer: Printer, ins: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
    printer.print_function_type(ins, outs)


def _parse_same(parser: Parser, count: int) -> Types:
    type = parser.parse_type()
    if isinstance(type, FunctionType):
        return type.inputs.data, type.outputs.data
    return [type] * count, [type]


def _print_same(printer: Printer, ins: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
    if all(t == outs[0] for t in ins):
        printer.print_attribute(outs[0])
    else:
        printer.print_function_type(ins, outs)


def _parse_result(parser: Parser, count: int) -> Types:
    return (), [parser.parse_type()]


def _print_result(printer: Printer, ins: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
    printer.print_attribute(outs[0])


def _parts_type(type: Attribute) -> Attribute:
    """The type of the real and imaginary parts of a complex tensor type; any other type itself."""
    element = getattr(type, "element_type", None)
    if not isinstance(element, ComplexType):
        return type
    complex_type: RankedTensor = type  # pyright: ignore[reportAssignmentType]  (only tensors have complex elements here)
    return like(complex_type, element=real_element(complex_type.element_type))


def _parse_complex(parser: Parser, count: int) -> Types:
    type = parser.parse_type()
    if isinstance(type, FunctionType):
        return type.inputs.data, type.outputs.data
    return [_parts_type(type)] * count, [type]


def _print_complex(printer: Printer, ins: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
    if all(t == _parts_type(outs[0]) for t in ins):
        printer.print_attribute(outs[0])
    else:
        printer.print_function_type(ins, outs)


def _parse_select(parser: Parser, count: int) -> Types:
    pred = parser.parse_type()
    if isinstance(pred, FunctionType):
        return pred.inputs.data, pred.outputs.data
    parser.parse_punctuation(",")
    branch = parser.parse_type()
    return [pred, branch, branch], [branch]


def _print_select(printer: Printer, ins: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
    pred, *branches = ins
    if all(t == outs[0] for t in branches):
        printer.print_list((pred, outs[0]), printer.print_attribute)
    else:
        printer.print_function_type(ins, outs)


def _parse_arrow(parser: Parser, count: int) -> Types:
    ins = [parser.parse_type()]
    for _ in range(count - 1):
        parser.parse_punctuation(",")
        ins.append(parser.parse_type())
    parser.parse_punctuation("->")
    return ins, [parser.parse_type()]


def _print_arrow(printer: Printer, ins: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
    printer.print_list(ins, printer.print_attribute)
    printer.print_string(" -> ")
    printer.print_list(outs, printer.print_attribute)


FUNCTIONAL = TypeForm(_parse_functional, _print_functional)
"""`(A, B) -> C`"""
SAME = TypeForm(_parse_same, _print_same)
"""`T` if every operand and the result have one type, otherwise as FUNCTIONAL."""
RESULT = TypeForm(_parse_result, _print_result)
"""`T`, of an op without operands."""
COMPLEX = TypeForm(_parse_complex, _print_complex)
"""`tensor<..xcomplex<E>>` if the operands are its parts, otherwise as FUNCTIONAL."""
SELECT = TypeForm(_parse_select, _print_select)
"""`P, T` if both branches and the result have type T, otherwise as FUNCTIONAL."""
ARROW = TypeForm(_parse_arrow, _print_arrow)
"""`A, B -> C`, as CHLO spells it."""


def parse_operands(parser: Parser, count: int) -> list[UnresolvedOperand]:
    """`%a, %b, ...`, exactly `count` of them."""
    operands: list[UnresolvedOperand] = []
    for i in range(count):
        if i:
            parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
    return operands


def parse_operand_list(parser: Parser) -> list[UnresolvedOperand]:
    """`%a, %b, ... ,`: operands each followed by a comma, up to what is not an operand."""
    operands: list[UnresolvedOperand] = []
    while (operand := parser.parse_optional_unresolved_operand()) is not None:
        operands.append(operand)
        parser.parse_punctuation(",")
    return operands


def print_operands(printer: Printer, operands: Sequence[SSAValue]) -> None:
    """` %a, %b`"""
    printer.print_string(" ")
    printer.print_list(operands, printer.print_ssa_value)


def resolve(
    parser: Parser, operands: Sequence[UnresolvedOperand], types: Sequence[Attribute], pos: int | None = None
) -> list[SSAValue]:
    """The values that operand names stand for; a parse error at `pos` if there are not as many types as operands."""
    if len(operands) != len(types):
        parser.raise_error(f"{len(operands)} operands have {len(types)} types", pos)
    return [parser.resolve_operand(o, t) for o, t in zip(operands, types, strict=True)]


def parse_ints(parser: Parser) -> tuple[int, ...]:
    """`[1, -2, 3]`"""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer))


def print_ints(printer: Printer, values: Sequence[int]) -> None:
    """`[1, -2, 3]`"""
    printer.print_string("[" + ", ".join(map(str, values)) + "]")


def parse_named_ints(parser: Parser, name: str) -> tuple[int, ...]:
    """`name = [1, 2]`"""
    parser.parse_keyword(name)
    parser.parse_punctuation("=")
    return parse_ints(parser)


def print_named_ints(printer: Printer, name: str, values: Sequence[int]) -> None:
    """`, name = [1, 2]`"""
    printer.print_string(f", {name} = ")
    print_ints(printer, values)


def parse_named_int(parser: Parser, name: str) -> int:
    """`name = 3`"""
    parser.parse_keyword(name)
    parser.parse_punctuation("=")
    return parser.parse_integer()


def print_types(printer: Printer, form: TypeForm, op: Operation) -> None:
    """` : ` and the types of `op`."""
    printer.print_string(" : ")
    form.print(printer, [o.type for o in op.operands], [r.type for r in op.results])
