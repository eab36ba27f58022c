"""Repairs to how xDSL 0.75 reads and prints `dense<...>`: every element keeps its bits, and texts are those of MLIR.

Stock xDSL reads `dense<0xFF800000> : tensor<f32>` as the number 4286578688, loses the payload of NaNs, prints
`[0.0, -0.0]` as the splat `0.0`, refuses hexadecimal parts of complex numbers, fails on 1.0e40 in f32, takes several
literals that MLIR refuses, and unpacks splats to print them. The repairs are installed on xDSL's own classes, because
`xdsl-opt` makes its parsers itself; they are left out if a test on the running xDSL shows that it is right.

A splat of no elements, or of very many, is stored as one element, as in MLIR, and `numbers` repeats it; other splats
are stored in full. An element narrower than a byte is stored as numpy and MLIR store it: `true` is 01, -2 in i4 is 0E.
What others stored otherwise (xDSL's `from_list` makes them FF and FE) prints the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import repeat
from math import prod
from typing import Any, TypeAlias, cast

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    Builtin,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    Float8E8M0FNUType,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.parser.attribute_parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from hhlo_xdsl.dialects.errors import ShapeError

Elements: TypeAlias = DenseIntOrFPElementsAttr[Any]
Number: TypeAlias = bool | int | float | complex
Integer: TypeAlias = IntegerType[Any, Any] | IndexType
Scalar: TypeAlias = Integer | AnyFloat

_MAX_SPELLED = 100
"""MLIR prints more elements than this as one hexadecimal string."""

_MAX_REPEATED = 2**24
"""A splat of more bytes than this is stored as one element."""

MAX_LISTED = 2**20
"""Attributes that hold lists of sizes or of processes have fewer elements."""


def install_elements_fixes() -> None:
    """Repair the reading and printing of `dense<...>` in this process; does nothing where xDSL is right."""
    if all(_comes_back(text) for text in _SELF_TEST):
        return
    parser, printed = cast(Any, AttrParser), cast(Any, DenseIntOrFPElementsAttr)
    parser.parse_dense_int_or_fp_elements_attr = _parse
    parser._parse_optional_complex = _parse_complex
    printed.print_without_type = _print
    printed.is_splat = is_splat


_SELF_TEST = (
    "dense<[0x7F800001, 0.000000e+00, -0.000000e+00]> : tensor<3xf32>",
    "dense<(0x7FC00000,1.000000e+00)> : tensor<complex<f32>>",
    f'dense<"0x{"0100" * 60}"> : tensor<120xi1>',
)


def _comes_back(text: str) -> bool:
    context = Context()
    context.load_dialect(Builtin)
    try:
        return str(Parser(context, text).parse_attribute()).lower() == text.lower()
    except ParseError:
        return False


def _is_integer(element: Attribute) -> TypeIs[Integer]:
    return isinstance(element, IntegerType | IndexType)


def _is_complex(element: Attribute) -> bool:
    return isinstance(element, ComplexType)


# Elements and their bytes


def real_element(element: Attribute) -> Attribute:
    """The element type of the parts of a complex type; any other type itself."""
    return cast("ComplexType[Any]", element).element_type if isinstance(element, ComplexType) else element


def elements(type: Attribute, values: Sequence[Number]) -> Elements:
    """`dense<values> : type`, from numbers in row-major order, or from one number for every element."""
    ranked = cast("TensorType[Any]", type)
    data = b"".join(packed(v, ranked.element_type) for v in values)
    return DenseIntOrFPElementsAttr(ranked, BytesAttr(_repeated(data, ranked) if len(values) == 1 else data))


def _repeated(chunk: bytes, type: TensorType[Any]) -> bytes:
    """The bytes of a splat."""
    count = prod(type.get_shape())
    return chunk * count if 0 < count * len(chunk) <= _MAX_REPEATED else chunk


def packed(value: Number, element: Attribute) -> bytes:
    """The bytes of a number; floats round to the nearest one of `element`, or to infinity."""
    if _is_complex(element):
        number = complex(value)
        return packed(number.real, real_element(element)) + packed(number.imag, real_element(element))
    if isinstance(value, complex):
        raise ValueError(f"{value} is complex; {element} is not")
    if _is_integer(element):
        return _integer_bytes(int(value), element)
    return _float_bytes(float(value), cast(AnyFloat, element))


def _integer_bytes(value: int, element: Integer) -> bytes:
    low, high = (element if isinstance(element, IntegerType) else IntegerType(64, Signedness.SIGNED)).value_range()
    if not low <= value < high:
        raise ValueError(f"{value} is out of range for {element}")
    return (value & ((1 << _width(element)) - 1)).to_bytes(element.compile_time_size, "little")


def _float_bytes(value: float, element: AnyFloat) -> bytes:
    try:
        return element.pack((value,))
    except OverflowError:  # struct refuses what IEEE 754 rounds to infinity
        return element.pack((math.copysign(math.inf, value),))


def numbers(dense: Elements) -> Iterator[Number]:
    """The elements in row-major order: bools for i1, complex for complex types."""
    element, data = dense.get_element_type(), dense.data.data
    size = element.compile_time_size
    if len(data) == size:
        return repeat(_number(data, element), prod(dense.get_shape()))
    return (_number(data[i : i + size], element) for i in range(0, len(data), size))


def integers(dense: Elements) -> tuple[int, ...]:
    """The elements of an attribute that holds a few integers; ShapeError if there are too many to list."""
    if prod(dense.get_shape()) > MAX_LISTED:
        raise ShapeError(f"{dense.get_type()} has more elements than can be listed; fewer were expected here")
    return tuple(cast("Iterator[int]", numbers(dense)))


def _number(chunk: bytes, element: Attribute) -> Number:
    if _is_complex(element):
        half = len(chunk) // 2
        real, imag = (_number(part, real_element(element)) for part in (chunk[:half], chunk[half:]))
        return complex(cast(float, real), cast(float, imag))
    if not _is_integer(element):
        return cast(AnyFloat, element).unpack(chunk, 1)[0]
    width, value = _width(element), int.from_bytes(chunk, "little")
    if element == i1:
        return bool(value)
    value &= (1 << width) - 1
    return value - (1 << width) if not _is_unsigned(element) and value >> (width - 1) else value


def _width(element: Scalar) -> int:
    return 64 if isinstance(element, IndexType) else element.bitwidth


def _is_unsigned(element: Scalar) -> bool:
    return isinstance(element, IntegerType) and element.signedness.data is Signedness.UNSIGNED


def is_splat(self: Elements) -> bool:
    """Whether all elements have the same bits: 0.0 and -0.0 differ, equal NaNs agree."""
    data, size = _normal_bytes(self), self.get_element_type().compile_time_size
    return len(data) >= size > 0 and data == data[:size] * (len(data) // size)


def _normal_bytes(dense: Elements) -> bytes:
    """The bytes of `dense`, with zeros above the bits of elements that are narrower than a byte."""
    element, data = dense.get_element_type(), dense.data.data
    width = _width(cast(Scalar, real_element(element)))
    if width >= 8:
        return data
    if width == 1:
        return data.translate(bytes(b != 0 for b in range(256)))
    return data.translate(bytes(b & ((1 << width) - 1) for b in range(256)))


# Reading


def _parse(self: Any, type: Any) -> Elements:
    """`<...>`, and ` : type` unless the type is known; a method of AttrParser."""
    parser = cast(AttrParser, self)
    start = parser.pos
    literal: Any = None
    parser.parse_punctuation("<", " in dense attribute")
    if parser.parse_optional_punctuation(">") is None:
        literal = parser.parse_optional_str_literal()
        if literal is None:
            literal = self._parse_tensor_literal()
        parser.parse_punctuation(">", " in dense attribute")
    if type is None:
        parser.parse_punctuation(":", " in dense attribute")
        type = _parse_dense_type(parser)
    try:
        read = DenseIntOrFPElementsAttr(type, BytesAttr(_read(parser, literal, type)))
    except ValueError as error:
        parser.raise_error(str(error), start)
    return DenseIntOrFPElementsAttr(type, BytesAttr(_normal_bytes(read)))


def _parse_dense_type(parser: AttrParser) -> Attribute:
    pos = parser.pos
    type = parser.parse_type()
    if not isinstance(type, TensorType | VectorType | MemRefType):
        parser.raise_error("a dense literal has a tensor type of known sizes", pos, parser.pos)
    ranked = cast("TensorType[Attribute]", type)
    if not ranked.has_static_shape():
        parser.raise_error("a dense literal has a tensor type of known sizes", pos, parser.pos)
    if not isinstance(ranked.element_type, IntegerType | IndexType | AnyFloat | ComplexType):
        parser.raise_error("the elements of a dense literal are integers, floats or complex", pos, parser.pos)
    return ranked


def _read(parser: AttrParser, literal: Any, type: Any) -> bytes:
    """The bytes of all elements; ValueError if there are not as many as `type` has."""
    shape = list(type.get_shape())
    if literal is None:
        if prod(shape):
            raise ValueError(f"found no elements; {type} has {prod(shape)}")
        return b""
    if isinstance(literal, str):
        return _blob_bytes(literal, type)
    spelled, found = literal
    chunks = [_read_element(parser, e.span, type.element_type) for e in spelled]
    if not found:
        return _repeated(chunks[0], type)
    if found != shape:
        raise ValueError(f"found elements of shape {found}, but their type is {type}")
    return b"".join(chunks)


def _blob_bytes(literal: str, type: Any) -> bytes:
    size, count = type.element_type.compile_time_size, prod(type.get_shape())
    try:
        data = bytes.fromhex(literal.removeprefix("0x"))
    except ValueError:
        data = b""
    if len(literal) != 2 + 2 * len(data) or not literal.startswith("0x"):  # fromhex passes over blanks
        raise ValueError("a string of elements holds pairs of hexadecimal digits after 0x")
    if len(data) == size:
        return _repeated(data, type)
    if len(data) != size * count:
        raise ValueError(f"found {len(data)} bytes of elements; {type} has {size * count}, or {size} for a splat")
    return data


def _read_element(parser: AttrParser, span: Span, element: Attribute) -> bytes:
    try:
        return _literal_bytes(span.text, element)
    except ValueError as error:
        parser.raise_error(str(error), span.start, span.end)


def _literal_bytes(spelled: str, element: Attribute) -> bytes:
    """The bytes of one literal; ValueError if `element` has no such number."""
    if _is_complex(element):
        if not spelled.startswith("("):
            raise ValueError(f"found {spelled}; an element of {element} is a pair (real, imaginary)")
        return b"".join(_literal_bytes(part.strip(), real_element(element)) for part in spelled[1:-1].split(","))
    if spelled.startswith("("):
        raise ValueError(f"found a pair; an element of {element} is one number")
    negative, digits = spelled.startswith("-"), spelled.lstrip("-").strip()
    if negative and (isinstance(element, Float8E8M0FNUType) or _is_unsigned(cast(Scalar, element))):
        raise ValueError(f"found {spelled}; {element} has no negative numbers")
    if _is_integer(element):
        return _integer_bytes(_integer_literal(digits, element) * (-1 if negative else 1), element)
    return _float_literal_bytes(digits, negative, cast(AnyFloat, element))


def _integer_literal(digits: str, element: Integer) -> int:
    if digits in ("true", "false"):
        if element != i1:
            raise ValueError(f"found {digits}; an element of {element} is a number")
        return int(digits == "true")
    if _is_hexadecimal(digits):
        return int(digits, 16)
    if "." in digits:
        raise ValueError(f"found {digits}; an element of {element} is an integer")
    return int(digits)


def _float_literal_bytes(digits: str, negative: bool, element: AnyFloat) -> bytes:
    if _is_hexadecimal(digits):
        if negative:
            raise ValueError(f"found -{digits}; a hexadecimal float is a bit pattern and takes no minus sign")
        pattern = int(digits, 16)
        if pattern.bit_length() > _width(element):
            raise ValueError(f"found {digits}; {element} has only {_width(element)} bits")
        return pattern.to_bytes(element.compile_time_size, "little")
    if "." not in digits:
        raise ValueError(f"found {digits}; an element of {element} has a decimal point, as in 1.0")
    return _float_bytes(-float(digits) if negative else float(digits), element)


def parse_float(parser: AttrParser, element: AnyFloat) -> float:
    """A float: a decimal with a point, or a bit pattern in hexadecimal."""
    pos = parser.pos
    found = cast(Any, parser)._parse_optional_bool_int_or_float()
    if found is None:
        parser.raise_error("expected a number such as 1.0", pos, pos + 1)
    return cast(float, _number(_read_element(parser, found[1], element), element))


def _is_hexadecimal(digits: str) -> bool:
    return digits[:2] in ("0x", "0X")


def _parse_complex(self: Any) -> Any:
    """`(real, imaginary)`, each spelled in any way; a method of AttrParser."""
    if self._current_token.text != "(":
        return None
    start = self._consume_token().span
    real, _ = self._parse_bool_int_or_float()
    self.parse_punctuation(",")
    imag, _ = self._parse_bool_int_or_float()
    end = self._current_token.span
    self.parse_punctuation(")")
    return (real, imag), Span(start.start, end.end, start.input)


# Printing


def _print(self: Elements, printer: Printer) -> None:
    """`dense<...>`; a method of DenseIntOrFPElementsAttr."""
    element, data = self.get_element_type(), _normal_bytes(self)
    size = element.compile_time_size
    printer.print_string("dense<")
    if is_splat(self):
        _print_element(printer, data[:size], element)
    elif len(data) > _MAX_SPELLED * size:
        printer.print_string(f'"0x{data.hex().upper()}"')
    elif data:
        _print_list(printer, data, self.get_shape() if self.shape_is_complete else (len(data) // size,), element)
    printer.print_string(">")


def _print_list(printer: Printer, data: bytes, shape: Sequence[int], element: Attribute) -> None:
    if not shape:
        _print_element(printer, data, element)
        return
    step = len(data) // shape[0]
    with printer.in_square_brackets():
        parts = (data[i : i + step] for i in range(0, len(data), step))
        printer.print_list(parts, lambda part: _print_list(printer, part, shape[1:], element))


def _print_element(printer: Printer, chunk: bytes, element: Attribute) -> None:
    if _is_complex(element):
        half = len(chunk) // 2
        with printer.in_parens():
            _print_element(printer, chunk[:half], real_element(element))
            printer.print_string(",")
            _print_element(printer, chunk[half:], real_element(element))
        return
    value = cast(float, _number(chunk, element))
    if _is_integer(element):
        printer.print_string(str(value).lower())
    elif math.isfinite(value):
        printer.print_float(value, cast(AnyFloat, element))
    else:
        printer.print_string(f"0x{int.from_bytes(chunk, 'little'):X}")


def print_float(printer: Printer, value: float, element: AnyFloat) -> None:
    """Print what `parse_float` reads."""
    _print_element(printer, packed(value, element), element)
