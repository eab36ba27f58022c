"""Ops that fold many elements into one by a function of two: reduce, reduce_window, select_and_scatter.

Their regions are functions on scalars; building and checking those stands in `reducers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FunctionType, TensorType, i1, i64
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    BaseAttr,
    SameVariadicOperandSize,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Commutative, RecursiveMemoryEffect

from hhlo_xdsl.dialects.elements import integers
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.base import (
    I64S,
    TENSOR,
    AbstractBinary,
    AbstractGenericOp,
    AbstractOp,
    i64_array,
    ints,
    tensor_operand,
    tensor_result,
)
from hhlo_xdsl.dialects.stablehlo.checks import check_distinct_in_range, check_results, violated
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.dialects.stablehlo.creation import Elements, elements
from hhlo_xdsl.dialects.stablehlo.reducers import (
    Body,
    check_reducer,
    floats_of_equal_shape,
    only_op,
    reducer_of,
    region_of,
)
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim, without
from hhlo_xdsl.dialects.types import (
    RankedTensor,
    compatible,
    compatible_shapes,
    like,
    limits,
    scalar,
    tensor,
    type_of,
    within_limits,
)


def selector_of(op: SelectAndScatterOp) -> ComparisonDirection | None:
    """The direction in which the select region compares its two arguments, in order; None if it does anything else."""
    inner = only_op(op.select.block)
    if not isinstance(inner, CompareOp) or tuple(inner.operands) != tuple(op.select.block.args):
        return None
    return inner.comparison_direction.data


def _check_inputs(
    op: str, labels: tuple[str, str], inputs: Sequence[RankedTensor], inits: Sequence[RankedTensor]
) -> None:
    """Raise ShapeError unless there is an input, one init value for each (`labels[0]`), and one shape (`labels[1]`)."""
    if not inputs or len(inputs) != len(inits):
        found = f"there are {len(inputs)} inputs and {len(inits)} init_values"
        raise violated(op, labels[0], f"{found}; give at least one input, and one init value for each")
    for i, x in enumerate(inputs[1:], 1):
        if not compatible_shapes(x.get_shape(), inputs[0].get_shape()):
            found = f"inputs[{i}] is {x}, inputs[0] is {inputs[0]}"
            raise violated(op, labels[1], f"{found}; their shapes must be equal; broadcast_in_dim one of them")


@irdl_op_definition
class ReduceOp(AbstractOp):
    """The inputs folded by `body` along `dimensions`, which vanish; the init values take part too.

    inputs      : N > 0 tensors (C3) of one shape S (C1)
    init_values : N scalars of the inputs' elements (C2, C3)
    dimensions  : in range (C4), distinct (C5)
    body        : (N left values, N right values) -> N values, scalars of elements E; inputs promote to E (C6)
    results     : N tensors (C3) of shape S without `dimensions` (C7) and elements E (C8)

    The order of the fold is up to the implementation, so body must be associative, with the init values as
    identity. XLA on CPU starts from the init values, once, and goes through the elements in row-major order.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#reduce
    """

    name = "stablehlo.reduce"
    inputs = var_operand_def(TENSOR)
    init_values = var_operand_def(TENSOR)
    dimensions = prop_def(I64S)
    body = region_def("single_block")
    results_ = var_result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())
    OF_SCALARS: ClassVar = True
    irdl_options = (SameVariadicOperandSize(),)
    SPELLED: ClassVar = frozenset({"dimensions"})

    def __init__(
        self, inputs: Sequence[SSAValue], init_values: Sequence[SSAValue], dimensions: Sequence[int], body: Body
    ):
        """Fold by `body`; a class such as AddOp serves for one input."""
        types, dims = [type_of(x) for x in inputs], tuple(dimensions)
        region = region_of(body, [scalar(t) for t in types] * 2)
        results = self.infer(types, [type_of(v) for v in init_values], dims, region)
        self._build((*inputs, *init_values), results, {"dimensions": i64_array(dims)}, (region,))

    @classmethod
    def infer(
        cls,
        inputs: Sequence[RankedTensor],
        init_values: Sequence[RankedTensor],
        dimensions: Sequence[int],
        body: Region,
    ) -> list[RankedTensor]:
        """The types of the results: the inputs' shapes without `dimensions`, of the elements that `body` returns."""
        _check_inputs(cls.name, ("C3", "C1"), inputs, init_values)
        check_distinct_in_range(cls.name, ("C5", "C4"), "dimensions", dimensions, inputs[0].get_num_dims())
        first = inputs[0]
        shape, most = without(first.get_shape(), dimensions), without(limits(first), dimensions)
        found = check_reducer(cls.name, ("C2", "C6"), body, inputs, init_values, sizes=shape)
        return [within_limits(first, shape, most, e) for e in found]

    def verify_semantics(self) -> None:
        inputs, init_values = [type_of(x) for x in self.inputs], [type_of(v) for v in self.init_values]
        inferred = self.infer(inputs, init_values, ints(self.dimensions), self.body)
        check_results(self.name, ("C3", "C7", "C8"), [r.type for r in self.results], inferred)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        operands = _parse_pairs(parser)
        if parser.parse_optional_keyword("applies") is not None:
            inner = _parse_inner(parser)
            dimensions, attributes, type = _parse_middle(parser)
            body = region_of(inner, [scalar(_first_input(parser, type))] * 2)
        else:
            dimensions, attributes, type = _parse_middle(parser)
            body = _parse_reducer(parser)
        return cls.create(
            operands=assembly.resolve(parser, operands, type.inputs.data),
            result_types=type.outputs.data,
            properties={"dimensions": i64_array(dimensions)},
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_list(zip(self.inputs, self.init_values, strict=True), lambda pair: _print_pair(printer, *pair))
        inner = self._compact()
        if inner is not None:
            printer.print_string(f" applies {inner.name}")
        printer.print_string(" across dimensions = ")
        assembly.print_ints(printer, ints(self.dimensions))
        self.print_dictionary(printer)
        assembly.print_types(printer, self.TYPE_FORM, self)
        if inner is None:
            _print_reducer(printer, self.body)

    def _compact(self) -> Operation | None:
        """The op that `applies` stands for, if the body is one that the short form gives back when it is read."""
        block = self.body.blocks.first
        inner = None if block is None else only_op(block)
        if block is None or inner is None or not _is_commutative_binary(type(inner)):
            return None
        element = scalar(type_of(self.inputs[0]))
        is_implied = tuple(inner.operands) == tuple(block.args) and all(
            v.type == element for v in (*inner.operands, *inner.results)
        )
        is_bare = not inner.attributes and not inner.properties and not cast(ReturnOp, block.last_op).attributes
        return inner if is_implied and is_bare else None


def _parse_pairs(parser: Parser) -> list[UnresolvedOperand]:
    """`(%x init: %v), (%y init: %w)`: the inputs, then the init values."""
    inputs: list[UnresolvedOperand] = []
    init_values: list[UnresolvedOperand] = []
    while True:
        parser.parse_punctuation("(")
        inputs.append(parser.parse_unresolved_operand())
        parser.parse_keyword("init")
        parser.parse_punctuation(":")
        init_values.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(")")
        if parser.parse_optional_punctuation(",") is None:
            return inputs + init_values


def _print_pair(printer: Printer, x: SSAValue, init: SSAValue) -> None:
    printer.print_string("(")
    printer.print_ssa_value(x)
    printer.print_string(" init: ")
    printer.print_ssa_value(init)
    printer.print_string(")")


def _parse_inner(parser: Parser) -> type[Operation]:
    """The name of a commutative op of this dialect with two operands."""
    pos = parser.pos
    name = parser.parse_identifier_or_str_literal()
    inner = parser.ctx.get_optional_op(name)
    if inner is None or not _is_commutative_binary(inner):
        parser.raise_error(
            f"stablehlo.reduce: {name} cannot stand after `applies`; it must be a commutative op of this dialect with "
            "two operands, such as stablehlo.add; write other bodies as `reducer(..) {..}`",
            pos,
            parser.pos,
        )
    return inner


def _is_commutative_binary(op: type[Operation]) -> bool:
    return op.name.startswith("stablehlo.") and issubclass(op, AbstractBinary) and op.has_trait(Commutative)


def _parse_middle(parser: Parser) -> tuple[tuple[int, ...], dict[str, Attribute], FunctionType]:
    """`across dimensions = [0] {attributes} : (A) -> B`"""
    parser.parse_keyword("across")
    dimensions = assembly.parse_named_ints(parser, "dimensions")
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    pos = parser.pos
    type = parser.parse_type()
    if not isinstance(type, FunctionType):
        parser.raise_error("expected a function type such as (A, B) -> C", pos, parser.pos)
    return dimensions, attributes, type


def _first_input(parser: Parser, type: FunctionType) -> RankedTensor:
    first = next(iter(type.inputs.data), None)
    if not isinstance(first, TensorType):
        parser.raise_error("expected a tensor as the first input type")
    return cast(RankedTensor, first)


def _parse_reducer(parser: Parser) -> Region:
    """`reducer(%a: A, %b: A) (%c: C, %d: C) {...}`; the block's arguments are %a, %c, %b, %d."""
    parser.parse_keyword("reducer")
    left: list[Parser.Argument] = []
    right: list[Parser.Argument] = []
    while parser.parse_optional_punctuation("(") is not None:
        left.append(_parse_argument(parser))
        parser.parse_punctuation(",")
        right.append(_parse_argument(parser))
        parser.parse_punctuation(")")
    return parser.parse_region(left + right)


def _parse_argument(parser: Parser) -> Parser.Argument:
    argument = parser.parse_argument()
    return parser.Argument(argument.name, argument.type, parser.parse_optional_location())


def _print_reducer(printer: Printer, body: Region) -> None:
    args = () if body.blocks.first is None else body.blocks.first.args
    n = len(args) // 2
    # The reference printer's own spacing, so that texts can be compared.
    printer.print_string("\n reducer")
    for pair in zip(args[:n], args[n:], strict=False):
        printer.print_string("(")
        printer.print_list(pair, printer.print_block_argument)
        printer.print_string(") ")
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)


@dataclass(frozen=True)
class Window:
    """How a window slides over a tensor of rank r: r numbers per field, (low, high) pairs in `padding`.

    None is an absent attribute: strides and dilations of 1, no padding.
    """

    window_dimensions: Sequence[int] | None
    window_strides: Sequence[int] | None = None
    base_dilations: Sequence[int] | None = None
    window_dilations: Sequence[int] | None = None
    padding: Sequence[tuple[int, int]] | None = None

    def attributes(self) -> dict[str, Attribute]:
        """The properties of an op with this window."""
        found: dict[str, Attribute] = {
            name: i64_array(tuple(values)) for name in _WINDOW_INTS if (values := getattr(self, name)) is not None
        }
        if self.padding is not None:
            flat = [n for pair in self.padding for n in pair]
            found["padding"] = elements(tensor((len(self.padding), 2), i64), flat)
        return dict(sorted(found.items()))

    def over(self, op: str, labels: Mapping[str, tuple[str, str]], base: RankedTensor) -> tuple[WindowDim, ...]:
        """The window in each dimension of `base`.

        Raise ShapeError unless each field has one entry per dimension (`labels[field][0]`), at least 1 each but for
        `padding` (`labels[field][1]`). As in the reference verifier, an empty field stands for an absent one.
        """
        rank = base.get_num_dims()
        for name, (counted, positive) in labels.items():
            values = getattr(self, name) or ()
            if len(values) != rank and (values or name == "window_dimensions"):
                found = f"{name} is {list(values)}"
                raise violated(op, counted, f"{found}; {base} needs {rank} entries, one per dimension")
            if name != "padding" and any(n < 1 for n in values):
                raise violated(op, positive, f"{name} is {list(values)}; each must be at least 1")
        ones, none = (1,) * rank, ((0, 0),) * rank
        return tuple(
            WindowDim(n, size, stride, low, high, base_dilation, window_dilation)
            for n, size, stride, base_dilation, window_dilation, (low, high) in zip(
                base.get_shape(),
                self.window_dimensions or (),
                self.window_strides or ones,
                self.base_dilations or ones,
                self.window_dilations or ones,
                self.padding or none,
                strict=True,
            )
        )


_WINDOW_INTS = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")


def window_of(op: Operation, padding_label: str) -> Window:
    """The window that the properties of `op` describe; ShapeError unless the padding is a list of pairs."""
    held = op.properties | op.attributes  # an op in its generic form keeps them among the attributes
    fields: dict[str, Any] = {
        name: ints(cast(Any, attribute)) for name in _WINDOW_INTS if (attribute := held.get(name)) is not None
    }
    padding = cast("Elements | None", held.get("padding"))
    if padding is not None:
        shape = padding.get_shape()
        if len(shape) != 2 or shape[1] != 2 or padding.get_element_type() != i64:
            found = f"padding is {padding.get_type()}"
            expected = "it must have shape rank x 2: low and high, per dimension; and i64 elements"
            raise violated(op.name, padding_label, f"{found}; {expected}")
        flat = integers(padding)
        fields["padding"] = tuple(zip(flat[::2], flat[1::2], strict=True))
    return Window(**({"window_dimensions": None} | fields))


def _greatest(dims: Sequence[WindowDim], sizes: Sequence[int]) -> list[int]:
    """How many positions the window takes over the greatest `sizes` that the base may have."""
    return [replace(d, base=n).out for d, n in zip(dims, sizes, strict=True)]


def window_from(dims: Sequence[WindowDim]) -> Window:
    """The window of `dims`, without the fields that would only hold defaults."""

    def unless_all(default: Any, values: list[Any]) -> list[Any] | None:
        return None if all(v == default for v in values) else values

    return Window(
        [d.size for d in dims],
        unless_all(1, [d.stride for d in dims]),
        unless_all(1, [d.base_dilation for d in dims]),
        unless_all(1, [d.window_dilation for d in dims]),
        unless_all((0, 0), [(d.low, d.high) for d in dims]),
    )


@irdl_op_definition
class ReduceWindowOp(AbstractGenericOp):
    """The elements in each position of a sliding window, folded by `body`; the init values take part too.

    inputs            : N > 0 tensors (C1) of one shape S (C2)
    init_values       : N scalars of the inputs' elements (C1, C3); they also fill the padding and the base's holes
    window_dimensions : one per dimension (C4), >= 1 (C5)
    window_strides    : one per dimension (C6), >= 1 (C7); absent: 1
    base_dilations    : one per dimension (C8), >= 1 (C9); absent: 1
    window_dilations  : one per dimension (C10), >= 1 (C11); absent: 1
    padding           : low and high per dimension (C12), negative cuts; absent: 0
    body              : (N left values, N right values) -> N values, scalars of elements E; inputs promote to E (C13)
    results           : N tensors (C1) of one shape (C14), the positions in each dimension (C15), and elements E (C16)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#reduce_window
    """

    name = "stablehlo.reduce_window"
    inputs = var_operand_def(TENSOR)
    init_values = var_operand_def(TENSOR)
    window_dimensions = prop_def(I64S)
    window_strides = opt_prop_def(I64S)
    base_dilations = opt_prop_def(I64S)
    window_dilations = opt_prop_def(I64S)
    padding = opt_prop_def(BaseAttr(DenseIntOrFPElementsAttr))
    body = region_def("single_block")
    results_ = var_result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())
    OF_SCALARS: ClassVar = True
    irdl_options = (SameVariadicOperandSize(),)

    LABELS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "window_dimensions": ("C4", "C5"),
        "window_strides": ("C6", "C7"),
        "base_dilations": ("C8", "C9"),
        "window_dilations": ("C10", "C11"),
        "padding": ("C12", ""),
    }

    def __init__(self, inputs: Sequence[SSAValue], init_values: Sequence[SSAValue], window: Window, body: Body):
        """Fold by `body`; a class such as AddOp serves for one input."""
        types = [type_of(x) for x in inputs]
        region = region_of(body, [scalar(t) for t in types] * 2)
        results = self.infer(types, [type_of(v) for v in init_values], window, region)
        self._build((*inputs, *init_values), results, window.attributes(), (region,))

    @classmethod
    def infer(
        cls, inputs: Sequence[RankedTensor], init_values: Sequence[RankedTensor], window: Window, body: Region
    ) -> list[RankedTensor]:
        """The types of the results: the number of positions of the window, of the elements that `body` returns."""
        _check_inputs(cls.name, ("C1", "C2"), inputs, init_values)
        windows = [window.over(cls.name, cls.LABELS, t) for t in inputs]
        found = check_reducer(cls.name, ("C3", "C13"), body, inputs, init_values, sizes=window.window_dimensions or ())
        return [
            within_limits(t, [d.out for d in dims], _greatest(dims, limits(t)), e)
            for t, dims, e in zip(inputs, windows, found, strict=True)
        ]

    @property
    def windows(self) -> tuple[WindowDim, ...]:
        """The window in each dimension."""
        return window_of(self, "C12").over(self.name, self.LABELS, type_of(self.inputs[0]))

    def verify_semantics(self) -> None:
        inputs, init_values = [type_of(x) for x in self.inputs], [type_of(v) for v in self.init_values]
        inferred = self.infer(inputs, init_values, window_of(self, "C12"), self.body)
        check_results(self.name, ("C1", "C15", "C16"), [r.type for r in self.results], inferred)


@irdl_op_definition
class SelectAndScatterOp(AbstractGenericOp):
    """Each element of source, sent to the element of operand that `select` picks in its window; `scatter` joins them.

    operand           : tensor S x E
    source            : E (C1), one element per position of the window (C2)
    init_value        : scalar E, where every element of the result starts (C3)
    window_dimensions : one per dimension (C4), >= 1 (C5)
    window_strides    : one per dimension (C6), >= 1 (C7); absent: 1
    padding           : low and high per dimension (C8), negative cuts; absent: 0
    select            : (left, right) -> i1, whether left stays picked; scalars E (C9)
    scatter           : (value so far, source's element) -> value, scalars E'; E promotes to E' (C10)
    result            : S (C11) x E' (C12)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#select_and_scatter
    """

    name = "stablehlo.select_and_scatter"
    operand = tensor_operand()
    source = tensor_operand()
    init_value = tensor_operand()
    window_dimensions = opt_prop_def(I64S)
    window_strides = opt_prop_def(I64S)
    padding = opt_prop_def(BaseAttr(DenseIntOrFPElementsAttr))
    select = region_def("single_block")
    scatter = region_def("single_block")
    result = tensor_result()
    traits = traits_def(RecursiveMemoryEffect())
    OF_SCALARS: ClassVar = True

    LABELS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "window_dimensions": ("C4", "C5"),
        "window_strides": ("C6", "C7"),
        "padding": ("C8", ""),
    }

    def __init__(
        self,
        operand: SSAValue,
        source: SSAValue,
        init_value: SSAValue,
        window: Window,
        select: Body,
        scatter: Body,
    ):
        """`select` is a function of two scalars that returns an i1, `scatter` one like the body of a reduce."""
        types = type_of(operand), type_of(source), type_of(init_value)
        regions = region_of(select, [scalar(types[0])] * 2), region_of(scatter, [scalar(types[0])] * 2)
        result = self.infer(*types, window, *regions)
        self._build((operand, source, init_value), (result,), window.attributes(), regions)

    @classmethod
    def infer(
        cls,
        operand: RankedTensor,
        source: RankedTensor,
        init_value: RankedTensor,
        window: Window,
        select: Region,
        scatter: Region,
    ) -> RankedTensor:
        """The type of the result: the operand's sizes, of the elements that `scatter` returns."""
        cls._check_select(operand, select)
        expected = like(operand, shape=[d.out for d in window.over(cls.name, cls.LABELS, operand)])
        if source.element_type != operand.element_type and not floats_of_equal_shape(source, expected):
            found = f"source is {source}, operand is {operand}"
            raise violated(cls.name, "C1", f"{found}; their element types must be equal; convert one", DTypeError)
        if not compatible_shapes(source.get_shape(), expected.get_shape()):
            found = f"source is {source}, operand is {operand}"
            raise violated(cls.name, "C2", f"{found}; source needs one element per window: {expected}")
        names = "source", "init_value"
        (element,) = check_reducer(cls.name, ("C3", "C10"), scatter, [source], [init_value], names)
        return like(operand, element=element)

    @classmethod
    def _check_select(cls, operand: RankedTensor, select: Region) -> None:
        """Raise DTypeError unless select is (E, E) -> i1 on scalars."""
        block, e = select.block, scalar(operand)
        returned = [v.type for v in block.last_op.operands] if isinstance(block.last_op, ReturnOp) else []
        right = [a.type == e or floats_of_equal_shape(a.type, e) for a in block.args]
        if right != [True, True] or not (len(returned) == 1 and compatible(returned[0], tensor((), i1))):
            found = f"select maps ({_spelled(block.args)}) to ({', '.join(map(str, returned))})"
            raise violated(cls.name, "C9", f"{found}; it must map ({e}, {e}) to tensor<i1>", DTypeError)

    @property
    def windows(self) -> tuple[WindowDim, ...]:
        """The window in each dimension of the operand."""
        return window_of(self, "C8").over(self.name, self.LABELS, self.operand.type)

    def verify_semantics(self) -> None:
        types = self.operand.type, self.source.type, self.init_value.type
        inferred = self.infer(*types, window_of(self, "C8"), self.select, self.scatter)
        check_results(self.name, ("C11", "C11", "C12"), [self.result.type], [inferred])


def _spelled(values: Sequence[BlockArgument]) -> str:
    return ", ".join(str(v.type) for v in values)


__all__ = ["ReduceOp", "ReduceWindowOp", "SelectAndScatterOp", "Window", "reducer_of", "selector_of", "window_from"]
