// RUN: xdsl-opt %s --split-input-file | JAX_ROUNDTRIP --split-input-file --generic | filecheck %s
// RUN: xdsl-opt %s --split-input-file --print-op-generic | JAX_ROUNDTRIP --split-input-file --generic | filecheck %s

// CHECK: "stablehlo.all_gather"(%
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x4xf32> {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// -----

// CHECK: "stablehlo.all_to_all"(%
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> tensor<4x2xf32> {
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
}

// -----

// CHECK: "stablehlo.collective_permute"(%
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}

// -----

// CHECK: "stablehlo.cross-replica-sum"(%
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
