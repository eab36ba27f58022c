// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it; then what has no label there.

// CHECK: stablehlo.all_reduce: replica_groups are dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>; id 1 stands there twice (spec all_reduce C1)
func.func @all_reduce_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: replica_groups are dense<> : tensor<0x0xi64>; with use_global_device_ids they must not be empty (spec all_reduce C2)
func.func @all_reduce_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: replica_groups are dense<{{\[\[}}0, 2]]> : tensor<1x2xi64>; they must hold each of 0..1 once (spec all_reduce C3)
func.func @all_reduce_c3(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: there is no channel_handle; with use_global_device_ids it must be at least 1 (spec all_reduce C4)
func.func @all_reduce_c4(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: its body takes 3 arguments and returns 1 values; it must take 2 and return 1, for 1 input (spec all_reduce C5)
func.func @all_reduce_c5(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: results[0] is tensor<4x5xf32>, but its operands and attributes give tensor<4x6xf32> (spec all_reduce C6)
func.func @all_reduce_c6(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: results[0] is tensor<4x6xf64>, but its operands and attributes give tensor<4x6xf32> (spec all_reduce C7)
func.func @all_reduce_c7(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf64>
  return
}

// -----

// CHECK: stablehlo.all_reduce: operands[0] is tensor<4x6xf32>, and the body computes in i32; give it a body on f32, or convert the input (spec all_reduce C5)
func.func @all_reduce_elements(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xi32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: its body's argument 0 is tensor<2xf32>, and it returns tensor<2xf32> there; both must be one scalar type, such as tensor<f32> (spec all_reduce C5)
func.func @all_reduce_vectors(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %s = stablehlo.add %a, %b : tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.all_reduce: there are 0 results; 1 inputs give as many (spec all_reduce C6)
func.func @all_reduce_results(%x: tensor<4x6xf32>) {
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> ()
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: scatter_dimension is 2; it must be in 0..1, for operand of type tensor<4x6xf32> (spec reduce_scatter C2)
func.func @reduce_scatter_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: replica_groups are dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>; id 1 stands there twice (spec reduce_scatter C3)
func.func @reduce_scatter_c3(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: replica_groups are dense<{{\[\[}}0, 2]]> : tensor<1x2xi64>; they must hold each of 0..1 once (spec reduce_scatter C5)
func.func @reduce_scatter_c5(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: there is no channel_handle; with use_global_device_ids it must be at least 1 (spec reduce_scatter C6)
func.func @reduce_scatter_c6(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: its body takes 3 arguments and returns 1 values; it must take 2 and return 1, for 1 input (spec reduce_scatter C7)
func.func @reduce_scatter_c7(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: operand is tensor<4x6xf32>, result is tensor<3x6xf32>; dimension 0 of the operand must be a multiple of 3 (spec reduce_scatter C8)
func.func @reduce_scatter_c8(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<3x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: result is tensor<2x6xf64>, but the computation gives f32 (spec reduce_scatter C9)
func.func @reduce_scatter_c9(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf64>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: scatter_dimension is -1; it must be in 0..1, for operand of type tensor<4x6xf32> (spec reduce_scatter C2)
func.func @reduce_scatter_negative(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = -1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: replica_groups are dense<{{\[\[}}0, -1]]> : tensor<1x2xi64>; they must be equally large, so -1 has no place in them (spec reduce_scatter C5)
func.func @reduce_scatter_filled_up(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: result is tensor<2xf32>, operand is tensor<4x6xf32>; their ranks must be equal (spec reduce_scatter C8)
func.func @reduce_scatter_rank(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: result is tensor<2x5xf32>, operand is tensor<4x6xf32>; they may differ in the size of dimension 0 only (spec reduce_scatter C8)
func.func @reduce_scatter_other_dimension(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x5xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_scatter: operand is tensor<0x6xf32>, result is tensor<1x6xf32>; the size of dimension 0 must not be 0
func.func @reduce_scatter_nothing(%x: tensor<0x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<0x6xf32>) -> tensor<1x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: replica_groups are dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>; id 1 stands there twice (spec collective_reduce C1)
func.func @collective_reduce_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: replica_groups are dense<{{\[\[}}0, 2]]> : tensor<1x2xi64>; they must hold each of 0..1 once (spec collective_reduce C2)
func.func @collective_reduce_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: the last operand holds the roots and is tensor<2xi32>; it must be tensor<1xi32> (spec collective_reduce C3)
func.func @collective_reduce_c3(%x: tensor<4x6xf32>, %r: tensor<2xi32>) {
  %0 = "stablehlo.collective_reduce"(%x, %r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: its body takes 3 arguments and returns 1 values; it must take 2 and return 1, for 1 input (spec collective_reduce C4)
func.func @collective_reduce_c4(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: results[0] is tensor<4x5xf32>, but its operands and attributes give tensor<4x6xf32> (spec collective_reduce C3)
func.func @collective_reduce_shape(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: there is no channel_handle; with use_global_device_ids it must be at least 1
func.func @collective_reduce_channel(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.collective_reduce: there are 0 operands; give at least one (spec collective_reduce C3)
func.func @collective_reduce_nothing(%x: tensor<4x6xf32>) {
  "stablehlo.collective_reduce"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : () -> ()
  return
}
