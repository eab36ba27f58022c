// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s

// a = L L^T: phi(L^T t) between two solves with L, made symmetric.
// CHECK:      @main(%[[A:.*]]: tensor<3x3xf32>, %[[CT:.*]]: tensor<3x3xf32>)
// CHECK-NEXT: %[[L:.*]] = stablehlo.cholesky %[[A]], lower = true
// CHECK:      %[[T:.*]] = stablehlo.select %{{.*}}, %[[CT]], %{{.*}}
// CHECK:      %[[F:.*]] = stablehlo.select %{{.*}}, %[[L]], %{{.*}}
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[F]], %[[T]], contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST]
// CHECK:      "stablehlo.triangular_solve"(%[[F]], %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}>
// CHECK-NEXT: %[[S:.*]] = "stablehlo.triangular_solve"(%[[F]], %{{.*}}) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
// CHECK-NEXT: %[[ST:.*]] = stablehlo.transpose %[[S]], dims = [1, 0]
// CHECK-NEXT: stablehlo.add %[[S]], %[[ST]]
func.func @main(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %l = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  return %l : tensor<3x3xf32>
}

// -----

// A X = b: b gets B' = A^-T t, and A the triangle of -B' X^T.
// CHECK:      @main(%[[A:.*]]: tensor<3x3xf32>, %[[B:.*]]: tensor<3x2xf32>, %[[CT:.*]]: tensor<3x2xf32>)
// CHECK-NEXT: %[[X:.*]] = "stablehlo.triangular_solve"(%[[A]], %[[B]])
// CHECK-NEXT: %[[DB:.*]] = "stablehlo.triangular_solve"(%[[A]], %[[CT]]) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}>
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[DB]], %[[X]], contracting_dims = [1] x [1]
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[P]]
// CHECK:      %[[DA:.*]] = stablehlo.select %{{.*}}, %[[N]], %{{.*}}
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %x = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %x : tensor<3x2xf32>
}

// -----

// The matrix of the transform is symmetric.
// CHECK:      @main(%{{.*}}: tensor<4xcomplex<f32>>, %[[CT:.*]]: tensor<4xcomplex<f32>>)
// CHECK-NEXT: %[[D:.*]] = stablehlo.fft %[[CT]], type = FFT, length = [4]
// CHECK-NEXT: return %[[D]]
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %y : tensor<4xcomplex<f32>>
}
