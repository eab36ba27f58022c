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

// -----

// CHECK: stablehlo.add: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2xf32>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; all three must be quantized, or none (spec add C2)
func.func @add_c2(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2xf32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.add: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i4:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; they must be stored in one type (spec add C3)
func.func @add_c3(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i4:f32, 0.5>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.add: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:bf16, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; they must stand for one type (spec add C4)
func.func @add_c4(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:bf16, 0.5>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:bf16, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.add: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; result must be quantized per axis if an operand is, and only then (spec add C5)
func.func @add_c5(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.add: lhs is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; those quantized per axis must be so along one dimension (spec add C6)
func.func @add_c6(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.add: lhs is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, rhs is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, result is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>; those quantized per axis must be so along one dimension (spec add C7)
func.func @add_c7(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.add: result is tensor<2x2x!quant.uniform<i8<-127:127>:f32, 5.000000e-01>>, but its operands and attributes give tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>> (spec add C1)
func.func @add_range(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.transpose: operand is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>; their scales and zero points must be equal (spec transpose C1)
func.func @transpose_c1_quantized(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

// CHECK: stablehlo.transpose: operand is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,1.250000e-01}>>; their scales and zero points must be equal (spec transpose C1)
func.func @transpose_c1_axis(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.125}>>
  return
}

// -----

// CHECK: stablehlo.transpose: operand is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>; result must be quantized along dimension 1 (spec transpose C4)
func.func @transpose_c4(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.reshape: operand is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>; their scales and zero points must be equal (spec reshape C1)
func.func @reshape_c1_quantized(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.reshape"(%a) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1x2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

// CHECK: stablehlo.reshape: operand is tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; the quantized dimension must keep its size, and as many elements before it (spec reshape C3)
func.func @reshape_c3(%a: tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.reshape"(%a) : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.reshape: operand is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>; the quantized dimension must keep its size, and as many elements before it (spec reshape C3)
func.func @reshape_c3_before(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.reshape"(%a) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.broadcast_in_dim: operand is tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>; their scales and zero points must be equal (spec broadcast_in_dim C1)
func.func @broadcast_in_dim_c1_quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

// CHECK: stablehlo.broadcast_in_dim: operand is tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; result must be quantized along dimension 0 (spec broadcast_in_dim C6)
func.func @broadcast_in_dim_c6(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.broadcast_in_dim: operand is tensor<1x!quant.uniform<i8:f32:0, {5.000000e-01}>>, result is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; the scales and zero points of result must be that of operand (spec broadcast_in_dim C6)
func.func @broadcast_in_dim_c6_scale(%a: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.slice: result is tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, but its operands and attributes give tensor<2x!quant.uniform<i8:f32, 5.000000e-01>> (spec slice C1)
func.func @slice_c1_quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

// CHECK: stablehlo.constant: output, as it is stored, is tensor<2xi4>, but its operands and attributes give tensor<2xi8> (spec constant C1)
func.func @constant_c1_quantized() {
  %r = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i4:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.dot_general: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2xf32>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; rhs must be quantized, and lhs and result both or neither (spec dot_general C14)
func.func @dot_general_c14(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.dot_general: rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>; its zero points must be 0 (spec dot_general C15)
func.func @dot_general_c15(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.dot_general: rhs is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>; its quantized dimension must not be contracted; contracted are [0] (spec dot_general C16)
func.func @dot_general_c16(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.dot_general: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i4:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; lhs and rhs must be stored in one type (spec dot_general C17)
func.func @dot_general_c17(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i4:f32, 0.5>>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.dot_general: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:bf16, 5.000000e-01>>; they must stand for one type (spec dot_general C18)
func.func @dot_general_c18(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:bf16, 0.5>>
  return
}

// -----

// CHECK: stablehlo.dot_general: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; result must be quantized per tensor, as rhs is (spec dot_general C19)
func.func @dot_general_c19(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.dot_general: lhs is tensor<2x2xbf16>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2xbf16>; lhs and result must have f32 elements, which rhs stands for (spec dot_general C20)
func.func @dot_general_c20(%a: tensor<2x2xbf16>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xbf16>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xbf16>
  return
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2xf32>; rhs must be quantized, and lhs and result both or neither (spec convolution C28)
func.func @convolution_c28(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xf32>
  return
}

// -----

// CHECK: stablehlo.convolution: rhs is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>; it must be quantized along its output features, dimension 1 (spec convolution C29)
func.func @convolution_c29(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.convolution: result is tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>; it must be quantized along its output features, dimension 1 (spec convolution C30)
func.func @convolution_c30(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i4:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; lhs and rhs must be stored in one type (spec convolution C31)
func.func @convolution_c31(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i4:f32, 0.5>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:bf16, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>; they must stand for one type (spec convolution C32)
func.func @convolution_c32(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:bf16, 0.5>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:bf16, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>; result must be quantized per tensor, as rhs is (spec convolution C33)
func.func @convolution_c33(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5,0.25}>>
  return
}

// -----

// CHECK: stablehlo.convolution: lhs is tensor<2x2xf32>, rhs is tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, result is tensor<2x2xbf16>; lhs and result must have f32 elements, which rhs stands for (spec convolution C34)
func.func @convolution_c34(%a: tensor<2x2xf32>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %r = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xbf16>
  return
}
