// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @dot_general
// CHECK-GENERIC-LABEL: sym_name = "dot_general"
func.func @dot_general(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<5x2x3xf32>, %d: tensor<3x5x4xf32>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK-GENERIC: "stablehlo.dot_general"(%{{.*}}, %{{.*}}) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, HIGHEST] {note} :
  // CHECK-GENERIC: precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}> {note}
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, HIGHEST] {note} : (tensor<5x2x3xf32>, tensor<3x5x4xf32>) -> tensor<5x2x4xf32>
  // An outer product; an empty list of batching dimensions is not printed.
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  // CHECK-GENERIC: dot_dimension_numbers = #stablehlo.dot<>}>
  %2 = stablehlo.dot_general %a, %b, batching_dims = [] x [], contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  // CHECK: contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> :
  // CHECK-GENERIC: algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: @convolution
// CHECK-GENERIC-LABEL: sym_name = "convolution"
func.func @convolution(%x: tensor<1x5x5x2xf32>, %k: tensor<3x3x2x4xf32>, %a: tensor<4x6xi8>, %b: tensor<6x5xi8>) {
  // What is absent stays absent.
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
  // CHECK-GENERIC: "stablehlo.convolution"(%{{.*}}, %{{.*}}) <{
  // CHECK-GENERIC-SAME: dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
  // What is present is printed, defaults too.
  // CHECK: window = {stride = [2, 1], pad = {{\[\[}}1, 1], [0, -1]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}
  // CHECK-GENERIC: window_strides = array<i64: 2, 1>
  // CHECK-GENERIC-SAME: padding = dense<{{\[\[}}1, 1], [0, -1]]> : tensor<2x2xi64>
  // CHECK-GENERIC-SAME: lhs_dilation = array<i64: 1, 2>
  // CHECK-GENERIC-SAME: rhs_dilation = array<i64: 1, 1>
  // CHECK-GENERIC-SAME: window_reversal = array<i1: false, true>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, -1]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x6x4xf32>
  // Clauses in any order, reversal as numbers.
  // CHECK: window = {stride = [1, 1], reverse = [true, false]}
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [1, 0], stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
  // No spatial dimension, a wider result.
  // CHECK: dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = []} {{.*}} : (tensor<4x6xi8>, tensor<6x5xi8>) -> tensor<4x5xi32>
  %3 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6xi8>, tensor<6x5xi8>) -> tensor<4x5xi32>
  return
}
