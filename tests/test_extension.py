"""Tokens, tuples, process numbers, custom calls and composites: constructors, text, effects, and gradients."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, TupleType, f32, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.traits import is_side_effect_free
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.stablehlo.base import i64_attr
from hhlo_xdsl.dialects.stablehlo.extension import (
    AfterAllOp,
    ApiVersion,
    CompositeOp,
    CreateTokenOp,
    CustomCallOp,
    GetTupleElementOp,
    PartitionIdOp,
    ReplicaIdOp,
    TupleOp,
)
from hhlo_xdsl.dialects.stablehlo.layouts import Alias
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import DifferentiationError, HhloError, VerifyError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse, to_text
from tests import cpp

X = create_ssa_value(tensor((2, 3), f32))
N = create_ssa_value(tensor((), i32))


def test_tokens() -> None:
    first = CreateTokenOp()
    op = AfterAllOp([first.output, first.output])
    op.verify()
    assert str(op) == "%0 = stablehlo.after_all %1, %1 : !stablehlo.token"


def test_process_numbers() -> None:
    assert str(ReplicaIdOp()) == "%0 = stablehlo.replica_id : tensor<ui32>"
    assert str(PartitionIdOp()) == "%0 = stablehlo.partition_id : tensor<ui32>"


def test_tuples() -> None:
    inner = TupleOp([N])
    outer = TupleOp([X, inner.result])
    outer.verify()
    assert outer.result.type == TupleType((X.type, TupleType((N.type,))))
    part = GetTupleElementOp(outer.result, 1)
    part.verify()
    assert part.result.type == inner.result.type
    with pytest.raises(
        VerifyError, match=r"index is 2, of tuple<.*>; it must be in 0\.\.1 \(spec get_tuple_element C1\)"
    ):
        GetTupleElementOp(outer.result, 2)


# Custom calls


def test_custom_call() -> None:
    op = CustomCallOp(
        "my.target",
        [X],
        [X.type],
        has_side_effect=True,
        backend_config={"axis": i64_attr(1)},
        called_computations=["f"],
        operand_layouts=[[1, 0]],
        result_layouts=[[0, 1]],
        output_operand_aliases=[Alias((), 0)],
        result_tilings=[[[8, 128], [2]]],
    )
    op.verify()
    assert str(op) == (
        "%0 = stablehlo.custom_call @my.target(%1) {api_version = 4 : i32, backend_config = {axis = 1 : i64},"
        " called_computations = [@f], has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>],"
        " output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,"
        " operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>],"
        " result_tilings = [[dense<[8, 128]> : tensor<2xindex>, dense<2> : tensor<1xindex>]]}"
        " : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    )


def test_what_is_not_given_is_absent() -> None:
    assert CustomCallOp("t", [], []).properties == {"call_target_name": StringAttr("t")}


def test_backend_config_follows_the_version() -> None:
    assert CustomCallOp("t", [], [], backend_config="text").api_version is None
    CustomCallOp("t", [], [], backend_config="text", api_version=ApiVersion.STATUS_RETURNING).verify()
    with pytest.raises(VerifyError, match=r"with api_version 4 it must be named attributes"):
        CustomCallOp("t", [], [], backend_config="text", api_version=ApiVersion.TYPED_FFI).verify()


def test_backend_config_may_be_bytes() -> None:
    op = CustomCallOp("t", [], [], backend_config=b"\xff\0")
    op.verify()
    assert r'backend_config = "\FF\00"' in str(op)


def test_a_custom_call_is_pure_unless_it_says_otherwise() -> None:
    assert is_side_effect_free(CustomCallOp("t", [X], [X.type]))
    assert not is_side_effect_free(CustomCallOp("t", [X], [X.type], has_side_effect=True))


def test_buffers() -> None:
    buffer = MemRefType(f32, (2, 3))
    pin = CustomCallOp("Pin", [X], [buffer])
    pin.verify()
    CustomCallOp("t", [pin.results[0]], [buffer, X.type], output_operand_aliases=[Alias((0,), 0)]).verify()


CALL = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.custom_call @{}(%x) {{{}}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}"""
SINCE_1_18 = pytest.mark.skipif(not cpp.is_newest(), reason="the installed StableHLO is too old")
RIGHT = [
    ("t", ""),
    ('"t"', 'backend_config = ""'),
    ("_a.b$c", "has_side_effect = false, api_version = 1 : i32, called_computations = [], output_operand_aliases = []"),
    ("t", r'backend_config = "\FF\00caf\C3\A9"'),
    ("t", 'backend_config = "caf\u00e9"'),
    ('"a b\\22"', "api_version = 4 : i32, backend_config = {}, other = [1, 2.0]"),
    pytest.param("t", "result_tilings = []", marks=SINCE_1_18),
]


@pytest.mark.parametrize("target, attributes", RIGHT)
@pytest.mark.parametrize("syntax", ["pretty", "generic"])
def test_a_custom_call_is_read_and_written(target: str, attributes: str, syntax: str) -> None:
    text = CALL.format(target, attributes)
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


WRONG = [
    ("api_version = 1 : i64", "attribute api_version is 1 : i64, which is of the wrong kind"),
    ("backend_config = 1 : i32", "attribute backend_config is 1 : i32, which is of the wrong kind"),
    ("called_computations = [@a::@b]", "attribute called_computations is .*, which is of the wrong kind"),
    ("operand_layouts = [dense<0> : tensor<1xi64>]", "attribute operand_layouts is .*, which is of the wrong kind"),
    pytest.param(
        "result_tilings = [dense<0> : tensor<1xindex>]",
        "attribute result_tilings is .*, which is of the wrong kind",
        marks=SINCE_1_18,
    ),
    ("output_operand_aliases = [1 : i32]", "attribute output_operand_aliases is .*, which is of the wrong kind"),
    (
        "output_operand_aliases = [#stablehlo.output_operand_alias<operand_index = 0, output_tuple_indices = [],"
        " operand_tuple_indices = []>]",
        "output_tuple_indices",
    ),
]


@pytest.mark.parametrize("attributes, message", WRONG)
def test_wrong_attributes_are_refused(attributes: str, message: str) -> None:
    text = CALL.format("t", attributes)
    assert cpp.refuses(text) is not None
    with pytest.raises(HhloError, match=message):
        parse(text)


# Composites


def identity(name: str) -> FuncOp:
    return FuncOp(name, ([X.type], [X.type]), Region(Block(arg_types=[X.type])), "private")


def test_composite() -> None:
    op = CompositeOp("my.op", [X], identity("f"), {"n": i64_attr(1)}, version=2)
    op.verify()
    assert str(op) == (
        '%0 = stablehlo.composite "my.op" %1 {composite_attributes = {n = 1 : i64}, decomposition = @f, version = 2 : i32}'
        " : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    )
    assert sorted(CompositeOp("my.op", [X], identity("f")).properties) == ["decomposition", "name"]


def test_the_decomposition_is_looked_for_in_the_module() -> None:
    block = Block(arg_types=[X.type])
    op = CompositeOp("my.op", [block.args[0]], identity("f"))
    op.verify()
    block.add_ops([op, ReturnOp(op.results[0])])
    ModuleOp([FuncOp("main", ([X.type], [X.type]), Region(block))])
    with pytest.raises(
        VerifyError, match=r"decomposition is @f; the module has no such function \(spec composite C2\)"
    ):
        op.verify()


# Gradients

CUSTOM = CALL.format("t", "").replace("2xf32", "f32")
TUPLE = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tuple %x : tuple<tensor<f32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<f32>>) -> tensor<f32>
  return %1 : tensor<f32>
}"""
BUFFER = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @Pin(%x) : (tensor<f32>) -> memref<f32>
  %1 = stablehlo.custom_call @Unpin(%0) : (memref<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}"""


@pytest.mark.parametrize(
    "text, op",
    [(CUSTOM, "custom_call"), (TUPLE, "get_tuple_element"), (BUFFER, "custom_call")],
    ids=["custom_call", "tuple", "buffer"],
)
def test_a_gradient_through_them_is_an_error(text: str, op: str) -> None:
    """Also where values go through what is no tensor: zero would be wrong without anyone noticing."""
    with pytest.raises(DifferentiationError, match=rf"stablehlo\.{op}: no derivative rule yet"):
        differentiate(parse(text), GradPass(wrt=(0,)))


INTEGERS = """func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tuple %n : tuple<tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %2 = stablehlo.convert %1 : (tensor<i32>) -> tensor<f32>
  %3 = stablehlo.multiply %x, %2 : tensor<f32>
  return %3 : tensor<f32>
}"""


def test_integers_in_a_tuple_do_not_disturb_a_gradient() -> None:
    module = parse(INTEGERS)
    differentiate(module, GradPass(wrt=(1,)))
    assert cpp.refuses(to_text(module)) is None
