"""Derivatives that a program brings along in attributes: read by the passes, kept by print and parse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import hhlo_xdsl as hh
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse, to_text
from tests.harness import check_jvp, run

X = np.array([0.5, -1.5, 2.0])


def grad(text: str, **options: Any) -> ModuleOp:
    module = parse(text)
    differentiate(module, GradPass(value=False, seed=True, **options))
    verify(module)
    return module


def jvp(text: str, **options: Any) -> ModuleOp:
    module = parse(text)
    differentiate_forward(module, JvpPass(**options))
    verify(module)
    return module


STOPPED = """
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sine %x : tensor<3xf64>
  %1 = stablehlo.convert %0 {hhlo.stop_gradient = true} : tensor<3xf64>
  %2 = stablehlo.multiply %1, %x : tensor<3xf64>
  return %2 : tensor<3xf64>
}
"""


def test_no_derivative_flows_through_a_stopped_op() -> None:
    t = np.array([1.0, 10.0, 100.0])
    np.testing.assert_allclose(run(grad(STOPPED), X, t)[0], t * np.sin(X))
    value, tangent = run(jvp(STOPPED), X, t)
    np.testing.assert_allclose(value, X * np.sin(X))
    np.testing.assert_allclose(tangent, t * np.sin(X))


@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
def test_the_mark_is_kept_by_print_and_parse(syntax: str) -> None:
    again = to_text(parse(STOPPED), syntax=syntax)
    assert "hhlo.stop_gradient = true" in again
    np.testing.assert_allclose(run(grad(again), X, X)[0], X * np.sin(X))


def test_the_mark_may_be_false() -> None:
    text = STOPPED.replace("= true", "= false")
    np.testing.assert_allclose(run(grad(text), X, X)[0], X * (X * np.cos(X) + np.sin(X)))


@pytest.mark.parametrize("text", [STOPPED, "rule"])
def test_marks_and_rules_are_kept_in_portable_artifacts(text: str, tmp_path: Path) -> None:
    text = program("call", f"{VJP}, {JVP}", "function") if text == "rule" else text
    path = tmp_path / "program.mlirbc"
    hh.save(parse(text), path, version="1.16")
    again = to_text(hh.load(path))
    np.testing.assert_array_equal(run(grad(again), X, X)[0], run(grad(text), X, X)[0])


# f(x) = x * x, whose rules say 7 and 5 times what calculus does, so that they are seen to be used.
RULES = """
func.func private @f_forward(%x: T) -> (T, T) {
  %0 = stablehlo.multiply %x, %x : T
  return %0, %x : T, T
}
func.func private @f_backward(%x: T, %ct: T) -> T {
  %c = stablehlo.constant dense<14.0> : T
  %0 = stablehlo.multiply %c, %x : T
  %1 = stablehlo.multiply %0, %ct : T
  return %1 : T
}
func.func private @f_both(%x: T, %t: T) -> (T, T) {
  %c = stablehlo.constant dense<10.0> : T
  %0 = stablehlo.multiply %x, %x : T
  %1 = stablehlo.multiply %c, %x : T
  %2 = stablehlo.multiply %1, %t : T
  return %0, %2 : T, T
}
""".replace("T", "tensor<3xf64>")
VJP, JVP = "hhlo.custom_vjp = [@f_forward, @f_backward]", "hhlo.custom_jvp = @f_both"
FUNCTION = """func.func private @f(%x: T) -> T {on_function} {{
  %0 = stablehlo.multiply %x, %x : T
  return %0 : T
}}
""".replace("T", "tensor<3xf64>")
OPS = {
    "call": "%0 = func.call @f(%x) {on_op} : (T) -> T",
    "composite": '%0 = stablehlo.composite "my.square" %x {{decomposition = @f{and_on_op}}} : (T) -> T',
    "custom_call": "%0 = stablehlo.custom_call @square(%x) {on_op} : (T) -> T",
    "op": "%0 = stablehlo.round_nearest_even %x {on_op} : T",
}


def program(op: str, attribute: str, where: str = "op") -> str:
    on_op, on_function = (f"{{{attribute}}}", "") if where == "op" else ("", f"attributes {{{attribute}}}")
    body = (
        OPS[op].format(on_op=on_op, and_on_op=f", {attribute}" if where == "op" else "").replace("T", "tensor<3xf64>")
    )
    main = f"func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {{\n  {body}\n  return %0 : tensor<3xf64>\n}}\n"
    return main + FUNCTION.format(on_function=on_function) + RULES


PLACES = [("call", "op"), ("call", "function"), ("composite", "function"), ("custom_call", "op"), ("op", "op")]


@pytest.mark.parametrize("syntax", ["pretty", "generic", "pjrt-1.16"])
@pytest.mark.parametrize(("op", "where"), PLACES)
def test_custom_vjp(op: str, where: str, syntax: str) -> None:
    """The reverse mode uses the rule; so it does for the text that the program prints."""
    ct = np.array([1.0, 10.0, 100.0])
    text = to_text(parse(program(op, VJP, where)), syntax=syntax)
    np.testing.assert_allclose(run(grad(text), X, ct)[0], 14 * X * ct)


@pytest.mark.parametrize(("op", "where"), PLACES)
def test_custom_jvp(op: str, where: str) -> None:
    """Forward mode uses the rule, reverse mode its transpose."""
    t = np.array([1.0, 10.0, 100.0])
    value, tangent = run(jvp(program(op, JVP, where)), X, t)
    np.testing.assert_allclose(value, X * X)
    np.testing.assert_allclose(tangent, 10 * X * t)
    np.testing.assert_allclose(run(grad(program(op, JVP, where)), X, t)[0], 10 * X * t)


def test_each_mode_has_its_own_rule() -> None:
    text = program("call", f"{VJP}, {JVP}", "function")
    np.testing.assert_allclose(run(grad(text), X, X)[0], 14 * X * X)
    np.testing.assert_allclose(run(jvp(text), X, X)[1], 10 * X * X)


def test_derivatives_of_rules_are_ordinary() -> None:
    """The gradient by a rule is a program like any other: 14 x ct, differentiated in both modes."""
    check_jvp(grad(program("call", VJP, "function")), [X, np.ones(3)], order=2)
    check_jvp(grad(program("call", JVP, "function")), [X, np.ones(3)], order=2)
    check_jvp(jvp(program("call", JVP, "function")), [X, np.ones(3)], order=2)


# Three composites of h(x, y) = x y: of x and x, of a constant and x, and of a call; x^2 * 3 x * x^2 = 3 x^5.
COMPOSITES = """
func.func @main(%x: T) -> T {
  %c = stablehlo.constant dense<3.0> : T
  %0 = stablehlo.composite "my.h" %x, %x {decomposition = @h} : (T, T) -> T
  %1 = stablehlo.composite "my.h" %c, %x {decomposition = @h} : (T, T) -> T
  %2 = stablehlo.composite "my.h" %0, %1 {decomposition = @h, version = 2 : i32} : (T, T) -> T
  %3 = call @h(%2, %0) : (T, T) -> T
  return %3 : T
}
func.func private @h(%x: T, %y: T) -> T {
  %0 = stablehlo.composite "my.inner" %x, %y {decomposition = @inner} : (T, T) -> T
  return %0 : T
}
func.func private @inner(%x: T, %y: T) -> T {
  %0 = stablehlo.multiply %x, %y : T
  return %0 : T
}
""".replace("T", "tensor<3xf64>")


def test_a_composite_is_differentiated_as_a_call_of_its_decomposition() -> None:
    ct = np.array([1.0, 10.0, 100.0])
    np.testing.assert_allclose(run(grad(COMPOSITES), X, ct)[0], 15 * X**4 * ct)
    value, tangent = run(jvp(COMPOSITES), X, ct)
    np.testing.assert_allclose(value, 3 * X**5)
    np.testing.assert_allclose(tangent, 15 * X**4 * ct)
    check_jvp(grad(COMPOSITES), [X, ct])
    assert to_text(grad(COMPOSITES)).count("func.func private @h_bwd") == 2


# g(n, x, y) = (n, x * y, x): an integer goes in and out, which has no (co)tangent, and one result is not used.
SEVERAL = """
func.func @main(%n: tensor<i32>, %x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %0:3 = call @g(%n, %x, %y) : (tensor<i32>, tensor<f64>, tensor<f64>) -> (tensor<i32>, tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}
func.func private @g(%n: tensor<i32>, %x: tensor<f64>, %y: tensor<f64>) -> (tensor<i32>, tensor<f64>, tensor<f64>)
    attributes {hhlo.custom_vjp = [@g_forward, @g_backward], hhlo.custom_jvp = @g_both} {
  %0 = stablehlo.multiply %x, %y : tensor<f64>
  return %n, %0, %x : tensor<i32>, tensor<f64>, tensor<f64>
}
func.func private @g_forward(%n: tensor<i32>, %x: tensor<f64>, %y: tensor<f64>)
    -> (tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = stablehlo.multiply %x, %y : tensor<f64>
  return %n, %0, %x, %y : tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>
}
func.func private @g_backward(%y: tensor<f64>, %ct: tensor<f64>, %other: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = stablehlo.multiply %y, %ct : tensor<f64>
  return %0, %other : tensor<f64>, tensor<f64>
}
func.func private @g_both(%n: tensor<i32>, %x: tensor<f64>, %y: tensor<f64>, %dx: tensor<f64>, %dy: tensor<f64>)
    -> (tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = stablehlo.multiply %x, %y : tensor<f64>
  %1 = stablehlo.multiply %dx, %y : tensor<f64>
  %2 = stablehlo.add %1, %dy : tensor<f64>
  return %n, %0, %x, %2, %dx : tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>
}
"""


def test_zeros_are_written_out_for_rules() -> None:
    n, x, y = np.array(3, np.int32), np.array(2.0), np.array(5.0)
    assert [float(g) for g in run(grad(SEVERAL), n, x, y, np.array(10.0))] == [50.0, 0.0]
    assert [float(g) for g in run(jvp(SEVERAL, wrt=(2,)), n, x, y, np.array(7.0))] == [10.0, 7.0]
    transposed = SEVERAL.replace("hhlo.custom_vjp = [@g_forward, @g_backward], ", "")
    assert [float(g) for g in run(grad(transposed), n, x, y, np.array(10.0))] == [50.0, 10.0]


def test_what_is_not_used_any_more_is_removed() -> None:
    names = [op.sym_name.data for op in grad(program("call", VJP, "function")).ops]
    assert names == ["main", "f_forward", "f_backward", "f_both"]


REFUSED = {
    "no_forward_rule": (jvp, VJP, "it has a rule for reverse mode only; give it one for forward mode"),
    "not_a_pair": (grad, "hhlo.custom_vjp = [@f_forward]", r"\[@forward, @backward\] was expected"),
    "no_function": (grad, "hhlo.custom_vjp = [@f_forward, @no]", "names @no; a function of the module was expected"),
    "no_name": (jvp, "hhlo.custom_jvp = 1 : i32", "names 1 : i32; a function of the module was expected"),
    "wrong_types": (grad, "hhlo.custom_vjp = [@f_both, @f_backward]", r"its rule @f_both has \(.*\), where"),
    "wrong_kept": (grad, "hhlo.custom_vjp = [@f_forward, @f_forward]", r"its rule @f_forward has \(.*\), where"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    mode, attribute, message = REFUSED[name]
    with pytest.raises(DifferentiationError, match=message):
        mode(program("call", attribute, "function"))


def documented(language: str) -> str:
    text = (Path(__file__).parent.parent / "docs/custom_rules.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)[0]


def test_the_documented_example() -> None:
    """As text and as Python: half of 1 / sqrt(x), and 0 at 0."""
    for x, expected in ((4.0, 0.25), (0.0, 0.0)):
        assert run(grad(documented("mlir")), np.array(x), np.array(1.0))[0] == expected
    names: dict[str, Any] = {}
    exec(documented("python"), names)
    assert hh.grad(names["root"])(np.float64(0)).item() == 0
    assert hh.grad(names["root"])(np.float64(4)).item() == 0.25
