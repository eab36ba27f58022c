"""Which dimension of an operand plays which role in a contraction: the attributes of dot_general and convolution.

Each attribute holds a small immutable record that rules and constructors use directly. Ops do not belong here.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo.checks import violated

Dims: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DotNumbers:
    """The roles of the dimensions of dot_general's operands; those in no list are free.

    The k-th batching dimension of lhs goes with the k-th of rhs, likewise the contracting ones.
    """

    lhs_batching: Dims = ()
    rhs_batching: Dims = ()
    lhs_contracting: Dims = ()
    rhs_contracting: Dims = ()


@irdl_attr_definition
class DotNumbersAttr(Data[DotNumbers]):
    """`#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>`, without empty lists."""

    name = "stablehlo.dot"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> DotNumbers:
        with parser.in_angle_brackets():
            found = parse_fields(parser, {f"{f.name}_dimensions": parse_dims for f in fields(DotNumbers)})
        return DotNumbers(**{name.removesuffix("_dimensions"): dims for name, dims in found.items()})

    def print_parameter(self, printer: Printer) -> None:
        lists = ((f.name, getattr(self.data, f.name)) for f in fields(DotNumbers))
        spelled = (f"{name}_dimensions = {list(dims)}" for name, dims in lists if dims)
        printer.print_string(f"<{', '.join(spelled)}>")


@dataclass(frozen=True, slots=True)
class DotAlgorithm:
    """How dot_general computes: what it rounds its operands to, and in which type it sums."""

    lhs_precision_type: Attribute
    rhs_precision_type: Attribute
    accumulation_type: Attribute
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


@irdl_attr_definition
class DotAlgorithmAttr(Data[DotAlgorithm]):
    """`#stablehlo.dot_algorithm<lhs_precision_type = tf32, .., allow_imprecise_accumulation = false>`, every field."""

    name = "stablehlo.dot_algorithm"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> DotAlgorithm:
        values: list[Any] = []
        with parser.in_angle_brackets():
            for i, f in enumerate(fields(DotAlgorithm)):
                if i:
                    parser.parse_punctuation(",")
                parser.parse_keyword(f.name)
                parser.parse_punctuation("=")
                values.append(cls._parse_value(parser, f.name))
        return DotAlgorithm(*values)

    @staticmethod
    def _parse_value(parser: AttrParser, field: str) -> Attribute | int | bool:
        if field.endswith("_type"):
            return parser.parse_type()
        return parser.parse_boolean() if field.startswith("allow") else parser.parse_integer(allow_boolean=False)

    def print_parameter(self, printer: Printer) -> None:
        values = ((f.name, getattr(self.data, f.name)) for f in fields(DotAlgorithm))
        spelled = (f"{name} = {str(v).lower() if isinstance(v, bool) else v}" for name, v in values)
        printer.print_string(f"<{', '.join(spelled)}>")


EIGHT_BITS = frozenset({"f8E3M4", "f8E4M3", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2FNUZ"})
"""The 8-bit types that an algorithm may round to."""

_KNOWN_ALGORITHMS: Mapping[tuple[str, str], Collection[int]] = {
    ("f16", "f16"): {1},
    ("f16", "f32"): {1},
    ("bf16", "bf16"): {1},
    ("bf16", "f32"): {1, 3, 6, 9},
    ("tf32", "f32"): {1, 3},
    ("f32", "f32"): {1},
    ("f64", "f64"): {1},
}
"""What upstream's verifier lets pass: (type of both operands, type of the sum) -> numbers of primitive operations."""


def check_algorithm(op: str, algorithm: DotAlgorithm) -> None:
    """Raise VerifyError for counts below 1 (C22, C23, C24) and for an algorithm that no hardware is known to have."""
    a = algorithm
    for label, field in (
        ("C22", "lhs_component_count"),
        ("C23", "rhs_component_count"),
        ("C24", "num_primitive_operations"),
    ):
        if getattr(a, field) < 1:
            raise violated(
                op, label, f"the algorithm's {field} is {getattr(a, field)}; it must be at least 1", VerifyError
            )
    if not _is_known(a):
        raise violated(
            op,
            "I8",
            f"no hardware is known to have the algorithm {DotAlgorithmAttr(a)}; use another, or precision instead",
            VerifyError,
        )


def _is_known(a: DotAlgorithm) -> bool:
    lhs, rhs, total = str(a.lhs_precision_type), str(a.rhs_precision_type), str(a.accumulation_type)
    if (a.lhs_component_count, a.rhs_component_count) != (1, 1):
        return False
    if {lhs, rhs} <= EIGHT_BITS:
        return total == "f32" and a.num_primitive_operations == 1
    known = lhs == rhs and a.num_primitive_operations in _KNOWN_ALGORITHMS.get((lhs, total), ())
    return known and not a.allow_imprecise_accumulation


@dataclass(frozen=True, slots=True)
class Image:
    """The roles of the dimensions of a convolution's lhs or result."""

    batch: int
    feature: int
    spatial: Dims = ()


@dataclass(frozen=True, slots=True)
class Kernel:
    """The roles of the dimensions of a convolution's rhs: features it takes, features it makes, space."""

    input: int
    output: int
    spatial: Dims = ()


@dataclass(frozen=True, slots=True)
class ConvNumbers:
    """The roles of all dimensions of a convolution; the k-th spatial dimensions of the three belong together."""

    lhs: Image
    rhs: Kernel
    out: Image

    def __str__(self) -> str:
        """`[b, 0, f]x[0, i, o]->[b, 0, f]`, or a `raw` list of fields where no such text exists."""
        lhs = _spell(self.lhs.spatial, b=self.lhs.batch, f=self.lhs.feature)
        rhs = _spell(self.rhs.spatial, i=self.rhs.input, o=self.rhs.output)
        out = _spell(self.out.spatial, b=self.out.batch, f=self.out.feature)
        return self._spell_raw() if None in (lhs, rhs, out) else f"{lhs}x{rhs}->{out}"

    def _spell_raw(self) -> str:
        numbers = (_get(self, path) for path in _RAW.values())
        spelled = (list(n) if isinstance(n, tuple) else n for n in numbers)
        return "raw " + ", ".join(f"{name} = {n}" for name, n in zip(_RAW, spelled, strict=True))


_RAW = {
    "input_batch_dimension": ("lhs", "batch"),
    "input_feature_dimension": ("lhs", "feature"),
    "input_spatial_dimensions": ("lhs", "spatial"),
    "kernel_input_feature_dimension": ("rhs", "input"),
    "kernel_output_feature_dimension": ("rhs", "output"),
    "kernel_spatial_dimensions": ("rhs", "spatial"),
    "output_batch_dimension": ("out", "batch"),
    "output_feature_dimension": ("out", "feature"),
    "output_spatial_dimensions": ("out", "spatial"),
}
"""The names of the specification, in its order, and where ConvNumbers holds them."""


def _get(numbers: ConvNumbers, path: tuple[str, str]) -> int | Dims:
    return getattr(getattr(numbers, path[0]), path[1])


@irdl_attr_definition
class ConvNumbersAttr(Data[ConvNumbers]):
    """`#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`: the role of each dimension, in order.

    b is batch, f feature, i the features a kernel takes, o those it makes, and a number is a spatial dimension.
    """

    name = "stablehlo.conv"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ConvNumbers:
        with parser.in_angle_brackets():
            return _parse_raw(parser) if parser.parse_optional_keyword("raw") else parse_conv_numbers(parser)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


def parse_conv_numbers(parser: AttrParser) -> ConvNumbers:
    """`[b, 0, f]x[0, i, o]->[b, 0, f]`"""
    lhs = _parse_roles(parser, "b", "f")
    parser.parse_keyword("x")
    rhs = _parse_roles(parser, "i", "o")
    parser.parse_punctuation("->")
    out = _parse_roles(parser, "b", "f")
    return ConvNumbers(Image(*lhs), Kernel(*rhs), Image(*out))


def _parse_roles(parser: AttrParser, first: str, second: str) -> tuple[int, int, Dims]:
    """`[b, 0, 1, f]`: which dimensions the two letters stand at, and the spatial numbers, in their order."""
    start = parser.pos
    roles = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_role(parser, first, second))
    place = {role: d for d, role in enumerate(roles)}
    spatial = range(len(roles) - 2)
    if len(place) < len(roles) or not place.keys() >= {first, second, *spatial}:
        expected = ", ".join(map(str, (first, second, *spatial)))
        parser.raise_error(
            f"found dimensions {', '.join(map(str, roles))}; each of {expected} must stand here once", start
        )
    return place[first], place[second], tuple(place[k] for k in spatial)


def _parse_role(parser: AttrParser, first: str, second: str) -> str | int:
    letter = parser.parse_optional_keyword_in((first, second))
    if letter is not None:
        return letter
    message = f": a dimension is {first}, {second} or the number of a spatial dimension"
    return parser.parse_integer(allow_boolean=False, allow_negative=False, context_msg=message)


def _parse_raw(parser: AttrParser) -> ConvNumbers:
    """`input_batch_dimension = 0, input_spatial_dimensions = [2], ..`; what is left out is 0 or []."""
    found = parse_fields(parser, {name: parse_dims if name.endswith("s") else parse_dim for name in _RAW})
    parts: dict[str, list[Any]] = {"lhs": [], "rhs": [], "out": []}
    for name, (part, _) in _RAW.items():
        parts[part].append(found.get(name, () if name.endswith("s") else 0))
    return ConvNumbers(Image(*parts["lhs"]), Kernel(*parts["rhs"]), Image(*parts["out"]))


def _spell(spatial: Sequence[int], **letters: int) -> str | None:
    """`[b, 0, 1, f]`; None if the dimensions are not each of 0..n-1 once."""
    roles: dict[int, str] = {d: letter for letter, d in letters.items()} | {d: str(k) for k, d in enumerate(spatial)}
    if sorted(roles) != list(range(len(spatial) + len(letters))):
        return None
    return f"[{', '.join(roles[d] for d in sorted(roles))}]"


def parse_dim(parser: AttrParser) -> int:
    """`0`"""
    return parser.parse_integer(allow_boolean=False)


def parse_dims(parser: AttrParser) -> Dims:
    """`[0, 1]`"""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_dim(parser)))


def parse_fields(parser: AttrParser, parse_value: Mapping[str, Callable[[AttrParser], Any]]) -> dict[str, Any]:
    """`name = value, ..`: fields in any order, each at most once, a comma after the last allowed."""
    found: dict[str, Any] = {}
    while (name := parser.parse_optional_keyword_in(parse_value.keys() - found.keys())) is not None:
        parser.parse_punctuation("=")
        found[name] = parse_value[name](parser)
        if parser.parse_optional_punctuation(",") is None:
            break
    return found
