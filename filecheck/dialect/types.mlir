// RUN: XDSL_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @quantized
func.func @quantized(
  // CHECK-SAME: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  %0: tensor<2x!quant.uniform<i8<-128:127>:f32, 0.5:2>>,
  // CHECK-SAME: tensor<2x!quant.uniform<u8<0:254>:bf16:0, {5.000000e-01,2.500000e-01:7}>>
  %1: tensor<2x!quant.uniform<u8<0:254>:bf16:0, {0.5, 0.25:7}>>,
  // CHECK-SAME: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{\{\{}}5.000000e-01:1, 2.500000e-01}, {1.250000e-01, 1.000000e+00}}>>
  %2: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:1, 0.25}, {0.125, 1.0}}>>,
  // CHECK-SAME: tensor<2x!quant.any<i4<-7:7>:f16>>
  %3: tensor<2x!quant.any<i4<-7:7>:f16>>,
  // CHECK-SAME: !quant.calibrated<f32<-1.500000e+00:2.000000e+00>>
  %4: !quant.calibrated<f32<-1.5:2.0>>
) {
  return
}

// CHECK-LABEL: @bounds
func.func @bounds(
  // CHECK-SAME: tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  %0: tensor<4x?xf32, #stablehlo.bounds<?, 8>>,
  // CHECK-SAME: tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  %1: tensor<?x?xf32, #stablehlo.type_extensions<bounds = [3, ?]>>
) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  %2 = stablehlo.add %0, %0 : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: @others
func.func @others(
  // CHECK-SAME: tuple<tensor<f32>, tuple<>, tuple<!stablehlo.token>>
  %0: tuple<tensor<f32>, tuple<>, tuple<!stablehlo.token>>,
  // CHECK-SAME: tensor<f4E2M1FN>
  %1: tensor<f4E2M1FN>,
  // CHECK-SAME: tensor<ui2>
  %2: tensor<ui2>
) {
  return
}
