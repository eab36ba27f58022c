"""Repairs to how xDSL 0.75 reads and prints `dense<...>`: hexadecimal floats, signed zeros, complex pairs, i1 blobs.

Stock xDSL reads `dense<0xFF800000> : tensor<f32>` as the number 4286578688, prints `[0.0, -0.0]` as the splat `0.0`,
refuses hexadecimal parts of complex numbers, and prints large i1 tensors with bytes that MLIR does not write. The repairs
are installed on xDSL's own classes, because `xdsl-opt` makes its parsers itself. Each is only installed if a test on the
running xDSL shows that it is needed.
"""

from __future__ import annotations

from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, Builtin, ComplexType, DenseIntOrFPElementsAttr, IntegerType
from xdsl.parser import Parser
from xdsl.parser.attribute_parser import AttrParser
from xdsl.printer import Printer

# xDSL's parser has no public hook for literals, and no types for these members.
_parser: Any = AttrParser
_literal: Any = _parser._TensorLiteralElement
_dense: Any = DenseIntOrFPElementsAttr


class Bits(int):
    """An integer literal spelled in hexadecimal: a bit pattern where a float is expected."""


def install_elements_fixes() -> None:
    """Repair the reading and printing of `dense<...>` in this process; does nothing where xDSL is right."""
    if _reads("dense<0xFF800000> : tensor<f32>") != (float("-inf"),):
        _install_hexadecimal()
    if _prints("dense<[0.0, -0.0]> : tensor<2xf32>") != "dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>":
        _dense.is_splat = _is_splat
    many = "dense<[" + ", ".join(["true"] * 100 + ["false"]) + "]> : tensor<101xi1>"
    if "FF" in _prints(many):
        _install_narrow_blobs()


def _parsed(text: str) -> Any:
    context = Context()
    context.load_dialect(Builtin)
    return Parser(context, text).parse_attribute()


def _reads(text: str) -> Any:
    return _parsed(text).get_values()


def _prints(text: str) -> str:
    return str(_parsed(text))


def _install_hexadecimal() -> None:
    literal, to_type = _parser._parse_optional_bool_int_or_float, _literal.to_type

    def parse_literal(self: Any) -> Any:
        spelled = self._current_token.text
        found = literal(self)
        return (Bits(found[0]), found[1]) if found is not None and spelled[:2] in ("0x", "0X") else found

    def parse_complex(self: Any) -> Any:
        if self._current_token.text != "(":
            return None
        span = self._consume_token().span
        real, _ = self._parse_bool_int_or_float()
        self.parse_punctuation(",")
        imag, _ = self._parse_bool_int_or_float()
        self.parse_punctuation(")")
        return (real, imag), span

    def convert(self: Any, parser: Any, type: Any) -> Any:
        value = self.value
        if isinstance(type, AnyFloat) and isinstance(value, Bits):
            return _number(value, type)
        if isinstance(type, ComplexType) and isinstance(type.element_type, AnyFloat) and isinstance(value, tuple):
            return tuple(_number(part, type.element_type) for part in value)
        return to_type(self, parser, type)

    _parser._parse_optional_bool_int_or_float = parse_literal
    _parser._parse_optional_complex = parse_complex
    _literal.to_type = convert


def _number(value: Any, type: Any) -> float:
    if not isinstance(value, Bits):
        return float(value)
    return next(iter(type.iter_unpack(int(value).to_bytes(type.compile_time_size, "little"))))


def _is_splat(self: Any) -> bool:
    """Whether all elements have the same bits: 0.0 and -0.0 differ, equal NaNs agree."""
    data, size = self.data.data, self.type.element_type.compile_time_size
    return len(data) >= size > 0 and data == data[:size] * (len(data) // size)


def _install_narrow_blobs() -> None:
    print_without_type = _dense.print_without_type

    def print_masked(self: Any, printer: Printer) -> None:
        element = self.get_element_type()
        narrow = isinstance(element, IntegerType) and element.width.data < 8
        if not narrow or len(self) <= 100 or self.is_splat():
            print_without_type(self, printer)
            return
        mask = (1 << element.width.data) - 1
        printer.print_string(f'dense<"0x{bytes(b & mask for b in self.data.data).hex().upper()}">')

    _dense.print_without_type = print_masked
