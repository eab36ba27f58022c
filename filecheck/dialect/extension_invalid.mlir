// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// One part per constraint of the specification, named after it; then what has no label there.

// CHECK: stablehlo.tuple: result is tuple<tensor<4x5xf32>>, but val gives tuple<tensor<4x6xf32>> (spec tuple C1)
func.func @tuple_c1(%x: tensor<4x6xf32>) {
  %0 = "stablehlo.tuple"(%x) : (tensor<4x6xf32>) -> tuple<tensor<4x5xf32>>
  return
}

// -----

// CHECK: stablehlo.tuple: result, of type tuple<!stablehlo.future<tensor<4x6xf32>>>, has a part that is !stablehlo.future<tensor<4x6xf32>>; it must be a tensor or a token or a buffer (memref) (spec tuple I1)
func.func @tuple_future(%f: !stablehlo.future<tensor<4x6xf32>>) {
  %0 = "stablehlo.tuple"(%f) : (!stablehlo.future<tensor<4x6xf32>>) -> tuple<!stablehlo.future<tensor<4x6xf32>>>
  return
}

// -----

// CHECK: stablehlo.get_tuple_element: index is 2, of tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>; it must be in 0..1 (spec get_tuple_element C1)
func.func @get_tuple_element_c1(%u: tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) {
  %0 = "stablehlo.get_tuple_element"(%u) <{index = 2 : i32}> : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.get_tuple_element: result is tensor<i32>; it must be tensor<4x6xf32>, the type of the part (spec get_tuple_element C2)
func.func @get_tuple_element_c2(%u: tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) {
  %0 = "stablehlo.get_tuple_element"(%u) <{index = 0 : i32}> : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<i32>
  return
}

// -----

// CHECK: stablehlo.get_tuple_element: index is -1, of tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>; it must be in 0..1 (spec get_tuple_element C1)
func.func @get_tuple_element_negative(%u: tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) {
  %0 = "stablehlo.get_tuple_element"(%u) <{index = -1 : i32}> : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.replica_id: output is tensor<2xui32>, but its operands and attributes give tensor<ui32>
func.func @replica_id() {
  %0 = stablehlo.replica_id : tensor<2xui32>
  return
}

// -----

// CHECK: stablehlo.partition_id: output is tensor<i32>, but its operands and attributes give tensor<ui32>
func.func @partition_id() {
  %0 = stablehlo.partition_id : tensor<i32>
  return
}

// -----

// CHECK: stablehlo.composite: name is "same"; give it a namespace: "my_namespace.my_op" (spec composite C1)
func.func @composite_c1(%x: tensor<4x6xf32>) {
  %0 = stablehlo.composite "same" %x {decomposition = @decomposed} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}

// -----

// CHECK: stablehlo.composite: decomposition is @missing; the module has no such function (spec composite C2)
func.func @composite_c2(%x: tensor<4x6xf32>) {
  %0 = stablehlo.composite "a.b" %x {decomposition = @missing} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}

// -----

// CHECK: stablehlo.composite: inputs have types (), and @decomposed (tensor<4x6xf32>); they must be the same (spec composite C3)
func.func @composite_c3(%x: tensor<4x6xf32>) {
  %0 = stablehlo.composite "a.b" {decomposition = @decomposed} : () -> tensor<4x6xf32>
  return
}
func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}

// -----

// CHECK: stablehlo.composite: results have types (tensor<i32>), and @decomposed (tensor<4x6xf32>); they must be the same (spec composite C4)
func.func @composite_c4(%x: tensor<4x6xf32>) {
  %0 = stablehlo.composite "a.b" %x {decomposition = @decomposed} : (tensor<4x6xf32>) -> tensor<i32>
  return
}
func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}

// -----

// CHECK: stablehlo.composite: name is "1a.b"; give it a namespace: "my_namespace.my_op" (spec composite C1)
func.func @composite_digit(%x: tensor<4x6xf32>) {
  %0 = stablehlo.composite "1a.b" %x {decomposition = @decomposed} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}

// -----

// CHECK: stablehlo.composite: inputs[0] is memref<2xf32>; it must be a tensor or a token or a tuple (spec composite I1)
func.func @composite_buffer(%m: memref<2xf32>) {
  %0 = stablehlo.composite "a.b" %m {decomposition = @decomposed} : (memref<2xf32>) -> tensor<4x6xf32>
  return
}
func.func private @decomposed(%y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %y : tensor<4x6xf32>
}

// -----

// CHECK: stablehlo.custom_call: inputs[0] is tensor<2xindex>; its elements must be i1, signed integers, unsigned integers, floating point or complex; convert it first (spec custom_call I1)
func.func @custom_call_index(%x: tensor<2xindex>) {
  %0 = stablehlo.custom_call @t(%x) : (tensor<2xindex>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: one of operand_layouts and result_layouts is absent; give both or none
func.func @custom_call_one_layout(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: there are 1 operands and 0 operand_layouts; give one for each
func.func @custom_call_layouts(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: result_layouts[0] is [0, 2]; for tensor<4x6xf32> it must hold each of 0..1 once
func.func @custom_call_layout(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 2]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: operand_layouts[0] is dense<0> : tensor<1x2xindex>; it must be a list, a tensor of rank 1
func.func @custom_call_layout_rank(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<0> : tensor<1x2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: operand_layouts[0] is [0, 1]; for !stablehlo.token, which is no tensor, it must be empty
func.func @custom_call_layout_of_token(%x: !stablehlo.token) {
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (!stablehlo.token) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: operand_layouts[0] is for tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>; layouts of tuples are not supported; pass the parts instead
func.func @custom_call_layout_of_tuple(%x: tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) {
  %0 = stablehlo.custom_call @t(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tuple<tensor<4x6xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: result_tilings[0][0] is dense<0> : tensor<1x2xindex>; it must be a list, a tensor of rank 1
func.func @custom_call_tiling(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {result_tilings = [[dense<0> : tensor<1x2xindex>]]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: output_operand_aliases have operand_index = 1; there are 1 operands, counted from 0
func.func @custom_call_alias_operand(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: output_operand_aliases have operand_tuple_indices = [0]; tensor<4x6xf32> has no such part
func.func @custom_call_alias_operand_part(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: output_operand_aliases have output_tuple_indices = [0]; tensor<4x6xf32> has no such part
func.func @custom_call_alias_result_part(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: output_operand_aliases let a result of type tensor<4x5xf32> share a buffer with tensor<4x6xf32>; their types must be equal
func.func @custom_call_alias_types(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: api_version is 5; it must be in 0..4
func.func @custom_call_api_version(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {api_version = 5 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: backend_config is "text"; with api_version 4 it must be named attributes, {name = value}
func.func @custom_call_text(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {api_version = 4 : i32, backend_config = "text"} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: backend_config is {a}; with api_version 1 it must be a string, "..."
func.func @custom_call_dictionary(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) {backend_config = {a}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: a result, at indices [], is the buffer memref<2xf32>; name the operand whose buffer it is in output_operand_aliases
func.func @custom_call_buffer(%x: memref<2xf32>) {
  %0 = stablehlo.custom_call @t(%x) : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: a result, at indices [0], is the buffer memref<2xf32>; name the operand whose buffer it is in output_operand_aliases
func.func @custom_call_buffer_in_tuple(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @t(%x) : (tensor<4x6xf32>) -> tuple<memref<2xf32>>
  return
}

// -----

// CHECK: stablehlo.custom_call: @CreateBuffer maps (tensor<4x6xf32>) to (memref<2xf32>); it must map () to (buffer), where a buffer is a memref
func.func @custom_call_create(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @CreateBuffer(%x) : (tensor<4x6xf32>) -> memref<2xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: @Pin maps tensor<4x6xf32> to memref<2xf32>; shapes and elements must be equal
func.func @custom_call_pin(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @Pin(%x) : (tensor<4x6xf32>) -> memref<2xf32>
  return
}

// -----

// CHECK: stablehlo.custom_call: @Unpin maps (tensor<4x6xf32>) to (tensor<4x6xf32>); it must map (buffer) to (tensor), where a buffer is a memref
func.func @custom_call_unpin(%x: tensor<4x6xf32>) {
  %0 = stablehlo.custom_call @Unpin(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
