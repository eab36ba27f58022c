// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.map: result is tensor<2x4xf32>, but its operands and attributes give tensor<2x3xf32> (spec map C1)
func.func @map_c1(%x0: tensor<2x3xf32>) {
  %0 = "stablehlo.map"(%x0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// CHECK: stablehlo.map: there are no inputs; give at least one (spec map C2)
func.func @map_c2() {
  %0 = "stablehlo.map"() <{dimensions = array<i64: 0, 1>}> ({
  ^bb0:
    %b0 = stablehlo.constant dense<0.0> : tensor<f32>
    stablehlo.return %b0 : tensor<f32>
  }) : () -> tensor<2x3xf32>
  return
}

// -----

// CHECK: stablehlo.map: dimensions are [1, 0], inputs[0] is tensor<2x3xf32>; they must be [0, 1] (spec map C3)
func.func @map_c3(%x0: tensor<2x3xf32>) {
  %0 = "stablehlo.map"(%x0) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// CHECK: stablehlo.map: computation maps (tensor<f32>, tensor<f32>) to (tensor<f32>); it must map (tensor<f32>) to one scalar (spec map C4)
func.func @map_c4(%x0: tensor<2x3xf32>) {
  %0 = "stablehlo.map"(%x0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%b0: tensor<f32>, %b1: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
