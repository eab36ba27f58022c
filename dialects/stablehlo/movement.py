"""Ops that move elements to places known beforehand: reshape, transpose, broadcast_in_dim, reverse and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.bounds import UNBOUNDED, Bounds, bounds_of
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import (
    I64,
    I64S,
    TENSOR,
    AbstractOp,
    i64_array,
    i64_attr,
    ints,
    tensor_operand,
    tensor_result,
)
from hhlo_xdsl.dialects.stablehlo.checks import (
    check_distinct_in_range,
    check_kind,
    check_result,
    check_static,
    violated,
)
from hhlo_xdsl.dialects.stablehlo.quantized import (
    along,
    axis_of,
    check_broadcast,
    check_reshaped,
    check_transposed,
    is_quantized,
    reshaped_axis,
)
from hhlo_xdsl.dialects.stablehlo.shapes import count, padded, sliced
from hhlo_xdsl.dialects.types import (
    ANY,
    QUANTIZED,
    QUANTIZED_ANY,
    UNKNOWN,
    RankedTensor,
    bounded,
    compatible_sizes,
    compatible_sizes_and_bounds,
    is_static,
    like,
    limits,
    merged,
    type_of,
    within_limits,
)


@irdl_op_definition
class ReshapeOp(AbstractOp):
    """The elements of operand, in row-major order, in another shape.

    operand, result : one element type (C1), equally many elements (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#reshape
    """

    name = "stablehlo.reshape"
    operand = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, shape: Sequence[int]):
        self._build((operand,), (self.infer(type_of(operand), shape),))

    @classmethod
    def infer(cls, operand: RankedTensor, shape: Sequence[int], bounds: Bounds | None = None) -> RankedTensor:
        """The type of the result: `shape` within `bounds`, with the operand's elements."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED_ANY)
        axis = reshaped_axis(operand, shape)
        element = operand.element_type if axis is None else along(operand.element_type, axis)
        result = bounded(tuple(shape), element, bounds)
        check_static(cls.name, "the result", result, or_bounded=True)
        if not compatible_sizes(count(operand.get_shape()), count(shape)):
            raise violated(
                cls.name, "C2", f"operand is {operand} and the result {result}; they must have equally many elements"
            )
        return result

    def verify_semantics(self) -> None:
        result = self.result.type
        inferred = self.infer(self.operand.type, result.get_shape(), bounds_of(result))
        check_result(self.name, result, inferred, "C1", bounds=False)
        # As upstream, only if all sizes are known.
        if is_quantized(self.operand.type) and is_static(self.operand.type) and is_static(result):
            check_reshaped(self.name, self.operand.type, self.result.type)


class AbstractDimsOp(AbstractOp):
    """An op spelled `%operand, dims = [0, 1]`."""

    DIMS: ClassVar[str]
    """The property that holds the dimensions."""

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        return [operand], {cls.DIMS: i64_array(assembly.parse_named_ints(parser, "dims"))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        assembly.print_named_ints(printer, "dims", ints(cast("DenseArrayBase[Any]", self.properties[self.DIMS])))


@irdl_op_definition
class TransposeOp(AbstractDimsOp):
    """result[.. i_p(k) ..] = operand[i]: result's dimension k is operand's dimension permutation[k].

    permutation : of 0..rank-1                                  (C2)
    result      : operand's sizes, permuted                     (C1, C3)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#transpose
    """

    name = "stablehlo.transpose"
    operand = tensor_operand()
    permutation = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    DIMS: ClassVar = "permutation"
    SPELLED: ClassVar = frozenset({DIMS})

    def __init__(self, operand: SSAValue, permutation: Sequence[int]):
        dims = tuple(permutation)
        self._build((operand,), (self.infer(type_of(operand), dims),), {"permutation": i64_array(dims)})

    @classmethod
    def infer(cls, operand: RankedTensor, permutation: Sequence[int]) -> RankedTensor:
        """The type of the result: the operand's sizes in the order of `permutation`."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED_ANY)
        shape, most = operand.get_shape(), limits(operand)
        if sorted(permutation) != list(range(len(shape))):
            raise violated(
                cls.name,
                "C2",
                f"permutation is {list(permutation)}; it must hold each of 0..{len(shape) - 1} once, for {operand}",
            )
        axis = axis_of(operand)
        element = operand.element_type if axis is None else along(operand.element_type, permutation.index(axis))
        return within_limits(operand, [shape[d] for d in permutation], [most[d] for d in permutation], element)

    def verify_semantics(self) -> None:
        permutation = ints(self.permutation)
        check_result(self.name, self.result.type, self.infer(self.operand.type, permutation), "C3", elements="C1")
        if is_quantized(self.operand.type):
            check_transposed(self.name, self.operand.type, permutation, self.result.type)


@irdl_op_definition
class BroadcastInDimOp(AbstractDimsOp):
    """operand's dimension k becomes result's dimension broadcast_dimensions[k], stretched if its size is 1.

    broadcast_dimensions : one per operand dimension (C2), in range (C3), distinct (C4)
    result               : operand's element type (C1); at each such dimension operand's size, or any if that is 1 (C5)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#broadcast_in_dim
    """

    name = "stablehlo.broadcast_in_dim"
    operand = tensor_operand()
    broadcast_dimensions = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    DIMS: ClassVar = "broadcast_dimensions"
    SPELLED: ClassVar = frozenset({DIMS})

    def __init__(self, operand: SSAValue, shape: Sequence[int], broadcast_dimensions: Sequence[int]):
        dims = tuple(broadcast_dimensions)
        self._build((operand,), (self.infer(type_of(operand), shape, dims),), {"broadcast_dimensions": i64_array(dims)})

    @classmethod
    def infer(
        cls,
        operand: RankedTensor,
        shape: Sequence[int],
        broadcast_dimensions: Sequence[int],
        bounds: Bounds | None = None,
    ) -> RankedTensor:
        """The type of the result: `shape` within `bounds`, with the operand's elements."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED_ANY)
        dims, rank = list(broadcast_dimensions), operand.get_num_dims()
        if len(dims) != rank:
            raise violated(
                cls.name, "C2", f"broadcast_dimensions are {dims}; {operand} needs {rank} of them, one per dimension"
            )
        check_distinct_in_range(cls.name, ("C4", "C3"), "broadcast_dimensions", dims, len(shape))
        for d, n in zip(dims, operand.get_shape(), strict=True):
            if n not in (1, UNKNOWN, shape[d]):
                raise violated(
                    cls.name,
                    "C5",
                    f"operand is {operand}, result dimension {d} has size {shape[d]};"
                    f" it must be {n}, the operand's size there",
                )
        axis = axis_of(operand)
        element = operand.element_type if axis is None else along(operand.element_type, dims[axis], shape[dims[axis]])
        result = bounded(tuple(shape), element, bounds)
        check_static(cls.name, "the result", result, or_bounded=True)
        return result

    def verify_semantics(self) -> None:
        dims, result = ints(self.broadcast_dimensions), self.result.type
        inferred = self.infer(self.operand.type, result.get_shape(), dims, bounds_of(result))
        check_result(self.name, result, inferred, "C1", bounds=False)
        if is_quantized(self.operand.type):
            check_broadcast(self.name, self.operand.type, dims, result)


@irdl_op_definition
class ReverseOp(AbstractDimsOp):
    """result = operand, read backwards along `dimensions`.

    dimensions      : distinct (C2), in range (C3)
    operand, result : one type (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#reverse
    """

    name = "stablehlo.reverse"
    operand = tensor_operand()
    dimensions = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME
    DIMS: ClassVar = "dimensions"
    SPELLED: ClassVar = frozenset({DIMS})

    def __init__(self, operand: SSAValue, dimensions: Sequence[int]):
        dims = tuple(dimensions)
        self._build((operand,), (self.infer(type_of(operand), dims),), {"dimensions": i64_array(dims)})

    @classmethod
    def infer(cls, operand: RankedTensor, dimensions: Sequence[int]) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED)
        check_distinct_in_range(cls.name, ("C2", "C3"), "dimensions", dimensions, operand.get_num_dims())
        return operand

    def verify_semantics(self) -> None:
        check_result(
            self.name, self.result.type, self.infer(self.operand.type, ints(self.dimensions)), "C1", exact=True
        )


@irdl_op_definition
class ConcatenateOp(AbstractOp):
    """The inputs, end to end along `dimension`.

    inputs    : one or more (C3), of one element type (C1), of equal sizes but at `dimension` (C2)
    dimension : 0 <= dimension < rank (C4)
    result    : their element type (C5); their sizes, summed at `dimension` (C6)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#concatenate
    """

    name = "stablehlo.concatenate"
    inputs = var_operand_def(TENSOR)
    dimension = prop_def(I64)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"dimension"})

    def __init__(self, inputs: Sequence[SSAValue], dimension: int):
        result = self.infer([type_of(x) for x in inputs], dimension)
        self._build(inputs, (result,), {"dimension": i64_attr(dimension)})

    @classmethod
    def infer(cls, inputs: Sequence[RankedTensor], dimension: int) -> RankedTensor:
        """The type of the result: the inputs' sizes, those at `dimension` summed."""
        if not inputs:
            raise violated(cls.name, "C3", "there are no inputs; give at least one")
        first = inputs[0]
        check_kind(cls.name, "inputs[0]", first, ANY | QUANTIZED)
        if not 0 <= dimension < first.get_num_dims():
            raise violated(
                cls.name,
                "C4",
                f"dimension is {dimension}; it must be in 0..{first.get_num_dims() - 1}, for inputs[0] {first}",
            )
        joined = _with_size(first, dimension, UNKNOWN, UNBOUNDED)
        for i, other in enumerate(inputs[1:], 1):
            found = f"inputs[{i}] is {other}, inputs[0] is {first}"
            if other.element_type != first.element_type:
                raise violated(cls.name, "C1", f"{found}; their element types must be equal; convert one", DTypeError)
            same = _with_size(other, dimension, UNKNOWN, UNBOUNDED)
            if not compatible_sizes_and_bounds(joined, same):
                raise violated(cls.name, "C2", f"{found}; they may differ only along dimension {dimension}")
            joined = merged(joined, same)
        size = _sum([t.get_shape()[dimension] for t in inputs])
        bound = _sum([limits(t)[dimension] for t in inputs])
        return _with_size(joined, dimension, size, bound if size == UNKNOWN else UNBOUNDED)

    def verify_semantics(self) -> None:
        inferred = self.infer([type_of(x) for x in self.inputs], self.dimension.value.data)
        check_result(self.name, self.result.type, inferred, "C6", elements="C5", exact=True)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operand_list(parser)
        return operands, {"dimension": i64_attr(assembly.parse_named_int(parser, "dim"))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f", dim = {self.dimension.value.data}")


def _sum(sizes: Sequence[int]) -> int:
    return UNKNOWN if UNKNOWN in sizes else sum(sizes)


def _with_size(type: RankedTensor, dim: int, size: int, bound: int) -> RankedTensor:
    """`type` with another size and bound of dimension `dim`, if it has that."""
    shape, most = list(type.get_shape()), list(bounds_of(type) or [UNBOUNDED] * type.get_num_dims())
    shape[dim : dim + 1], most[dim : dim + 1] = [size] * (dim < len(shape)), [bound] * (dim < len(shape))
    return bounded(tuple(shape), type.element_type, tuple(most))


@irdl_op_definition
class PadOp(AbstractOp):
    """operand with padding_value before, after and between its elements; negative edges cut.

    low, high, interior : one per dimension (C2); interior >= 0 (C3)
    padding_value       : a scalar of operand's element type (C1)
    result              : per dimension low + size + max(size - 1, 0) * interior + high, not negative (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#pad
    """

    name = "stablehlo.pad"
    operand = tensor_operand()
    padding_value = tensor_operand()
    edge_padding_low = prop_def(I64S)
    edge_padding_high = prop_def(I64S)
    interior_padding = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"edge_padding_low", "edge_padding_high", "interior_padding"})

    def __init__(
        self,
        operand: SSAValue,
        padding_value: SSAValue,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int],
    ):
        result = self.infer(type_of(operand), type_of(padding_value), low, high, interior)
        self._build((operand, padding_value), (result,), self._paddings(low, high, interior))

    @staticmethod
    def _paddings(low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> dict[str, Attribute]:
        return {
            "edge_padding_low": i64_array(tuple(low)),
            "edge_padding_high": i64_array(tuple(high)),
            "interior_padding": i64_array(tuple(interior)),
        }

    @classmethod
    def infer(
        cls,
        operand: RankedTensor,
        padding_value: RankedTensor,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int],
    ) -> RankedTensor:
        """The type of the result: the operand's sizes, padded."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED)
        if padding_value.element_type != operand.element_type or padding_value.get_num_dims():
            raise violated(
                cls.name,
                "C1",
                f"padding_value is {padding_value}; it must be a scalar of the operand's elements,"
                f" {operand.element_type}",
                DTypeError,
            )
        rank = operand.get_num_dims()
        for name, values in (("edge_padding_low", low), ("edge_padding_high", high), ("interior_padding", interior)):
            if len(values) != rank:
                raise violated(
                    cls.name, "C2", f"{name} is {list(values)}; {operand} needs {rank} entries, one per dimension"
                )
        if any(i < 0 for i in interior):
            raise violated(cls.name, "C3", f"interior_padding is {list(interior)}; it must not be negative")
        grown = [padded(n, *p) for n, *p in zip(limits(operand), low, high, interior, strict=True)]
        if any(n < 0 and n != UNKNOWN for n in grown):
            raise violated(
                cls.name, "C4", f"operand is {operand}, padded to sizes {grown}; cut less, so that no size is negative"
            )
        shape = [UNKNOWN if n == UNKNOWN else m for n, m in zip(operand.get_shape(), grown, strict=True)]
        return within_limits(operand, shape, grown, operand.element_type)

    @property
    def paddings(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """low, high and interior padding, one number per dimension each."""
        return ints(self.edge_padding_low), ints(self.edge_padding_high), ints(self.interior_padding)

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.padding_value.type, *self.paddings)
        check_result(self.name, self.result.type, inferred, "C4", elements="C1", exact=True)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 2)
        lists: list[tuple[int, ...]] = []
        for name in ("low", "high", "interior"):
            parser.parse_punctuation(",")
            lists.append(assembly.parse_named_ints(parser, name))
        return operands, cls._paddings(*lists)

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        for name, values in zip(("low", "high", "interior"), self.paddings, strict=True):
            assembly.print_named_ints(printer, name, values)


@irdl_op_definition
class SliceOp(AbstractOp):
    """result[i] = operand[start + i * stride], per dimension, below limit.

    start_indices, limit_indices, strides : one per dimension (C2); 0 <= start <= limit <= size (C3); stride >= 1 (C4)
    result : operand's element type (C1), sizes ceil((limit - start) / stride) (C5)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#slice
    """

    name = "stablehlo.slice"
    operand = tensor_operand()
    start_indices = prop_def(I64S)
    limit_indices = prop_def(I64S)
    strides = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"start_indices", "limit_indices", "strides"})

    def __init__(self, operand: SSAValue, start: Sequence[int], limit: Sequence[int], strides: Sequence[int]):
        result = self.infer(type_of(operand), start, limit, strides)
        self._build((operand,), (result,), self._ranges(start, limit, strides))

    @staticmethod
    def _ranges(start: Sequence[int], limit: Sequence[int], strides: Sequence[int]) -> dict[str, Attribute]:
        return {
            "start_indices": i64_array(tuple(start)),
            "limit_indices": i64_array(tuple(limit)),
            "strides": i64_array(tuple(strides)),
        }

    @classmethod
    def infer(
        cls, operand: RankedTensor, start: Sequence[int], limit: Sequence[int], strides: Sequence[int]
    ) -> RankedTensor:
        """The type of the result: the sizes of the ranges, with the operand's elements."""
        check_kind(cls.name, "operand", operand, ANY | QUANTIZED)
        shape = operand.get_shape()
        for name, values in (("start_indices", start), ("limit_indices", limit), ("strides", strides)):
            if len(values) != len(shape):
                raise violated(
                    cls.name, "C2", f"{name} is {list(values)}; {operand} needs {len(shape)} entries, one per dimension"
                )
        for d, (a, b, s, n) in enumerate(zip(start, limit, strides, limits(operand), strict=True)):
            if not 0 <= a <= b or (n != UNKNOWN and b > n):
                size = "its size" if n == UNKNOWN else n
                raise violated(
                    cls.name, "C3", f"dimension {d} of {operand} is sliced {a}:{b}; 0 <= start <= limit <= {size}"
                )
            if s < 1:
                raise violated(
                    cls.name, "C4", f"dimension {d} has stride {s}; it must be at least 1; reverse for negative ones"
                )
        return like(operand, shape=[sliced(*r) for r in zip(start, limit, strides, strict=True)])

    @property
    def ranges(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """start, limit and stride, one number per dimension each."""
        return ints(self.start_indices), ints(self.limit_indices), ints(self.strides)

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, *self.ranges)
        check_result(self.name, self.result.type, inferred, "C5", elements="C1", exact=True)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operand = parser.parse_unresolved_operand()
        ranges = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_range(parser))
        start, limit, strides = zip(*ranges, strict=True) if ranges else ((), (), ())
        return [operand], cls._ranges(start, limit, strides)

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        spelled = (f"{a}:{b}" + (f":{s}" if s != 1 else "") for a, b, s in zip(*self.ranges, strict=True))
        printer.print_string(f" [{', '.join(spelled)}]")


def _parse_range(parser: Parser) -> tuple[int, int, int]:
    """`start:limit` or `start:limit:stride`"""
    start = parser.parse_integer()
    parser.parse_punctuation(":")
    limit = parser.parse_integer()
    stride = parser.parse_integer() if parser.parse_optional_punctuation(":") is not None else 1
    return start, limit, stride
