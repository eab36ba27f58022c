// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.reshape: result is tensor<6xi32>, but its operands and attributes give tensor<6xf32> (spec reshape C1)
func.func @reshape_c1(%x: tensor<2x3xf32>) -> tensor<6xi32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

// -----

// CHECK: stablehlo.reshape: operand is tensor<2x3xf32> and the result tensor<5xf32>; they must have equally many elements (spec reshape C2)
func.func @reshape_c2(%x: tensor<2x3xf32>) -> tensor<5xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: stablehlo.transpose: result is tensor<3x2xi32>, but its operands and attributes give tensor<3x2xf32> (spec transpose C1)
func.func @transpose_c1(%x: tensor<2x3xf32>) -> tensor<3x2xi32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// CHECK: stablehlo.transpose: permutation is [1, 1]; it must hold each of 0..1 once, for tensor<2x3xf32> (spec transpose C2)
func.func @transpose_c2(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

// CHECK: stablehlo.transpose: result is tensor<2x3xf32>, but its operands and attributes give tensor<3x2xf32> (spec transpose C3)
func.func @transpose_c3(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.broadcast_in_dim: result is tensor<2x3xi32>, but its operands and attributes give tensor<2x3xf32> (spec broadcast_in_dim C1)
func.func @broadcast_in_dim_c1(%x: tensor<3xf32>) -> tensor<2x3xi32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// CHECK: stablehlo.broadcast_in_dim: broadcast_dimensions are [0, 1]; tensor<3xf32> needs 1 of them, one per dimension (spec broadcast_in_dim C2)
func.func @broadcast_in_dim_c2(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.broadcast_in_dim: broadcast_dimensions are [2]; each must be in 0..1, for rank 2 (spec broadcast_in_dim C3)
func.func @broadcast_in_dim_c3(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.broadcast_in_dim: broadcast_dimensions are [1, 1]; they must be distinct (spec broadcast_in_dim C4)
func.func @broadcast_in_dim_c4(%x: tensor<3x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<3x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.broadcast_in_dim: operand is tensor<2xf32>, result dimension 1 has size 3; it must be 2, the operand's size there (spec broadcast_in_dim C5)
func.func @broadcast_in_dim_c5(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.reverse: result is tensor<3x2xf32>, but its operands and attributes give tensor<2x3xf32> (spec reverse C1)
func.func @reverse_c1(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK: stablehlo.reverse: dimensions are [1, 1]; they must be distinct (spec reverse C2)
func.func @reverse_c2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [1, 1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.reverse: dimensions are [-1]; each must be in 0..1, for rank 2 (spec reverse C3)
func.func @reverse_c3(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [-1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK: stablehlo.concatenate: inputs[1] is tensor<2xi32>, inputs[0] is tensor<2xf32>; their element types must be equal; convert one (spec concatenate C1)
func.func @concatenate_c1(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: stablehlo.concatenate: inputs[1] is tensor<2x4xf32>, inputs[0] is tensor<2x3xf32>; they may differ only along dimension 0 (spec concatenate C2)
func.func @concatenate_c2(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK: stablehlo.concatenate: there are no inputs; give at least one (spec concatenate C3)
func.func @concatenate_c3() -> tensor<2xf32> {
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.concatenate: dimension is 1; it must be in 0..0, for inputs[0] tensor<2xf32> (spec concatenate C4)
func.func @concatenate_c4(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: stablehlo.concatenate: result is tensor<4xi32>, but its operands and attributes give tensor<4xf32> (spec concatenate C5)
func.func @concatenate_c5(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<4xi32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK: stablehlo.concatenate: result is tensor<5xf32>, but its operands and attributes give tensor<4xf32> (spec concatenate C6)
func.func @concatenate_c6(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<5xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: stablehlo.pad: padding_value is tensor<i32>; it must be a scalar of the operand's elements, f32 (spec pad C1)
func.func @pad_c1(%x: tensor<3xf32>, %v: tensor<i32>) -> tensor<5xf32> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [0] : (tensor<3xf32>, tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: stablehlo.pad: edge_padding_high is [1, 1]; tensor<3xf32> needs 1 entries, one per dimension (spec pad C2)
func.func @pad_c2(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [1, 1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: stablehlo.pad: interior_padding is [-1]; it must not be negative (spec pad C3)
func.func @pad_c3(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [-1] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.pad: result is tensor<6xf32>, but its operands and attributes give tensor<5xf32> (spec pad C4)
func.func @pad_c4(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK: stablehlo.slice: result is tensor<2xi32>, but its operands and attributes give tensor<2xf32> (spec slice C1)
func.func @slice_c1(%x: tensor<4xf32>) -> tensor<2xi32> {
  %0 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.slice: start_indices is [0, 0]; tensor<4xf32> needs 1 entries, one per dimension (spec slice C2)
func.func @slice_c2(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [0:2, 0:1] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.slice: dimension 0 of tensor<4xf32> is sliced 3:5; 0 <= start <= limit <= 4 (spec slice C3)
func.func @slice_c3(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [3:5] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.slice: dimension 0 has stride 0; it must be at least 1; reverse for negative ones (spec slice C4)
func.func @slice_c4(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [0:2:0] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.slice: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec slice C5)
func.func @slice_c5(%x: tensor<4xf32>) -> tensor<3xf32> {
  %0 = stablehlo.slice %x [0:4:2] : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
