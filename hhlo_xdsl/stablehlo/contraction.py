"""Thin functions of the family contraction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.context import Context
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser
from xdsl.utils import exceptions

from hhlo_xdsl.dialects.stablehlo import contraction as dialect
from hhlo_xdsl.dialects.stablehlo.conv_window import Window
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, DotAlgorithm, DotNumbers, parse_conv_numbers
from hhlo_xdsl.dtypes import DType
from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.stablehlo.shared import Ints, Pairs, element_type, precisions
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor
from hhlo_xdsl.where import with_place


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
    precision = precisions("stablehlo.dot_general", precision_config)
    element = None if dtype is None else element_type(dtype)

    def op(a: SSAValue, b: SSAValue) -> Operation:
        return dialect.DotGeneralOp(a, b, numbers, precision=precision, algorithm=algorithm, element=element)

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
    numbers = conv_numbers(dimension_numbers)
    window = Window(
        tuple(window_strides),
        tuple((low, high) for low, high in padding),
        tuple(lhs_dilation),
        tuple(rhs_dilation),
        tuple(window_reversal),
    )
    settings: dict[str, Any] = {
        "feature_group_count": feature_group_count,
        "batch_group_count": batch_group_count,
        "precision": precisions("stablehlo.convolution", precision_config),
        "element": None if dtype is None else element_type(dtype),
    }

    def op(a: SSAValue, b: SSAValue) -> Operation:
        return dialect.ConvolutionOp(a, b, numbers, window, **settings)

    return made(op, tensor(lhs), tensor(rhs))


def conv_numbers(numbers: str | ConvNumbers) -> ConvNumbers:
    """The roles of dimensions, read from a text."""
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
