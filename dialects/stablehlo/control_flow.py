"""Ops that direct control: choices, loops, the barrier against reordering, and the terminator of regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeAlias, cast

from xdsl.dialects.builtin import MemRefType, TensorType, i1, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect, ReturnLike

from hhlo_xdsl.dialects.bounds import UNBOUNDED, bounds_of
from hhlo_xdsl.dialects.emit import add, emit, inserting
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractGenericOp, AbstractOp, tensor_operand
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.stablehlo.values import (
    ELEMENTS_PER_AXIS,
    TENSORS_OR_TOKENS,
    Sort,
    check_inferred,
    check_values,
    compatible_values,
)
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, bounded, tensor, type_of

Body: TypeAlias = type[Operation] | Callable[..., SSAValue | Sequence[SSAValue]] | Region
"""What a region computes: a Python function that takes the arguments of its block and emits ops, the class of an op
that takes them as operands, or a region that is ready."""

_CARRIED: frozenset[Sort] = frozenset({"tensor", "token", "buffer"})


@irdl_op_definition
class ReturnOp(AbstractOp):
    """Ends a region, giving its results: tensors, tokens or buffers.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#functions
    """

    name = "stablehlo.return"
    results_ = var_operand_def()
    traits = traits_def(Pure(), IsTerminator(), ReturnLike())

    def __init__(self, results: Sequence[SSAValue]):
        self._build(results, ())

    def verify_semantics(self) -> None:
        check_values(self.name, "operands", [v.type for v in self.operands], _CARRIED, ELEMENTS_PER_AXIS, label="")

    @classmethod
    def parse(cls, parser: Parser) -> ReturnOp:
        unresolved = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        if not unresolved:
            return cls.create(attributes=attributes)
        parser.parse_punctuation(":")
        pos = parser.pos
        return cls.create(
            operands=assembly.resolve(parser, unresolved, _parse_types(parser), pos), attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        if self.operands:
            assembly.print_operands(printer, self.operands)
        printer.print_op_attributes(self.attributes)
        if self.operands:
            _print_types(printer, self.operands)


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    """`T, U, ..`"""
    return parser.parse_optional_undelimited_comma_separated_list(parser.parse_optional_type, parser.parse_type) or ()


def _print_types(printer: Printer, values: Sequence[SSAValue]) -> None:
    """` : T, U, ..`"""
    printer.print_string(" : ")
    printer.print_list(values, lambda v: printer.print_attribute(v.type))


def region_of(body: Body, arguments: Sequence[Attribute]) -> Region:
    """The region of one block, with arguments of the given types, that computes and returns `body`."""
    if isinstance(body, Region):
        return body
    block = Block(arg_types=arguments)
    with inserting(block):
        made = emit(cast(Any, body)(*block.args)) if isinstance(body, type) else body(*block.args)
        add(ReturnOp((made,) if isinstance(made, SSAValue) else tuple(made)))
    return Region(block)


def returned(op: str, label: str, name: str, region: Region) -> list[Attribute]:
    """The types that the region called `name` returns; ShapeError unless it ends in a return."""
    last = region.block.last_op
    if not isinstance(last, ReturnOp):
        raise violated(op, label, f"{name} does not end in stablehlo.return; add one")
    return [v.type for v in last.operands]


def _check_agrees(op: str, label: str, what: str, found: Sequence[Attribute], expected: Sequence[Attribute]) -> None:
    """Raise DTypeError unless two lists of types agree."""
    if len(found) != len(expected) or not all(map(compatible_values, found, expected)):
        raise violated(op, label, f"{what} {_listed(found)}; it must be {_listed(expected)}", DTypeError)


def _listed(types: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"


# Choices


def _check_selector(op: str, name: str, type: RankedTensor, element: Attribute) -> None:
    expected = tensor((), element)
    if type != expected:
        raise violated(op, "I1", f"{name} is {type}; it must be {expected}", DTypeError)


def _common_results(
    op: str, labels: tuple[str, str], names: Sequence[str], branches: Sequence[Region]
) -> list[Attribute]:
    """The types that hold what any branch returns.

    Raise VerifyError unless no branch takes arguments (`labels[0]`) and all return the same (`labels[1]`).
    """
    for name, branch in zip(names, branches, strict=True):
        if branch.block.args:
            found = f"{name} takes {len(branch.block.args)} arguments"
            raise violated(op, labels[0], f"{found}; it must take none; it may read values from outside")
    first, *others = [returned(op, labels[1], name, branch) for name, branch in zip(names, branches, strict=True)]
    for name, types in zip(names[1:], others, strict=True):
        _check_agrees(op, labels[1], f"{names[0]} returns {_listed(first)}, {name}", types, first)
    results = first
    for types in others:
        results = [_common(a, b) for a, b in zip(results, types, strict=True)]
    return results


def _common(a: Attribute, b: Attribute) -> Attribute:
    """The type that holds values of two compatible types: a size is known if it is the same in both."""
    if a is b or not (isinstance(a, TensorType) and isinstance(b, TensorType)):
        return cast(Attribute, a)
    left, right = cast(RankedTensor, a), cast(RankedTensor, b)
    m, n = left.get_shape(), right.get_shape()
    sizes = tuple(i if i == j else UNKNOWN for i, j in zip(m, n, strict=True))
    if bounds_of(left) is None and bounds_of(right) is None:
        return tensor(sizes, left.element_type, left.encoding)
    none = (UNBOUNDED,) * len(sizes)
    bounds = zip(m, bounds_of(left) or none, n, bounds_of(right) or none, strict=True)
    return bounded(sizes, left.element_type, tuple(_common_bound(*b) for b in bounds))


def _common_bound(m: int, bound_m: int, n: int, bound_n: int) -> int:
    """The bound of a size that may be m or n, of which each is known, or bounded, or neither."""
    limits = (bound_m if m == UNKNOWN else m, bound_n if n == UNKNOWN else n)
    return UNBOUNDED if m == n != UNKNOWN or UNBOUNDED in limits else max(limits)


@irdl_op_definition
class IfOp(AbstractGenericOp):
    """What `true_branch` returns if `pred` is true, what `false_branch` returns otherwise.

    pred         : tensor<i1>
    true_branch  : () -> N values                     (C1, C2)
    false_branch : () -> N values                     (C1, C2)
    results      : N tensors or tokens                (C3)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#if
    """

    name = "stablehlo.if"
    pred = tensor_operand()
    true_branch = region_def("single_block")
    false_branch = region_def("single_block")
    results_ = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, pred: SSAValue, true_branch: Body, false_branch: Body):
        """The branches take no arguments: `IfOp(p, lambda: x, lambda: emit(NegateOp(x)))`."""
        branches = (region_of(true_branch, ()), region_of(false_branch, ()))
        self._build((pred,), self.infer(type_of(pred), *branches), regions=branches)

    @classmethod
    def infer(cls, pred: RankedTensor, true_branch: Region, false_branch: Region) -> list[Attribute]:
        """The types of the results: what holds the values of either branch."""
        _check_selector(cls.name, "pred", pred, i1)
        names = ("true_branch", "false_branch")
        return _common_results(cls.name, ("C1", "C2"), names, (true_branch, false_branch))

    def verify_semantics(self) -> None:
        inferred = self.infer(self.pred.type, self.true_branch, self.false_branch)
        found = [r.type for r in self.results]
        check_values(self.name, "results", found, TENSORS_OR_TOKENS, ELEMENTS_PER_AXIS, "C3")
        check_inferred(self.name, "C3", found, inferred)


@irdl_op_definition
class CaseOp(AbstractGenericOp):
    """What `branches[index]` returns; for an index out of range, what the last branch returns.

    index    : tensor<i32>
    branches : at least one, () -> N values each      (C1, C2, C3)
    results  : N tensors or tokens                    (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#case
    """

    name = "stablehlo.case"
    index = tensor_operand()
    branches = var_region_def("single_block")
    results_ = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, index: SSAValue, branches: Sequence[Body]):
        """The branches take no arguments."""
        regions = [region_of(branch, ()) for branch in branches]
        self._build((index,), self.infer(type_of(index), regions), regions=regions)

    @classmethod
    def infer(cls, index: RankedTensor, branches: Sequence[Region]) -> list[Attribute]:
        """The types of the results: what holds the values of any branch."""
        _check_selector(cls.name, "index", index, i32)
        if not branches:
            raise violated(cls.name, "C1", "there are no branches; give at least one")
        names = [f"branches[{i}]" for i in range(len(branches))]
        return _common_results(cls.name, ("C2", "C3"), names, branches)

    def verify_semantics(self) -> None:
        inferred = self.infer(self.index.type, self.branches)
        found = [r.type for r in self.results]
        check_values(self.name, "results", found, TENSORS_OR_TOKENS, ELEMENTS_PER_AXIS, "C4")
        check_inferred(self.name, "C4", found, inferred)


# Loops


@irdl_op_definition
class WhileOp(AbstractOp):
    """While `cond` of the carried values is true, replace them by `body` of them; the values that remain.

    operand : N tensors, tokens or buffers            the values before the first step
    cond    : (N values) -> tensor<i1>                (C1)
    body    : (N values) -> N values                  (C2)
    results : N values                                (C3)

    Both regions may also read values from outside.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#while
    """

    name = "stablehlo.while"
    operand = var_operand_def()
    cond = region_def("single_block")
    body = region_def("single_block")
    results_ = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, operand: Sequence[SSAValue], cond: Body, body: Body):
        """The regions take the carried values: `WhileOp([i], lambda i: .., lambda i: [emit(AddOp(i, one))])`."""
        types = [v.type for v in operand]
        regions = (region_of(cond, types), region_of(body, types))
        self._build(operand, self.infer(types, *regions), regions=regions)

    @classmethod
    def infer(cls, operand: Sequence[Attribute], cond: Region, body: Region) -> Sequence[Attribute]:
        """The types of the results: those of the operands."""
        check_values(cls.name, "operand", operand, _CARRIED, ELEMENTS_PER_AXIS)
        for name, label, region in (("cond", "C1", cond), ("body", "C2", body)):
            takes = [a.type for a in region.block.args]
            _check_agrees(cls.name, label, f"{name} is carried {_listed(operand)} and takes", takes, operand)
        gives = returned(cls.name, "C2", "body", body)
        _check_agrees(cls.name, "C2", f"body is carried {_listed(operand)} and returns", gives, operand)
        cls._check_cond(returned(cls.name, "C1", "cond", cond))
        return operand

    @classmethod
    def _check_cond(cls, gives: Sequence[Attribute]) -> None:
        # As in the reference verifier, a buffer will do.
        held = [cast("RankedTensor | MemRefType", t) for t in gives if isinstance(t, TensorType | MemRefType)]
        if len(gives) != 1 or [(t.get_shape(), t.element_type) for t in held] != [((), i1)]:
            raise violated(cls.name, "C1", f"cond returns {_listed(gives)}; it must return (tensor<i1>)", DTypeError)

    def verify_semantics(self) -> None:
        inferred = self.infer([v.type for v in self.operand], self.cond, self.body)
        check_inferred(self.name, "C3", [r.type for r in self.results], inferred)

    @property
    def is_uniform(self) -> bool:
        """Whether results and arguments of the regions have exactly the operands' types, as the custom form implies."""
        types = [v.type for v in self.operand]
        others = (self.results, self.cond.block.args, self.body.block.args)
        return all([v.type for v in values] == types for values in others)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        names, unresolved = _parse_bindings(parser)
        pos = parser.pos
        types = ()
        if unresolved:
            parser.parse_punctuation(":")
            pos = parser.pos
            types = _parse_types(parser)
        operands = assembly.resolve(parser, unresolved, types, pos)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        args = [Parser.Argument(name.name, type) for name, type in zip(names, types, strict=True)]
        parser.parse_keyword("cond")
        cond = parser.parse_region(args)
        parser.parse_keyword("do")
        body = parser.parse_region(args)
        found: Mapping[str, Attribute] = {} if attributes is None else attributes.data
        return cls.create(operands=operands, result_types=types, attributes=dict(found), regions=(cond, body))

    def print(self, printer: Printer) -> None:
        args = self.cond.block.args
        with printer.in_parens():
            printer.print_list(zip(args, self.operand, strict=True), lambda pair: _print_binding(printer, *pair))
        if self.operand:
            _print_types(printer, self.operand)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        _name_alike(printer, args, self.body.block.args)
        printer._print_new_line()  # pyright: ignore[reportPrivateUsage]
        printer.print_string("cond ")
        printer.print_region(self.cond, print_entry_block_args=False)
        printer.print_string(" do ")
        printer.print_region(self.body, print_entry_block_args=False)


def is_lossy(op: Operation) -> bool:
    """Whether the custom form of `op` would not say all that it holds: a loop in which one value has several types."""
    return isinstance(op, WhileOp) and not op.is_uniform


def install_generic_loops() -> None:
    """Let xDSL's printer print in generic form what is lossy otherwise, and the ops in it."""
    stock = Printer.print_op
    if getattr(stock, "is_generic_if_lossy", False):
        return

    def print_op(self: Printer, op: Operation) -> None:
        if self.print_generic_format or type(op).print is Operation.print or not is_lossy(op):
            stock(self, op)
            return
        self.print_generic_format = True
        try:
            stock(self, op)
        finally:
            self.print_generic_format = False

    vars(print_op)["is_generic_if_lossy"] = True
    Printer.print_op = print_op


def _parse_bindings(parser: Parser) -> tuple[list[Parser.UnresolvedArgument], list[UnresolvedOperand]]:
    """`(%a = %x, %b = %y)`: the names of block arguments, and the operands they start as; a last comma is allowed."""
    names: list[Parser.UnresolvedArgument] = []
    operands: list[UnresolvedOperand] = []
    parser.parse_punctuation("(")
    while parser.parse_optional_punctuation(")") is None:
        if names:
            parser.parse_punctuation(",")
            if parser.parse_optional_punctuation(")") is not None:
                break
        names.append(parser.parse_argument(expect_type=False))
        parser.parse_punctuation("=")
        operands.append(parser.parse_unresolved_operand())
    return names, operands


def _print_binding(printer: Printer, argument: SSAValue, operand: SSAValue) -> None:
    printer.print_ssa_value(argument)
    printer.print_string(" = ")
    printer.print_ssa_value(operand)


def _name_alike(printer: Printer, named: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
    """Let each of `others` print under the name that its counterpart in `named` has been given."""
    names = printer._ssa_values  # pyright: ignore[reportPrivateUsage]  (nothing public chooses the name of a value)
    for value, other in zip(named, others, strict=True):
        names[other] = names[value]


@irdl_op_definition
class OptimizationBarrierOp(AbstractOp):
    """results = operand; all operands are computed before any result is used, and nothing is moved across.

    operand : N tensors or tokens
    results : N values of the operands' types         (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#optimization_barrier
    """

    name = "stablehlo.optimization_barrier"
    operand = var_operand_def()
    results_ = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, operand: Sequence[SSAValue]):
        self._build(operand, self.infer([v.type for v in operand]))

    @classmethod
    def infer(cls, operand: Sequence[Attribute]) -> Sequence[Attribute]:
        """The types of the results: those of the operands."""
        check_values(cls.name, "operand", operand, TENSORS_OR_TOKENS)
        return operand

    def verify_semantics(self) -> None:
        operand, results = self.infer([v.type for v in self.operand]), [r.type for r in self.results]
        if results != operand:
            found = f"operand is {_listed(operand)} and results are {_listed(results)}"
            raise violated(self.name, "C1", f"{found}; they must be the same", DTypeError)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        unresolved = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        if not unresolved:
            parser.parse_punctuation("(")
            parser.parse_punctuation(")")
            return cls.create(attributes=attributes)
        parser.parse_punctuation(":")
        pos = parser.pos
        types = _parse_types(parser)
        operands = assembly.resolve(parser, unresolved, types, pos)
        return cls.create(operands=operands, result_types=types, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        if not self.operands:
            printer.print_string("()")
            return
        assembly.print_operands(printer, self.operands)
        _print_types(printer, self.operands)
