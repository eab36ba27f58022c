// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.add: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec add C1)
func.func @add_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.add: lhs is tensor<2xi3>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec add I1)
func.func @add_i1(%x: tensor<2xi3>, %y: tensor<2xi3>) -> tensor<2xi3> {
  %0 = stablehlo.add %x, %y : tensor<2xi3>
  return %0 : tensor<2xi3>
}

// -----

// CHECK: stablehlo.and: lhs is tensor<2xi32>, rhs is tensor<3xi32>; their shapes must be equal; broadcast_in_dim one of them (spec and C1)
func.func @and_c1(%x: tensor<2xi32>, %y: tensor<3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.and %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.and: lhs is tensor<2xf32>; its elements must be i1, signed integers or unsigned integers; convert it first (spec and I1)
func.func @and_i1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.and %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.atan2: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec atan2 C1)
func.func @atan2_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.atan2 %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.atan2: lhs is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec atan2 I1)
func.func @atan2_i1(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.atan2 %x, %y : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.divide: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec divide C1)
func.func @divide_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.divide %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.divide: lhs is tensor<2xi1>; its elements must be signed integers, unsigned integers, floating point or complex; convert it first (spec divide I1)
func.func @divide_i1(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.divide %x, %y : tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.maximum: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec maximum C1)
func.func @maximum_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.maximum %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.maximum: lhs is tensor<2xi3>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec maximum I1)
func.func @maximum_i1(%x: tensor<2xi3>, %y: tensor<2xi3>) -> tensor<2xi3> {
  %0 = stablehlo.maximum %x, %y : tensor<2xi3>
  return %0 : tensor<2xi3>
}

// -----

// CHECK: stablehlo.minimum: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec minimum C1)
func.func @minimum_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.minimum %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.minimum: lhs is tensor<2xi3>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec minimum I1)
func.func @minimum_i1(%x: tensor<2xi3>, %y: tensor<2xi3>) -> tensor<2xi3> {
  %0 = stablehlo.minimum %x, %y : tensor<2xi3>
  return %0 : tensor<2xi3>
}

// -----

// CHECK: stablehlo.multiply: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec multiply C1)
func.func @multiply_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.multiply: lhs is tensor<2xi3>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec multiply I1)
func.func @multiply_i1(%x: tensor<2xi3>, %y: tensor<2xi3>) -> tensor<2xi3> {
  %0 = stablehlo.multiply %x, %y : tensor<2xi3>
  return %0 : tensor<2xi3>
}

// -----

// CHECK: stablehlo.or: lhs is tensor<2xi32>, rhs is tensor<3xi32>; their shapes must be equal; broadcast_in_dim one of them (spec or C1)
func.func @or_c1(%x: tensor<2xi32>, %y: tensor<3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.or %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.or: lhs is tensor<2xf32>; its elements must be i1, signed integers or unsigned integers; convert it first (spec or I1)
func.func @or_i1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.or %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.power: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec power C1)
func.func @power_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.power %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.power: lhs is tensor<2xi1>; its elements must be signed integers, unsigned integers, floating point or complex; convert it first (spec power I1)
func.func @power_i1(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.power %x, %y : tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.remainder: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec remainder C1)
func.func @remainder_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.remainder %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.remainder: lhs is tensor<2xi1>; its elements must be signed integers, unsigned integers, floating point or complex; convert it first (spec remainder I1)
func.func @remainder_i1(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.remainder %x, %y : tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.shift_left: lhs is tensor<2xi32>, rhs is tensor<3xi32>; their shapes must be equal; broadcast_in_dim one of them (spec shift_left C1)
func.func @shift_left_c1(%x: tensor<2xi32>, %y: tensor<3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.shift_left %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.shift_left: lhs is tensor<2xf32>; its elements must be signed integers or unsigned integers; convert it first (spec shift_left I1)
func.func @shift_left_i1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.shift_left %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.shift_right_arithmetic: lhs is tensor<2xi32>, rhs is tensor<3xi32>; their shapes must be equal; broadcast_in_dim one of them (spec shift_right_arithmetic C1)
func.func @shift_right_arithmetic_c1(%x: tensor<2xi32>, %y: tensor<3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.shift_right_arithmetic %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.shift_right_arithmetic: lhs is tensor<2xf32>; its elements must be signed integers or unsigned integers; convert it first (spec shift_right_arithmetic I1)
func.func @shift_right_arithmetic_i1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.shift_right_arithmetic %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.shift_right_logical: lhs is tensor<2xi32>, rhs is tensor<3xi32>; their shapes must be equal; broadcast_in_dim one of them (spec shift_right_logical C1)
func.func @shift_right_logical_c1(%x: tensor<2xi32>, %y: tensor<3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.shift_right_logical %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.shift_right_logical: lhs is tensor<2xf32>; its elements must be signed integers or unsigned integers; convert it first (spec shift_right_logical I1)
func.func @shift_right_logical_i1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.shift_right_logical %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.subtract: lhs is tensor<2xf32>, rhs is tensor<3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec subtract C1)
func.func @subtract_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.subtract %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.subtract: lhs is tensor<2xi1>; its elements must be signed integers, unsigned integers, floating point or complex; convert it first (spec subtract I1)
func.func @subtract_i1(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.subtract %x, %y : tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.xor: lhs is tensor<2xi32>, rhs is tensor<3xi32>; their shapes must be equal; broadcast_in_dim one of them (spec xor C1)
func.func @xor_c1(%x: tensor<2xi32>, %y: tensor<3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.xor %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.xor: lhs is tensor<2xf32>; its elements must be i1, signed integers or unsigned integers; convert it first (spec xor I1)
func.func @xor_i1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.xor %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.complex: lhs is tensor<2xf32>, rhs is tensor<2xf64>; their element types must be equal; convert one (spec complex C1)
func.func @complex_c1(%x: tensor<2xf32>, %y: tensor<2xf64>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// CHECK: stablehlo.complex: result is tensor<3xcomplex<f32>>, but its operands and attributes give tensor<2xcomplex<f32>> (spec complex C2)
func.func @complex_c2(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<3xcomplex<f32>> {
  %0 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

// CHECK: stablehlo.complex: result is tensor<2xcomplex<f64>>, but its operands and attributes give tensor<2xcomplex<f32>> (spec complex C3)
func.func @complex_c3(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xcomplex<f64>> {
  %0 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// -----

// CHECK: stablehlo.complex: lhs is tensor<2xf16>; its elements must be f32 or f64; convert it first (spec complex I1)
func.func @complex_i1(%x: tensor<2xf16>, %y: tensor<2xf16>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.complex %x, %y : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
