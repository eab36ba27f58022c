// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @dynamic_slice(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_slice"
func.func @dynamic_slice(%x: tensor<4x?xf32>, %i: tensor<i32>, %s: tensor<f32>) {
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [2, 3] {note} : (tensor<4x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_slice"(%{{.*}}, %{{.*}}, %{{.*}}) <{slice_sizes = array<i64: 2, 3>}> {note} : (tensor<4x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] {note} : (tensor<4x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // No dimension, no start.
  // CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.dynamic_slice"(%{{.*}}) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @dynamic_update_slice(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_update_slice"
func.func @dynamic_update_slice(%x: tensor<4x5xf32>, %u: tensor<2x?xf32>, %i: tensor<ui8>, %s: tensor<f32>) {
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x5xf32>, tensor<2x?xf32>, tensor<ui8>, tensor<ui8>) -> tensor<4x5xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_update_slice"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x5xf32>, tensor<2x?xf32>, tensor<ui8>, tensor<ui8>) -> tensor<4x5xf32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x5xf32>, tensor<2x?xf32>, tensor<ui8>, tensor<ui8>) -> tensor<4x5xf32>
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.dynamic_update_slice"(%{{.*}}, %{{.*}}) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.dynamic_update_slice %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @gather(
// CHECK-GENERIC-LABEL: sym_name = "gather"
func.func @gather(%x: tensor<3x4xf32>, %i: tensor<5x1xi32>, %j: tensor<5xi64>, %b: tensor<?x6xi32, #stablehlo.bounds<7, ?>>) {
  // Fields in any order, a comma after the last; what is empty or zero is not printed.
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  // CHECK-GENERIC: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %0 = "stablehlo.gather"(%x, %i) {slice_sizes = array<i64: 1, 4>, dimension_numbers = #stablehlo.gather<index_vector_dim = 1, start_index_map = [0], operand_batching_dims = [], collapsed_slice_dims = [0], offset_dims = [1],>} : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  // Each index is a scalar; a promise that they are sorted.
  // CHECK: <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<3x4xf32>, tensor<5xi64>) -> tensor<2x5xf32>
  // CHECK-GENERIC: indices_are_sorted = true
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<3x4xf32>, tensor<5xi64>) -> tensor<2x5xf32>
  // Batching dimensions 1 and 0 go along with each other; bounds of the indices are those of the result.
  // CHECK: #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>
  // CHECK-GENERIC: #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>
  %2 = "stablehlo.gather"(%x, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<?x6xi32, #stablehlo.bounds<7, ?>>) -> tensor<?x6xf32, #stablehlo.bounds<7, ?>>
  return
}

// CHECK-LABEL: @dynamic_gather(
// CHECK-GENERIC-LABEL: sym_name = "dynamic_gather"
func.func @dynamic_gather(%x: tensor<3x4xf32>, %i: tensor<5xi32>, %n: tensor<2xi64>) {
  // CHECK: "stablehlo.dynamic_gather"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x4xf32>, tensor<5xi32>, tensor<2xi64>) -> tensor<5x?xf32>
  // CHECK-GENERIC: "stablehlo.dynamic_gather"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x4xf32>, tensor<5xi32>, tensor<2xi64>) -> tensor<5x?xf32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x4xf32>, tensor<5xi32>, tensor<2xi64>) -> tensor<5x?xf32>
  return
}

// CHECK-LABEL: @scatter(
// CHECK-GENERIC-LABEL: sym_name = "scatter"
func.func @scatter(%x: tensor<3x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>, %v: tensor<5xindex>) {
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  // CHECK-NEXT: ^{{.*}}(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // CHECK-NEXT: %[[C:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[C]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<3x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  // CHECK-GENERIC: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  // CHECK-GENERIC: "stablehlo.return"
  // CHECK-GENERIC-NEXT: }) : (tensor<3x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<scatter_dims_to_operand_dims = [0], inserted_window_dims = [0], update_window_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  // Two inputs, added up in f64; indices of any integer type, index too.
  // CHECK: %{{.*}} = "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: }) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<5xindex>, tensor<5x4xf32>, tensor<5x4xf32>) -> (tensor<3x4xf64>, tensor<3x4xf32>)
  // CHECK-GENERIC: }) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<5xindex>, tensor<5x4xf32>, tensor<5x4xf32>) -> (tensor<3x4xf64>, tensor<3x4xf32>)
  %2:2 = "stablehlo.scatter"(%x, %x, %v, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f32>, %c: tensor<f64>, %d: tensor<f32>):
    stablehlo.return %c, %d : tensor<f64>, tensor<f32>
  }) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<5xindex>, tensor<5x4xf32>, tensor<5x4xf32>) -> (tensor<3x4xf64>, tensor<3x4xf32>)
  return
}

// CHECK-LABEL: @torch_index_select(
// CHECK-GENERIC-LABEL: sym_name = "torch_index_select"
func.func @torch_index_select(%x: tensor<3x4xf32>, %i: tensor<2xi32>) {
  // CHECK: "stablehlo.torch_index_select"(%{{.*}}, %{{.*}}) <{
  // CHECK-SAME: dim = 1 : i64
  // CHECK-SAME: }> : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  // CHECK-GENERIC: "stablehlo.torch_index_select"(%{{.*}}, %{{.*}}) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return
}
