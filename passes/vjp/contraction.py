"""Reverse-mode rules of dot_general and convolution.

Both are linear in each operand, so the cotangent of one is a product of the same kind, with the cotangent of the result
(called ct) in its place and the other operand where it was. Each keeps its precision.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, ComplexType, f32
from xdsl.ir import Attribute, SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import zeros
from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp, DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.conv_window import Window
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import (
    EIGHT_BITS,
    ConvNumbers,
    Dims,
    DotAlgorithm,
    DotNumbers,
    Image,
    Kernel,
)
from hhlo_xdsl.dialects.stablehlo.movement import PadOp, ReverseOp
from hhlo_xdsl.dialects.stablehlo.shapes import UNKNOWN, WindowDim, dilated, inverse
from hhlo_xdsl.dialects.types import is_inexact, is_static, kind, real_element, scalar, shape_of, type_of
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.vjp.core import Cotangents, Walk, only, walk_rule
from hhlo_xdsl.passes.vjp.folds import converted
from hhlo_xdsl.passes.vjp.guards import Product, guarded_product
from hhlo_xdsl.passes.vjp.movement import reshaped, transposed

# dot_general is a matmul of batch b, lhs-free i, rhs-free j and contracted k, each any number of dimensions:
#   forward  [b, i, k] x [b, j, k] -> [b, i, j]
#   lhs      [b, i, j] x [b, j, k] -> [b, i, k]    j contracted
#   rhs      [b, i, k] x [b, i, j] -> [b, k, j]    i contracted
# A product has its dimensions in the order of these letters, and k ascending in the operand it was read from; a
# transpose brings them to their places in the operand whose cotangent it is.


@walk_rule(DotGeneralOp)
def dot_general(op: DotGeneralOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Two dot_generals, one per operand."""
    return _of_operands(
        op, only(cts), lambda ct, rhs: _dot_lhs(op, ct, rhs), lambda ct, lhs: _dot_rhs(op, lhs, ct), walk
    )


def _of_operands(
    op: DotGeneralOp | ConvolutionOp, ct: SSAValue, to_lhs: Product, to_rhs: Product, walk: Walk
) -> Cotangents:
    """The cotangents of both operands, each from ct and the other operand, in its own element type."""
    return [
        converted(guarded_product(product, ct, other, walk.options), type_of(own).element_type)
        if is_inexact(own.type)
        else None
        for product, own, other in ((to_lhs, op.lhs, op.rhs), (to_rhs, op.rhs, op.lhs))
    ]


def _dot_lhs(op: DotGeneralOp, ct: SSAValue, rhs: SSAValue) -> SSAValue:
    n, (lhs_free, rhs_free) = op.numbers, op.free
    b, _, j = spans(n.lhs_batching, lhs_free, rhs_free)
    product = _dot(op, ct, rhs, DotNumbers(b, n.rhs_batching, j, rhs_free))
    return placed(product, (*n.lhs_batching, *lhs_free, *partners(n.rhs_contracting, n.lhs_contracting)))


def _dot_rhs(op: DotGeneralOp, lhs: SSAValue, ct: SSAValue) -> SSAValue:
    n, (lhs_free, rhs_free) = op.numbers, op.free
    b, i, _ = spans(n.lhs_batching, lhs_free, rhs_free)
    product = _dot(op, lhs, ct, DotNumbers(n.lhs_batching, b, lhs_free, i))
    return placed(product, (*n.rhs_batching, *partners(n.lhs_contracting, n.rhs_contracting), *rhs_free))


def spans(*groups: Dims) -> list[Dims]:
    """The positions of the groups' dimensions when all stand in a row."""
    spans: list[Dims] = []
    start = 0
    for dims in groups:
        spans.append(tuple(range(start, start + len(dims))))
        start += len(dims)
    return spans


def partners(dims: Dims, partners: Dims) -> Dims:
    """The partners of dims, in ascending order of dims."""
    return tuple(partner for _, partner in sorted(zip(dims, partners, strict=True)))


def placed(x: SSAValue, places: Dims) -> SSAValue:
    """x, its p-th dimension moved to places[p]."""
    return transposed(x, inverse(places))


def _dot(op: DotGeneralOp, lhs: SSAValue, rhs: SSAValue, numbers: DotNumbers) -> SSAValue:
    """lhs and rhs in a common element type, multiplied as accurately as `op` does."""
    element = common(type_of(lhs).element_type, type_of(rhs).element_type)
    lhs, rhs = converted(lhs, element), converted(rhs, element)
    algorithm = None if op.algorithm is None else for_derivatives(op.algorithm.data)
    return emit(DotGeneralOp(lhs, rhs, numbers, precision=op.precision, algorithm=algorithm))


def for_derivatives(algorithm: DotAlgorithm) -> DotAlgorithm | None:
    """The algorithm, unless it rounds to 8 bits: operands are scaled to fit into those, (co)tangents are not."""
    types = {str(algorithm.lhs_precision_type), str(algorithm.rhs_precision_type)}
    return None if types & EIGHT_BITS else algorithm


# Leaving space aside, a convolution is a matmul of batch n, in-features c and out-features o:
#   forward  [n, c] x [c, o] -> [n, o]
#   lhs      [n, o] x [o, c] -> [n, c]    the kernel's in and out swapped, and its space reversed
#   rhs      [c, n] x [n, o] -> [c, o]    features are the batch; the batch is what is summed over
# With g groups, gx being a dimension of g * size(x) with the group as its slower part:
#   feature groups                           batch groups
#   forward  [n, gc] x [c, go] -> [n, go]    [gn, c] x [c, go] -> [n, go]
#   lhs      [n, go] x [o, gc] -> [n, gc]    [n, go] x [o, gc] -> [n, gc] -> [gn, c]    feature groups
#   rhs      [gc, n] x [n, go] -> [c, go]    [c, gn] x [n, go] -> [c, go]               batch groups; feature groups
# where [o, gc] is the kernel with g moved from its out-features to its in-features.
#
# In space, element i of lhs meets element y of the result under element x of the kernel when
#   lhs_dilation * i + low = stride * y + rhs_dilation * x    (x counted backwards if the window is reversed)
# Solved for i, or for x, this is again such an equation: two of the factors trade places, low follows, and high is
# whatever makes the sizes meet, so that elements which the stride skipped get zero.


@walk_rule(ConvolutionOp)
def convolution(op: ConvolutionOp, cts: Cotangents, walk: Walk) -> Cotangents:
    """Two convolutions, one per operand."""
    if any(0 in shape_of(v) for v in (op.lhs, op.rhs, op.result)):
        return [None, None]
    _check_sizes(op)
    portable = walk.options.portable
    return _of_operands(
        op,
        only(cts),
        lambda ct, rhs: _conv_lhs(op, ct, rhs, portable),
        lambda ct, lhs: _conv_rhs(op, lhs, ct, portable),
        walk,
    )


def _check_sizes(op: ConvolutionOp) -> None:
    """The padding of a gradient depends on the sizes in space, its groups on all sizes."""
    unknown = any(UNKNOWN in (w.base, w.size, w.out) for w in op.windows)
    if unknown or (max(op.groups) > 1 and not all(is_static(t) for t in (op.lhs.type, op.rhs.type, op.result.type))):
        raise DifferentiationError(
            f"{op.name}: lhs is {op.lhs.type}, rhs is {op.rhs.type}; a gradient needs every spatial size, and with"
            f" groups every size; write them in place of `?`{place(op)}"
        )


def _conv_lhs(op: ConvolutionOp, ct: SSAValue, rhs: SSAValue, portable: bool) -> SSAValue:
    n, (_, batches) = op.numbers, op.groups
    groups = max(op.groups)
    kernel = _reversed(rhs, [d for d, w in zip(n.rhs.spatial, op.windows, strict=True) if not w.reversal])
    kernel = _move_groups(kernel, groups, n.rhs.output, n.rhs.input)
    numbers = ConvNumbers(n.out, Kernel(n.rhs.output, n.rhs.input, n.rhs.spatial), n.lhs)
    product = _convolve(op, ct, kernel, numbers, [_lhs_window(w) for w in op.windows], (groups, 1), portable)
    return _move_groups(product, batches, n.lhs.feature, n.lhs.batch)


def _lhs_window(w: WindowDim) -> WindowDim:
    """The window that slides over ct: stride and lhs_dilation trade places."""
    low = w.reach - 1 - w.low
    high = w.dilated_base + w.low - dilated(w.out, w.stride)
    return WindowDim(w.out, w.size, w.base_dilation, low, high, w.stride, w.window_dilation)


def _conv_rhs(op: ConvolutionOp, lhs: SSAValue, ct: SSAValue, portable: bool) -> SSAValue:
    n, (features, batches) = op.numbers, op.groups
    numbers = ConvNumbers(
        Image(n.lhs.feature, n.lhs.batch, n.lhs.spatial),
        Kernel(n.out.batch, n.out.feature, n.out.spatial),
        Image(n.rhs.input, n.rhs.output, n.rhs.spatial),
    )
    windows = [_rhs_window(w) for w in op.windows]
    product = _convolve(op, lhs, ct, numbers, windows, (batches, features), portable)
    return _reversed(product, [d for d, w in zip(n.rhs.spatial, op.windows, strict=True) if w.reversal])


def _rhs_window(w: WindowDim) -> WindowDim:
    """The window that ct is when it slides over lhs: stride and rhs_dilation trade places."""
    high = w.reach - 1 + dilated(w.out, w.stride) - w.low - w.dilated_base
    return WindowDim(w.base, w.out, w.window_dilation, w.low, high, w.base_dilation, w.stride)


def _convolve(
    op: ConvolutionOp,
    lhs: SSAValue,
    rhs: SSAValue,
    numbers: ConvNumbers,
    windows: Sequence[WindowDim],
    groups: tuple[int, int],
    portable: bool,
) -> SSAValue:
    """lhs and rhs in a common element type, convolved as precisely as `op` does, with feature and batch groups."""
    element = common(type_of(lhs).element_type, type_of(rhs).element_type)
    lhs, rhs = converted(lhs, element), converted(rhs, element)
    if portable:
        lhs, windows = _padded(lhs, numbers.lhs.spatial, windows)
        lhs, groups = _move_groups(lhs, groups[1], numbers.lhs.batch, numbers.lhs.feature), (max(groups), 1)
    features, batches = groups
    return emit(
        ConvolutionOp(
            lhs,
            rhs,
            numbers,
            Window.of(windows),
            feature_group_count=features,
            batch_group_count=batches,
            precision=op.precision,
        )
    )


def _padded(x: SSAValue, dims: Dims, windows: Sequence[WindowDim]) -> tuple[SSAValue, list[WindowDim]]:
    """The holes and edges that `windows` put into x, put there by an explicit pad, and the windows without them.

    For consumers that lack lhs_dilation or negative padding; x itself if there is neither.
    """
    if all(w.base_dilation == 1 and w.low >= 0 and w.high >= 0 for w in windows):
        return x, list(windows)
    low, high, interior = ([0] * type_of(x).get_num_dims() for _ in range(3))
    for d, w in zip(dims, windows, strict=True):
        low[d], high[d], interior[d] = w.low, w.high, w.base_dilation - 1
    holed = emit(PadOp(x, zeros(scalar(type_of(x))), low, high, interior))
    plain = [
        WindowDim(shape_of(holed)[d], w.size, w.stride, window_dilation=w.window_dilation)
        for d, w in zip(dims, windows, strict=True)
    ]
    return holed, plain


def _move_groups(x: SSAValue, groups: int, source: int, target: int) -> SSAValue:
    """x, the slower part of its dimension `source`, of size `groups`, made the slower part of dimension `target`."""
    if groups == 1:
        return x
    shape = list(shape_of(x))
    shape[source] //= groups
    split = reshaped(x, [*shape[:source], groups, *shape[source:]])
    order = [d for d in range(len(shape) + 1) if d != source]
    order.insert(target, source)
    shape[target] *= groups
    return reshaped(transposed(split, order), shape)


def _reversed(x: SSAValue, dims: Sequence[int]) -> SSAValue:
    """x reversed along `dims`; x itself if that changes nothing."""
    dims = sorted(d for d in dims if shape_of(x)[d] != 1)
    return emit(ReverseOp(x, dims)) if dims else x


def common(a: Attribute, b: Attribute) -> Attribute:
    """An element type that holds a and b: the wider, or f32 for two formats of one width; integers do not count."""
    floats = {part for e in (a, b) if isinstance(part := real_element(e), AnyFloat)}
    width = max(part.bitwidth for part in floats)
    widest = [part for part in floats if part.bitwidth == width]
    real = widest[0] if len(widest) == 1 else f32
    return ComplexType(real) if "complex" in (kind(a), kind(b)) else real
