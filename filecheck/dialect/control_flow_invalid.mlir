// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.if: true_branch takes 1 arguments; it must take none; it may read values from outside (spec if C1)
func.func @if_c1(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.if: true_branch returns (tensor<f32>), false_branch (tensor<i32>); it must be (tensor<f32>) (spec if C2)
func.func @if_c2(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.if: results[0] is tensor<2xf32>, but its operands and attributes give tensor<f32> (spec if C3)
func.func @if_c3(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: stablehlo.case: there are no branches; give at least one (spec case C1)
func.func @case_c1(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.case: branches[1] takes 1 arguments; it must take none; it may read values from outside (spec case C2)
func.func @case_c2(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.case: branches[0] returns (tensor<f32>), branches[1] (tensor<i32>); it must be (tensor<f32>) (spec case C3)
func.func @case_c3(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.case: results[0] is tensor<i32>, but its operands and attributes give tensor<f32> (spec case C4)
func.func @case_c4(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK: stablehlo.while: cond returns (tensor<f32>); it must return (tensor<i1>) (spec while C1)
func.func @while_c1(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    stablehlo.return %a : tensor<f32>
  } do {
    stablehlo.return %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.while: body is carried (tensor<f32>) and returns (tensor<i32>); it must be (tensor<f32>) (spec while C2)
func.func @while_c2(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<f32>
}

// -----

// CHECK: stablehlo.while: results[0] is tensor<i32>, but its operands and attributes give tensor<f32> (spec while C3)
func.func @while_c3(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<f32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK: stablehlo.optimization_barrier: operand is (tensor<f32>) and results are (tensor<i32>); they must be the same (spec optimization_barrier C1)
func.func @optimization_barrier_c1(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<f32>) -> tensor<i32>
  return %0 : tensor<i32>
}
