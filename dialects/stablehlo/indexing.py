"""Ops that read or write at places known only when the program runs: dynamic_slice, gather, scatter and the like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
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
from xdsl.traits import NoMemoryEffect, Pure, RecursiveMemoryEffect

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import (
    FLAG,
    I64,
    I64S,
    TENSOR,
    AbstractGenericOp,
    AbstractOp,
    flags,
    i64_array,
    i64_attr,
    ints,
    tensor_operand,
    tensor_result,
)
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, check_results, check_same_elements, violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, region_of
from hhlo_xdsl.dialects.stablehlo.index_numbers import (
    GATHER,
    SCATTER,
    GatherNumbersAttr,
    IndexNumbers,
    ScatterNumbersAttr,
    check_numbers,
    check_slice_sizes,
)
from hhlo_xdsl.dialects.stablehlo.reducers import check_reducer
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints, check_sizes_operand
from hhlo_xdsl.dialects.stablehlo.values import ELEMENTS
from hhlo_xdsl.dialects.types import (
    INTEGER,
    UNKNOWN,
    RankedTensor,
    compatible_shapes,
    compatible_sizes,
    like,
    scalar,
    type_of,
)


def _check_starts(op: str, labels: tuple[str, str, str], starts: Sequence[RankedTensor], operand: RankedTensor) -> None:
    """Raise unless there is one start per dimension, each an integer scalar, all of one type.

    The three `labels` are those of their number, their type and their equality.
    """
    rank = operand.get_num_dims()
    if len(starts) != rank:
        found = f"there are {len(starts)} start_indices"
        raise violated(op, labels[0], f"{found}; {operand} needs {rank} of them, one per dimension")
    for i, start in enumerate(starts):
        check_kind(op, f"start_indices[{i}]", start, INTEGER, labels[1])
        if start.get_num_dims():
            raise violated(op, labels[1], f"start_indices[{i}] is {start}; it must be a scalar; reshape it")
        if start.element_type != starts[0].element_type:
            found = f"start_indices[{i}] is {start}, start_indices[0] is {starts[0]}"
            raise violated(op, labels[2], f"{found}; they must be of one type; convert one", DTypeError)


@irdl_op_definition
class DynamicSliceOp(AbstractOp):
    """result[i] = operand[start + i], per dimension, where start is clamped to 0..size - slice_size.

    start_indices : one integer scalar per dimension (C2), all of one type (C3)
    slice_sizes   : one per dimension (C2); 0 <= slice_size <= size (C4)
    result        : operand's element type (C1), sizes slice_sizes (C5)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_slice
    """

    name = "stablehlo.dynamic_slice"
    operand = tensor_operand()
    start_indices = var_operand_def(TENSOR)
    slice_sizes = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"slice_sizes"})

    def __init__(self, operand: SSAValue, start_indices: Sequence[SSAValue], slice_sizes: Sequence[int]):
        sizes = tuple(slice_sizes)
        result = self.infer(type_of(operand), [type_of(s) for s in start_indices], sizes)
        self._build((operand, *start_indices), (result,), {"slice_sizes": i64_array(sizes)})

    @classmethod
    def infer(cls, operand: RankedTensor, starts: Sequence[RankedTensor], slice_sizes: Sequence[int]) -> RankedTensor:
        """The type of the result: `slice_sizes`, with the operand's elements."""
        check_kind(cls.name, "operand", operand, ELEMENTS)
        _check_starts(cls.name, ("C2", "I2", "C3"), starts, operand)
        if len(slice_sizes) != operand.get_num_dims():
            found = f"slice_sizes are {list(slice_sizes)}"
            raise violated(cls.name, "C2", f"{found}; {operand} needs {operand.get_num_dims()}, one per dimension")
        for d, (n, size) in enumerate(zip(slice_sizes, operand.get_shape(), strict=True)):
            if n < 0 or (size != UNKNOWN and n > size):
                found = f"slice_sizes are {list(slice_sizes)}, operand is {operand}"
                limit = "its size" if size == UNKNOWN else size
                raise violated(cls.name, "C4", f"{found}; the one of dimension {d} must be in 0..{limit}")
        return like(operand, shape=slice_sizes)

    def verify_semantics(self) -> None:
        starts = [type_of(s) for s in self.start_indices]
        inferred = self.infer(self.operand.type, starts, ints(self.slice_sizes))
        check_result(self.name, self.result.type, inferred, "C5", elements="C1", exact=True)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        starts = assembly.parse_operand_list(parser)
        return [operand, *starts], {"slice_sizes": i64_array(assembly.parse_named_ints(parser, "sizes"))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        assembly.print_named_ints(printer, "sizes", ints(self.slice_sizes))


@irdl_op_definition
class DynamicUpdateSliceOp(AbstractOp):
    """operand, but result[start + i] = update[i], where start is clamped to 0..size - update's size, per dimension.

    update        : operand's element type (C2) and rank (C3), no size above operand's (C6)
    start_indices : one integer scalar per dimension (C4), all of one type (C5)
    result        : operand's type (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_update_slice
    """

    name = "stablehlo.dynamic_update_slice"
    operand = tensor_operand()
    update = tensor_operand()
    start_indices = var_operand_def(TENSOR)
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, update: SSAValue, start_indices: Sequence[SSAValue]):
        result = self.infer(type_of(operand), type_of(update), [type_of(s) for s in start_indices])
        self._build((operand, update, *start_indices), (result,))

    @classmethod
    def infer(cls, operand: RankedTensor, update: RankedTensor, starts: Sequence[RankedTensor]) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_kind(cls.name, "operand", operand, ELEMENTS)
        check_same_elements(cls.name, "C2", update=update, operand=operand)
        if update.get_num_dims() != operand.get_num_dims():
            found = f"update is {update}, operand is {operand}"
            raise violated(cls.name, "C3", f"{found}; their ranks must be equal; reshape the update")
        _check_starts(cls.name, ("C4", "I3", "C5"), starts, operand)
        for n, size in zip(update.get_shape(), operand.get_shape(), strict=True):
            if UNKNOWN not in (n, size) and n > size:
                found = f"update is {update}, operand is {operand}"
                raise violated(cls.name, "C6", f"{found}; no size of the update may be larger")
        return operand

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.update.type, [type_of(s) for s in self.start_indices])
        check_result(self.name, self.result.type, inferred, "C1", exact=True)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = [parser.parse_unresolved_operand()]
        while parser.parse_optional_punctuation(",") is not None:
            operands.append(parser.parse_unresolved_operand())
        return operands, {}


@irdl_op_definition
class GatherOp(AbstractGenericOp):
    """A slice of operand for each index vector in start_indices, which says where it starts; all of slice_sizes.

    operand            : tensor S x E, each dimension in a slice's window, collapsed or batching (C1)
    start_indices      : tensor of integers; vectors along index_vector_dim (C2), an entry per dimension in the map (C3)
    slice_sizes        : one per operand dimension (C20), none above its size (C21), at most 1 in collapsed (C9) and
                         batching dimensions (C12)
    window             : ascending, distinct (C4), in the result's range (C5)
    collapsed          : ascending (C7), in range (C8); with operand_batching, distinct (C6)
    operand_batching   : ascending (C10), in range (C11); partners in start_indices (C16), of equal sizes (C17)
    indices_batching   : distinct (C13), in range (C14), without index_vector_dim (C15)
    index_map          : in range (C19); with operand_batching, distinct (C18)
    indices_are_sorted : a promise that index vectors ascend, after the map
    result             : E (C23); start_indices' sizes without index_vector_dim, and slice_sizes at window (C22)

    A start is clamped so that its slice lies within operand. Per result position i, with r the part of i that runs over
    the indices and w the part within a slice: result[i] = operand[clamp(start_indices[r]) + w].

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#gather
    """

    name = "stablehlo.gather"
    operand = tensor_operand()
    start_indices = tensor_operand()
    dimension_numbers = prop_def(GatherNumbersAttr)
    slice_sizes = prop_def(I64S)
    indices_are_sorted = opt_prop_def(FLAG)
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())

    def __init__(
        self,
        operand: SSAValue,
        start_indices: SSAValue,
        numbers: IndexNumbers,
        slice_sizes: Sequence[int],
        *,
        indices_are_sorted: bool = False,
    ):
        sizes = tuple(slice_sizes)
        result = self.infer(type_of(operand), type_of(start_indices), numbers, sizes)
        properties = {"dimension_numbers": GatherNumbersAttr(numbers), "slice_sizes": i64_array(sizes)}
        self._build((operand, start_indices), (result,), properties | flags(indices_are_sorted=indices_are_sorted))

    @property
    def numbers(self) -> IndexNumbers:
        """The roles of the dimensions."""
        return self.dimension_numbers.data

    @classmethod
    def infer(
        cls, operand: RankedTensor, start_indices: RankedTensor, numbers: IndexNumbers, slice_sizes: Sequence[int]
    ) -> RankedTensor:
        """The type of the result: slices, one per index vector, with the operand's elements."""
        return _gathered(cls.name, operand, start_indices, numbers, slice_sizes, len(slice_sizes))

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.start_indices.type, self.numbers, ints(self.slice_sizes))
        check_result(self.name, self.result.type, inferred, "C22", elements="C23", exact=True)


_SLICE_LABELS: Mapping[str, str] = {"collapsed": "C9", "batching": "C12", "range": "C21"}


def _gathered(
    op: str, operand: RankedTensor, indices: RankedTensor, numbers: IndexNumbers, sizes: Sequence[int] | None, rank: int
) -> RankedTensor:
    """The type of the result of gather, for `rank` slice sizes, which are `sizes`; unknown if None."""
    check_kind(op, "operand", operand, ELEMENTS)
    check_kind(op, "start_indices", indices, INTEGER, "I2")
    check_numbers(op, GATHER, numbers, operand, indices)
    if rank != operand.get_num_dims():
        found = f"there are {rank} slice_sizes"
        raise violated(op, "C20", f"{found}; {operand} needs {operand.get_num_dims()}, one per dimension")
    if sizes is not None:
        check_slice_sizes(op, numbers, operand, sizes, _SLICE_LABELS)
    return numbers.slices_type(indices, (UNKNOWN,) * rank if sizes is None else sizes, operand.element_type)


@irdl_op_definition
class DynamicGatherOp(AbstractGenericOp):
    """gather, with slice_sizes that are known only when the program runs.

    slice_sizes : tensor of integers, one per operand dimension (C20); if constant, as gather's (C9, C12, C21)
    result      : as gather's (C22, C23); where slice_sizes is no constant, of any sizes at window

    The other constraints, C1 to C19, are gather's; the labels here are gather's too, since the section of the
    specification knows no batching dimensions.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dynamic_gather
    """

    name = "stablehlo.dynamic_gather"
    operand = tensor_operand()
    start_indices = tensor_operand()
    slice_sizes = tensor_operand()
    dimension_numbers = prop_def(GatherNumbersAttr)
    indices_are_sorted = opt_prop_def(FLAG)
    result = tensor_result()
    traits = traits_def(NoMemoryEffect())
    LOOKS_AROUND: ClassVar = True

    def __init__(
        self,
        operand: SSAValue,
        start_indices: SSAValue,
        slice_sizes: SSAValue,
        numbers: IndexNumbers,
        *,
        indices_are_sorted: bool = False,
    ):
        types = type_of(operand), type_of(start_indices), type_of(slice_sizes)
        result = self.infer(*types, numbers, as_ints(slice_sizes))
        properties = {"dimension_numbers": GatherNumbersAttr(numbers)} | flags(indices_are_sorted=indices_are_sorted)
        self._build((operand, start_indices, slice_sizes), (result,), properties)

    @property
    def numbers(self) -> IndexNumbers:
        """The roles of the dimensions."""
        return self.dimension_numbers.data

    @classmethod
    def infer(
        cls,
        operand: RankedTensor,
        start_indices: RankedTensor,
        slice_sizes: RankedTensor,
        numbers: IndexNumbers,
        sizes: Sequence[int] | None,
    ) -> RankedTensor:
        """The type of the result; `sizes` are what slice_sizes holds, if it is a constant."""
        check_sizes_operand(cls.name, "I3", "slice_sizes", slice_sizes, index=False)
        return _gathered(cls.name, operand, start_indices, numbers, sizes, slice_sizes.get_shape()[0])

    def verify_semantics(self) -> None:
        types = self.operand.type, self.start_indices.type, self.slice_sizes.type
        inferred = self.infer(*types, self.numbers, as_ints(self.slice_sizes))
        check_result(self.name, self.result.type, inferred, "C22", elements="C23")


@irdl_op_definition
class ScatterOp(AbstractGenericOp):
    """The inputs, with updates folded in by `body` where the index vectors in scatter_indices say: gather, reversed.

    inputs          : N > 0 tensors (C5) of one shape S (C1), each dimension in a window, inserted or batching (C2)
    scatter_indices : tensor of integers; vectors along index_vector_dim (C22), an entry per dimension in the map (C19)
    updates         : N tensors (C5) of one shape (C3): scatter_indices' sizes without index_vector_dim, and at window
                      sizes up to S's (C4); of elements that promote to E (C6)
    window          : ascending, distinct (C7), in the updates' range (C8)
    inserted        : ascending (C10), in range (C11); with input_batching, distinct (C9)
    input_batching  : ascending (C12), in range (C13); partners in scatter_indices (C17), of equal sizes (C18)
    indices_batching : distinct (C14), in range (C15), without index_vector_dim (C16)
    index_map       : in range (C21); with input_batching, distinct (C20)
    body            : (N values so far, N updates) -> N values, scalars of elements E; inputs promote to E (C23)
    results         : N tensors of shape S (C24) and elements E (C25)

    indices_are_sorted and unique_indices are promises. Updates that fall outside of the inputs are dropped: element by
    element in the specification, XLA on CPU drops the whole window. The order of updates to one place is up to the
    implementation.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#scatter
    """

    name = "stablehlo.scatter"
    inputs = var_operand_def(TENSOR)
    scatter_indices = tensor_operand()
    updates = var_operand_def(TENSOR)
    scatter_dimension_numbers = prop_def(ScatterNumbersAttr)
    indices_are_sorted = opt_prop_def(FLAG)
    unique_indices = opt_prop_def(FLAG)
    update_computation = region_def("single_block")
    results_ = var_result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())
    OF_SCALARS: ClassVar = True
    irdl_options = (SameVariadicOperandSize(),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        scatter_indices: SSAValue,
        updates: Sequence[SSAValue],
        numbers: IndexNumbers,
        body: Body,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
    ):
        """Fold updates in by `body`; a class such as AddOp serves for one input."""
        types, taken = [type_of(x) for x in inputs], [type_of(u) for u in updates]
        region = region_of(body, [scalar(t) for t in types] * 2)
        results = self.infer(types, type_of(scatter_indices), taken, numbers, region)
        properties = {"scatter_dimension_numbers": ScatterNumbersAttr(numbers)}
        promises = flags(indices_are_sorted=indices_are_sorted, unique_indices=unique_indices)
        self._build((*inputs, scatter_indices, *updates), results, properties | promises, (region,))

    @property
    def numbers(self) -> IndexNumbers:
        """The roles of the dimensions."""
        return self.scatter_dimension_numbers.data

    @classmethod
    def infer(
        cls,
        inputs: Sequence[RankedTensor],
        scatter_indices: RankedTensor,
        updates: Sequence[RankedTensor],
        numbers: IndexNumbers,
        body: Region,
    ) -> list[RankedTensor]:
        """The types of the results: the inputs' shapes, of the elements that `body` returns."""
        cls._check_operands(inputs, scatter_indices, updates)
        for x, update in zip(inputs, updates, strict=True):
            check_numbers(cls.name, SCATTER, numbers, x, scatter_indices)
            cls._check_update(x, scatter_indices, update, numbers)
        names = "inputs[{}]", "an element of updates[{}]"
        elements = check_reducer(cls.name, ("C6", "C23"), body, inputs, [scalar(u) for u in updates], names)
        return [like(x, element=e) for x, e in zip(inputs, elements, strict=True)]

    @classmethod
    def _check_operands(
        cls, inputs: Sequence[RankedTensor], indices: RankedTensor, updates: Sequence[RankedTensor]
    ) -> None:
        if not inputs or len(inputs) != len(updates):
            found = f"there are {len(inputs)} inputs and {len(updates)} updates"
            raise violated(cls.name, "C5", f"{found}; give at least one input, and one update for each")
        if not isinstance(indices.element_type, IntegerType | IndexType):
            found = f"scatter_indices is {indices}"
            raise violated(cls.name, "I2", f"{found}; its elements must be integers; convert it", DTypeError)
        for label, name, types in (("C1", "inputs", inputs), ("C3", "updates", updates)):
            for i, t in enumerate(types):
                check_kind(cls.name, f"{name}[{i}]", t, ELEMENTS, "I1" if name == "inputs" else "I3")
                if not compatible_shapes(t.get_shape(), types[0].get_shape()):
                    found = f"{name}[{i}] is {t}, {name}[0] is {types[0]}"
                    raise violated(cls.name, label, f"{found}; their shapes must be equal")

    @classmethod
    def _check_update(cls, x: RankedTensor, indices: RankedTensor, update: RankedTensor, numbers: IndexNumbers) -> None:
        """Raise ShapeError unless an update has a window, no larger than the input, for each index vector."""
        expected = numbers.slices_type(indices, x.get_shape(), update.element_type)
        fits = update.get_num_dims() == expected.get_num_dims() and all(
            compatible_sizes(n, most) or (d in numbers.window and n < most)
            for d, (n, most) in enumerate(zip(update.get_shape(), expected.get_shape(), strict=True))
        )
        if not fits:
            smaller = f", or smaller in dimensions {list(numbers.window)}" if numbers.window else ""
            found = f"updates are {update}, inputs {x} and scatter_indices {indices}"
            raise violated(cls.name, "C4", f"{found}; the updates must be {expected}{smaller}")

    def verify_semantics(self) -> None:
        inputs, updates = [type_of(x) for x in self.inputs], [type_of(u) for u in self.updates]
        inferred = self.infer(inputs, self.scatter_indices.type, updates, self.numbers, self.update_computation)
        check_results(self.name, ("C24", "C24", "C25"), [r.type for r in self.results], inferred)


@irdl_op_definition
class TorchIndexSelectOp(AbstractGenericOp):
    """result[b.., i.., j.., k..] = operand[b.., i.., index[b.., j..], k..], index[..] standing at `dim`; deprecated.

    operand    : tensor S x E
    index      : tensor of positions in dimension `dim`
    batch_dims : how many leading dimensions b operand and index share
    result     : operand's sizes, with those of index after `batch_dims` in place of the one at `dim`

    The specification only lists it; gather says the same. Like upstream's verifier, this one checks neither attributes
    nor the result's sizes. What it computes is read off upstream's rewriting to gather.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.torch_index_select"
    operand = tensor_operand()
    index = tensor_operand()
    dim = prop_def(I64)
    batch_dims = prop_def(I64)
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, index: SSAValue, dim: int, batch_dims: int = 0):
        properties = {"dim": i64_attr(dim), "batch_dims": i64_attr(batch_dims)}
        result = self.infer(type_of(operand), type_of(index), dim, batch_dims)
        self._build((operand, index), (result,), properties)

    @classmethod
    def infer(cls, operand: RankedTensor, index: RankedTensor, dim: int, batch_dims: int) -> RankedTensor:
        """The type of the result: operand's sizes, with those of index at `dim`."""
        shape = operand.get_shape()
        if not 0 <= batch_dims <= dim < len(shape):
            found = f"dim is {dim}, batch_dims is {batch_dims}, operand is {operand}"
            raise ShapeError(f"{cls.name}: {found}; 0 <= batch_dims <= dim < {len(shape)}")
        return like(operand, shape=(*shape[:dim], *index.get_shape()[batch_dims:], *shape[dim + 1 :]))

    def verify_semantics(self) -> None:
        for name, type in (("operand", self.operand.type), ("index", self.index.type), ("result", self.result.type)):
            check_kind(self.name, name, type, ELEMENTS)
