// RUN: xdsl-opt %s -p chlo-legalize-to-stablehlo | filecheck %s

// atan x = atan2(x, 1)
// CHECK-LABEL: @atan(
// CHECK: %[[ONE:.*]] = stablehlo.broadcast_in_dim
// CHECK: stablehlo.atan2 %x, %[[ONE]] : tensor<4xf32>
func.func @atan(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Narrow floats are computed in f32.
// CHECK-LABEL: @acos(
// CHECK: stablehlo.convert %x : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK: stablehlo.atan2 {{.*}} : tensor<4xf32>
// CHECK: stablehlo.convert {{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
func.func @acos(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.acos %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// conj (a + b i) = a - b i; a real number is its own.
// CHECK-LABEL: @conj(
// CHECK: %[[A:.*]] = stablehlo.real %z
// CHECK: %[[B:.*]] = stablehlo.imag %z
// CHECK: %[[C:.*]] = stablehlo.negate %[[B]]
// CHECK: %[[Z:.*]] = stablehlo.complex %[[A]], %[[C]]
// CHECK: return %[[Z]], %x
func.func @conj(%z: tensor<2xcomplex<f32>>, %x: tensor<2xf32>) -> (tensor<2xcomplex<f32>>, tensor<2xf32>) {
  %0 = chlo.conj %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %1 = chlo.conj %x : tensor<2xf32> -> tensor<2xf32>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xf32>
}

// An operand that has the result's shape is not broadcast.
// CHECK-LABEL: @broadcast_add(
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: stablehlo.add %x, %[[Y]] : tensor<2x3xf32>
func.func @broadcast_add(%x: tensor<2x3xf32>, %y: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Unknown sizes are read: where one operand has 1, the other's counts.
// CHECK-LABEL: @unknown_sizes(
// CHECK-DAG: stablehlo.get_dimension_size %x, dim = 0
// CHECK-DAG: stablehlo.get_dimension_size %y, dim = 0
// CHECK: stablehlo.compare EQ
// CHECK: %[[N:.*]] = stablehlo.select
// CHECK: stablehlo.dynamic_broadcast_in_dim %x
// CHECK: stablehlo.dynamic_broadcast_in_dim %y
// CHECK: stablehlo.multiply
func.func @unknown_sizes(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_multiply %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The elements are sorted with their indices, and the first two are kept.
// CHECK-LABEL: @top_k(
// CHECK: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<5xi32>
// CHECK: %[[V:.*]], %[[J:.*]] = "stablehlo.sort"(%x, %[[I]]) <{dimension = 0 : i64, is_stable = true}> ({
// CHECK: stablehlo.compare GT, {{.*}}, TOTALORDER
// CHECK: stablehlo.slice %[[V]] [0:2]
// CHECK: stablehlo.slice %[[J]] [0:2]
func.func @top_k(%x: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %v, %i = chlo.top_k(%x, k = 2) : tensor<5xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %v, %i : tensor<2xf32>, tensor<2xi32>
}

// The loop carries the index, the output so far and the carry; backwards, slice 4 - i comes at step i.
// CHECK-LABEL: @scan(
// CHECK: stablehlo.while({{.*}}tensor<i32>, tensor<5xf32>, tensor<f32>
// CHECK: cond {
// CHECK: stablehlo.compare LT
// CHECK: } do {
// CHECK: %[[AT:.*]] = stablehlo.subtract
// CHECK: stablehlo.dynamic_slice %x, %[[AT]], sizes = [1]
// CHECK: %[[S:.*]] = stablehlo.add
// CHECK: stablehlo.dynamic_update_slice {{.*}}, %[[AT]]
func.func @scan(%x: tensor<5xf32>, %s: tensor<f32>) -> (tensor<5xf32>, tensor<f32>) {
  %0:2 = chlo.scan(%x) inits (%s) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  } : (tensor<5xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<f32>
}
