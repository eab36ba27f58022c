// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @rng
// CHECK-GENERIC-LABEL: sym_name = "rng"
func.func @rng(%a: tensor<f32>, %i: tensor<i32>, %s: tensor<2xi64>, %e: tensor<0xindex>) {
  // CHECK: stablehlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x?xf32>
  // CHECK-GENERIC: "stablehlo.rng"(%{{.*}}, %{{.*}}, %{{.*}}) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x?xf32>
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x?xf32>
  // CHECK: stablehlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = UNIFORM {note} : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x4xi32>
  // CHECK-GENERIC: "stablehlo.rng"(%{{.*}}, %{{.*}}, %{{.*}}) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> {note} : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x4xi32>
  %1 = stablehlo.rng %i, %i, %s, distribution = UNIFORM {note} : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x4xi32>
  // CHECK: stablehlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xindex>) -> tensor<i32>
  // CHECK-GENERIC: "stablehlo.rng"(%{{.*}}, %{{.*}}, %{{.*}}) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<i32>, tensor<i32>, tensor<0xindex>) -> tensor<i32>
  %2 = stablehlo.rng %i, %i, %e, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xindex>) -> tensor<i32>
  return
}

// CHECK-LABEL: @rng_bit_generator
// CHECK-GENERIC-LABEL: sym_name = "rng_bit_generator"
func.func @rng_bit_generator(%s: tensor<2xui64>, %t: tensor<?xui64>) {
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui32>)
  // CHECK-GENERIC: "stablehlo.rng_bit_generator"(%{{.*}}) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui32>)
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui32>)
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = PHILOX {note} : (tensor<?xui64>) -> (tensor<3xui64>, tensor<f32>)
  // CHECK-GENERIC: "stablehlo.rng_bit_generator"(%{{.*}}) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> {note} : (tensor<?xui64>) -> (tensor<3xui64>, tensor<f32>)
  %1:2 = stablehlo.rng_bit_generator %t, algorithm = PHILOX {note} : (tensor<?xui64>) -> (tensor<3xui64>, tensor<f32>)
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xi8>)
  // CHECK-GENERIC: "stablehlo.rng_bit_generator"(%{{.*}}) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xi8>)
  %2:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xi8>)
  return
}
