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
from hhlo_xdsl.ops.creation import full_like, iota, ones, zeros_like
from hhlo_xdsl.ops.indexing import take
from hhlo_xdsl.ops.movement import broadcast_to, expand_dims, repeat, split, squeeze, swapaxes
from hhlo_xdsl.ops.operands import Axis, axes_of, axis_of, inexact, integers, per_axis
from hhlo_xdsl.ops.random import bernoulli
from hhlo_xdsl.ops.reduction import lowest, mean, reduce_window, var
from hhlo_xdsl.ops.reduction import max as greatest
from hhlo_xdsl.ops.reduction import sum as total
from hhlo_xdsl.ops.unary import abs, erfc, exp, expm1, isfinite, log, log1p, logistic, rsqrt, tanh
from hhlo_xdsl.ops.windows import Padding, PerAxis
from hhlo_xdsl.promotion import bounds
from hhlo_xdsl.stablehlo import normalization as thin
from hhlo_xdsl.tensor import ArrayLike, Tensor, promote, tensor
from hhlo_xdsl.where import with_place


def relu(x: ArrayLike) -> Tensor:
    """max(x, 0). Its derivative at 0 is 0, as in JAX; NaN stays NaN."""
    t = tensor(x)
    return where(t <= 0, zeros_like(t), t)


def gelu(x: ArrayLike, approximate: bool = True) -> Tensor:
    """x Φ(x), with the normal distribution function Φ; by default x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))).

    approximate : whether by that formula, or by Φ(x) = erfc(-x / √2) / 2
    """
    t = inexact(x)
    if not approximate:
        return 0.5 * t * erfc(-t / math.sqrt(2))
    inner = math.sqrt(2 / math.pi) * (t + 0.044715 * (t * t * t))
    return 0.5 * t * (1 + tanh(inner))


def silu(x: ArrayLike) -> Tensor:
    """x / (1 + e ** -x)"""
    t = inexact(x)
    return t * logistic(t)


def swish(x: ArrayLike) -> Tensor:
    """x / (1 + e ** -x), another name of `silu`."""
    return silu(x)


def relu6(x: ArrayLike) -> Tensor:
    """min(max(x, 0), 6). Its derivative at 0 and at 6 is 0."""
    t = tensor(x)
    return where(t >= 6, full_like(t, 6), relu(t))


def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 0.01) -> Tensor:
    """x where x >= 0, negative_slope * x elsewhere."""
    t = inexact(x)
    return where(t >= 0, t, negative_slope * t)


def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Tensor:
    """x where x > 0, alpha (e ** x - 1) elsewhere."""
    t = inexact(x)
    positive = t > 0
    return where(positive, t, alpha * expm1(where(positive, 0, t)))


def selu(x: ArrayLike) -> Tensor:
    """`elu` with alpha 1.6733, times 1.0507, which keep mean 0 and variance 1 (doi:10.48550/arXiv.1706.02515)."""
    return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717)


def mish(x: ArrayLike) -> Tensor:
    """x tanh(softplus(x))"""
    t = inexact(x)
    return t * tanh(softplus(t))


def log_sigmoid(x: ArrayLike) -> Tensor:
    """log(1 / (1 + e ** -x)), without overflow."""
    return -softplus(-inexact(x))


def soft_sign(x: ArrayLike) -> Tensor:
    """x / (1 + |x|)"""
    t = inexact(x)
    return t / (1 + abs(t))


def hard_tanh(x: ArrayLike) -> Tensor:
    """-1 where x < -1, 1 where x > 1, x between."""
    t = inexact(x)
    return where(t > 1, full_like(t, 1), where(t < -1, full_like(t, -1), t))


def hard_sigmoid(x: ArrayLike) -> Tensor:
    """relu6(x + 3) / 6"""
    return relu6(inexact(x) + 3) / 6


def hard_silu(x: ArrayLike) -> Tensor:
    """x relu6(x + 3) / 6"""
    t = inexact(x)
    return t * hard_sigmoid(t)


def glu(x: ArrayLike, axis: int = -1) -> Tensor:
    """The first half of x along `axis` times the logistic of the second. Raises ShapeError for an odd size."""
    first, second = split(inexact(x), 2, axis)
    return first * logistic(second)


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


def rms_norm(
    x: ArrayLike, scale: ArrayLike | None = None, axis: int | Sequence[int] = -1, *, eps: float = 1e-6
) -> Tensor:
    """x / sqrt(mean of x² + eps) * scale, over `axis`; see `layer_norm`."""
    t = inexact(x)
    dims = axes_of("rms_norm", axis, t.ndim)
    y = t * rsqrt(mean(t * t, dims, keepdims=True) + eps)
    return y if scale is None else y * scale


def group_norm(
    x: ArrayLike,
    groups: int,
    scale: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor:
    """`layer_norm` within each example and group of neighbouring features.

    x             : [N, spatial.., C]
    groups        : how many; C is a multiple of it
    scale, offset : [C], or None for 1 and 0
    """
    t = inexact(x)
    if t.ndim < 2 or groups < 1 or t.shape[-1] % groups:
        found = f"x is {t.spec}, groups is {groups}"
        raise with_place(ShapeError(f"group_norm: {found}; [N, .., C] with C a multiple of it was expected"))
    parts = t.reshape((t.shape[0], -1, groups, t.shape[-1] // groups)) if t.size else t
    y = layer_norm(parts, axis=(1, 3), eps=eps).reshape(t.shape) if t.size else t
    scaled = y if scale is None else y * scale
    return scaled if offset is None else scaled + offset


def batch_norm(
    x: ArrayLike, scale: ArrayLike, offset: ArrayLike, *, axis: int = -1, eps: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    """((x - mean) / sqrt(variance + eps) * scale + offset, mean, variance), over all dimensions but `axis`.

    scale, offset : vectors as long as x's dimension `axis`

    For training; `batch_norm_inference` takes the mean and variance of elsewhere. Means are taken off before the op
    batch_norm_training, whose variance is inexact far from 0 on some devices.
    """
    t = inexact(x)
    d = axis_of("batch_norm", axis, t.ndim)
    gain, shift = (_per_feature("batch_norm", name, v, t, d) for name, v in (("scale", scale), ("offset", offset)))
    wide = t.astype(f32) if t.dtype.bits < 32 else t
    others = tuple(k for k in range(t.ndim) if k != d)
    near = stop_gradient(mean(wide, others))
    centered = wide - near.reshape([-1 if k == d else 1 for k in range(t.ndim)])
    vectors = gain.astype(wide.dtype), shift.astype(wide.dtype)
    y, center, spread = thin.batch_norm_training(centered, *vectors, epsilon=eps, feature_index=d)
    return y.astype(t.dtype), (center + near).astype(t.dtype), spread.astype(t.dtype)


def _per_feature(function: str, name: str, value: ArrayLike, t: Tensor, d: int) -> Tensor:
    """`value` as a vector; raises ShapeError unless it is as long as dimension d."""
    vector = tensor(value)
    if vector.shape != (t.shape[d],):
        raise with_place(
            ShapeError(
                f"{function}: {name} is {vector.spec}, x is {t.spec}; a vector of {t.shape[d]} elements,"
                f" the size of dimension {d}, was expected"
            )
        )
    return vector


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
        vector = _per_feature("batch_norm_inference", name, v, t, d)
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


def dropout(key: ArrayLike, x: ArrayLike, rate: float) -> Tensor:
    """x with each element 0 with probability `rate`, the others divided by 1 - rate, so that the mean stays.

    key  : of `hh.random`
    rate : 0 <= rate < 1, known while tracing

    Raises ShapeError for another rate.
    """
    t = inexact(x)
    if not 0 <= rate < 1:
        raise with_place(ShapeError(f"dropout: rate is {rate}; 0 <= rate < 1 was expected"))
    return where(bernoulli(key, 1 - rate, t.shape), t / (1 - rate), 0) if rate else t


def embedding(table: ArrayLike, ids: ArrayLike) -> Tensor:
    """table[ids]: a row of the table for each of the ids, integers.

    >>> hh.trace(hh.nn.embedding, hh.f32[1000, 64], hh.i32[8, 32])             # f32[8, 32, 64]
    """
    return take(table, integers("embedding", "ids", ids), 0)


def attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    bias: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """softmax(scale * query @ keyᵀ + bias) @ value, for each head.

    query      : [.., T, N, H], N heads for each of T positions
    key, value : [.., S, K, H]; each of the K heads serves N / K heads of the query
    bias, mask : what broadcasts to [.., N, T, S]; the mask, i1, says where a position may be looked at
    is_causal  : whether position t looks at positions up to t only
    scale      : 1 / sqrt(H) if None

    Returns [.., T, N, H]. A position that may look at none gets the mean of all values, as in JAX. Narrow floats are
    added up in f32. Raises ShapeError where sizes do not fit.
    """
    q, k, v = promote(inexact(query), key, value)
    _check_heads(q, k, v)
    repeats = q.shape[-2] // k.shape[-2] if k.shape[-2] else 1
    k, v = (repeat(t, repeats, -2) if repeats > 1 else t for t in (k, v))
    wide = f32 if q.dtype.bits < 32 else q.dtype
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    q_of_head, k_of_head, v_of_head = (swapaxes(t.astype(wide), -3, -2) for t in (q, k, v))
    logits = matmul(q_of_head, k_of_head.mT) * factor
    logits = logits if bias is None else logits + tensor(bias).astype(wide)
    seen = None if mask is None else tensor(mask)
    if is_causal:
        places = logits.shape[-2:]
        past = iota(places, 0) >= iota(places, 1)
        seen = past if seen is None else seen & past
    if seen is not None:
        logits = where(seen, logits, 0.7 * bounds(wide)[0])
    return swapaxes(matmul(softmax(logits), v_of_head), -3, -2).astype(q.dtype)


def _check_heads(q: Tensor, k: Tensor, v: Tensor) -> None:
    fits = q.ndim == k.ndim >= 3 and k.shape == v.shape and q.shape[:-3] == k.shape[:-3] and q.shape[-1] == k.shape[-1]
    if not fits or (k.shape[-2] and q.shape[-2] % k.shape[-2]):
        raise with_place(
            ShapeError(
                f"attention: query is {q.spec}, key {k.spec} and value {v.spec}; [.., T, N, H] and twice [.., S, K, H]"
                " were expected, N a multiple of K"
            )
        )


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


def binary_cross_entropy(logits: ArrayLike, labels: ArrayLike) -> Tensor:
    """-p log σ(x) - (1 - p) log(1 - σ(x)), for logits x and probabilities p, which broadcast; without overflow.

    labels : probabilities, or i1
    """
    t, p = promote(inexact(logits), labels)
    return softplus(t) - p * t


def mean_squared_error(predictions: ArrayLike, targets: ArrayLike) -> Tensor:
    """The mean over all elements of (predictions - targets)². Raises ShapeError unless their shapes are equal."""
    x, y = _alike("mean_squared_error", predictions, targets)
    return mean((x - y) * (x - y))


def huber(predictions: ArrayLike, targets: ArrayLike, delta: float = 1.0) -> Tensor:
    """d² / 2 for a difference d of up to `delta`, and delta (|d| - delta / 2) beyond; one loss per element."""
    x, y = _alike("huber", predictions, targets)
    size = abs(x - y)
    return where(size <= delta, 0.5 * (size * size), delta * (size - 0.5 * delta))


def _alike(function: str, x1: ArrayLike, x2: ArrayLike) -> tuple[Tensor, Tensor]:
    """Two tensors of one shape: a loss of [N] and [N, 1], which broadcast, would be one of [N, N]."""
    a, b = promote(inexact(x1), x2)
    if a.shape != b.shape:
        raise with_place(ShapeError(f"{function}: found {a.spec} and {b.spec}; equal shapes were expected"))
    return a, b
