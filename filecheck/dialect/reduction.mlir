// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @short_form
// CHECK-GENERIC-LABEL: sym_name = "short_form"
func.func @short_form(%x: tensor<2x3xf32>, %z: tensor<f32>, %p: tensor<2x3xi1>, %t: tensor<i1>, %d: tensor<?x3xf32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-GENERIC:      "stablehlo.reduce"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 1>}> ({
  // CHECK-GENERIC-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // CHECK-GENERIC-NEXT:   %[[S:.*]] = "stablehlo.add"(%[[A]], %[[B]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK-GENERIC-NEXT:   "stablehlo.return"(%[[S]]) : (tensor<f32>) -> ()
  // CHECK-GENERIC-NEXT: }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: applies stablehlo.maximum across dimensions = [1, 0] {note} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1, 0] {note} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: applies stablehlo.and across dimensions = [] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2x3xi1>
  // CHECK-GENERIC: dimensions = array<i64>}>
  %2 = stablehlo.reduce(%p init: %t) applies stablehlo.and across dimensions = [] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2x3xi1>
  // CHECK: applies stablehlo.multiply across dimensions = [1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = stablehlo.reduce(%d init: %z) applies stablehlo.multiply across dimensions = [1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  // A reducer that the short form stands for is printed as such.
  // CHECK: applies stablehlo.add across dimensions = [0]
  %4 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return
}

// CHECK-LABEL: @reducer
// CHECK-GENERIC-LABEL: sym_name = "reducer"
func.func @reducer(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<2x3xi32>, %j: tensor<i32>) {
  // CHECK:      stablehlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) {
  // CHECK-NEXT:   %[[S:.*]] = stablehlo.add %[[B]], %[[A]] : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %[[S]] : tensor<f32>
  // CHECK-NEXT: }
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %s = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // Each pair of arguments belongs to one input; in the block all the left ones come first.
  // CHECK:      stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1]
  // CHECK-NEXT: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>) {
  // CHECK-GENERIC: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>):
  %1, %2 = stablehlo.reduce(%x init: %z), (%i init: %j) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %left = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f32>
    %index = stablehlo.select %left, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %value, %index : tensor<f32>, tensor<i32>
  }
  return
}

// CHECK-LABEL: @windows
// CHECK-GENERIC-LABEL: sym_name = "windows"
func.func @windows(%x: tensor<3x2xf32>, %z: tensor<f32>, %v: tensor<4xf32>, %s: tensor<3xf32>) {
  // There is no custom form.
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{base_dilations = array<i64: 2, 1>, padding = dense<{{\[\[}}2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
  // CHECK: }) : (tensor<3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  // What is absent stays absent.
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{window_dimensions = array<i64: 2>}> ({
  %1 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: "stablehlo.select_and_scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{window_dimensions = array<i64: 2>}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // CHECK-NEXT:   %[[P:.*]] = stablehlo.compare GE, %[[A]], %[[B]]
  // CHECK-NEXT:   stablehlo.return %[[P]] : tensor<i1>
  // CHECK-NEXT: }, {
  // CHECK:      }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = "stablehlo.select_and_scatter"(%v, %s, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
