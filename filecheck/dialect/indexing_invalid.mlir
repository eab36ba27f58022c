// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.dynamic_slice: result is tensor<2x3xi32>, but its operands and attributes give tensor<2x3xf32> (spec dynamic_slice C1)
func.func @dynamic_slice_c1(%x: tensor<4x5xf32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  return
}

// -----

// CHECK: stablehlo.dynamic_slice: there are 1 start_indices; tensor<4x5xf32> needs 2 of them, one per dimension (spec dynamic_slice C2)
func.func @dynamic_slice_c2(%x: tensor<4x5xf32>, %i0: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_slice: start_indices[1] is tensor<i64>, start_indices[0] is tensor<i32>; they must be of one type; convert one (spec dynamic_slice C3)
func.func @dynamic_slice_c3(%x: tensor<4x5xf32>, %i0: tensor<i32>, %i1: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_slice: slice_sizes are [2, 6], operand is tensor<4x5xf32>; the one of dimension 1 must be in 0..5 (spec dynamic_slice C4)
func.func @dynamic_slice_c4(%x: tensor<4x5xf32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 6] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_slice: result is tensor<3x3xf32>, but its operands and attributes give tensor<2x3xf32> (spec dynamic_slice C5)
func.func @dynamic_slice_c5(%x: tensor<4x5xf32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_update_slice: result is tensor<4x6xf32>, but its operands and attributes give tensor<4x5xf32> (spec dynamic_update_slice C1)
func.func @dynamic_update_slice_c1(%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_update_slice: operand is tensor<4x5xf32>, update is tensor<2x3xi32>; their element types must be equal; convert one (spec dynamic_update_slice C2)
func.func @dynamic_update_slice_c2(%x: tensor<4x5xf32>, %u: tensor<2x3xi32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x5xf32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_update_slice: update is tensor<2xf32>, operand is tensor<4x5xf32>; their ranks must be equal; reshape the update (spec dynamic_update_slice C3)
func.func @dynamic_update_slice_c3(%x: tensor<4x5xf32>, %u: tensor<2xf32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x5xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_update_slice: there are 1 start_indices; tensor<4x5xf32> needs 2 of them, one per dimension (spec dynamic_update_slice C4)
func.func @dynamic_update_slice_c4(%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i0: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_update_slice: start_indices[1] is tensor<i64>, start_indices[0] is tensor<i32>; they must be of one type; convert one (spec dynamic_update_slice C5)
func.func @dynamic_update_slice_c5(%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i0: tensor<i32>, %i1: tensor<i64>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_update_slice: update is tensor<2x6xf32>, operand is tensor<4x5xf32>; no size of the update may be larger (spec dynamic_update_slice C6)
func.func @dynamic_update_slice_c6(%x: tensor<4x5xf32>, %u: tensor<2x6xf32>, %i0: tensor<i32>, %i1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x5xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: offset_dims, collapsed_slice_dims, operand_batching_dims name 1 + 1 + 1 dimensions; together they need 4, one each of tensor<2x3x4x5xf32> (spec gather C1)
func.func @gather_c1(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: index_vector_dim is 4, start_indices is tensor<2x6x2xi32>; it must be in 0..3, where 3 means scalars (spec gather C2)
func.func @gather_c2(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 4>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: start_indices is tensor<2x6x2xi32>, so index vectors along dimension 2 have 2 entries, and start_index_map is [2]; it needs one for each (spec gather C3)
func.func @gather_c3(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: offset_dims are [3, 2]; they must ascend (spec gather C4)
func.func @gather_c4(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: offset_dims are [2, 4]; each must be in 0..3, for rank 4 (spec gather C5)
func.func @gather_c5(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: collapsed_slice_dims are [0], operand_batching_dims are [0]; no dimension may stand there twice (spec gather C6)
func.func @gather_c6(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: collapsed_slice_dims are [4, 1]; they must ascend (spec gather C7)
func.func @gather_c7(%x: tensor<2x3x4x5x3xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [4, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5, 1>}> : (tensor<2x3x4x5x3xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: collapsed_slice_dims of tensor<2x3x4x5xf32> are [4]; each must be in 0..3, for rank 4 (spec gather C8)
func.func @gather_c8(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [4], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: slice_sizes are [1, 2, 2, 5]; they may be at most 1 in the collapsed dimensions [1] (spec gather C9)
func.func @gather_c9(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: operand_batching_dims are [4, 0]; they must ascend (spec gather C10)
func.func @gather_c10(%x: tensor<2x3x4x5x6xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [4, 0], start_indices_batching_dims = [1, 0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5, 1>}> : (tensor<2x3x4x5x6xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: operand_batching_dims of tensor<2x3x4x5xf32> are [4]; each must be in 0..3, for rank 4 (spec gather C11)
func.func @gather_c11(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [4], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: slice_sizes are [2, 1, 2, 5]; they may be at most 1 in the batching dimensions [0] (spec gather C12)
func.func @gather_c12(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: start_indices_batching_dims of tensor<2x6x2xi32> are [0, 0]; they must be distinct (spec gather C13)
func.func @gather_c13(%x: tensor<2x2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1, 2, 5>}> : (tensor<2x2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: start_indices_batching_dims of tensor<2x6x2xi32> are [3]; each must be in 0..2, for rank 3 (spec gather C14)
func.func @gather_c14(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: start_indices_batching_dims are [2], and index_vector_dim is 2; it may not be among them (spec gather C15)
func.func @gather_c15(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: operand_batching_dims are [0], start_indices_batching_dims are []; list equally many, in pairs (spec gather C16)
func.func @gather_c16(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: batching dimension 0 of operand tensor<2x3x4x5xf32> has size 2, its partner 0 of start_indices tensor<7x6x2xi32> has size 7; they must be equal (spec gather C17)
func.func @gather_c17(%x: tensor<2x3x4x5xf32>, %i: tensor<7x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<7x6x2xi32>) -> tensor<7x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: start_index_map are [1, 0], operand_batching_dims are [0]; no dimension may stand there twice (spec gather C18)
func.func @gather_c18(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: start_index_map of tensor<2x3x4x5xf32> are [1, 4]; each must be in 0..3, for rank 4 (spec gather C19)
func.func @gather_c19(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 4], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: there are 3 slice_sizes; tensor<2x3x4x5xf32> needs 4, one per dimension (spec gather C20)
func.func @gather_c20(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.gather: slice_sizes are [1, 1, 2, 6], operand is tensor<2x3x4x5xf32>; the one of dimension 3 must be in 0..5 (spec gather C21)
func.func @gather_c21(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 6>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.gather: result is tensor<2x6x2x4xf32>, but its operands and attributes give tensor<2x6x2x5xf32> (spec gather C22)
func.func @gather_c22(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x4xf32>
  return
}

// -----

// CHECK: stablehlo.gather: result is tensor<2x6x2x5xi32>, but its operands and attributes give tensor<2x6x2x5xf32> (spec gather C23)
func.func @gather_c23(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>) -> tensor<2x6x2x5xi32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: offset_dims, collapsed_slice_dims, operand_batching_dims name 1 + 1 + 1 dimensions; together they need 4, one each of tensor<2x3x4x5xf32> (spec dynamic_gather C1)
func.func @dynamic_gather_c1(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: index_vector_dim is 4, start_indices is tensor<2x6x2xi32>; it must be in 0..3, where 3 means scalars (spec dynamic_gather C2)
func.func @dynamic_gather_c2(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 4>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: start_indices is tensor<2x6x2xi32>, so index vectors along dimension 2 have 2 entries, and start_index_map is [2]; it needs one for each (spec dynamic_gather C3)
func.func @dynamic_gather_c3(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: offset_dims are [3, 2]; they must ascend (spec dynamic_gather C4)
func.func @dynamic_gather_c4(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: offset_dims are [2, 4]; each must be in 0..3, for rank 4 (spec dynamic_gather C5)
func.func @dynamic_gather_c5(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: collapsed_slice_dims are [0], operand_batching_dims are [0]; no dimension may stand there twice (spec dynamic_gather C6)
func.func @dynamic_gather_c6(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: collapsed_slice_dims are [4, 1]; they must ascend (spec dynamic_gather C7)
func.func @dynamic_gather_c7(%x: tensor<2x3x4x5x3xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5, 1]> : tensor<5xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [4, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5x3xf32>, tensor<2x6x2xi32>, tensor<5xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: collapsed_slice_dims of tensor<2x3x4x5xf32> are [4]; each must be in 0..3, for rank 4 (spec dynamic_gather C8)
func.func @dynamic_gather_c8(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [4], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: slice_sizes are [1, 2, 2, 5]; they may be at most 1 in the collapsed dimensions [1] (spec dynamic_gather C9)
func.func @dynamic_gather_c9(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 2, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: operand_batching_dims are [4, 0]; they must ascend (spec dynamic_gather C10)
func.func @dynamic_gather_c10(%x: tensor<2x3x4x5x6xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5, 1]> : tensor<5xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [4, 0], start_indices_batching_dims = [1, 0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5x6xf32>, tensor<2x6x2xi32>, tensor<5xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: operand_batching_dims of tensor<2x3x4x5xf32> are [4]; each must be in 0..3, for rank 4 (spec dynamic_gather C11)
func.func @dynamic_gather_c11(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [4], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: slice_sizes are [2, 1, 2, 5]; they may be at most 1 in the batching dimensions [0] (spec dynamic_gather C12)
func.func @dynamic_gather_c12(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[2, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: start_indices_batching_dims of tensor<2x6x2xi32> are [0, 0]; they must be distinct (spec dynamic_gather C13)
func.func @dynamic_gather_c13(%x: tensor<2x2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 1, 2, 5]> : tensor<5xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2, 3], index_vector_dim = 2>}> : (tensor<2x2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<5xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: start_indices_batching_dims of tensor<2x6x2xi32> are [3]; each must be in 0..2, for rank 3 (spec dynamic_gather C14)
func.func @dynamic_gather_c14(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: start_indices_batching_dims are [2], and index_vector_dim is 2; it may not be among them (spec dynamic_gather C15)
func.func @dynamic_gather_c15(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: operand_batching_dims are [0], start_indices_batching_dims are []; list equally many, in pairs (spec dynamic_gather C16)
func.func @dynamic_gather_c16(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: batching dimension 0 of operand tensor<2x3x4x5xf32> has size 2, its partner 0 of start_indices tensor<7x6x2xi32> has size 7; they must be equal (spec dynamic_gather C17)
func.func @dynamic_gather_c17(%x: tensor<2x3x4x5xf32>, %i: tensor<7x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<7x6x2xi32>, tensor<4xi64>) -> tensor<7x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: start_index_map are [1, 0], operand_batching_dims are [0]; no dimension may stand there twice (spec dynamic_gather C18)
func.func @dynamic_gather_c18(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: start_index_map of tensor<2x3x4x5xf32> are [1, 4]; each must be in 0..3, for rank 4 (spec dynamic_gather C19)
func.func @dynamic_gather_c19(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 4], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: there are 3 slice_sizes; tensor<2x3x4x5xf32> needs 4, one per dimension (spec dynamic_gather C20)
func.func @dynamic_gather_c20(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<3xi64>) -> tensor<2x6x2x5xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: slice_sizes are [1, 1, 2, 6], operand is tensor<2x3x4x5xf32>; the one of dimension 3 must be in 0..5 (spec dynamic_gather C21)
func.func @dynamic_gather_c21(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 6]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x6xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: result is tensor<2x6x2x4xf32>, but its operands and attributes give tensor<2x6x2x5xf32> (spec dynamic_gather C22)
func.func @dynamic_gather_c22(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x4xf32>
  return
}

// -----

// CHECK: stablehlo.dynamic_gather: result is tensor<2x6x2x5xi32>, but its operands and attributes give tensor<2x6x2x5xf32> (spec dynamic_gather C23)
func.func @dynamic_gather_c23(%x: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>) {
  %c = stablehlo.constant dense<[1, 1, 2, 5]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>}> : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x2x5xi32>
  return
}

// -----

// CHECK: stablehlo.scatter: inputs[1] is tensor<2x3x4x6xf32>, inputs[0] is tensor<2x3x4x5xf32>; their shapes must be equal (spec scatter C1)
func.func @scatter_c1(%x0: tensor<2x3x4x5xf32>, %x1: tensor<2x3x4x6xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>, %u1: tensor<2x6x2x5xf32>) {
  %0:2 = "stablehlo.scatter"(%x0, %x1, %i, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>):
    stablehlo.return %b0, %b1 : tensor<f32>, tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x3x4x6xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>, tensor<2x6x2x5xf32>) -> (tensor<2x3x4x5xf32>, tensor<2x3x4x6xf32>)
  return
}

// -----

// CHECK: stablehlo.scatter: update_window_dims, inserted_window_dims, input_batching_dims name 1 + 1 + 1 dimensions; together they need 4, one each of tensor<2x3x4x5xf32> (spec scatter C2)
func.func @scatter_c2(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: updates[1] is tensor<2x6x2x4xf32>, updates[0] is tensor<2x6x2x5xf32>; their shapes must be equal (spec scatter C3)
func.func @scatter_c3(%x0: tensor<2x3x4x5xf32>, %x1: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>, %u1: tensor<2x6x2x4xf32>) {
  %0:2 = "stablehlo.scatter"(%x0, %x1, %i, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>):
    stablehlo.return %b0, %b1 : tensor<f32>, tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>, tensor<2x6x2x4xf32>) -> (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>)
  return
}

// -----

// CHECK: stablehlo.scatter: updates are tensor<2x6x2x6xf32>, inputs tensor<2x3x4x5xf32> and scatter_indices tensor<2x6x2xi32>; the updates must be tensor<2x6x4x5xf32>, or smaller in dimensions [2, 3] (spec scatter C4)
func.func @scatter_c4(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x6xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x6xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: there are 0 inputs and 0 updates; give at least one input, and one update for each (spec scatter C5)
func.func @scatter_c5(%i: tensor<2x6x2xi32>) {
  "stablehlo.scatter"(%i) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0:
    stablehlo.return
  }) : (tensor<2x6x2xi32>) -> ()
  return
}

// -----

// CHECK: stablehlo.scatter: an element of updates[0] is tensor<i32>; it must be tensor<f32>, as the body returns (spec scatter C6)
func.func @scatter_c6(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xi32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xi32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: update_window_dims are [3, 2]; they must ascend (spec scatter C7)
func.func @scatter_c7(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: update_window_dims are [2, 4]; each must be in 0..3, for rank 4 (spec scatter C8)
func.func @scatter_c8(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: inserted_window_dims are [0], input_batching_dims are [0]; no dimension may stand there twice (spec scatter C9)
func.func @scatter_c9(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: inserted_window_dims are [4, 1]; they must ascend (spec scatter C10)
func.func @scatter_c10(%x0: tensor<2x3x4x5x3xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [4, 1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5x3xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5x3xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: inserted_window_dims of tensor<2x3x4x5xf32> are [4]; each must be in 0..3, for rank 4 (spec scatter C11)
func.func @scatter_c11(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [4], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: input_batching_dims are [4, 0]; they must ascend (spec scatter C12)
func.func @scatter_c12(%x0: tensor<2x3x4x5x6xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [4, 0], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5x6xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5x6xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: input_batching_dims of tensor<2x3x4x5xf32> are [4]; each must be in 0..3, for rank 4 (spec scatter C13)
func.func @scatter_c13(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [4], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: scatter_indices_batching_dims of tensor<2x6x2xi32> are [0, 0]; they must be distinct (spec scatter C14)
func.func @scatter_c14(%x0: tensor<2x2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2, 3], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: scatter_indices_batching_dims of tensor<2x6x2xi32> are [3]; each must be in 0..2, for rank 3 (spec scatter C15)
func.func @scatter_c15(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: scatter_indices_batching_dims are [2], and index_vector_dim is 2; it may not be among them (spec scatter C16)
func.func @scatter_c16(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: input_batching_dims are [0], scatter_indices_batching_dims are []; list equally many, in pairs (spec scatter C17)
func.func @scatter_c17(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: batching dimension 0 of inputs tensor<2x3x4x5xf32> has size 2, its partner 0 of scatter_indices tensor<7x6x2xi32> has size 7; they must be equal (spec scatter C18)
func.func @scatter_c18(%x0: tensor<2x3x4x5xf32>, %i: tensor<7x6x2xi32>, %u0: tensor<7x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<7x6x2xi32>, tensor<7x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: scatter_indices is tensor<2x6x2xi32>, so index vectors along dimension 2 have 2 entries, and scatter_dims_to_operand_dims is [2]; it needs one for each (spec scatter C19)
func.func @scatter_c19(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: scatter_dims_to_operand_dims are [1, 0], input_batching_dims are [0]; no dimension may stand there twice (spec scatter C20)
func.func @scatter_c20(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: scatter_dims_to_operand_dims of tensor<2x3x4x5xf32> are [1, 4]; each must be in 0..3, for rank 4 (spec scatter C21)
func.func @scatter_c21(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 4], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: index_vector_dim is 4, scatter_indices is tensor<2x6x2xi32>; it must be in 0..3, where 3 means scalars (spec scatter C22)
func.func @scatter_c22(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 4>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: its body takes 4 arguments and returns 2 values; it must take 2 and return 1, for 1 input (spec scatter C23)
func.func @scatter_c23(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>):
    stablehlo.return %b0, %b1 : tensor<f32>, tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: results[0] is tensor<2x3x4x6xf32>, but its operands and attributes give tensor<2x3x4x5xf32> (spec scatter C24)
func.func @scatter_c24(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x6xf32>
  return
}

// -----

// CHECK: stablehlo.scatter: results[0] is tensor<2x3x4x5xf64>, but its operands and attributes give tensor<2x3x4x5xf32> (spec scatter C25)
func.func @scatter_c25(%x0: tensor<2x3x4x5xf32>, %i: tensor<2x6x2xi32>, %u0: tensor<2x6x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    stablehlo.return %b0 : tensor<f32>
  }) : (tensor<2x3x4x5xf32>, tensor<2x6x2xi32>, tensor<2x6x2x5xf32>) -> tensor<2x3x4x5xf64>
  return
}
