// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.uniform_quantize: operand is tensor<2xi8>; its elements must be floating point; convert it first (spec uniform_quantize I1)
func.func @uniform_quantize_i1(%a: tensor<2xi8>) {
  %r = stablehlo.uniform_quantize %a : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.uniform_quantize: result is tensor<2xf32>; its elements must be quantized per tensor or per axis; uniform_quantize makes such (spec uniform_quantize I1)
func.func @uniform_quantize_i1_result(%a: tensor<2xf32>) {
  %r = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.uniform_quantize: result is tensor<2x!quant.uniform<i8:f32, 5.000000e-01:128>>; its elements must be quantized per tensor or per axis; a quantized one is stored in 2, 4, 8, 16 or 32 bits, has zero points that can be stored, and no blocks (spec uniform_quantize I1)
func.func @uniform_quantize_i1_zero_point(%a: tensor<2xf32>) {
  %r = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:128>>
  return
}

// -----

// CHECK: stablehlo.uniform_quantize: result is tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.250000e-01}>>; dimension 0 must exist and have as many indices as scales, 3 (spec uniform_quantize I1)
func.func @uniform_quantize_i1_axis(%a: tensor<2xf32>) {
  %r = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25,0.125}>>
  return
}

// -----

// CHECK: stablehlo.uniform_quantize: result is tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>, but its operands and attributes give tensor<2x!quant.uniform<i8:f32, 5.000000e-01>> (spec uniform_quantize C1)
func.func @uniform_quantize_c1(%a: tensor<2xf32>) {
  %r = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.uniform_quantize: operand is tensor<2xf64>, and result, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, stands for f32; both must stand for one type; convert the operand first (spec uniform_quantize C2)
func.func @uniform_quantize_c2(%a: tensor<2xf64>) {
  %r = stablehlo.uniform_quantize %a : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.uniform_dequantize: operand is tensor<2xi8>; its elements must be quantized per tensor or per axis; uniform_quantize makes such (spec uniform_dequantize I1)
func.func @uniform_dequantize_i1(%a: tensor<2xi8>) {
  %r = stablehlo.uniform_dequantize %a : (tensor<2xi8>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.uniform_dequantize: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec uniform_dequantize C1)
func.func @uniform_dequantize_c1(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %r = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32>
  return
}

// -----

// CHECK: stablehlo.uniform_dequantize: result is tensor<2xf64>, but its operands and attributes give tensor<2xf32> (spec uniform_dequantize C2)
func.func @uniform_dequantize_c2(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %r = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf64>
  return
}
