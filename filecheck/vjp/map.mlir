// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' | filecheck %s

// A computation of elementwise ops is differentiated on whole tensors.
// CHECK:      @main(%[[X:.*]]: tensor<3xf32>, %[[CT:.*]]: tensor<3xf32>)
// CHECK-NEXT: %[[C:.*]] = stablehlo.cosine %[[X]]
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %[[CT]], %[[C]]
// CHECK-NEXT: return %[[DX]]
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %r = stablehlo.sine %a : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
