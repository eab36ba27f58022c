// RUN: xdsl-opt %s -p hhlo-jvp --split-input-file | filecheck %s

// y = tanh(x), along t: t * (1 - y * y), which is
// 4 logistic(2x) logistic(-2x). The tangent of the argument follows the arguments, that of the result the results.
// CHECK:      func.func @main(%x: tensor<4xf32>, %[[T:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:   %[[Y:.*]] = stablehlo.tanh %x : tensor<4xf32>
// CHECK-NEXT:   %[[C2:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[TWO:.*]] = stablehlo.broadcast_in_dim %[[C2]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[P:.*]] = stablehlo.multiply %[[TWO]], %x : tensor<4xf32>
// CHECK-NEXT:   %[[LP:.*]] = stablehlo.logistic %[[P]] : tensor<4xf32>
// CHECK-NEXT:   %[[CM:.*]] = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[MINUS:.*]] = stablehlo.broadcast_in_dim %[[CM]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[N:.*]] = stablehlo.multiply %[[MINUS]], %x : tensor<4xf32>
// CHECK-NEXT:   %[[LN:.*]] = stablehlo.logistic %[[N]] : tensor<4xf32>
// CHECK-NEXT:   %[[L:.*]] = stablehlo.multiply %[[LP]], %[[LN]] : tensor<4xf32>
// CHECK-NEXT:   %[[C4:.*]] = stablehlo.constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[FOUR:.*]] = stablehlo.broadcast_in_dim %[[C4]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[D:.*]] = stablehlo.multiply %[[FOUR]], %[[L]] : tensor<4xf32>
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
