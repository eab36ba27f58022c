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

// CHECK-LABEL: @ragged_dot(
// CHECK-GENERIC-LABEL: sym_name = "ragged_dot"
func.func @ragged_dot(%x: tensor<2x11x5xf32>, %w: tensor<3x2x5x7xf32>, %y: tensor<2x5x7xf32>, %g: tensor<3xi64>) {
  // CHECK: "chlo.ragged_dot"(%{{.*}}) <{precision_config = [#chlo<precision HIGH>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  // CHECK-GENERIC: "chlo.ragged_dot"(%{{.*}}) <{
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{precision_config = [#chlo<precision HIGH>], ragged_dot_dimension_numbers = #chlo.ragged_dot<
    rhs_group_dimensions = [0], lhs_ragged_dimensions = [1], lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}>
    : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  // CHECK: "chlo.ragged_dot"(%{{.*}}) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  // CHECK-GENERIC: "chlo.ragged_dot"(%{{.*}}) <{
  %1 = "chlo.ragged_dot"(%x, %y, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = []>}>
    : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  return
}

// CHECK-LABEL: @scan(
// CHECK-GENERIC-LABEL: sym_name = "scan"
func.func @scan(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // CHECK: chlo.scan(%{{.*}}) inits (%{{.*}}) dimension=1 {{ *}}{
  // CHECK-NEXT: ^{{.*}}(%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32>):
  // CHECK: } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  // CHECK-GENERIC: "chlo.scan"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  %0:2 = chlo.scan(%x) inits(%s) dimension = 1 attributes {} {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %t = stablehlo.add %a, %b : tensor<2xf32>
    stablehlo.return %t, %t : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  // No inputs: the slices are counted by scan_dim_size.
  // CHECK: chlo.scan() inits (%{{.*}}) dimension=0 {{ *}}attributes {is_associative = false, is_reverse = true, note, scan_dim_size = 4 : i64} {
  // CHECK-GENERIC: "chlo.scan"(%{{.*}}) <{dimension = 0 : i64, is_associative = false, is_reverse = true,{{.*}} scan_dim_size = 4 : i64
  %1:2 = chlo.scan() inits(%s) dimension = 0 attributes {scan_dim_size = 4 : i64, is_reverse = true, is_associative = false, note} {
  ^bb0(%b: tensor<2xf32>):
    stablehlo.return %b, %b : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
  return
}
