// RUN: xdsl-opt %s -p 'hhlo-grad{seed=true}' --split-input-file | filecheck %s

// The sort carries positions along; the cotangent of each element goes to where it came from.
// CHECK:      @main(%[[X:.*]]: tensor<4xf32>, %[[CT:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT: %[[Y:.*]], %[[P:.*]] = "stablehlo.sort"(%[[X]], %[[IOTA]]) <{dimension = 0 : i64}>
// CHECK-NOT:  "stablehlo.sort"
// CHECK:      %[[DX:.*]] = "stablehlo.scatter"(%{{.*}}, %[[P]], %[[CT]])
// CHECK:      return %[[Y]], %[[DX]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
