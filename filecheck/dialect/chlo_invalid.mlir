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
