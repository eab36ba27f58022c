"""`hh.random`: random numbers as functions of a key. There is no hidden state: equal keys give equal numbers.

A key is a ui64[2] tensor or array, made by `key` and multiplied by `split` and `fold_in`; each should be used once.
Within a trace these three give tensors, outside of one numpy arrays, which a compiled function takes as an argument.
The bits are those of Threefry (rng_bit_generator's THREE_FRY), of a period of 2 ** 64 for each first number of a key.

shape : a size or sizes; dtype : f16, bf16, f32 or f64. Narrow types are drawn in f32 and rounded, but for `uniform`.

>>> hh.trace(lambda key: hh.random.normal(key, (2, 3)), hh.ui64[2])            # f32[2, 3]
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hhlo_xdsl import dtypes
from hhlo_xdsl.dtypes import DType, as_dtype, f32, i32, ui32, ui64
from hhlo_xdsl.errors import DTypeError, ShapeError
from hhlo_xdsl.ops.binary import bitwise_right_shift, minimum
from hhlo_xdsl.ops.compare import clip, where
from hhlo_xdsl.ops.creation import arange, full
from hhlo_xdsl.ops.indexing import take
from hhlo_xdsl.ops.movement import broadcast_to, concat, reshape
from hhlo_xdsl.ops.operands import axis_of, check_ordered, inexact, sizes_of
from hhlo_xdsl.ops.ordering import argsort
from hhlo_xdsl.ops.reduction import any, argmax
from hhlo_xdsl.ops.unary import cos, erf, erf_inv, log, log1p, sin, sqrt
from hhlo_xdsl.stablehlo import rng_bit_generator, while_
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, tensor
from hhlo_xdsl.trace import is_tracing
from hhlo_xdsl.where import with_place

Shape = int | Sequence[int]

_GOLDEN = 0x9E3779B97F4A7C15
"""2 ** 64 divided by the golden ratio: keeps keys of fold_in apart from those of split."""
_MASK = (1 << 64) - 1


def key(seed: ArrayLike) -> Any:
    """A key from an integer; every one below 2 ** 64 gives another key."""
    if is_tracing():
        number = tensor(seed, ui64) if isinstance(seed, int) else tensor(seed).astype(ui64)
        if number.shape:
            raise with_place(ShapeError(f"key: seed is {number.spec}; one integer was expected"))
        return concat([number.reshape(1), full(1, 0, ui64)])
    try:
        return np.array([operator.index(seed) & _MASK, 0], np.uint64)
    except TypeError:
        raise with_place(DTypeError(f"key: seed is {seed!r}; an integer was expected")) from None


def split(key: ArrayLike, num: int = 2) -> Any:
    """`num` new keys, ui64[num, 2], independent of each other and of `key`.

    >>> hh.trace(lambda key: hh.random.split(key)[1], hh.ui64[2])
    """
    (count,) = sizes_of("split", (num,))
    if is_tracing():
        return bits(key, (count, 2), ui64)
    return _compiled(count)(np.asarray(key)).numpy()


def fold_in(key: ArrayLike, data: ArrayLike) -> Any:
    """A new key from a key and an integer, such as the number of a step; different integers give independent keys."""
    if not is_tracing():
        return _compiled(None)(np.asarray(key), np.asarray(data)).numpy()
    number = tensor(data, ui64) if isinstance(data, int) and data >= 0 else tensor(data).astype(ui64)
    if number.shape:
        raise with_place(ShapeError(f"fold_in: data is {number.spec}; one integer was expected"))
    mixed = bits(key, 2, ui64)
    return bits(concat([(mixed[0] + number + _GOLDEN).reshape(1), mixed[1:]]), 2, ui64)


@functools.cache
def _compiled(num: int | None) -> Callable[..., Any]:
    """`split` into `num`, or `fold_in` if None, for use outside of a trace."""
    from hhlo_xdsl.jit import jit

    return jit(fold_in) if num is None else jit(functools.partial(split, num=num))


def bits(key: ArrayLike, shape: Shape = (), dtype: DType = ui32) -> Tensor:
    """Uniform random bits, as ui32 or ui64."""
    return _bits(key, shape, dtype)[1]


def _bits(key: ArrayLike, shape: Shape, dtype: DType) -> tuple[Tensor, Tensor]:
    """The state after, and the bits."""
    state = tensor(key)
    if state.spec != ui64[2]:
        raise with_place(DTypeError(f"random: key is {state.spec}; ui64[2] was expected, as hh.random.key(0) makes it"))
    if dtype not in (ui32, ui64):
        raise with_place(DTypeError(f"bits: dtype is {dtype}; ui32 or ui64 was expected"))
    return rng_bit_generator(state, dtype[sizes_of("random", shape)], "THREE_FRY")


# Floats


def uniform(
    key: ArrayLike, shape: Shape = (), dtype: DType = f32, minval: ArrayLike = 0.0, maxval: ArrayLike = 1.0
) -> Tensor:
    """Uniform in [minval, maxval). Between 0 and 1 they are multiples of 2 ** -p, for a type of p significant bits."""
    wanted = _float("uniform", dtype)
    precision = _precision(wanted)
    words = bits(key, shape, ui64 if wanted.bits == 64 else ui32)
    part = bitwise_right_shift(words, words.dtype.bits - precision).astype(wanted) * 2.0**-precision
    if not isinstance(minval, Tensor) and not isinstance(maxval, Tensor) and (minval, maxval) == (0, 1):
        return part
    wide = _wide(wanted)
    low, high = tensor(minval).astype(wide), tensor(maxval).astype(wide)
    inside = (low + part.astype(wide) * (high - low)).astype(wanted)
    # Rounding may reach the upper bound.
    return where(inside < high.astype(wanted), inside, low.astype(wanted))


def _precision(dtype: DType) -> int:
    """How many significant bits a float has."""
    return {dtypes.f16: 11, dtypes.bf16: 8, dtypes.f32: 24, dtypes.f64: 53}[dtype]


def _open(key: ArrayLike, shape: Shape, wide: DType) -> Tensor:
    """Uniform in (0, 1), f32 or f64, fine near 0: the middles of 2 ** 32 or 2 ** 53 intervals."""
    precision = _precision(wide)
    drawn = 53 if wide is dtypes.f64 else 32
    words = bits(key, shape, ui64 if wide is dtypes.f64 else ui32)
    steps = bitwise_right_shift(words, words.dtype.bits - drawn) if words.dtype.bits > drawn else words
    return minimum((steps.astype(wide) + 0.5) * 2.0**-drawn, 1 - 2.0**-precision)


def normal(key: ArrayLike, shape: Shape = (), dtype: DType = f32) -> Tensor:
    """Normal with mean 0 and standard deviation 1, by Box and Muller's transform of two uniform numbers to two.

    Of f32, none is further from 0 than 6.8, and of f64 none than 8.7.
    """
    wanted = _float("normal", dtype)
    sizes = sizes_of("normal", shape)
    count = math.prod(sizes)
    wide, half = _wide(wanted), -(-count // 2)
    drawn = _open(key, (2, half), wide)
    radius, angle = sqrt(-2 * log(drawn[0])), 2 * math.pi * drawn[1]
    pairs = concat([radius * cos(angle), radius * sin(angle)])
    return reshape(pairs[:count], sizes).astype(wanted)


def truncated_normal(
    key: ArrayLike, lower: ArrayLike, upper: ArrayLike, shape: Shape = (), dtype: DType = f32
) -> Tensor:
    """Normal with mean 0 and deviation 1, given that it lies in [lower, upper], by the inverse of its distribution.

    lower, upper : numbers or scalar tensors, within some 4 of 0 in f32, 7 in f64: beyond, the numbers get coarse
    """
    wanted = _float("truncated_normal", dtype)
    wide = _wide(wanted)
    low, high = tensor(lower).astype(wide), tensor(upper).astype(wide)
    a, b = erf(low / math.sqrt(2)), erf(high / math.sqrt(2))
    part = _open(key, shape, wide)
    return clip(math.sqrt(2) * erf_inv(a + part * (b - a)), low, high).astype(wanted)


def exponential(key: ArrayLike, shape: Shape = (), dtype: DType = f32) -> Tensor:
    """Exponential with mean 1: never negative, with density e ** -x."""
    wanted = _float("exponential", dtype)
    return -log1p(-_open(key, shape, _wide(wanted))).astype(wanted)


def gumbel(key: ArrayLike, shape: Shape = (), dtype: DType = f32) -> Tensor:
    """Gumbel with location 0 and scale 1: -log of exponential numbers; mean 0.5772, variance π² / 6."""
    wanted = _float("gumbel", dtype)
    return -log(-log1p(-_open(key, shape, _wide(wanted)))).astype(wanted)


def laplace(key: ArrayLike, shape: Shape = (), dtype: DType = f32) -> Tensor:
    """Laplace with mean 0 and density e ** -|x| / 2."""
    wanted = _float("laplace", dtype)
    size, side = split(key)
    return where(bernoulli(side, 0.5, shape), 1, -1).astype(wanted) * exponential(size, shape, wanted)


def _float(function: str, dtype: DType) -> DType:
    with at_user_line():
        wanted = as_dtype(dtype)
        if wanted not in (dtypes.f16, dtypes.bf16, dtypes.f32, dtypes.f64):
            raise DTypeError(f"{function}: dtype is {wanted}; f16, bf16, f32 or f64 was expected")
    return wanted


def _wide(dtype: DType) -> DType:
    return dtypes.f64 if dtype is dtypes.f64 else f32


# Choices


def bernoulli(key: ArrayLike, p: ArrayLike = 0.5, shape: Shape | None = None) -> Tensor:
    """True with probability p, as i1; never for p = 0, always for p = 1, else within 2 ** -24 (f64: 2 ** -53).

    p     : a number or a tensor
    shape : that of p if None; else p broadcasts to it
    """
    chance = inexact(p)
    check_ordered("bernoulli", chance)
    sizes = chance.shape if shape is None else sizes_of("bernoulli", shape)
    wide = _wide(chance.dtype)
    return uniform(key, sizes, wide) < broadcast_to(chance.astype(wide), sizes)


def randint(key: ArrayLike, shape: Shape, minval: ArrayLike, maxval: ArrayLike, dtype: DType = i32) -> Tensor:
    """Integers in minval..maxval - 1, each exactly as likely; minval where that is empty.

    minval, maxval : integers that `dtype` holds, or tensors of them, which broadcast to `shape`

    64 bits times the number of integers, divided by 2 ** 64. The few products that would favour some integers are drawn
    anew, in a loop (Lemire, 2019, doi:10.1145/3230636).
    """
    with at_user_line():
        wanted = as_dtype(dtype)
        if wanted.kind not in ("int", "uint"):
            raise DTypeError(f"randint: dtype is {wanted}; integers were expected")
    sizes = sizes_of("randint", shape)
    low, high = (broadcast_to(_as_integer(v, wanted), sizes) for v in (minval, maxval))
    span = where(high > low, _modulo64(high) - _modulo64(low), 1)
    rest = (0 - span) % span
    state, words = _bits(key, sizes, ui64)

    def again(state: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
        after, new = _bits(state, sizes, ui64)
        return after, where(words * span < rest, new, words)

    def unfair(state: Tensor, words: Tensor) -> Tensor:
        return any(words * span < rest)

    words = while_([state, words], unfair, again)[1]
    return (_modulo64(low) + _high_product(words, span)).astype(wanted)


def _as_integer(value: ArrayLike, wanted: DType) -> Tensor:
    t = tensor(value, wanted) if isinstance(value, int) else tensor(value)
    if t.dtype.kind not in ("int", "uint"):
        raise with_place(DTypeError(f"randint: a bound is {t.spec}; integers were expected"))
    return t.astype(wanted)


def _modulo64(x: Tensor) -> Tensor:
    """An integer modulo 2 ** 64."""
    return x.astype(dtypes.i64 if x.dtype.kind == "int" else ui64).astype(ui64)


def _high_product(a: Tensor, b: Tensor) -> Tensor:
    """The upper 64 bits of the product of ui64s, by halves of 32 bits."""
    low, half = (1 << 32) - 1, 32
    a1, a0, b1, b0 = a >> half, a & low, b >> half, b & low
    middle = a1 * b0 + (a0 * b0 >> half)
    return a1 * b1 + (middle >> half) + (a0 * b1 + (middle & low) >> half)


def permutation(key: ArrayLike, x: ArrayLike, axis: int = 0) -> Tensor:
    """x with its slices along `axis` in random order; of an integer n, 0..n-1 in random order.

    They are sorted by 64 random bits each, so that every order is as likely.
    """
    t = arange(x) if isinstance(x, int) else tensor(x)
    d = axis_of("permutation", axis, t.ndim)
    return take(t, argsort(bits(key, t.shape[d], ui64)), d)


def categorical(key: ArrayLike, logits: ArrayLike, axis: int = -1, shape: Shape | None = None) -> Tensor:
    """Numbers of classes, as i32: k with probability softmax(logits)[k]; never one whose logit is -inf.

    logits : one number per class along `axis`
    shape  : that of the result, which ends in the other dimensions of logits; just these if None

    The greatest of logits + `gumbel`. Raises ShapeError for another shape.
    """
    t = inexact(logits)
    check_ordered("categorical", t)
    d = axis_of("categorical", axis, t.ndim)
    batch = (*t.shape[:d], *t.shape[d + 1 :])
    sizes = batch if shape is None else sizes_of("categorical", shape)
    extra = len(sizes) - len(batch)
    if extra < 0 or sizes[extra:] != batch:
        found = f"shape is {list(sizes)}, logits are {t.spec}"
        raise with_place(ShapeError(f"categorical: {found}; one that ends in {list(batch)} was expected"))
    wide = t.astype(_wide(t.dtype))
    noise = gumbel(key, (*sizes[:extra], *t.shape), wide.dtype)
    return argmax(wide + noise, d + extra)


def choice(
    key: ArrayLike, x: ArrayLike, shape: Shape = (), *, replace: bool = True, p: ArrayLike | None = None, axis: int = 0
) -> Tensor:
    """Slices of x along `axis`, or integers in 0..x-1 of an integer x, chosen at random.

    replace : whether one may be chosen again
    p       : a vector with the probability of each, all equal if None; with replacement only

    Raises ShapeError where more are to be chosen than there are, or p is no such vector.
    """
    t = arange(x) if isinstance(x, int) else tensor(x)
    d = axis_of("choice", axis, t.ndim)
    sizes, size = sizes_of("choice", shape), t.shape[d]
    if p is not None:
        chance = inexact(p)
        if chance.shape != (size,) or not replace:
            found = f"p is {chance.spec}, x is {t.spec}, replace is {replace}"
            raise with_place(ShapeError(f"choice: {found}; a vector of {size}, and replacement, were expected"))
        return take(t, categorical(key, log(chance), shape=sizes), d)
    count = math.prod(sizes)
    if count and (not size or (not replace and count > size)):
        found = f"{count} of {size} are to be chosen"
        raise with_place(ShapeError(f"choice: {found}; fewer, or replace=True, were expected"))
    if replace:
        return take(t, randint(key, sizes, 0, builtins.max(size, 1)), d)
    return take(t, argsort(bits(key, size, ui64))[:count].reshape(sizes), d)
