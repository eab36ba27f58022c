// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @uniform_quantize
// CHECK-GENERIC-LABEL: sym_name = "uniform_quantize"
func.func @uniform_quantize(%x: tensor<2xf32>, %y: tensor<2x3xbf16>, %q: tensor<2x!quant.uniform<i8:f32, 0.5:2>>) {
  // CHECK: stablehlo.uniform_quantize %{{.*}} : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  // CHECK-GENERIC: "stablehlo.uniform_quantize"(%{{.*}}) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:2>>
  // CHECK: stablehlo.uniform_quantize %{{.*}} {note} : (tensor<2x3xbf16>) -> tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {5.000000e-01:127,1.000000e+00:127}>>
  // CHECK-GENERIC: "stablehlo.uniform_quantize"(%{{.*}}) {note} : (tensor<2x3xbf16>) -> tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {5.000000e-01:127,1.000000e+00:127}>>
  %1 = stablehlo.uniform_quantize %y {note} : (tensor<2x3xbf16>) -> tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {0.5:127,1.0:127}>>
  // Quantized anew; with one type for both.
  // CHECK: stablehlo.uniform_quantize %{{.*}} : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2x!quant.uniform<i32:f32, 2.500000e-01>>
  // CHECK-GENERIC: "stablehlo.uniform_quantize"(%{{.*}}) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2x!quant.uniform<i32:f32, 2.500000e-01>>
  %2 = stablehlo.uniform_quantize %q : (tensor<2x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<2x!quant.uniform<i32:f32, 0.25>>
  // CHECK: stablehlo.uniform_quantize %{{.*}} : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  // CHECK-GENERIC: "stablehlo.uniform_quantize"(%{{.*}}) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  %3 = stablehlo.uniform_quantize %q : tensor<2x!quant.uniform<i8:f32, 0.5:2>>
  return
}

// CHECK-LABEL: @uniform_dequantize
// CHECK-GENERIC-LABEL: sym_name = "uniform_dequantize"
func.func @uniform_dequantize(%q: tensor<2x!quant.uniform<i8:f32, 0.5:2>>, %a: tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {0.5:127,1.0:127}>>) {
  // CHECK: stablehlo.uniform_dequantize %{{.*}} : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2xf32>
  // CHECK-GENERIC: "stablehlo.uniform_dequantize"(%{{.*}}) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2xf32>
  %0 = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<2xf32>
  // CHECK: stablehlo.uniform_dequantize %{{.*}} : (tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {5.000000e-01:127,1.000000e+00:127}>>) -> tensor<?x3xbf16>
  // CHECK-GENERIC: "stablehlo.uniform_dequantize"(%{{.*}}) : (tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {5.000000e-01:127,1.000000e+00:127}>>) -> tensor<?x3xbf16>
  %1 = stablehlo.uniform_dequantize %a : (tensor<2x3x!quant.uniform<u8<0:254>:bf16:0, {0.5:127,1.0:127}>>) -> tensor<?x3xbf16>
  return
}
