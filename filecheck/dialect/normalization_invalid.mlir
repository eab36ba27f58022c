// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.batch_norm_training: operand is tensor<2x4xi32>; its elements must be floating point; convert it first (spec batch_norm_training I1)
func.func @batch_norm_training_i1(%a: tensor<2x4xi32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: feature_index is 2, operand is tensor<2x4xf32>; it must be in 0..1 (spec batch_norm_training C1)
func.func @batch_norm_training_c1(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: scale is tensor<4xf64>, operand is tensor<2x4xf32>; their element types must be equal; convert one (spec batch_norm_training C2)
func.func @batch_norm_training_c2(%a: tensor<2x4xf32>, %b: tensor<4xf64>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: scale is tensor<3xf32>, operand is tensor<2x4xf32>; scale must have one element per feature, which are dimension 1 of operand (spec batch_norm_training C3)
func.func @batch_norm_training_c3(%a: tensor<2x4xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: scale is tensor<f32>; it must be a vector with one element per feature (spec batch_norm_training C3)
func.func @batch_norm_training_c3_rank(%a: tensor<2x4xf32>, %b: tensor<f32>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: offset is tensor<3xf32>, operand is tensor<2x4xf32>; offset must have one element per feature, which are dimension 1 of operand (spec batch_norm_training C4)
func.func @batch_norm_training_c4(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: batch_mean is tensor<3xf32>, but its operands and attributes give tensor<4xf32> (spec batch_norm_training C5)
func.func @batch_norm_training_c5(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: batch_var is tensor<3xf32>, but its operands and attributes give tensor<4xf32> (spec batch_norm_training C6)
func.func @batch_norm_training_c6(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_training: output is tensor<2x3xf32>, but its operands and attributes give tensor<2x4xf32> (spec batch_norm_training C7)
func.func @batch_norm_training_c7(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: operand is tensor<2x4xi32>; its elements must be floating point; convert it first (spec batch_norm_inference I1)
func.func @batch_norm_inference_i1(%a: tensor<2x4xi32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xi32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: feature_index is -1, operand is tensor<2x4xf32>; it must be in 0..1 (spec batch_norm_inference C1)
func.func @batch_norm_inference_c1(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = -1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: variance is tensor<4xf16>, operand is tensor<2x4xf32>; their element types must be equal; convert one (spec batch_norm_inference C2)
func.func @batch_norm_inference_c2(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf16>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>) -> (tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: scale is tensor<3xf32>, operand is tensor<2x4xf32>; scale must have one element per feature, which are dimension 1 of operand (spec batch_norm_inference C3)
func.func @batch_norm_inference_c3(%a: tensor<2x4xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: offset is tensor<3xf32>, operand is tensor<2x4xf32>; offset must have one element per feature, which are dimension 1 of operand (spec batch_norm_inference C4)
func.func @batch_norm_inference_c4(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: mean is tensor<3xf32>, operand is tensor<2x4xf32>; mean must have one element per feature, which are dimension 1 of operand (spec batch_norm_inference C5)
func.func @batch_norm_inference_c5(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<3xf32>, %e: tensor<4xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: variance is tensor<3xf32>, operand is tensor<2x4xf32>; variance must have one element per feature, which are dimension 1 of operand (spec batch_norm_inference C6)
func.func @batch_norm_inference_c6(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<3xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_inference: result is tensor<3x4xf32>, but its operands and attributes give tensor<2x4xf32> (spec batch_norm_inference C7)
func.func @batch_norm_inference_c7(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  %r:1 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_grad: operand is tensor<2x4xi32>; its elements must be floating point; convert it first (spec batch_norm_grad I1)
func.func @batch_norm_grad_i1(%a: tensor<2x4xi32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_grad: feature_index is 2, operand is tensor<2x4xf32>; it must be in 0..1 (spec batch_norm_grad C1)
func.func @batch_norm_grad_c1(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_grad: grad_output is tensor<2x4xf64>, operand is tensor<2x4xf32>; their element types must be equal; convert one (spec batch_norm_grad C2)
func.func @batch_norm_grad_c2(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf64>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf64>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_grad: grad_output is tensor<3x4xf32>, operand is tensor<2x4xf32>; their shapes must be equal (spec batch_norm_grad C3)
func.func @batch_norm_grad_c3(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<3x4xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_grad: mean is tensor<3xf32>, operand is tensor<2x4xf32>; mean must have one element per feature, which are dimension 1 of operand (spec batch_norm_grad C4)
func.func @batch_norm_grad_c4(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// CHECK: stablehlo.batch_norm_grad: scale is tensor<3xf32>, operand is tensor<2x4xf32>; scale must have one element per feature, which are dimension 1 of operand (spec batch_norm_grad C5)
func.func @batch_norm_grad_c5(%a: tensor<2x4xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
