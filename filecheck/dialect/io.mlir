// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

// CHECK-LABEL: @infeed(
// CHECK: "stablehlo.infeed"(%{{.*}}) <{infeed_config = "", layout = {{\[\[}}0 : i32, 1 : i32], []]}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<i1>, !stablehlo.token)
// CHECK: "stablehlo.infeed"(%{{.*}}) <{infeed_config = "a"}> : (!stablehlo.token) -> !stablehlo.token
// CHECK-GENERIC-LABEL: sym_name = "infeed"
// CHECK-GENERIC: "stablehlo.infeed"(%{{.*}}) <{infeed_config = "", layout = {{\[\[}}0 : i32, 1 : i32], []]}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<i1>, !stablehlo.token)
// CHECK-GENERIC: "stablehlo.infeed"(%{{.*}}) <{infeed_config = "a"}> : (!stablehlo.token) -> !stablehlo.token
func.func @infeed(%t: !stablehlo.token) {
  %0:3 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = [[0 : i32, 1 : i32], []]}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<i1>, !stablehlo.token)
  %1 = "stablehlo.infeed"(%t) <{infeed_config = "a"}> : (!stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: @outfeed(
// CHECK: "stablehlo.outfeed"(%{{.*}}, %{{.*}}, %{{.*}}) <{outfeed_config = "b"}> : (tensor<4x6xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
// CHECK: "stablehlo.outfeed"(%{{.*}}) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
// CHECK-GENERIC-LABEL: sym_name = "outfeed"
// CHECK-GENERIC: "stablehlo.outfeed"(%{{.*}}, %{{.*}}, %{{.*}}) <{outfeed_config = "b"}> : (tensor<4x6xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
// CHECK-GENERIC: "stablehlo.outfeed"(%{{.*}}) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
func.func @outfeed(%x: tensor<4x6xf32>, %y: tensor<?xi8>, %t: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%x, %y, %t) <{outfeed_config = "b"}> : (tensor<4x6xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
  %1 = "stablehlo.outfeed"(%t) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: @send(
// CHECK: "stablehlo.send"(%{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK: "stablehlo.send"(%{{.*}}, %{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK-GENERIC-LABEL: sym_name = "send"
// CHECK-GENERIC: "stablehlo.send"(%{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK-GENERIC: "stablehlo.send"(%{{.*}}, %{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
func.func @send(%x: tensor<4x6xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %1 = "stablehlo.send"(%x, %x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: @recv(
// CHECK: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
// CHECK: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<2xi32>, !stablehlo.token)
// CHECK-GENERIC-LABEL: sym_name = "recv"
// CHECK-GENERIC: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
// CHECK-GENERIC: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<2xi32>, !stablehlo.token)
func.func @recv(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  %1:3 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<2xi32>, !stablehlo.token)
  return
}
