"""Batch normalization: of training, of inference, and its gradient.

A feature is an index of one dimension; mean and variance are those of all elements with that index, over n elements:
variance = sum((x - mean)^2) / n.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, FloatAttr, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.traits import Pure

from hhlo_xdsl.dialects.bounds import bounds_of
from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.base import I64, AbstractGenericOp, i64_attr, tensor_operand, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_kind, check_result, violated
from hhlo_xdsl.dialects.types import (
    FLOAT,
    QUANTIZED,
    RankedTensor,
    bounded,
    compatible_elements,
    compatible_sizes,
    compatible_sizes_and_bounds,
    type_of,
)

Named = tuple[str, RankedTensor]
"""An operand: its name and type."""


class AbstractBatchNorm(AbstractGenericOp):
    """An op on an operand and vectors with one element per feature.

    feature_index : which dimension of operand the features are, 0 <= feature_index < rank     (C1)
    epsilon       : is added to the variance, so that nothing is divided by 0
    """

    epsilon = prop_def(FloatAttr.constr(Float32Type()))
    feature_index = prop_def(I64)

    @property
    def feature(self) -> int:
        """Which dimension the features are."""
        return self.feature_index.value.data

    @staticmethod
    def _properties(epsilon: float, feature_index: int) -> dict[str, Attribute]:
        return {"epsilon": FloatAttr(epsilon, f32), "feature_index": i64_attr(feature_index)}

    @classmethod
    def _check_elements(cls, operands: Sequence[Named]) -> None:
        """Raise DTypeError unless the elements of all operands are floats, or quantized, of one type."""
        first_name, first = operands[0]
        for name, type in operands:
            check_kind(cls.name, name, type, FLOAT | QUANTIZED)
            if not compatible_elements(type.element_type, first.element_type):
                raise violated(
                    cls.name,
                    "C2",
                    f"{name} is {type}, {first_name} is {first}; their element types must be equal; convert one",
                    DTypeError,
                )

    @classmethod
    def _check_feature(cls, operand: RankedTensor, feature_index: int) -> None:
        rank = operand.get_num_dims()
        if not 0 <= feature_index < rank:
            found = f"feature_index is {feature_index}, operand is {operand}"
            raise violated(cls.name, "C1", f"{found}; it must be in 0..{rank - 1}")

    @classmethod
    def _check_vectors(
        cls, labels: Sequence[str], operand: RankedTensor, feature: int, vectors: Sequence[Named]
    ) -> None:
        """Raise ShapeError unless each vector has one element per feature; the labels are those of the vectors.

        As upstream, the first is compared with the operand, the others with those before.
        """
        sizes = [operand.get_shape()[feature]]
        for i, (label, (name, type)) in enumerate(zip(labels, vectors, strict=True)):
            if type.get_num_dims() != 1:
                raise violated(cls.name, label, f"{name} is {type}; it must be a vector with one element per feature")
            (size,) = type.get_shape()
            if not all(compatible_sizes(size, n) for n in (sizes if i == 0 else sizes[1:])):
                raise violated(
                    cls.name,
                    label,
                    f"{name} is {type}, operand is {operand}; {name} must have one element per feature, which are"
                    f" dimension {feature} of operand",
                )
            sizes.append(size)

    @staticmethod
    def _per_feature(operand: RankedTensor, feature: int) -> RankedTensor:
        """The type of a result with one element per feature."""
        bounds = bounds_of(operand)
        size = operand.get_shape()[feature]
        return bounded((size,), operand.element_type, None if bounds is None else (bounds[feature],))


@irdl_op_definition
class BatchNormTrainingOp(AbstractBatchNorm):
    """output = (operand - mean) / sqrt(variance + epsilon) * scale + offset, by feature; and mean and variance.

    operand                      : tensor of floats, or of quantized numbers, as all others     (C2)
    feature_index                : 0 <= feature_index < rank                                    (C1)
    scale, offset                : tensor F, one element per feature                            (C3, C4)
    output, batch_mean, batch_var: operand's type, and tensors F                                (C5, C6, C7)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#batch_norm_training
    """

    name = "stablehlo.batch_norm_training"
    operand = tensor_operand()
    scale = tensor_operand()
    offset = tensor_operand()
    output = tensor_result()
    batch_mean = tensor_result()
    batch_var = tensor_result()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, scale: SSAValue, offset: SSAValue, *, epsilon: float, feature_index: int):
        results = self.infer(type_of(operand), type_of(scale), type_of(offset), feature_index)
        self._build((operand, scale, offset), results, self._properties(epsilon, feature_index))

    @classmethod
    def infer(
        cls, operand: RankedTensor, scale: RankedTensor, offset: RankedTensor, feature_index: int
    ) -> tuple[RankedTensor, RankedTensor, RankedTensor]:
        """The types of the results: the operand's, and two of one element per feature."""
        vectors = ("scale", scale), ("offset", offset)
        cls._check_elements((("operand", operand), *vectors))
        cls._check_feature(operand, feature_index)
        cls._check_vectors(("C3", "C4"), operand, feature_index, vectors)
        vector = cls._per_feature(operand, feature_index)
        return operand, vector, vector

    def verify_semantics(self) -> None:
        inferred = self.infer(self.operand.type, self.scale.type, self.offset.type, self.feature)
        for label, name, found, expected in zip(
            ("C7", "C5", "C6"), ("output", "batch_mean", "batch_var"), self.result_types, inferred, strict=True
        ):
            check_result(self.name, found, expected, label, name, elements="C2")


@irdl_op_definition
class BatchNormInferenceOp(AbstractBatchNorm):
    """result = (operand - mean) / sqrt(variance + epsilon) * scale + offset, by feature.

    operand                       : tensor of floats, or of quantized numbers, as all others    (C2)
    feature_index                 : 0 <= feature_index < rank                                   (C1)
    scale, offset, mean, variance : tensor F, one element per feature                           (C3, C4, C5, C6)
    result                        : operand's type                                              (C7)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#batch_norm_inference
    """

    name = "stablehlo.batch_norm_inference"
    operand = tensor_operand()
    scale = tensor_operand()
    offset = tensor_operand()
    mean = tensor_operand()
    variance = tensor_operand()
    result = tensor_result()
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue,
        scale: SSAValue,
        offset: SSAValue,
        mean: SSAValue,
        variance: SSAValue,
        *,
        epsilon: float,
        feature_index: int,
    ):
        result = self.infer(
            type_of(operand), type_of(scale), type_of(offset), type_of(mean), type_of(variance), feature_index
        )
        operands = (operand, scale, offset, mean, variance)
        self._build(operands, (result,), self._properties(epsilon, feature_index))

    @classmethod
    def infer(
        cls,
        operand: RankedTensor,
        scale: RankedTensor,
        offset: RankedTensor,
        mean: RankedTensor,
        variance: RankedTensor,
        feature_index: int,
    ) -> RankedTensor:
        """The type of the result: the operand's."""
        vectors = ("scale", scale), ("offset", offset), ("mean", mean), ("variance", variance)
        cls._check_elements((("operand", operand), *vectors))
        cls._check_feature(operand, feature_index)
        cls._check_vectors(("C3", "C4", "C5", "C6"), operand, feature_index, vectors)
        return operand

    def verify_semantics(self) -> None:
        inferred = self.infer(
            self.operand.type, self.scale.type, self.offset.type, self.mean.type, self.variance.type, self.feature
        )
        check_result(self.name, self.result.type, inferred, "C7", elements="C2")


@irdl_op_definition
class BatchNormGradOp(AbstractBatchNorm):
    """The cotangents of operand, scale and offset of batch_norm_training, for that of its output, grad_output.

    operand                    : tensor of floats, or of quantized numbers, as all others       (C2)
    feature_index              : 0 <= feature_index < rank                                      (C1)
    scale, mean, variance      : tensor F, one element per feature                              (C4, C5)
    grad_output, grad_operand  : operand's type                                                 (C3)
    grad_scale, grad_offset    : the type of scale                                              (C4)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#batch_norm_grad
    """

    name = "stablehlo.batch_norm_grad"
    operand = tensor_operand()
    scale = tensor_operand()
    mean = tensor_operand()
    variance = tensor_operand()
    grad_output = tensor_operand()
    grad_operand = tensor_result()
    grad_scale = tensor_result()
    grad_offset = tensor_result()
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue,
        scale: SSAValue,
        mean: SSAValue,
        variance: SSAValue,
        grad_output: SSAValue,
        *,
        epsilon: float,
        feature_index: int,
    ):
        results = self.infer(
            type_of(operand), type_of(scale), type_of(mean), type_of(variance), type_of(grad_output), feature_index
        )
        operands = (operand, scale, mean, variance, grad_output)
        self._build(operands, results, self._properties(epsilon, feature_index))

    @classmethod
    def infer(
        cls,
        operand: RankedTensor,
        scale: RankedTensor,
        mean: RankedTensor,
        variance: RankedTensor,
        grad_output: RankedTensor,
        feature_index: int,
    ) -> tuple[RankedTensor, RankedTensor, RankedTensor]:
        """The types of the results: the operand's, and two of one element per feature."""
        vectors = ("scale", scale), ("mean", mean), ("variance", variance)
        cls._check_elements((("operand", operand), *vectors, ("grad_output", grad_output)))
        if not compatible_sizes_and_bounds(operand, grad_output):
            found = f"grad_output is {grad_output}, operand is {operand}"
            raise violated(cls.name, "C3", f"{found}; their shapes must be equal")
        cls._check_feature(operand, feature_index)
        cls._check_vectors(("C5", "C4", "C4"), operand, feature_index, vectors)
        vector = cls._per_feature(operand, feature_index)
        return operand, vector, vector

    def verify_semantics(self) -> None:
        inferred = self.infer(
            self.operand.type, self.scale.type, self.mean.type, self.variance.type, self.grad_output.type, self.feature
        )
        for label, name, found, expected in zip(
            ("C3", "C4", "C4"), ("grad_operand", "grad_scale", "grad_offset"), self.result_types, inferred, strict=True
        ):
            check_result(self.name, found, expected, label, name, elements="C2")
