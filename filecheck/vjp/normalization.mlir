// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s

// The cotangent of the output: batch_norm_grad at the mean and variance of the batch.
// CHECK:      @main(%[[X:.*]]: tensor<8x3xf32>, %[[G:.*]]: tensor<3xf32>, %{{.*}}: tensor<3xf32>, %[[CT:.*]]: tensor<8x3xf32>)
// CHECK-NEXT: %{{.*}}, %[[MEAN:.*]], %[[VAR:.*]] = "stablehlo.batch_norm_training"
// CHECK:      %[[DX:.*]], %[[DG:.*]], %[[DO:.*]] = "stablehlo.batch_norm_grad"(%[[X]], %[[G]], %[[MEAN]], %[[VAR]], %[[CT]])
// CHECK-NEXT: return %[[DX]], %[[DG]], %[[DO]]
func.func @main(%x: tensor<8x3xf32>, %g: tensor<3xf32>, %o: tensor<3xf32>) -> tensor<8x3xf32> {
  %y:3 = "stablehlo.batch_norm_training"(%x, %g, %o) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %y#0 : tensor<8x3xf32>
}

// -----

// y = (x - mean) r g + offset, r = rsqrt(variance + epsilon): x gets ct r g, offset the sum of ct.
// CHECK:      @main(%{{.*}}: tensor<8x3xf32>, %[[G:[a-z]+]]: tensor<3xf32>, {{.*}}, %[[VAR:[a-z]+]]: tensor<3xf32>, %[[CT:.*]]: tensor<8x3xf32>)
// CHECK:      %[[V:.*]] = stablehlo.add %[[VAR]], %{{.*}}
// CHECK-NEXT: %[[R:.*]] = stablehlo.rsqrt %[[V]]
// CHECK:      %[[SLOPE:.*]] = stablehlo.multiply %[[R]], %[[G]]
// CHECK:      %[[DO:.*]] = stablehlo.reduce(%[[CT]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK:      %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[SLOPE]], dims = [1]
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %[[CT]], %[[WIDE]]
// CHECK:      return %[[DX]], %{{.*}}, %[[DO]], %{{.*}}, %{{.*}}
func.func @main(%x: tensor<8x3xf32>, %g: tensor<3xf32>, %o: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<8x3xf32> {
  %y = "stablehlo.batch_norm_inference"(%x, %g, %o, %m, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<8x3xf32>
  return %y : tensor<8x3xf32>
}
