// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s

// gather clamps its starts, scatter drops what is out of bounds: the clamp is written out.
// CHECK:      @main(%{{.*}}: tensor<5x2xf32>, %[[I:.*]]: tensor<3x1xi32>, %[[CT:.*]]: tensor<3x2xf32>)
// CHECK:      %[[LAST:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK-NEXT: %[[AT:.*]] = stablehlo.clamp %{{.*}}, %[[I]], %[[LAST]]
// CHECK:      %[[DX:.*]] = "stablehlo.scatter"(%{{.*}}, %[[AT]], %[[CT]])
// CHECK:      stablehlo.add
// CHECK:      return %[[DX]] : tensor<5x2xf32>
func.func @main(%x: tensor<5x2xf32>, %i: tensor<3x1xi32>) -> tensor<3x2xf32> {
  %y = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// By add: the input gets the cotangent itself, the updates what stands at their places if these are in bounds.
// CHECK:      @main(%{{.*}}, %[[I:.*]]: tensor<3x1xi32>, %{{.*}}, %[[CT:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[READ:.*]] = "stablehlo.gather"(%[[CT]], %[[I]])
// CHECK:      %[[LOW:.*]] = stablehlo.compare GE, %[[I]]
// CHECK:      %[[HIGH:.*]] = stablehlo.compare LE, %[[I]]
// CHECK-NEXT: %[[BOTH:.*]] = stablehlo.and %[[LOW]], %[[HIGH]]
// CHECK-NEXT: %[[INSIDE:.*]] = stablehlo.reshape %[[BOTH]]
// CHECK:      %[[DU:.*]] = stablehlo.select %[[INSIDE]], %[[READ]], %{{.*}}
// CHECK-NEXT: return %[[CT]], %[[DU]]
func.func @main(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Overwriting: of the updates to one place, the one that stayed finds its own number there.
// CHECK:      @main(%{{.*}}, %[[I:.*]]: tensor<3x1xi32>, %{{.*}}, %[[CT:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[READ:.*]] = "stablehlo.gather"(%[[CT]], %[[I]])
// CHECK:      %[[DX:.*]] = "stablehlo.scatter"(%[[CT]], %[[I]], %{{.*}})
// CHECK:      %[[NUMBER:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<3xi32>
// CHECK:      %[[STAYED:.*]] = "stablehlo.scatter"(%{{.*}}, %[[I]], %[[NUMBER]])
// CHECK:      %[[THERE:.*]] = "stablehlo.gather"(%[[STAYED]], %[[I]])
// CHECK-NEXT: %[[OWN:.*]] = stablehlo.compare EQ, %[[THERE]], %[[NUMBER]]
// CHECK-NEXT: %[[DU:.*]] = stablehlo.select %[[OWN]], %[[READ]], %{{.*}}
// CHECK-NEXT: return %[[DX]], %[[DU]]
func.func @main(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// dynamic_update_slice clamps as dynamic_slice does: the starts are passed on.
// CHECK:      @main(%{{.*}}, %{{.*}}, %[[I:.*]]: tensor<i32>, %[[CT:.*]]: tensor<4xf32>)
// CHECK:      %[[DX:.*]] = stablehlo.dynamic_update_slice %[[CT]], %{{.*}}, %[[I]]
// CHECK-NEXT: %[[DU:.*]] = stablehlo.dynamic_slice %[[CT]], %[[I]], sizes = [2]
// CHECK-NEXT: return %[[DX]], %[[DU]]
func.func @main(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %y = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
