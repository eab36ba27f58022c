// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @cholesky
// CHECK-GENERIC-LABEL: sym_name = "cholesky"
func.func @cholesky(%a: tensor<3x3xf32>, %b: tensor<2x?x?xcomplex<f64>>, %q: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<3x3xf32>
  // CHECK-GENERIC: "stablehlo.cholesky"(%{{.*}}) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  // What is absent stays absent.
  // CHECK: stablehlo.cholesky %{{.*}} {note} : tensor<2x?x?xcomplex<f64>>
  // CHECK-GENERIC: "stablehlo.cholesky"(%{{.*}}) {note} : (tensor<2x?x?xcomplex<f64>>) -> tensor<2x?x?xcomplex<f64>>
  %1 = stablehlo.cholesky %b {note} : tensor<2x?x?xcomplex<f64>>
  // In the dictionary, as a number.
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : (tensor<3x3xf32>) -> tensor<?x3xf32>
  // CHECK-GENERIC: "stablehlo.cholesky"(%{{.*}}) <{lower = true}> : (tensor<3x3xf32>) -> tensor<?x3xf32>
  %2 = stablehlo.cholesky %a {lower = true} : (tensor<3x3xf32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<3x3xf32>
  // CHECK-GENERIC: "stablehlo.cholesky"(%{{.*}}) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %3 = stablehlo.cholesky %a, lower = 1 : tensor<3x3xf32>
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  // CHECK-GENERIC: "stablehlo.cholesky"(%{{.*}}) <{lower = true}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  %4 = stablehlo.cholesky %q, lower = true : tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// CHECK-LABEL: @triangular_solve
// CHECK-GENERIC-LABEL: sym_name = "triangular_solve"
func.func @triangular_solve(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %c: tensor<5x2x3xcomplex<f32>>, %d: tensor<5x3x3xcomplex<f32>>) {
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  // CHECK-GENERIC: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<5x3x3xcomplex<f32>>, tensor<5x2x3xcomplex<f32>>) -> tensor<5x2x3xcomplex<f32>>
  // CHECK-GENERIC: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<5x3x3xcomplex<f32>>, tensor<5x2x3xcomplex<f32>>) -> tensor<5x2x3xcomplex<f32>>
  %1 = "stablehlo.triangular_solve"(%d, %c) {left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true} : (tensor<5x3x3xcomplex<f32>>, tensor<5x2x3xcomplex<f32>>) -> tensor<5x2x3xcomplex<f32>>
  return
}

// CHECK-LABEL: @fft
// CHECK-GENERIC-LABEL: sym_name = "fft"
func.func @fft(%c: tensor<2x4xcomplex<f32>>, %r: tensor<2x?xf64>, %b: tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) {
  // CHECK: stablehlo.fft %{{.*}}, type = FFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  // CHECK-GENERIC: "stablehlo.fft"(%{{.*}}) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>}> : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  %0 = stablehlo.fft %c, type = FFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  // CHECK: stablehlo.fft %{{.*}}, type = IFFT, length = [2, 4] {note} : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  // CHECK-GENERIC: "stablehlo.fft"(%{{.*}}) <{fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 2, 4>}> {note} : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  %1 = stablehlo.fft %c, type = IFFT, length = [2, 4] {note} : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  // CHECK: stablehlo.fft %{{.*}}, type = RFFT, length = [6] : (tensor<2x?xf64>) -> tensor<2x4xcomplex<f64>>
  // CHECK-GENERIC: "stablehlo.fft"(%{{.*}}) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 6>}> : (tensor<2x?xf64>) -> tensor<2x4xcomplex<f64>>
  %2 = stablehlo.fft %r, type = RFFT, length = [6] : (tensor<2x?xf64>) -> tensor<2x4xcomplex<f64>>
  // CHECK: stablehlo.fft %{{.*}}, type = IRFFT, length = [2, 7] : (tensor<2x4xcomplex<f32>>) -> tensor<2x7xf32>
  // CHECK-GENERIC: "stablehlo.fft"(%{{.*}}) <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 2, 7>}> : (tensor<2x4xcomplex<f32>>) -> tensor<2x7xf32>
  %3 = stablehlo.fft %c, type = IRFFT, length = [2, 7] : (tensor<2x4xcomplex<f32>>) -> tensor<2x7xf32>
  // CHECK: stablehlo.fft %{{.*}}, type = FFT, length = [5] : (tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) -> tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>
  // CHECK-GENERIC: "stablehlo.fft"(%{{.*}}) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 5>}> : (tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) -> tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>
  %4 = stablehlo.fft %b, type = FFT, length = [5] : (tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) -> tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>
  return
}
