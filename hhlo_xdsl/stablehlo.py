"""One function per op of StableHLO, with the names of its specification; strict: nothing broadcasts, nothing promotes.

Operands are tensors, or what becomes a constant. Each function raises ShapeError, DTypeError or VerifyError for what
the specification forbids; hh.add, hh.matmul, ... are friendlier. Names that Python reserves end in an underscore.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from xdsl.context import Context
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.utils import exceptions

from hhlo_xdsl.dialects.emit import add as insert
from hhlo_xdsl.dialects.stablehlo import binary, contraction, movement, reduction, unary
from hhlo_xdsl.dialects.stablehlo import compare as comparing
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType, Precision
from hhlo_xdsl.dialects.stablehlo.conv_window import Window as ConvWindow
from hhlo_xdsl.dialects.stablehlo.creation import IotaOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, DotAlgorithm, DotNumbers, parse_conv_numbers
from hhlo_xdsl.dtypes import DType, Spec, as_dtype
from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.ir_types import element_of, tensor_type
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, tensor
from hhlo_xdsl.where import with_place

Ints = Sequence[int]
Pairs = Sequence[tuple[int, int]]
Reducer = Callable[..., Tensor | Sequence[Tensor]]
"""A function on scalars: the values so far, then as many new ones."""
EnumT = TypeVar("EnumT", bound=enum.Enum)


class _Unary(Protocol):
    def __call__(self, operand: ArrayLike) -> Tensor: ...


class _Binary(Protocol):
    def __call__(self, lhs: ArrayLike, rhs: ArrayLike) -> Tensor: ...


def _named(function: Any, op: type[Operation]) -> Any:
    """`function` with the name and documentation of `op`."""
    function.__name__ = function.__qualname__ = op.name.partition(".")[2]
    function.__doc__ = op.__doc__
    return function


def _unary(op: type[Operation]) -> _Unary:
    def apply(operand: ArrayLike) -> Tensor:
        return made(op, tensor(operand))

    return _named(apply, op)


def _binary(op: type[Operation]) -> _Binary:
    def apply(lhs: ArrayLike, rhs: ArrayLike) -> Tensor:
        return made(op, tensor(lhs), tensor(rhs))

    return _named(apply, op)


abs = _unary(unary.AbsOp)
cbrt = _unary(unary.CbrtOp)
ceil = _unary(unary.CeilOp)
cosine = _unary(unary.CosineOp)
count_leading_zeros = _unary(unary.CountLeadingZerosOp)
exponential = _unary(unary.ExponentialOp)
exponential_minus_one = _unary(unary.ExponentialMinusOneOp)
floor = _unary(unary.FloorOp)
imag = _unary(unary.ImagOp)
is_finite = _unary(unary.IsFiniteOp)
log = _unary(unary.LogOp)
log_plus_one = _unary(unary.LogPlusOneOp)
logistic = _unary(unary.LogisticOp)
negate = _unary(unary.NegateOp)
not_ = _unary(unary.NotOp)
popcnt = _unary(unary.PopcntOp)
real = _unary(unary.RealOp)
round_nearest_afz = _unary(unary.RoundNearestAfzOp)
round_nearest_even = _unary(unary.RoundNearestEvenOp)
rsqrt = _unary(unary.RsqrtOp)
sign = _unary(unary.SignOp)
sine = _unary(unary.SineOp)
sqrt = _unary(unary.SqrtOp)
tan = _unary(unary.TanOp)
tanh = _unary(unary.TanhOp)

add = _binary(binary.AddOp)
and_ = _binary(binary.AndOp)
atan2 = _binary(binary.Atan2Op)
complex = _binary(binary.ComplexOp)
divide = _binary(binary.DivideOp)
maximum = _binary(binary.MaximumOp)
minimum = _binary(binary.MinimumOp)
multiply = _binary(binary.MultiplyOp)
or_ = _binary(binary.OrOp)
power = _binary(binary.PowerOp)
remainder = _binary(binary.RemainderOp)
shift_left = _binary(binary.ShiftLeftOp)
shift_right_arithmetic = _binary(binary.ShiftRightArithmeticOp)
shift_right_logical = _binary(binary.ShiftRightLogicalOp)
subtract = _binary(binary.SubtractOp)
xor = _binary(binary.XorOp)


def constant(value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """A constant: a number, an array or nested lists of numbers, in the element type `dtype` or their own."""
    return tensor(value, dtype)


def iota(type: Spec, iota_dimension: int) -> Tensor:
    """A tensor of `type`, such as hh.i64[2, 3], whose elements are their index along `iota_dimension`."""
    return made(IotaOp, tensor_type(type), iota_dimension)


def convert(operand: ArrayLike, dtype: DType) -> Tensor:
    """operand in another element type."""
    return made(unary.ConvertOp, tensor(operand), _element(dtype))


def bitcast_convert(operand: ArrayLike, dtype: DType) -> Tensor:
    """The bits of operand as elements of another type; wider ones take a last dimension up, narrower ones add one."""
    return made(unary.BitcastConvertOp, tensor(operand), _element(dtype))


def reduce_precision(operand: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Tensor:
    """operand, rounded to a float format of fewer bits and back."""
    return made(unary.ReducePrecisionOp, tensor(operand), exponent_bits, mantissa_bits)


def compare(lhs: ArrayLike, rhs: ArrayLike, comparison_direction: str, compare_type: str | None = None) -> Tensor:
    """lhs <direction> rhs, as i1. The direction is EQ, NE, GE, GT, LE or LT; the type is FLOAT, TOTALORDER, SIGNED or
    UNSIGNED, and follows from the operands if None.
    """
    direction = _enum("stablehlo.compare", ComparisonDirection, comparison_direction)
    kind = None if compare_type is None else _enum("stablehlo.compare", ComparisonType, compare_type)
    return made(comparing.CompareOp, tensor(lhs), tensor(rhs), direction, kind)


def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Tensor:
    """on_true where pred holds, else on_false."""
    return made(comparing.SelectOp, tensor(pred), tensor(on_true), tensor(on_false))


def clamp(min: ArrayLike, operand: ArrayLike, max: ArrayLike) -> Tensor:
    """minimum(maximum(operand, min), max); the bounds are scalars or have operand's shape."""
    return made(comparing.ClampOp, tensor(min), tensor(operand), tensor(max))


def reshape(operand: ArrayLike, shape: Ints) -> Tensor:
    """The elements of operand, in row-major order, in another shape."""
    return made(movement.ReshapeOp, tensor(operand), tuple(shape))


def transpose(operand: ArrayLike, permutation: Ints) -> Tensor:
    """operand with dimension permutation[k] at place k."""
    return made(movement.TransposeOp, tensor(operand), permutation)


def broadcast_in_dim(operand: ArrayLike, shape: Ints, broadcast_dimensions: Ints) -> Tensor:
    """operand repeated to `shape`, its dimension k at place broadcast_dimensions[k]."""
    return made(movement.BroadcastInDimOp, tensor(operand), tuple(shape), broadcast_dimensions)


def reverse(operand: ArrayLike, dimensions: Ints) -> Tensor:
    """operand read backwards along `dimensions`."""
    return made(movement.ReverseOp, tensor(operand), dimensions)


def concatenate(inputs: Sequence[ArrayLike], dimension: int) -> Tensor:
    """The inputs end to end along `dimension`."""
    return made(movement.ConcatenateOp, _ssa(inputs), dimension)


def pad(
    operand: ArrayLike,
    padding_value: ArrayLike,
    edge_padding_low: Ints,
    edge_padding_high: Ints,
    interior_padding: Ints,
) -> Tensor:
    """operand with padding_value before, after and between its elements."""
    paddings = edge_padding_low, edge_padding_high, interior_padding
    return made(movement.PadOp, tensor(operand), tensor(padding_value), *paddings)


def slice(operand: ArrayLike, start_indices: Ints, limit_indices: Ints, strides: Ints) -> Tensor:
    """operand[start:limit:stride] in every dimension."""
    return made(movement.SliceOp, tensor(operand), start_indices, limit_indices, strides)


def dot_general(
    lhs: ArrayLike,
    rhs: ArrayLike,
    *,
    lhs_batching_dimensions: Ints = (),
    rhs_batching_dimensions: Ints = (),
    lhs_contracting_dimensions: Ints = (),
    rhs_contracting_dimensions: Ints = (),
    precision_config: Sequence[str] = (),
    algorithm: DotAlgorithm | None = None,
    dtype: DType | None = None,
) -> Tensor:
    """The sums of products over the contracting dimensions, for each position of the batching ones.

    precision_config : DEFAULT, HIGH or HIGHEST, for lhs and rhs
    dtype            : the element type of the result; lhs's if None
    """
    numbers = DotNumbers(
        tuple(lhs_batching_dimensions),
        tuple(rhs_batching_dimensions),
        tuple(lhs_contracting_dimensions),
        tuple(rhs_contracting_dimensions),
    )
    precision = _precisions("stablehlo.dot_general", precision_config)
    element = None if dtype is None else _element(dtype)

    def op(a: SSAValue, b: SSAValue) -> Operation:
        return contraction.DotGeneralOp(a, b, numbers, precision=precision, algorithm=algorithm, element=element)

    return made(op, tensor(lhs), tensor(rhs))


def convolution(
    lhs: ArrayLike,
    rhs: ArrayLike,
    *,
    dimension_numbers: str | ConvNumbers,
    window_strides: Ints = (),
    padding: Pairs = (),
    lhs_dilation: Ints = (),
    rhs_dilation: Ints = (),
    window_reversal: Sequence[bool] = (),
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision_config: Sequence[str] = (),
    dtype: DType | None = None,
) -> Tensor:
    """The kernel rhs slid over lhs: in each position, the sum of products over space and input features.

    dimension_numbers : "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
    padding           : (low, high) per spatial dimension
    dtype             : the element type of the result; lhs's if None

    What is left empty has its default: strides and dilations 1, padding 0, no reversal.
    """
    numbers = _conv_numbers(dimension_numbers)
    window = ConvWindow(
        tuple(window_strides),
        tuple((low, high) for low, high in padding),
        tuple(lhs_dilation),
        tuple(rhs_dilation),
        tuple(window_reversal),
    )
    settings: dict[str, Any] = {
        "feature_group_count": feature_group_count,
        "batch_group_count": batch_group_count,
        "precision": _precisions("stablehlo.convolution", precision_config),
        "element": None if dtype is None else _element(dtype),
    }

    def op(a: SSAValue, b: SSAValue) -> Operation:
        return contraction.ConvolutionOp(a, b, numbers, window, **settings)

    return made(op, tensor(lhs), tensor(rhs))


def reduce(
    inputs: Sequence[ArrayLike], init_values: Sequence[ArrayLike], dimensions: Ints, body: Reducer
) -> tuple[Tensor, ...]:
    """The inputs folded by `body` along `dimensions`, which vanish; one result per input."""
    return _several(lambda: reduction.ReduceOp(_ssa(inputs), _ssa(init_values), dimensions, _region(body)))


def reduce_window(
    inputs: Sequence[ArrayLike],
    init_values: Sequence[ArrayLike],
    window_dimensions: Ints,
    body: Reducer,
    *,
    window_strides: Ints | None = None,
    base_dilations: Ints | None = None,
    window_dilations: Ints | None = None,
    padding: Pairs | None = None,
) -> tuple[Tensor, ...]:
    """The elements in each position of a sliding window, folded by `body`; one result per input."""
    window = reduction.Window(window_dimensions, window_strides, base_dilations, window_dilations, padding)
    return _several(lambda: reduction.ReduceWindowOp(_ssa(inputs), _ssa(init_values), window, _region(body)))


def select_and_scatter(
    operand: ArrayLike,
    source: ArrayLike,
    init_value: ArrayLike,
    select: Reducer,
    scatter: Reducer,
    *,
    window_dimensions: Ints | None = None,
    window_strides: Ints | None = None,
    padding: Pairs | None = None,
) -> Tensor:
    """Each element of source, sent to the element that `select` picks in its window; `scatter` joins them."""
    window = reduction.Window(window_dimensions, window_strides, padding=padding)
    operands = tensor(operand), tensor(source), tensor(init_value)
    return made(reduction.SelectAndScatterOp, *operands, window, _region(select), _region(scatter))


def _element(dtype: DType) -> Attribute:
    with at_user_line():
        return element_of(as_dtype(dtype))


def _ssa(tensors: Sequence[ArrayLike]) -> list[SSAValue]:
    return [tensor(t).ssa for t in tensors]


def _several(op: Callable[[], Operation]) -> tuple[Tensor, ...]:
    """The results of an op with any number of them, at the user's line."""
    with at_user_line():
        return tuple(Tensor(r) for r in insert(op()).results)


def _region(fn: Reducer) -> Callable[..., Sequence[SSAValue]]:
    """A function on tensors as one on the values of the IR."""

    def body(*args: SSAValue) -> Sequence[SSAValue]:
        result = fn(*(Tensor(a) for a in args))
        return _ssa(result if isinstance(result, Sequence) else (result,))

    return body


def _precisions(op: str, names: Sequence[str]) -> tuple[Precision, ...]:
    return tuple(_enum(op, Precision, name) for name in names)


def _enum(op: str, kind: type[EnumT], name: str) -> EnumT:
    try:
        return kind(name)
    except ValueError:
        known = ", ".join(repr(member.value) for member in kind)
        raise with_place(VerifyError(f"{op}: found {name!r}; one of {known} was expected")) from None


def _conv_numbers(numbers: str | ConvNumbers) -> ConvNumbers:
    if isinstance(numbers, ConvNumbers):
        return numbers
    try:
        return parse_conv_numbers(Parser(Context(), numbers))
    except exceptions.ParseError as error:
        raise with_place(
            VerifyError(
                f"stablehlo.convolution: dimension_numbers are {numbers!r} ({error.msg}); a text such as"
                ' "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]" was expected'
            )
        ) from None
