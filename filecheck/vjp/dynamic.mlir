// RUN: xdsl-opt %s -p 'hhlo-grad{value=false seed=true}' --split-input-file | filecheck %s

// Numbers that are constants: the gradient is that of slice.
// CHECK:      @main(%{{.*}}: tensor<5xf32>, %[[CT:.*]]: tensor<2xf32>)
// CHECK:      %[[DX:.*]] = stablehlo.pad %[[CT]], %{{.*}}, low = [1], high = [1], interior = [1]
// CHECK-NEXT: return %[[DX]]
func.func @main(%x: tensor<5xf32>) -> tensor<2xf32> {
  %a = stablehlo.constant dense<1> : tensor<1xi32>
  %l = stablehlo.constant dense<5> : tensor<1xi32>
  %s = stablehlo.constant dense<2> : tensor<1xi32>
  %y = stablehlo.real_dynamic_slice %x, %a, %l, %s : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// The elements stay in their order.
// CHECK:      @main(%{{.*}}, %[[N:.*]]: tensor<i32>, %[[CT:.*]]: tensor<4x6xf32>)
// CHECK-NEXT: %[[DX:.*]] = stablehlo.reshape %[[CT]] : (tensor<4x6xf32>) -> tensor<24xf32>
// CHECK-NEXT: return %[[DX]]
func.func @main(%x: tensor<24xf32>, %n: tensor<i32>) -> tensor<4x6xf32> {
  %s = stablehlo.constant dense<[4, 6]> : tensor<2xi32>
  %y = stablehlo.dynamic_reshape %x, %s : (tensor<24xf32>, tensor<2xi32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
