// RUN: xdsl-opt %s -p hhlo-grad --split-input-file | filecheck %s

// y = p ? sqrt(e ** x) : 1. The branch also gives e ** x, which its way back reads; the other gives zero in its place.
// The same choice is made on the way back: 0.5 / y * e ** x, or zero.
// CHECK:      func.func @main(%p: tensor<i1>, %x: tensor<f32>)
// CHECK-NEXT:   %[[Y:.*]], %[[KEPT:.*]] = "stablehlo.if"(%p) ({
// CHECK-NEXT:     %[[E:.*]] = stablehlo.exponential %x : tensor<f32>
// CHECK-NEXT:     %[[T:.*]] = stablehlo.sqrt %[[E]] : tensor<f32>
// CHECK-NEXT:     stablehlo.return %[[T]], %[[E]] : tensor<f32>, tensor<f32>
// CHECK-NEXT:   }, {
// CHECK-NEXT:     %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:     %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:     stablehlo.return %[[ONE]], %[[ZERO]] : tensor<f32>, tensor<f32>
// CHECK-NEXT:   }) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT:   %[[CT:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:   %[[DX:.*]] = "stablehlo.if"(%p) ({
// CHECK-NEXT:     %[[C:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:     %[[HALF:.*]] = stablehlo.multiply %[[C]], %[[CT]] : tensor<f32>
// CHECK-NEXT:     %[[D:.*]] = stablehlo.divide %[[HALF]], %[[Y]] : tensor<f32>
// CHECK-NEXT:     %[[DE:.*]] = stablehlo.multiply %[[D]], %[[KEPT]] : tensor<f32>
// CHECK-NEXT:     stablehlo.return %[[DE]] : tensor<f32>
// CHECK-NEXT:   }, {
// CHECK-NEXT:     %[[NONE:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:     stablehlo.return %[[NONE]] : tensor<f32>
// CHECK-NEXT:   }) : (tensor<i1>) -> tensor<f32>
// CHECK-NEXT:   func.return %[[Y]], %[[DX]] : tensor<f32>, tensor<f32>
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    %e = stablehlo.exponential %x : tensor<f32>
    %t = stablehlo.sqrt %e : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }, {
    %c = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// y[k+1] = y[k] * c, five times. Each step saves y[k] in row k; the loop back, from k = 4 down to 0, reads it:
// ct y[k] = ct y[k+1] * c, and ct c is the sum of ct y[k+1] * y[k].
// CHECK:        %[[I:.*]], %[[Y:.*]], %[[STACK:.*]] = stablehlo.while(%[[K:.*]] = %{{.*}}, %[[B:.*]] = %x, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<f32>, tensor<5xf32>
// CHECK:          %[[ROW:.*]] = stablehlo.reshape %[[B]] : (tensor<f32>) -> tensor<1xf32>
// CHECK:          %[[NEW:.*]] = stablehlo.dynamic_update_slice %[[S]], %[[ROW]], %[[K]]
// CHECK:          stablehlo.return %{{.*}}, %{{.*}}, %[[NEW]] : tensor<i32>, tensor<f32>, tensor<5xf32>
// CHECK:        %{{.*}}, %[[DX:.*]], %[[DC:.*]] = stablehlo.while(%[[K2:.*]] = %{{.*}}, %[[CT:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) : tensor<i32>, tensor<f32>, tensor<f32>
// CHECK:          stablehlo.compare GE, %[[K2]], %{{.*}}
// CHECK:          %[[R:.*]] = stablehlo.dynamic_slice %[[STACK]], %[[K2]], sizes = [1]
// CHECK-NEXT:     %[[YK:.*]] = stablehlo.reshape %[[R]] : (tensor<1xf32>) -> tensor<f32>
// CHECK-NEXT:     %[[DY:.*]] = stablehlo.multiply %[[CT]], %c : tensor<f32>
// CHECK-NEXT:     %[[P:.*]] = stablehlo.multiply %[[CT]], %[[YK]] : tensor<f32>
// CHECK-NEXT:     %[[ADDED:.*]] = stablehlo.add %[[SUM]], %[[P]] : tensor<f32>
// CHECK:          %[[K3:.*]] = stablehlo.subtract %[[K2]], %{{.*}} : tensor<i32>
// CHECK-NEXT:     stablehlo.return %[[K3]], %[[DY]], %[[ADDED]] : tensor<i32>, tensor<f32>, tensor<f32>
// CHECK:        func.return %[[Y]], %[[DX]], %[[DC]] : tensor<f32>, tensor<f32>, tensor<f32>
func.func @main(%x: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i, %y = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %q = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %a, %one : tensor<i32>
    %m = stablehlo.multiply %b, %c : tensor<f32>
    stablehlo.return %next, %m : tensor<i32>, tensor<f32>
  }
  return %y : tensor<f32>
}
