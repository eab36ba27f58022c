// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.rng: a is tensor<1xf32>; its rank must be 0 (spec rng I1)
func.func @rng_i1(%a: tensor<1xf32>, %b: tensor<f32>, %s: tensor<1xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<1xf32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// CHECK: stablehlo.rng: b is tensor<1xf32>; its rank must be 0 (spec rng I2)
func.func @rng_i2(%a: tensor<f32>, %b: tensor<1xf32>, %s: tensor<1xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// CHECK: stablehlo.rng: shape is tensor<?xi64>; it must have rank 1 and known sizes (spec rng I3)
func.func @rng_i3(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<?xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<?xi64>) -> tensor<?xf32>
  return
}

// -----

// CHECK: stablehlo.rng: b is tensor<f64>, a is tensor<f32>; their element types must be equal; convert one (spec rng C1)
func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %s: tensor<1xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// CHECK: stablehlo.rng: result is tensor<?xf64>, but its operands and attributes give tensor<?xf32> (spec rng C1)
func.func @rng_c1_result(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf64>
  return
}

// -----

// CHECK: stablehlo.rng: rng_distribution is NORMAL, a is tensor<i32>; its elements must be floating point; convert it first (spec rng C2)
func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<1xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

// CHECK: stablehlo.rng: result is tensor<2x4xf32>, but its operands and attributes give tensor<2x3xf32> (spec rng C3)
func.func @rng_c3(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

// CHECK: stablehlo.rng: result is tensor<2x2xf32>, but its operands and attributes give tensor<?xf32> (spec rng C3)
func.func @rng_c3_rank(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>) {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2x2xf32>
  return
}

// -----

// CHECK: stablehlo.rng_bit_generator: initial_state is tensor<2xi1>; its elements must be signed integers, unsigned integers or floating point; convert it first (spec rng_bit_generator I1)
func.func @rng_bit_generator_i1(%a: tensor<2xi1>) {
  %r:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xi1>) -> (tensor<2xi1>, tensor<2xui64>)
  return
}

// -----

// CHECK: stablehlo.rng_bit_generator: output_state is tensor<3xui64>, initial_state is tensor<2xui64>; their shapes must be equal (spec rng_bit_generator C1)
func.func @rng_bit_generator_c1(%a: tensor<2xui64>) {
  %r:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<3xui64>, tensor<2xui64>)
  return
}

// -----

// CHECK: stablehlo.rng_bit_generator: output is tensor<?xui64>; its sizes must be known
func.func @rng_bit_generator_output(%a: tensor<2xui64>) {
  %r:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui64>)
  return
}
