// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.dot_general: the batching dimensions are [0] of lhs and [] of rhs; list equally many, in pairs (spec dot_general C1)
func.func @dot_general_c1(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: the contracting dimensions are [1] of lhs and [] of rhs; list equally many, in pairs (spec dot_general C2)
func.func @dot_general_c2(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: lhs_contracting_dimensions of tensor<2x3xf32> are [1, 1]; they must be distinct (spec dot_general C3)
func.func @dot_general_c3(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1, 1] x [0, 1] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: the dimensions of rhs are batching [0] and contracting [0]; no dimension may be both (spec dot_general C4)
func.func @dot_general_c4(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: lhs_batching_dimensions of tensor<2x3xf32> are [2]; each must be in 0..1, for rank 2 (spec dot_general C5)
func.func @dot_general_c5(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, batching_dims = [2] x [1], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: lhs_contracting_dimensions of tensor<2x3xf32> are [-1]; each must be in 0..1, for rank 2 (spec dot_general C6)
func.func @dot_general_c6(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [-1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: rhs_batching_dimensions of tensor<3x4xf32> are [2]; each must be in 0..1, for rank 2 (spec dot_general C7)
func.func @dot_general_c7(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [2], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: rhs_contracting_dimensions of tensor<3x4xf32> are [5]; each must be in 0..1, for rank 2 (spec dot_general C8)
func.func @dot_general_c8(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [5] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: batching dimension 0 of lhs tensor<2x3xf32> has size 2, its partner 1 of rhs tensor<3x4xf32> has size 4; they must be equal (spec dot_general C9)
func.func @dot_general_c9(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: contracting dimension 0 of lhs tensor<2x3xf32> has size 2, its partner 0 of rhs tensor<3x4xf32> has size 3; they must be equal (spec dot_general C10)
func.func @dot_general_c10(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: precision is ['HIGH', 'HIGH', 'HIGH']; give one for lhs and one for rhs (spec dot_general C11)
func.func @dot_general_c11(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGH, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: result is tensor<4x2xf32>, but its operands and attributes give tensor<2x4xf32> (spec dot_general C12)
func.func @dot_general_c12(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<4x2xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}

// -----

// CHECK: stablehlo.dot_general: precision is ['HIGH', 'HIGH'] beside an algorithm; leave one of them out (spec dot_general C21)
func.func @dot_general_c21(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGH], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: the algorithm's lhs_component_count is 0; it must be at least 1 (spec dot_general C22)
func.func @dot_general_c22(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: the algorithm's rhs_component_count is 0; it must be at least 1 (spec dot_general C23)
func.func @dot_general_c23(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: the algorithm's num_primitive_operations is 0; it must be at least 1 (spec dot_general C24)
func.func @dot_general_c24(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.dot_general: no hardware is known to have the algorithm #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>; use another, or precision instead (spec dot_general I8)
func.func @dot_general_i8(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x4x4x6xf32>, rhs is tensor<3x3x6xf32>; their ranks must be equal (spec convolution C1)
func.func @convolution_c1(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: window_strides is [1]; give 2 entries, one per spatial dimension, or none (spec convolution C2)
func.func @convolution_c2(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: window_strides is [1, 0]; each must be at least 1 (spec convolution C3)
func.func @convolution_c3(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 0>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: padding is dense<0> : tensor<4xi64>; it must be i64, [low, high] per spatial dimension (spec convolution C4)
func.func @convolution_c4(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<4xi64>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: lhs_dilation is [1]; give 2 entries, one per spatial dimension, or none (spec convolution C5)
func.func @convolution_c5(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: lhs_dilation is [0, 1]; each must be at least 1 (spec convolution C6)
func.func @convolution_c6(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 0, 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: rhs_dilation is [1, 1, 1]; give 2 entries, one per spatial dimension, or none (spec convolution C7)
func.func @convolution_c7(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 1, 1, 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: rhs_dilation is [1, -1]; each must be at least 1 (spec convolution C8)
func.func @convolution_c8(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 1, -1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: window_reversal is [True]; give 2 entries, one per spatial dimension, or none (spec convolution C9)
func.func @convolution_c9(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: batch_group_count is 3; it must divide 2, the batch of lhs tensor<2x4x4x6xf32> (spec convolution C10)
func.func @convolution_c10(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: feature_group_count is 4; it must divide 6, lhs tensor<2x4x4x6xf32> (spec convolution C11)
func.func @convolution_c11(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: lhs has spatial dimensions [1] in [b, 0, f]x[0, i, o]->[b, 0, f]; rank 4 needs 2 of them (spec convolution C12)
func.func @convolution_c12(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: the dimensions of lhs are [1, 3, 1, 2]; they must be distinct (spec convolution C13)
func.func @convolution_c13(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: rhs tensor<3x3x6x6xf32> takes 6 features, lhs tensor<2x4x4x6xf32> has 6 in 3 group(s); it must take 2 (spec convolution C14)
func.func @convolution_c14(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: batch_group_count is 2; it must divide 5, the output features of rhs tensor<3x3x6x5xf32> (spec convolution C15)
func.func @convolution_c15(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x5xf32>) -> tensor<1x2x2x5xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x5xf32>) -> tensor<1x2x2x5xf32>
  return %c : tensor<1x2x2x5xf32>
}

// -----

// CHECK: stablehlo.convolution: feature_group_count is 3; it must divide 5, the output features of rhs tensor<3x3x2x5xf32> (spec convolution C16)
func.func @convolution_c16(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x2x5xf32>) -> tensor<2x2x2x5xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x2x5xf32>) -> tensor<2x2x2x5xf32>
  return %c : tensor<2x2x2x5xf32>
}

// -----

// CHECK: stablehlo.convolution: rhs has spatial dimensions [0] in raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]; rank 4 needs 2 of them (spec convolution C17)
func.func @convolution_c17(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: the dimensions of rhs are [2, 3, 0, 0]; they must be distinct (spec convolution C18)
func.func @convolution_c18(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: the result has spatial dimensions [1] in raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]; rank 4 needs 2 of them (spec convolution C19)
func.func @convolution_c19(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: the dimensions of the result are [0, 4, 1, 2]; each must be in 0..3, for rank 4 (spec convolution C20)
func.func @convolution_c20(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 4, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: feature_group_count is 0; it must be at least 1, which means no groups (spec convolution C21)
func.func @convolution_c21(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: batch_group_count is -1; it must be at least 1, which means no groups (spec convolution C22)
func.func @convolution_c22(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = -1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: feature_group_count is 2, batch_group_count is 2; one must be 1 (spec convolution C23)
func.func @convolution_c23(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: precision is ['HIGH', 'HIGH', 'HIGH']; give one for lhs and one for rhs (spec convolution C24)
func.func @convolution_c24(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: result is tensor<2x2x3x6xf32>, but its operands and attributes give tensor<2x2x2x6xf32> (spec convolution C25)
func.func @convolution_c25(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x3x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x3x6xf32>
  return %c : tensor<2x2x3x6xf32>
}

// -----

// CHECK: stablehlo.convolution: rhs is tensor<0x3x6x6xf32>; its spatial sizes must be at least 1 (spec convolution C25)
func.func @convolution_c25_kernel(%a: tensor<2x4x4x6xf32>, %b: tensor<0x3x6x6xf32>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<0x3x6x6xf32>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}

// -----

// CHECK: stablehlo.convolution: result is tensor<2x2x2xf32>; it must have the rank of lhs tensor<2x4x4x6xf32> (spec convolution C26)
func.func @convolution_c26(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf32>) -> tensor<2x2x2xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>) -> tensor<2x2x2xf32>
  return %c : tensor<2x2x2xf32>
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x4x4x6xf32>, rhs is tensor<3x3x6x6xf64>; their element types must be equal; convert one (spec convolution C27)
func.func @convolution_c27(%a: tensor<2x4x4x6xf32>, %b: tensor<3x3x6x6xf64>) -> tensor<2x2x2x6xf32> {
  %c = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf64>) -> tensor<2x2x2x6xf32>
  return %c : tensor<2x2x2x6xf32>
}
