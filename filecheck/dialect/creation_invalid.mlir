// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.constant: output is tensor<2xf32>, but its operands and attributes give tensor<3xf32> (spec constant C1)
func.func @constant_c1() -> tensor<2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<3xf32>}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.iota: iota_dimension is 2; it must be in 0..1, for output tensor<2x3xf32> (spec iota C1)
func.func @iota_c1() -> tensor<2x3xf32> {
  %0 = stablehlo.iota dim = 2 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
