// RUN: xdsl-opt %s -p hhlo-jvp --split-input-file | filecheck %s

// y = tanh(x), along t: t * (1 - y * y), which is
// 4 s (1 - s) for s = logistic(-2 |x|). The tangent of the argument follows the arguments, that of the result the results.
// CHECK:      func.func @main(%x: tensor<4xf32>, %[[T:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:   %[[Y:.*]] = stablehlo.tanh %x : tensor<4xf32>
// CHECK-NEXT:   %[[A:.*]] = stablehlo.abs %x : tensor<4xf32>
// CHECK-NEXT:   %[[CM:.*]] = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[MINUS:.*]] = stablehlo.broadcast_in_dim %[[CM]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[N:.*]] = stablehlo.multiply %[[MINUS]], %[[A]] : tensor<4xf32>
// CHECK-NEXT:   %[[S:.*]] = stablehlo.logistic %[[N]] : tensor<4xf32>
// CHECK-NEXT:   %[[C1:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[ONE:.*]] = stablehlo.broadcast_in_dim %[[C1]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[R:.*]] = stablehlo.subtract %[[ONE]], %[[S]] : tensor<4xf32>
// CHECK-NEXT:   %[[L:.*]] = stablehlo.multiply %[[S]], %[[R]] : tensor<4xf32>
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
