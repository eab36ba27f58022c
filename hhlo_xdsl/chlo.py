"""One function per op of CHLO, with its name; strict: nothing promotes, and only `broadcast_` ops broadcast.

Operands are tensors, or what becomes a constant. Each function raises ShapeError, DTypeError or VerifyError for what
upstream's verifier refuses; hh.erf, hh.asin, ... are friendlier. Names that begin with an underscore lose it.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from hhlo_xdsl.dialects.chlo import binary, contraction, control_flow, creation, ordering, unary
from hhlo_xdsl.dialects.chlo import broadcast as broadcasting
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from hhlo_xdsl.dialects.types import INTEGER_OR_BOOL, kind
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.errors import DTypeError
from hhlo_xdsl.stablehlo.shared import (
    Block,
    Ints,
    binary_function,
    element_type,
    enum_of,
    precisions,
    region,
    several,
    unary_function,
    values,
)
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor
from hhlo_xdsl.where import with_place

acos = unary_function(unary.AcosOp)
acosh = unary_function(unary.AcoshOp)
asin = unary_function(unary.AsinOp)
asin_acos_kernel = unary_function(unary.AsinAcosKernelOp)
asinh = unary_function(unary.AsinhOp)
atan = unary_function(unary.AtanOp)
atanh = unary_function(unary.AtanhOp)
bessel_i1e = unary_function(unary.BesselI1eOp)
conj = unary_function(unary.ConjOp)
cosh = unary_function(unary.CoshOp)
digamma = unary_function(unary.DigammaOp)
erf = unary_function(unary.ErfOp)
erf_inv = unary_function(unary.ErfInvOp)
erfc = unary_function(unary.ErfcOp)
is_inf = unary_function(unary.IsInfOp)
is_neg_inf = unary_function(unary.IsNegInfOp)
is_pos_inf = unary_function(unary.IsPosInfOp)
lgamma = unary_function(unary.LgammaOp)
sinh = unary_function(unary.SinhOp)
square = unary_function(unary.SquareOp)
tan = unary_function(unary.TanOp)

mulhi = binary_function(binary.MulhiOp)
next_after = binary_function(binary.NextAfterOp)
polygamma = binary_function(binary.PolygammaOp)
zeta = binary_function(binary.ZetaOp)


class Broadcasting(Protocol):
    """A function of two tensors that it broadcasts to one shape."""

    def __call__(self, lhs: ArrayLike, rhs: ArrayLike, broadcast_dimensions: Ints | None = None) -> Tensor: ...


def _broadcasting(op: Callable[..., Operation], name: str) -> Broadcasting:
    def apply(lhs: ArrayLike, rhs: ArrayLike, broadcast_dimensions: Ints | None = None) -> Tensor:
        return made(partial(op, broadcast_dimensions=broadcast_dimensions), tensor(lhs), tensor(rhs))

    apply.__name__ = apply.__qualname__ = name.partition(".")[2]
    apply.__doc__ = op.__doc__
    return apply


def _binary(op: type[broadcasting.AbstractBroadcastBinary]) -> Broadcasting:
    return _broadcasting(op, op.name)


broadcast_add = _binary(broadcasting.BroadcastAddOp)
broadcast_and = _binary(broadcasting.BroadcastAndOp)
broadcast_atan2 = _binary(broadcasting.BroadcastAtan2Op)
broadcast_complex = _binary(broadcasting.BroadcastComplexOp)
broadcast_divide = _binary(broadcasting.BroadcastDivideOp)
broadcast_maximum = _binary(broadcasting.BroadcastMaximumOp)
broadcast_minimum = _binary(broadcasting.BroadcastMinimumOp)
broadcast_multiply = _binary(broadcasting.BroadcastMultiplyOp)
broadcast_next_after = _binary(broadcasting.BroadcastNextAfterOp)
broadcast_or = _binary(broadcasting.BroadcastOrOp)
broadcast_polygamma = _binary(broadcasting.BroadcastPolygammaOp)
broadcast_power = _binary(broadcasting.BroadcastPowerOp)
broadcast_remainder = _binary(broadcasting.BroadcastRemainderOp)
broadcast_shift_left = _binary(broadcasting.BroadcastShiftLeftOp)
broadcast_shift_right_arithmetic = _binary(broadcasting.BroadcastShiftRightArithmeticOp)
broadcast_shift_right_logical = _binary(broadcasting.BroadcastShiftRightLogicalOp)
broadcast_subtract = _binary(broadcasting.BroadcastSubtractOp)
broadcast_xor = _binary(broadcasting.BroadcastXorOp)
broadcast_zeta = _binary(broadcasting.BroadcastZetaOp)


def broadcast_compare(
    lhs: ArrayLike,
    rhs: ArrayLike,
    comparison_direction: str,
    compare_type: str | None = None,
    broadcast_dimensions: Ints | None = None,
) -> Tensor:
    """lhs <direction> rhs after broadcasting, as i1: EQ, NE, GE, GT, LE or LT."""
    name = broadcasting.BroadcastCompareOp.name
    direction = enum_of(name, ComparisonDirection, comparison_direction)
    kind = None if compare_type is None else enum_of(name, ComparisonType, compare_type)
    return made(broadcasting.BroadcastCompareOp, tensor(lhs), tensor(rhs), direction, kind, broadcast_dimensions)


def broadcast_select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Tensor:
    """on_true where pred holds, else on_false, after all three are broadcast to one shape."""
    return made(broadcasting.BroadcastSelectOp, tensor(pred), tensor(on_true), tensor(on_false))


def constant(value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A constant: a number, an array or nested lists of numbers, in the element type `dtype` or their own.

    It is stablehlo.constant, which chlo.constant is another name of.
    """
    return tensor(value, dtype)


def constant_like(operand: ArrayLike, value: float, dtype: DType | None = None) -> Tensor:
    """`value` in every element, in operand's shape; elements of type `dtype`, or operand's own if None."""
    x = tensor(operand)
    element = element_type(x.dtype if dtype is None else dtype)
    number = _number(value, element)
    return made(partial(creation.ConstantLikeOp, number), x)


def _number(value: float, element: Attribute) -> FloatAttr[Any] | IntegerAttr[Any]:
    """`value : element`; raises DTypeError unless that is a float or an integer."""
    if isinstance(element, AnyFloat):
        return FloatAttr(float(value), element)
    if kind(element) not in INTEGER_OR_BOOL:
        raise with_place(DTypeError(f"chlo.constant_like: elements are {element}; floats or integers are needed"))
    return IntegerAttr(int(value), cast("IntegerType[Any, Any]", element))


def ragged_dot(
    lhs: ArrayLike,
    rhs: ArrayLike,
    group_sizes: ArrayLike,
    *,
    lhs_ragged_dimensions: Ints,
    rhs_group_dimensions: Ints = (),
    lhs_batching_dimensions: Ints = (),
    rhs_batching_dimensions: Ints = (),
    lhs_contracting_dimensions: Ints = (),
    rhs_contracting_dimensions: Ints = (),
    precision_config: Sequence[str] = (),
    dtype: DType | None = None,
) -> Tensor:
    """dot_general of which one dimension of lhs is cut into groups, of `group_sizes` consecutive indices.

    A free one: each row meets the slice of rhs of its group. A contracting one: a product per group, along a new first
    dimension. A batching one: as dot_general. `precision_config` is DEFAULT, HIGH or HIGHEST, for lhs and rhs; `dtype`
    the element type of the result, lhs's if None.
    """
    numbers = contraction.RaggedDotNumbers(
        tuple(lhs_batching_dimensions),
        tuple(rhs_batching_dimensions),
        tuple(lhs_contracting_dimensions),
        tuple(rhs_contracting_dimensions),
        tuple(lhs_ragged_dimensions),
        tuple(rhs_group_dimensions),
    )
    precision = precisions(contraction.RaggedDotOp.name, precision_config)
    element = None if dtype is None else element_type(dtype)

    def op(a: SSAValue, b: SSAValue, sizes: SSAValue) -> Operation:
        return contraction.RaggedDotOp(a, b, sizes, numbers, precision=precision, element=element)

    return made(op, tensor(lhs), tensor(rhs), tensor(group_sizes))


def top_k(operand: ArrayLike, k: int, is_stable: bool | None = None) -> tuple[Tensor, ...]:
    """The k largest elements along the last dimension, in descending order, and their indices, i32."""
    return several(lambda: ordering.TopKOp(tensor(operand).ssa, k, is_stable))


def scan(
    inputs: Sequence[ArrayLike],
    inits: Sequence[ArrayLike],
    dimension: int,
    body: Block,
    *,
    scan_dim_size: int | None = None,
    is_reverse: bool = False,
    is_associative: bool | None = None,
) -> tuple[Tensor, ...]:
    """`body` of one slice of the inputs after the other: (slices, carry) -> (slices of the outputs, next carry).

    The results are the outputs, then the last carry. `body` reads nothing from outside.
    """

    def op() -> Operation:
        return control_flow.ScanOp(
            values(inputs),
            values(inits),
            dimension,
            region(body),
            scan_dim_size=scan_dim_size,
            is_reverse=is_reverse,
            is_associative=is_associative,
        )

    return several(op)
