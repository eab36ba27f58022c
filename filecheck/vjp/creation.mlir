// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' | filecheck %s

// y = x * iota: no gradient flows into iota, so only x's is computed.
// CHECK:      %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4xf32>
// CHECK-NEXT: %[[DX:.*]] = stablehlo.multiply %{{.*}}, %[[I]] : tensor<4xf32>
// CHECK-NEXT: func.return %[[DX]] : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<4xf32>
  %y = stablehlo.multiply %x, %i : tensor<4xf32>
  return %y : tensor<4xf32>
}
