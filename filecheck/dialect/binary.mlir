// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @floats(
// CHECK-GENERIC-LABEL: sym_name = "floats"
func.func @floats(%f: tensor<4xf32>, %g: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<4xi1>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.add %f, %g : tensor<4xf32>
  // CHECK: stablehlo.atan2 %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.atan2"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.atan2 %f, %g : tensor<4xf32>
  // CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.divide"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.divide %f, %g : tensor<4xf32>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.maximum"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.maximum %f, %g : tensor<4xf32>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.minimum"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.minimum %f, %g : tensor<4xf32>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.multiply"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.multiply %f, %g : tensor<4xf32>
  // CHECK: stablehlo.power %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.power"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.power %f, %g : tensor<4xf32>
  // CHECK: stablehlo.remainder %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.remainder"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = stablehlo.remainder %f, %g : tensor<4xf32>
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.subtract"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = stablehlo.subtract %f, %g : tensor<4xf32>
  return
}

// CHECK-LABEL: @integers(
// CHECK-GENERIC-LABEL: sym_name = "integers"
func.func @integers(%f: tensor<4xf32>, %g: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<4xi1>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.and %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.and"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %0 = stablehlo.and %i, %j : tensor<4xi32>
  // CHECK: stablehlo.or %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.or"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = stablehlo.or %i, %j : tensor<4xi32>
  // CHECK: stablehlo.xor %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.xor"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = stablehlo.xor %i, %j : tensor<4xi32>
  // CHECK: stablehlo.shift_left %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.shift_left"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = stablehlo.shift_left %i, %j : tensor<4xi32>
  // CHECK: stablehlo.shift_right_arithmetic %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.shift_right_arithmetic"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = stablehlo.shift_right_arithmetic %i, %j : tensor<4xi32>
  // CHECK: stablehlo.shift_right_logical %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.shift_right_logical"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %5 = stablehlo.shift_right_logical %i, %j : tensor<4xi32>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %6 = stablehlo.add %i, %j : tensor<4xi32>
  // CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK-GENERIC: "stablehlo.divide"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %7 = stablehlo.divide %i, %j : tensor<4xi32>
  return
}

// CHECK-LABEL: @bools(
// CHECK-GENERIC-LABEL: sym_name = "bools"
func.func @bools(%f: tensor<4xf32>, %g: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<4xi1>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.and %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.and"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %0 = stablehlo.and %p, %q : tensor<4xi1>
  // CHECK: stablehlo.or %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.or"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %1 = stablehlo.or %p, %q : tensor<4xi1>
  // CHECK: stablehlo.xor %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.xor"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %2 = stablehlo.xor %p, %q : tensor<4xi1>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = stablehlo.add %p, %q : tensor<4xi1>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.maximum"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = stablehlo.maximum %p, %q : tensor<4xi1>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.minimum"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = stablehlo.minimum %p, %q : tensor<4xi1>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xi1>
  // CHECK-GENERIC: "stablehlo.multiply"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %6 = stablehlo.multiply %p, %q : tensor<4xi1>
  return
}

// CHECK-LABEL: @complex(
// CHECK-GENERIC-LABEL: sym_name = "complex"
func.func @complex(%f: tensor<4xf32>, %g: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<4xi1>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
  // CHECK-GENERIC: "stablehlo.complex"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %0 = stablehlo.complex %f, %g : tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: @dynamic(
// CHECK-GENERIC-LABEL: sym_name = "dynamic"
func.func @dynamic(%f: tensor<4xf32>, %g: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<4xi1>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  %0 = stablehlo.add %f, %d : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  // CHECK-GENERIC: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %d, %d : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<?xf32>
  // CHECK-GENERIC: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = stablehlo.add %d, %d : tensor<?xf32>
  return
}
