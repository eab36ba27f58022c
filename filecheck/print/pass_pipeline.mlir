// Ops that were given their generic spelling are still the same ops.
// RUN: xdsl-opt %s -p hhlo-pjrt-syntax,cse,dce | filecheck %s
// RUN: xdsl-opt %s -p hhlo-pjrt-syntax,hhlo-pjrt-syntax | filecheck %s --check-prefix=TWICE
// RUN: xdsl-opt %s -p hhlo-pjrt-syntax --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: xdsl-opt %s -p hhlo-pjrt-syntax | xdsl-opt | filecheck %s --check-prefix=BACK

// CHECK:          %0 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:     %1 = stablehlo.add %0, %0 : tensor<2xf32>
// CHECK-NEXT:     func.return %1 : tensor<2xf32>

// TWICE:          %0 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
// TWICE-NEXT:     %1 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
// TWICE-NEXT:     %unused = "stablehlo.transpose"(%x) {permutation = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>

// GENERIC:        %0 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>

// BACK:           %0 = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
// BACK-NEXT:      %1 = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
  %1 = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
  %unused = stablehlo.transpose %x, dims = [0] : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
