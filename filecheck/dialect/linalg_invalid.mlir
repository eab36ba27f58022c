// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.cholesky: a is tensor<3x3xi32>; its elements must be floating point or complex; convert it first (spec cholesky I1)
func.func @cholesky_i1(%a: tensor<3x3xi32>) {
  %r = stablehlo.cholesky %a, lower = true : tensor<3x3xi32>
  return
}

// -----

// CHECK: stablehlo.cholesky: result is tensor<3x3xf64>, but its operands and attributes give tensor<3x3xf32> (spec cholesky C1)
func.func @cholesky_c1(%a: tensor<3x3xf32>) {
  %r = stablehlo.cholesky %a, lower = true : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return
}

// -----

// CHECK: stablehlo.cholesky: a is tensor<3xf32>; it must hold matrices, so its rank must be at least 2 (spec cholesky C2)
func.func @cholesky_c2(%a: tensor<3xf32>) {
  %r = stablehlo.cholesky %a, lower = true : tensor<3xf32>
  return
}

// -----

// CHECK: stablehlo.cholesky: a is tensor<3x4xf32>; its last two sizes must be equal (spec cholesky C3)
func.func @cholesky_c3(%a: tensor<3x4xf32>) {
  %r = stablehlo.cholesky %a, lower = true : tensor<3x4xf32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: a is tensor<3x3xi32>; its elements must be floating point or complex; convert it first (spec triangular_solve I1)
func.func @triangular_solve_i1(%a: tensor<3x3xi32>, %b: tensor<3x2xi32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: b is tensor<3x2xf64>, a is tensor<3x3xf32>; their element types must be equal; convert one (spec triangular_solve C1)
func.func @triangular_solve_c1(%a: tensor<3x3xf32>, %b: tensor<3x2xf64>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: a is tensor<2x3x3xf32>, b is tensor<3x2xf32>; their ranks must be equal; broadcast_in_dim one of them (spec triangular_solve C2)
func.func @triangular_solve_c2(%a: tensor<2x3x3xf32>, %b: tensor<3x2xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: a is tensor<3x3xf32>, b is tensor<3x2xf32>; size -1 of b must be that of a, and the sizes before the last two equal (spec triangular_solve C3)
func.func @triangular_solve_c3(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: a is tensor<2x3x3xf32>, b is tensor<4x3x2xf32>; size -2 of b must be that of a, and the sizes before the last two equal (spec triangular_solve C3)
func.func @triangular_solve_c3_batch(%a: tensor<2x3x3xf32>, %b: tensor<4x3x2xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: a is tensor<3x4xf32>; its last two sizes must be equal (spec triangular_solve C3)
func.func @triangular_solve_c3_square(%a: tensor<3x4xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: result is tensor<3x3xf32>, but its operands and attributes give tensor<3x2xf32> (spec triangular_solve C4)
func.func @triangular_solve_c4(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.triangular_solve: transpose_a is TRANSPOSE_INVALID; use NO_TRANSPOSE, TRANSPOSE or ADJOINT (spec triangular_solve I6)
func.func @triangular_solve_i6(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

// CHECK: stablehlo.fft: operand is tensor<4xi32>; its elements must be floating point or complex; convert it first (spec fft I1)
func.func @fft_i1(%a: tensor<4xi32>) {
  %r = stablehlo.fft %a, type = FFT, length = [4] : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

// CHECK: stablehlo.fft: fft_length is [4, 4], operand is tensor<4xcomplex<f32>>; there must be no more lengths than dimensions (spec fft C1)
func.func @fft_c1(%a: tensor<4xcomplex<f32>>) {
  %r = stablehlo.fft %a, type = FFT, length = [4, 4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// CHECK: stablehlo.fft: fft_type is FFT, operand is tensor<4xf32>; its elements must be complex; convert it first (spec fft C2)
func.func @fft_c2(%a: tensor<4xf32>) {
  %r = stablehlo.fft %a, type = FFT, length = [4] : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// CHECK: stablehlo.fft: fft_type is RFFT, operand is tensor<4xf16>; its elements must be f32 or f64; convert it first (spec fft C2)
func.func @fft_c2_half(%a: tensor<4xf16>) {
  %r = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf16>) -> tensor<3xcomplex<f32>>
  return
}

// -----

// CHECK: stablehlo.fft: result is tensor<4x4xcomplex<f64>>, but its operands and attributes give tensor<4x4xcomplex<f32>> (spec fft C2)
func.func @fft_c2_result(%a: tensor<4x4xcomplex<f32>>) {
  %r = stablehlo.fft %a, type = IFFT, length = [4] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f64>>
  return
}

// -----

// CHECK: stablehlo.fft: fft_length is [1, 1, 1, 1]; it must hold 1 to 3 sizes (spec fft C3)
func.func @fft_c3(%a: tensor<1x1x1x1xcomplex<f32>>) {
  %r = stablehlo.fft %a, type = FFT, length = [1, 1, 1, 1] : (tensor<1x1x1x1xcomplex<f32>>) -> tensor<1x1x1x1xcomplex<f32>>
  return
}

// -----

// CHECK: stablehlo.fft: fft_type is RFFT, fft_length is [2, 8], operand is tensor<2x6xf32>; its last sizes must be [2, 8] (spec fft C4)
func.func @fft_c4(%a: tensor<2x6xf32>) {
  %r = stablehlo.fft %a, type = RFFT, length = [2, 8] : (tensor<2x6xf32>) -> tensor<2x5xcomplex<f32>>
  return
}

// -----

// CHECK: stablehlo.fft: fft_type is IRFFT, fft_length is [8], operand is tensor<2x4xcomplex<f32>>; its last sizes must be [5] (spec fft C4)
func.func @fft_c4_inverse(%a: tensor<2x4xcomplex<f32>>) {
  %r = stablehlo.fft %a, type = IRFFT, length = [8] : (tensor<2x4xcomplex<f32>>) -> tensor<2x8xf32>
  return
}

// -----

// CHECK: stablehlo.fft: result is tensor<2x6xcomplex<f32>>, but its operands and attributes give tensor<2x4xcomplex<f32>> (spec fft C5)
func.func @fft_c5(%a: tensor<2x6xf32>) {
  %r = stablehlo.fft %a, type = RFFT, length = [6] : (tensor<2x6xf32>) -> tensor<2x6xcomplex<f32>>
  return
}
