// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it; then what has no label there.

// CHECK: stablehlo.infeed: there are no results; the last must be a token, also if it is the only one (spec infeed C1)
func.func @infeed_c1(%t: !stablehlo.token) {
  "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> ()
  return
}

// -----

// CHECK: stablehlo.infeed: results[0] is !stablehlo.token; all but the last must be tensors (spec infeed C2)
func.func @infeed_c2(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.infeed: the last result is tensor<4x6xf32>; it must be !stablehlo.token (spec infeed C3)
func.func @infeed_c3(%t: !stablehlo.token) {
  %0 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.infeed: results[0] is tensor<?xf32>; its sizes must be known
func.func @infeed_unknown_size(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.infeed: layout has 0 entries; there are 1 tensors; give one for each
func.func @infeed_layouts(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = []}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.infeed: layout[0] is 1 : i64; it must be a list of integers
func.func @infeed_layout(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = [1]}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.infeed: layout[0] is ["a"]; it must be a list of integers
func.func @infeed_dimension(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = [["a"]]}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.send: channel_handle has type 2; with is_host_transfer = false it must be 1 (spec send C5)
func.func @send_c5(%x: tensor<4x6xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

// CHECK: stablehlo.send: channel_handle has type 3; with is_host_transfer = true it must be 2 (spec send C5)
func.func @send_host(%x: tensor<4x6xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

// CHECK: stablehlo.recv: channel_handle has type 3; with is_host_transfer = false it must be 1 (spec recv C5)
func.func @recv_c5(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.recv: channel_handle has type 2; with is_host_transfer = true it must be 3 (spec recv C5)
func.func @recv_host(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  return
}

// -----

// CHECK: stablehlo.recv: there are no results; the last must be a token, also if it is the only one
func.func @recv_nothing(%t: !stablehlo.token) {
  "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (!stablehlo.token) -> ()
  return
}

// -----

// CHECK: stablehlo.recv: the last result is tensor<4x6xf32>; it must be !stablehlo.token
func.func @recv_no_token(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (!stablehlo.token) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  return
}

// -----

// CHECK: stablehlo.recv: results[0] is !stablehlo.token; all but the last must be tensors
func.func @recv_two_tokens(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
