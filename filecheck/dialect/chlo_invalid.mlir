// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHLO's constraints have no labels in the specification.

// CHECK: chlo.square: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32>
func.func @square_shape(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = chlo.square %x : tensor<2xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: chlo.square: result is tensor<2xf64>, but its operands and attributes give tensor<2xf32>
func.func @square_elements(%x: tensor<2xf32>) -> tensor<2xf64> {
  %0 = chlo.square %x : tensor<2xf32> -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// CHECK: chlo.square: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first
func.func @square_kind(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = chlo.square %x : tensor<2xi32> -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: chlo.ragged_dot: lhs_ragged_dimensions are [0, 1]; name exactly one dimension
func.func @ragged_dot_ragged(%x: tensor<11x5xf32>, %w: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// -----

// CHECK: chlo.ragged_dot: group_sizes are tensor<3x2xi64>; their shape must be [g], or [] and g, for g groups
func.func @ragged_dot_group_sizes(%x: tensor<11x5xf32>, %w: tensor<3x5x7xf32>, %g: tensor<3x2xi64>) {
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3x2xi64>) -> tensor<11x7xf32>
  return
}

// -----

// CHECK: chlo.ragged_dot: rhs_group_dimensions are [] where the ragged dimension is free; name exactly one dimension
func.func @ragged_dot_no_group(%x: tensor<11x5xf32>, %w: tensor<5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// -----

// CHECK: chlo.ragged_dot: rhs_group_dimensions are [0] where the ragged dimension is contracting; name none
func.func @ragged_dot_group(%x: tensor<11x5xf32>, %w: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<3x11x7xf32>
  return
}

// -----

// CHECK: chlo.ragged_dot: group dimension 0 of rhs tensor<4x5x7xf32> has size 4; there are 3 group_sizes; they must be equally many
func.func @ragged_dot_groups(%x: tensor<11x5xf32>, %w: tensor<4x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<4x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// -----

// CHECK: chlo.scan: inputs[1] is tensor<4xf32>, of size 4 along dimension 0; all inputs, and scan_dim_size, must say 3
func.func @scan_sizes(%x: tensor<3xf32>, %y: tensor<4xf32>) {
  %0 = chlo.scan(%x, %y) inits() dimension=0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  } : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: chlo.scan: dimension is 1, inputs[0] is tensor<3xf32>; it must be in 0..0
func.func @scan_dimension(%x: tensor<3xf32>) {
  %0 = chlo.scan(%x) inits() dimension=1 {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  } : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: chlo.scan: body takes (tensor<f32>, tensor<f32>); it must take (tensor<f32>, tensor<i32>)
func.func @scan_body(%x: tensor<3xf32>, %s: tensor<i32>) {
  %0:2 = chlo.scan(%x) inits(%s) dimension=0 {
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %a, %c : tensor<f32>, tensor<f32>
  } : (tensor<3xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<f32>)
  return
}

// -----

// CHECK: chlo.scan: results[0] is tensor<4xf32>, but its operands and attributes give tensor<3xf32>
func.func @scan_outputs(%x: tensor<3xf32>) {
  %0 = chlo.scan(%x) inits() dimension=0 {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  } : (tensor<3xf32>) -> tensor<4xf32>
  return
}
