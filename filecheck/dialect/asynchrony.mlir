// RUN: xdsl-opt %s --split-input-file | JAX_ROUNDTRIP --split-input-file --generic | filecheck %s
// RUN: xdsl-opt %s --split-input-file --print-op-generic | JAX_ROUNDTRIP --split-input-file --generic | filecheck %s

// CHECK: "stablehlo.async_start"(%
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x4xf32> {
    %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%arg1: tensor<2x2xf32>):
      %2 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
      stablehlo.return %2 : tensor<2x4xf32>
    }) : (tensor<2x2xf32>) -> !stablehlo.future<tensor<2x4xf32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x4xf32>>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
