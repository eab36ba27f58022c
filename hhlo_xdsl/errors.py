"""The exceptions of the project, under their public address."""

from hhlo_xdsl.dialects.errors import (
    CompileError,
    DifferentiationError,
    DTypeError,
    HhloError,
    ParseError,
    PluginError,
    RuntimeArgumentError,
    ShapeError,
    SyntaxVersionError,
    TraceError,
    VerifyError,
)

__all__ = [
    "CompileError",
    "DTypeError",
    "DifferentiationError",
    "HhloError",
    "ParseError",
    "PluginError",
    "RuntimeArgumentError",
    "ShapeError",
    "SyntaxVersionError",
    "TraceError",
    "VerifyError",
]
