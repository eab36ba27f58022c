// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @one_value(
// CHECK-GENERIC-LABEL: sym_name = "one_value"
func.func @one_value(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    // CHECK: stablehlo.return %{{.*}} : tensor<f32>
    // CHECK-GENERIC: "stablehlo.return"(%{{.*}}) : (tensor<f32>) -> ()
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @two_values(
// CHECK-GENERIC-LABEL: sym_name = "two_values"
func.func @two_values(%x: tensor<4xf32>, %y: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0:2 = stablehlo.reduce(%x init: %z), (%y init: %n) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.maximum %i, %j : tensor<i32>
    // CHECK: stablehlo.return %{{.*}}, %{{.*}} {note = 1 : i64} : tensor<f32>, tensor<i32>
    // CHECK-GENERIC: "stablehlo.return"(%{{.*}}, %{{.*}}) {note = 1 : i64} : (tensor<f32>, tensor<i32>) -> ()
    stablehlo.return %1, %2 {note = 1 : i64} : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
