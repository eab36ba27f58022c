// RUN: xdsl-opt %s -p hhlo-grad | filecheck %s

// y = x * x: both operands are x, so its cotangent is the sum ct * x + ct * x.
// CHECK:      %[[CT:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[A:.*]] = stablehlo.multiply %[[CT]], %x : tensor<f32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.multiply %[[CT]], %x : tensor<f32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<f32>
// CHECK-NEXT: func.return %{{.*}}, %[[DX]] : tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.multiply %x, %x : tensor<f32>
  return %y : tensor<f32>
}
