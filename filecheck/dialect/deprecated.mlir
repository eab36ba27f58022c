// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @broadcast(
// CHECK-GENERIC-LABEL: sym_name = "broadcast"
func.func @broadcast(%x: tensor<?xf32>, %s: tensor<i32>) {
  // CHECK: stablehlo.broadcast %{{.*}}, sizes = [1, 2] : (tensor<?xf32>) -> tensor<1x2x?xf32>
  // CHECK-GENERIC: "stablehlo.broadcast"(%{{.*}}) <{broadcast_sizes = array<i64: 1, 2>}> : (tensor<?xf32>) -> tensor<1x2x?xf32>
  %0 = stablehlo.broadcast %x, sizes = [1, 2] : (tensor<?xf32>) -> tensor<1x2x?xf32>
  // CHECK: stablehlo.broadcast %{{.*}}, sizes = [] {note} : (tensor<i32>) -> tensor<i32>
  // CHECK-GENERIC: "stablehlo.broadcast"(%{{.*}}) <{broadcast_sizes = array<i64>}> {note} : (tensor<i32>) -> tensor<i32>
  %1 = stablehlo.broadcast %s, sizes = [] {note} : (tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: @dot(
// CHECK-GENERIC-LABEL: sym_name = "dot"
func.func @dot(%x: tensor<2x3xf32>, %y: tensor<3x?xf32>, %v: tensor<3xf32>) {
  // CHECK: stablehlo.dot %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3x?xf32>) -> tensor<2x?xf32>
  // CHECK-GENERIC: "stablehlo.dot"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<3x?xf32>) -> tensor<2x?xf32>
  %0 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x?xf32>) -> tensor<2x?xf32>
  // CHECK: stablehlo.dot %{{.*}}, %{{.*}}, precision = [HIGH, DEFAULT] {note} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf64>
  // CHECK-GENERIC: "stablehlo.dot"(%{{.*}}, %{{.*}}) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> {note} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf64>
  %1 = stablehlo.dot %x, %v, precision = [HIGH, DEFAULT] {note} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf64>
  // An empty list is kept.
  // CHECK: stablehlo.dot %{{.*}}, %{{.*}}, precision = [] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.dot"(%{{.*}}, %{{.*}}) <{precision_config = []}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %2 = stablehlo.dot %v, %v, precision = [] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @einsum(
// CHECK-GENERIC-LABEL: sym_name = "einsum"
func.func @einsum(%x: tensor<4x16xf32>, %y: tensor<16x4xf32>) {
  // CHECK: stablehlo.einsum %{{.*}}, %{{.*}}, config = "ab,bc->ac" : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
  // CHECK-GENERIC: "stablehlo.einsum"(%{{.*}}, %{{.*}}) <{einsum_config = "ab,bc->ac"}> : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
  %0 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: @unary_einsum(
// CHECK-GENERIC-LABEL: sym_name = "unary_einsum"
func.func @unary_einsum(%x: tensor<4x16xf32>) {
  // CHECK: stablehlo.unary_einsum %{{.*}}, config = "ab->a" {note} : (tensor<4x16xf32>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.unary_einsum"(%{{.*}}) <{einsum_config = "ab->a"}> {note} : (tensor<4x16xf32>) -> tensor<4xf32>
  %0 = stablehlo.unary_einsum %x, config = "ab->a" {note} : (tensor<4x16xf32>) -> tensor<4xf32>
  return
}
