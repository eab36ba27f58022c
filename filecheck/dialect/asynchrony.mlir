// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @collective(
// CHECK: "stablehlo.async_start"(%{{.*}}) ({
// CHECK: "stablehlo.all_reduce"(%{{.*}}) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
// CHECK: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x6xf32>
// CHECK-GENERIC-LABEL: sym_name = "collective"
// CHECK-GENERIC: "stablehlo.async_start"(%{{.*}}) ({
// CHECK-GENERIC: "stablehlo.all_reduce"(%{{.*}}) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
// CHECK-GENERIC: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x6xf32>
func.func @collective(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = "stablehlo.all_reduce"(%p) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: @slice(
// CHECK: "stablehlo.async_start"(%{{.*}}) ({
// CHECK: stablehlo.slice %{{.*}} [0:2, 0:6:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>
// CHECK: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<2x3xf32>>) -> tensor<2x3xf32>
// CHECK-GENERIC-LABEL: sym_name = "slice"
// CHECK-GENERIC: "stablehlo.async_start"(%{{.*}}) ({
// CHECK-GENERIC: "stablehlo.slice"(%{{.*}}) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 6>, strides = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<2x3xf32>
// CHECK-GENERIC: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<2x3xf32>>) -> tensor<2x3xf32>
func.func @slice(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = stablehlo.slice %p [0:2, 0:6:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>
    stablehlo.return %1 : tensor<2x3xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<2x3xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x3xf32>>) -> tensor<2x3xf32>
  return
}
