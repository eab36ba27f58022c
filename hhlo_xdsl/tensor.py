"""`Tensor`: a value of the program being traced. It broadcasts and promotes, then applies the strict op.

Every broadcast and convert that this file decides on is an op in the IR. Shape rules do not belong here; they stand in
the ops.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from hhlo_xdsl import dtypes
from hhlo_xdsl.dialects.emit import emit, located
from hhlo_xdsl.dialects.infix import AbstractInfix, splat
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.binary import AndOp, OrOp, PowerOp, ShiftLeftOp, XorOp
from hhlo_xdsl.dialects.stablehlo.compare import CompareOp
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp
from hhlo_xdsl.dialects.stablehlo.movement import BroadcastInDimOp, TransposeOp
from hhlo_xdsl.dialects.stablehlo.unary import ConvertOp, NotOp
from hhlo_xdsl.dtypes import DType, Spec
from hhlo_xdsl.errors import DTypeError, HhloError, ShapeError, TraceError
from hhlo_xdsl.ir_types import element_of, spec_of, tensor_type
from hhlo_xdsl.methods import ArrayMethods, of_numpy
from hhlo_xdsl.promotion import Scalar, broadcast_shapes, check_fits, promoted, promoted_with
from hhlo_xdsl.where import user_location, with_place

if TYPE_CHECKING:
    from hhlo_xdsl.ops.subscript import At

ArrayLike: TypeAlias = Any
"""A Tensor, a Python number, a numpy array, an `hh.Array`, or what numpy makes an array of."""


class Tensor(ArrayMethods, AbstractInfix):
    """A value of the program being traced.

    Operators take other tensors, Python numbers (which take the tensor's precision) and arrays (which become
    constants); shapes broadcast as in numpy, and element types promote as the array API standard says.
    """

    __slots__ = ("__weakref__", "ssa")
    __array_priority__ = 1000

    def __init__(self, ssa: SSAValue):
        self.ssa = ssa

    @property
    def spec(self) -> Spec:
        """The type, `f32[2, 3]`."""
        return spec_of(self.ssa.type)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""
        return self.spec.shape

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.spec.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.spec.size

    @property
    def T(self) -> Tensor:
        """The transpose of a matrix; raises ShapeError for another rank."""
        if self.ndim != 2:
            raise with_place(ShapeError(f"T: found {self.spec}; 2 dimensions were expected; use hh.permute_dims"))
        return made(TransposeOp, self, (1, 0))

    def __repr__(self) -> str:
        try:
            return f"Tensor({self.spec})"
        except HhloError:  # of unknown size, or no tensor
            return f"Tensor({self.ssa.type})"

    def __len__(self) -> int:
        if not self.shape:
            raise with_place(
                ShapeError(f"len() or iteration of {self!r}: it has rank 0, and so no parts; use it as it is")
            )
        return self.shape[0]

    def apply(self, op: type[Operation], *others: ArrayLike) -> Tensor:
        return elementwise(op, self, *others)

    def apply_reflected(self, op: type[Operation], first: ArrayLike) -> Tensor:
        return elementwise(op, first, self)

    def compare(self, direction: ComparisonDirection, other: ArrayLike) -> Tensor:
        return compare(direction, self, other)

    def __eq__(self, other: object) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.compare(ComparisonDirection.EQ, other)

    def __ne__(self, other: object) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.compare(ComparisonDirection.NE, other)

    __hash__ = object.__hash__

    def __truediv__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import divide

        return divide(self, other)

    def __rtruediv__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import divide

        return divide(other, self)

    def __floordiv__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import floor_divide

        return floor_divide(self, other)

    def __rfloordiv__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import floor_divide

        return floor_divide(other, self)

    def __mod__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import remainder

        return remainder(self, other)

    def __rmod__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import remainder

        return remainder(other, self)

    def __and__(self, other: ArrayLike) -> Tensor:
        return self.apply(AndOp, other)

    def __rand__(self, other: ArrayLike) -> Tensor:
        return self.apply_reflected(AndOp, other)

    def __or__(self, other: ArrayLike) -> Tensor:
        return self.apply(OrOp, other)

    def __ror__(self, other: ArrayLike) -> Tensor:
        return self.apply_reflected(OrOp, other)

    def __xor__(self, other: ArrayLike) -> Tensor:
        return self.apply(XorOp, other)

    def __rxor__(self, other: ArrayLike) -> Tensor:
        return self.apply_reflected(XorOp, other)

    def __lshift__(self, other: ArrayLike) -> Tensor:
        return self.apply(ShiftLeftOp, other)

    def __rlshift__(self, other: ArrayLike) -> Tensor:
        return self.apply_reflected(ShiftLeftOp, other)

    def __rshift__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import bitwise_right_shift

        return bitwise_right_shift(self, other)

    def __rrshift__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.binary import bitwise_right_shift

        return bitwise_right_shift(other, self)

    def __invert__(self) -> Tensor:
        return self.apply(NotOp)

    def __pos__(self) -> Tensor:
        return self

    def __abs__(self) -> Tensor:
        from hhlo_xdsl.ops.unary import abs

        return abs(self)

    def __matmul__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.contraction import matmul

        return matmul(self, other)

    def __rmatmul__(self, other: ArrayLike) -> Tensor:
        from hhlo_xdsl.ops.contraction import matmul

        return matmul(other, self)

    def __divmod__(self, other: ArrayLike) -> tuple[Tensor, Tensor]:
        return self // other, self % other

    def __rdivmod__(self, other: ArrayLike) -> tuple[Tensor, Tensor]:
        return other // self, other % self

    def __pow__(self, other: ArrayLike, modulus: Any = None) -> Tensor:
        if modulus is not None:
            raise with_place(
                TraceError(f"pow: with a modulus, here {modulus!r}, it is not offered; use hh.remainder of hh.pow")
            )
        return self.apply(PowerOp, other)

    def __round__(self, ndigits: int | None = None) -> Tensor:
        from hhlo_xdsl.ops.unary import round

        return round(self, ndigits or 0)

    def __getitem__(self, index: Any) -> Tensor:
        from hhlo_xdsl.ops.subscript import read

        return read(self, index)

    def __setitem__(self, index: Any, value: ArrayLike) -> NoReturn:
        raise with_place(
            TraceError(f"assignment to a part of {self!r}: a tensor does not change; use x = x.at[index].set(value)")
        )

    @property
    def at(self) -> At:
        """`x.at[index].set(y)`, `.add(y)`, ..: a new tensor with a part of x replaced; see `ops/subscript.py`."""
        from hhlo_xdsl.ops.subscript import At

        return At(self)

    def __iter__(self) -> Iterator[Tensor]:
        return iter([self[i] for i in range(len(self))])

    def __contains__(self, value: ArrayLike) -> NoReturn:
        self._has_no_value("`in`")

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        """numpy's functions of elements, and numpy arrays on the left of an operator, as functions of hh."""
        fn = of_numpy(ufunc.__name__)
        if fn is None or method != "__call__" or options:
            called = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
            with_options = f" with {', '.join(options)}" if options else ""
            raise with_place(
                TraceError(f"numpy.{called}{with_options} of {self!r}: not while tracing; use functions of hh")
            )
        return fn(*operands)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """numpy's other functions: shape, ndim and size, which a tensor knows; an error for what needs its values."""
        name = function.__name__
        if name in ("shape", "ndim", "size") and args[0] is self and len(args) == 1:
            return getattr(self, name)
        ours = "use functions of hh" if (fn := of_numpy(name)) is None else f"use hh.{fn.__name__}"
        raise with_place(TraceError(f"numpy.{name} of {self!r}: not while tracing; {ours}"))

    def astype(self, dtype: DType) -> Tensor:
        """The tensor with elements of another type."""
        with at_user_line():
            wanted = dtypes.as_dtype(dtype)
        return self if wanted is self.dtype else made(ConvertOp, self, element_of(wanted))

    def reshape(self, *shape: int | Sequence[int]) -> Tensor:
        """The elements in another shape; one size may be -1 and is then inferred."""
        from hhlo_xdsl.ops.movement import reshape

        flat = shape[0] if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
        return reshape(self, cast("Sequence[int]", flat))

    def _has_no_value(self, wanted: str) -> NoReturn:
        raise with_place(
            TraceError(
                f"{wanted} of Tensor({self.spec}): it has no value while the function is traced, only a type; use"
                " hh.where to choose between tensors, or return it and look at the result"
            )
        )

    def __bool__(self) -> bool:
        self._has_no_value("bool()")

    def __int__(self) -> int:
        self._has_no_value("int()")

    def __float__(self) -> float:
        self._has_no_value("float()")

    def __index__(self) -> int:
        self._has_no_value("index")

    def __complex__(self) -> complex:
        self._has_no_value("complex()")

    def __format__(self, format_spec: str) -> str:
        if format_spec:
            self._has_no_value(f"format {format_spec!r}")
        return str(self)

    def item(self) -> NoReturn:
        """Raises TraceError: a tensor has no value."""
        self._has_no_value("item()")

    def tolist(self) -> NoReturn:
        """Raises TraceError: a tensor has no value."""
        self._has_no_value("tolist()")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        self._has_no_value("numpy array")


@contextmanager
def at_user_line() -> Generator[None]:
    """Ops emitted within carry the user's line as location, and errors of ours raised within name it."""
    try:
        with located(user_location()):
            yield
    except HhloError as error:
        raise with_place(error) from None


def made(op: Callable[..., Operation], *args: Any) -> Tensor:
    """The result of an op on tensors (and attributes), at the user's line; no broadcasting, no promotion."""
    with at_user_line():
        return Tensor(emit(op(*(a.ssa if isinstance(a, Tensor) else a for a in args))))


def elementwise(op: type[Operation], *operands: ArrayLike) -> Tensor:
    """The result of an elementwise op on operands brought to one element type and one shape."""
    return made(op, *promote_and_broadcast(op.name, *operands))


def compare(direction: ComparisonDirection, lhs: ArrayLike, rhs: ArrayLike) -> Tensor:
    """Whether `lhs <direction> rhs`, as i1; raises DTypeError for complex numbers, but for EQ and NE."""
    a, b = promote_and_broadcast("stablehlo.compare", lhs, rhs)
    if a.dtype.kind == "complex" and direction not in (ComparisonDirection.EQ, ComparisonDirection.NE):
        raise with_place(
            DTypeError(f"stablehlo.compare: {a.spec} has no order, only == and !=; compare hh.abs or hh.real of it")
        )
    return made(CompareOp, a, b, direction)


def tensor(value: ArrayLike, dtype: DType | None = None) -> Tensor:
    """`value` as a tensor of the program being traced: a Tensor itself, anything else a constant.

    dtype : its element type; if None its own, where Python's numbers are i1, i32, f32 and complex<f32>

    Raises DTypeError for what is not made of numbers, and for numbers that the element type cannot hold.
    """
    if dtype is not None:
        with at_user_line():
            dtype = dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        return value if dtype is None else value.astype(dtype)
    if dtypes.is_python_number(value):
        return _scalar(value, dtype or dtypes.spec(value).dtype)
    array = _as_array(value)
    if array.dtype == object:
        raise with_place(
            DTypeError(f"tensor: {type(value).__name__} is not an array of numbers; pass numbers, arrays or tensors")
        )
    if isinstance(value, list | tuple):
        array = _default_precision(array, dtype)
    constant = _constant(array)
    return constant if dtype is None else constant.astype(dtype)


def _as_array(value: Any) -> np.ndarray[Any, Any]:
    kind = type(value).__name__
    if kind in ("list", "tuple") and any(isinstance(v, Tensor) for v in value):
        raise with_place(TraceError(f"tensor: found a {kind} of tensors; join them with hh.stack"))
    try:
        return np.asarray(value)
    except ValueError as error:
        raise with_place(ShapeError(f"tensor: this {kind} is not an array ({error})")) from None


def _default_precision(array: np.ndarray[Any, Any], dtype: DType | None) -> np.ndarray[Any, Any]:
    """Nested lists of Python numbers take `dtype`; if None the types of Python numbers: i32, f32, complex<f32>."""
    usual = {"i": dtypes.i32, "u": dtypes.i32, "f": dtypes.f32, "c": dtypes.c64}.get(array.dtype.kind)
    wanted = dtype or usual
    if wanted is None:
        return array
    if array.dtype.kind in "iu" and array.size:
        with at_user_line():
            check_fits(wanted, int(array.min()))
            check_fits(wanted, int(array.max()))
    return array.astype(wanted.numpy)


def _scalar(value: Scalar, dtype: DType) -> Tensor:
    with at_user_line():
        check_fits(dtype, value)
        number = bool(value) if dtype is dtypes.i1 else value
        return Tensor(splat(number, tensor_type(dtype[()])))


def _constant(array: np.ndarray[Any, Any]) -> Tensor:
    spec = dtypes.spec(array)
    data = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))).tobytes()
    value = DenseIntOrFPElementsAttr(cast(Any, tensor_type(spec)), BytesAttr(data))
    return made(ConstantOp, value)


def promote_and_broadcast(op: str, *operands: ArrayLike) -> tuple[Tensor, ...]:
    """The operands as tensors of one element type and one shape."""
    with at_user_line():
        together = promote(*operands)
        shape = broadcast_shapes(op, *(t.shape for t in together))
        return tuple(broadcast_to(t, shape) for t in together)


def promote(*operands: ArrayLike) -> tuple[Tensor, ...]:
    """The operands as tensors of one element type; Python numbers take the others' where they can."""
    if not any(isinstance(o, Tensor) or not dtypes.is_python_number(o) for o in operands):
        operands = (tensor(operands[0]), *operands[1:])
    strong = [o if dtypes.is_python_number(o) else tensor(o) for o in operands]
    common: DType | None = None
    for t in strong:
        if isinstance(t, Tensor):
            common = t.dtype if common is None else promoted(common, t.dtype)
    assert common is not None
    for t in strong:
        if not isinstance(t, Tensor):
            common = promoted_with(common, t)
    return tuple(tensor(t, common) for t in strong)


def broadcast_to(x: Tensor, shape: Sequence[int]) -> Tensor:
    """x stretched to `shape`, aligned at its last dimension; raises ShapeError if it does not broadcast."""
    sizes = tuple(shape)
    if x.shape == sizes:
        return x
    with at_user_line():
        if broadcast_shapes("broadcast_to", x.shape, sizes) != sizes:
            raise ShapeError(f"broadcast_to: {x.spec} does not broadcast to {list(sizes)}; reshape it first")
    return made(BroadcastInDimOp, x, sizes, range(len(sizes) - x.ndim, len(sizes)))
