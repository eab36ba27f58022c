// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true portable=true}' --split-input-file | filecheck %s --check-prefix=PORTABLE

// y[i] = sum of x[i, :]: every element gets the cotangent of its sum. The init value is a constant and gets none.
// CHECK:      @main(%{{.*}}: tensor<2x3xf32>, %[[CT:.*]]: tensor<2xf32>)
// CHECK-NEXT: %[[DX:.*]] = stablehlo.broadcast_in_dim %[[CT]], dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[DX]]
func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// An init value that is an argument: every sum contains it once.
// CHECK:      @main(%{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<f32>, %[[CT:.*]]: tensor<2xf32>)
// CHECK-NEXT: %[[DX:.*]] = stablehlo.broadcast_in_dim %[[CT]], dims = [0]
// CHECK:      %[[DZ:.*]] = stablehlo.reduce(%[[CT]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-NEXT: return %[[DX]], %[[DZ]]
func.func @main(%x: tensor<2x3xf32>, %z: tensor<f32>) -> tensor<2xf32> {
  %y = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// y = (x0 x1) x2, neighbours first: the cotangent of each is ct times the product of the others, without a division.
// CHECK:      @main(%[[X:.*]]: tensor<3xf32>, %[[CT:.*]]: tensor<f32>)
// CHECK-NEXT: %[[X2:.*]] = stablehlo.slice %[[X]] [2:3]
// CHECK-NEXT: %[[X0:.*]] = stablehlo.slice %[[X]] [0:2:2]
// CHECK-NEXT: %[[X1:.*]] = stablehlo.slice %[[X]] [1:2:2]
// CHECK-NEXT: %[[X01:.*]] = stablehlo.multiply %[[X0]], %[[X1]]
// CHECK-NEXT: %[[T:.*]] = stablehlo.reshape %[[CT]]
// CHECK-NEXT: %[[D01:.*]] = stablehlo.multiply %[[T]], %[[X2]]
// CHECK-NEXT: %[[D2:.*]] = stablehlo.multiply %[[T]], %[[X01]]
// CHECK-NEXT: %[[D0:.*]] = stablehlo.multiply %[[D01]], %[[X1]]
// CHECK-NEXT: %[[D1:.*]] = stablehlo.multiply %[[D01]], %[[X0]]
// CHECK-NOT:  stablehlo.divide
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.reduce(%x init: %z) applies stablehlo.multiply across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// y = max(x), reached by k elements: each of these gets ct / k. k is counted in i32, and bf16 divided in f32.
// CHECK:      %[[Y:.*]] = stablehlo.reduce(%[[X:.*]] init: %{{.*}}) applies stablehlo.maximum
// CHECK-NEXT: %[[YS:.*]] = stablehlo.broadcast_in_dim %[[Y]], dims = [0]
// CHECK-NEXT: %[[LESS:.*]] = stablehlo.compare LT, %[[X]], %[[YS]]
// CHECK:      %[[ONES:.*]] = stablehlo.select %[[LESS]], %{{.*}}, %{{.*}} : tensor<2x3xi1>, tensor<2x3xi32>
// CHECK-NEXT: %[[K:.*]] = stablehlo.reduce(%[[ONES]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK:      stablehlo.divide {{.*}} : tensor<2xf32>
// CHECK-NEXT: %[[SHARE:.*]] = stablehlo.convert {{.*}} -> tensor<2xbf16>
// CHECK-NEXT: %[[SHARES:.*]] = stablehlo.broadcast_in_dim %[[SHARE]], dims = [0]
// CHECK:      %[[DX:.*]] = stablehlo.select %[[LESS]], %{{.*}}, %[[SHARES]]
// CHECK-NEXT: return %[[DX]]
func.func @main(%x: tensor<2x3xbf16>) -> tensor<2xbf16> {
  %z = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %y = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  return %y : tensor<2xbf16>
}

// -----

// Sums in windows of 3, 2 apart, padded [1, 0] and [0, 1], 6 -> 3: the same windows, 1 apart, over cotangents 2 apart;
// low is 3 - 1 - low, and high makes 6 positions: low + (3 - 1) 2 + 1 + high = 6 + 3 - 1.
// CHECK:      "stablehlo.reduce_window"(%[[CT:.*]], %{{.*}}) <{base_dilations = array<i64: 1, 2, 2, 1>, padding = dense<{{\[\[}}0, 0], [1, 2], [2, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>}>
// CHECK:      (tensor<1x3x3x3xf32>, tensor<f32>) -> tensor<1x6x6x3xf32>
// CHECK-NEXT: return
// Holes in the base are spelled as a pad.
// PORTABLE:      %[[P:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1, 2, 0], high = [0, 2, 1, 0], interior = [0, 1, 1, 0]
// PORTABLE-NEXT: "stablehlo.reduce_window"(%[[P]], %{{.*}}) <{window_dimensions = array<i64: 1, 3, 3, 1>}>
func.func @main(%x: tensor<1x6x6x3xf32>) -> tensor<1x3x3x3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x6x6x3xf32>, tensor<f32>) -> tensor<1x3x3x3xf32>
  return %y : tensor<1x3x3x3xf32>
}

// -----

// Maxima of pairs: the first element gets the cotangent if it is at least the second, else the second gets it.
// CHECK:      @main(%[[X:.*]]: tensor<1x4x3xf32>, %[[CT:.*]]: tensor<1x2x3xf32>)
// CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[X]] [0:1, 0:3:2, 0:3]
// CHECK-NEXT: %[[B:.*]] = stablehlo.slice %[[X]] [0:1, 1:4:2, 0:3]
// CHECK-NEXT: %[[FIRST:.*]] = stablehlo.compare GE, %[[A]], %[[B]]
// CHECK:      %[[DA:.*]] = stablehlo.select %[[FIRST]], %[[CT]], %[[ZERO:.*]] :
// CHECK-NEXT: %[[DB:.*]] = stablehlo.select %[[FIRST]], %[[ZERO]], %[[CT]] :
// CHECK-NEXT: stablehlo.pad %[[DB]], %{{.*}}, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0]
// CHECK-NEXT: stablehlo.pad %[[DA]], %{{.*}}, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0]
// CHECK-NEXT: %[[DX:.*]] = stablehlo.add
// CHECK-NEXT: return %[[DX]]
func.func @main(%x: tensor<1x4x3xf32>) -> tensor<1x2x3xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<1x2x3xf32>
  return %y : tensor<1x2x3xf32>
}

// -----

// A window of one element only picks: the cotangents return with zeros between, before and after.
// CHECK:      %[[P:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [-1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NOT:  stablehlo.reduce_window
func.func @main(%x: tensor<6xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 1>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Each element of source went to the element that its window selects, and gets the cotangent from there.
// CHECK:      @main(%[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<f32>, %[[CT:.*]]: tensor<4xf32>)
// CHECK:      %[[DZ:.*]] = stablehlo.reduce(%[[CT]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK:      %[[FIRST:.*]] = stablehlo.compare GE
// CHECK-NEXT: %[[DS:.*]] = stablehlo.select %[[FIRST]]
// CHECK:      return %{{.*}}, %[[DS]], %[[DZ]]
func.func @main(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
