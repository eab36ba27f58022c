// RUN: xdsl-opt %s -p 'hhlo-pjrt-syntax{version="1.16"}' | filecheck %s
// RUN: not xdsl-opt %s -p 'hhlo-pjrt-syntax{version="2.0"}' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// CHECK: "stablehlo.reverse"(%x) {dimensions = array<i64: 0>, note} : (tensor<2xf32>) -> tensor<2xf32>
// UNKNOWN: StableHLO version "2.0" is not known; known are 1.0 to 1.22
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reverse %x, dims = [0] {note} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
