"""The op that applies a function of scalars to every element: map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, region_def, traits_def, var_operand_def
from xdsl.traits import RecursiveMemoryEffect

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.base import I64S, TENSOR, AbstractGenericOp, i64_array, ints, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_result, violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, region_of, returned
from hhlo_xdsl.dialects.stablehlo.values import check_values
from hhlo_xdsl.dialects.types import RankedTensor, compatible_shapes, like, scalar, type_of


@irdl_op_definition
class MapOp(AbstractGenericOp):
    """result[i] = computation(inputs[0][i], inputs[1][i], ..), element by element; deprecated: use elementwise ops.

    inputs      : N > 0 tensors (C2) of one shape S (C1)
    dimensions  : 0, 1, .., rank - 1 (C3)
    computation : N values -> one value, scalars; those it takes are of the inputs' elements (C4)
    result      : S (C1) x computation's elements (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#map
    """

    name = "stablehlo.map"
    inputs = var_operand_def(TENSOR)
    dimensions = prop_def(I64S)
    computation = region_def("single_block")
    result = tensor_result()
    traits = traits_def(RecursiveMemoryEffect())
    OF_SCALARS: ClassVar = True

    def __init__(self, inputs: Sequence[SSAValue], computation: Body):
        """`computation` is a function of as many scalars as there are inputs, or the class of an op on them."""
        types = [type_of(x) for x in inputs]
        dimensions = tuple(range(types[0].get_num_dims())) if types else ()
        region = region_of(computation, [scalar(t) for t in types])
        result = self.infer(types, dimensions, region)
        self._build(inputs, (result,), {"dimensions": i64_array(dimensions)}, (region,))

    @classmethod
    def infer(cls, inputs: Sequence[RankedTensor], dimensions: Sequence[int], computation: Region) -> RankedTensor:
        """The type of the result: the inputs' shape, of the elements that `computation` returns."""
        if not inputs:
            raise violated(cls.name, "C2", "there are no inputs; give at least one")
        check_values(cls.name, "inputs", inputs)
        for i, x in enumerate(inputs[1:], 1):
            if not compatible_shapes(x.get_shape(), inputs[0].get_shape()):
                found = f"inputs[{i}] is {x}, inputs[0] is {inputs[0]}"
                raise violated(cls.name, "C1", f"{found}; their shapes must be equal; broadcast_in_dim one of them")
        rank = inputs[0].get_num_dims()
        if list(dimensions) != list(range(rank)):
            found = f"dimensions are {list(dimensions)}, inputs[0] is {inputs[0]}"
            raise violated(cls.name, "C3", f"{found}; they must be {list(range(rank))}")
        return like(inputs[0], shape=inputs[0].get_shape(), element=cls._element(inputs, computation))

    @classmethod
    def _element(cls, inputs: Sequence[RankedTensor], computation: Region) -> Attribute:
        """The element type that `computation` returns."""
        takes, gives = [a.type for a in computation.block.args], returned(cls.name, "C4", "computation", computation)
        result = cast(RankedTensor, gives[0]) if len(gives) == 1 and isinstance(gives[0], TensorType) else None
        if takes != [scalar(x) for x in inputs] or result is None or result.get_num_dims():
            found = f"computation maps ({', '.join(map(str, takes))}) to ({', '.join(map(str, gives))})"
            needed = ", ".join(str(scalar(x)) for x in inputs)
            raise violated(cls.name, "C4", f"{found}; it must map ({needed}) to one scalar", DTypeError)
        return result.element_type

    def verify_semantics(self) -> None:
        inferred = self.infer([type_of(x) for x in self.inputs], ints(self.dimensions), self.computation)
        check_result(self.name, self.result.type, inferred, "C1", elements="C4")
