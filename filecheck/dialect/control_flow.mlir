// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @one_value(
// CHECK-GENERIC-LABEL: sym_name = "one_value"
func.func @one_value(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    // CHECK: stablehlo.return %{{.*}} : tensor<f32>
    // CHECK-GENERIC: "stablehlo.return"(%{{.*}}) : (tensor<f32>) -> ()
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @two_values(
// CHECK-GENERIC-LABEL: sym_name = "two_values"
func.func @two_values(%x: tensor<4xf32>, %y: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0:2 = stablehlo.reduce(%x init: %z), (%y init: %n) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.maximum %i, %j : tensor<i32>
    // CHECK: stablehlo.return %{{.*}}, %{{.*}} {note = 1 : i64} : tensor<f32>, tensor<i32>
    // CHECK-GENERIC: "stablehlo.return"(%{{.*}}, %{{.*}}) {note = 1 : i64} : (tensor<f32>, tensor<i32>) -> ()
    stablehlo.return %1, %2 {note = 1 : i64} : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}

// CHECK-LABEL: @choice(
// CHECK-GENERIC-LABEL: sym_name = "choice"
func.func @choice(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<f32>, %y: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<f32>) {
  // Branches take no arguments, and read values from outside.
  // CHECK:      %{{.*}} = "stablehlo.if"(%{{.*}}) ({
  // CHECK-NEXT:   stablehlo.return %{{.*}}, %{{.*}} : tensor<f32>, tensor<2xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   %{{.*}} = stablehlo.negate %{{.*}} : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %{{.*}}, %{{.*}} : tensor<f32>, tensor<2xf32>
  // CHECK-NEXT: }) : (tensor<i1>) -> (tensor<f32>, tensor<2xf32>)
  // CHECK-GENERIC: "stablehlo.if"(%{{.*}}) ({
  %0:2 = "stablehlo.if"(%p) ({
    stablehlo.return %x, %y : tensor<f32>, tensor<2xf32>
  }, {
    %2 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %2, %y : tensor<f32>, tensor<2xf32>
  }) : (tensor<i1>) -> (tensor<f32>, tensor<2xf32>)
  // CHECK:      %{{.*}} = "stablehlo.case"(%{{.*}}) ({
  // CHECK-NEXT:   stablehlo.return %{{.*}} : tensor<f32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<f32>
  // CHECK-GENERIC: "stablehlo.case"(%{{.*}}) ({
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0#0, %0#1, %1 : tensor<f32>, tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: @loop(
// CHECK-GENERIC-LABEL: sym_name = "loop"
func.func @loop(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  // Both regions name their arguments as the head does.
  // CHECK:      = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) : tensor<i32>, tensor<f32> attributes {note}
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   %[[MORE:.*]] = stablehlo.compare LT, %[[I]], %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT:   stablehlo.return %[[MORE]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[NEXT:.*]] = stablehlo.add %[[I]], %{{.*}} : tensor<i32>
  // CHECK-NEXT:   %[[SIN:.*]] = stablehlo.sine %[[Y]] : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %[[NEXT]], %[[SIN]] : tensor<i32>, tensor<f32>
  // CHECK-NEXT: }
  // CHECK-GENERIC: "stablehlo.while"(%{{.*}}, %{{.*}}) ({
  // CHECK-GENERIC: }) {note} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<f32> attributes {note}
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c : tensor<i32>
    %2 = stablehlo.sine %y : tensor<f32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
  }
  // CHECK:      stablehlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<i32>, tensor<f32>
  // CHECK-GENERIC: "stablehlo.optimization_barrier"(%{{.*}}, %{{.*}}) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  %3:2 = stablehlo.optimization_barrier %0#0, %0#1 : tensor<i32>, tensor<f32>
  return %3#0, %3#1 : tensor<i32>, tensor<f32>
}
