// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @map(
// CHECK-GENERIC-LABEL: sym_name = "map"
func.func @map(%x: tensor<2x3xf32>, %y: tensor<2x?xi32>, %s: tensor<f32>) {
  // CHECK: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}> ({
  // CHECK-NEXT: ^{{.*}}(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<i32>):
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %[[B]] : (tensor<i32>) -> tensor<f64>
  // CHECK-NEXT: stablehlo.return %[[C]] : tensor<f64>
  // CHECK-NEXT: }) : (tensor<2x3xf32>, tensor<2x?xi32>) -> tensor<2x3xf64>
  // CHECK-GENERIC: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}> ({
  // CHECK-GENERIC: }) : (tensor<2x3xf32>, tensor<2x?xi32>) -> tensor<2x3xf64>
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %1 = stablehlo.convert %b : (tensor<i32>) -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<2x3xf32>, tensor<2x?xi32>) -> tensor<2x3xf64>
  // A function of a scalar.
  // CHECK: "stablehlo.map"(%{{.*}}) <{dimensions = array<i64>}> ({
  // CHECK: }) : (tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.map"(%{{.*}}) <{dimensions = array<i64>}> ({
  // CHECK-GENERIC: }) : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.map"(%s) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>):
    %3 = stablehlo.negate %a : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}
