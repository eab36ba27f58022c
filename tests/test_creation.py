"""Constants and iota: values, and that no gradient flows into them."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import IndexType, f32, i32

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, IotaOp, as_constant, elements, scalar_elements
from hhlo_xdsl.dialects.types import tensor
from tests.harness import run, vjp_of


@pytest.mark.parametrize("dim", [0, 1])
def test_iota(dim: int) -> None:
    t = "tensor<2x3xi32>"
    (found,) = run(f"func.func @main() -> {t} {{\n  %0 = stablehlo.iota dim = {dim} : {t}\n  return %0 : {t}\n}}")
    np.testing.assert_array_equal(found, np.indices((2, 3))[dim])


def test_constants() -> None:
    t, c = "tensor<2xf32>", "tensor<2xcomplex<f64>>"
    text = f"""func.func @main() -> ({t}, {c}) {{
      %0 = stablehlo.constant dense<[0xFF800000, -0.0]> : {t}
      %1 = stablehlo.constant dense<[(1.0, -2.0), (0.0, 3.5)]> : {c}
      return %0, %1 : {t}, {c}
    }}"""
    real, complex_ = run(text)
    assert real[0] == -np.inf
    assert np.signbit(real[1])
    assert complex_.tolist() == [1 - 2j, 3.5j]


def test_no_gradient_flows_into_a_constant() -> None:
    t = "tensor<2xf64>"
    text = f"""func.func @main(%x: {t}) -> {t} {{
      %0 = stablehlo.constant dense<[3.0, 5.0]> : {t}
      return %0 : {t}
    }}"""
    (gradient,) = run(vjp_of(text), np.ones(2), np.ones(2))
    assert gradient.tolist() == [0, 0]


def test_signed_zeros_are_different_constants() -> None:
    assert scalar_elements(f32, 0.0) is not scalar_elements(f32, -0.0)
    assert scalar_elements(f32, 1.0) is scalar_elements(f32, 1.0)


def test_as_constant_reads_scalars_and_splats() -> None:
    assert as_constant(ConstantOp(scalar_elements(i32, 7)).output) == 7
    assert as_constant(ConstantOp(elements(tensor((3,), f32), [2.5])).output) == 2.5
    assert as_constant(ConstantOp(elements(tensor((2,), f32), [1, 2])).output) is None


def test_iota_c1() -> None:
    with pytest.raises(ShapeError, match=r"stablehlo.iota: iota_dimension is 2; it must be in 0..1.*\(spec iota C1\)"):
        IotaOp(tensor((2, 3), i32), 2)


def test_a_constant_of_a_type_without_numbers_is_refused() -> None:
    with pytest.raises(DTypeError, match="there is no number of type"):
        scalar_elements(IndexType(), 1)
