"""CHLO's op that loops over the slices of tensors: scan.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, FunctionType, TensorType, i32
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, RecursiveMemoryEffect

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import FLAG, I64, TENSOR, AbstractOp, flags, i64_attr
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, region_of, returned
from hhlo_xdsl.dialects.types import (
    ANY,
    QUANTIZED_ANY,
    UNKNOWN,
    RankedTensor,
    compatible,
    compatible_sizes,
    like,
    tensor,
    type_of,
)


@irdl_op_definition
class ScanOp(AbstractOp):
    """`body`, applied to one slice of the inputs after the other; what it gives goes into the outputs and the carry.

    inputs         : tensors with the size n in `dimension`; their slices are without it
    inits          : the carry before the first slice; at least one input or output is there
    dimension      : which one the slices are cut along, in inputs and outputs
    scan_dim_size  : n, where no input shows it
    is_reverse     : whether the last slice comes first; absent: false
    is_associative : whether body is an associative function of a slice and a carry; absent: unknown
    body           : (slices, carry) -> (slices of the outputs, next carry); it reads nothing from outside
    outputs        : the slices that body gives, in the places of those it took
    carries        : the last carry

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloscan-chloscanop
    """

    name = "chlo.scan"
    inputs = var_operand_def(TENSOR)
    inits = var_operand_def(TENSOR)
    dimension = prop_def(I64)
    scan_dim_size = opt_prop_def(I64)
    is_reverse = opt_prop_def(FLAG)
    is_associative = opt_prop_def(FLAG)
    body = region_def("single_block")
    outputs = var_result_def(TENSOR)
    carries = var_result_def(TENSOR)
    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True), AttrSizedResultSegments(as_property=True))

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        inits: Sequence[SSAValue],
        dimension: int,
        body: Body,
        *,
        scan_dim_size: int | None = None,
        is_reverse: bool = False,
        is_associative: bool | None = None,
    ):
        """Scan by `body`: (slices, carry) -> (slices of the outputs, next carry)."""
        slices = [_without(self.name, f"inputs[{i}]", type_of(x), dimension) for i, x in enumerate(inputs)]
        region = region_of(body, [*slices, *(v.type for v in inits)])
        results = self.infer(
            [type_of(x) for x in inputs], [type_of(v) for v in inits], dimension, scan_dim_size, region
        )
        properties: dict[str, Attribute] = {"dimension": i64_attr(dimension), **flags(is_reverse=is_reverse)}
        if scan_dim_size is not None:
            properties["scan_dim_size"] = i64_attr(scan_dim_size)
        if is_associative is not None:
            properties["is_associative"] = BoolAttr.from_bool(is_associative)
        properties |= _segments(len(inputs), len(inits), len(results))
        self._build((*inputs, *inits), results, properties, (region,))

    @property
    def backwards(self) -> bool:
        """Whether the last slice comes first."""
        return self.is_reverse is not None and bool(self.is_reverse.value.data)

    @property
    def trips(self) -> int:
        """How many slices there are; UNKNOWN where no type or attribute says it."""
        given = UNKNOWN if self.scan_dim_size is None else self.scan_dim_size.value.data
        return _trips([type_of(x) for x in self.inputs], self.dimension.value.data, given)

    @classmethod
    def infer(
        cls,
        inputs: Sequence[RankedTensor],
        inits: Sequence[RankedTensor],
        dimension: int,
        scan_dim_size: int | None,
        body: Region,
    ) -> list[RankedTensor]:
        """The types of outputs and carries: what `body` returns, the outputs with the slices' dimension."""
        if dimension < 0 or (scan_dim_size is not None and scan_dim_size < 0):
            found = f"dimension is {dimension}, scan_dim_size {scan_dim_size}"
            raise violated(cls.name, "", f"{found}; none may be negative")
        slices = [_without(cls.name, f"inputs[{i}]", x, dimension) for i, x in enumerate(inputs)]
        _check_sizes(inputs, dimension, scan_dim_size)
        _check_arguments(body, [*slices, *inits])
        gives = returned(cls.name, "", "body", body)
        count = len(gives) - len(inits)
        if count < 0:
            found = f"body returns {len(gives)} values"
            raise violated(cls.name, "", f"{found}; it must return {len(inits)} carries at least")
        if not inputs and not count:
            raise violated(cls.name, "", "there are neither inputs nor outputs; give at least one")
        types = [_tensor(i, t) for i, t in enumerate(gives)]
        trips = _trips(inputs, dimension, UNKNOWN if scan_dim_size is None else scan_dim_size)
        return [_with(i, t, dimension, trips) for i, t in enumerate(types[:count])] + types[count:]

    def verify_semantics(self) -> None:
        given = None if self.scan_dim_size is None else self.scan_dim_size.value.data
        inputs, inits = [type_of(x) for x in self.inputs], [type_of(v) for v in self.inits]
        inferred = self.infer(inputs, inits, self.dimension.value.data, given, self.body)
        if len(self.results) != len(inferred) or len(self.carries) != len(inits):
            found = f"there are {len(self.outputs)} outputs and {len(self.carries)} carries"
            expected = f"{len(inferred) - len(inits)} and {len(inits)} follow from body and inits"
            raise violated(self.name, "", f"{found}; {expected}")
        for i, (result, type) in enumerate(zip(self.results, inferred, strict=True)):
            check_kind(self.name, f"results[{i}]", type_of(result), ANY | QUANTIZED_ANY)
            check_result(self.name, result.type, type, "", f"results[{i}]", bounds=False)

    SPELLED: ClassVar = frozenset({"dimension", "operandSegmentSizes", "resultSegmentSizes"})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        paren = parser.Delimiter.PAREN
        inputs = parser.parse_comma_separated_list(paren, parser.parse_unresolved_operand)
        parser.parse_keyword("inits")
        inits = parser.parse_comma_separated_list(paren, parser.parse_unresolved_operand)
        properties: dict[str, Attribute] = {"dimension": i64_attr(assembly.parse_named_int(parser, "dimension"))}
        held = parser.parse_optional_attr_dict_with_keyword()
        attributes = {} if held is None else dict(held.data)
        body = parser.parse_region()
        attributes |= parser.parse_optional_attr_dict()  # where StableHLO 1.16 has them
        declared = cls.get_irdl_definition().properties
        properties |= {k: attributes.pop(k) for k in list(attributes) if k in declared}
        parser.parse_punctuation(":")
        pos = parser.pos
        type = parser.parse_type()
        if not isinstance(type, FunctionType) or len(type.outputs.data) < len(inits):
            parser.raise_error(f"expected a function type with {len(inits)} results at least", pos, parser.pos)
        return cls.create(
            operands=assembly.resolve(parser, [*inputs, *inits], type.inputs.data, pos),
            result_types=type.outputs.data,
            properties=properties | _segments(len(inputs), len(inits), len(type.outputs.data)),
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.inputs, printer.print_ssa_value)
        printer.print_string(") inits (")
        printer.print_list(self.inits, printer.print_ssa_value)
        printer.print_string(f") dimension={self.dimension.value.data} ")
        rest = {k: v for k, v in self.properties.items() if k not in self.SPELLED} | self.attributes
        if rest:
            printer.print_string(" attributes")
            printer.print_op_attributes(dict(sorted(rest.items())))
        printer.print_string(" ")
        printer.print_region(self.body)
        assembly.print_types(printer, self.TYPE_FORM, self)


def _segments(inputs: int, inits: int, results: int) -> dict[str, Attribute]:
    """The properties that say which operands are inputs, and which results outputs."""
    return {
        "operandSegmentSizes": DenseArrayBase.from_list(i32, (inputs, inits)),
        "resultSegmentSizes": DenseArrayBase.from_list(i32, (results - inits, inits)),
    }


def _without(op: str, name: str, type: RankedTensor, dimension: int) -> RankedTensor:
    """The type of a slice of `type`: without `dimension`, which must exist."""
    check_kind(op, name, type, ANY | QUANTIZED_ANY)
    shape = type.get_shape()
    if not 0 <= dimension < len(shape):
        raise violated(op, "", f"dimension is {dimension}, {name} is {type}; it must be in 0..{len(shape) - 1}")
    return like(type, shape=(*shape[:dimension], *shape[dimension + 1 :]))


def _with(index: int, type: RankedTensor, dimension: int, trips: int) -> RankedTensor:
    """The type of an output whose slices have `type`."""
    shape = type.get_shape()
    if dimension > len(shape):
        found = f"dimension is {dimension}, and body returns slices of {type} for outputs[{index}]"
        raise violated(ScanOp.name, "", f"{found}; they need at least {dimension} dimensions; reshape them")
    return tensor((*shape[:dimension], trips, *shape[dimension:]), type.element_type)


def _tensor(index: int, type: Attribute) -> RankedTensor:
    if not isinstance(type, TensorType):
        raise violated(ScanOp.name, "", f"body returns {type} as value {index}; it must be a tensor", DTypeError)
    return cast(RankedTensor, type)


def _trips(inputs: Sequence[RankedTensor], dimension: int, given: int) -> int:
    """The first known size of `dimension`, `given` before those of the inputs."""
    sizes = [given, *(x.get_shape()[dimension] for x in inputs)]
    return next((n for n in sizes if n != UNKNOWN), UNKNOWN)


def _check_sizes(inputs: Sequence[RankedTensor], dimension: int, given: int | None) -> None:
    """Raise ShapeError unless all inputs have one size along `dimension`, which is `given` if that is."""
    trips = _trips(inputs, dimension, UNKNOWN if given is None else given)
    for i, x in enumerate(inputs):
        if not compatible_sizes(x.get_shape()[dimension], trips):
            found = f"inputs[{i}] is {x}, of size {x.get_shape()[dimension]} along dimension {dimension}"
            raise violated(ScanOp.name, "", f"{found}; all inputs, and scan_dim_size, must say {trips}")


def _check_arguments(body: Region, expected: Sequence[RankedTensor]) -> None:
    """Raise DTypeError unless `body` takes the slices of the inputs, then the carry."""
    takes: list[Any] = [a.type for a in body.block.args]
    if len(takes) != len(expected) or not all(map(compatible, takes, expected)):
        found, needed = (", ".join(map(str, types)) for types in (takes, expected))
        raise violated(ScanOp.name, "", f"body takes ({found}); it must take ({needed})", DTypeError)
