"""`hh.fft`: discrete Fourier transforms. Integers, i1 and narrow floats become f32.

n, s   : sizes that x is cut or filled up with zeros to before the transform; those of x if None
norm   : "backward" divides by the number of points on the way back, "forward" on the way there, "ortho" by its root
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hhlo_xdsl import dtypes
from hhlo_xdsl.dtypes import DType, c64, c128, f32
from hhlo_xdsl.errors import DTypeError, ShapeError
from hhlo_xdsl.ops.creation import arange
from hhlo_xdsl.ops.movement import concat, moveaxis, pad, roll
from hhlo_xdsl.ops.operands import Axis, axes_of, axis_of, inexact
from hhlo_xdsl.ops.unary import conj
from hhlo_xdsl.stablehlo import fft as transform
from hhlo_xdsl.tensor import ArrayLike, Tensor, tensor
from hhlo_xdsl.where import with_place

Norm = Literal["backward", "ortho", "forward"]
Sizes = Sequence[int] | None
Axes = Sequence[int] | None


def fft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """sum over j of x[j] e ** (-2πi jk / n), for k in 0..n-1 along `axis`."""
    return _along("fft", "FFT", _complex(x), n, axis, norm)


def ifft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `fft`."""
    return _along("ifft", "IFFT", _complex(x), n, axis, norm)


def rfft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """`fft` of real numbers, of which the first n // 2 + 1 say all. Raises DTypeError for complex ones."""
    return _along("rfft", "RFFT", _real("rfft", x), n, axis, norm)


def irfft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `rfft`: n real numbers, 2 (size - 1) if None."""
    return _along("irfft", "IRFFT", _complex(x), n, axis, norm)


def hfft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """`fft` of a signal that is Hermitian, given by its first half: n real numbers, 2 (size - 1) if None."""
    return irfft(conj(_complex(x)), n, axis, _SWAPPED[_known("hfft", norm)])


def ihfft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `hfft`."""
    return conj(rfft(x, n, axis, _SWAPPED[_known("ihfft", norm)]))


def fftn(x: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = "backward") -> Tensor:
    """`fft` along each of `axes`: the last as many as `s` has sizes if None, or all."""
    t = _complex(x)
    for n, d in _pairs("fftn", t, s, axes):
        t = fft(t, n, d, norm)
    return t


def ifftn(x: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = "backward") -> Tensor:
    """The inverse of `fftn`."""
    t = _complex(x)
    for n, d in _pairs("ifftn", t, s, axes):
        t = ifft(t, n, d, norm)
    return t


def rfftn(x: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = "backward") -> Tensor:
    """`rfft` along the last of `axes`, then `fft` along the others."""
    t = _real("rfftn", x)
    *others, (n, d) = _pairs("rfftn", t, s, axes)
    t = rfft(t, n, d, norm)
    for n, d in others:
        t = fft(t, n, d, norm)
    return t


def irfftn(x: ArrayLike, s: Sizes = None, axes: Axes = None, norm: Norm = "backward") -> Tensor:
    """The inverse of `rfftn`; the last size, if `s` is None, is 2 (size - 1)."""
    t = _complex(x)
    *others, (n, d) = _pairs("irfftn", t, s, axes)
    for size, k in others:
        t = ifft(t, size, k, norm)
    return irfft(t, None if s is None else n, d, norm)


def fft2(x: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = "backward") -> Tensor:
    """`fftn` along two dimensions."""
    return fftn(x, s, axes, norm)


def ifft2(x: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = "backward") -> Tensor:
    """`ifftn` along two dimensions."""
    return ifftn(x, s, axes, norm)


def rfft2(x: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = "backward") -> Tensor:
    """`rfftn` along two dimensions."""
    return rfftn(x, s, axes, norm)


def irfft2(x: ArrayLike, s: Sizes = None, axes: Sequence[int] = (-2, -1), norm: Norm = "backward") -> Tensor:
    """`irfftn` along two dimensions."""
    return irfftn(x, s, axes, norm)


def fftfreq(n: int, d: float = 1.0, *, dtype: DType = f32) -> Tensor:
    """The frequencies of `fft`'s results, for samples at distances d: 0, 1, .. and then the negative ones, over n d."""
    half = (_points("fftfreq", n) - 1) // 2 + 1
    return concat([arange(half), arange(half - n, 0)]).astype(dtype) / (n * d)


def rfftfreq(n: int, d: float = 1.0, *, dtype: DType = f32) -> Tensor:
    """The frequencies of `rfft`'s results, for samples at distances d."""
    return arange(_points("rfftfreq", n) // 2 + 1).astype(dtype) / (n * d)


def fftshift(x: ArrayLike, axes: Axis = None) -> Tensor:
    """x with frequency 0 moved to the middle of each of `axes`, of all if None."""
    t = tensor(x)
    dims = axes_of("fftshift", axes, t.ndim)
    return roll(t, [t.shape[d] // 2 for d in dims], dims)


def ifftshift(x: ArrayLike, axes: Axis = None) -> Tensor:
    """The inverse of `fftshift`."""
    t = tensor(x)
    dims = axes_of("ifftshift", axes, t.ndim)
    return roll(t, [-(t.shape[d] // 2) for d in dims], dims)


_SWAPPED: dict[Norm, Norm] = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _known(function: str, norm: Norm) -> Norm:
    if norm not in _SWAPPED:
        raise with_place(ShapeError(f'{function}: norm is {norm!r}; "backward", "ortho" or "forward" was expected'))
    return norm


def _along(function: str, kind: str, t: Tensor, n: int | None, axis: int, norm: Norm) -> Tensor:
    """One transform along one dimension, of n points on the side of the numbers that may be real."""
    d = axis_of(function, axis, t.ndim)
    points = _points(function, (2 * (t.shape[d] - 1) if kind == "IRFFT" else t.shape[d]) if n is None else n)
    taken = points // 2 + 1 if kind == "IRFFT" else points
    t = moveaxis(_resized(t, d, taken), d, -1)
    y = moveaxis(transform(t, kind, [points]), -1, d)
    # The op divides on the way back.
    inverse = kind in ("IFFT", "IRFFT")
    factors: dict[Norm, float] = {"backward": 1, "ortho": points**0.5 if inverse else points**-0.5}
    factor = factors.get(_known(function, norm), points if inverse else 1 / points)
    return y if factor == 1 else y * factor


def _points(function: str, n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise with_place(ShapeError(f"{function}: there are {n!r} points; at least one was expected"))
    return n


def _resized(t: Tensor, d: int, size: int) -> Tensor:
    if size <= t.shape[d]:
        return t[(*[slice(None)] * d, slice(size))]
    return pad(t, [(0, size - n) if k == d else (0, 0) for k, n in enumerate(t.shape)])


def _pairs(function: str, t: Tensor, s: Sizes, axes: Axes) -> list[tuple[int | None, int]]:
    """A size, None for x's, and an axis for each transform."""
    dims = axes_of(function, range(t.ndim)[-len(s) :] if axes is None and s is not None else axes, t.ndim)
    if not dims or (s is not None and len(s) != len(dims)):
        raise with_place(ShapeError(f"{function}: s is {s}, axes are {list(dims)}; a size per axis was expected"))
    return list(zip([None] * len(dims) if s is None else s, dims, strict=True))


def _real(function: str, x: ArrayLike) -> Tensor:
    t = inexact(x)
    if t.dtype.kind == "complex":
        raise with_place(DTypeError(f"{function}: x is {t.spec}; real numbers were expected; use hh.fft.fft"))
    return t.astype(f32) if t.dtype.bits < 32 else t


def _complex(x: ArrayLike) -> Tensor:
    t = inexact(x)
    if t.dtype.kind == "complex":
        return t
    return t.astype(c128 if t.dtype is dtypes.f64 else c64)
