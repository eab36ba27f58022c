"""The gradients of dynamic_slice and dynamic_update_slice, at starts inside and outside of what is allowed."""

import numpy as np
import pytest

from tests.harness import check_vjp

PROGRAM = """
func.func @main(%x: tensor<5x4xf64>, %u: tensor<2x3xf64>, %i: tensor<i32>, %j: tensor<i32>)
    -> (tensor<5x4xf64>, tensor<3x2xf64>) {
  %y = stablehlo.dynamic_update_slice %x, %u, %i, %j
      : (tensor<5x4xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<5x4xf64>
  %q = stablehlo.multiply %y, %y : tensor<5x4xf64>
  %z = stablehlo.dynamic_slice %q, %j, %i, sizes = [3, 2] : (tensor<5x4xf64>, tensor<i32>, tensor<i32>) -> tensor<3x2xf64>
  return %q, %z : tensor<5x4xf64>, tensor<3x2xf64>
}
"""


@pytest.mark.parametrize("starts", [(1, 0), (4, 3), (-2, 1)], ids=str)
def test_clamped_starts(starts: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    numbers = [rng.standard_normal((5, 4)), rng.standard_normal((2, 3))]
    check_vjp(PROGRAM, [*numbers, *(np.array(start, np.int32) for start in starts)], order=2)
