// RUN: xdsl-opt %s --split-input-file -p hhlo-grad | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p hhlo-grad,hhlo-pjrt-syntax{version=\"1.22\"} | xdsl-opt --split-input-file > /dev/null

// y = x * x: the cotangent of x is 2 * ct * x.
// CHECK:      %[[T:.*]] = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<f32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %[[T]], %x : tensor<f32>
// CHECK-NEXT: func.return %{{.*}}, %[[DX]] : tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = chlo.square %x : tensor<f32> -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// y = lgamma x: ct * digamma x.
// CHECK:      %[[D:.*]] = chlo.digamma %x
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %{{.*}}, %[[D]]
// CHECK-NEXT: func.return %{{.*}}, %[[DX]]
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = chlo.lgamma %x : tensor<f32> -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// y = polygamma(n, x): nothing for n, ct * polygamma(n + 1, x) for x; narrow floats are left to the op.
// CHECK:      %[[N:.*]] = stablehlo.add
// CHECK-NEXT: %[[P:.*]] = chlo.polygamma %[[N]], %x
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %{{.*}}, %[[P]]
// CHECK-NEXT: func.return %{{.*}}, %[[DX]]
func.func @main(%x: tensor<bf16>) -> tensor<bf16> {
  %n = stablehlo.constant dense<2.0> : tensor<bf16>
  %y = chlo.polygamma %n, %x : tensor<bf16>, tensor<bf16> -> tensor<bf16>
  return %y : tensor<bf16>
}

// -----

// y = sum (a b), a broadcast along rows: its cotangent is ct * b, summed over the rows.
// CHECK:      %[[B:.*]] = stablehlo.multiply %{{.*}}, %b : tensor<2x3xf32>
// CHECK:      %[[DA:.*]] = stablehlo.reduce(%[[B]]
// CHECK-SAME: across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
func.func @main(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = chlo.broadcast_multiply %a, %b : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// The products of grouped rows: rows of ct times each group's matrix, and per group the products of rows and ct.
// CHECK:      %[[DX:.*]] = "chlo.ragged_dot"(%[[CT:.*]], %w, %g) {{.*}}lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]
// CHECK:      %[[DW:.*]] = "chlo.ragged_dot"(%x, %[[CT]], %g) {{.*}}lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>
// CHECK-SAME: -> tensor<3x5x7xf32>
func.func @main(%x: tensor<11x5xf32>, %w: tensor<3x5x7xf32>, %g: tensor<3xi32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi32>) -> tensor<11x7xf32>
  %y = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<11x7xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// c' = a c: the carry before each step is saved, and read by a scan in the other direction.
// CHECK:      %[[SAVED:.*]], %[[LAST:.*]] = chlo.scan(%x) inits (%s) dimension=0
// CHECK:      chlo.scan(%x, %[[SAVED]]) inits (%{{.*}}) dimension=0 {{ *}}attributes {is_reverse = true
// CHECK-NEXT: ^{{.*}}(%[[A:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>, %[[CT:.*]]: tensor<f32>):
// CHECK-DAG:  stablehlo.multiply %[[CT]], %[[C]]
// CHECK-DAG:  stablehlo.multiply %[[CT]], %[[A]]
func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %y = chlo.scan(%x) inits(%s) dimension=0 {
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %0 = stablehlo.multiply %a, %c : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
