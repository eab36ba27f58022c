// RUN: xdsl-opt %s -p hhlo-grad | filecheck %s

// y = x * x: the cotangent of x is 2 * ct * x.
// CHECK:      %[[T:.*]] = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<f32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %[[T]], %x : tensor<f32>
// CHECK-NEXT: func.return %{{.*}}, %[[DX]] : tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = chlo.square %x : tensor<f32> -> tensor<f32>
  return %y : tensor<f32>
}
