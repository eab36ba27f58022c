// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @square(
// CHECK-GENERIC-LABEL: sym_name = "square"
func.func @square(%f: tensor<4xf32>, %c: tensor<4xcomplex<f32>>, %d: tensor<?xf32>) {
  // CHECK: chlo.square %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  // CHECK-GENERIC: "chlo.square"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = chlo.square %f : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.square %{{.*}} : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  // CHECK-GENERIC: "chlo.square"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = chlo.square %c : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  // CHECK: chlo.square %{{.*}} {note} : tensor<?xf32> -> tensor<?xf32>
  // CHECK-GENERIC: "chlo.square"(%{{.*}}) {note} : (tensor<?xf32>) -> tensor<?xf32>
  %2 = chlo.square %d {note} : tensor<?xf32> -> tensor<?xf32>
  return
}
