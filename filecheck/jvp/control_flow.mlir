// RUN: xdsl-opt %s -p hhlo-jvp | filecheck %s

// y = y * y while y < 9: the loop carries the tangent too, which does not decide whether it goes on.
// CHECK:      func.func @main(%x: tensor<f32>, %[[T:.*]]: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %[[Y:.*]], %[[DY:.*]] = stablehlo.while(%[[A:.*]] = %x, %[[DA:.*]] = %[[T]]) : tensor<f32>, tensor<f32>
// CHECK:          %[[P:.*]] = stablehlo.compare LT, %[[A]], %{{.*}}
// CHECK-NEXT:     stablehlo.return %[[P]] : tensor<i1>
// CHECK:          %[[M:.*]] = stablehlo.multiply %[[A]], %[[A]] : tensor<f32>
// CHECK-NEXT:     %[[L:.*]] = stablehlo.multiply %[[DA]], %[[A]] : tensor<f32>
// CHECK-NEXT:     %[[R:.*]] = stablehlo.multiply %[[DA]], %[[A]] : tensor<f32>
// CHECK-NEXT:     %[[DM:.*]] = stablehlo.add %[[L]], %[[R]] : tensor<f32>
// CHECK-NEXT:     stablehlo.return %[[M]], %[[DM]] : tensor<f32>, tensor<f32>
// CHECK:        func.return %[[Y]], %[[DY]] : tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %n = stablehlo.constant dense<9.0> : tensor<f32>
    %p = stablehlo.compare LT, %a, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %m = stablehlo.multiply %a, %a : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }
  return %y : tensor<f32>
}
