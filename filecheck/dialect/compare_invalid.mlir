// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.compare: lhs is tensor<2xf32>, rhs is tensor<2xi32>; their element types must be equal; convert one (spec compare C1)
func.func @compare_c1(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.compare: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec compare C2)
func.func @compare_c2(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.select: pred is tensor<3xi1>, on_true is tensor<2xf32>; pred must be a scalar or have the same shape (spec select C1)
func.func @select_c1(%p: tensor<3xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<3xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.select: on_true is tensor<2xf32>, on_false is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec select C2)
func.func @select_c2(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.select: pred is tensor<i8>; its elements must be i1; compare it with 0 (spec select I1)
func.func @select_i1(%p: tensor<i8>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i8>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.clamp: min is tensor<3xf32>, operand is tensor<2xf32>; a bound is a scalar or has the same shape (spec clamp C1)
func.func @clamp_c1(%l: tensor<3xf32>, %x: tensor<2xf32>, %h: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %l, %x, %h : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.clamp: max is tensor<1xf32>, operand is tensor<2xf32>; a bound is a scalar or has the same shape (spec clamp C2)
func.func @clamp_c2(%l: tensor<f32>, %x: tensor<2xf32>, %h: tensor<1xf32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %l, %x, %h : (tensor<f32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.clamp: max is tensor<f64>, operand is tensor<2xf32>; their element types must be equal (spec clamp C3)
func.func @clamp_c3(%l: tensor<f32>, %x: tensor<2xf32>, %h: tensor<f64>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %l, %x, %h : (tensor<f32>, tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.clamp: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec clamp C4)
func.func @clamp_c4(%l: tensor<f32>, %x: tensor<2xf32>, %h: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.clamp %l, %x, %h : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
