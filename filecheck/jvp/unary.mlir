// RUN: xdsl-opt %s -p hhlo-jvp --split-input-file | filecheck %s

// y = tanh(x), along t: t * (1 - y * y). The tangent of the argument follows the arguments, that of the result the results.
// CHECK:      func.func @main(%x: tensor<4xf32>, %[[T:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:   %[[Y:.*]] = stablehlo.tanh %x : tensor<4xf32>
// CHECK-NEXT:   %[[YY:.*]] = stablehlo.multiply %[[Y]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT:   %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[ONE:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[D:.*]] = stablehlo.subtract %[[ONE]], %[[YY]] : tensor<4xf32>
// CHECK-NEXT:   %[[DY:.*]] = stablehlo.multiply %[[T]], %[[D]] : tensor<4xf32>
// CHECK-NEXT:   func.return %[[Y]], %[[DY]] : tensor<4xf32>, tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// y = floor(x) is piecewise constant: its tangent is zero, and that of x is not read.
// CHECK:      %[[Y:.*]] = stablehlo.floor %x : tensor<f32>
// CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: func.return %[[Y]], %[[ZERO]] : tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.floor %x : tensor<f32>
  return %y : tensor<f32>
}
