"""A parser that reads each type, and each dictionary of properties, once per spelling.

A program of 1,600 ops spells 4,200 tensor types, of which 34 differ; equal ones become one object here, so that
comparing them later takes no time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, NoneAttr, TensorType, bf16, f16, f32, f64, i1, i8, i32, i64
from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

from hhlo_xdsl.dialects.types import RankedTensor, tensor

T = TypeVar("T")

_TENSOR = r"tensor<[0-9x?]*[a-z][a-zA-Z0-9]*(?:<[a-z][a-z0-9]*>)?>"
_TENSORS = rf"{_TENSOR}(?:, {_TENSOR})*"
_TENSOR_TYPE = re.compile(_TENSOR)
_FUNCTION_TYPE = re.compile(rf"\((?:{_TENSORS})?\) -> (?:{_TENSOR}|\((?:{_TENSORS})?\))")
_PROPERTIES = re.compile(r'<\{[^{}"^%]{0,400}\}>')


class _Lexer(MLIRLexer):
    """xDSL's lexer, mended: its pattern of a string without an end tries exponentially many ways to match, and it takes
    strings that escape letters beyond ASCII, as MLIR prints them, for bytes."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_string_literal(self, start_pos: int) -> MLIRToken:
        token = super()._lex_string_literal(start_pos)
        if token.kind is MLIRTokenKind.BYTES_LIT:
            try:
                StringLiteral.from_span(token.span).bytes_contents.decode()
            except UnicodeDecodeError:
                return token
            return MLIRToken(MLIRTokenKind.STRING_LIT, token.span)
        return token


class MemoParser(Parser):
    """xDSL's parser, which remembers what some pieces of text stand for."""

    def __init__(self, context: Context, text: str, filename: str):
        self._pieces: dict[str, object] = {}
        super().__init__(context, "", filename)
        self._parser_state = ParserState(_Lexer(Input(text, filename)))

    def _once(self, spelling: re.Pattern[str], parse: Callable[[], T]) -> T:
        """What `parse` reads from here, or read from the same `spelling` before."""
        span = self._current_token.span
        found = spelling.match(span.input.content, span.start)
        if found is None:
            return parse()
        piece = found.group()
        if piece not in self._pieces:
            self._pieces[piece] = read = parse()
            return read
        self._resume_from(found.end())
        return cast(T, self._pieces[piece])

    def _parse_optional_builtin_type(self) -> TypeAttribute | None:
        parse = super()._parse_optional_builtin_type
        return self._once(_TENSOR_TYPE, lambda: _shared(parse()))

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        found = _NUMBERS.get(self._current_token.text)
        if found is None:
            return super()._parse_optional_integer_or_float_type()
        self._consume_token()
        return found

    def parse_optional_function_type(self) -> FunctionType | None:
        return self._once(_FUNCTION_TYPE, super().parse_optional_function_type)

    def parse_optional_properties_dict(self) -> dict[str, Attribute]:
        if self._current_token.kind is not MLIRTokenKind.LESS:
            return {}
        return dict(self._once(_PROPERTIES, super().parse_optional_properties_dict))


def _shared(type: TypeAttribute | None) -> TypeAttribute | None:
    """The tensor type that all of this project use for `type`."""
    if not isinstance(type, TensorType):
        return type
    ranked = cast(RankedTensor, type)
    return tensor(ranked.get_shape(), ranked.element_type) if isinstance(ranked.encoding, NoneAttr) else ranked


_NUMBERS: dict[str, TypeAttribute] = {str(t): t for t in (i1, i8, i32, i64, bf16, f16, f32, f64)}
