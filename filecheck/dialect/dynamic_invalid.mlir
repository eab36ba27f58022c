// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.dynamic_iota: iota_dimension is 2, result is tensor<4x5xi32>; it must be in 0..1 (spec dynamic_iota C1)
func.func @dynamic_iota_c1() {
  %s = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi64>) -> tensor<4x5xi32>
  return
}

// -----

// CHECK: stablehlo.dynamic_iota: output_shape holds [4, 6], result is tensor<4x5xi32>; its shape must be [4, 6] (spec dynamic_iota C2)
func.func @dynamic_iota_c2() {
  %s = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi32>
  return
}

// -----

// CHECK: stablehlo.dynamic_reshape: result is tensor<3x2xi32>, operand is tensor<2x3xf32>; their element types must be equal; convert one (spec dynamic_reshape C1)
func.func @dynamic_reshape_c1(%x: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xi32>
  return
}

// -----

// CHECK: stablehlo.dynamic_reshape: operand is tensor<2x3xf32>, the result has sizes [3, 3]; they must have equally many elements (spec dynamic_reshape C2)
func.func @dynamic_reshape_c2(%x: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x?xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_reshape: output_shape is tensor<1xi64>, result is tensor<3x2xf32>; output_shape needs one entry per dimension of result (spec dynamic_reshape C4)
func.func @dynamic_reshape_c4(%x: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[6]> : tensor<1xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: result is tensor<2x3x2xi32>, operand is tensor<1x3xf32>; their element types must be equal; convert one (spec dynamic_broadcast_in_dim C1)
func.func @dynamic_broadcast_in_dim_c1(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xi32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: broadcast_dimensions are [2], operand is tensor<1x3xf32>; there must be 2, one per dimension (spec dynamic_broadcast_in_dim C2)
func.func @dynamic_broadcast_in_dim_c2(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2] : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: broadcast_dimensions are [2, 3]; each must be in 0..2, for rank 3 (spec dynamic_broadcast_in_dim C3)
func.func @dynamic_broadcast_in_dim_c3(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 3] : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: broadcast_dimensions are [1, 1]; they must be distinct (spec dynamic_broadcast_in_dim C4)
func.func @dynamic_broadcast_in_dim_c4(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 1] : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: operand is tensor<1x2xf32>, result dimension 1 has size 3; it must be 2, the operand's size there (spec dynamic_broadcast_in_dim C5)
func.func @dynamic_broadcast_in_dim_c5(%x: tensor<1x2xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (tensor<1x2xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: output_dimensions holds [2, 3, 4], result is tensor<2x3x2xf32>; its shape must be [2, 3, 4] (spec dynamic_broadcast_in_dim C7)
func.func @dynamic_broadcast_in_dim_c7(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: known_expanding_dimensions are [0], nonexpanding ones [1, 0]; no dimension may stand there twice (spec dynamic_broadcast_in_dim C8)
func.func @dynamic_broadcast_in_dim_c8(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1, 0>} : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: known_expanding_dimensions are [2]; each must be in 0..1, for rank 2 (spec dynamic_broadcast_in_dim C9)
func.func @dynamic_broadcast_in_dim_c9(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] {known_expanding_dimensions = array<i64: 2>} : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: known_nonexpanding_dimensions are [2]; each must be in 0..1, for rank 2 (spec dynamic_broadcast_in_dim C10)
func.func @dynamic_broadcast_in_dim_c10(%x: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] {known_nonexpanding_dimensions = array<i64: 2>} : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_pad: padding_value is tensor<i32>, operand is tensor<2x3xf32>; their element types must be equal; convert one (spec dynamic_pad C1)
func.func @dynamic_pad_c1(%x: tensor<2x3xf32>, %v: tensor<i32>) {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<2x3xf32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_pad: edge_padding_low is tensor<1xi64>, operand is tensor<2x3xf32>; give one entry per dimension (spec dynamic_pad C2)
func.func @dynamic_pad_c2(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<[0]> : tensor<1xi64>
  %h = stablehlo.constant dense<[2]> : tensor<1xi64>
  %i = stablehlo.constant dense<[1]> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<2x3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5x9xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_pad: interior_padding holds [-1, 2]; it must not be negative (spec dynamic_pad C3)
func.func @dynamic_pad_c3(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[-1, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_pad: result is tensor<5x8xf32>, but its operands and attributes give tensor<5x9xf32> (spec dynamic_pad C4)
func.func @dynamic_pad_c4(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x8xf32>
  return
}

// -----

// CHECK: stablehlo.get_dimension_size: dimension is 2, operand is tensor<2x3xf32>; it must be in 0..1 (spec get_dimension_size C1)
func.func @get_dimension_size_c1(%x: tensor<2x3xf32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>
  return
}

// -----

// CHECK: stablehlo.dynamic_reshape: operand is tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; the quantized dimension must keep its size, and as many elements before it (spec dynamic_reshape C3)
func.func @dynamic_reshape_c3(%x: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  return
}

// -----

// CHECK: stablehlo.dynamic_broadcast_in_dim: operand is tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>; result must be quantized along dimension 2 (spec dynamic_broadcast_in_dim C6)
func.func @dynamic_broadcast_in_dim_c6(%x: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3xi64>) -> tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs is tensor<2x4x4x6xf32>, rhs is tensor<3x6x6xf32>; their ranks must be equal (spec dynamic_conv C1)
func.func @dynamic_conv_c1(%x: tensor<2x4x4x6xf32>, %k: tensor<3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: window_strides is [1]; give 2 entries, one per spatial dimension, or none (spec dynamic_conv C2)
func.func @dynamic_conv_c2(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: window_strides is [1, 0]; each must be at least 1 (spec dynamic_conv C3)
func.func @dynamic_conv_c3(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 0>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: padding is tensor<1x2xi64>, lhs is tensor<2x4x4x6xf32>; it must have shape 2x2: low and high per dimension (spec dynamic_conv C4)
func.func @dynamic_conv_c4(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<1x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs_dilation is [1]; give 2 entries, one per spatial dimension, or none (spec dynamic_conv C5)
func.func @dynamic_conv_c5(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs_dilation is [1, 0]; each must be at least 1 (spec dynamic_conv C6)
func.func @dynamic_conv_c6(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 0>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: rhs_dilation is [1]; give 2 entries, one per spatial dimension, or none (spec dynamic_conv C7)
func.func @dynamic_conv_c7(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 1>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: rhs_dilation is [1, 0]; each must be at least 1 (spec dynamic_conv C8)
func.func @dynamic_conv_c8(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 1, 0>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: window_reversal is [True]; give 2 entries, one per spatial dimension, or none (spec dynamic_conv C9)
func.func @dynamic_conv_c9(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_reversal = array<i1: true>}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: batch_group_count is 2; it must divide 3, the batch of lhs tensor<3x4x4x6xf32> (spec dynamic_conv C10)
func.func @dynamic_conv_c10(%x: tensor<3x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<3x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: feature_group_count is 2; it must divide 5, lhs tensor<2x4x4x5xf32> (spec dynamic_conv C11)
func.func @dynamic_conv_c11(%x: tensor<2x4x4x5xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<2x4x4x5xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs has spatial dimensions [1] in raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]; rank 4 needs 2 of them (spec dynamic_conv C12)
func.func @dynamic_conv_c12(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: the dimensions of lhs are [0, 3, 1, 1]; they must be distinct (spec dynamic_conv C13)
func.func @dynamic_conv_c13(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: rhs tensor<3x3x5x6xf32> takes 5 features, lhs tensor<2x4x4x6xf32> has 6 in 1 group(s); it must take 6 (spec dynamic_conv C14)
func.func @dynamic_conv_c14(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x5x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x5x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: batch_group_count is 2; it must divide 5, the output features of rhs tensor<3x3x6x5xf32> (spec dynamic_conv C15)
func.func @dynamic_conv_c15(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x5xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x5xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: feature_group_count is 2; it must divide 5, the output features of rhs tensor<3x3x3x5xf32> (spec dynamic_conv C16)
func.func @dynamic_conv_c16(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x3x5xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x3x5xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: rhs has spatial dimensions [0] in raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]; rank 4 needs 2 of them (spec dynamic_conv C17)
func.func @dynamic_conv_c17(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: the dimensions of rhs are [2, 3, 0, 0]; they must be distinct (spec dynamic_conv C18)
func.func @dynamic_conv_c18(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: the result has spatial dimensions [1] in raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]; rank 4 needs 2 of them (spec dynamic_conv C19)
func.func @dynamic_conv_c19(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: the dimensions of the result are [0, 3, 1, 1]; they must be distinct (spec dynamic_conv C20)
func.func @dynamic_conv_c20(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 1]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: feature_group_count is 0; it must be at least 1, which means no groups (spec dynamic_conv C21)
func.func @dynamic_conv_c21(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: batch_group_count is 0; it must be at least 1, which means no groups (spec dynamic_conv C22)
func.func @dynamic_conv_c22(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: feature_group_count is 2, batch_group_count is 2; one must be 1 (spec dynamic_conv C23)
func.func @dynamic_conv_c23(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x3x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x3x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: precision is ['HIGH', 'HIGH', 'HIGH']; give one for lhs and one for rhs (spec dynamic_conv C24)
func.func @dynamic_conv_c24(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs is tensor<2x4x4x6xf32>, rhs is tensor<3x3x6x6xf64>; their element types must be equal; convert one (spec dynamic_conv C27)
func.func @dynamic_conv_c27(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6xf64>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6xf64>, tensor<2x2xi64>) -> tensor<2x2x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs is tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<3x3x6x6xf32>, result is tensor<2x2x2x6x!quant.uniform<i8:f32, 5.000000e-01>>; rhs must be quantized, and lhs and result both or neither (spec dynamic_conv C28)
func.func @dynamic_conv_c28(%x: tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, %k: tensor<3x3x6x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x6x6xf32>, tensor<2x2xi64>) -> tensor<2x2x2x6x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs is tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<3x3x6x6x!quant.uniform<i4:f32, 5.000000e-01>>, result is tensor<2x2x2x6x!quant.uniform<i8:f32, 5.000000e-01>>; lhs and rhs must be stored in one type (spec dynamic_conv C31)
func.func @dynamic_conv_c31(%x: tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, %k: tensor<3x3x6x6x!quant.uniform<i4:f32, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x6x6x!quant.uniform<i4:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<2x2x2x6x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs is tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<3x3x6x6x!quant.uniform<i8:bf16, 5.000000e-01>>, result is tensor<2x2x2x6x!quant.uniform<i8:f32, 5.000000e-01>>; they must stand for one type (spec dynamic_conv C32)
func.func @dynamic_conv_c32(%x: tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, %k: tensor<3x3x6x6x!quant.uniform<i8:bf16, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x6x6x!quant.uniform<i8:bf16, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<2x2x2x6x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}

// -----

// CHECK: stablehlo.dynamic_conv: lhs is tensor<2x4x4x6xf32>, rhs is tensor<3x3x6x6x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x2x6xf64>; lhs and result must have f32 elements, which rhs stands for (spec dynamic_conv C34)
func.func @dynamic_conv_c34(%x: tensor<2x4x4x6xf32>, %k: tensor<3x3x6x6x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x6x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<2x2x2x6xf64>
  return
}
