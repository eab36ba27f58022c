// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true portable=true}' --split-input-file | filecheck %s --check-prefix=PORTABLE

// y = a b: the cotangent of a is ct b^T, that of b is a^T ct; each operand keeps its precision.
// CHECK:      @main(%[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<3x4xf32>, %[[CT:.*]]: tensor<2x4xf32>)
// CHECK-NEXT: %[[DA:.*]] = stablehlo.dot_general %[[CT]], %[[B]], contracting_dims = [1] x [1], precision = [HIGH, DEFAULT]
// CHECK-NEXT: %[[DB:.*]] = stablehlo.dot_general %[[A]], %[[CT]], contracting_dims = [0] x [0], precision = [HIGH, DEFAULT]
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// y[b, i, j] = q[i, b, k] k[j, k, b]: products come out as [b, i, k] and [b, k, j] and are transposed to the operands.
// CHECK:      @main(%[[Q:.*]]: tensor<5x2x3xf32>, %[[K:.*]]: tensor<4x3x2xf32>, %[[CT:.*]]: tensor<2x5x4xf32>)
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[CT]], %[[K]], batching_dims = [0] x [2], contracting_dims = [2] x [0]
// CHECK-NEXT: %[[DQ:.*]] = stablehlo.transpose %[[P]], dims = [1, 0, 2] : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.dot_general %[[Q]], %[[CT]], batching_dims = [1] x [0], contracting_dims = [0] x [1]
// CHECK-NEXT: %[[DK:.*]] = stablehlo.transpose %[[R]], dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: return %[[DQ]], %[[DK]]
func.func @main(%q: tensor<5x2x3xf32>, %k: tensor<4x3x2xf32>) -> tensor<2x5x4xf32> {
  %y = stablehlo.dot_general %q, %k, batching_dims = [1] x [2], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<4x3x2xf32>) -> tensor<2x5x4xf32>
  return %y : tensor<2x5x4xf32>
}

// -----

// Contracting dimensions that pair up crosswise: what is free in a product keeps the order of the operand it came from.
// CHECK:      %[[P:.*]] = stablehlo.dot_general {{.*}} contracting_dims = [1] x [2] {{.*}} -> tensor<2x4x3xf32>
// CHECK-NEXT: stablehlo.transpose %[[P]], dims = [0, 2, 1]
// CHECK:      %[[R:.*]] = stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] {{.*}} -> tensor<3x4x5xf32>
// CHECK-NEXT: stablehlo.transpose %[[R]], dims = [1, 0, 2]
func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<4x3x5xf32>) -> tensor<2x5xf32> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1, 2] x [1, 0] : (tensor<2x3x4xf32>, tensor<4x3x5xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// -----

// A vector times a matrix: the matrix gets the outer product.
// CHECK:      @main(%[[A:.*]]: tensor<3xf32>, %{{.*}}: tensor<3x4xf32>, %[[CT:.*]]: tensor<4xf32>)
// CHECK:      stablehlo.dot_general %[[A]], %[[CT]], contracting_dims = [] x [] : (tensor<3xf32>, tensor<4xf32>) -> tensor<3x4xf32>
func.func @main(%a: tensor<3xf32>, %b: tensor<3x4xf32>) -> tensor<4xf32> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A result wider than the operands: products in its type, gradients in theirs.
// CHECK:      @main(%{{.*}}, %[[B:.*]]: tensor<3x4xbf16>, %[[CT:.*]]: tensor<2x4xf32>)
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %[[B]] : (tensor<3x4xbf16>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[CT]], %[[WIDE]], contracting_dims = [1] x [1]
// CHECK-NEXT: stablehlo.convert %[[P]] : (tensor<2x3xf32>) -> tensor<2x3xbf16>
func.func @main(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>) -> tensor<2x4xf32> {
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// Size 9, kernel 3, stride 2, padding 0 and 1. Input: stride becomes dilation, low = 3 - 1 - 0, high = 9 + 0 - 7, kernel
// reversed, its features swapped. Kernel: stride becomes the dilation of ct, high = 3 - 1 + 7 - 0 - 9, batch summed over.
// CHECK:      @main(%[[X:.*]]: tensor<2x9x3xf32>, %[[K:.*]]: tensor<3x3x4xf32>, %[[CT:.*]]: tensor<2x4x4xf32>)
// CHECK-NEXT: %[[R:.*]] = stablehlo.reverse %[[K]], dims = [0]
// CHECK-NEXT: %[[DX:.*]] = stablehlo.convolution(%[[CT]], %[[R]]) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {pad = {{\[\[}}2, 2]], lhs_dilate = [2]}
// CHECK-NEXT: %[[DK:.*]] = stablehlo.convolution(%[[X]], %[[CT]]) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {rhs_dilate = [2]}
// CHECK-NEXT: return %[[DX]], %[[DK]]
// Portable: an explicit pad in place of lhs_dilate.
// PORTABLE:      %[[PADDED:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 2, 0], high = [0, 2, 0], interior = [0, 1, 0] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x11x4xf32>
// PORTABLE-NEXT: stablehlo.convolution(%[[PADDED]], %{{.*}}) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {}
func.func @main(%x: tensor<2x9x3xf32>, %k: tensor<3x3x4xf32>) -> tensor<2x4x4xf32> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x3xf32>, tensor<3x3x4xf32>) -> tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}

// -----

// Three feature groups. Input: the groups of the kernel move from its out-features, 3 * 4, to its in-features, 3 * 2.
// Kernel: batch groups.
// CHECK:      %[[SPLIT:.*]] = stablehlo.reshape %{{.*}} : (tensor<3x2x12xf32>) -> tensor<3x2x3x4xf32>
// CHECK-NEXT: %[[MOVED:.*]] = stablehlo.transpose %[[SPLIT]], dims = [0, 2, 1, 3]
// CHECK-NEXT: %[[K:.*]] = stablehlo.reshape %[[MOVED]] : (tensor<3x3x2x4xf32>) -> tensor<3x6x4xf32>
// CHECK-NEXT: stablehlo.convolution(%{{.*}}, %[[K]]) {{.*}} {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
// CHECK-NEXT: stablehlo.convolution({{.*}}) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {} {batch_group_count = 3 : i64, feature_group_count = 1 : i64}
// Portable: feature groups again, the groups of the input moved from its features to its batch, which are swapped here.
// PORTABLE:      %[[SPLIT:.*]] = stablehlo.reshape %{{.*}} : (tensor<2x5x6xf32>) -> tensor<2x5x3x2xf32>
// PORTABLE-NEXT: %[[MOVED:.*]] = stablehlo.transpose %[[SPLIT]], dims = [2, 0, 1, 3]
// PORTABLE-NEXT: %[[X:.*]] = stablehlo.reshape %[[MOVED]] : (tensor<3x2x5x2xf32>) -> tensor<6x5x2xf32>
// PORTABLE-NEXT: stablehlo.convolution(%[[X]], %{{.*}}) {{.*}} {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
func.func @main(%x: tensor<2x5x6xf32>, %k: tensor<3x2x12xf32>) -> tensor<2x3x12xf32> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x5x6xf32>, tensor<3x2x12xf32>) -> tensor<2x3x12xf32>
  return %y : tensor<2x3x12xf32>
}

// -----

// Three batch groups and a reversed window. Input: the kernel as it is; feature groups, which move to the batch at the
// end. Kernel: feature groups; the result reversed.
// CHECK:      %[[P:.*]] = stablehlo.convolution({{.*}}) {{.*}} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} {{.*}} -> tensor<2x5x6xf32>
// CHECK-NEXT: %[[SPLIT:.*]] = stablehlo.reshape %[[P]] : (tensor<2x5x6xf32>) -> tensor<2x5x3x2xf32>
// CHECK-NEXT: %[[MOVED:.*]] = stablehlo.transpose %[[SPLIT]], dims = [2, 0, 1, 3]
// CHECK-NEXT: %[[DX:.*]] = stablehlo.reshape %[[MOVED]] : (tensor<3x2x5x2xf32>) -> tensor<6x5x2xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.convolution({{.*}}) {{.*}} {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
// CHECK-NEXT: %[[DK:.*]] = stablehlo.reverse %[[R]], dims = [0]
// CHECK-NEXT: return %[[DX]], %[[DK]]
func.func @main(%x: tensor<6x5x2xf32>, %k: tensor<3x2x12xf32>) -> tensor<2x3x12xf32> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<6x5x2xf32>, tensor<3x2x12xf32>) -> tensor<2x3x12xf32>
  return %y : tensor<2x3x12xf32>
}

// -----

// No window fits: zeros, and no convolution, whose window would have size 0.
// CHECK-NOT: stablehlo.convolution
// CHECK:     return
func.func @main(%x: tensor<1x2x1xf32>, %k: tensor<3x1x1xf32>) -> tensor<1x0x1xf32> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf32>, tensor<3x1x1xf32>) -> tensor<1x0x1xf32>
  return %y : tensor<1x0x1xf32>
}
