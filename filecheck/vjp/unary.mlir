// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s

// y = tanh(x): the cotangent of x is ct * (1 - y * y), which is 4 s (1 - s) for s = logistic(-2 |x|).
// y is not used any more, and so it is gone.
// CHECK:      func.func @main(%x: tensor<4xf32>, %[[CT:.*]]: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %[[A:.*]] = stablehlo.abs %x : tensor<4xf32>
// CHECK-NEXT:   %[[CM:.*]] = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[MINUS:.*]] = stablehlo.broadcast_in_dim %[[CM]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[N:.*]] = stablehlo.multiply %[[MINUS]], %[[A]] : tensor<4xf32>
// CHECK-NEXT:   %[[S:.*]] = stablehlo.logistic %[[N]] : tensor<4xf32>
// CHECK-NEXT:   %[[C1:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[ONE:.*]] = stablehlo.broadcast_in_dim %[[C1]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[R:.*]] = stablehlo.subtract %[[ONE]], %[[S]] : tensor<4xf32>
// CHECK-NEXT:   %[[L:.*]] = stablehlo.multiply %[[S]], %[[R]] : tensor<4xf32>
// CHECK-NEXT:   %[[C4:.*]] = stablehlo.constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[FOUR:.*]] = stablehlo.broadcast_in_dim %[[C4]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:   %[[D:.*]] = stablehlo.multiply %[[FOUR]], %[[L]] : tensor<4xf32>
// CHECK-NEXT:   %[[DX:.*]] = stablehlo.multiply %[[CT]], %[[D]] : tensor<4xf32>
// CHECK-NEXT:   func.return %[[DX]] : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// y = exp(x): ct * y, so the forward value is used again and nothing is computed twice.
// CHECK:      %[[Y:.*]] = stablehlo.exponential %x : tensor<4xf32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %{{.*}}, %[[Y]] : tensor<4xf32>
// CHECK-NEXT: func.return %[[DX]] : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.exponential %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// y = real(z): the cotangent of z is (ct, 0), since pairing is without conjugation.
// CHECK:      %[[DZ:.*]] = stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// CHECK-NEXT: func.return %[[DZ]] : tensor<4xcomplex<f32>>
func.func @main(%z: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %y = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// y = floor(x) is piecewise constant: the cotangent of x is zero, and ct is not used.
// CHECK:      %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Z:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %[[Z]] : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.floor %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
