// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @floats(
// CHECK-GENERIC-LABEL: sym_name = "floats"
func.func @floats(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.abs %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.abs"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.abs %f : tensor<4xf32>
  // CHECK: stablehlo.cbrt %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.cbrt"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.cbrt %f : tensor<4xf32>
  // CHECK: stablehlo.ceil %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.ceil"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.ceil %f : tensor<4xf32>
  // CHECK: stablehlo.cosine %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.cosine"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.cosine %f : tensor<4xf32>
  // CHECK: stablehlo.exponential %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.exponential"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.exponential %f : tensor<4xf32>
  // CHECK: stablehlo.exponential_minus_one %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.exponential_minus_one"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.exponential_minus_one %f : tensor<4xf32>
  // CHECK: stablehlo.floor %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.floor"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.floor %f : tensor<4xf32>
  // CHECK: stablehlo.log %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.log"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = stablehlo.log %f : tensor<4xf32>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.log_plus_one"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = stablehlo.log_plus_one %f : tensor<4xf32>
  // CHECK: stablehlo.logistic %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.logistic"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = stablehlo.logistic %f : tensor<4xf32>
  // CHECK: stablehlo.negate %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.negate"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = stablehlo.negate %f : tensor<4xf32>
  // CHECK: stablehlo.round_nearest_afz %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.round_nearest_afz"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = stablehlo.round_nearest_afz %f : tensor<4xf32>
  // CHECK: stablehlo.round_nearest_even %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.round_nearest_even"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = stablehlo.round_nearest_even %f : tensor<4xf32>
  // CHECK: stablehlo.rsqrt %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.rsqrt"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = stablehlo.rsqrt %f : tensor<4xf32>
  // CHECK: stablehlo.sign %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.sign"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = stablehlo.sign %f : tensor<4xf32>
  // CHECK: stablehlo.sine %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.sine"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = stablehlo.sine %f : tensor<4xf32>
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.sqrt"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = stablehlo.sqrt %f : tensor<4xf32>
  // CHECK: stablehlo.tan %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.tan"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %17 = stablehlo.tan %f : tensor<4xf32>
  // CHECK: stablehlo.tanh %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.tanh"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %18 = stablehlo.tanh %f : tensor<4xf32>
  return
}

// CHECK-LABEL: @integers(
// CHECK-GENERIC-LABEL: sym_name = "integers"
func.func @integers(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.count_leading_zeros %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.count_leading_zeros"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %0 = stablehlo.count_leading_zeros %i : tensor<4xi32>
  // CHECK: stablehlo.not %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.not"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = stablehlo.not %i : tensor<4xi32>
  // CHECK: stablehlo.not %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.not"(%{{.*}}) : (tensor<4xi1>) -> tensor<4xi1>
  %2 = stablehlo.not %p : tensor<4xi1>
  // CHECK: stablehlo.popcnt %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.popcnt"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %3 = stablehlo.popcnt %i : tensor<4xi32>
  // CHECK: stablehlo.abs %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.abs"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %4 = stablehlo.abs %i : tensor<4xi32>
  // CHECK: stablehlo.sign %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.sign"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %5 = stablehlo.sign %i : tensor<4xi32>
  // CHECK: stablehlo.negate %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.negate"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %6 = stablehlo.negate %i : tensor<4xi32>
  return
}

// CHECK-LABEL: @other_results(
// CHECK-GENERIC-LABEL: sym_name = "other_results"
func.func @other_results(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.abs"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %0 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.real %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.real"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.imag %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.imag"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.imag %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.real %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.real"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.real %f : tensor<4xf32>
  // A real operand is its own real part.
  // CHECK: stablehlo.is_finite %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.is_finite"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.is_finite %f : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xi32>
  %5 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: stablehlo.convert %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.convert %f : tensor<4xf32>
  // CHECK: stablehlo.cosine %{{.*}} : tensor<4xcomplex<f32>>
  // CHECK-GENERIC: "stablehlo.cosine"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %7 = stablehlo.cosine %c : tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: @dynamic(
// CHECK-GENERIC-LABEL: sym_name = "dynamic"
func.func @dynamic(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.sine %{{.*}} : tensor<?xf32>
  // CHECK-GENERIC: "stablehlo.sine"(%{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
  %0 = stablehlo.sine %d : tensor<?xf32>
  // CHECK: stablehlo.sine %{{.*}} : (tensor<?xf32>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.sine"(%{{.*}}) : (tensor<?xf32>) -> tensor<4xf32>
  %1 = stablehlo.sine %d : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @accuracy(
// CHECK-GENERIC-LABEL: sym_name = "accuracy"
func.func @accuracy(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.tanh %{{.*}} {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.tanh"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.tanh %f {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  // CHECK: stablehlo.tanh %{{.*}} {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.tanh"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.tanh %f {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: stablehlo.tanh %{{.*}} {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-03, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.tanh"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-03, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.tanh %f {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-03, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  return
}

// CHECK-LABEL: @dictionary(
// CHECK-GENERIC-LABEL: sym_name = "dictionary"
func.func @dictionary(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.tanh %{{.*}} {note = "x"} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.tanh"(%{{.*}}) {note = "x"} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.tanh %f {note = "x"} : tensor<4xf32>
  return
}

// CHECK-LABEL: @reduce_precision
// CHECK-GENERIC-LABEL: sym_name = "reduce_precision"
func.func @reduce_precision(%x: tensor<2xf32>, %q: tensor<2x!quant.uniform<i8:f32, 0.5:2>>) {
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e5m10 : tensor<2xf32>
  // CHECK-GENERIC: "stablehlo.reduce_precision"(%{{.*}}) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<2xf32>
  // Leading zeros, two types, and what the dictionary says instead.
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e8m7 {note} : (tensor<2xf32>) -> tensor<?xf32>
  // CHECK-GENERIC: "stablehlo.reduce_precision"(%{{.*}}) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> {note} : (tensor<2xf32>) -> tensor<?xf32>
  %1 = stablehlo.reduce_precision %x, format = e08m007 {note} : (tensor<2xf32>) -> tensor<?xf32>
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e5m0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  // CHECK-GENERIC: "stablehlo.reduce_precision"(%{{.*}}) <{exponent_bits = 5 : i32, mantissa_bits = 0 : i32}> : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  %2 = stablehlo.reduce_precision %q, format = e5m10 {mantissa_bits = 0 : i32} : tensor<2x!quant.uniform<i8:f32, 0.5:2>>
  return
}

// CHECK-LABEL: @bitcast_convert
// CHECK-GENERIC-LABEL: sym_name = "bitcast_convert"
func.func @bitcast_convert(%x: tensor<4xf32>, %y: tensor<4x2xf16>, %z: tensor<3x?xcomplex<f32>>) {
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xi32>
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: stablehlo.bitcast_convert %{{.*}} {note} : (tensor<4xf32>) -> tensor<4x2xf16>
  // CHECK-GENERIC: "stablehlo.bitcast_convert"(%{{.*}}) {note} : (tensor<4xf32>) -> tensor<4x2xf16>
  %1 = stablehlo.bitcast_convert %x {note} : (tensor<4xf32>) -> tensor<4x2xf16>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4x2xf16>) -> tensor<4xui32>
  // CHECK-GENERIC: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<4x2xf16>) -> tensor<4xui32>
  %2 = stablehlo.bitcast_convert %y : (tensor<4x2xf16>) -> tensor<4xui32>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<3x?xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  // CHECK-GENERIC: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<3x?xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  %3 = stablehlo.bitcast_convert %z : (tensor<3x?xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4xf32>) -> tensor<4x32xi1>
  // CHECK-GENERIC: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4x32xi1>
  %4 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x32xi1>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 5.000000e-01>>
  // CHECK-GENERIC: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 5.000000e-01>>
  %5 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 0.5>>
  return
}
