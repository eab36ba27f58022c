// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP
// RUN: xdsl-opt %s | JAX_ROUNDTRIP | filecheck %s

func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}
func.func private @empty() {
  return
}

// CHECK-LABEL: @tokens(
// CHECK: stablehlo.create_token : !stablehlo.token
// CHECK: stablehlo.after_all %{{.*}}, %{{.*}} : !stablehlo.token
// CHECK: stablehlo.after_all {note = "nothing"} : !stablehlo.token
// CHECK-GENERIC-LABEL: sym_name = "tokens"
// CHECK-GENERIC: "stablehlo.create_token"() : () -> !stablehlo.token
// CHECK-GENERIC: "stablehlo.after_all"(%{{.*}}, %{{.*}}) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
// CHECK-GENERIC: "stablehlo.after_all"() {note = "nothing"} : () -> !stablehlo.token
func.func @tokens(%t: !stablehlo.token) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %t, %0 : !stablehlo.token
  %2 = stablehlo.after_all {note = "nothing"} : !stablehlo.token
  return
}

// CHECK-LABEL: @tuples(
// CHECK: stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<i32>, !stablehlo.token>
// CHECK: stablehlo.tuple %{{.*}}, %{{.*}} {note = "nested"} : tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>
// CHECK: stablehlo.tuple : tuple<>
// CHECK: stablehlo.get_tuple_element %{{.*}}[1] {note = "tuple"} : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
// CHECK: stablehlo.get_tuple_element %{{.*}}[0] : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<4x6xf32>
// CHECK-GENERIC-LABEL: sym_name = "tuples"
// CHECK-GENERIC: "stablehlo.tuple"(%{{.*}}, %{{.*}}) : (tensor<i32>, !stablehlo.token) -> tuple<tensor<i32>, !stablehlo.token>
// CHECK-GENERIC: "stablehlo.tuple"(%{{.*}}, %{{.*}}) {note = "nested"} : (tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>) -> tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>
// CHECK-GENERIC: "stablehlo.tuple"() : () -> tuple<>
// CHECK-GENERIC: "stablehlo.get_tuple_element"(%{{.*}}) <{index = 1 : i32}> {note = "tuple"} : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
// CHECK-GENERIC: "stablehlo.get_tuple_element"(%{{.*}}) <{index = 0 : i32}> : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<4x6xf32>
func.func @tuples(%x: tensor<4x6xf32>, %n: tensor<i32>, %t: !stablehlo.token) {
  %0 = stablehlo.tuple %n, %t : tuple<tensor<i32>, !stablehlo.token>
  %1 = stablehlo.tuple %x, %0 {note = "nested"} : tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>
  %2 = stablehlo.tuple : tuple<>
  %3 = stablehlo.get_tuple_element %1[1] {note = "tuple"} : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<tensor<i32>, !stablehlo.token>
  %4 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: @processes(
// CHECK: stablehlo.replica_id : tensor<ui32>
// CHECK: stablehlo.partition_id {note = "one"} : tensor<ui32>
// CHECK-GENERIC-LABEL: sym_name = "processes"
// CHECK-GENERIC: "stablehlo.replica_id"() : () -> tensor<ui32>
// CHECK-GENERIC: "stablehlo.partition_id"() {note = "one"} : () -> tensor<ui32>
func.func @processes() {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id {note = "one"} : tensor<ui32>
  return
}

// CHECK-LABEL: @custom_call(
// CHECK: stablehlo.custom_call @nothing() : () -> ()
// CHECK: stablehlo.custom_call @"not an identifier"(%{{.*}}, %{{.*}}) {api_version = 2 : i32, backend_config = "text", has_side_effect = true} : (tensor<4x6xf32>, !stablehlo.token) -> tensor<?xf32>
// CHECK: stablehlo.custom_call @typed.ffi$1(%{{.*}}) {api_version = 4 : i32, backend_config = {axis = 1 : i64, name = "n"}, called_computations = [@decomposed], note = 1 : i64} : (tensor<4x6xf32>) -> (tensor<f32>, tuple<tensor<i1>>)
// CHECK: stablehlo.custom_call @layouts(%{{.*}}, %{{.*}}) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], result_tilings = {{\[\[}}], [dense<[8, 128]> : tensor<2xindex>, dense<2> : tensor<1xindex>]]} : (tensor<4x6xf32>, !stablehlo.token) -> (!stablehlo.token, tensor<4x6xf32>)
// CHECK: stablehlo.custom_call @aliases(%{{.*}}, %{{.*}}) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = [1, 0]>]} : (memref<2xf32>, tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> (memref<2xf32>, tensor<i32>)
// CHECK: stablehlo.custom_call @unknown(%{{.*}}, %{{.*}}) : (tensor<*xf32>, !stablehlo.future<tensor<4x6xf32>>) -> !stablehlo.future<tensor<4x6xf32>>
// CHECK: stablehlo.custom_call @CreateBuffer() : () -> memref<4x6xf32>
// CHECK: stablehlo.custom_call @Pin(%{{.*}}) : (tensor<4x6xf32>) -> memref<4x6xf32>
// CHECK: stablehlo.custom_call @Unpin(%{{.*}}) : (memref<4x6xf32>) -> tensor<4x6xf32>
// CHECK-GENERIC-LABEL: sym_name = "custom_call"
// CHECK-GENERIC: "stablehlo.custom_call"() <{call_target_name = "nothing"}> : () -> ()
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}, %{{.*}}) <{call_target_name = "not an identifier", api_version = 2 : i32, backend_config = "text", has_side_effect = true}> : (tensor<4x6xf32>, !stablehlo.token) -> tensor<?xf32>
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}) <{call_target_name = "typed.ffi$1", api_version = 4 : i32, backend_config = {axis = 1 : i64, name = "n"}, called_computations = [@decomposed]}> {note = 1 : i64} : (tensor<4x6xf32>) -> (tensor<f32>, tuple<tensor<i1>>)
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}, %{{.*}}) <{call_target_name = "layouts", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], result_tilings = {{\[\[}}], [dense<[8, 128]> : tensor<2xindex>, dense<2> : tensor<1xindex>]]}> : (tensor<4x6xf32>, !stablehlo.token) -> (!stablehlo.token, tensor<4x6xf32>)
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}, %{{.*}}) <{call_target_name = "aliases", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = [1, 0]>]}> : (memref<2xf32>, tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> (memref<2xf32>, tensor<i32>)
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}, %{{.*}}) <{call_target_name = "unknown"}> : (tensor<*xf32>, !stablehlo.future<tensor<4x6xf32>>) -> !stablehlo.future<tensor<4x6xf32>>
// CHECK-GENERIC: "stablehlo.custom_call"() <{call_target_name = "CreateBuffer"}> : () -> memref<4x6xf32>
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}) <{call_target_name = "Pin"}> : (tensor<4x6xf32>) -> memref<4x6xf32>
// CHECK-GENERIC: "stablehlo.custom_call"(%{{.*}}) <{call_target_name = "Unpin"}> : (memref<4x6xf32>) -> tensor<4x6xf32>
func.func @custom_call(%x: tensor<4x6xf32>, %u: tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>, %t: !stablehlo.token, %m: memref<2xf32>, %w: tensor<*xf32>, %f: !stablehlo.future<tensor<4x6xf32>>) {
  stablehlo.custom_call @nothing() : () -> ()
  %0 = stablehlo.custom_call @"not an identifier"(%x, %t) {api_version = 2 : i32, backend_config = "text", has_side_effect = true} : (tensor<4x6xf32>, !stablehlo.token) -> tensor<?xf32>
  %1:2 = stablehlo.custom_call @typed.ffi$1(%x) {api_version = 4 : i32, backend_config = {axis = 1 : i64, name = "n"}, called_computations = [@decomposed], note = 1 : i64} : (tensor<4x6xf32>) -> (tensor<f32>, tuple<tensor<i1>>)
  %2:2 = stablehlo.custom_call @layouts(%x, %t) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], result_tilings = [[], [dense<[8, 128]> : tensor<2xindex>, dense<2> : tensor<1xindex>]]} : (tensor<4x6xf32>, !stablehlo.token) -> (!stablehlo.token, tensor<4x6xf32>)
  %3:2 = stablehlo.custom_call @aliases(%m, %u) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = [1, 0]>]} : (memref<2xf32>, tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> (memref<2xf32>, tensor<i32>)
  %4 = stablehlo.custom_call @unknown(%w, %f) : (tensor<*xf32>, !stablehlo.future<tensor<4x6xf32>>) -> !stablehlo.future<tensor<4x6xf32>>
  %5 = stablehlo.custom_call @CreateBuffer() : () -> memref<4x6xf32>
  %6 = stablehlo.custom_call @Pin(%x) : (tensor<4x6xf32>) -> memref<4x6xf32>
  %7 = stablehlo.custom_call @Unpin(%6) : (memref<4x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: @composite(
// CHECK: stablehlo.composite "math.same" %{{.*}} {decomposition = @decomposed} : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: stablehlo.composite "math.same" %{{.*}} {composite_attributes = {n = 1 : i64}, decomposition = @decomposed, note = "noted", version = 3 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: stablehlo.composite "no.operands" {decomposition = @empty} : () -> ()
// CHECK: stablehlo.composite "with.regions" %{{.*}} ({
// CHECK: }, {
// CHECK-GENERIC-LABEL: sym_name = "composite"
// CHECK-GENERIC: "stablehlo.composite"(%{{.*}}) <{name = "math.same", decomposition = @decomposed}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-GENERIC: "stablehlo.composite"(%{{.*}}) <{name = "math.same", composite_attributes = {n = 1 : i64}, decomposition = @decomposed, version = 3 : i32}> {note = "noted"} : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-GENERIC: "stablehlo.composite"() <{name = "no.operands", decomposition = @empty}> : () -> ()
// CHECK-GENERIC: "stablehlo.composite"(%{{.*}}) <{name = "with.regions", decomposition = @decomposed}> ({
// CHECK-GENERIC: }, {
func.func @composite(%x: tensor<4x6xf32>, %t: !stablehlo.token) {
  %0 = stablehlo.composite "math.same" %x {decomposition = @decomposed} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.composite "math.same" %x {composite_attributes = {n = 1 : i64}, decomposition = @decomposed, note = "noted", version = 3 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  stablehlo.composite "no.operands" {decomposition = @empty} : () -> ()
  %2 = stablehlo.composite "with.regions" %x ({
  }, {
  ^bb0(%y: tensor<4x6xf32>):
    stablehlo.return %y : tensor<4x6xf32>
  }) {decomposition = @decomposed} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
