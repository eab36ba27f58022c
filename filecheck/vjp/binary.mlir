// RUN: xdsl-opt %s -p hhlo-grad | filecheck %s

// y = a * b: the cotangent of a is ct * b, of b is ct * a; ct is 1.
// CHECK:      func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %[[Y:.*]] = stablehlo.multiply %a, %b : tensor<f32>
// CHECK-NEXT:   %[[CT:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[DA:.*]] = stablehlo.multiply %[[CT]], %b : tensor<f32>
// CHECK-NEXT:   %[[DB:.*]] = stablehlo.multiply %[[CT]], %a : tensor<f32>
// CHECK-NEXT:   func.return %[[Y]], %[[DA]], %[[DB]] : tensor<f32>, tensor<f32>, tensor<f32>
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.multiply %a, %b : tensor<f32>
  return %y : tensor<f32>
}
