// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @reshape(
// CHECK-GENERIC-LABEL: sym_name = "reshape"
func.func @reshape(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
  // CHECK-GENERIC: "stablehlo.reshape"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
  return
}

// CHECK-LABEL: @transpose(
// CHECK-GENERIC-LABEL: sym_name = "transpose"
func.func @transpose(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-GENERIC: "stablehlo.transpose"(%{{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [] : (tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.transpose"(%{{.*}}) <{permutation = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.transpose %v, dims = [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @broadcast_in_dim(
// CHECK-GENERIC-LABEL: sym_name = "broadcast_in_dim"
func.func @broadcast_in_dim(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  // CHECK-GENERIC: "stablehlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = array<i64: 2, 0>}> : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  return
}

// CHECK-LABEL: @reverse(
// CHECK-GENERIC-LABEL: sym_name = "reverse"
func.func @reverse(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.reverse %{{.*}}, dims = [0, 1] : tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.reverse"(%{{.*}}) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [] : tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.reverse"(%{{.*}}) <{dimensions = array<i64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reverse %x, dims = [] : tensor<2x3xf32>
  return
}

// CHECK-LABEL: @concatenate(
// CHECK-GENERIC-LABEL: sym_name = "concatenate"
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, %{{.*}}, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  // CHECK-GENERIC: "stablehlo.concatenate"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  %0 = stablehlo.concatenate %x, %y, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.concatenate"(%{{.*}}) <{dimension = 0 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.concatenate %x, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @pad(
// CHECK-GENERIC-LABEL: sym_name = "pad"
func.func @pad(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, -1], high = [2, 1], interior = [1, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x7xf32>
  // CHECK-GENERIC: "stablehlo.pad"(%{{.*}}, %{{.*}}) <{edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 2, 1>, interior_padding = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x7xf32>
  %0 = stablehlo.pad %x, %v, low = [0, -1], high = [2, 1], interior = [1, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x7xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.pad"(%{{.*}}, %{{.*}}) <{edge_padding_low = array<i64>, edge_padding_high = array<i64>, interior_padding = array<i64>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.pad %v, %v, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @slice(
// CHECK-GENERIC-LABEL: sym_name = "slice"
func.func @slice(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %v: tensor<f32>, %r: tensor<4xf32>) {
  // CHECK: stablehlo.slice %{{.*}} [0:2, 1:3] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  // CHECK-GENERIC: "stablehlo.slice"(%{{.*}}) <{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %0 = stablehlo.slice %x [0:2, 1:3] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:2:2, 3:3] : (tensor<2x3xf32>) -> tensor<1x0xf32>
  // CHECK-GENERIC: "stablehlo.slice"(%{{.*}}) <{start_indices = array<i64: 0, 3>, limit_indices = array<i64: 2, 3>, strides = array<i64: 2, 1>}> : (tensor<2x3xf32>) -> tensor<1x0xf32>
  %1 = stablehlo.slice %x [0:2:2, 3:3] : (tensor<2x3xf32>) -> tensor<1x0xf32>
  // CHECK: stablehlo.slice %{{.*}} [] : (tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.slice"(%{{.*}}) <{start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.slice %v [] : (tensor<f32>) -> tensor<f32>
  return
}
