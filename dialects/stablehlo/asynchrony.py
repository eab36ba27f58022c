"""The pair of ops that lets another op run in the background."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsolatedFromAbove

from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.base import TENSOR, AbstractGenericOp, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_result, violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, region_of, returned
from hhlo_xdsl.dialects.stablehlo.distribution import types_of
from hhlo_xdsl.dialects.stablehlo.types import FutureType
from hhlo_xdsl.dialects.stablehlo.values import TENSORS, check_value, check_values
from hhlo_xdsl.dialects.types import RankedTensor

_STARTED = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather",
        "all_reduce",
        "all_to_all",
        "collective_broadcast",
        "collective_permute",
        "collective_reduce",
        "dynamic_slice",
        "dynamic_update_slice",
        "reduce_scatter",
        "slice",
    )
)
"""The ops that may run in the background."""


@irdl_op_definition
class AsyncStartOp(AbstractGenericOp):
    """Starts the op in `body` and goes on; async_done waits for what it gives.

    operands : N tensors, of the types of body's arguments  (C3)
    body     : one collective or slice (C2), and a return (C1) of one value; reads nothing from outside
    result   : the future of that value  (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#async_start
    """

    name = "stablehlo.async_start"
    operands_ = var_operand_def(TENSOR)
    body = region_def("single_block")
    result = result_def(FutureType)
    traits = traits_def(IsolatedFromAbove())

    def __init__(self, operands: Sequence[SSAValue], body: Body):
        """`AsyncStartOp([x], lambda x: emit(CollectivePermuteOp(x, [(0, 1)])))`"""
        types = types_of(operands)
        region = region_of(body, types)
        self._build(operands, (self.infer(types, region),), regions=(region,))

    @classmethod
    def infer(cls, operands: Sequence[RankedTensor], body: Region) -> FutureType:
        """The type of the result: the future of what `body` returns."""
        check_values(cls.name, "operands", operands)
        gives = returned(cls.name, "C1", "body", body)
        inner = body.block.first_op
        if inner is None or inner.next_op is not body.block.last_op:
            raise violated(cls.name, "C1", "body must consist of one op and a return", VerifyError)
        if inner.name not in _STARTED:
            raise violated(
                cls.name, "C2", f"body runs {inner.name}; it must be {' or '.join(sorted(_STARTED))}", VerifyError
            )
        takes = [a.type for a in body.block.args]
        if takes != list(operands):
            found = f"body takes ({', '.join(map(str, takes))})"
            raise violated(
                cls.name, "C3", f"{found}; it must take the operands, ({', '.join(map(str, operands))})", DTypeError
            )
        if len(gives) != 1:
            raise violated(cls.name, "C4", f"body returns {len(gives)} values; it must return one")
        return FutureType(ArrayAttr(gives))

    def verify_semantics(self) -> None:
        inferred = self.infer(types_of(self.operands), self.body)
        if self.result.type != inferred:
            raise violated(self.name, "C4", f"result is {self.result.type}, but body gives {inferred}", DTypeError)


@irdl_op_definition
class AsyncDoneOp(AbstractGenericOp):
    """The value that an op started by async_start gives, once it is there.

    operand : the future of one value of type T
    result  : T                                       (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#async_done
    """

    name = "stablehlo.async_done"
    operand = operand_def(FutureType)
    result = tensor_result()

    def __init__(self, operand: SSAValue):
        self._build((operand,), (self.infer(cast(FutureType, operand.type)),))

    @classmethod
    def infer(cls, operand: FutureType) -> Attribute:
        """The type of the result: the one in the future."""
        types = operand.types.data
        if len(types) != 1:
            raise violated(cls.name, "C1", f"operand is {operand}; it must be the future of one value")
        return types[0]

    def verify_semantics(self) -> None:
        check_value(self.name, "result", self.result.type, TENSORS, label="C1")
        check_result(self.name, self.result.type, self.infer(cast(FutureType, self.operand.type)), "C1")
