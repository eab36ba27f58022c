// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @constant(
// CHECK-GENERIC-LABEL: sym_name = "constant"
func.func @constant() {
  // CHECK: stablehlo.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = stablehlo.constant dense<0.000000e+00> : tensor<2x3xf32>
  // CHECK: stablehlo.constant dense<{{\[\[}}1.000000e+00, -0.000000e+00], [0xFF800000, 0x7FC00001]]> : tensor<2x2xf32>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<{{\[\[}}1.000000e+00, -0.000000e+00], [0xFF800000, 0x7FC00001]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[1.000000e+00, -0.000000e+00], [0xFF800000, 0x7FC00001]]> : tensor<2x2xf32>
  // CHECK: stablehlo.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  %3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: stablehlo.constant dense<[-1, 2]> : tensor<2xi4>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<[-1, 2]> : tensor<2xi4>}> : () -> tensor<2xi4>
  %4 = stablehlo.constant dense<[-1, 2]> : tensor<2xi4>
  // CHECK: stablehlo.constant dense<255> : tensor<ui8>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<255> : tensor<ui8>}> : () -> tensor<ui8>
  %5 = stablehlo.constant dense<255> : tensor<ui8>
  // CHECK: stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %6 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>
  // CHECK: stablehlo.constant dense<0x7C01> : tensor<f16>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<0x7C01> : tensor<f16>}> : () -> tensor<f16>
  %7 = stablehlo.constant dense<0x7C01> : tensor<f16>
  // CHECK: stablehlo.constant dense<0x7F80> : tensor<bf16>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<0x7F80> : tensor<bf16>}> : () -> tensor<bf16>
  %8 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  // CHECK: stablehlo.constant dense<0x7F> : tensor<f8E4M3FN>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<0x7F> : tensor<f8E4M3FN>}> : () -> tensor<f8E4M3FN>
  %9 = stablehlo.constant dense<0x7F> : tensor<f8E4M3FN>
  // CHECK: stablehlo.constant dense<> : tensor<0x3xf32>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<> : tensor<0x3xf32>}> : () -> tensor<0x3xf32>
  %10 = stablehlo.constant dense<> : tensor<0x3xf32>
  // CHECK: stablehlo.constant {note} dense<1> : tensor<i64>
  // CHECK-GENERIC: "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> {note} : () -> tensor<i64>
  %11 = stablehlo.constant {note} dense<1> : tensor<i64>
  return
}

// CHECK-LABEL: @iota(
// CHECK-GENERIC-LABEL: sym_name = "iota"
func.func @iota() {
  // CHECK: stablehlo.iota dim = 0 : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  // CHECK: stablehlo.iota dim = 1 : tensor<2x3xf64>
  // CHECK-GENERIC: "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xf64>
  %1 = stablehlo.iota dim = 1 : tensor<2x3xf64>
  return
}
