"""Ops on matrices and spectra: cholesky, triangular_solve, fft. Products of matrices stand in `contraction`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, ComplexType, Float32Type, Float64Type, IntegerAttr, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.bounds import UNBOUNDED, Bounds, bounds_of
from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import FftType, FftTypeAttr, Transpose, TransposeAttr
from hhlo_xdsl.dialects.stablehlo.base import (
    I64S,
    AbstractGenericOp,
    AbstractOp,
    flags,
    i64_array,
    ints,
    tensor_operand,
    tensor_result,
)
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, check_same_elements, violated
from hhlo_xdsl.dialects.types import (
    FLOAT_OR_COMPLEX,
    QUANTIZED,
    RankedTensor,
    bounded,
    compatible_shapes,
    compatible_sizes,
    is_complex,
    real_element,
    type_of,
)

BOOL = IntegerAttr.constr(type=i1)


@irdl_op_definition
class CholeskyOp(AbstractOp):
    """result = the triangular L with a = L L^H, or the R with a = R^H R, for each matrix of a batch.

    a      : tensor ..xNxN of rank >= 2, Hermitian and positive definite     (C2, C3)
    lower  : whether result is L; false where absent
    result : the type of a; what its other triangle holds is not defined     (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#cholesky
    """

    name = "stablehlo.cholesky"
    a = tensor_operand()
    lower = opt_prop_def(BOOL)
    result = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME
    SPELLED: ClassVar = frozenset({"lower"})

    def __init__(self, a: SSAValue, *, lower: bool = False):
        self._build((a,), (self.infer(type_of(a)),), flags(lower=lower))

    @classmethod
    def infer(cls, a: RankedTensor) -> RankedTensor:
        """The type of the result: that of a."""
        check_kind(cls.name, "a", a, FLOAT_OR_COMPLEX | QUANTIZED)
        _check_square(cls.name, ("C2", "C3"), a)
        return a

    def verify_semantics(self) -> None:
        check_result(self.name, self.result.type, self.infer(self.a.type), "C1")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 1)
        if parser.parse_optional_punctuation(",") is None:
            return operands, {}
        parser.parse_keyword("lower")
        parser.parse_punctuation("=")
        return operands, {"lower": BoolAttr.from_bool(parser.parse_integer(allow_boolean=True) != 0)}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        if self.lower is not None:
            printer.print_string(f", lower = {str(bool(self.lower)).lower()}")


def _check_square(op: str, labels: tuple[str, str], a: RankedTensor) -> None:
    """Raise ShapeError unless `a` has rank 2 or more (`labels[0]`) and its last two sizes are equal (`labels[1]`)."""
    shape = a.get_shape()
    if len(shape) < 2:
        raise violated(op, labels[0], f"a is {a}; it must hold matrices, so its rank must be at least 2")
    if not compatible_sizes(shape[-2], shape[-1]):
        raise violated(op, labels[1], f"a is {a}; its last two sizes must be equal")


@irdl_op_definition
class TriangularSolveOp(AbstractGenericOp):
    """result = X with op(a) X = b, or X op(a) = b, for each matrix of a batch.

    a             : tensor ..xNxN of rank >= 2, triangular                  (C2, C3)
    b             : tensor ..xNxM, or ..xMxN, of equal rank and elements    (C1, C2, C3)
    left_side     : whether op(a) stands on the left
    lower         : which triangle of a is read
    unit_diagonal : whether the diagonal of a is taken to be 1, and not read
    transpose_a   : op is the identity, transposition or conjugate transposition
    result        : the type of b                                           (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#triangular_solve
    """

    name = "stablehlo.triangular_solve"
    a = tensor_operand()
    b = tensor_operand()
    left_side = prop_def(BOOL)
    lower = prop_def(BOOL)
    transpose_a = prop_def(TransposeAttr)
    unit_diagonal = prop_def(BOOL)
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(
        self,
        a: SSAValue,
        b: SSAValue,
        *,
        left_side: bool = True,
        lower: bool = True,
        unit_diagonal: bool = False,
        transpose_a: Transpose = Transpose.NO_TRANSPOSE,
    ):
        result = self.infer(type_of(a), type_of(b), left_side=left_side, transpose_a=transpose_a)
        properties: dict[str, Attribute] = {
            "left_side": BoolAttr.from_bool(left_side),
            "lower": BoolAttr.from_bool(lower),
            "transpose_a": TransposeAttr(transpose_a),
            "unit_diagonal": BoolAttr.from_bool(unit_diagonal),
        }
        self._build((a, b), (result,), properties)

    @classmethod
    def infer(cls, a: RankedTensor, b: RankedTensor, *, left_side: bool, transpose_a: Transpose) -> RankedTensor:
        """The type of the result: that of b."""
        check_kind(cls.name, "a", a, FLOAT_OR_COMPLEX)
        check_kind(cls.name, "b", b, FLOAT_OR_COMPLEX)
        check_same_elements(cls.name, "C1", a=a, b=b)
        both = f"a is {a}, b is {b}"
        _check_square(cls.name, ("C2", "C3"), a)
        m, n = a.get_shape(), b.get_shape()
        if len(m) != len(n):
            raise violated(cls.name, "C2", f"{both}; their ranks must be equal; broadcast_in_dim one of them")
        side = -2 if left_side else -1
        if not compatible_sizes(m[-1], n[side]) or not compatible_shapes(m[:-2], n[:-2]):
            raise violated(
                cls.name, "C3", f"{both}; size {side} of b must be that of a, and the sizes before the last two equal"
            )
        if transpose_a is Transpose.TRANSPOSE_INVALID:
            raise violated(
                cls.name, "I6", "transpose_a is TRANSPOSE_INVALID; use NO_TRANSPOSE, TRANSPOSE or ADJOINT", VerifyError
            )
        return b

    def verify_semantics(self) -> None:
        inferred = self.infer(
            self.a.type, self.b.type, left_side=bool(self.left_side), transpose_a=self.transpose_a.data
        )
        check_result(self.name, self.result.type, inferred, "C4")


@irdl_op_definition
class FftOp(AbstractOp):
    """result = the Fourier transform of operand along its last dimensions, as many as fft_length has sizes.

    fft_type        operand                 result                      (C2)
    FFT, IFFT       complex<E>              complex<E>
    RFFT            real E, f32 or f64      complex<E>; last size N/2 + 1, for N real numbers    (C5)
    IRFFT           complex<E>; N/2 + 1     real E; last size N                                  (C5)

    fft_length : 1 to 3 sizes, no more than operand's rank (C1, C3); for RFFT and IRFFT those of the real tensor (C4)

    The inverse transforms divide by the product of fft_length. Lengths of FFT and IFFT are not compared with operand's
    sizes, as in upstream's verifier.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#fft
    """

    name = "stablehlo.fft"
    operand = tensor_operand()
    fft_type = prop_def(FftTypeAttr)
    fft_length = prop_def(I64S)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"fft_type", "fft_length"})

    def __init__(self, operand: SSAValue, fft_type: FftType, fft_length: Sequence[int]):
        lengths = tuple(fft_length)
        properties = {"fft_type": FftTypeAttr(fft_type), "fft_length": i64_array(lengths)}
        self._build((operand,), (self.infer(type_of(operand), fft_type, lengths),), properties)

    @classmethod
    def infer(cls, operand: RankedTensor, fft_type: FftType, fft_length: Sequence[int]) -> RankedTensor:
        """The type of the result: operand's, or that of real numbers, or of the half of a spectrum that says all."""
        check_kind(cls.name, "operand", operand, FLOAT_OR_COMPLEX)
        if not 1 <= len(fft_length) <= 3:
            raise violated(cls.name, "C3", f"fft_length is {list(fft_length)}; it must hold 1 to 3 sizes")
        cls._check_elements(operand, fft_type)
        if operand.get_num_dims() < len(fft_length):
            found = f"fft_length is {list(fft_length)}, operand is {operand}"
            raise violated(cls.name, "C1", f"{found}; there must be no more lengths than dimensions")
        return cls._result(operand, fft_type, fft_length)

    @classmethod
    def _check_elements(cls, operand: RankedTensor, fft_type: FftType) -> None:
        if fft_type is FftType.RFFT:
            if not isinstance(operand.element_type, Float32Type | Float64Type):
                raise cls._wrong_elements(operand, fft_type, "f32 or f64")
        elif not is_complex(operand):
            raise cls._wrong_elements(operand, fft_type, "complex")

    @classmethod
    def _wrong_elements(cls, operand: RankedTensor, fft_type: FftType, expected: str) -> VerifyError:
        found = f"fft_type is {fft_type.value}, operand is {operand}"
        return violated(cls.name, "C2", f"{found}; its elements must be {expected}; convert it first", DTypeError)

    @classmethod
    def _result(cls, operand: RankedTensor, fft_type: FftType, fft_length: Sequence[int]) -> RankedTensor:
        shape, element, bounds = operand.get_shape(), operand.element_type, bounds_of(operand)
        length = fft_length[-1]
        match fft_type:
            case FftType.FFT | FftType.IFFT:
                return operand
            case FftType.RFFT:
                cls._check_lengths(operand, fft_type, fft_length, fft_length)
                last = length // 2 + 1 if length else shape[-1]
                element = ComplexType(element)  # pyright: ignore[reportArgumentType]  (f32 or f64, checked before)
            case FftType.IRFFT:
                half = shape[-1] if length == 0 and compatible_sizes(shape[-1], 0) else length // 2 + 1
                cls._check_lengths(operand, fft_type, fft_length, (*fft_length[:-1], half))
                last, element = length, real_element(element)
        return bounded((*shape[:-1], last), element, _last_free(bounds))

    @classmethod
    def _check_lengths(
        cls, operand: RankedTensor, fft_type: FftType, fft_length: Sequence[int], expected: Sequence[int]
    ) -> None:
        if not compatible_shapes(operand.get_shape()[-len(expected) :], expected):
            raise violated(
                cls.name,
                "C4",
                f"fft_type is {fft_type.value}, fft_length is {list(fft_length)}, operand is {operand};"
                f" its last sizes must be {list(expected)}",
            )

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.fft_type.data, ints(self.fft_length))
        check_result(self.name, self.result.type, inferred, "C5", elements="C2")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 1)
        parser.parse_punctuation(",")
        parser.parse_keyword("type")
        parser.parse_punctuation("=")
        fft_type = FftTypeAttr(parser.parse_str_enum(FftType))
        parser.parse_punctuation(",")
        fft_length = i64_array(assembly.parse_named_ints(parser, "length"))
        return operands, {"fft_type": fft_type, "fft_length": fft_length}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f", type = {self.fft_type.data.value}")
        assembly.print_named_ints(printer, "length", ints(self.fft_length))


def _last_free(bounds: Bounds | None) -> Bounds | None:
    """`bounds` without that of the last dimension."""
    return None if bounds is None else (*bounds[:-1], UNBOUNDED)
