"""Ops whose result has sizes that are known only when the program runs: they take these as an operand.

If that operand is a constant, it is checked like an attribute. XLA compiles these ops only with constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, Pure

from hhlo_xdsl.dialects.bounds import UNBOUNDED, bounds_of
from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.base import (
    I64,
    I64S,
    AbstractGenericOp,
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
    check_same_elements,
    violated,
)
from hhlo_xdsl.dialects.stablehlo.contraction import AbstractConvolution
from hhlo_xdsl.dialects.stablehlo.conv_window import PLAIN, Window
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers
from hhlo_xdsl.dialects.stablehlo.quantized import axis_of, check_broadcast, check_reshaped, is_quantized
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints, check_asked_shape, check_sizes_operand, spelled_shape
from hhlo_xdsl.dialects.stablehlo.shapes import count, padded, sliced
from hhlo_xdsl.dialects.stablehlo.values import ELEMENTS, ELEMENTS_PER_AXIS
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, bounded, compatible_sizes, is_static, like, tensor, type_of


class AbstractAtDimension(AbstractOp):
    """An op spelled `%a, %b, dim = 0`."""

    DIM: ClassVar[str]
    """The property that holds the dimension."""

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands: list[UnresolvedOperand] = []
        for _ in cls.get_irdl_definition().operands:
            operands.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(",")
        return operands, {cls.DIM: i64_attr(assembly.parse_named_int(parser, "dim"))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f", dim = {self.at}")

    @property
    def at(self) -> int:
        """The dimension."""
        return cast(Any, self.get_attr_or_prop(self.DIM)).value.data


def _check_dimension(op: str, label: str, name: str, dimension: int, what: str, type: RankedTensor) -> None:
    if not 0 <= dimension < type.get_num_dims():
        found = f"{name} is {dimension}, {what} is {type}"
        raise violated(op, label, f"{found}; it must be in 0..{type.get_num_dims() - 1}")


@irdl_op_definition
class DynamicIotaOp(AbstractAtDimension):
    """result[i_0, .., i_n] = i_d, where d is iota_dimension and result's sizes are output_shape.

    output_shape   : tensor of integers, of rank 1
    iota_dimension : 0 <= d < rank                                  (C1)
    result         : of output_shape's sizes, if it is a constant   (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_iota
    """

    name = "stablehlo.dynamic_iota"
    output_shape = tensor_operand()
    iota_dimension = prop_def(I64)
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True
    DIM: ClassVar = "iota_dimension"
    SPELLED: ClassVar = frozenset({DIM})

    def __init__(
        self, output_shape: SSAValue, iota_dimension: int, element: Attribute, shape: Sequence[int] | None = None
    ):
        """`shape` are the result's sizes as far as they are known; None if output_shape says all there is to know."""
        values, type = as_ints(output_shape), type_of(output_shape)
        result = tensor(spelled_shape(type, values) if shape is None else tuple(shape), element)
        self.check(type, values, iota_dimension, result)
        self._build((output_shape,), (result,), {"iota_dimension": i64_attr(iota_dimension)})

    @classmethod
    def check(
        cls, output_shape: RankedTensor, values: Sequence[int] | None, iota_dimension: int, result: RankedTensor
    ) -> None:
        """Raise unless a result may have its type; `values` are what output_shape holds, if it is a constant."""
        check_sizes_operand(cls.name, "I1", "output_shape", output_shape)
        check_kind(cls.name, "result", result, ELEMENTS, "")
        _check_dimension(cls.name, "C1", "iota_dimension", iota_dimension, "result", result)
        check_asked_shape(cls.name, "C2", "output_shape", values, result)

    def verify_semantics(self) -> None:
        self.check(self.output_shape.type, as_ints(self.output_shape), self.at, self.result.type)


@irdl_op_definition
class DynamicReshapeOp(AbstractOp):
    """The elements of operand, in row-major order, in the shape that output_shape says.

    output_shape    : tensor of integers, of rank 1; one per result dimension (C4)
    operand, result : one element type (C1), equally many elements (C2)
    result          : of output_shape's sizes, if it is a constant (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_reshape
    """

    name = "stablehlo.dynamic_reshape"
    operand = tensor_operand()
    output_shape = tensor_operand()
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True

    def __init__(self, operand: SSAValue, output_shape: SSAValue, shape: Sequence[int] | None = None):
        """`shape` are the result's sizes as far as they are known; None if output_shape says all there is to know."""
        values, type = as_ints(output_shape), type_of(output_shape)
        result = like(type_of(operand), shape=spelled_shape(type, values) if shape is None else shape)
        self.check(type_of(operand), type, values, result)
        self._build((operand, output_shape), (result,))

    @classmethod
    def check(
        cls, operand: RankedTensor, output_shape: RankedTensor, values: Sequence[int] | None, result: RankedTensor
    ) -> None:
        """Raise unless a result may have its type; `values` are what output_shape holds, if it is a constant."""
        check_kind(cls.name, "operand", operand, ELEMENTS_PER_AXIS)
        check_kind(cls.name, "result", result, ELEMENTS_PER_AXIS, "")
        check_sizes_operand(cls.name, "I2", "output_shape", output_shape)
        if not is_quantized(operand, result):
            check_same_elements(cls.name, "C1", operand=operand, result=result)
        cls._check_count(operand, result.get_shape())
        if output_shape.get_shape()[0] != result.get_num_dims():
            found = f"output_shape is {output_shape}, result is {result}"
            raise violated(cls.name, "C4", f"{found}; output_shape needs one entry per dimension of result")
        check_asked_shape(cls.name, "C4", "output_shape", values, result)
        cls._check_count(operand, result.get_shape() if values is None else values)
        if is_quantized(operand, result):
            check_reshaped(cls.name, operand, result)

    @classmethod
    def _check_count(cls, operand: RankedTensor, shape: Sequence[int]) -> None:
        if not compatible_sizes(count(operand.get_shape()), count(shape)):
            found = f"operand is {operand}, the result has sizes {list(shape)}"
            raise violated(cls.name, "C2", f"{found}; they must have equally many elements")

    def verify_semantics(self) -> None:
        self.check(self.operand.type, self.output_shape.type, as_ints(self.output_shape), self.result.type)


@irdl_op_definition
class DynamicBroadcastInDimOp(AbstractOp):
    """broadcast_in_dim to the shape that output_dimensions says.

    output_dimensions    : tensor of integers, of rank 1
    broadcast_dimensions : one per operand dimension (C2), in result's range (C3), distinct (C4)
    known_expanding_dimensions    : operand dimensions that are stretched (C9); a promise
    known_nonexpanding_dimensions : operand dimensions that are not (C10); both lists without repetition (C8)
    result               : operand's element type (C1); at each broadcast dimension operand's size, or any if that is 1
                           (C5); of output_dimensions' sizes, if they are constant (C7)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_broadcast_in_dim
    """

    name = "stablehlo.dynamic_broadcast_in_dim"
    operand = tensor_operand()
    output_dimensions = tensor_operand()
    broadcast_dimensions = prop_def(I64S)
    known_expanding_dimensions = opt_prop_def(I64S)
    known_nonexpanding_dimensions = opt_prop_def(I64S)
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True
    SPELLED: ClassVar = frozenset({"broadcast_dimensions"})

    def __init__(
        self,
        operand: SSAValue,
        output_dimensions: SSAValue,
        broadcast_dimensions: Sequence[int],
        shape: Sequence[int] | None = None,
        *,
        expanding: Sequence[int] = (),
        nonexpanding: Sequence[int] = (),
    ):
        """`shape` are the result's sizes as far as known; None if output_dimensions say all there is to know."""
        values, type = as_ints(output_dimensions), type_of(output_dimensions)
        result = like(type_of(operand), shape=spelled_shape(type, values) if shape is None else shape)
        self.check(type_of(operand), type, values, broadcast_dimensions, expanding, nonexpanding, result)
        properties: dict[str, Attribute] = {"broadcast_dimensions": i64_array(tuple(broadcast_dimensions))}
        if expanding:
            properties["known_expanding_dimensions"] = i64_array(tuple(expanding))
        if nonexpanding:
            properties["known_nonexpanding_dimensions"] = i64_array(tuple(nonexpanding))
        self._build((operand, output_dimensions), (result,), properties)

    @classmethod
    def check(
        cls,
        operand: RankedTensor,
        output_dimensions: RankedTensor,
        values: Sequence[int] | None,
        dims: Sequence[int],
        expanding: Sequence[int],
        nonexpanding: Sequence[int],
        result: RankedTensor,
    ) -> None:
        """Raise unless a result may have its type; `values` are what output_dimensions holds, if it is a constant."""
        check_kind(cls.name, "operand", operand, ELEMENTS_PER_AXIS)
        check_kind(cls.name, "result", result, ELEMENTS_PER_AXIS, "")
        check_sizes_operand(cls.name, "I2", "output_dimensions", output_dimensions)
        # As in upstream's verifier, one of the two may be quantized, or both differently.
        if not is_quantized(operand, result):
            check_same_elements(cls.name, "C1", operand=operand, result=result)
        cls._check_dims(operand, dims, result)
        check_asked_shape(cls.name, "C7", "output_dimensions", values, result)
        cls._check_stretch(operand, dims, result.get_shape() if values is None else values)
        hints = (*expanding, *nonexpanding)
        if len(set(hints)) != len(hints):
            found = f"known_expanding_dimensions are {list(expanding)}, nonexpanding ones {list(nonexpanding)}"
            raise violated(cls.name, "C8", f"{found}; no dimension may stand there twice")
        for label, what, hint in (("C9", "known_expanding", expanding), ("C10", "known_nonexpanding", nonexpanding)):
            check_distinct_in_range(cls.name, (label, label), f"{what}_dimensions", hint, operand.get_num_dims())
        if axis_of(operand) is not None and axis_of(result) is not None:
            check_broadcast(cls.name, operand, dims, result)

    @classmethod
    def _check_dims(cls, operand: RankedTensor, dims: Sequence[int], result: RankedTensor) -> None:
        if len(dims) != operand.get_num_dims():
            found = f"broadcast_dimensions are {list(dims)}, operand is {operand}"
            raise violated(cls.name, "C2", f"{found}; there must be {operand.get_num_dims()}, one per dimension")
        check_distinct_in_range(cls.name, ("C4", "C3"), "broadcast_dimensions", dims, result.get_num_dims())
        cls._check_stretch(operand, dims, result.get_shape())

    @classmethod
    def _check_stretch(cls, operand: RankedTensor, dims: Sequence[int], shape: Sequence[int]) -> None:
        """Raise ShapeError unless each size of operand is 1 or that of its dimension of the result."""
        for d, n in zip(dims, operand.get_shape(), strict=True):
            if n != 1 and not compatible_sizes(n, shape[d]):
                found = f"operand is {operand}, result dimension {d} has size {shape[d]}"
                raise violated(cls.name, "C5", f"{found}; it must be {n}, the operand's size there")

    def verify_semantics(self) -> None:
        hints = (_known(self.known_expanding_dimensions), _known(self.known_nonexpanding_dimensions))
        types, values = (self.operand.type, self.output_dimensions.type), as_ints(self.output_dimensions)
        self.check(*types, values, ints(self.broadcast_dimensions), *hints, self.result.type)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 2)
        parser.parse_punctuation(",")
        return operands, {"broadcast_dimensions": i64_array(assembly.parse_named_ints(parser, "dims"))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        assembly.print_named_ints(printer, "dims", ints(self.broadcast_dimensions))


def _known(dims: DenseArrayBase[Any] | None) -> tuple[int, ...]:
    return () if dims is None else ints(dims)


def _check_one_type(
    op: str, label: str, names: Sequence[str], types: Sequence[RankedTensor], operand: RankedTensor
) -> None:
    """Raise ShapeError unless lists of integers are of one type, with one entry per dimension of operand."""
    if types[0].get_shape()[0] != operand.get_num_dims():
        raise violated(op, label, f"{names[0]} is {types[0]}, operand is {operand}; give one entry per dimension")
    for name, type in zip(names, types, strict=True):
        if type != types[0]:
            raise violated(op, label, f"{name} is {type}, {names[0]} is {types[0]}; they must be of one type")


@irdl_op_definition
class DynamicPadOp(AbstractOp):
    """pad by numbers that are operands.

    low, high, interior : tensors of integers, of one type, one entry per operand dimension (C2); interior >= 0 (C3)
    padding_value       : a scalar of operand's element type (C1)
    result              : operand's element type (C1) and rank; pad's sizes (C4) as far as all numbers are constant

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_pad
    """

    name = "stablehlo.dynamic_pad"
    operand = tensor_operand()
    padding_value = tensor_operand()
    edge_padding_low = tensor_operand()
    edge_padding_high = tensor_operand()
    interior_padding = tensor_operand()
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True

    def __init__(
        self,
        operand: SSAValue,
        padding_value: SSAValue,
        low: SSAValue,
        high: SSAValue,
        interior: SSAValue,
        shape: Sequence[int] | None = None,
    ):
        """`shape` are the result's sizes as far as they are known; None if the paddings say all there is to know."""
        paddings = [as_ints(p) for p in (low, high, interior)]
        types = [type_of(p) for p in (low, high, interior)]
        result = like(type_of(operand), shape=self._shape(type_of(operand), paddings) if shape is None else shape)
        self.check(type_of(operand), type_of(padding_value), types, paddings, result)
        self._build((operand, padding_value, low, high, interior), (result,))

    @staticmethod
    def _shape(operand: RankedTensor, paddings: Sequence[Sequence[int] | None]) -> tuple[int, ...]:
        """The sizes of the result; unknown if a padding is, or has not one entry per dimension."""
        sizes = operand.get_shape()
        if any(p is None or len(p) != len(sizes) for p in paddings):
            return (UNKNOWN,) * len(sizes)
        low, high, interior = cast("Sequence[Sequence[int]]", paddings)
        return tuple(padded(n, *p) for n, *p in zip(sizes, low, high, interior, strict=True))

    @classmethod
    def check(
        cls,
        operand: RankedTensor,
        padding_value: RankedTensor,
        types: Sequence[RankedTensor],
        paddings: Sequence[Sequence[int] | None],
        result: RankedTensor,
    ) -> None:
        """Raise unless a result may have its type.

        `types` and `paddings` are those of low, high and interior, and what they hold if they are constants.
        """
        check_kind(cls.name, "operand", operand, ELEMENTS)
        check_same_elements(cls.name, "C1", operand=operand, padding_value=padding_value, result=result)
        if padding_value.get_num_dims():
            raise violated(cls.name, "I2", f"padding_value is {padding_value}; it must be a scalar; reshape it")
        names = ("edge_padding_low", "edge_padding_high", "interior_padding")
        for label, name, type in zip(("I3", "I4", "I5"), names, types, strict=True):
            check_sizes_operand(cls.name, label, name, type)
        _check_one_type(cls.name, "C2", names, types, operand)
        interior = paddings[2]
        if interior is not None and any(n < 0 for n in interior):
            raise violated(cls.name, "C3", f"interior_padding holds {list(interior)}; it must not be negative")
        # As in upstream's verifier, one unknown size leaves the others unchecked.
        known = paddings if is_static(operand) and is_static(result) else (None,)
        shape = cls._shape(operand, known)
        if any(n < 0 for n in shape if n != UNKNOWN):
            raise violated(cls.name, "C4", f"operand is {operand}, padded to sizes {list(shape)}; cut less")
        check_result(cls.name, result, like(operand, shape=shape), "C4")

    def verify_semantics(self) -> None:
        padding = (self.edge_padding_low, self.edge_padding_high, self.interior_padding)
        types, values = [p.type for p in padding], [as_ints(p) for p in padding]
        self.check(self.operand.type, self.padding_value.type, types, values, self.result.type)


@irdl_op_definition
class RealDynamicSliceOp(AbstractOp):
    """result[i] = operand[start + i * stride], per dimension, below limit; all three are operands.

    start_indices, limit_indices, strides : tensors of integers, of one type, one entry per operand dimension
    result                                : operand's element type

    The specification does not have it yet; slice says the same of numbers that are attributes.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#slice
    """

    name = "stablehlo.real_dynamic_slice"
    operand = tensor_operand()
    start_indices = tensor_operand()
    limit_indices = tensor_operand()
    strides = tensor_operand()
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())

    def __init__(
        self,
        operand: SSAValue,
        start: SSAValue,
        limit: SSAValue,
        strides: SSAValue,
        shape: Sequence[int] | None = None,
    ):
        """`shape` are the result's sizes as far as they are known; None if the other operands say all there is."""
        result = like(type_of(operand), shape=self._shape(start, limit, strides) if shape is None else shape)
        self.check(type_of(operand), [type_of(v) for v in (start, limit, strides)], result)
        self._build((operand, start, limit, strides), (result,))

    @staticmethod
    def _shape(*ranges: SSAValue) -> tuple[int, ...]:
        values = [as_ints(v) for v in ranges]
        if None in values or any(len(v or ()) != len(values[0] or ()) for v in values):
            return spelled_shape(type_of(ranges[0]), None)
        return tuple(sliced(*r) for r in zip(*cast("list[tuple[int, ...]]", values), strict=True))

    @classmethod
    def check(cls, operand: RankedTensor, ranges: Sequence[RankedTensor], result: RankedTensor) -> None:
        """Raise unless a result may have its type; `ranges` are the types of start, limit and strides."""
        check_kind(cls.name, "operand", operand, ELEMENTS, "")
        check_same_elements(cls.name, "", operand=operand, result=result)
        names = ("start_indices", "limit_indices", "strides")
        for name, type in zip(names, ranges, strict=True):
            check_sizes_operand(cls.name, "", name, type)
        _check_one_type(cls.name, "", names, ranges, operand)

    def verify_semantics(self) -> None:
        ranges = [self.start_indices.type, self.limit_indices.type, self.strides.type]
        self.check(self.operand.type, ranges, self.result.type)


@irdl_op_definition
class GetDimensionSizeOp(AbstractAtDimension):
    """result = how large operand is along `dimension`.

    dimension : 0 <= d < rank    (C1)
    result    : tensor<i32>

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#get_dimension_size
    """

    name = "stablehlo.get_dimension_size"
    operand = tensor_operand()
    dimension = prop_def(I64)
    result = tensor_result()
    traits = traits_def(Pure())
    DIM: ClassVar = "dimension"
    SPELLED: ClassVar = frozenset({DIM})

    def __init__(self, operand: SSAValue, dimension: int):
        self._build((operand,), (self.infer(type_of(operand), dimension),), {"dimension": i64_attr(dimension)})

    @classmethod
    def infer(cls, operand: RankedTensor, dimension: int) -> RankedTensor:
        """The type of the result: tensor<i32>."""
        check_kind(cls.name, "operand", operand, ELEMENTS_PER_AXIS)
        _check_dimension(cls.name, "C1", "dimension", dimension, "operand", operand)
        return tensor((), i32)

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.operand.type, self.at), "")


@irdl_op_definition
class SetDimensionSizeOp(AbstractAtDimension):
    """operand, of which only the first `size` indices along `dimension` count.

    size      : tensor<i32>
    dimension : 0 <= d < rank
    result    : operand's type with an unknown size at d, which is bounded by the one before

    A constant `size` that is the bound itself leaves the size known. The specification does not have the op yet.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamism
    """

    name = "stablehlo.set_dimension_size"
    operand = tensor_operand()
    size = tensor_operand()
    dimension = prop_def(I64)
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True
    DIM: ClassVar = "dimension"
    SPELLED: ClassVar = frozenset({DIM})

    def __init__(self, operand: SSAValue, size: SSAValue, dimension: int):
        result = self.infer(type_of(operand), type_of(size), as_ints(size), dimension)
        self._build((operand, size), (result,), {"dimension": i64_attr(dimension)})

    @classmethod
    def infer(
        cls, operand: RankedTensor, size: RankedTensor, value: Sequence[int] | None, dimension: int
    ) -> RankedTensor:
        """The type of the result; `value` is what `size` holds, if it is a constant."""
        check_kind(cls.name, "operand", operand, ELEMENTS, "")
        if size != tensor((), i32):
            raise ShapeError(f"{cls.name}: size is {size}; it must be {tensor((), i32)}; convert or reshape it")
        _check_dimension(cls.name, "", "dimension", dimension, "operand", operand)
        shape, bounds = list(operand.get_shape()), list(bounds_of(operand) or (UNBOUNDED,) * operand.get_num_dims())
        if shape[dimension] != UNKNOWN:
            bounds[dimension] = shape[dimension]
        shape[dimension] = UNKNOWN
        if value is not None and value[0] == bounds[dimension]:
            shape[dimension], bounds[dimension] = value[0], UNBOUNDED
        return bounded(tuple(shape), operand.element_type, tuple(bounds))

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.size.type, as_ints(self.size), self.at)
        check_result(self.name, self.result.type, inferred, "")


@irdl_op_definition
class DynamicConvOp(AbstractGenericOp, AbstractConvolution):
    """convolution, with a padding that is an operand.

    padding : tensor of integers, N - 2 pairs low, high for rank N (C4)
    result  : any tensor, as in upstream's verifier; the constructor makes convolution's (C25), of unknown spatial sizes
              where the padding is no constant

    The other constraints are convolution's; those of strides, dilations and window_reversal (C2, C3, C5 to C9) are
    checked if the padding is a constant.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_conv
    """

    name = "stablehlo.dynamic_conv"
    # The order of declaration is that of the operands.
    lhs = tensor_operand()
    rhs = tensor_operand()
    padding = tensor_operand()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True
    WEIGHTS: ClassVar = ELEMENTS

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        padding: SSAValue,
        numbers: ConvNumbers,
        window: Window = PLAIN,
        *,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision: Sequence[Precision] = (),
        element: Attribute | None = None,
    ):
        """`window` is without padding. The result's elements are those of lhs unless `element` says otherwise."""
        groups, types = (feature_group_count, batch_group_count), (type_of(lhs), type_of(rhs))
        pairs = self._pairs(types[0], type_of(padding), as_ints(padding))
        result = self.infer(*types, numbers, replace(window, padding=pairs or ()), groups, element)
        if pairs is None:
            sizes = [UNKNOWN if d in numbers.out.spatial else n for d, n in enumerate(result.get_shape())]
            result = like(result, shape=sizes)
        self._build((lhs, rhs, padding), (result,), self._properties(numbers, window, groups, precision))

    def window_with(self, padding: tuple[tuple[int, int], ...]) -> Window:
        """How the kernel slides, if this is what the operand `padding` holds."""
        return self._window(padding)

    @classmethod
    def _pairs(
        cls, lhs: RankedTensor, padding: RankedTensor, values: Sequence[int] | None
    ) -> tuple[tuple[int, int], ...] | None:
        """What `padding` holds, if it is a constant; raises ShapeError if it is not made of pairs."""
        check_sizes_operand(cls.name, "I3", "padding", padding, rank=2, index=False)
        spatial = max(0, lhs.get_num_dims() - 2)
        if padding.get_shape() != (spatial, 2):
            found = f"padding is {padding}, lhs is {lhs}"
            raise violated(cls.name, "C4", f"{found}; it must have shape {spatial}x2: low and high per dimension")
        return None if values is None else tuple(zip(values[::2], values[1::2], strict=True))

    def verify_semantics(self) -> None:
        lhs, rhs = self.lhs.type, self.rhs.type
        self.check_roles(lhs, rhs, self.numbers, self.groups)
        pairs = self._pairs(lhs, self.padding.type, as_ints(self.padding))
        if pairs is not None:
            self.infer(lhs, rhs, self.numbers, self._window(pairs), self.groups)
        self._check_accuracy()
