// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it; then what has no label there.

// CHECK: stablehlo.all_gather: all_gather_dim is 2; it must be in 0..1, for operands[0] of type tensor<4x6xf32> (spec all_gather C1)
func.func @all_gather_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: replica_groups are dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>; id 1 stands there twice (spec all_gather C2)
func.func @all_gather_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: replica_groups are dense<{{\[\[}}0, 2]]> : tensor<1x2xi64>; they must hold each of 0..1 once (spec all_gather C4)
func.func @all_gather_c4(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: the channel's handle is -1; with use_global_device_ids it must be at least 0 (spec all_gather C5)
func.func @all_gather_c5(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = -1, type = 1>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: results[0] is tensor<9x6xf32>, operands[0] is tensor<4x6xf32>; dimension 0 of the result must be a multiple of 4 (spec all_gather C6)
func.func @all_gather_c6(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<9x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: results[0] is tensor<8x5xf32>, operands[0] is tensor<4x6xf32>; they may differ in the size of dimension 0 only (spec all_gather C6)
func.func @all_gather_other_dimension(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x5xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: results[0] is tensor<8x6xi32>, operands[0] is tensor<4x6xf32>; their element types must be equal (spec all_gather C6)
func.func @all_gather_elements(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xi32>
  return
}

// -----

// CHECK: stablehlo.all_gather: there are 0 results; 1 operands give as many (spec all_gather C6)
func.func @all_gather_results(%x: tensor<4x6xf32>) {
  "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> ()
  return
}

// -----

// CHECK: stablehlo.all_gather: all_gather_dim is -1; it must be in 0..1, for operands[0] of type tensor<4x6xf32> (spec all_gather C1)
func.func @all_gather_negative(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: replica_groups are dense<{{\[\[}}0, -1]]> : tensor<1x2xi64>; they must be equally large, so -1 has no place in them (spec all_gather C4)
func.func @all_gather_filled_up(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: replica_groups are dense<[0, 1]> : tensor<2xi64>; they must be a tensor of rank 2: one row per group (spec all_gather I3)
func.func @all_gather_list(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: replica_groups are dense<> : tensor<0x0xi64>; with use_global_device_ids they must not be empty (spec all_gather C3)
func.func @all_gather_empty(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: operands[0] is tensor<0x6xf32>; the size of dimension 0 must not be 0
func.func @all_gather_nothing(%x: tensor<0x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<0x6xf32>) -> tensor<0x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_gather: replica_groups name the mesh @mesh, which is not defined; define it beside the functions
func.func @all_gather_mesh(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: split_dimension is 2; it must be in 0..1, for operands[0] of type tensor<4x6xf32> (spec all_to_all C1)
func.func @all_to_all_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 2 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: operands[0] is tensor<4x6xf32>; dimension 0 must be a multiple of split_count, 3; pad it (spec all_to_all C2)
func.func @all_to_all_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, split_count = 3 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: concat_dimension is 2; it must be in 0..1, for operands[0] of type tensor<4x6xf32> (spec all_to_all C3)
func.func @all_to_all_c3(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: split_count is 0; it must be at least 1 (spec all_to_all C4)
func.func @all_to_all_c4(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 0 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: replica_groups are dense<0> : tensor<1x2xi64>; id 0 stands there twice (spec all_to_all C5)
func.func @all_to_all_c5(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: replica_groups are dense<{{\[\[}}0, 2]]> : tensor<1x2xi64>; they must hold each of 0..1 once (spec all_to_all C7)
func.func @all_to_all_c7(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: replica_groups are dense<{{\[\[}}0], [1]]> : tensor<2x1xi64>; each must have split_count = 2 processes (spec all_to_all C8)
func.func @all_to_all_c8(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: results[0] is tensor<2x11xf32>, but its operands and attributes give tensor<2x12xf32> (spec all_to_all C9)
func.func @all_to_all_c9(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x11xf32>
  return
}

// -----

// CHECK: stablehlo.all_to_all: results[0] is tensor<2x12xi32>, operands[0] is tensor<4x6xf32>; their element types must be equal (spec all_to_all C9)
func.func @all_to_all_elements(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x12xi32>
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: replica_groups are dense<0> : tensor<1x2xi64>; id 0 stands there twice (spec collective_broadcast C1)
func.func @collective_broadcast_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: replica_groups are dense<{{\[\[}}0, -1]]> : tensor<1x2xi64>; no id may be negative (spec collective_broadcast C2)
func.func @collective_broadcast_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: there are 0 operands; give at least one (spec collective_broadcast C3)
func.func @collective_broadcast_c3(%x: tensor<4x6xf32>) {
  "stablehlo.collective_broadcast"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : () -> ()
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: the last operand holds the roots and is tensor<2xi32>; it must be tensor<1xi32> (spec collective_broadcast C4)
func.func @collective_broadcast_c4(%x: tensor<4x6xf32>, %r: tensor<2xi32>) {
  %0 = "stablehlo.collective_broadcast"(%x, %r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: there are 1 results; 2 inputs give as many (spec collective_broadcast C5)
func.func @collective_broadcast_c5(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x, %x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: there are 1 operands; give at least one, and the roots behind (spec collective_broadcast C4)
func.func @collective_broadcast_roots_only(%x: tensor<4x6xf32>, %r: tensor<2xi32>) {
  "stablehlo.collective_broadcast"(%r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2xi32>) -> ()
  return
}

// -----

// CHECK: stablehlo.collective_broadcast: results[0] is tensor<5x6xf32>, but its operands and attributes give tensor<4x6xf32> (spec collective_broadcast C3)
func.func @collective_broadcast_type(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<5x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_permute: source_target_pairs are dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi64>; they must have shape N x 2 (spec collective_permute C1)
func.func @collective_permute_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_permute: source_target_pairs are dense<{{\[\[}}0, 1], [0, 2]]> : tensor<2x2xi64>; no source may occur twice (spec collective_permute C2)
func.func @collective_permute_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_permute: source_target_pairs are dense<{{\[\[}}0, 1], [2, 1]]> : tensor<2x2xi64>; no target may occur twice (spec collective_permute C3)
func.func @collective_permute_c3(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_permute: source_target_pairs are dense<{{\[\[}}0, -1]]> : tensor<1x2xi64>; no id may be negative (spec collective_permute C4)
func.func @collective_permute_c4(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_permute: result is tensor<4x5xf32>, but its operands and attributes give tensor<4x6xf32> (spec collective_permute C5)
func.func @collective_permute_c5(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.collective_permute: result is tensor<4x6xi32>, operand is tensor<4x6xf32>; their element types must be equal (spec collective_permute C5)
func.func @collective_permute_elements(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xi32>
  return
}

// -----

// CHECK: stablehlo.cross-replica-sum: result is tensor<4x5xf32>, but its operands and attributes give tensor<4x6xf32>
func.func @cross_replica_sum(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<0> : tensor<1xi64>}> : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}
