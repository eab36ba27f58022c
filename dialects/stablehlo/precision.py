"""How precisely a contraction multiplies its operands: the property, its text and its check. Ops do not belong here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute
from xdsl.irdl import BaseAttr
from xdsl.parser import Parser

from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo.attributes import Precision, PrecisionAttr
from hhlo_xdsl.dialects.stablehlo.checks import violated

PRECISIONS = ArrayAttr.constr(BaseAttr(PrecisionAttr))


@lru_cache(maxsize=64)
def precision_attr(precision: tuple[Precision, ...]) -> ArrayAttr[PrecisionAttr]:
    """`[#stablehlo<precision HIGH>, ..]`; the same object for equal values."""
    return ArrayAttr([PrecisionAttr(p) for p in precision])


def precision_property(precision: Sequence[Precision]) -> dict[str, Attribute]:
    """The property of an op; none if no precision is given."""
    return {"precision_config": precision_attr(tuple(precision))} if precision else {}


def precisions(attr: ArrayAttr[PrecisionAttr] | None) -> tuple[Precision, ...]:
    """What the property holds; () where it is absent."""
    return () if attr is None else tuple(p.data for p in attr)


def check_precision(op: str, label: str, precision: Sequence[Precision]) -> None:
    """Raise VerifyError for more precisions than operands; like upstream's verifier, fewer pass."""
    if len(precision) > 2:
        found = f"precision is {[p.value for p in precision]}"
        raise violated(op, label, f"{found}; give one for lhs and one for rhs", VerifyError)


def parse_precision(parser: Parser) -> dict[str, Attribute]:
    """`= [DEFAULT, HIGH]`, after the word `precision`."""
    parser.parse_punctuation("=")
    square = parser.Delimiter.SQUARE
    found = parser.parse_comma_separated_list(square, lambda: parser.parse_str_enum(Precision))
    return {"precision_config": precision_attr(tuple(found))}


def spelled_precision(precision: Sequence[Precision]) -> str:
    """`precision = [DEFAULT, HIGH]`"""
    return f"precision = [{', '.join(p.value for p in precision)}]"
