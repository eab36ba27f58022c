"""infeed, outfeed, send and recv: constructors, effects, and what they mean for gradients."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32, i8
from xdsl.traits import get_effects, is_side_effect_free
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.stablehlo.io import InfeedOp, OutfeedOp, RecvOp, SendOp
from hhlo_xdsl.dialects.stablehlo.processes import Channel
from hhlo_xdsl.dialects.stablehlo.types import TokenType
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse

TOKEN = create_ssa_value(TokenType())
X = create_ssa_value(tensor((2, 3), f32))


def test_infeed() -> None:
    op = InfeedOp(TOKEN, [tensor((2, 3), f32), tensor((), i8)], "config", [[0, 1], []])
    op.verify()
    assert str(op) == (
        '%0, %1, %2 = "stablehlo.infeed"(%3) <{infeed_config = "config", layout = [[0 : i64, 1 : i64], []]}>'
        " : (!stablehlo.token) -> (tensor<2x3xf32>, tensor<i8>, !stablehlo.token)"
    )
    assert "layout" not in InfeedOp(TOKEN, []).properties


def test_outfeed() -> None:
    op = OutfeedOp([X, X], TOKEN)
    op.verify()
    assert str(op) == (
        '%0 = "stablehlo.outfeed"(%1, %1, %2) <{outfeed_config = ""}>'
        " : (tensor<2x3xf32>, tensor<2x3xf32>, !stablehlo.token) -> !stablehlo.token"
    )


def test_the_type_of_a_channel_follows_from_the_transfer() -> None:
    ops = [
        SendOp([X], TOKEN, 5),
        SendOp([X], TOKEN, 5, is_host_transfer=True),
        RecvOp(TOKEN, [X.type], 5),
        RecvOp(TOKEN, [X.type], 5, is_host_transfer=True, source_target_pairs=[(0, 1)]),
    ]
    for op in ops:
        op.verify()
    assert [op.channel_handle.data for op in ops] == [Channel(5, 1), Channel(5, 2), Channel(5, 1), Channel(5, 3)]
    assert [op.is_host_transfer is not None for op in ops] == [False, True, False, True]
    assert "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>" in str(ops[-1])


def test_they_are_not_removed() -> None:
    ops = [InfeedOp(TOKEN, []), OutfeedOp([], TOKEN), SendOp([], TOKEN, 1), RecvOp(TOKEN, [], 1)]
    assert not any(map(is_side_effect_free, ops))
    assert all(len(get_effects(op) or ()) == 2 for op in ops)


RECEIVED = """func.func @main(%x: tensor<f32>, %t: !stablehlo.token) -> tensor<f32> {
  %s = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}>
    : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}>
    : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %y = stablehlo.multiply %x, %r#0 : tensor<f32>
  return %y : tensor<f32>
}"""


def test_no_gradient_flows_through_what_another_process_sent() -> None:
    """It may have been computed from that process's arguments: zero would be wrong without anyone noticing."""
    with pytest.raises(DifferentiationError, match=r"stablehlo\.recv: no derivative rule yet \(.* another process\)"):
        differentiate(parse(RECEIVED), GradPass(wrt=(0,)))


def test_what_the_host_feeds_is_constant() -> None:
    infeed = '"stablehlo.infeed"(%s) <{infeed_config = ""}>'
    text = RECEIVED.replace(
        '"stablehlo.recv"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}>', infeed
    )
    module = parse(text)
    differentiate(module, GradPass(wrt=(0,)))
    assert "stablehlo.infeed" in str(module)
