// RUN: xdsl-opt %s -p hhlo-jvp | filecheck %s

// A callee becomes one that computes its results and their tangents together; both calls share it.
// CHECK:      func.func @main(%x: tensor<f32>, %[[T:.*]]: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %[[A:.*]], %[[DA:.*]] = func.call @double_jvp(%x, %[[T]]) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT:   %[[B:.*]], %[[DB:.*]] = func.call @double_jvp(%[[A]], %[[DA]]) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT:   func.return %[[B]], %[[DB]] : tensor<f32>, tensor<f32>
// CHECK:      func.func private @double_jvp(%x: tensor<f32>, %[[T:.*]]: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %[[Y:.*]] = stablehlo.add %x, %x : tensor<f32>
// CHECK-NEXT:   %[[DY:.*]] = stablehlo.add %[[T]], %[[T]] : tensor<f32>
// CHECK-NEXT:   func.return %[[Y]], %[[DY]] : tensor<f32>, tensor<f32>
// CHECK-NOT:  @double(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @double(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @double(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @double(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}
