"""Ops that run in the background: constructors, isolation, and gradients through futures."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ArrayAttr, f32
from xdsl.utils.test_value import create_ssa_value

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.asynchrony import AsyncDoneOp, AsyncStartOp
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.stablehlo.distribution import CollectivePermuteOp
from hhlo_xdsl.dialects.stablehlo.types import FutureType
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import DifferentiationError, ParseError, VerifyError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.text import parse
from tests import cpp

X = create_ssa_value(tensor((2,), f32))


def test_start_and_done() -> None:
    start = AsyncStartOp([X], lambda x: emit(CollectivePermuteOp(x, [(0, 1)])))
    start.verify()
    assert start.result.type == FutureType(ArrayAttr([X.type]))
    done = AsyncDoneOp(start.result)
    done.verify()
    assert done.result.type == X.type


def test_only_collectives_and_slices_can_be_started() -> None:
    with pytest.raises(VerifyError, match=r"body runs stablehlo\.add; it must be .*spec async_start C2"):
        AsyncStartOp([X], lambda x: emit(AddOp(x, x)))


ASYNC = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<f32>):
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
  return %2 : tensor<f32>
}"""


def test_body_reads_nothing_from_outside() -> None:
    text = ASYNC.replace("(%a) <", "(%x) <")
    assert cpp.refuses(text) is not None
    with pytest.raises(VerifyError, match=r"stablehlo\.async_start"):
        parse(text)


def test_a_gradient_through_a_future_is_an_error() -> None:
    with pytest.raises(DifferentiationError, match=r"stablehlo\.async_done: no derivative rule yet"):
        differentiate(parse(ASYNC), GradPass(wrt=(0,)))


@pytest.mark.parametrize("type_", ["f32", "tensor<*xf32>", "!stablehlo.token", "tensor<2xf32>, i32"])
def test_a_future_holds_tensors(type_: str) -> None:
    text = f"func.func private @f() -> !stablehlo.future<{type_}>"
    if cpp.is_newest():
        assert cpp.refuses(text) is not None
    with pytest.raises(ParseError, match=r"1:\d+: a future holds tensors"):
        parse(text)
