// Stock xdsl-opt loads each dialect when it meets its first op.
// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: xdsl-opt %s -p 'hhlo-grad{value=false}' | filecheck %s --check-prefix=GRAD

// CHECK: chlo.square %x : tensor<f32> -> tensor<f32>
// CHECK-NEXT: stablehlo.sine %{{.*}} : tensor<f32>
// GENERIC: "chlo.square"(%x) : (tensor<f32>) -> tensor<f32>
// GENERIC-NEXT: "stablehlo.sine"(%{{.*}}) : (tensor<f32>) -> tensor<f32>
// GRAD: func.func @main(%x: tensor<f32>) -> tensor<f32> {
// GRAD: stablehlo.cosine
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = chlo.square %x : tensor<f32> -> tensor<f32>
  %1 = stablehlo.sine %0 : tensor<f32>
  return %1 : tensor<f32>
}
