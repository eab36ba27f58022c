"""The attributes of the dialect and their text: enumerations, and accuracies. Ops do not belong here.

Dimension numbers have a file of their own.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.builtin import f64
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Data, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from hhlo_xdsl.dialects.elements import parse_float, print_float
from hhlo_xdsl.dialects.errors import VerifyError

T = TypeVar("T")


class ComparisonDirection(StrEnum):
    """Which comparison `compare` makes."""

    EQ = "EQ"
    NE = "NE"
    GE = "GE"
    GT = "GT"
    LE = "LE"
    LT = "LT"


@irdl_attr_definition
class ComparisonDirectionAttr(EnumAttribute[ComparisonDirection], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<comparison_direction LT>`"""

    name = "stablehlo.comparison_direction"


class ComparisonType(StrEnum):
    """How `compare` orders elements; TOTALORDER puts -NaN < -inf < .. < -0 < 0 < .. < inf < NaN."""

    NOTYPE = "NOTYPE"
    FLOAT = "FLOAT"
    TOTALORDER = "TOTALORDER"
    SIGNED = "SIGNED"
    UNSIGNED = "UNSIGNED"


@irdl_attr_definition
class ComparisonTypeAttr(EnumAttribute[ComparisonType], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<comparison_type FLOAT>`"""

    name = "stablehlo.comparison_type"


class Precision(StrEnum):
    """How precisely a contraction multiplies its operands."""

    DEFAULT = "DEFAULT"
    HIGH = "HIGH"
    HIGHEST = "HIGHEST"


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<precision DEFAULT>`"""

    name = "stablehlo.precision"


class FftType(StrEnum):
    """Which Fourier transform `fft` makes: of complex numbers, or between real ones and half of their spectrum."""

    FFT = "FFT"
    IFFT = "IFFT"
    RFFT = "RFFT"
    IRFFT = "IRFFT"


@irdl_attr_definition
class FftTypeAttr(EnumAttribute[FftType], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<fft_type RFFT>`"""

    name = "stablehlo.fft_type"


class Transpose(StrEnum):
    """What `triangular_solve` does to its matrices first; TRANSPOSE_INVALID can be written, but no op takes it."""

    TRANSPOSE_INVALID = "TRANSPOSE_INVALID"
    NO_TRANSPOSE = "NO_TRANSPOSE"
    TRANSPOSE = "TRANSPOSE"
    ADJOINT = "ADJOINT"


@irdl_attr_definition
class TransposeAttr(EnumAttribute[Transpose], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<transpose ADJOINT>`"""

    name = "stablehlo.transpose"


class RngDistribution(StrEnum):
    """What `rng` draws from: [a, b) uniformly, or the normal distribution of mean a and deviation b."""

    UNIFORM = "UNIFORM"
    NORMAL = "NORMAL"


@irdl_attr_definition
class RngDistributionAttr(EnumAttribute[RngDistribution], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<rng_distribution NORMAL>`"""

    name = "stablehlo.rng_distribution"


class RngAlgorithm(StrEnum):
    """How `rng_bit_generator` makes bits; DEFAULT is the implementation's choice."""

    DEFAULT = "DEFAULT"
    THREE_FRY = "THREE_FRY"
    PHILOX = "PHILOX"


@irdl_attr_definition
class RngAlgorithmAttr(EnumAttribute[RngAlgorithm], SpacedOpaqueSyntaxAttribute):
    """`#stablehlo<rng_algorithm THREE_FRY>`"""

    name = "stablehlo.rng_algorithm"


class AccuracyMode(StrEnum):
    """How the accuracy of a result is asked for."""

    DEFAULT = "DEFAULT"
    HIGHEST = "HIGHEST"
    TOLERANCE = "TOLERANCE"


@irdl_attr_definition
class AccuracyModeAttr(EnumAttribute[AccuracyMode]):
    """`#stablehlo.result_accuracy_mode<HIGHEST>`"""

    name = "stablehlo.result_accuracy_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AccuracyMode:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(AccuracyMode)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The error that a result may have: the largest of three bounds, which only mode TOLERANCE takes."""

    atol: float = 0.0
    """Absolute."""
    rtol: float = 0.0
    """Relative to the exact result."""
    ulps: int = 0
    """In units of the last place."""
    mode: AccuracyMode = AccuracyMode.DEFAULT

    def check(self) -> None:
        """Raise VerifyError for bounds that are negative or too large, and for bounds without mode TOLERANCE."""
        bounds = f"atol = {self.atol}, rtol = {self.rtol}, ulps = {self.ulps}"
        if self.ulps < 0 or any(math.copysign(1, x) < 0 for x in (self.atol, self.rtol)):
            raise VerifyError(f"result_accuracy has {bounds}; none of them may be negative")
        if self.ulps >= 2**63:
            raise VerifyError(f"result_accuracy has {bounds}; ulps must fit into 64 bits")
        if self.mode is not AccuracyMode.TOLERANCE and (self.atol or self.rtol or self.ulps):
            raise VerifyError(f"result_accuracy has {bounds} and mode {self.mode.value}; bounds need mode TOLERANCE")


@irdl_attr_definition
class AccuracyAttr(Data[Accuracy]):
    """`#stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>`, bounds if not 0."""

    name = "stablehlo.result_accuracy"

    def verify(self) -> None:
        self.data.check()

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Accuracy:
        start = parser.pos
        with parser.in_angle_brackets():
            atol = cls._parse_bound(parser, "atol", lambda: parse_float(parser, f64), 0.0)
            rtol = cls._parse_bound(parser, "rtol", lambda: parse_float(parser, f64), 0.0)
            ulps = cls._parse_bound(parser, "ulps", lambda: parser.parse_integer(allow_boolean=False), 0)
            parser.parse_keyword("mode")
            parser.parse_punctuation("=")
            mode = parser.parse_attribute()
            if not isinstance(mode, AccuracyModeAttr):
                parser.raise_error("expected a mode such as #stablehlo.result_accuracy_mode<HIGHEST>", start)
        accuracy = Accuracy(atol, rtol, ulps, mode.data)
        try:
            accuracy.check()
        except VerifyError as error:
            parser.raise_error(str(error), start)
        return accuracy

    @staticmethod
    def _parse_bound(parser: AttrParser, name: str, parse: Callable[[], T], default: T) -> T:
        """`name = value,`; the default if something else comes next."""
        if parser.parse_optional_keyword(name) is None:
            return default
        parser.parse_punctuation("=")
        value = parse()
        parser.parse_punctuation(",")
        return value

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        for name, bound in (("atol", self.data.atol), ("rtol", self.data.rtol)):
            if bound:
                printer.print_string(f"{name} = ")
                print_float(printer, bound, f64)
                printer.print_string(", ")
        if self.data.ulps:
            printer.print_string(f"ulps = {self.data.ulps}, ")
        printer.print_string(f"mode = {AccuracyModeAttr(self.data.mode)}>")
