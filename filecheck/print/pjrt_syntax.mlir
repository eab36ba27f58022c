// RUN: xdsl-opt %s -p hhlo-pjrt-syntax | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt %s -p hhlo-pjrt-syntax | JAX_ROUNDTRIP > %t
// RUN: xdsl-opt %s -p hhlo-pjrt-syntax | xdsl-opt | xdsl-opt -p hhlo-pjrt-syntax | filecheck %s --strict-whitespace --match-full-lines

// Whole lines: what a StableHLO 1.16 parser is given, letter by letter.

//      CHECK:builtin.module {
// How a list of dimensions is spelled in the forms that all parsers take.
// CHECK-NEXT:  func.func @movement(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %v: tensor<f32>) {
// CHECK-NEXT:    %0 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %1 = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    %2 = "stablehlo.concatenate"(%x, %y) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
// CHECK-NEXT:    %3 = "stablehlo.slice"(%x) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 3>, strides = array<i64: 2, 1>} : (tensor<2x3xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:    %4 = "stablehlo.slice"(%v) {start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    %5 = "stablehlo.pad"(%x, %v) {edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 2, 1>, interior_padding = array<i64: 1, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
// CHECK-NEXT:    %6 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:    %7 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @movement(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %v: tensor<f32>) {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  %3 = stablehlo.slice %x [0:2:2, 1:3] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %4 = stablehlo.slice %v [] : (tensor<f32>) -> tensor<f32>
  %5 = stablehlo.pad %x, %v, low = [0, -1], high = [2, 1], interior = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  %6 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %7 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// CHECK-NEXT:  func.func @creation() {
// CHECK-NEXT:    %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>
// CHECK-NEXT:    %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT:    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @creation() {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  return
}

// CHECK-NEXT:  func.func @compare(%x: tensor<2xf32>, %y: tensor<2xf32>) {
// CHECK-NEXT:    %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT:    %1 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT:    %2 = stablehlo.select %0, %x, %y : tensor<2xi1>, tensor<2xf32>
// CHECK-NEXT:    %3 = stablehlo.clamp %x, %y, %x : tensor<2xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @compare(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %2 = stablehlo.select %0, %x, %y : tensor<2xi1>, tensor<2xf32>
  %3 = stablehlo.clamp %x, %y, %x : tensor<2xf32>
  return
}

// Short forms stay.
// CHECK-NEXT:  func.func @elementwise(%x: tensor<2xf32>, %y: tensor<2xf32>) {
// CHECK-NEXT:    %0 = stablehlo.add %x, %y : tensor<2xf32>
// CHECK-NEXT:    %1 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
// CHECK-NEXT:    %2 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi32>
// CHECK-NEXT:    %3 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
// CHECK-NEXT:    %4 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @elementwise(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  %1 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  %2 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi32>
  %3 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  %4 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  return
}

// Regions stand in parentheses before the attributes, and end in a return in quotes.
// CHECK-NEXT:  func.func @reduction(%x: tensor<4x6xf32>, %y: tensor<4x6xi32>, %z: tensor<f32>, %n: tensor<i32>) {
// CHECK-NEXT:    %0 = "stablehlo.reduce"(%x, %z) ({
// CHECK-NEXT:    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
// CHECK-NEXT:      %3 = stablehlo.add %1, %2 : tensor<f32>
// CHECK-NEXT:      "stablehlo.return"(%3) : (tensor<f32>) -> ()
// CHECK-NEXT:    }) {dimensions = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    %4, %5 = "stablehlo.reduce"(%x, %y, %z, %n) ({
// CHECK-NEXT:    ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
// CHECK-NEXT:      %6 = stablehlo.add %a, %b : tensor<f32>
// CHECK-NEXT:      %7 = stablehlo.maximum %i, %j : tensor<i32>
// CHECK-NEXT:      "stablehlo.return"(%6, %7) : (tensor<f32>, tensor<i32>) -> ()
// CHECK-NEXT:    }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
// CHECK-NEXT:    %8 = "stablehlo.reduce_window"(%x, %z) ({
// CHECK-NEXT:    ^bb0(%c: tensor<f32>, %d: tensor<f32>):
// CHECK-NEXT:      %9 = stablehlo.maximum %c, %d : tensor<f32>
// CHECK-NEXT:      "stablehlo.return"(%9) : (tensor<f32>) -> ()
// CHECK-NEXT:    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<{{\[\[}}0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @reduction(%x: tensor<4x6xf32>, %y: tensor<4x6xi32>, %z: tensor<f32>, %n: tensor<i32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
  %1, %2 = stablehlo.reduce(%x init: %z), (%y init: %n) across dimensions = [1] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %6 = stablehlo.add %a, %b : tensor<f32>
    %7 = stablehlo.maximum %i, %j : tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }
  %3 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%c: tensor<f32>, %d: tensor<f32>):
    %8 = stablehlo.maximum %c, %d : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x4xf32>
  return
}

// dot_general is short, unless its list of contracting dimensions would be empty. A convolution has both counts.
// CHECK-NEXT:  func.func @contraction(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %i: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) {
// CHECK-NEXT:    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %1 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %2 = "stablehlo.dot_general"(%x, %y) {dot_dimension_numbers = #stablehlo.dot<>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
// CHECK-NEXT:    %3 = "stablehlo.dot_general"(%x, %x) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1]>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %4 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}1, 1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x6x4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @contraction(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %i: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %2 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  %3 = stablehlo.dot_general %x, %x, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x6x4xf32>
  return
}

// Several results: types without parentheses in the return.
// CHECK-NEXT:  func.func @results(%x: tensor<2xf32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>) {
// CHECK-NEXT:    func.return %y, %x : tensor<3xi32>, tensor<2xf32>
// CHECK-NEXT:  }
func.func @results(%x: tensor<2xf32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>) {
  return %y, %x : tensor<3xi32>, tensor<2xf32>
}

// CHECK-NEXT:}
