"""The types of MLIR's quant dialect: numbers kept as small integers, number = scale * (integer - zero point).

What upstream's parser takes and prints is read and printed here: `!quant.uniform` with one scale for a tensor, one per
index of an axis, or one per block; `!quant.any`; `!quant.calibrated`. `types.kind` says which of them StableHLO
computes with.

Documentation: https://mlir.llvm.org/docs/Dialects/QuantDialect/
"""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatTF32Type,
    IntegerType,
    Signedness,
    f64,
)
from xdsl.ir import Attribute, Data, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hhlo_xdsl.dialects.elements import parse_float, print_float
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.registry import dialect

Dims: TypeAlias = tuple[int, ...]

_MAX_STORAGE_BITS = 32
_FLOAT_STORAGE: dict[type[Attribute], int] = {Float8E4M3FNType: 448, Float8E5M2Type: 57344, Float4E2M1FNType: 6}
"""The floats that may hold quantized numbers, and the greatest number of each."""

_SCALES: dict[type[Attribute], tuple[float, float]] = {
    Float4E2M1FNType: (2.0**-1, 6.0),
    Float6E2M3FNType: (2.0**-3, 7.5),
    Float6E3M2FNType: (2.0**-4, 28.0),
    Float8E3M4Type: (2.0**-6, 15.5),
    Float8E4M3Type: (2.0**-9, 240.0),
    Float8E4M3FNType: (2.0**-9, 448.0),
    Float8E4M3FNUZType: (2.0**-10, 240.0),
    Float8E4M3B11FNUZType: (2.0**-13, 30.0),
    Float8E5M2Type: (2.0**-16, 57344.0),
    Float8E5M2FNUZType: (2.0**-17, 57344.0),
    Float8E8M0FNUType: (2.0**-127, 2.0**127),
    Float16Type: (2.0**-24, 65504.0),
    BFloat16Type: (2.0**-133, (2 - 2.0**-7) * 2.0**127),
    FloatTF32Type: (2.0**-136, (2 - 2.0**-10) * 2.0**127),
    Float32Type: (2.0**-149, (2 - 2.0**-23) * 2.0**127),
    Float64Type: (5e-324, sys.float_info.max),
    Float80Type: (0.0, math.inf),
    Float128Type: (0.0, math.inf),
}
"""The least and the greatest scale that the numbers of a float type may have, as far as f64 can tell."""


@dataclass(frozen=True, slots=True)
class Storage:
    """What quantized numbers are kept in, and the range of it that is used: `i8`, `u8`, `i8<-127:127>`."""

    type: Attribute
    """An integer type, or a float type of at most 8 bits."""
    is_signed: bool
    """Whether the integers are signed; i8 is, unless spelled u8."""
    low: int
    high: int

    @classmethod
    def of(cls, type: Attribute, *, is_signed: bool | None = None, range: tuple[int, int] | None = None) -> Self:
        """All of `type`, or the numbers in `range`; an integer type is signed unless it or `is_signed` says no."""
        if is_signed is None:
            is_signed = signedness(type) is not Signedness.UNSIGNED
        low, high = _full_range(type, is_signed) if range is None else range
        return cls(type, is_signed, low, high)

    @property
    def is_partial(self) -> bool:
        """Whether not all numbers of the type are used."""
        return (self.low, self.high) != _full_range(self.type, self.is_signed)

    def check(self) -> None:
        """Raise DTypeError for a type that cannot hold quantized numbers, and for a range that it does not have."""
        least, greatest = _full_range(self.type, self.is_signed)
        if not least <= self.low < self.high <= greatest:
            raise DTypeError(
                f"quant: the storage range is {self.low}:{self.high}; for {self.type} it must lie in {least}:{greatest}"
                " and hold two numbers at least"
            )


def signedness(type: Attribute) -> Signedness | None:
    """Whether an integer type is spelled i8, si8 or ui8; None for any other type."""
    return cast("IntegerType[Any, Any]", type).signedness.data if isinstance(type, IntegerType) else None


def _full_range(type: Attribute, is_signed: bool) -> tuple[int, int]:
    if (greatest := _FLOAT_STORAGE.get(type.__class__)) is not None:
        return -greatest, greatest
    if not isinstance(type, IntegerType) or not 0 < type.bitwidth <= _MAX_STORAGE_BITS:
        raise DTypeError(
            f"quant: the storage type is {type}; it must be an integer of 1 to {_MAX_STORAGE_BITS} bits, f8E4M3FN,"
            " f8E5M2 or f4E2M1FN"
        )
    values = 1 << type.bitwidth
    return (-values // 2, values // 2 - 1) if is_signed else (0, values - 1)


@dataclass(frozen=True, slots=True)
class Uniform:
    """number = scale * (stored - zero point), with one pair (scale, zero point) or a list of them."""

    storage: Storage
    expressed: AnyFloat
    """The type of the numbers that are meant."""
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    """As many as scales."""
    axis: int | None = None
    """The dimension that has a pair for each index, if any."""
    blocks: tuple[tuple[int, int], ...] | None = None
    """(dimension, block size) of each dimension that is cut into blocks with a pair each, if any."""
    shape: Dims = ()
    """How pairs for blocks are nested."""

    @property
    def is_per_tensor(self) -> bool:
        """Whether there is one pair for all elements."""
        return self.axis is None and self.blocks is None

    def is_like(self, other: Uniform) -> bool:
        """Whether the two differ in nothing but scales, zero points and the dimension that has them.

        Upstream gives operands and results of most ops this freedom.
        """
        return (
            (self.storage.type, self.storage.low, self.storage.high)
            == (other.storage.type, other.storage.low, other.storage.high)
            and self.expressed == other.expressed
            and (self.axis is None) == (other.axis is None)
        )

    def check(self) -> None:
        """Raise DTypeError unless a type with these fields can be written."""
        self.storage.check()
        low, high = _SCALES[type(self.expressed)]
        for scale in self.scales:
            if scale < low or scale > high:
                raise DTypeError(f"quant: a scale is {scale}; for {self.expressed} it must be in {low:e}..{high:e}")
        if not self.scales or len(self.scales) != len(self.zero_points):
            raise DTypeError(
                f"quant: there are {len(self.scales)} scales and {len(self.zero_points)} zero points;"
                " there must be equally many, one at least"
            )
        self._check_dims()

    def _check_dims(self) -> None:
        blocks = () if self.blocks is None else self.blocks
        for dim in (0 if self.axis is None else self.axis, *(dim for dim, _ in blocks)):
            if dim < 0:
                raise DTypeError(f"quant: a quantized dimension is {dim}; dimensions count from 0")
        for _, size in blocks:
            if size <= 0:
                raise DTypeError(f"quant: a block size is {size}; it must be at least 1")
        if blocks and not isinstance(self.storage.type, IntegerType):
            raise DTypeError(f"quant: the storage type is {self.storage.type}; blocks need integers")


@irdl_attr_definition
class UniformType(Data[Uniform], TypeAttribute):
    """`!quant.uniform<i8:f32, 0.5:2>`.

    With one scale per index of dimension 1: `!quant.uniform<i8:f32:1, {0.5,0.25:3}>`; per block of two along dimension
    0: `!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>`.
    """

    name = "quant.uniform"

    def verify(self) -> None:
        self.data.check()

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Uniform:
        start = parser.pos
        with parser.in_angle_brackets():
            storage = _parse_storage(parser)
            parser.parse_punctuation(":")
            expressed = _parse_expressed(parser)
            axis, blocks = _parse_dims(parser)
            parser.parse_punctuation(",")
            pairs: list[tuple[float, int]] = []
            pos = parser.pos
            shape = _parse_pairs(parser, pairs)
        if (axis is None and blocks is None) == bool(shape):
            parser.raise_error("one scale without dimensions, or a list of them in braces with", pos, parser.pos)
        scales, zero_points = zip(*pairs, strict=True)
        found = Uniform(storage, expressed, scales, zero_points, axis, blocks, () if blocks is None else shape)
        _checked(parser, start, found)
        return found if blocks is None else _as_constants(found)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        _print_storage(printer, self.data.storage)
        printer.print_string(f":{self.data.expressed}")
        if self.data.axis is not None:
            printer.print_string(f":{self.data.axis}")
        if self.data.blocks is not None:
            printer.print_string(":{" + ", ".join(f"{dim}:{size}" for dim, size in self.data.blocks) + "}")
        printer.print_string(", ")
        self._print_pairs(printer)
        printer.print_string(">")

    def _print_pairs(self, printer: Printer) -> None:
        pairs = list(zip(self.data.scales, self.data.zero_points, strict=True))
        if self.data.blocks is not None:
            _print_nested(printer, pairs, self.data.shape, self.data.expressed)
        elif self.data.axis is not None:
            with printer.in_braces():
                printer.print_list(pairs, lambda pair: _print_pair(printer, pair, f64), ",")
        else:
            _print_pair(printer, pairs[0], f64)


@dataclass(frozen=True, slots=True)
class AnyQuantized:
    """Numbers kept in `storage`, by a rule that is not known; of type `expressed` where that is known."""

    storage: Storage
    expressed: AnyFloat | None = None


@irdl_attr_definition
class AnyType(Data[AnyQuantized], TypeAttribute):
    """`!quant.any<i8<-16:15>:f32>`"""

    name = "quant.any"

    def verify(self) -> None:
        self.data.storage.check()

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AnyQuantized:
        with parser.in_angle_brackets():
            storage = _parse_storage(parser)
            expressed = None if parser.parse_optional_punctuation(":") is None else _parse_expressed(parser)
        return AnyQuantized(storage, expressed)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        _print_storage(printer, self.data.storage)
        printer.print_string(">" if self.data.expressed is None else f":{self.data.expressed}>")


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Numbers of type `expressed` that were seen to lie between `low` and `high`."""

    expressed: AnyFloat
    low: float
    high: float

    def check(self) -> None:
        """Raise DTypeError for an empty range."""
        if self.high <= self.low:
            raise DTypeError(f"quant: the calibrated range is {self.low}:{self.high}; the second must be greater")


@irdl_attr_definition
class CalibratedType(Data[Calibrated], TypeAttribute):
    """`!quant.calibrated<f32<-1.0:1.0>>`"""

    name = "quant.calibrated"

    def verify(self) -> None:
        self.data.check()

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Calibrated:
        start = parser.pos
        with parser.in_angle_brackets():
            expressed = _parse_expressed(parser)
            with parser.in_angle_brackets():
                low = parse_float(parser, f64)
                parser.parse_punctuation(":")
                high = parse_float(parser, f64)
        found = Calibrated(expressed, low, high)
        _checked(parser, start, found)
        return found

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.expressed}<")
        print_float(printer, self.data.low, f64)
        printer.print_string(":")
        print_float(printer, self.data.high, f64)
        printer.print_string(">>")


# Reading


def _checked(parser: AttrParser, start: int, found: Storage | Uniform | Calibrated) -> None:
    """Turn a fault of `found`, read from `start` on, into a parse error with its place."""
    try:
        found.check()
    except DTypeError as error:
        parser.raise_error(str(error), start, parser.pos)


def _parse_storage(parser: AttrParser) -> Storage:
    start = parser.pos
    type, is_signed = _parse_storage_type(parser)
    range = None
    if parser.parse_optional_punctuation("<") is not None:
        low = _parse_integer(parser, 64)
        parser.parse_punctuation(":")
        range = low, _parse_integer(parser, 64)
        parser.parse_punctuation(">")
    try:
        storage = Storage.of(type, is_signed=is_signed, range=range)
    except DTypeError as error:
        parser.raise_error(str(error), start, parser.pos)
    _checked(parser, start, storage)
    return storage


def _parse_storage_type(parser: AttrParser) -> tuple[Attribute, bool | None]:
    """`i8`, `ui8`, `f8E5M2` .., or `u8`: i8 without sign."""
    found = parser.parse_optional_type()
    if found is not None:
        return found, None
    pos = parser.pos
    width = re.fullmatch(r"u(\d+)", parser.parse_identifier())
    if width is None:
        parser.raise_error("expected a storage type such as i8 or u8", pos, parser.pos)
    return IntegerType(int(width[1])), False


def _parse_expressed(parser: AttrParser) -> AnyFloat:
    pos = parser.pos
    found = parser.parse_type()
    if not isinstance(found, AnyFloat):
        parser.raise_error(f"found {found}; quantized numbers stand for floats", pos, parser.pos)
    return found


def _parse_dims(parser: AttrParser) -> tuple[int | None, tuple[tuple[int, int], ...] | None]:
    """Nothing, `:axis`, or `:{dimension:block size, ...}`."""
    if parser.parse_optional_punctuation(":") is None:
        return None, None

    def parse_block() -> tuple[int, int]:
        dim = _parse_integer(parser, 32)
        parser.parse_punctuation(":")
        return dim, _parse_integer(parser, 64)

    blocks = parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, parse_block)
    return (_parse_integer(parser, 32), None) if blocks is None else (None, tuple(blocks))


def _parse_pairs(parser: AttrParser, pairs: list[tuple[float, int]]) -> Dims:
    """`scale`, `scale:zero point`, or lists of them in braces, nested to equal depths; gives the sizes of the lists."""
    pos = parser.pos
    nested = parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, lambda: _parse_pairs(parser, pairs))
    if nested is None:
        scale = parse_float(parser, f64)
        pairs.append((scale, 0 if parser.parse_optional_punctuation(":") is None else _parse_integer(parser, 64)))
        return ()
    if len(set(nested)) != 1:
        parser.raise_error("scales stand in lists that are not empty, and as long as their neighbours", pos, parser.pos)
    return (len(nested), *nested[0])


def _parse_integer(parser: AttrParser, bits: int) -> int:
    pos = parser.pos
    value = parser.parse_integer(allow_boolean=False)
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        parser.raise_error(f"{value} does not fit into {bits} bits", pos, parser.pos)
    return value


def _as_constants(found: Uniform) -> Uniform:
    """Pairs for blocks are constants of the expressed and the storage type: scales round, zero points wrap."""
    half = 1 << (cast("IntegerType[Any, Any]", found.storage.type).bitwidth - 1)
    return replace(
        found,
        scales=tuple(found.expressed.round(scale) for scale in found.scales),
        zero_points=tuple((z + half) % (2 * half) - half for z in found.zero_points),
    )


# Printing


def _print_storage(printer: Printer, storage: Storage) -> None:
    is_u = not storage.is_signed and str(storage.type).startswith("i")
    printer.print_string(f"u{str(storage.type)[1:]}" if is_u else str(storage.type))
    if storage.is_partial:
        printer.print_string(f"<{storage.low}:{storage.high}>")


def _print_pair(printer: Printer, pair: tuple[float, int], element: AnyFloat) -> None:
    scale, zero_point = pair
    print_float(printer, scale, element)
    if zero_point:
        printer.print_string(f":{zero_point}")


def _print_nested(printer: Printer, pairs: list[tuple[float, int]], shape: Dims, element: AnyFloat) -> None:
    if not shape:
        _print_pair(printer, pairs[0], element)
        return
    step = len(pairs) // shape[0]
    with printer.in_braces():
        parts = [pairs[i : i + step] for i in range(0, len(pairs), step)]
        printer.print_list(parts, lambda part: _print_nested(printer, part, shape[1:], element))


Quant = dialect("quant", sys.modules[__name__])
