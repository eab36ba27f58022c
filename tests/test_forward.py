"""The pass `hhlo-jvp`: its options, its signature, calls, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.dialects.emit import insertion_block
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse, to_text
from tests.harness import check_jvp, main_of, run
from tests.test_grad import CALLS, SUM_OF_PRODUCT, N, X, Y


def jvp(text: str, **options: Any) -> ModuleOp:
    module = parse(text)
    differentiate_forward(module, JvpPass(**options))
    verify(module)
    return module


def test_default_is_every_inexact_argument() -> None:
    t, u = np.array([0.5, 0.25, 1.0]), np.array([2.0, -1.0, 3.0])
    loss, product, dloss, dproduct = run(jvp(SUM_OF_PRODUCT), X, N, Y, t, u)
    assert loss == 32
    np.testing.assert_array_equal(product, X * Y)
    np.testing.assert_array_equal(dproduct, t * Y + X * u)
    assert dloss == np.sum(t * Y + X * u)


def test_wrt_orders_the_tangents() -> None:
    t, u = np.array([0.5, 0.25, 1.0]), np.array([2.0, -1.0, 3.0])
    assert run(jvp(SUM_OF_PRODUCT, wrt=(2, 0)), X, N, Y, u, t)[2] == np.sum(t * Y + X * u)
    assert run(jvp(SUM_OF_PRODUCT, wrt=(2,)), X, N, Y, u)[2] == np.sum(X * u)


def test_attributes_of_arguments_and_results_stay() -> None:
    function = main_of(jvp(SUM_OF_PRODUCT))
    assert function.arg_attrs is not None
    assert [len(a.data) for a in function.arg_attrs.data] == [1, 0, 0, 0, 0]
    assert function.res_attrs is not None
    assert [len(a.data) for a in function.res_attrs.data] == [1, 0, 0, 0]


def test_integer_results_have_no_tangent() -> None:
    text = """func.func @main(%x: tensor<2xf64>) -> (tensor<2xi32>, tensor<2xf64>) {
      %0 = stablehlo.convert %x : (tensor<2xf64>) -> tensor<2xi32>
      %1 = stablehlo.convert %0 : (tensor<2xi32>) -> tensor<2xf64>
      return %0, %1 : tensor<2xi32>, tensor<2xf64>
    }"""
    _, _, tangent = run(jvp(text), np.array([1.5, 2.5]), np.array([1.0, 1.0]))
    np.testing.assert_array_equal(tangent, [0.0, 0.0])


def test_an_argument_that_is_returned_has_its_tangent() -> None:
    text = "func.func @main(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {\n  return %x, %x : tensor<f64>, tensor<f64>\n}"
    assert [float(x) for x in run(jvp(text), np.array(2.0), np.array(3.0))] == [2, 2, 3, 3]


def test_ops_without_tangents_need_no_rule() -> None:
    text = """func.func @main(%x: tensor<2xf64>, %y: tensor<2xf64>) -> tensor<2xf64> {
      %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %p = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }) : (tensor<2xf64>) -> tensor<2xf64>
      %1 = stablehlo.multiply %0, %y : tensor<2xf64>
      return %1 : tensor<2xf64>
    }"""
    _, tangent = run(jvp(text, wrt=(1,)), np.array([3.0, 2.0]), np.array([1.0, 1.0]), np.array([1.0, 10.0]))
    np.testing.assert_array_equal(tangent, [2.0, 30.0])


def test_calls() -> None:
    """Several results, an argument returned unchanged, calls in calls, mixed with reverse mode."""
    rng = np.random.default_rng(0)
    check_jvp(CALLS, [rng.standard_normal(3), rng.standard_normal(3)], order=2)


def test_each_callee_is_made_once_per_activity() -> None:
    names = [op.sym_name.data for op in jvp(CALLS, wrt=(0,)).ops]
    # Call 1 has a tangent of its first argument only, calls 2 and 3 see those of both.
    assert sorted(names) == ["inner_jvp", "main", "pair_jvp", "pair_jvp_0"]


def test_attributes_of_the_arguments_of_callees_stay() -> None:
    text = CALLS.replace("@pair(%a: tensor<3xf64>,", '@pair(%a: tensor<3xf64> {jax.arg = "a"},')
    check_jvp(text, [X / 4, Y / 4])
    assert 'jax.arg = "a"' in to_text(jvp(text))


def test_a_chain_of_calls_may_be_deeper_than_pythons_stack() -> None:
    depth = 200
    link = """func.func private @f{}(%x: tensor<f64>) -> tensor<f64> {{
      %c = stablehlo.constant dense<1.01> : tensor<f64>
      %0 = stablehlo.multiply %x, %c : tensor<f64>
      %1 = call @f{}(%0) : (tensor<f64>) -> tensor<f64>
      return %1 : tensor<f64>
    }}
    """
    main = link.format(0, 1).replace("private @f0", "@main")
    end = f"func.func private @f{depth}(%x: tensor<f64>) -> tensor<f64> {{\n  return %x : tensor<f64>\n}}"
    text = main + "".join(link.format(i, i + 1) for i in range(1, depth)) + end
    _, tangent = run(jvp(text), np.array(0.5), np.array(2.0))
    assert tangent == pytest.approx(2 * 1.01**depth, rel=1e-12)


def test_a_zero_tangent_is_not_multiplied() -> None:
    """The tangent of y is zero and not written out, so that an infinite partial derivative makes no NaN of it."""
    text = """func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
      %0 = stablehlo.sqrt %y : tensor<f64>
      %1 = stablehlo.multiply %x, %0 : tensor<f64>
      return %1 : tensor<f64>
    }"""
    _, tangent = run(jvp(text, wrt=(0,)), np.array(2.0), np.array(0.0), np.array(3.0))
    assert tangent == 0


def test_safe_gives_zero_for_a_tangent_that_is_zero() -> None:
    text = "func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {\n  %y = stablehlo.sqrt %x : tensor<2xf64>\n  return %y : tensor<2xf64>\n}"
    x, t = np.array([0.0, 4.0]), np.array([0.0, 1.0])
    assert np.isnan(run(jvp(text), x, t)[1]).tolist() == [True, False]
    assert run(jvp(text, safe=True), x, t)[1].tolist() == [0.0, 0.25]


RECURSIVE = """func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = call @f(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
func.func private @f(%x: tensor<f64>) -> tensor<f64> {
  %0 = call @f(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}"""
RECEIVED = """func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f64>, !stablehlo.token)
  %1 = stablehlo.multiply %x, %0#0 : tensor<f64>
  return %1 : tensor<f64>
}"""
REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no_such_function": (SUM_OF_PRODUCT, {"function": "f"}, "hhlo-jvp: there is no function @f in the module"),
    "wrt_out_of_range": (SUM_OF_PRODUCT, {"wrt": (3,)}, "hhlo-jvp: wrt is 3, but @main has 3 arguments"),
    "wrt_of_integers": (SUM_OF_PRODUCT, {"wrt": (1,)}, "hhlo-jvp: wrt is 1, and argument 1 of @main is tensor<3xi32>"),
    "wrt_twice": (SUM_OF_PRODUCT, {"wrt": (0, 0)}, "hhlo-jvp: wrt is 0,0; each argument may be named once"),
    "called": (CALLS, {"function": "inner"}, "hhlo-jvp: @inner is called by another function"),
    "recursive": (RECURSIVE, {}, "func.call: @f -> @f is recursive"),
    "unseen": (RECEIVED, {}, "stablehlo.recv: no forward-mode derivative rule yet .*of another process"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, options, message = REFUSED[name]
    with pytest.raises(DifferentiationError, match=message):
        jvp(text, **options)
    assert insertion_block() is None


def test_derivatives_are_the_same_text_every_time() -> None:
    assert to_text(jvp(CALLS)) == to_text(jvp(CALLS))
