// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @dynamic_iota(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_iota"
func.func @dynamic_iota(%s: tensor<2xi64>, %i: tensor<1xindex>) {
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 1 : (tensor<2xi64>) -> tensor<?x5xi64>
  // CHECK-GENERIC: "stablehlo.dynamic_iota"(%{{.*}}) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<?x5xi64>
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x5xi64>
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_iota"(%{{.*}}) <{iota_dimension = 0 : i64}> : (tensor<1xindex>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_iota %i, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: @dynamic_reshape(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_reshape"
func.func @dynamic_reshape(%x: tensor<?x3xf32>, %s: tensor<2xi32>, %q: tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, %t: tensor<3xi64>) {
  // CHECK: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} {note} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_reshape"(%{{.*}}, %{{.*}}) {note} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = stablehlo.dynamic_reshape %x, %s {note} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, tensor<3xi64>) -> tensor<2x3x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>
  // CHECK-GENERIC: "stablehlo.dynamic_reshape"(%{{.*}}, %{{.*}}) : (tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, tensor<3xi64>) -> tensor<2x3x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>
  %1 = stablehlo.dynamic_reshape %q, %t : (tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, tensor<3xi64>) -> tensor<2x3x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>
  return
}

// CHECK-LABEL: @dynamic_broadcast_in_dim(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_broadcast_in_dim"
func.func @dynamic_broadcast_in_dim(%x: tensor<?x3xf32>, %s: tensor<3xi64>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [2, 1] : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<2x3x?xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_broadcast_in_dim"(%{{.*}}, %{{.*}}) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<2x3x?xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<2x3x?xf32>
  // Hints stand in the dictionary.
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [2, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_broadcast_in_dim"(%{{.*}}, %{{.*}}) <{broadcast_dimensions = array<i64: 2, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return
}

// CHECK-LABEL: @dynamic_pad(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_pad"
func.func @dynamic_pad(%x: tensor<2x?xf32>, %v: tensor<f32>, %p: tensor<2xi64>) {
  // CHECK: stablehlo.dynamic_pad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_pad"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<2x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %p : (tensor<2x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: @real_dynamic_slice(
// CHECK-GENERIC-LABEL: sym_name = "real_dynamic_slice"
func.func @real_dynamic_slice(%x: tensor<8x?xf32>, %i: tensor<2xindex>) {
  // CHECK: stablehlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x?xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x3xf32>
  // CHECK-GENERIC: "stablehlo.real_dynamic_slice"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<8x?xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x3xf32>
  %0 = stablehlo.real_dynamic_slice %x, %i, %i, %i : (tensor<8x?xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x3xf32>
  return
}

// CHECK-LABEL: @get_dimension_size(
// CHECK-GENERIC-LABEL: sym_name = "get_dimension_size"
func.func @get_dimension_size(%x: tensor<2x?xf32>) {
  // CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  // CHECK-GENERIC: "stablehlo.get_dimension_size"(%{{.*}}) <{dimension = 1 : i64}> : (tensor<2x?xf32>) -> tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  return
}

// CHECK-LABEL: @set_dimension_size(
// CHECK-GENERIC-LABEL: sym_name = "set_dimension_size"
func.func @set_dimension_size(%x: tensor<4x2xf32>, %n: tensor<i32>, %b: tensor<?x?xf32, #stablehlo.bounds<3, ?>>) {
  // CHECK: stablehlo.set_dimension_size %{{.*}}, %{{.*}}, dim = 0 : (tensor<4x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  // CHECK-GENERIC: "stablehlo.set_dimension_size"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64}> : (tensor<4x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  // CHECK: stablehlo.set_dimension_size %{{.*}}, %{{.*}}, dim = 1 : (tensor<?x?xf32, #stablehlo.bounds<3, ?>>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  // CHECK-GENERIC: "stablehlo.set_dimension_size"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64}> : (tensor<?x?xf32, #stablehlo.bounds<3, ?>>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  %1 = stablehlo.set_dimension_size %b, %n, dim = 1 : (tensor<?x?xf32, #stablehlo.bounds<3, ?>>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  return
}

// CHECK-LABEL: @dynamic_conv(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_conv"
func.func @dynamic_conv(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>, %p: tensor<2x2xi32>) {
  // CHECK: "stablehlo.dynamic_conv"(%{{.*}}, %{{.*}}, %{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, true>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_conv"(%{{.*}}, %{{.*}}, %{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, true>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, true>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>
  return
}
