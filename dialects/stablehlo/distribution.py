"""Ops that several processes run together and that move elements between them.

Which processes belong together, and the constraints on that, stands in `processes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, Signedness, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from hhlo_xdsl.dialects.bounds import bounds_of
from hhlo_xdsl.dialects.elements import Elements, integers
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.base import I64, TENSOR, AbstractGenericOp, i64_attr, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_result, check_results, violated
from hhlo_xdsl.dialects.stablehlo.processes import (
    I64_ELEMENTS,
    REPLICA_GROUPS,
    Channel,
    ChannelHandleAttr,
    GroupLabels,
    Groups,
    channel_property,
    check_channel,
    check_group_ids,
    check_groups,
    check_mesh_is_defined,
    group_size,
    groups_attr,
    i64_matrix,
    process_properties,
)
from hhlo_xdsl.dialects.stablehlo.values import TENSORS, check_value, check_values
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, bounded, compatible_sizes, like, type_of


class AbstractGrouped(AbstractGenericOp):
    """An op that the processes of a group run together, each on its own operands.

    replica_groups : which processes make up each group
    channel_handle : tells ops apart that run at the same time; groups are of partitions then, not of replicas
    """

    replica_groups = prop_def(REPLICA_GROUPS)
    channel_handle = opt_prop_def(ChannelHandleAttr)
    LOOKS_AROUND: ClassVar = True
    LABELS: ClassVar[GroupLabels]
    IS_UNIFORM: ClassVar[bool] = True
    """Whether all groups have one size."""
    LEAST_CHANNEL: ClassVar[int] = 1
    """The least handle of a channel with global device ids."""

    @property
    def has_global_ids(self) -> bool:
        """Whether the groups hold ids of devices of all replicas and partitions."""
        return "use_global_device_ids" in self.properties or "use_global_device_ids" in self.attributes

    def check_processes(self) -> None:
        """Raise VerifyError unless the groups and the channel fit together."""
        ids = self.has_global_ids
        check_groups(self.name, self.LABELS, self.replica_groups, uniform=self.IS_UNIFORM, not_empty=ids)
        if ids:
            check_channel(self.name, self.LABELS.channel, self.channel_handle, self.LEAST_CHANNEL)
        check_mesh_is_defined(self, self.replica_groups)


def types_of(values: Sequence[SSAValue]) -> list[RankedTensor]:
    """The types of values that are known to be ranked tensors."""
    return [type_of(v) for v in values]


def with_size(type: RankedTensor, dim: int, size: int) -> RankedTensor:
    """`type` with another size of one dimension."""
    shape = list(type.get_shape())
    shape[dim] = size
    return like(type, shape=shape)


def check_dim(op: str, label: str, what: str, dim: int, name: str, type: RankedTensor) -> None:
    """Raise ShapeError unless `dim` is a dimension of the operand called `name`."""
    rank = type.get_num_dims()
    if not 0 <= dim < rank:
        raise violated(op, label, f"{what} is {dim}; it must be in 0..{rank - 1}, for {name} of type {type}")


def check_same_elements(op: str, label: str, operands: Sequence[RankedTensor], results: Sequence[RankedTensor]) -> None:
    """Raise VerifyError unless there is a result of the same elements for each operand."""
    if len(operands) != len(results):
        raise violated(op, label, f"there are {len(results)} results; {len(operands)} operands give as many")
    for i, (operand, result) in enumerate(zip(operands, results, strict=True)):
        if operand.element_type != result.element_type:
            found = f"results[{i}] is {result}, operands[{i}] is {operand}"
            raise violated(op, label, f"{found}; their element types must be equal", DTypeError)


def check_same_but(
    op: str, label: str, names: tuple[str, str], operand: RankedTensor, result: RankedTensor, dim: int
) -> None:
    """Raise ShapeError unless the sizes of two types agree in all dimensions but `dim`."""
    m, n = operand.get_shape(), result.get_shape()
    if len(m) != len(n) or any(d != dim and not compatible_sizes(*mn) for d, mn in enumerate(zip(m, n, strict=True))):
        found = f"{names[1]} is {result}, {names[0]} is {operand}"
        raise violated(op, label, f"{found}; they may differ in the size of dimension {dim} only")


def size_of_groups(op: str, groups: Attribute) -> int:
    """How many processes each group has; raises VerifyError where that is not known."""
    size = group_size(groups)
    if size is None:
        raise violated(op, "", f"how large the groups {groups} are cannot be told here; give the types of the results")
    return size


@irdl_op_definition
class AllGatherOp(AbstractGrouped):
    """Within each group, the operands of all processes end to end along `all_gather_dim`.

    operands       : tensors .. x m x ..
    all_gather_dim : the dimension d of size m        0 <= d < rank  (C1)
    replica_groups : equally many processes each (C3), none twice (C2), all from 0 on (C4)
    use_global_device_ids : needs a channel (C5)
    results        : tensors .. x m*n x ..            for groups of n processes  (C6)

    The reference verifier takes any multiple of m, since n can be unknown.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#all_gather
    """

    name = "stablehlo.all_gather"
    operands_ = var_operand_def(TENSOR)
    all_gather_dim = prop_def(I64)
    use_global_device_ids = opt_prop_def(UnitAttr)
    results_ = var_result_def(TENSOR)
    LABELS: ClassVar = GroupLabels(rank="I3", distinct="C2", in_range="C4", not_empty="C3", channel="C5")
    # As in the reference verifier, no channel will do.
    LEAST_CHANNEL: ClassVar = 0

    def __init__(
        self,
        operands: Sequence[SSAValue],
        all_gather_dim: int,
        replica_groups: Groups,
        channel: Channel | int | None = None,
        *,
        use_global_device_ids: bool = False,
        result_types: Sequence[RankedTensor] | None = None,
    ):
        """`result_types` are needed where the size of the groups is unknown."""
        properties = process_properties(replica_groups, channel, use_global_device_ids=use_global_device_ids)
        if result_types is None:
            size = size_of_groups(self.name, groups_attr(replica_groups))
            result_types = self.infer(types_of(operands), all_gather_dim, size)
        self._build(operands, result_types, {"all_gather_dim": i64_attr(all_gather_dim)} | properties)

    @classmethod
    def infer(cls, operands: Sequence[RankedTensor], all_gather_dim: int, group_size: int) -> list[RankedTensor]:
        """The types of the results: the size of `all_gather_dim` times that of a group."""
        results: list[RankedTensor] = []
        for i, operand in enumerate(operands):
            check_dim(cls.name, "C1", "all_gather_dim", all_gather_dim, f"operands[{i}]", operand)
            size = operand.get_shape()[all_gather_dim]
            results.append(with_size(operand, all_gather_dim, size if size == UNKNOWN else size * group_size))
        return results

    def verify_semantics(self) -> None:
        operands, results = types_of(self.operands), types_of(self.results)
        for name, types in (("operands", operands), ("results", results)):
            check_values(self.name, name, types)
        check_same_elements(self.name, "C6", operands, results)
        self.check_processes()
        dim = self.all_gather_dim.value.data
        for i, (operand, result) in enumerate(zip(operands, results, strict=True)):
            names = (f"operands[{i}]", f"results[{i}]")
            check_dim(self.name, "C1", "all_gather_dim", dim, names[0], operand)
            check_same_but(self.name, "C6", names, operand, result, dim)
            m, n = operand.get_shape()[dim], result.get_shape()[dim]
            if m == 0:
                raise violated(self.name, "", f"{names[0]} is {operand}; the size of dimension {dim} must not be 0")
            if UNKNOWN in (m, n):
                return  # the reference verifier looks at no further operand either
            if n % m:
                found = f"{names[1]} is {result}, {names[0]} is {operand}"
                raise violated(self.name, "C6", f"{found}; dimension {dim} of the result must be a multiple of {m}")


@irdl_op_definition
class AllToAllOp(AbstractGrouped):
    """Each process cuts its operands along `split_dimension`, sends part i to member i of its group, and joins what it
    gets along `concat_dimension`.

    operands         : tensors .. x m*n x .. x k x ..
    split_dimension  : the dimension of size m*n      in range (C1), a multiple of n (C2)
    concat_dimension : the dimension of size k        in range (C3)
    split_count      : how many parts, n > 0          (C4)
    replica_groups   : n processes each (C6, C8), none twice (C5), all from 0 on (C7)
    results          : tensors .. x m x .. x k*n x .. (C9)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#all_to_all
    """

    name = "stablehlo.all_to_all"
    operands_ = var_operand_def(TENSOR)
    split_dimension = prop_def(I64)
    concat_dimension = prop_def(I64)
    split_count = prop_def(I64)
    results_ = var_result_def(TENSOR)
    LABELS: ClassVar = GroupLabels(rank="I5", distinct="C5", in_range="C7")

    def __init__(
        self,
        operands: Sequence[SSAValue],
        split_dimension: int,
        concat_dimension: int,
        split_count: int,
        replica_groups: Groups,
        channel: Channel | int | None = None,
    ):
        dims = {"split_dimension": split_dimension, "concat_dimension": concat_dimension, "split_count": split_count}
        properties: dict[str, Attribute] = {name: i64_attr(n) for name, n in dims.items()}
        results = self.infer(types_of(operands), *dims.values())
        self._build(operands, results, properties | process_properties(replica_groups, channel))

    @classmethod
    def infer(
        cls, operands: Sequence[RankedTensor], split_dimension: int, concat_dimension: int, split_count: int
    ) -> list[RankedTensor]:
        """The types of the results: one size through `split_count`, one times that."""
        check_values(cls.name, "operands", operands)
        if split_count < 1:
            raise violated(cls.name, "C4", f"split_count is {split_count}; it must be at least 1")
        results: list[RankedTensor] = []
        for i, operand in enumerate(operands):
            check_dim(cls.name, "C1", "split_dimension", split_dimension, f"operands[{i}]", operand)
            check_dim(cls.name, "C3", "concat_dimension", concat_dimension, f"operands[{i}]", operand)
            if (size := operand.get_shape()[split_dimension]) != UNKNOWN and size % split_count:
                found = f"operands[{i}] is {operand}"
                way = f"dimension {split_dimension} must be a multiple of split_count, {split_count}; pad it"
                raise violated(cls.name, "C2", f"{found}; {way}")
            results.append(_exchanged(operand, split_dimension, concat_dimension, split_count))
        return results

    def verify_semantics(self) -> None:
        dims = self.split_dimension.value.data, self.concat_dimension.value.data
        count, operands, results = self.split_count.value.data, types_of(self.operands), types_of(self.results)
        inferred = self.infer(operands, *dims, count)
        self._check_group_size(count)
        check_same_elements(self.name, "C9", operands, results)
        check_results(self.name, ("C9", "C9", "C9"), results, inferred)

    def _check_group_size(self, count: int) -> None:
        self.check_processes()
        groups = self.replica_groups
        if isinstance(groups, DenseIntOrFPElementsAttr) and group_size(groups) != count:
            raise violated(
                self.name, "C8", f"replica_groups are {groups}; each must have split_count = {count} processes"
            )


def _exchanged(type: RankedTensor, split: int, concat: int, count: int) -> RankedTensor:
    """`type` with one size, and its bound, through `count`, and one times that."""
    shape, bounds = list(type.get_shape()), bounds_of(type)
    limits = None if bounds is None else list(bounds)
    for sizes in filter(None, (shape, limits)):
        if sizes[split] != UNKNOWN:
            sizes[split] //= count
        if sizes[concat] != UNKNOWN:
            sizes[concat] *= count
    return bounded(tuple(shape), type.element_type, None if limits is None else tuple(limits))


def data_types(op: str, label: str, operands: Sequence[RankedTensor], has_dynamic_root: bool) -> list[RankedTensor]:
    """The types of the operands without that of the roots, which come last if they are dynamic.

    Raise VerifyError unless there are any, and one root for each.
    """
    check_values(op, "operands", operands)
    data, roots = (operands[:-1], operands[-1]) if has_dynamic_root and operands else (operands, None)
    if not data:
        raise violated(op, label, f"there are {len(operands)} operands; give at least one{_ROOTS * has_dynamic_root}")
    if roots is not None:
        if roots.element_type not in _I32 or roots.get_shape() != (len(data),):
            raise violated(
                op,
                label,
                f"the last operand holds the roots and is {roots}; it must be tensor<{len(data)}xi32>",
                DTypeError,
            )
    return list(data)


_I32 = (IntegerType(32), IntegerType(32, Signedness.UNSIGNED))
_ROOTS = ", and the roots behind"


@irdl_op_definition
class CollectiveBroadcastOp(AbstractGrouped):
    """Within each group, the operands of one process, the root: the first of the group, or one that is chosen.

    operands         : tensors, at least one (C3)
                       with has_dynamic_root, then a tensor<Nxi32>: the position in the group of the root of each  (C4)
    replica_groups   : no process twice (C1), none negative (C2)
    results          : tensors of the operands' types (C5)

    A process in no group gets zeros. A root that is not in the group is undefined behaviour (C6).

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#collective_broadcast
    """

    name = "stablehlo.collective_broadcast"
    operands_ = var_operand_def(TENSOR)
    has_dynamic_root = opt_prop_def(UnitAttr)
    results_ = var_result_def(TENSOR)
    LABELS: ClassVar = GroupLabels(rank="I2", distinct="C1", in_range="C2")

    def __init__(
        self,
        operands: Sequence[SSAValue],
        replica_groups: Groups,
        channel: Channel | int | None = None,
        *,
        has_dynamic_root: bool = False,
    ):
        """With `has_dynamic_root`, the last operand holds the roots."""
        properties = process_properties(replica_groups, channel, has_dynamic_root=has_dynamic_root)
        self._build(operands, self.infer(types_of(operands), has_dynamic_root), properties)

    @classmethod
    def infer(cls, operands: Sequence[RankedTensor], has_dynamic_root: bool = False) -> list[RankedTensor]:
        """The types of the results: those of the operands that are sent."""
        return data_types(cls.name, "C4" if has_dynamic_root else "C3", operands, has_dynamic_root)

    def verify_semantics(self) -> None:
        self._check_groups()
        inferred = self.infer(types_of(self.operands), self.has_dynamic_root is not None)
        label = "C5" if len(inferred) != len(self.results) or self.has_dynamic_root else "C3"
        check_results(self.name, (label, label, label), [r.type for r in self.results], inferred)

    def _check_groups(self) -> None:
        groups = self.replica_groups
        if isinstance(groups, DenseIntOrFPElementsAttr):
            _, ids = check_group_ids(self.name, self.LABELS, groups)
            if any(n < 0 for n in ids):
                raise violated(self.name, "C2", f"replica_groups are {groups}; no id may be negative")
        check_mesh_is_defined(self, groups)


@irdl_op_definition
class CollectivePermuteOp(AbstractGenericOp):
    """The operand of another process: target t gets that of source s for each pair (s, t); who is no target gets zeros.

    operand             : tensor
    source_target_pairs : N x 2 (C1), no source twice (C2), no target twice (C3), none negative (C4)
    result              : tensor of the operand's type  (C5)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#collective_permute
    """

    name = "stablehlo.collective_permute"
    operand = tensor_operand()
    source_target_pairs = prop_def(I64_ELEMENTS)
    channel_handle = opt_prop_def(ChannelHandleAttr)
    result = tensor_result()

    def __init__(
        self,
        operand: SSAValue,
        source_target_pairs: Sequence[tuple[int, int]],
        channel: Channel | int | None = None,
    ):
        properties: dict[str, Attribute] = {"source_target_pairs": i64_matrix(source_target_pairs, 2)}
        self._build((operand,), (self.infer(type_of(operand)),), properties | channel_property(channel))

    @classmethod
    def infer(cls, operand: RankedTensor) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_value(cls.name, "operand", operand, TENSORS)
        return operand

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Sources and targets."""
        flat = integers(cast(Elements, self.source_target_pairs))
        return list(zip(flat[::2], flat[1::2], strict=True))

    def verify_semantics(self) -> None:
        given = cast(Elements, self.source_target_pairs)
        shape = given.get_shape()
        if len(shape) != 2 or shape[1] != 2:
            raise violated(self.name, "C1", f"source_target_pairs are {given}; they must have shape N x 2")
        for name, label, ids in zip(("source", "target"), ("C2", "C3"), zip(*self.pairs, strict=True), strict=False):
            if min(ids) < 0:
                raise violated(self.name, "C4", f"source_target_pairs are {given}; no id may be negative")
            if len(set(ids)) != len(ids):
                raise violated(self.name, label, f"source_target_pairs are {given}; no {name} may occur twice")
        if self.result.type.element_type != self.operand.type.element_type:
            found = f"result is {self.result.type}, operand is {self.operand.type}"
            raise violated(self.name, "C5", f"{found}; their element types must be equal", DTypeError)
        check_result(self.name, self.result.type, self.infer(self.operand.type), "C5")


@irdl_op_definition
class CrossReplicaSumOp(AbstractGenericOp):
    """Within each group, the sum of the operands of all replicas. Deprecated: all_reduce does that.

    operand        : tensor
    replica_groups : lists of ids
    result         : tensor of the operand's type

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.cross-replica-sum"
    operand = tensor_operand()
    replica_groups = prop_def(I64_ELEMENTS)
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, replica_groups: Sequence[Sequence[int]]):
        properties = {"replica_groups": i64_matrix(replica_groups)}
        self._build((operand,), (self.infer(type_of(operand)),), properties)

    @classmethod
    def infer(cls, operand: RankedTensor) -> RankedTensor:
        """The type of the result: that of the operand."""
        check_value(cls.name, "operand", operand, TENSORS, label="")
        return operand

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.operand.type), "")
