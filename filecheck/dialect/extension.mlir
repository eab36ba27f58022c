// RUN: xdsl-opt %s --split-input-file | JAX_ROUNDTRIP --split-input-file --generic | filecheck %s
// RUN: xdsl-opt %s --split-input-file --print-op-generic | JAX_ROUNDTRIP --split-input-file --generic | filecheck %s

// CHECK: "stablehlo.create_token"(
module {
  func.func @main() {
    %0 = stablehlo.create_token : !stablehlo.token
    return
  }
}

// -----

// CHECK: "stablehlo.after_all"(
module {
  func.func @main(%arg0: !stablehlo.token, %arg1: !stablehlo.token) -> !stablehlo.token {
    %0 = stablehlo.after_all %arg0, %arg1 : !stablehlo.token
    return %0 : !stablehlo.token
  }
}

// -----

// CHECK: "stablehlo.replica_id"(
module {
  func.func @main() -> tensor<ui32> {
    %0 = stablehlo.replica_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
}

// -----

// CHECK: "stablehlo.partition_id"(
module {
  func.func @main() -> tensor<ui32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
}

// -----

// CHECK: "stablehlo.tuple"(
module {
  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<i32>) -> tuple<tensor<2xf32>, tensor<i32>> {
    %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<2xf32>, tensor<i32>>
    return %0 : tuple<tensor<2xf32>, tensor<i32>>
  }
}

// -----

// CHECK: "stablehlo.get_tuple_element"(
module {
  func.func @main(%arg0: tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32> {
    %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
