// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s

// broadcast_in_dim: the cotangent is summed over the new dimension 0 and over dimension 2, stretched from 1; what is
// left, result dimension 1, is operand's dimension 1, and the reshape restores operand's size 1.
// CHECK:      %[[SUM:.*]] = stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.reshape %[[SUM]] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: func.return %[[DX]] : tensor<1x3xf32>
func.func @main(%x: tensor<1x3xf32>) -> tensor<2x3x4xf32> {
  %y = stablehlo.broadcast_in_dim %x, dims = [2, 1] : (tensor<1x3xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// transpose: permuted back.
// CHECK:      %[[DX:.*]] = stablehlo.transpose %{{.*}}, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: func.return %[[DX]] : tensor<2x3x4xf32>
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %y = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  return %y : tensor<3x4x2xf32>
}

// -----

// slice [1:6:2] of 7, which takes elements 1, 3, 5: one zero before, one between, one after.
// CHECK:      %[[DX:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
// CHECK-NEXT: func.return %[[DX]] : tensor<7xf32>
func.func @main(%x: tensor<7xf32>) -> tensor<3xf32> {
  %y = stablehlo.slice %x [1:6:2] : (tensor<7xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// pad: its edges cut off, then every second element; the padding value gets the sum over the other places.
// CHECK:      %[[UNCUT:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [-2], high = [1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.slice %[[UNCUT]] [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
// CHECK:      %[[MASK:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [2], high = [-1], interior = [1] : (tensor<3xi1>, tensor<i1>) -> tensor<6xi1>
// CHECK:      %[[DV:.*]] = stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-NEXT: func.return %[[DX]], %[[DV]] : tensor<3xf32>, tensor<f32>
func.func @main(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  %y = stablehlo.pad %x, %v, low = [2], high = [-1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// concatenate: to each input its part.
// CHECK:      %[[DA:.*]] = stablehlo.slice %{{.*}} [0:2] : (tensor<5xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[DB:.*]] = stablehlo.slice %{{.*}} [2:5] : (tensor<5xf32>) -> tensor<3xf32>
// CHECK-NEXT: func.return %[[DA]], %[[DB]] : tensor<2xf32>, tensor<3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %y = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}
