"""The exceptions of the project. Every message says: the op, what was found, what was expected, a way out.

They live in the lowest layer so that shape rules, passes, the frontend and the runtime raise the same types. Conditions
do not belong here; they stand where they are checked.
"""

from xdsl.utils.exceptions import VerifyException


class HhloError(Exception):
    """Base of every error that hhlo-xdsl raises on purpose."""


class VerifyError(HhloError, VerifyException):
    """An op breaks a constraint of the StableHLO specification."""


class ShapeError(VerifyError):
    """Shapes, dimensions or sizes that do not fit together."""


class DTypeError(VerifyError):
    """An element type that an op does not take, or two that should be equal."""


class DifferentiationError(HhloError):
    """A gradient that does not exist, or whose rule is not known."""


class TraceError(HhloError):
    """A tensor used outside the trace it belongs to, or a value that cannot be traced."""


class ParseError(HhloError):
    """Text or bytes that are not a StableHLO program. `line` and `column` count from 1; 0 when unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0):
        super().__init__(message)
        self.line = line
        self.column = column


class SyntaxVersionError(HhloError):
    """A program that the target StableHLO version cannot spell."""


class CompileError(HhloError):
    """XLA refused a program. `line` and `column` of the printed text count from 1; 0 when unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0):
        super().__init__(message)
        self.line = line
        self.column = column


class RuntimeArgumentError(HhloError):
    """An argument that a compiled program cannot take: count, shape, dtype, device or a deleted array."""


class PluginError(HhloError):
    """A PJRT plug-in or jaxlib that is missing, cannot be loaded, or has no usable device."""
