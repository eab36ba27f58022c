// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it.

// CHECK: stablehlo.reduce: inputs[1] is tensor<3x2xf32>, inputs[0] is tensor<2x3xf32>; their shapes must be equal; broadcast_in_dim one of them (spec reduce C1)
func.func @reduce_c1(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y:2 = "stablehlo.reduce"(%x, %s, %z, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r, %r) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<3xf32>)
  return
}

// -----

// CHECK: stablehlo.reduce: init_values[0] is tensor<i64>; it must be tensor<f32>, as the body returns (spec reduce C2)
func.func @reduce_c2(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %m) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: there are 2 results; 1 inputs give as many (spec reduce C3)
func.func @reduce_c3(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y:2 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

// CHECK: stablehlo.reduce: dimensions are [2]; each must be in 0..1, for rank 2 (spec reduce C4)
func.func @reduce_c4(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: dimensions are [1, 1]; they must be distinct (spec reduce C5)
func.func @reduce_c5(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: its body takes 3 arguments and returns 1 values; it must take 2 and return 1, for 1 input (spec reduce C6)
func.func @reduce_c6(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: its body takes 2 arguments and returns 2 values; it must take 2 and return 1, for 1 input (spec reduce C6)
func.func @reduce_c6_returns(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%u, %u) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: its body's argument 0 is tensor<2x3xf32>, and it returns tensor<f32> there; both must be one scalar type, such as tensor<f32> (spec reduce C6)
func.func @reduce_c6_scalars(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%b, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: inputs[0] is tensor<2x3xi32>, and the body computes in f32; give it a body on i32, or convert the input (spec reduce C6)
func.func @reduce_c6_promotes(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%n, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xi32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: results[0] is tensor<3xf32>, but its operands and attributes give tensor<2xf32> (spec reduce C7)
func.func @reduce_c7(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce: results[0] is tensor<2xf64>, but its operands and attributes give tensor<2xf32> (spec reduce C8)
func.func @reduce_c8(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf64>
  return
}

// -----

// CHECK: stablehlo.reduce_window: there are 2 results; 1 inputs give as many (spec reduce_window C1)
func.func @reduce_window_c1(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y:2 = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> (tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

// CHECK: stablehlo.reduce_window: inputs[1] is tensor<4xf64>, inputs[0] is tensor<5xf64>; their shapes must be equal; broadcast_in_dim one of them (spec reduce_window C2)
func.func @reduce_window_c2(%x: tensor<5xf64>, %v: tensor<4xf64>, %z: tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %r:2 = "stablehlo.reduce_window"(%x, %v, %low, %z) <{padding = dense<[[2, 0]]> : tensor<1x2xi64>,
      window_dimensions = array<i64: 2>, window_dilations = array<i64: 3>}> ({
  ^bb0(%a: tensor<f64>, %c: tensor<f64>, %b: tensor<f64>, %d: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f64>
    %1 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<f64>
    stablehlo.return %0, %1 : tensor<f64>, tensor<f64>
  }) : (tensor<5xf64>, tensor<4xf64>, tensor<f64>, tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}

// -----

// CHECK: stablehlo.reduce_window: init_values[0] is tensor<i64>; it must be tensor<f32>, as the body returns (spec reduce_window C3)
func.func @reduce_window_c3(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %m) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<i64>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: window_dimensions is [2]; tensor<4x3xf32> needs 2 entries, one per dimension (spec reduce_window C4)
func.func @reduce_window_c4(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: window_dimensions is [2, 0]; each must be at least 1 (spec reduce_window C5)
func.func @reduce_window_c5(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 0>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: window_strides is [2]; tensor<4x3xf32> needs 2 entries, one per dimension (spec reduce_window C6)
func.func @reduce_window_c6(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: window_strides is [0, 1]; each must be at least 1 (spec reduce_window C7)
func.func @reduce_window_c7(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: base_dilations is [2]; tensor<4x3xf32> needs 2 entries, one per dimension (spec reduce_window C8)
func.func @reduce_window_c8(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: base_dilations is [1, 0]; each must be at least 1 (spec reduce_window C9)
func.func @reduce_window_c9(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 0>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: window_dilations is [1, 2, 1]; tensor<4x3xf32> needs 2 entries, one per dimension (spec reduce_window C10)
func.func @reduce_window_c10(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: window_dilations is [1, -2]; each must be at least 1 (spec reduce_window C11)
func.func @reduce_window_c11(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, -2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: padding is tensor<2xi64>; it must have shape rank x 2: low and high, per dimension; and i64 elements (spec reduce_window C12)
func.func @reduce_window_c12(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[1, 1]> : tensor<2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: padding is [(1, 1)]; tensor<4x3xf32> needs 2 entries, one per dimension (spec reduce_window C12)
func.func @reduce_window_c12_rank(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: its body takes 3 arguments and returns 1 values; it must take 2 and return 1, for 1 input (spec reduce_window C13)
func.func @reduce_window_c13(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: results[0] is tensor<3x2xf32>, but its operands and attributes give tensor<3x3xf32> (spec reduce_window C15)
func.func @reduce_window_c15(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x2xf32>
  return
}

// -----

// CHECK: stablehlo.reduce_window: results[0] is tensor<3x3xf64>, but its operands and attributes give tensor<3x3xf32> (spec reduce_window C16)
func.func @reduce_window_c16(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf64>
  return
}

// -----

// CHECK: stablehlo.select_and_scatter: source is tensor<2x2xi64>, operand is tensor<4x2xf64>; their element types must be equal; convert one (spec select_and_scatter C1)
func.func @select_and_scatter_c1(%x: tensor<4x2xf64>, %s: tensor<2x2xi64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xi64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: source is tensor<1x2xf64>, operand is tensor<4x2xf64>; source needs one element per window: tensor<2x2xf64> (spec select_and_scatter C2)
func.func @select_and_scatter_c2(%x: tensor<4x2xf64>, %s: tensor<1x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<1x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: init_value is tensor<i64>; it must be tensor<f64>, as the body returns (spec select_and_scatter C3)
func.func @select_and_scatter_c3(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<i64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<i64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: window_dimensions is [3]; tensor<4x2xf64> needs 2 entries, one per dimension (spec select_and_scatter C4)
func.func @select_and_scatter_c4(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: window_dimensions is []; tensor<4x2xf64> needs 2 entries, one per dimension (spec select_and_scatter C4)
func.func @select_and_scatter_c4_absent(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: window_dimensions is [3, 0]; each must be at least 1 (spec select_and_scatter C5)
func.func @select_and_scatter_c5(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 0>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: window_strides is [2]; tensor<4x2xf64> needs 2 entries, one per dimension (spec select_and_scatter C6)
func.func @select_and_scatter_c6(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: window_strides is [2, -1]; each must be at least 1 (spec select_and_scatter C7)
func.func @select_and_scatter_c7(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, -1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: padding is tensor<1x2x2xi64>; it must have shape rank x 2: low and high, per dimension; and i64 elements (spec select_and_scatter C8)
func.func @select_and_scatter_c8(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[[0, 1], [0, 0]]]> : tensor<1x2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: select maps (tensor<f64>, tensor<f64>) to (tensor<f64>); it must map (tensor<f64>, tensor<f64>) to tensor<i1> (spec select_and_scatter C9)
func.func @select_and_scatter_c9(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %a : tensor<f64>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: its body takes 2 arguments and returns 2 values; it must take 2 and return 1, for 1 input (spec select_and_scatter C10)
func.func @select_and_scatter_c10(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r, %r : tensor<f64>, tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}

// -----

// CHECK: stablehlo.select_and_scatter: results[0] is tensor<2x4xf64>, but its operands and attributes give tensor<4x2xf64> (spec select_and_scatter C11)
func.func @select_and_scatter_c11(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<2x4xf64>
  return
}

// -----

// CHECK: stablehlo.select_and_scatter: results[0] is tensor<4x2xf32>, but its operands and attributes give tensor<4x2xf64> (spec select_and_scatter C12)
func.func @select_and_scatter_c12(%x: tensor<4x2xf64>, %s: tensor<2x2xf64>, %z: tensor<f64>) -> tensor<4x2xf64> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf32>
  return
}
