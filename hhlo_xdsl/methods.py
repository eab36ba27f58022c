"""The methods of `Tensor` that are functions of `hh` under another address, as numpy's arrays have them.

What a method computes is documented at the function of its name. Operators and indexing do not belong here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import hhlo_xdsl as hh

if TYPE_CHECKING:
    from hhlo_xdsl.dtypes import DType
    from hhlo_xdsl.tensor import ArrayLike, Tensor

Axis = int | Sequence[int] | None

_RENAMED = {
    "absolute": "abs",
    "fabs": "abs",
    "arctan2": "atan2",
    "bitwise_not": "bitwise_invert",
    "conjugate": "conj",
    "float_power": "pow",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "true_divide": "divide",
}
"""numpy's name -> that of the function here, where they differ."""


def of_numpy(name: str) -> Callable[..., Any] | None:
    """The function of `hh` that computes what numpy's ufunc `name` does, if there is one."""
    if name == "divmod":
        return _divmod
    ours = _RENAMED.get(name, name)
    return getattr(hh, ours) if ours in hh.__all__ else None


def _divmod(x1: ArrayLike, x2: ArrayLike) -> tuple[Tensor, Tensor]:
    return hh.floor_divide(x1, x2), hh.remainder(x1, x2)


class ArrayMethods:
    """Methods that call the function of their name in `hh` on the tensor."""

    __slots__ = ()

    @property
    def mT(self) -> Tensor:
        """The tensor with its last two dimensions exchanged."""
        return hh.matrix_transpose(self)

    @property
    def real(self) -> Tensor:
        """The real part."""
        return hh.real(self)

    @property
    def imag(self) -> Tensor:
        """The imaginary part."""
        return hh.imag(self)

    def conj(self) -> Tensor:
        """See `hh.conj`."""
        return hh.conj(self)

    def sum(self, axis: Axis = None, *, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
        """See `hh.sum`."""
        return hh.sum(self, axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Axis = None, *, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
        """See `hh.prod`."""
        return hh.prod(self, axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.mean`."""
        return hh.mean(self, axis, keepdims=keepdims)

    def var(self, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
        """See `hh.var`."""
        return hh.var(self, axis, correction=correction, keepdims=keepdims)

    def std(self, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
        """See `hh.std`."""
        return hh.std(self, axis, correction=correction, keepdims=keepdims)

    def max(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.max`."""
        return hh.max(self, axis, keepdims=keepdims)

    def min(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.min`."""
        return hh.min(self, axis, keepdims=keepdims)

    def all(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.all`."""
        return hh.all(self, axis, keepdims=keepdims)

    def any(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.any`."""
        return hh.any(self, axis, keepdims=keepdims)

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.argmax`."""
        return hh.argmax(self, axis, keepdims=keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
        """See `hh.argmin`."""
        return hh.argmin(self, axis, keepdims=keepdims)

    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Tensor:
        """See `hh.clip`."""
        return hh.clip(self, min, max)

    def dot(self, other: ArrayLike) -> Tensor:
        """The matrix product; see `hh.matmul`."""
        return hh.matmul(self, other)

    def flatten(self) -> Tensor:
        """The elements as one row."""
        return hh.reshape(self, -1)

    def ravel(self) -> Tensor:
        """The elements as one row."""
        return hh.reshape(self, -1)

    def round(self, decimals: int = 0) -> Tensor:
        """See `hh.round`."""
        return hh.round(self, decimals)

    def squeeze(self, axis: Axis = None) -> Tensor:
        """See `hh.squeeze`."""
        return hh.squeeze(self, axis)

    def transpose(self, *axes: int | Sequence[int]) -> Tensor:
        """The dimensions in another order, reversed without arguments; see `hh.permute_dims`."""
        return hh.transpose(self, *axes)
