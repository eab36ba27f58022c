"""Layers and losses of neural networks, as functions of their inputs and weights. Nothing here holds a state.

Images have the batch first and the features last: [N, H, W, C], or with any other number of spatial dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hhlo_xdsl import dtypes
from hhlo_xdsl.custom import stop_gradient
from hhlo_xdsl.dtypes import DType, f32
from hhlo_xdsl.errors import DTypeError, ShapeError
from hhlo_xdsl.ops.binary import add, maximum
from hhlo_xdsl.ops.compare import where
from hhlo_xdsl.ops.contraction import matmul
from hhlo_xdsl.ops.creation import iota, ones, zeros_like
from hhlo_xdsl.ops.movement import broadcast_to, expand_dims, squeeze
from hhlo_xdsl.ops.operands import Axis, axes_of, axis_of, inexact, per_axis
from hhlo_xdsl.ops.reduction import lowest, mean, reduce_window, var
from hhlo_xdsl.ops.reduction import max as greatest
from hhlo_xdsl.ops.reduction import sum as total
from hhlo_xdsl.ops.unary import exp, isfinite, log, log1p, logistic, rsqrt, tanh
from hhlo_xdsl.ops.windows import Padding, PerAxis
from hhlo_xdsl.tensor import ArrayLike, Tensor, promote, tensor
from hhlo_xdsl.where import with_place


def relu(x: ArrayLike) -> Tensor:
    """max(x, 0). Its derivative at 0 is 0, as in JAX; NaN stays NaN."""
    t = tensor(x)
    return where(t <= 0, zeros_like(t), t)


def gelu(x: ArrayLike) -> Tensor:
    """x times the normal distribution function, by its tanh approximation: x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))."""
    t = inexact(x)
    inner = math.sqrt(2 / math.pi) * (t + 0.044715 * (t * t * t))
    return 0.5 * t * (1 + tanh(inner))


def silu(x: ArrayLike) -> Tensor:
    """x / (1 + e ** -x)"""
    t = inexact(x)
    return t * logistic(t)


def softplus(x: ArrayLike) -> Tensor:
    """log(1 + e ** x), without overflow."""
    t = inexact(x)
    # Choosing by t >= 0, rather than by maximum and abs, has the right derivatives at 0.
    positive = t >= 0
    return where(positive, t, 0) + log1p(exp(where(positive, -t, t)))


def logsumexp(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """log(sum(e ** x)) over `axis`, over all dimensions if None, without overflow; -inf where every x is."""
    t = inexact(x)
    dims = axes_of("logsumexp", axis, t.ndim)
    top = _shift(t, dims)
    # Where every x is -inf, or one is inf, a shift by it would make NaN.
    top = where(isfinite(top), top, 0)
    result = log(total(exp(t - top), dims, keepdims=True)) + top
    return result if keepdims else squeeze(result, dims)


def softmax(x: ArrayLike, axis: int | Sequence[int] = -1) -> Tensor:
    """e ** x / sum(e ** x) over `axis`, without overflow; NaN where every x is -inf.

    >>> hh.trace(hh.nn.softmax, hh.f32[8, 10])           # f32[8, 10], rows that sum to 1
    """
    t = inexact(x)
    dims = axes_of("softmax", axis, t.ndim)
    powers = exp(t - _shift(t, dims))
    return powers / total(powers, dims, keepdims=True)


def log_softmax(x: ArrayLike, axis: int | Sequence[int] = -1) -> Tensor:
    """The logarithm of `softmax`, exact also where that is nearly 0."""
    t = inexact(x)
    dims = axes_of("log_softmax", axis, t.ndim)
    below = t - _shift(t, dims)
    return below - log(total(exp(below), dims, keepdims=True))


def _shift(t: Tensor, dims: Sequence[int]) -> Tensor:
    """What is taken off the exponents so that none overflows; the result is the same for any shift.

    So no derivative flows through it.
    """
    return stop_gradient(greatest(t, dims, keepdims=True))


def linear(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None) -> Tensor:
    """x @ weight + bias.

    x      : [.., n]
    weight : [n, m]
    bias   : [m], or None for none

    Returns [.., m]. Raises ShapeError for sizes that do not fit.
    """
    product = matmul(x, weight)
    return product if bias is None else product + bias


def layer_norm(
    x: ArrayLike,
    scale: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    axis: int | Sequence[int] = -1,
    *,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * scale + offset, with the mean and variance of x over `axis`.

    scale, offset : what broadcasts to x's shape, or None for 1 and 0
    """
    t = inexact(x)
    dims = axes_of("layer_norm", axis, t.ndim)
    y = (t - mean(t, dims, keepdims=True)) * rsqrt(var(t, dims, keepdims=True) + eps)
    scaled = y if scale is None else y * scale
    return scaled if offset is None else scaled + offset


def batch_norm_inference(
    x: ArrayLike,
    scale: ArrayLike,
    offset: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    *,
    axis: int = -1,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * scale + offset, with one number of each per feature.

    scale, offset, mean, variance : vectors as long as x's dimension `axis`

    Raises ShapeError where they are not.
    """
    t = inexact(x)
    d = axis_of("batch_norm_inference", axis, t.ndim)
    per_feature: list[Tensor] = []
    for name, v in (("scale", scale), ("offset", offset), ("mean", mean), ("variance", variance)):
        vector = tensor(v)
        if vector.shape != (t.shape[d],):
            raise with_place(
                ShapeError(
                    f"batch_norm_inference: {name} is {vector.spec}, x is {t.spec}; a vector of {t.shape[d]} elements,"
                    f" the size of dimension {d}, was expected"
                )
            )
        per_feature.append(vector.reshape([-1 if k == d else 1 for k in range(t.ndim)]))
    gain, shift, center, spread = per_feature
    return (t - center) * (rsqrt(spread + eps) * gain) + shift


def max_pool(x: ArrayLike, window: PerAxis, *, strides: PerAxis | None = None, padding: Padding = "VALID") -> Tensor:
    """The greatest element in each position of a window.

    x       : [N, spatial.., C]
    window  : its size, one number per spatial dimension, or one for all
    strides : likewise; those of `window` if None, so that windows do not overlap
    padding : "VALID", "SAME", or (low, high) per spatial dimension; what is padded never is the greatest

    Raises ShapeError where these do not fit.

    >>> hh.trace(lambda x: hh.nn.max_pool(x, 2), hh.f32[8, 32, 32, 3])         # f32[8, 16, 16, 3]
    """
    t = tensor(x)
    return _pooled("max_pool", t, lowest(t.dtype), maximum, _window("max_pool", t, window), strides, padding)


def avg_pool(
    x: ArrayLike,
    window: PerAxis,
    *,
    strides: PerAxis | None = None,
    padding: Padding = "VALID",
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of the elements in each position of a window; see `max_pool`.

    count_include_pad : whether padding counts as zeros; if not, means are of the elements inside x only
    """
    t = inexact(x)
    sizes = _window("avg_pool", t, window)
    sums = _pooled("avg_pool", t, 0, add, sizes, strides, padding)
    if count_include_pad or padding == "VALID":
        return sums / math.prod(sizes)
    inside = ones((1, *t.shape[1:-1], 1), t.dtype)
    return sums / _pooled("avg_pool", inside, 0, add, sizes, strides, padding)


def _window(function: str, t: Tensor, window: PerAxis) -> tuple[int, ...]:
    """One size per spatial dimension, which are all but the first and the last."""
    if t.ndim < 2:
        raise with_place(ShapeError(f"{function}: x is {t.spec}; [N, spatial.., C] was expected"))
    return per_axis(function, "window", window, t.ndim - 2)


def _pooled(
    function: str,
    t: Tensor,
    init: float,
    fn: Callable[[Tensor, Tensor], Tensor],
    window: tuple[int, ...],
    strides: PerAxis | None,
    padding: Padding,
) -> Tensor:
    """The spatial dimensions of t folded by `fn` within windows."""
    steps = window if strides is None else per_axis(function, "strides", strides, len(window))
    around = padding if isinstance(padding, str) else [(0, 0), *padding, (0, 0)]
    return reduce_window(t, init, fn, (1, *window, 1), strides=(1, *steps, 1), padding=around)


def global_avg_pool(x: ArrayLike) -> Tensor:
    """The mean over every spatial dimension: [N, spatial.., C] to [N, C]. Raises ShapeError for rank below 2."""
    t = inexact(x)
    if t.ndim < 2:
        raise with_place(ShapeError(f"global_avg_pool: x is {t.spec}; [N, spatial.., C] was expected"))
    return mean(t, range(1, t.ndim - 1)) if t.ndim > 2 else t


def one_hot(labels: ArrayLike, num_classes: int, *, axis: int = -1, dtype: DType = f32) -> Tensor:
    """1 at the place, along a new dimension `axis`, that the label names, else 0; all 0 for a label out of range.

    Raises DTypeError unless the labels are integers.

    >>> hh.trace(lambda y: hh.nn.one_hot(y, 10), hh.i32[8])            # f32[8, 10]
    """
    return _is_class(labels, num_classes, axis, "one_hot").astype(dtype)


def _is_class(labels: ArrayLike, num_classes: int, axis: int, function: str) -> Tensor:
    """Whether each place along a new dimension `axis` is the one the label names."""
    t = tensor(labels)
    if t.dtype.kind not in ("int", "uint"):
        raise with_place(
            DTypeError(f"{function}: labels are {t.spec}; integers were expected; convert them with astype")
        )
    d = axis_of(function, axis, t.ndim + 1)
    shape = (*t.shape[:d], num_classes, *t.shape[d:])
    classes = iota(shape, d, t.dtype if t.dtype.bits >= 32 else dtypes.i32)
    return classes == broadcast_to(expand_dims(t, d), shape)


def cross_entropy(logits: ArrayLike, labels: ArrayLike, axis: int = -1) -> Tensor:
    """-sum(p * log_softmax(logits)) over `axis`, for the probabilities p that the labels give: one loss per example.

    logits : [.., classes]
    labels : integers [..], the true classes; or probabilities, of the shape of the logits

    Returns [..]. Raises ShapeError where the shapes do not fit.

    >>> hh.trace(lambda x, y: hh.mean(hh.nn.cross_entropy(x, y)), hh.f32[8, 10], hh.i32[8])
    """
    t, y = inexact(logits), tensor(labels)
    d = axis_of("cross_entropy", axis, t.ndim)
    by_class = y.dtype.kind in ("int", "uint")
    expected = (*t.shape[:d], *t.shape[d + 1 :]) if by_class else t.shape
    if y.shape != expected:
        raise with_place(
            ShapeError(
                f"cross_entropy: labels are {y.spec}, logits are {t.spec}; labels {list(expected)} were expected"
            )
        )
    log_p = log_softmax(t, d)
    if by_class:
        # Choosing, rather than multiplying by 0 and 1, keeps the -inf of impossible classes out of the sum.
        return -total(where(_is_class(y, t.shape[d], d, "cross_entropy"), log_p, 0), d)
    p, log_p = promote(y, log_p)
    return -total(p * log_p, d)
