// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' | filecheck %s

// dot is a dot_general without batch: dx = ct y^T, dy = x^T ct.
// CHECK:      @main(%[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<3x4xf32>, %[[CT:.*]]: tensor<2x4xf32>)
// CHECK-NEXT: %[[DX:.*]] = stablehlo.dot_general %[[CT]], %[[Y]], contracting_dims = [1] x [1]
// CHECK-NEXT: %[[DY:.*]] = stablehlo.dot_general %[[X]], %[[CT]], contracting_dims = [0] x [0]
// CHECK-NEXT: return %[[DX]], %[[DY]]
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %z = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}
