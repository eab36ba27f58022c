// Elements before the first op of the dialect: the repairs do not wait until xDSL loads it.
// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s | xdsl-opt | filecheck %s
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK:      mhlo.a = dense<0xFF800000> : tensor<f32>
// CHECK-SAME: mhlo.b = dense<0x7F800001> : tensor<f32>
// CHECK-SAME: mhlo.c = dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>
// CHECK-SAME: mhlo.d = dense<(0x7FC00001,-0.000000e+00)> : tensor<complex<f32>>
// CHECK-SAME: mhlo.e = dense<0x7C00> : tensor<f16>
// CHECK-SAME: mhlo.f = dense<0x7F> : tensor<f8E4M3FN>
// CHECK-SAME: mhlo.g = dense<true> : tensor<2xi1>
module attributes {
  mhlo.a = dense<0xFF800000> : tensor<f32>,
  mhlo.b = dense<0x7F800001> : tensor<f32>,
  mhlo.c = dense<[0.0, -0.0]> : tensor<2xf32>,
  mhlo.d = dense<(0x7FC00001, -0.0)> : tensor<complex<f32>>,
  mhlo.e = dense<70000.0> : tensor<f16>,
  mhlo.f = dense<1000.0> : tensor<f8E4M3FN>,
  mhlo.g = dense<"0x01"> : tensor<2xi1>
} {
}
