"""CHLO's elementwise ops with one operand.

Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.irdl import irdl_op_definition

from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.base import AbstractUnary
from hhlo_xdsl.dialects.stablehlo.checks import check_kind
from hhlo_xdsl.dialects.types import FLOAT, FLOAT_OR_COMPLEX, RankedTensor, like


class AbstractChloUnary(AbstractUnary):
    """result = f(operand), element by element; operand and result have one type."""

    TYPE_FORM: ClassVar = assembly.ARROW
    ELEMENTS: ClassVar = FLOAT_OR_COMPLEX


@irdl_op_definition
class AsinAcosKernelOp(AbstractChloUnary):
    """result = the numbers that asin and acos of a complex operand are made of.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlo_asin_acos_kernel-chloasinacoskernelop
    """

    name = "chlo._asin_acos_kernel"
    ELEMENTS: ClassVar = frozenset({"complex"})


@irdl_op_definition
class AcosOp(AbstractChloUnary):
    """result = the angle in [0, pi] whose cosine is the operand, in radians.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloacos-chloacosop
    """

    name = "chlo.acos"


@irdl_op_definition
class AcoshOp(AbstractChloUnary):
    """result = the non-negative number whose hyperbolic cosine is the operand, NaN below 1.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloacosh-chloacoshop
    """

    name = "chlo.acosh"


@irdl_op_definition
class AsinOp(AbstractChloUnary):
    """result = the angle in [-pi / 2, pi / 2] whose sine is the operand, in radians.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloasin-chloasinop
    """

    name = "chlo.asin"


@irdl_op_definition
class AsinhOp(AbstractChloUnary):
    """result = the number whose hyperbolic sine is the operand.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloasinh-chloasinhop
    """

    name = "chlo.asinh"


@irdl_op_definition
class AtanOp(AbstractChloUnary):
    """result = the angle in [-pi / 2, pi / 2] whose tangent is the operand, in radians.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloatan-chloatanop
    """

    name = "chlo.atan"


@irdl_op_definition
class AtanhOp(AbstractChloUnary):
    """result = the number whose hyperbolic tangent is the operand, NaN beyond -1 and 1.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloatanh-chloatanhop
    """

    name = "chlo.atanh"


@irdl_op_definition
class BesselI1eOp(AbstractChloUnary):
    """result = e ** -abs(operand) * I1(operand), the scaled modified Bessel function of order 1.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlobessel_i1e-chlobesseli1eop
    """

    name = "chlo.bessel_i1e"


@irdl_op_definition
class ConjOp(AbstractChloUnary):
    """result = the complex conjugate; a real operand itself.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloconj-chloconjop
    """

    name = "chlo.conj"


@irdl_op_definition
class CoshOp(AbstractChloUnary):
    """result = the hyperbolic cosine.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlocosh-chlocoshop
    """

    name = "chlo.cosh"


@irdl_op_definition
class DigammaOp(AbstractChloUnary):
    """result = the derivative of lgamma.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlodigamma-chlodigammaop
    """

    name = "chlo.digamma"
    ELEMENTS: ClassVar = FLOAT


@irdl_op_definition
class ErfOp(AbstractChloUnary):
    """result = the error function.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloerf-chloerfop
    """

    name = "chlo.erf"
    ELEMENTS: ClassVar = FLOAT


@irdl_op_definition
class ErfInvOp(AbstractChloUnary):
    """result = the number whose error function is the operand.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloerf_inv-chloerfinvop
    """

    name = "chlo.erf_inv"
    ELEMENTS: ClassVar = FLOAT


@irdl_op_definition
class ErfcOp(AbstractChloUnary):
    """result = 1 - erf(operand), accurate where erf is near 1.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chloerfc-chloerfcop
    """

    name = "chlo.erfc"
    ELEMENTS: ClassVar = FLOAT


@irdl_op_definition
class LgammaOp(AbstractChloUnary):
    """result = log(abs(gamma(operand))).

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlolgamma-chlolgammaop
    """

    name = "chlo.lgamma"
    ELEMENTS: ClassVar = FLOAT


@irdl_op_definition
class SinhOp(AbstractChloUnary):
    """result = the hyperbolic sine.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlosinh-chlosinhop
    """

    name = "chlo.sinh"


@irdl_op_definition
class SquareOp(AbstractChloUnary):
    """result = operand * operand.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlosquare-chlosquareop
    """

    name = "chlo.square"


@irdl_op_definition
class TanOp(AbstractChloUnary):
    """result = tan(operand), in radians.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlotan-chlotanop
    """

    name = "chlo.tan"


class AbstractChloTest(AbstractChloUnary):
    """result = whether each element has a property: i1 in the operand's shape."""

    ELEMENTS: ClassVar = FLOAT

    @classmethod
    def infer(cls, operand: RankedTensor) -> RankedTensor:
        """The type of the result: i1 elements in the operand's shape."""
        check_kind(cls.name, "operand", operand, cls.ELEMENTS)
        return like(operand, element=i1)


@irdl_op_definition
class IsInfOp(AbstractChloTest):
    """result = whether the operand is infinite, of either sign.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlois_inf-chloisinfop
    """

    name = "chlo.is_inf"


@irdl_op_definition
class IsNegInfOp(AbstractChloTest):
    """result = whether the operand is minus infinity.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlois_neg_inf-chloisneginfop
    """

    name = "chlo.is_neg_inf"


@irdl_op_definition
class IsPosInfOp(AbstractChloTest):
    """result = whether the operand is plus infinity.

    Ops: https://github.com/openxla/stablehlo/blob/main/docs/generated/chlo.md#chlois_pos_inf-chloisposinfop
    """

    name = "chlo.is_pos_inf"
