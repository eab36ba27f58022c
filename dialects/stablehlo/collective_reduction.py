"""Ops that several processes run together and that fold their elements.

Which processes belong together, and the constraints on that, stands in `processes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.base import I64, TENSOR, i64_attr, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_results, violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, region_of
from hhlo_xdsl.dialects.stablehlo.distribution import (
    AbstractGrouped,
    check_dim,
    check_same_but,
    data_types,
    size_of_groups,
    types_of,
    with_size,
)
from hhlo_xdsl.dialects.stablehlo.processes import (
    Channel,
    GroupLabels,
    Groups,
    groups_attr,
    process_properties,
)
from hhlo_xdsl.dialects.stablehlo.reducers import check_reducer
from hhlo_xdsl.dialects.stablehlo.values import TENSORS, check_value, check_values
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, like, scalar, type_of


class AbstractReducing(AbstractGrouped):
    """An op that folds the operands of a group by a function of two scalars."""

    OF_SCALARS: ClassVar = True
    computation = region_def("single_block")
    BODY: ClassVar[str]
    """The label of the constraint on the function."""

    @classmethod
    def element_of(cls, name: str, operand: RankedTensor, computation: Region) -> Attribute:
        """The elements that `computation` gives for the operand called `name`."""
        (element,) = check_reducer(cls.name, (cls.BODY, cls.BODY), computation, [operand], [], (name, ""))
        return element

    @classmethod
    def folded(cls, operands: Sequence[RankedTensor], computation: Region) -> list[RankedTensor]:
        """The types of the operands with the elements that `computation`, applied to each on its own, gives."""
        return [
            like(operand, element=cls.element_of(f"operands[{i}]", operand, computation))
            for i, operand in enumerate(operands)
        ]


@irdl_op_definition
class AllReduceOp(AbstractReducing):
    """Within each group, the operands of all processes folded by `computation`; every process gets the results.

    operands       : tensors of shape S each
    replica_groups : no process twice (C1), as many as there are (C2), all from 0 on (C3); -1 fills up shorter groups
    use_global_device_ids : needs a channel (C4)
    computation    : (E, E) -> E on scalars, for each operand on its own; operands promote to E  (C5)
    results        : tensors of shape S (C6) and elements E (C7)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#all_reduce
    """

    name = "stablehlo.all_reduce"
    operands_ = var_operand_def(TENSOR)
    use_global_device_ids = opt_prop_def(UnitAttr)
    results_ = var_result_def(TENSOR)
    LABELS: ClassVar = GroupLabels(rank="I2", distinct="C1", in_range="C3", not_empty="C2", channel="C4")
    IS_UNIFORM: ClassVar = False
    BODY: ClassVar = "C5"

    def __init__(
        self,
        operands: Sequence[SSAValue],
        replica_groups: Groups,
        computation: Body,
        channel: Channel | int | None = None,
        *,
        use_global_device_ids: bool = False,
    ):
        """Fold by `computation`; a class such as AddOp serves."""
        types = types_of(operands)
        region = region_of(computation, [scalar(t) for t in types[:1]] * 2)
        properties = process_properties(replica_groups, channel, use_global_device_ids=use_global_device_ids)
        self._build(operands, self.infer(types, region), properties, (region,))

    @classmethod
    def infer(cls, operands: Sequence[RankedTensor], computation: Region) -> list[RankedTensor]:
        """The types of the results: those of the operands, with the elements that `computation` gives."""
        check_values(cls.name, "operands", operands)
        return cls.folded(operands, computation)

    def verify_semantics(self) -> None:
        self.check_processes()
        inferred = self.infer(types_of(self.operands), self.computation)
        check_results(self.name, ("C6", "C6", "C7"), [r.type for r in self.results], inferred)


@irdl_op_definition
class ReduceScatterOp(AbstractReducing):
    """Within each group, the operands folded by `computation`; each process gets its part along `scatter_dimension`.

    operand           : tensor .. x m*n x ..          for groups of n processes  (C1)
    scatter_dimension : the dimension d of size m*n   0 <= d < rank  (C2)
    replica_groups    : equally many processes each (C4), none twice (C3), all from 0 on (C5)
    use_global_device_ids : needs a channel (C6)
    computation       : (E, E) -> E on scalars; the operand promotes to E  (C7)
    result            : tensor .. x m x .. (C8) of elements E (C9)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#reduce_scatter
    """

    name = "stablehlo.reduce_scatter"
    operand = tensor_operand()
    scatter_dimension = prop_def(I64)
    use_global_device_ids = opt_prop_def(UnitAttr)
    result = tensor_result()
    LABELS: ClassVar = GroupLabels(rank="I3", distinct="C3", in_range="C5", not_empty="C4", channel="C6")
    BODY: ClassVar = "C7"

    def __init__(
        self,
        operand: SSAValue,
        scatter_dimension: int,
        replica_groups: Groups,
        computation: Body,
        channel: Channel | int | None = None,
        *,
        use_global_device_ids: bool = False,
        result_type: RankedTensor | None = None,
    ):
        """`result_type` is needed where the size of the groups is unknown."""
        type = type_of(operand)
        region = region_of(computation, [scalar(type)] * 2)
        properties = process_properties(replica_groups, channel, use_global_device_ids=use_global_device_ids)
        if result_type is None:
            size = size_of_groups(self.name, groups_attr(replica_groups))
            result_type = self.infer(type, scatter_dimension, size, region)
        properties = {"scatter_dimension": i64_attr(scatter_dimension)} | properties
        self._build((operand,), (result_type,), properties, (region,))

    @classmethod
    def infer(cls, operand: RankedTensor, scatter_dimension: int, group_size: int, computation: Region) -> RankedTensor:
        """The type of the result: the size of `scatter_dimension` through that of a group."""
        check_dim(cls.name, "C2", "scatter_dimension", scatter_dimension, "operand", operand)
        size = operand.get_shape()[scatter_dimension]
        if size != UNKNOWN and size % group_size:
            found = f"operand is {operand}, and its groups have {group_size} processes"
            raise violated(cls.name, "C1", f"{found}; dimension {scatter_dimension} must be a multiple of that; pad it")
        result = with_size(operand, scatter_dimension, size if size == UNKNOWN else size // group_size)
        return like(result, element=cls.element_of("operand", operand, computation))

    def verify_semantics(self) -> None:
        operand, result, dim = self.operand.type, self.result.type, self.scatter_dimension.value.data
        for name, type in (("operand", operand), ("result", result)):
            check_value(self.name, name, type, TENSORS)
        self.check_processes()
        element = self.element_of("operand", operand, self.computation)
        check_dim(self.name, "C2", "scatter_dimension", dim, "operand", operand)
        if operand.get_num_dims() != result.get_num_dims():
            raise violated(self.name, "C8", f"result is {result}, operand is {operand}; their ranks must be equal")
        m, n = operand.get_shape()[dim], result.get_shape()[dim]
        if UNKNOWN in (m, n):
            return  # the reference verifier looks at nothing else either
        self._check_sizes(m, n, dim)
        if result.element_type != element:
            raise violated(self.name, "C9", f"result is {result}, but the computation gives {element}", DTypeError)

    def _check_sizes(self, m: int, n: int, dim: int) -> None:
        operand, result = self.operand.type, self.result.type
        found = f"operand is {operand}, result is {result}"
        if 0 in (m, n):
            raise violated(self.name, "", f"{found}; the size of dimension {dim} must not be 0")
        if m % n:
            raise violated(self.name, "C8", f"{found}; dimension {dim} of the operand must be a multiple of {n}")
        check_same_but(self.name, "C8", ("operand", "result"), operand, result, dim)


@irdl_op_definition
class CollectiveReduceOp(AbstractReducing):
    """Within each group, the operands of all processes folded by `computation`; only the root gets the results.

    operands         : tensors of shape S each, at least one
                       with has_dynamic_root, then a tensor<Nxi32>: the position in the group of the root of each  (C3)
    replica_groups   : no process twice (C1), all from 0 on (C2); -1 fills up shorter groups
    use_global_device_ids : needs a channel
    computation      : (E, E) -> E on scalars, for each operand on its own; operands promote to E  (C4)
    results          : tensors of shape S (C3) and elements E (C4)

    The other processes get zeros.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#collective_reduce
    """

    name = "stablehlo.collective_reduce"
    operands_ = var_operand_def(TENSOR)
    use_global_device_ids = opt_prop_def(UnitAttr)
    has_dynamic_root = opt_prop_def(UnitAttr)
    results_ = var_result_def(TENSOR)
    LABELS: ClassVar = GroupLabels(rank="I2", distinct="C1", in_range="C2")
    IS_UNIFORM: ClassVar = False
    BODY: ClassVar = "C4"

    def __init__(
        self,
        operands: Sequence[SSAValue],
        replica_groups: Groups,
        computation: Body,
        channel: Channel | int | None = None,
        *,
        use_global_device_ids: bool = False,
        has_dynamic_root: bool = False,
    ):
        """With `has_dynamic_root`, the last operand holds the roots."""
        types = types_of(operands)
        region = region_of(computation, [scalar(t) for t in types[:1]] * 2)
        properties = process_properties(
            replica_groups, channel, use_global_device_ids=use_global_device_ids, has_dynamic_root=has_dynamic_root
        )
        self._build(operands, self.infer(types, region, has_dynamic_root), properties, (region,))

    @classmethod
    def infer(
        cls, operands: Sequence[RankedTensor], computation: Region, has_dynamic_root: bool = False
    ) -> list[RankedTensor]:
        """The types of the results: those of the operands that are folded, with the elements of `computation`."""
        return cls.folded(data_types(cls.name, "C3", operands, has_dynamic_root), computation)

    def verify_semantics(self) -> None:
        self.check_processes()
        inferred = self.infer(types_of(self.operands), self.computation, self.has_dynamic_root is not None)
        check_results(self.name, ("C3", "C3", "C4"), [r.type for r in self.results], inferred)
