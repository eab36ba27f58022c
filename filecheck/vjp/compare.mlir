// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' | filecheck %s

// y = select(p, a, b): ct goes to the branch that was chosen, zero to the other.
// CHECK:      func.func @main(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %[[CT:.*]]: tensor<4xf32>)
// CHECK:        %[[Z:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[DA:.*]] = stablehlo.select %p, %[[CT]], %[[Z]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:   %[[DB:.*]] = stablehlo.select %p, %[[Z]], %[[CT]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:   func.return %[[DA]], %[[DB]] : tensor<4xf32>, tensor<4xf32>
func.func @main(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %y : tensor<4xf32>
}
