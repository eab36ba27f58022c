// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.abs: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec abs C1)
func.func @abs_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.abs %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.abs: result is tensor<2xcomplex<f32>>, but its operands and attributes give tensor<2xf32> (spec abs C2)
func.func @abs_c2(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.abs %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// CHECK: stablehlo.abs: operand is tensor<2xui8>; its elements must be signed integers, floating point or complex; convert it first (spec abs I1)
func.func @abs_i1(%x: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.abs %x : tensor<2xui8>
  return %0 : tensor<2xui8>
}

// -----

// CHECK: stablehlo.cbrt: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec cbrt C1)
func.func @cbrt_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.cbrt %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.cbrt: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec cbrt I1)
func.func @cbrt_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.cbrt %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.ceil: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec ceil C1)
func.func @ceil_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.ceil %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.ceil: operand is tensor<2xi32>; its elements must be floating point; convert it first (spec ceil I1)
func.func @ceil_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.ceil %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.convert: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec convert C1)
func.func @convert_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.cosine: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec cosine C1)
func.func @cosine_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.cosine %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.cosine: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec cosine I1)
func.func @cosine_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.cosine %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.count_leading_zeros: result is tensor<3xi32>, but its operands and attributes give tensor<2xi32> (spec count_leading_zeros C1)
func.func @count_leading_zeros_c1(%x: tensor<2xi32>) -> tensor<3xi32> {
  %0 = stablehlo.count_leading_zeros %x : (tensor<2xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

// CHECK: stablehlo.count_leading_zeros: operand is tensor<2xf32>; its elements must be signed integers or unsigned integers; convert it first (spec count_leading_zeros I1)
func.func @count_leading_zeros_i1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.count_leading_zeros %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.exponential: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec exponential C1)
func.func @exponential_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.exponential %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.exponential: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec exponential I1)
func.func @exponential_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.exponential %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.exponential_minus_one: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec exponential_minus_one C1)
func.func @exponential_minus_one_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.exponential_minus_one %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.exponential_minus_one: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec exponential_minus_one I1)
func.func @exponential_minus_one_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.exponential_minus_one %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.floor: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec floor C1)
func.func @floor_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.floor %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.floor: operand is tensor<2xi32>; its elements must be floating point; convert it first (spec floor I1)
func.func @floor_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.floor %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.imag: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec imag C1)
func.func @imag_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.imag %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.imag: result is tensor<2xcomplex<f32>>, but its operands and attributes give tensor<2xf32> (spec imag C2)
func.func @imag_c2(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.imag %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// CHECK: stablehlo.imag: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec imag I1)
func.func @imag_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.imag %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.is_finite: result is tensor<3xi1>, but its operands and attributes give tensor<2xi1> (spec is_finite C1)
func.func @is_finite_c1(%x: tensor<2xf32>) -> tensor<3xi1> {
  %0 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

// CHECK: stablehlo.is_finite: x is tensor<2xi32>; its elements must be floating point; convert it first (spec is_finite I1)
func.func @is_finite_i1(%x: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.is_finite %x : (tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.log: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec log C1)
func.func @log_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.log %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.log: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec log I1)
func.func @log_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.log %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.log_plus_one: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec log_plus_one C1)
func.func @log_plus_one_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.log_plus_one %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.log_plus_one: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec log_plus_one I1)
func.func @log_plus_one_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.log_plus_one %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.logistic: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec logistic C1)
func.func @logistic_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.logistic %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.logistic: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec logistic I1)
func.func @logistic_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.logistic %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.negate: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec negate C1)
func.func @negate_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.negate %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.negate: operand is tensor<2xi1>; its elements must be signed integers, unsigned integers, floating point or complex; convert it first (spec negate I1)
func.func @negate_i1(%x: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.negate %x : tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// CHECK: stablehlo.not: result is tensor<3xi32>, but its operands and attributes give tensor<2xi32> (spec not C1)
func.func @not_c1(%x: tensor<2xi32>) -> tensor<3xi32> {
  %0 = stablehlo.not %x : (tensor<2xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

// CHECK: stablehlo.not: operand is tensor<2xf32>; its elements must be i1, signed integers or unsigned integers; convert it first (spec not I1)
func.func @not_i1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.not %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.popcnt: result is tensor<3xi32>, but its operands and attributes give tensor<2xi32> (spec popcnt C1)
func.func @popcnt_c1(%x: tensor<2xi32>) -> tensor<3xi32> {
  %0 = stablehlo.popcnt %x : (tensor<2xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

// CHECK: stablehlo.popcnt: operand is tensor<2xf32>; its elements must be signed integers or unsigned integers; convert it first (spec popcnt I1)
func.func @popcnt_i1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.popcnt %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.real: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec real C1)
func.func @real_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.real %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.real: result is tensor<2xcomplex<f32>>, but its operands and attributes give tensor<2xf32> (spec real C2)
func.func @real_c2(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.real %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// CHECK: stablehlo.real: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec real I1)
func.func @real_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.real %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.round_nearest_afz: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec round_nearest_afz C1)
func.func @round_nearest_afz_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.round_nearest_afz %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.round_nearest_afz: operand is tensor<2xi32>; its elements must be floating point; convert it first (spec round_nearest_afz I1)
func.func @round_nearest_afz_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.round_nearest_afz %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.round_nearest_even: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec round_nearest_even C1)
func.func @round_nearest_even_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.round_nearest_even %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.round_nearest_even: operand is tensor<2xi32>; its elements must be floating point; convert it first (spec round_nearest_even I1)
func.func @round_nearest_even_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.round_nearest_even %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.rsqrt: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec rsqrt C1)
func.func @rsqrt_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.rsqrt %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.rsqrt: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec rsqrt I1)
func.func @rsqrt_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.rsqrt %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.sign: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec sign C1)
func.func @sign_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.sign %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.sign: operand is tensor<2xui8>; its elements must be signed integers, floating point or complex; convert it first (spec sign I1)
func.func @sign_i1(%x: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.sign %x : tensor<2xui8>
  return %0 : tensor<2xui8>
}

// -----

// CHECK: stablehlo.sine: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec sine C1)
func.func @sine_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.sine %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.sine: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec sine I1)
func.func @sine_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.sine %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.sqrt: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec sqrt C1)
func.func @sqrt_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.sqrt %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.sqrt: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec sqrt I1)
func.func @sqrt_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.sqrt %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.tan: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec tan C1)
func.func @tan_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tan %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.tan: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec tan I1)
func.func @tan_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.tan %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.tanh: result is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec tanh C1)
func.func @tanh_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tanh %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: stablehlo.tanh: operand is tensor<2xi32>; its elements must be floating point or complex; convert it first (spec tanh I1)
func.func @tanh_i1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.tanh %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK: stablehlo.convert: operand is tensor<2xi3>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec convert I1)
func.func @convert_i1(%x: tensor<2xi3>) -> tensor<2xf32> {
  %0 = stablehlo.convert %x : (tensor<2xi3>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.reduce_precision: operand is tensor<2xi32>; its elements must be floating point; convert it first (spec reduce_precision I1)
func.func @reduce_precision_i1(%a: tensor<2xi32>) {
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// CHECK: stablehlo.reduce_precision: output is tensor<2xf64>, but its operands and attributes give tensor<2xf32> (spec reduce_precision C1)
func.func @reduce_precision_c1(%a: tensor<2xf32>) {
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

// CHECK: stablehlo.reduce_precision: exponent_bits is 0; it must be at least 1 (spec reduce_precision C2)
func.func @reduce_precision_c2(%a: tensor<2xf32>) {
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 0 : i32, mantissa_bits = 10 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_precision: mantissa_bits is -1; it must be at least 0 (spec reduce_precision C3)
func.func @reduce_precision_c3(%a: tensor<2xf32>) {
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = -1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.bitcast_convert: operand is tensor<2xi3>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec bitcast_convert I1)
func.func @bitcast_convert_i1(%a: tensor<2xi3>) {
  %r = stablehlo.bitcast_convert %a : (tensor<2xi3>) -> tensor<2xi3>
  return
}

// -----

// CHECK: stablehlo.bitcast_convert: operand is tensor<2xf32>, result is tensor<2x3xi16>; i16 has 16 bits, f32 has 32, so their sizes must be equal but for a last one, 2, of tensor<2x3xi16> (spec bitcast_convert C1)
func.func @bitcast_convert_c1(%a: tensor<2xf32>) {
  %r = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x3xi16>
  return
}

// -----

// CHECK: stablehlo.bitcast_convert: operand is tensor<2xi16>, result is tensor<2xi32>; i16 has 16 bits, i32 has 32, so their sizes must be equal but for a last one, 2, of tensor<2xi16> (spec bitcast_convert C1)
func.func @bitcast_convert_c1_wider(%a: tensor<2xi16>) {
  %r = stablehlo.bitcast_convert %a : (tensor<2xi16>) -> tensor<2xi32>
  return
}

// -----

// CHECK: stablehlo.bitcast_convert: operand is tensor<2xf64>, result is tensor<2xcomplex<f32>>; both must be complex or neither; take real and imag (spec bitcast_convert C2)
func.func @bitcast_convert_c2(%a: tensor<2xf64>) {
  %r = stablehlo.bitcast_convert %a : (tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}
