"""CHLO's elementwise ops that broadcast their operands.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ComplexType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.traits import Commutative, Pure

from hhlo_xdsl.dialects.chlo.attributes import ChloComparisonDirectionAttr, ChloComparisonTypeAttr
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from hhlo_xdsl.dialects.stablehlo.base import I64S, AbstractOp, i64_array, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import (
    ANY,
    FLOAT,
    INTEGER_OR_BOOL,
    QUANTIZED_ANY,
    UNKNOWN,
    Kind,
    RankedTensor,
    compatible_elements,
    tensor,
    type_of,
)


def broadcast_sizes(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The sizes of shapes aligned at their last dimensions; all unknown where known ones differ and none is 1.

    Sizes that do not broadcast are found when the program runs: upstream accepts them.
    """
    rank = max(map(len, shapes))
    sizes = [1] * rank
    for shape in shapes:
        for d in range(-len(shape), 0):
            common = _common_size(sizes[d], shape[d])
            if common is None:
                return (UNKNOWN,) * rank
            sizes[d] = common
    return tuple(sizes)


class AbstractBroadcastBinary(AbstractOp):
    """result = f(lhs, rhs), element by element, after both are broadcast to one shape.

    lhs, rhs             : one element type
    broadcast_dimensions : which result dimensions those of the operand of lower rank are; the last ones where absent
    result               : their element type; the sizes that theirs broadcast to
    """

    lhs = tensor_operand()
    rhs = tensor_operand()
    broadcast_dimensions = opt_prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    ELEMENTS: ClassVar[frozenset[Kind]] = ANY | QUANTIZED_ANY
    """The kinds of elements the op takes."""

    def __init__(self, lhs: SSAValue, rhs: SSAValue, broadcast_dimensions: Sequence[int] | None = None):
        result = self.infer(type_of(lhs), type_of(rhs), broadcast_dimensions)
        if broadcast_dimensions is not None:
            result = tensor(_spread(type_of(lhs), type_of(rhs), broadcast_dimensions), result.element_type)
        self._build((lhs, rhs), (result,), _dimensions(broadcast_dimensions))

    @classmethod
    def infer(
        cls, lhs: RankedTensor, rhs: RankedTensor, broadcast_dimensions: Sequence[int] | None = None
    ) -> RankedTensor:
        """The type of the result; sizes are unknown where the operands or `broadcast_dimensions` do not fit."""
        check_kind(cls.name, "lhs", lhs, cls.ELEMENTS)
        check_kind(cls.name, "rhs", rhs, cls.ELEMENTS)
        if not compatible_elements(lhs.element_type, rhs.element_type):
            found = f"lhs is {lhs}, rhs is {rhs}"
            raise violated(cls.name, "", f"{found}; their element types must be equal; convert one", DTypeError)
        if broadcast_dimensions is not None and min(broadcast_dimensions, default=0) < 0:
            # Upstream's verifier reads beyond the shape here, which may end the process.
            found = f"broadcast_dimensions are {list(broadcast_dimensions)}"
            raise violated(cls.name, "", f"{found}; none may be negative; count from the first dimension")
        return tensor(_broadcast(lhs, rhs, broadcast_dimensions), cls.result_element(lhs.element_type))

    @classmethod
    def result_element(cls, element: Attribute) -> Attribute:
        """The element type of the result of an op on elements of type `element`."""
        return element

    def verify_semantics(self) -> None:
        dims = None if self.broadcast_dimensions is None else tuple(self.broadcast_dimensions.iter_values())
        check_result(self.name, self.result.type, self.infer(self.lhs.type, self.rhs.type, dims), "")


def _broadcast(lhs: RankedTensor, rhs: RankedTensor, dims: Sequence[int] | None) -> tuple[int, ...]:
    shapes = lhs.get_shape(), rhs.get_shape()
    if dims is None:
        return broadcast_sizes(shapes)
    small, large = sorted(shapes, key=len)
    if len(dims) != len(small) or max(dims, default=0) > len(large) - 1:
        return (UNKNOWN,) * len(large)
    sizes = list(large)
    for dim, n in zip(dims, small, strict=True):
        common = _common_size(n, large[dim])
        if common is None:
            return (UNKNOWN,) * len(large)
        sizes[dim] = common
    return tuple(sizes)


def _common_size(m: int, n: int) -> int | None:
    """The size that m and n broadcast to, UNKNOWN if that depends on unknown ones; None if they do not broadcast."""
    if UNKNOWN in (m, n):
        return max(m, n) if max(m, n) > 1 else UNKNOWN
    if 1 in (m, n) or m == n:
        return n if m == 1 else m
    return None


def _spread(lhs: RankedTensor, rhs: RankedTensor, dims: Sequence[int]) -> tuple[int, ...]:
    """The sizes where the operand of lower rank lies along `dims` of the other; those of `infer` if it cannot."""
    low, high = sorted((lhs.get_shape(), rhs.get_shape()), key=len)
    if len(low) == len(high) or len(dims) != len(low) or not set(dims) <= set(range(len(high))):
        return _broadcast(lhs, rhs, dims)
    sizes = [1] * len(high)
    for d, n in zip(dims, low, strict=True):
        sizes[d] = n
    return broadcast_sizes((sizes, high))


def _dimensions(dims: Sequence[int] | None) -> dict[str, Attribute]:
    return {} if dims is None else {"broadcast_dimensions": i64_array(tuple(dims))}


@irdl_op_definition
class BroadcastAddOp(AbstractBroadcastBinary):
    """result = lhs + rhs; i1: or, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_add-chlobroadcastaddop
    """

    name = "chlo.broadcast_add"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastAtan2Op(AbstractBroadcastBinary):
    """result = the angle of the point (rhs, lhs), in radians, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_atan2-chlobroadcastatan2op
    """

    name = "chlo.broadcast_atan2"


@irdl_op_definition
class BroadcastDivideOp(AbstractBroadcastBinary):
    """result = lhs / rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_divide-chlobroadcastdivideop
    """

    name = "chlo.broadcast_divide"


@irdl_op_definition
class BroadcastMaximumOp(AbstractBroadcastBinary):
    """result = the greater one, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_maximum-chlobroadcastmaximumop
    """

    name = "chlo.broadcast_maximum"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastMinimumOp(AbstractBroadcastBinary):
    """result = the lesser one, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_minimum-chlobroadcastminimumop
    """

    name = "chlo.broadcast_minimum"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastMultiplyOp(AbstractBroadcastBinary):
    """result = lhs * rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_multiply-chlobroadcastmultiplyop
    """

    name = "chlo.broadcast_multiply"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastNextAfterOp(AbstractBroadcastBinary):
    """result = the next representable number after lhs in the direction of rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_next_after-chlobroadcastnextafterop
    """

    name = "chlo.broadcast_next_after"


@irdl_op_definition
class BroadcastPolygammaOp(AbstractBroadcastBinary):
    """result = the lhs-th derivative of digamma at rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_polygamma-chlobroadcastpolygammaop
    """

    name = "chlo.broadcast_polygamma"


@irdl_op_definition
class BroadcastPowerOp(AbstractBroadcastBinary):
    """result = lhs ** rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_power-chlobroadcastpowerop
    """

    name = "chlo.broadcast_power"


@irdl_op_definition
class BroadcastRemainderOp(AbstractBroadcastBinary):
    """result = the remainder of lhs / rhs, with the sign of lhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_remainder-chlobroadcastremainderop
    """

    name = "chlo.broadcast_remainder"


@irdl_op_definition
class BroadcastShiftLeftOp(AbstractBroadcastBinary):
    """result = lhs shifted left by rhs bits, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_shift_left-chlobroadcastshiftleftop
    """

    name = "chlo.broadcast_shift_left"


@irdl_op_definition
class BroadcastShiftRightArithmeticOp(AbstractBroadcastBinary):
    """result = lhs shifted right by rhs bits, copies of the sign bit moving in, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_shift_right_arithmetic-chlobroadcastshiftrightarithmeticop
    """

    name = "chlo.broadcast_shift_right_arithmetic"


@irdl_op_definition
class BroadcastShiftRightLogicalOp(AbstractBroadcastBinary):
    """result = lhs shifted right by rhs bits, zeros moving in, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_shift_right_logical-chlobroadcastshiftrightlogicalop
    """

    name = "chlo.broadcast_shift_right_logical"


@irdl_op_definition
class BroadcastSubtractOp(AbstractBroadcastBinary):
    """result = lhs - rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_subtract-chlobroadcastsubtractop
    """

    name = "chlo.broadcast_subtract"


@irdl_op_definition
class BroadcastZetaOp(AbstractBroadcastBinary):
    """result = the Hurwitz zeta function of lhs and rhs, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_zeta-chlobroadcastzetaop
    """

    name = "chlo.broadcast_zeta"
    ELEMENTS: ClassVar = FLOAT


@irdl_op_definition
class BroadcastAndOp(AbstractBroadcastBinary):
    """result = lhs and rhs, for integers bit by bit, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_and-chlobroadcastandop
    """

    name = "chlo.broadcast_and"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastOrOp(AbstractBroadcastBinary):
    """result = lhs or rhs, for integers bit by bit, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_or-chlobroadcastorop
    """

    name = "chlo.broadcast_or"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastXorOp(AbstractBroadcastBinary):
    """result = lhs exclusive-or rhs, for integers bit by bit, after broadcasting.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_xor-chlobroadcastxorop
    """

    name = "chlo.broadcast_xor"
    ELEMENTS: ClassVar = INTEGER_OR_BOOL
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastComplexOp(AbstractBroadcastBinary):
    """result = lhs + i * rhs, after broadcasting; complex elements of the operands' type.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_complex-chlobroadcastcomplexop
    """

    name = "chlo.broadcast_complex"
    ELEMENTS: ClassVar = FLOAT

    @classmethod
    def result_element(cls, element: Attribute) -> Attribute:
        """Complex numbers of the operands' elements."""
        return ComplexType(element)  # pyright: ignore[reportArgumentType]


@irdl_op_definition
class BroadcastCompareOp(AbstractBroadcastBinary):
    """result = lhs <direction> rhs, after broadcasting; i1 elements.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_compare-chlobroadcastcompareop
    """

    name = "chlo.broadcast_compare"
    comparison_direction = prop_def(ChloComparisonDirectionAttr)
    compare_type = opt_prop_def(ChloComparisonTypeAttr)

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        direction: ComparisonDirection,
        compare_type: ComparisonType | None = None,
        broadcast_dimensions: Sequence[int] | None = None,
    ):
        result = self.infer(type_of(lhs), type_of(rhs), broadcast_dimensions)
        properties = _dimensions(broadcast_dimensions) | {
            "comparison_direction": ChloComparisonDirectionAttr(direction)
        }
        if compare_type is not None:
            properties["compare_type"] = ChloComparisonTypeAttr(compare_type)
        self._build((lhs, rhs), (result,), properties)

    @classmethod
    def result_element(cls, element: Attribute) -> Attribute:
        """i1"""
        return i1


@irdl_op_definition
class BroadcastSelectOp(AbstractOp):
    """result = on_true where pred holds, else on_false, after all three are broadcast to one shape.

    pred              : i1
    on_true, on_false : one element type
    result            : that element type; the sizes that the three broadcast to

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobroadcast_select-chlobroadcastselectop
    """

    name = "chlo.broadcast_select"
    pred = tensor_operand()
    on_true = tensor_operand()
    on_false = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, pred: SSAValue, on_true: SSAValue, on_false: SSAValue):
        result = self.infer(type_of(pred), type_of(on_true), type_of(on_false))
        self._build((pred, on_true, on_false), (result,))

    @classmethod
    def infer(cls, pred: RankedTensor, on_true: RankedTensor, on_false: RankedTensor) -> RankedTensor:
        """The type of the result."""
        check_kind(cls.name, "pred", pred, frozenset({"bool"}))
        check_kind(cls.name, "on_true", on_true, ANY | QUANTIZED_ANY)
        check_kind(cls.name, "on_false", on_false, ANY | QUANTIZED_ANY)
        if on_true.element_type != on_false.element_type:
            found = f"on_true is {on_true}, on_false is {on_false}"
            raise violated(cls.name, "", f"{found}; their element types must be equal; convert one", DTypeError)
        shapes = [t.get_shape() for t in (pred, on_true, on_false)]
        return tensor(broadcast_sizes(shapes), on_true.element_type)

    def verify_semantics(self) -> None:
        inferred = self.infer(self.pred.type, self.on_true.type, self.on_false.type)
        check_result(self.name, self.result.type, inferred, "")
