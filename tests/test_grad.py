"""The pass `hhlo-grad`: its options, its signature, calls, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.dialects.emit import insertion_block
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import check_vjp, main_of, run

SUM_OF_PRODUCT = """
func.func @main(%x: tensor<3xf64> {jax.arg = "x"}, %n: tensor<3xi32>, %y: tensor<3xf64>) -> (tensor<f64> {jax.result_info = "loss"}, tensor<3xf64>) {
  %0 = stablehlo.multiply %x, %y : tensor<3xf64>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
  return %1, %0 : tensor<f64>, tensor<3xf64>
}
"""
X, N, Y = np.array([1.0, 2.0, 3.0]), np.array([1, 2, 3], np.int32), np.array([4.0, 5.0, 6.0])


def grad(text: str, **options: Any) -> ModuleOp:
    module = parse(text)
    differentiate(module, GradPass(**options))
    verify(module)
    return module


def test_default_is_every_inexact_argument_and_values_first() -> None:
    loss, product, dx, dy = run(grad(SUM_OF_PRODUCT), X, N, Y)
    assert loss == 32
    assert product.tolist() == [4, 10, 18]
    assert dx.tolist() == Y.tolist()
    assert dy.tolist() == X.tolist()


def test_wrt_orders_the_gradients() -> None:
    dy, dx = run(grad(SUM_OF_PRODUCT, wrt=(2, 0), value=False), X, N, Y)
    assert (dy.tolist(), dx.tolist()) == (X.tolist(), Y.tolist())


def test_seeds_follow_the_arguments() -> None:
    module = grad(SUM_OF_PRODUCT, wrt=(0,), result=(1, 0), seed=True, value=False)
    (dx,) = run(module, X, N, Y, np.array([1.0, 0.0, -1.0]), np.array(10.0))
    assert dx.tolist() == [44, 50, 54]  # (ct of the product + ct of the sum) * y


def test_attributes_of_arguments_and_results_stay() -> None:
    text = to_text(grad(SUM_OF_PRODUCT, wrt=(0,), result=(1,), seed=True))
    assert 'jax.arg = "x"' in text
    assert '(tensor<f64> {jax.result_info = "loss"}, tensor<3xf64>, tensor<3xf64>)' in text
    without = to_text(grad(SUM_OF_PRODUCT, value=False))
    assert "result_info" not in without


def test_an_unused_argument_has_zero_gradient() -> None:
    text = """func.func @main(%x: tensor<f64>, %y: tensor<2x2xf64>) -> tensor<f64> {
      return %x : tensor<f64>
    }"""
    _, dx, dy = run(grad(text), np.array(3.0), np.ones((2, 2)))
    assert dx == 1
    assert dy.tolist() == [[0, 0], [0, 0]]


def test_a_value_returned_twice_gets_both_cotangents() -> None:
    text = "func.func @main(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {\n  %y = stablehlo.negate %x : tensor<2xf64>\n  return %y, %y : tensor<2xf64>, tensor<2xf64>\n}"
    (dx,) = run(grad(text, result=(0, 1), seed=True, value=False), X[:2], np.array([1.0, 2.0]), np.array([10.0, 20.0]))
    assert dx.tolist() == [-11, -22]


def test_ops_off_the_path_need_no_rule() -> None:
    """A gradient only meets the ops between the arguments in wrt and the result."""
    text = """func.func @main(%x: tensor<f64>, %z: tensor<complex<f64>>) -> (tensor<f64>, tensor<complex<f64>>) {
      %0 = stablehlo.maximum %z, %z : tensor<complex<f64>>
      %1 = stablehlo.sine %x : tensor<f64>
      return %1, %0 : tensor<f64>, tensor<complex<f64>>
    }"""
    _, _, dx = (out for out in grad_results(text))
    assert dx == pytest.approx(np.cos(0.5))


def grad_results(text: str) -> list[np.ndarray[Any, Any]]:
    # XLA's CPU has no complex maximum; the rest of the program is run without it.
    module = grad(text, wrt=(0,))
    assert "stablehlo.maximum" in to_text(module)
    return run(to_text(module).replace("stablehlo.maximum", "stablehlo.add"), np.array(0.5), np.array(1j))


CALLS = """
func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0:2 = call @pair(%x, %y) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  %1:2 = call @pair(%0#0, %0#1) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  %2:2 = call @pair(%1#1, %y) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  %3 = stablehlo.add %2#0, %2#0 : tensor<3xf64>
  %4 = call @inner(%3) : (tensor<3xf64>) -> tensor<3xf64>
  return %4 : tensor<3xf64>
}
func.func private @pair(%a: tensor<3xf64>, %b: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %0 = call @inner(%a) : (tensor<3xf64>) -> tensor<3xf64>
  %1 = stablehlo.multiply %0, %b : tensor<3xf64>
  %2 = stablehlo.multiply %1, %c : tensor<3xf64>
  return %2, %a : tensor<3xf64>, tensor<3xf64>
}
func.func private @inner(%a: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sine %a : tensor<3xf64>
  return %0 : tensor<3xf64>
}
"""


def test_calls() -> None:
    """Several results, an argument returned unchanged, calls in calls, to third order."""
    rng = np.random.default_rng(0)
    check_vjp(CALLS, [rng.standard_normal(3), rng.standard_normal(3)], order=3)


def test_a_chain_of_calls_may_be_deeper_than_pythons_stack() -> None:
    depth = 200
    main = """func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %0 = call @f0(%x) : (tensor<f64>) -> tensor<f64>
      return %0 : tensor<f64>
    }
    """
    link = """func.func private @f{}(%x: tensor<f64>) -> tensor<f64> {{
      %c = stablehlo.constant dense<1.01> : tensor<f64>
      %0 = stablehlo.multiply %x, %c : tensor<f64>
      %1 = call @f{}(%0) : (tensor<f64>) -> tensor<f64>
      return %1 : tensor<f64>
    }}
    """
    end = f"func.func private @f{depth}(%x: tensor<f64>) -> tensor<f64> {{\n  return %x : tensor<f64>\n}}"
    _, dx = run(grad(main + "".join(link.format(i, i + 1) for i in range(depth)) + end), np.array(0.5))
    assert dx == pytest.approx(1.01**depth, rel=1e-12)


def test_new_functions_avoid_the_names_of_meshes_and_modules() -> None:
    text = """sdy.mesh @inner_fwd = <["x"=2]>
    module @inner_bwd {}
    func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %0 = call @inner(%x) : (tensor<f64>) -> tensor<f64>
      return %0 : tensor<f64>
    }
    func.func private @inner(%a: tensor<f64>) -> tensor<f64> {
      %0 = stablehlo.sine %a : tensor<f64>
      return %0 : tensor<f64>
    }"""
    _, dx = run(to_text(grad(text)).replace('sdy.mesh @inner_fwd = <["x"=2]>', ""), np.array(0.5))
    assert dx == pytest.approx(np.cos(0.5))


def test_a_failed_gradient_leaves_no_trace_in_the_next() -> None:
    calls = "func.func @main(%x: tensor<f64>) -> tensor<f64> {\n  %0 = call @f(%x) : (tensor<f64>) -> tensor<f64>\n  return %0 : tensor<f64>\n}\n"
    inner = "func.func private @f(%x: tensor<f64>) -> tensor<f64> {\n  %0 = call @g(%x) : (tensor<f64>) -> tensor<f64>\n  return %0 : tensor<f64>\n}\n"
    declared = "func.func private @g(tensor<f64>) -> tensor<f64>"
    with pytest.raises(DifferentiationError, match="@g is only declared"):
        grad(calls + inner + declared)
    assert insertion_block() is None


def test_each_callee_is_split_once_per_activity() -> None:
    module = grad(CALLS, wrt=(0, 1), seed=True)
    names = [op.sym_name.data for op in module.ops]
    # Calls 1 and 3 have a cotangent of the first result, call 2 of the second, which does not need @inner's gradient.
    split = ["inner_bwd", "inner_fwd", "pair_bwd", "pair_bwd_0", "pair_fwd", "pair_fwd_0"]
    assert sorted(names) == ["inner", *split[:2], "main", *split[2:]]


def test_a_function_that_is_still_called_stays() -> None:
    text = CALLS.replace("func.func private @inner", "func.func @inner")
    assert "@inner(" in to_text(grad(text, seed=True))


def test_the_gradient_function_keeps_name_and_arguments() -> None:
    function = main_of(grad(CALLS, wrt=(1,), seed=True))
    assert str(function.function_type) == (
        "(tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)"
    )


def test_safe_keeps_an_unchosen_branch_from_poisoning() -> None:
    # select(x > 0, sqrt(x), 0) at 0: the rule of sqrt multiplies a zero cotangent by infinity.
    text = """func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
      %z = stablehlo.constant dense<0.0> : tensor<2xf64>
      %p = stablehlo.compare GT, %x, %z, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
      %s = stablehlo.sqrt %x : tensor<2xf64>
      %y = stablehlo.select %p, %s, %z : tensor<2xi1>, tensor<2xf64>
      return %y : tensor<2xf64>
    }"""
    at, ct = np.array([0.0, 4.0]), np.ones(2)
    assert np.isnan(run(grad(text, seed=True, value=False), at, ct)[0][0])
    assert run(grad(text, seed=True, value=False, safe=True), at, ct)[0].tolist() == [0, 0.25]


UNARY = "func.func @main(%x: {t}) -> {t} {{\n  %y = stablehlo.negate %x : {t}\n  return %y : {t}\n}}"
REFUSED = {
    "vector_result": (UNARY.format(t="tensor<3xf32>"), {}, r"result 0 of @main is tensor<3xf32>.*seed=true"),
    "complex_result": (
        UNARY.format(t="tensor<complex<f32>>"),
        {},
        r"result 0 of @main is tensor<complex<f32>>.*seed=true",
    ),
    "integer_only": (UNARY.format(t="tensor<i32>"), {}, "no floating or complex argument"),
    "integer_result": (
        "func.func @main(%x: tensor<f32>) -> tensor<i32> {\n  %y = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>\n  return %y : tensor<i32>\n}",
        {},
        r"result 0 of @main is tensor<i32>; only floating and complex results",
    ),
    "wrt_out_of_range": (SUM_OF_PRODUCT, {"wrt": (3,)}, r"wrt is 3, but @main has 3 arguments; use a number in 0\.\.2"),
    "wrt_negative": (SUM_OF_PRODUCT, {"wrt": (-1,)}, r"wrt is -1"),
    "wrt_integer": (SUM_OF_PRODUCT, {"wrt": (1,)}, r"argument 1 of @main is tensor<3xi32>; only floating and complex"),
    "wrt_twice": (SUM_OF_PRODUCT, {"wrt": (0, 0)}, "each argument may be named once"),
    "result_out_of_range": (SUM_OF_PRODUCT, {"result": (2,)}, r"result is 2, but @main has 2 results"),
    "wrt_of_no_arguments": (
        "func.func @main() -> tensor<f32> {\n  %c = stablehlo.constant dense<1.0> : tensor<f32>\n  return %c : tensor<f32>\n}",
        {"wrt": (0,)},
        "@main has no arguments; add one",
    ),
    "no_results": ("func.func @main(%x: tensor<f32>) {\n  return\n}", {}, "@main has no results; add one"),
    "no_result": (SUM_OF_PRODUCT, {"result": ()}, "one result or more"),
    "several_results_without_seed": (
        SUM_OF_PRODUCT,
        {"result": (0, 1)},
        r"results 0,1 of @main were asked for.*seed=true",
    ),
    "no_such_function": (
        SUM_OF_PRODUCT,
        {"function": "f"},
        r"there is no function @f in the module; its functions are: @main",
    ),
    "called_function": (CALLS, {"function": "pair"}, "@pair is called by another function"),
    "recursion": (
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n"
        "func.func private @f(%x: tensor<f32>) -> tensor<f32> {\n  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
        {},
        r"@f -> @f is recursive",
    ),
    "declaration": ("func.func private @main(tensor<f32>) -> tensor<f32>", {}, "is only declared"),
    "unknown_size": (
        "func.func @main(%x: tensor<?xf32>, %i: tensor<f32>) -> tensor<f32> {\n  %y = stablehlo.reduce(%x init: %i) applies"
        " stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>\n  return %y : tensor<f32>\n}",
        {"wrt": (0,)},
        r"stablehlo.reduce: it works on tensor<\?xf32>, and .* needs every size; give the program static shapes\n  at .*:2:3",
    ),
    "unknown_size_of_an_unused_argument": (
        "func.func @main(%x: tensor<?xf32>, %y: tensor<f32>) -> tensor<f32> {\n  return %y : tensor<f32>\n}",
        {},
        r"argument 0 of @main is tensor<\?xf32>, and its gradient is zeros of that type.*; leave it out of wrt",
    ),
    "checkpoint": (SUM_OF_PRODUCT, {"checkpoint": "some"}, 'checkpoint is "some"; one of all, sqrt, binomial'),
    "slots": (SUM_OF_PRODUCT, {"slots": 0}, "at least 1 was expected"),
}


def test_constants_take_unknown_sizes_from_values() -> None:
    """1 - y * y: the 1 gets the sizes of y when the program runs."""
    type = "tensor<?x3xf32>"
    text = f"func.func @main(%x: {type}) -> {type} {{\n  %y = stablehlo.tanh %x : {type}\n  return %y : {type}\n}}"
    found = grad(text, seed=True)
    assert "stablehlo.dynamic_broadcast_in_dim" in to_text(found)
    assert cpp.refuses(to_text(found)) is None


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, options, message = REFUSED[name]
    with pytest.raises(DifferentiationError, match=message):
        grad(text, **options)


def test_a_missing_rule_names_op_type_and_place() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = "stablehlo.maximum"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }"""
    module = parse(text, filename="model.mlir")
    from hhlo_xdsl.dialects.stablehlo.binary import MaximumOp
    from hhlo_xdsl.passes.vjp import core

    rule = core.WALK_RULES.pop(MaximumOp)
    try:
        with pytest.raises(DifferentiationError) as raised:
            differentiate(module, GradPass(seed=True))
    finally:
        core.WALK_RULES[MaximumOp] = rule
    message = str(raised.value)
    assert message.startswith(
        "stablehlo.maximum: no derivative rule, and a gradient flows through its result tensor<2xf32>;"
    )
    assert message.endswith("at model.mlir:2:7")


def test_gradients_are_the_same_text_every_time() -> None:
    assert to_text(grad(CALLS, seed=True)) == to_text(grad(CALLS, seed=True))
