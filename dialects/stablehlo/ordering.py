"""The op that puts elements in order: sort."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.ir import Region, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, region_def, traits_def, var_operand_def, var_result_def
from xdsl.traits import RecursiveMemoryEffect

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.base import FLAG, I64, TENSOR, AbstractGenericOp, flags, i64_attr
from hhlo_xdsl.dialects.stablehlo.checks import check_results, violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, region_of, returned
from hhlo_xdsl.dialects.stablehlo.values import check_values
from hhlo_xdsl.dialects.types import RankedTensor, compatible_shapes, scalar, tensor, type_of


@irdl_op_definition
class SortOp(AbstractGenericOp):
    """The inputs, rearranged along `dimension` by one permutation per line, so that comparator never says otherwise.

    inputs     : N > 0 tensors (C1) of one shape (C3)
    dimension  : -rank <= d < rank (C4); a negative one counts from the end; absent: -1
    is_stable  : whether lines keep the order of elements of which neither comes first; absent: false
    comparator : (left of input 0, right of input 0, left of input 1, ..) -> i1, whether left comes first; scalars of
                 the inputs' elements (C5)
    results    : the inputs' types (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#sort
    """

    name = "stablehlo.sort"
    inputs = var_operand_def(TENSOR)
    dimension = opt_prop_def(I64)
    is_stable = opt_prop_def(FLAG)
    comparator = region_def("single_block")
    results_ = var_result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())
    OF_SCALARS: ClassVar = True

    def __init__(self, inputs: Sequence[SSAValue], dimension: int, comparator: Body, *, is_stable: bool = False):
        """`dimension` is kept as one that is not negative: XLA on CPU sorts wrongly along others at times."""
        types = [type_of(x) for x in inputs]
        region = region_of(comparator, [scalar(t) for t in types for _ in range(2)])
        results = self.infer(types, dimension, region)
        properties = {"dimension": i64_attr(dimension % types[0].get_num_dims())}
        self._build(inputs, results, properties | flags(is_stable=is_stable), (region,))

    @property
    def sorted_dimension(self) -> int:
        """The dimension that lines lie along, from 0."""
        return self._dimension % type_of(self.inputs[0]).get_num_dims()

    @property
    def _dimension(self) -> int:
        return -1 if self.dimension is None else self.dimension.value.data

    @classmethod
    def infer(cls, inputs: Sequence[RankedTensor], dimension: int, comparator: Region) -> Sequence[RankedTensor]:
        """The types of the results: those of the inputs."""
        if not inputs:
            raise violated(cls.name, "C1", "there are no inputs; give at least one")
        check_values(cls.name, "inputs", inputs)
        for i, x in enumerate(inputs[1:], 1):
            if not compatible_shapes(x.get_shape(), inputs[0].get_shape()):
                found = f"inputs[{i}] is {x}, inputs[0] is {inputs[0]}"
                raise violated(cls.name, "C3", f"{found}; their shapes must be equal; broadcast_in_dim one of them")
        rank = inputs[0].get_num_dims()
        if not -rank <= dimension < rank:
            found = f"dimension is {dimension}, inputs[0] is {inputs[0]}"
            raise violated(cls.name, "C4", f"{found}; it must be in {-rank}..{rank - 1}")
        cls._check_comparator(inputs, comparator)
        return inputs

    @classmethod
    def _check_comparator(cls, inputs: Sequence[RankedTensor], comparator: Region) -> None:
        expected = list(chain.from_iterable((scalar(x), scalar(x)) for x in inputs))
        takes = [a.type for a in comparator.block.args]
        gives = returned(cls.name, "C5", "comparator", comparator)
        if takes != expected or gives != [tensor((), i1)]:
            spelled, needed = (", ".join(map(str, types)) for types in (takes, expected))
            found = f"comparator maps ({spelled}) to ({', '.join(map(str, gives))})"
            raise violated(cls.name, "C5", f"{found}; it must map ({needed}) to tensor<i1>", DTypeError)

    def verify_semantics(self) -> None:
        inferred = self.infer([type_of(x) for x in self.inputs], self._dimension, self.comparator)
        check_results(self.name, ("C2", "C2", "C2"), [r.type for r in self.results], inferred)
