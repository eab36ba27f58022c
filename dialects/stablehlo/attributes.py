"""The attributes of the dialect and their text: enumerations and dimension numbers. Ops do not belong here.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md
"""

from __future__ import annotations

from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum


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
