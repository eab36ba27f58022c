// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it; then what has no label there.

// CHECK: stablehlo.async_start: body must consist of one op and a return (spec async_start C1)
func.func @async_start_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
  return
}

// -----

// CHECK: stablehlo.async_start: body runs stablehlo.add; it must be stablehlo.all_gather or stablehlo.all_reduce or stablehlo.all_to_all or stablehlo.collective_broadcast or stablehlo.collective_permute or stablehlo.collective_reduce or stablehlo.dynamic_slice or stablehlo.dynamic_update_slice or stablehlo.reduce_scatter or stablehlo.slice (spec async_start C2)
func.func @async_start_c2(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = stablehlo.add %p, %p : tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
  return
}

// -----

// CHECK: stablehlo.async_start: body takes (tensor<4x6xf32>); it must take the operands, () (spec async_start C3)
func.func @async_start_c3(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"() ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }) : () -> !stablehlo.future<tensor<4x6xf32>>
  return
}

// -----

// CHECK: stablehlo.async_start: result is !stablehlo.future<tensor<4x5xf32>>, but body gives !stablehlo.future<tensor<4x6xf32>> (spec async_start C4)
func.func @async_start_c4(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x5xf32>>
  return
}

// -----

// CHECK: stablehlo.async_start: body returns 2 values; it must return one (spec async_start C4)
func.func @async_start_two_values(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    %1 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %1, %1 : tensor<4x6xf32>, tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>, tensor<4x6xf32>>
  return
}

// -----

// CHECK: stablehlo.async_start: body must consist of one op and a return (spec async_start C1)
func.func @async_start_nothing(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%p: tensor<4x6xf32>):
    
    stablehlo.return %p : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
  return
}

// -----

// CHECK: stablehlo.async_done: result is tensor<4x5xf32>, but its operands and attributes give tensor<4x6xf32> (spec async_done C1)
func.func @async_done_c1(%f: !stablehlo.future<tensor<4x6xf32>>) {
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.async_done: operand is !stablehlo.future<tensor<4x6xf32>, tensor<4x6xf32>>; it must be the future of one value (spec async_done C1)
func.func @async_done_two_values(%f: !stablehlo.future<tensor<4x6xf32>, tensor<4x6xf32>>) {
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x6xf32>, tensor<4x6xf32>>) -> tensor<4x6xf32>
  return
}
