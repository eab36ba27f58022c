"""Ops that make random numbers: rng and rng_bit_generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.errors import ShapeError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import (
    RngAlgorithm,
    RngAlgorithmAttr,
    RngDistribution,
    RngDistributionAttr,
)
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, check_same_elements, violated
from hhlo_xdsl.dialects.stablehlo.shape_operands import as_ints, check_sizes_operand, spelled_shape
from hhlo_xdsl.dialects.types import (
    FLOAT,
    INTEGER,
    INTEGER_OR_BOOL,
    RankedTensor,
    compatible_shapes,
    is_static,
    tensor,
    type_of,
)


@irdl_op_definition
class RngOp(AbstractOp):
    """result = random numbers, uniform in [a, b), or normal with mean a and standard deviation b.

    a, b             : rank 0, one element type E             (C1)
    shape            : vector of the result's sizes
    rng_distribution : UNIFORM, or NORMAL if E is floating    (C2)
    result           : tensor of these sizes and E            (C1, C3)

    Each time it runs it gives other numbers, so that it is no pure op; rng_bit_generator is one.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#rng
    """

    name = "stablehlo.rng"
    a = tensor_operand()
    b = tensor_operand()
    shape = tensor_operand()
    rng_distribution = prop_def(RngDistributionAttr)
    result = tensor_result()
    LOOKS_AROUND: ClassVar = True
    SPELLED: ClassVar = frozenset({"rng_distribution"})

    def __init__(self, a: SSAValue, b: SSAValue, shape: SSAValue, distribution: RngDistribution):
        """The result's sizes are known if `shape` is a constant."""
        result = self.infer(type_of(a), type_of(b), type_of(shape), distribution, as_ints(shape))
        self._build((a, b, shape), (result,), {"rng_distribution": RngDistributionAttr(distribution)})

    @classmethod
    def infer(
        cls,
        a: RankedTensor,
        b: RankedTensor,
        shape: RankedTensor,
        distribution: RngDistribution,
        sizes: Sequence[int] | None,
    ) -> RankedTensor:
        """The type of the result: the `sizes` that `shape` holds, unknown where None, and the elements of a."""
        for label, name, bound in (("I1", "a", a), ("I2", "b", b)):
            check_kind(cls.name, name, bound, INTEGER_OR_BOOL | FLOAT, label)
            if bound.get_num_dims():
                raise violated(cls.name, label, f"{name} is {bound}; its rank must be 0")
        check_same_elements(cls.name, "C1", a=a, b=b)
        if distribution is RngDistribution.NORMAL:
            check_kind(cls.name, "rng_distribution is NORMAL, a", a, FLOAT, "C2")
        check_sizes_operand(cls.name, "I3", "shape", shape)
        return tensor(spelled_shape(shape, sizes), a.element_type)

    def verify_semantics(self) -> None:
        inferred = self.infer(
            self.a.type, self.b.type, self.shape.type, self.rng_distribution.data, as_ints(self.shape)
        )
        check_result(self.name, self.result.type, inferred, "C3", elements="C1")

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 3)
        parser.parse_punctuation(",")
        parser.parse_keyword("distribution")
        parser.parse_punctuation("=")
        return operands, {"rng_distribution": RngDistributionAttr(parser.parse_str_enum(RngDistribution))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f", distribution = {self.rng_distribution.data.value}")


@irdl_op_definition
class RngBitGeneratorOp(AbstractOp):
    """output = random bits, and the state to make the next ones from; equal states give equal bits.

    initial_state : tensor of integers or floats; THREE_FRY takes 2 x ui64, PHILOX 2 or 3 x ui64
    output_state  : the shape of initial_state                                                      (C1)
    output        : integers or floats, of known sizes

    The size of a state is not compared with the algorithm (C2), as in upstream's verifier, nor is its element type.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#rng_bit_generator
    """

    name = "stablehlo.rng_bit_generator"
    initial_state = tensor_operand()
    rng_algorithm = prop_def(RngAlgorithmAttr)
    output_state = tensor_result()
    output = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"rng_algorithm"})

    def __init__(
        self, initial_state: SSAValue, output: RankedTensor, rng_algorithm: RngAlgorithm = RngAlgorithm.DEFAULT
    ):
        """`output` is the type of the bits."""
        results = self.infer(type_of(initial_state), output)
        self._build((initial_state,), results, {"rng_algorithm": RngAlgorithmAttr(rng_algorithm)})

    @classmethod
    def infer(cls, initial_state: RankedTensor, output: RankedTensor) -> tuple[RankedTensor, RankedTensor]:
        """The types of the results: the state's, and `output`."""
        check_kind(cls.name, "initial_state", initial_state, INTEGER | FLOAT)
        check_kind(cls.name, "output", output, INTEGER | FLOAT)
        if not is_static(output):
            raise ShapeError(f"{cls.name}: output is {output}; its sizes must be known")
        return initial_state, output

    def verify_semantics(self) -> None:
        state, _ = self.infer(self.initial_state.type, self.output.type)
        found = self.output_state.type
        check_kind(self.name, "output_state", found, INTEGER | FLOAT)
        if not compatible_shapes(found.get_shape(), state.get_shape()):
            raise violated(
                self.name, "C1", f"output_state is {found}, initial_state is {state}; their shapes must be equal"
            )

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 1)
        parser.parse_punctuation(",")
        parser.parse_keyword("algorithm")
        parser.parse_punctuation("=")
        return operands, {"rng_algorithm": RngAlgorithmAttr(parser.parse_str_enum(RngAlgorithm))}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f", algorithm = {self.rng_algorithm.data.value}")
