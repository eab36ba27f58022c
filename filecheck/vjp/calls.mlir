// RUN: xdsl-opt %s -p hhlo-grad | filecheck %s

// @f(x) = sin(cos(x)) is split once: @f_fwd also returns cos(x), which @f_bwd needs; x itself is passed again.
// CHECK:      func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %[[A:.*]], %[[KA:.*]] = func.call @f_fwd(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT:   %[[B:.*]], %[[KB:.*]] = func.call @f_fwd(%[[A]]) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT:   %[[CT:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[DA:.*]] = func.call @f_bwd(%[[KB]], %[[A]], %[[CT]])
// CHECK-NEXT:   %[[DX:.*]] = func.call @f_bwd(%[[KA]], %x, %[[DA]])
// CHECK-NEXT:   func.return %[[B]], %[[DX]] : tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @f(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
// CHECK:      func.func private @f_fwd(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %[[C:.*]] = stablehlo.cosine %x : tensor<f32>
// CHECK-NEXT:   %[[S:.*]] = stablehlo.sine %[[C]] : tensor<f32>
// CHECK-NEXT:   func.return %[[S]], %[[C]] : tensor<f32>, tensor<f32>
// CHECK:      func.func private @f_bwd(%[[K:.*]]: tensor<f32>, %x: tensor<f32>, %[[CT2:.*]]: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:   %{{.*}} = stablehlo.cosine %[[K]] : tensor<f32>
// CHECK-NOT:  func.func private @f(
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.cosine %x : tensor<f32>
  %1 = stablehlo.sine %0 : tensor<f32>
  return %1 : tensor<f32>
}
