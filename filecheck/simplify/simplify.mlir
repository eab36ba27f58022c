// RUN: xdsl-opt %s -p hhlo-simplify | filecheck %s

// Identities, equal ops and unused ops; x + 0 stays, as it turns -0 into 0.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %zero = stablehlo.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    %0 = stablehlo.sine %x : tensor<2xf32>
// CHECK-NEXT:    %1 = stablehlo.add %0, %zero : tensor<2xf32>
// CHECK-NEXT:    %2 = stablehlo.subtract %1, %0 : tensor<2xf32>
// CHECK-NEXT:    func.return %2 : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.multiply %0, %one : tensor<2xf32>
  %2 = stablehlo.add %1, %zero : tensor<2xf32>
  %3 = stablehlo.sine %x : tensor<2xf32>
  %4 = stablehlo.negate %3 : tensor<2xf32>
  %5 = stablehlo.add %2, %4 : tensor<2xf32>
  %6 = stablehlo.cosine %5 : tensor<2xf32>
  return %5 : tensor<2xf32>
}
