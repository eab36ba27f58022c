// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @sort(
// CHECK-GENERIC-LABEL: sym_name = "sort"
func.func @sort(%x: tensor<2x3xf32>, %y: tensor<2x?xi32>) {
  // CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 0 : i64, is_stable = true}> ({
  // CHECK-NEXT: ^{{.*}}(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // CHECK-NEXT: %[[C:.*]] = stablehlo.compare LT, %[[A]], %[[B]] : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[C]] : tensor<i1>
  // CHECK-NEXT: }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.sort"(%{{.*}}) <{dimension = 0 : i64, is_stable = true}> ({
  // CHECK-GENERIC: }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // Without properties: the last dimension, in no particular order where neither comes first.
  // CHECK: "stablehlo.sort"(%{{.*}}, %{{.*}}) ({
  // CHECK: }) : (tensor<2x3xf32>, tensor<2x?xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  // CHECK-GENERIC: "stablehlo.sort"(%{{.*}}, %{{.*}}) ({
  // CHECK-GENERIC: }) : (tensor<2x3xf32>, tensor<2x?xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %2:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %3 = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x?xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}
