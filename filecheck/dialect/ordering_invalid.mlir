// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.sort: there are no inputs; give at least one (spec sort C1)
func.func @sort_c1() {
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
  ^bb0:
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : () -> ()
  return
}

// -----

// CHECK: stablehlo.sort: results[0] is tensor<2x3xf64>, but its operands and attributes give tensor<2x3xf32> (spec sort C2)
func.func @sort_c2(%x0: tensor<2x3xf32>) {
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%b0: tensor<f32>, %b1: tensor<f32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

// -----

// CHECK: stablehlo.sort: inputs[1] is tensor<2x4xf32>, inputs[0] is tensor<2x3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec sort C3)
func.func @sort_c3(%x0: tensor<2x3xf32>, %x1: tensor<2x4xf32>) {
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64}> ({
  ^bb0(%b0: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>, %b3: tensor<f32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x4xf32>)
  return
}

// -----

// CHECK: stablehlo.sort: dimension is 2, inputs[0] is tensor<2x3xf32>; it must be in -2..1 (spec sort C4)
func.func @sort_c4(%x0: tensor<2x3xf32>) {
  %0 = "stablehlo.sort"(%x0) <{dimension = 2 : i64}> ({
  ^bb0(%b0: tensor<f32>, %b1: tensor<f32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// CHECK: stablehlo.sort: comparator maps (tensor<f32>, tensor<f64>) to (tensor<i1>); it must map (tensor<f32>, tensor<f32>) to tensor<i1> (spec sort C5)
func.func @sort_c5(%x0: tensor<2x3xf32>) {
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%b0: tensor<f32>, %b1: tensor<f64>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
