"""Ops that multiply two tensors and sum: dot_general and convolution. Padding for gradients does not belong here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import BaseAttr, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from hhlo_xdsl.dialects.elements import integers
from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.base import (
    I64,
    I64S,
    AbstractOp,
    i64_attr,
    ints,
    tensor_operand,
    tensor_result,
)
from hhlo_xdsl.dialects.stablehlo.checks import check_distinct_in_range, check_kind, check_result, violated
from hhlo_xdsl.dialects.stablehlo.conv_window import PLAIN, Window, parse_window, print_window, window_properties
from hhlo_xdsl.dialects.stablehlo.creation import Elements
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import (
    ConvNumbers,
    ConvNumbersAttr,
    Dims,
    DotAlgorithm,
    DotAlgorithmAttr,
    DotNumbers,
    DotNumbersAttr,
    check_algorithm,
    parse_conv_numbers,
)
from hhlo_xdsl.dialects.stablehlo.precision import (
    PRECISIONS,
    check_precision,
    parse_precision,
    precision_property,
    precisions,
    spelled_precision,
)
from hhlo_xdsl.dialects.stablehlo.quantized import check_contracted, check_convolved, is_quantized
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim, others
from hhlo_xdsl.dialects.types import (
    ANY,
    QUANTIZED,
    QUANTIZED_ANY,
    UNKNOWN,
    Kind,
    RankedTensor,
    compatible_sizes,
    limits,
    tensor,
    type_of,
)

I1S = DenseArrayBase.constr(i1)


@irdl_op_definition
class DotGeneralOp(AbstractOp):
    """result[b.., i.., j..] = sum over k.. of lhs[b, i, k] * rhs[b, j, k], each operand's dimensions in any order.

    lhs_batching, rhs_batching       : equally many (C1), in range (C5, C7), of equal sizes b (C9)
    lhs_contracting, rhs_contracting : equally many (C2), in range (C6, C8), of equal sizes k (C10)
    both lists of an operand         : no dimension twice (C3, C4)
    precision_config                 : at most two, for lhs and rhs (C11); DEFAULT where there is an algorithm (C21)
    algorithm                        : counts >= 1 (C22, C23, C24), one that hardware is known to have (I8)
    result                           : batching, lhs's free, then rhs's free sizes (C12), of any element type

    Operands of two element types pass, as in upstream's verifier, although C13 asks for one.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#dot_general
    """

    name = "stablehlo.dot_general"
    lhs = tensor_operand()
    rhs = tensor_operand()
    dot_dimension_numbers = prop_def(DotNumbersAttr)
    precision_config = opt_prop_def(PRECISIONS)
    algorithm = opt_prop_def(DotAlgorithmAttr)
    result = tensor_result()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"dot_dimension_numbers", "precision_config", "algorithm"})

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        numbers: DotNumbers,
        *,
        precision: Sequence[Precision] = (),
        algorithm: DotAlgorithm | None = None,
        element: Attribute | None = None,
    ):
        """The result's elements are those of lhs unless `element` says otherwise."""
        result = self.infer(type_of(lhs), type_of(rhs), numbers, element)
        self._check_accuracy(precision, algorithm)
        properties: dict[str, Attribute] = {"dot_dimension_numbers": DotNumbersAttr(numbers)}
        properties |= precision_property(precision)
        if algorithm is not None:
            properties["algorithm"] = DotAlgorithmAttr(algorithm)
        self._build((lhs, rhs), (result,), properties)

    @property
    def numbers(self) -> DotNumbers:
        """The roles of the operands' dimensions."""
        return self.dot_dimension_numbers.data

    @property
    def free(self) -> tuple[Dims, Dims]:
        """The dimensions of lhs, and those of rhs, that are neither batching nor contracting."""
        return _free(self.lhs.type, self.rhs.type, self.numbers)

    @property
    def precision(self) -> tuple[Precision, ...]:
        """The precisions of lhs and rhs; () where absent."""
        return precisions(self.precision_config)

    @classmethod
    def infer(
        cls, lhs: RankedTensor, rhs: RankedTensor, numbers: DotNumbers, element: Attribute | None = None
    ) -> RankedTensor:
        """The type of the result: batching, lhs's free and rhs's free sizes, of `element` or lhs's elements."""
        check_kind(cls.name, "lhs", lhs, ANY | QUANTIZED)
        check_kind(cls.name, "rhs", rhs, ANY | QUANTIZED_ANY)
        n = numbers
        cls._check_counts(("C1", "batching"), n.lhs_batching, n.rhs_batching)
        cls._check_counts(("C2", "contracting"), n.lhs_contracting, n.rhs_contracting)
        cls._check_dims(("C3", "C5", "C6"), "lhs", lhs, n.lhs_batching, n.lhs_contracting)
        cls._check_dims(("C4", "C7", "C8"), "rhs", rhs, n.rhs_batching, n.rhs_contracting)
        batch = cls._common_sizes(("C9", "batching"), lhs, rhs, n.lhs_batching, n.rhs_batching)
        cls._common_sizes(("C10", "contracting"), lhs, rhs, n.lhs_contracting, n.rhs_contracting)
        free = [t.get_shape()[d] for t, dims in zip((lhs, rhs), _free(lhs, rhs, n), strict=True) for d in dims]
        return tensor((*batch, *free), lhs.element_type if element is None else element)

    @classmethod
    def _check_counts(cls, role: tuple[str, str], lhs: Dims, rhs: Dims) -> None:
        label, name = role
        if len(lhs) != len(rhs):
            raise violated(
                cls.name,
                label,
                f"the {name} dimensions are {list(lhs)} of lhs and {list(rhs)} of rhs; list equally many, in pairs",
            )

    @classmethod
    def _check_dims(
        cls, labels: tuple[str, str, str], name: str, type: RankedTensor, batching: Dims, contracting: Dims
    ) -> None:
        distinct, *in_range = labels
        for label, role, dims in zip(in_range, ("batching", "contracting"), (batching, contracting), strict=True):
            what = f"{name}_{role}_dimensions"
            check_distinct_in_range(cls.name, (distinct, label), what, dims, type.get_num_dims(), type)
        if set(batching) & set(contracting):
            raise violated(
                cls.name,
                distinct,
                f"the dimensions of {name} are batching {list(batching)} and contracting {list(contracting)};"
                " no dimension may be both",
            )

    @classmethod
    def _common_sizes(
        cls, role: tuple[str, str], lhs: RankedTensor, rhs: RankedTensor, lhs_dims: Dims, rhs_dims: Dims
    ) -> list[int]:
        label, name = role
        sizes: list[int] = []
        for i, j in zip(lhs_dims, rhs_dims, strict=True):
            m, n = lhs.get_shape()[i], rhs.get_shape()[j]
            # As upstream, bounds matter to batching dimensions only.
            beyond = name == "batching" and not (_fits(m, limits(rhs)[j]) and _fits(n, limits(lhs)[i]))
            if not compatible_sizes(m, n) or beyond:
                raise violated(
                    cls.name,
                    label,
                    f"{name} dimension {i} of lhs {lhs} has size {m}, its partner {j} of rhs {rhs} has size {n};"
                    " they must be equal",
                )
            sizes.append(n if m == UNKNOWN else m)
        return sizes

    @classmethod
    def _check_accuracy(cls, precision: Sequence[Precision], algorithm: DotAlgorithm | None) -> None:
        check_precision(cls.name, "C11", precision)
        if algorithm is None:
            return
        if any(p is not Precision.DEFAULT for p in precision):
            raise violated(
                cls.name,
                "C21",
                f"precision is {[p.value for p in precision]} beside an algorithm; leave one of them out",
                VerifyError,
            )
        check_algorithm(cls.name, algorithm)

    def verify_semantics(self) -> None:
        inferred = self.infer(self.lhs.type, self.rhs.type, self.numbers, self.result.type.element_type)
        check_kind(self.name, "result", self.result.type, ANY | QUANTIZED_ANY)
        check_result(self.name, self.result.type, inferred, "C12", bounds=False)
        self._check_accuracy(self.precision, None if self.algorithm is None else self.algorithm.data)
        if is_quantized(*(types := (self.lhs.type, self.rhs.type, self.result.type))):
            check_contracted(self.name, *types, self.numbers.rhs_contracting)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operands = assembly.parse_operands(parser, 2)
        parser.parse_punctuation(",")
        batching: tuple[Dims, Dims] = (), ()
        if parser.parse_optional_keyword("batching_dims") is not None:
            batching = _parse_pair(parser)
            parser.parse_punctuation(",")
        parser.parse_keyword("contracting_dims")
        numbers = DotNumbers(*batching, *_parse_pair(parser))
        return operands, {"dot_dimension_numbers": DotNumbersAttr(numbers)} | cls._parse_accuracy(parser)

    @staticmethod
    def _parse_accuracy(parser: Parser) -> dict[str, Attribute]:
        """`, precision = [DEFAULT, HIGH], algorithm = <..>`, each of them optional."""
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_punctuation(",") is None:
            return properties
        if parser.parse_optional_keyword("precision") is not None:
            properties |= parse_precision(parser)
            if parser.parse_optional_punctuation(",") is None:
                return properties
        parser.parse_keyword("algorithm")
        parser.parse_punctuation("=")
        return properties | {"algorithm": DotAlgorithmAttr(DotAlgorithmAttr.parse_parameter(parser))}

    def print_arguments(self, printer: Printer) -> None:
        n = self.numbers
        assembly.print_operands(printer, self.operands)
        if n.lhs_batching or n.rhs_batching:
            printer.print_string(f", batching_dims = {list(n.lhs_batching)} x {list(n.rhs_batching)}")
        printer.print_string(f", contracting_dims = {list(n.lhs_contracting)} x {list(n.rhs_contracting)}")
        if self.precision_config is not None:
            printer.print_string(", " + spelled_precision(self.precision))
        if self.algorithm is not None:
            printer.print_string(", algorithm = ")
            self.algorithm.print_parameter(printer)


def _parse_pair(parser: Parser) -> tuple[Dims, Dims]:
    """`= [0] x [1]`"""
    parser.parse_punctuation("=")
    lhs = assembly.parse_ints(parser)
    parser.parse_keyword("x")
    return lhs, assembly.parse_ints(parser)


def _free(lhs: RankedTensor, rhs: RankedTensor, numbers: DotNumbers) -> tuple[Dims, Dims]:
    """The dimensions of lhs, and of rhs, that no list of `numbers` names."""
    return (
        others(lhs.get_num_dims(), numbers.lhs_batching, numbers.lhs_contracting),
        others(rhs.get_num_dims(), numbers.rhs_batching, numbers.rhs_contracting),
    )


def _fits(size: int, limit: int) -> bool:
    """Whether a size that is at most `limit` can be `size`."""
    return UNKNOWN in (size, limit) or size <= limit


class AbstractConvolution(AbstractOp):
    """What convolution and dynamic_conv share: all but padding, an attribute of the one, an operand of the other."""

    lhs = tensor_operand()
    rhs = tensor_operand()
    window_strides = opt_prop_def(I64S)
    lhs_dilation = opt_prop_def(I64S)
    rhs_dilation = opt_prop_def(I64S)
    window_reversal = opt_prop_def(I1S)
    dimension_numbers = prop_def(ConvNumbersAttr)
    feature_group_count = prop_def(I64)
    batch_group_count = prop_def(I64)
    precision_config = opt_prop_def(PRECISIONS)
    result = tensor_result()
    WEIGHTS: ClassVar[frozenset[Kind]] = ANY | QUANTIZED_ANY
    """The kinds of elements of rhs, and so of the result."""

    @classmethod
    def _properties(
        cls, numbers: ConvNumbers, window: Window, groups: tuple[int, int], precision: Sequence[Precision]
    ) -> dict[str, Attribute]:
        """All properties, those of `window` included; `groups` are feature and batch group count."""
        check_precision(cls.name, "C24", precision)
        properties: dict[str, Attribute] = {
            "dimension_numbers": ConvNumbersAttr(numbers),
            "feature_group_count": i64_attr(groups[0]),
            "batch_group_count": i64_attr(groups[1]),
        }
        return properties | precision_property(precision) | window_properties(window)

    @property
    def numbers(self) -> ConvNumbers:
        """The roles of all dimensions."""
        return self.dimension_numbers.data

    def _window(self, padding: tuple[tuple[int, int], ...]) -> Window:
        """How the kernel slides, with the given padding."""
        return Window(
            _optional_ints(self.window_strides),
            padding,
            _optional_ints(self.lhs_dilation),
            _optional_ints(self.rhs_dilation),
            tuple(map(bool, _optional_ints(self.window_reversal))),
        )

    @property
    def groups(self) -> tuple[int, int]:
        """feature_group_count and batch_group_count."""
        return self.feature_group_count.value.data, self.batch_group_count.value.data

    @property
    def precision(self) -> tuple[Precision, ...]:
        """The precisions of lhs and rhs; () where absent."""
        return precisions(self.precision_config)

    @classmethod
    def infer(
        cls,
        lhs: RankedTensor,
        rhs: RankedTensor,
        numbers: ConvNumbers,
        window: Window = PLAIN,
        groups: tuple[int, int] = (1, 1),
        element: Attribute | None = None,
    ) -> RankedTensor:
        """The type of the result, of `element` or lhs's elements; `groups` are feature and batch group count."""
        cls.check_roles(lhs, rhs, numbers, groups)
        rank = lhs.get_num_dims()
        cls._check_window(window, rank - 2)
        windows = _windows(lhs, rhs, numbers, window)
        if any(w.size == 0 for w in windows):
            raise violated(cls.name, "C25", f"rhs is {rhs}; its spatial sizes must be at least 1")
        batch = lhs.get_shape()[numbers.lhs.batch]
        sizes = dict(zip(numbers.out.spatial, (w.out for w in windows), strict=True))
        sizes[numbers.out.batch] = batch if batch == UNKNOWN else batch // groups[1]
        sizes[numbers.out.feature] = rhs.get_shape()[numbers.rhs.output]
        return tensor(tuple(sizes[d] for d in range(rank)), lhs.element_type if element is None else element)

    @classmethod
    def check_roles(cls, lhs: RankedTensor, rhs: RankedTensor, numbers: ConvNumbers, groups: tuple[int, int]) -> None:
        """Raise unless operands, dimensions and groups fit together, whatever the window is."""
        cls._check_operands(lhs, rhs)
        cls._check_numbers(numbers, lhs.get_num_dims())
        cls._check_groups(lhs, rhs, numbers, *groups)

    @classmethod
    def _check_operands(cls, lhs: RankedTensor, rhs: RankedTensor) -> None:
        check_kind(cls.name, "lhs", lhs, ANY | QUANTIZED)
        check_kind(cls.name, "rhs", rhs, cls.WEIGHTS)
        if lhs.get_num_dims() != rhs.get_num_dims():
            raise violated(cls.name, "C1", f"lhs is {lhs}, rhs is {rhs}; their ranks must be equal")
        if lhs.get_num_dims() < 2:
            raise violated(
                cls.name, "C13", f"lhs is {lhs}; it needs a batch and a feature dimension, so rank 2 or more"
            )
        if lhs.element_type != rhs.element_type and not is_quantized(lhs, rhs):
            raise violated(
                cls.name,
                "C27",
                f"lhs is {lhs}, rhs is {rhs}; their element types must be equal; convert one",
                DTypeError,
            )

    @classmethod
    def _check_numbers(cls, numbers: ConvNumbers, rank: int) -> None:
        lhs, rhs, out = numbers.lhs, numbers.rhs, numbers.out
        for labels, name, first, second, spatial in (
            (("C12", "C13"), "lhs", lhs.batch, lhs.feature, lhs.spatial),
            (("C17", "C18"), "rhs", rhs.input, rhs.output, rhs.spatial),
            (("C19", "C20"), "the result", out.batch, out.feature, out.spatial),
        ):
            if len(spatial) != rank - 2:
                raise violated(
                    cls.name,
                    labels[0],
                    f"{name} has spatial dimensions {list(spatial)} in {numbers}; rank {rank} needs {rank - 2} of them",
                )
            what = f"the dimensions of {name}"
            check_distinct_in_range(cls.name, (labels[1], labels[1]), what, (first, second, *spatial), rank)

    @classmethod
    def _check_window(cls, window: Window, spatial: int) -> None:
        for labels, name, values in (
            (("C2", "C3"), "window_strides", window.strides),
            (("C5", "C6"), "lhs_dilation", window.lhs_dilation),
            (("C7", "C8"), "rhs_dilation", window.rhs_dilation),
        ):
            cls._check_per_dimension(labels[0], name, values, spatial)
            if any(n < 1 for n in values):
                raise violated(cls.name, labels[1], f"{name} is {list(values)}; each must be at least 1")
        cls._check_per_dimension("C4", "padding", window.padding, spatial)
        cls._check_per_dimension("C9", "window_reversal", window.reversal, spatial)

    @classmethod
    def _check_per_dimension(cls, label: str, name: str, values: Sequence[object], spatial: int) -> None:
        if len(values) not in (0, spatial):
            raise violated(
                cls.name, label, f"{name} is {list(values)}; give {spatial} entries, one per spatial dimension, or none"
            )

    @classmethod
    def _check_groups(
        cls, lhs: RankedTensor, rhs: RankedTensor, numbers: ConvNumbers, features: int, batches: int
    ) -> None:
        for label, name, n in (("C21", "feature_group_count", features), ("C22", "batch_group_count", batches)):
            if n < 1:
                raise violated(cls.name, label, f"{name} is {n}; it must be at least 1, which means no groups")
        if features > 1 and batches > 1:
            raise violated(
                cls.name, "C23", f"feature_group_count is {features}, batch_group_count is {batches}; one must be 1"
            )
        x, k = lhs.get_shape(), rhs.get_shape()
        cls._check_divides("C10", "batch_group_count", batches, f"the batch of lhs {lhs}", x[numbers.lhs.batch])
        cls._check_divides("C11", "feature_group_count", features, f"lhs {lhs}", x[numbers.lhs.feature])
        made = f"the output features of rhs {rhs}"
        cls._check_divides("C15", "batch_group_count", batches, made, k[numbers.rhs.output])
        cls._check_divides("C16", "feature_group_count", features, made, k[numbers.rhs.output])
        taken = x[numbers.lhs.feature]
        if taken != UNKNOWN and not compatible_sizes(taken // features, k[numbers.rhs.input]):
            raise violated(
                cls.name,
                "C14",
                f"rhs {rhs} takes {k[numbers.rhs.input]} features, lhs {lhs} has {taken} in {features} group(s);"
                f" it must take {taken // features}",
            )

    @classmethod
    def _check_divides(cls, label: str, count: str, n: int, what: str, size: int) -> None:
        if size != UNKNOWN and size % n:
            raise violated(cls.name, label, f"{count} is {n}; it must divide {size}, {what}")

    def _check_accuracy(self) -> None:
        """Raise unless precision, and the quantization of operands and result, are right."""
        check_precision(self.name, "C24", self.precision)
        check_kind(self.name, "result", self.result.type, self.WEIGHTS)
        if is_quantized(*(types := (self.lhs.type, self.rhs.type, self.result.type))):
            check_convolved(self.name, *types, (self.numbers.rhs.output, self.numbers.out.feature))


@irdl_op_definition
class ConvolutionOp(AbstractConvolution):
    """result[b, y, o] = sum over i, x of lhs[b, s*y + a*x - low, i] * rhs[x, i, o], lhs dilated and padded with zeros.

    lhs, rhs, result    : one rank N >= 2 (C1, C26); lhs and rhs of one element type (C27), the result of any
    dimension_numbers   : N - 2 spatial dimensions (C12, C17, C19); each dimension has one role (C13, C18, C20)
    window_strides s, lhs_dilation, rhs_dilation a : N - 2 each (C2, C5, C7), >= 1 (C3, C6, C8); 1 where absent
    padding             : N - 2 pairs low, high (C4); 0 where absent
    window_reversal     : N - 2 flags (C9); true reads the kernel backwards
    feature_group_count : G >= 1 (C21) divides lhs's features (C11) and rhs's output features (C16); rhs has a G-th of
                          lhs's features as input features (C14): each of G groups convolves its own features
    batch_group_count   : B >= 1 (C22) divides lhs's batch (C10) and rhs's output features (C15): group by batch instead
    both                : one of them is 1 (C23)
    precision_config    : at most two, for lhs and rhs (C24)
    result              : batch / B, rhs's output features, and per spatial dimension the number of windows (C25)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#convolution
    """

    name = "stablehlo.convolution"
    padding = opt_prop_def(BaseAttr(DenseIntOrFPElementsAttr))
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset(
        {"dimension_numbers", "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"}
    )

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        numbers: ConvNumbers,
        window: Window = PLAIN,
        *,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision: Sequence[Precision] = (),
        element: Attribute | None = None,
    ):
        """The result's elements are those of lhs unless `element` says otherwise."""
        groups = (feature_group_count, batch_group_count)
        result = self.infer(type_of(lhs), type_of(rhs), numbers, window, groups, element)
        self._build((lhs, rhs), (result,), self._properties(numbers, window, groups, precision))

    @property
    def window(self) -> Window:
        """How the kernel slides."""
        return self._window(() if self.padding is None else self._padding_pairs(self.padding))

    @classmethod
    def _padding_pairs(cls, padding: Elements) -> tuple[tuple[int, int], ...]:
        type = cast(RankedTensor, padding.get_type())
        if type.element_type != i64 or type.get_num_dims() != 2 or type.get_shape()[1] != 2:
            raise violated(cls.name, "C4", f"padding is {padding}; it must be i64, [low, high] per spatial dimension")
        flat = integers(padding)
        return tuple(zip(flat[::2], flat[1::2], strict=True))

    @property
    def windows(self) -> tuple[WindowDim, ...]:
        """The window along each spatial dimension."""
        return _windows(self.lhs.type, self.rhs.type, self.numbers, self.window)

    def verify_semantics(self) -> None:
        element = self.result.type.element_type
        inferred = self.infer(self.lhs.type, self.rhs.type, self.numbers, self.window, self.groups, element)
        if self.result.type.get_num_dims() != inferred.get_num_dims():
            raise violated(
                self.name, "C26", f"result is {self.result.type}; it must have the rank of lhs {self.lhs.type}"
            )
        check_result(self.name, self.result.type, inferred, "C25", bounds=False)
        self._check_accuracy()

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        with parser.in_parens():
            operands = assembly.parse_operands(parser, 2)
        parser.parse_keyword("dim_numbers")
        parser.parse_punctuation("=")
        numbers = ConvNumbersAttr(parse_conv_numbers(parser))
        parser.parse_punctuation(",")
        parser.parse_keyword("window")
        parser.parse_punctuation("=")
        return operands, {"dimension_numbers": numbers} | parse_window(parser)

    def print_arguments(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f") dim_numbers = {self.numbers}, window = ")
        print_window(printer, self.window, self.properties)


def _windows(lhs: RankedTensor, rhs: RankedTensor, numbers: ConvNumbers, window: Window) -> tuple[WindowDim, ...]:
    bases = [lhs.get_shape()[d] for d in numbers.lhs.spatial]
    return window.dims(bases, [rhs.get_shape()[d] for d in numbers.rhs.spatial])


def _optional_ints(array: DenseArrayBase[Any] | None) -> Dims:
    return () if array is None else ints(array)
