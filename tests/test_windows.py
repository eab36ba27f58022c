"""reduce_window and select_and_scatter: constraints, and their gradients for any window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jax import lax

from hhlo_xdsl.dialects.errors import DifferentiationError, DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.attributes import ComparisonDirection
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceWindowOp, SelectAndScatterOp, selector_of
from hhlo_xdsl.dialects.stablehlo.shapes import WindowDim
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import check_jvp, check_vjp, run, run_all, vjp_of
from tests.test_reduction import IDENTITY, LOGADDEXP, SUMMED_PAIRS, distinct, drawn, spelled

Array = np.ndarray[Any, Any]
Windows = Sequence[WindowDim]


def attributes(
    windows: Windows, names: Sequence[str] = ("window_strides", "base_dilations", "window_dilations")
) -> str:
    """<{...}> with every attribute of the window spelled out."""
    fields = {"window_strides": "stride", "base_dilations": "base_dilation", "window_dilations": "window_dilation"}
    lists = {"window_dimensions": [w.size for w in windows]}
    lists |= {name: [getattr(w, fields[name]) for w in windows] for name in names}
    spelled_lists = [f"{k} = array<i64: {str(v)[1:-1]}>" if v else f"{k} = array<i64>" for k, v in lists.items()]
    pairs = [[w.low, w.high] for w in windows]
    padding = f"padding = dense<{pairs or ''}> : tensor<{len(windows)}x2xi64>"
    return f"<{{{', '.join([*spelled_lists, padding])}}}>"


def window_text(windows: Windows, body: str, init: str | None = None, cap: str | None = None) -> str:
    """main(%x) = reduce_window of %x; %z, the init value, is the second argument unless a constant is given.

    `cap` is joined to every element of the result by the body, an op: it hides the infinities of windows of padding.
    """
    x, y, z = spelled([w.base for w in windows]), spelled([w.out for w in windows]), "tensor<f64>"
    ops = f"%r = stablehlo.{body} %a, %b : E" if body.isidentifier() else body
    capped = f"%c = stablehlo.constant dense<{cap}> : {y}\n      %capped = stablehlo.{body} %y, %c : {y}" if cap else ""
    return f"""func.func @main(%x: {x}{"" if init else f", %z: {z}"}) -> {y} {{
      {f"%z = stablehlo.constant dense<{init}> : {z}" if init else ""}
      %y = "stablehlo.reduce_window"(%x, %z) {attributes(windows)} ({{
      ^bb0(%a: {z}, %b: {z}):
        {ops.replace(": E", f": {z}")}
        stablehlo.return %r : {z}
      }}) : ({x}, {z}) -> {y}
      {capped}
      return {"%capped" if cap else "%y"} : {y}
    }}"""


@st.composite
def drawn_windows(draw: Callable[..., Any], least: int = 0, dilations: int = 2) -> list[WindowDim]:
    """Windows in `least` to 2 dimensions: any stride and padding, cuts and empty results included."""

    def dim() -> WindowDim:
        base, size, stride = (draw(st.integers(1, n)) for n in (5, 3, 3))
        low, high = draw(st.integers(-2, 3)), draw(st.integers(-2, 3))
        base_dilation, window_dilation = draw(st.integers(1, dilations)), draw(st.integers(1, dilations))
        return WindowDim(base, size, stride, low, high, base_dilation, window_dilation)

    windows = [dim() for _ in range(draw(st.integers(least, 2)))]
    # XLA's simplifier aborts the process on a window of one element whose padding cuts, as this test's forward pass.
    assume(any(w.size > 1 for w in windows) or all(w.low >= 0 and w.high >= 0 for w in windows))
    return windows


def uncut(window: WindowDim) -> WindowDim:
    return replace(window, low=max(window.low, 0), high=max(window.high, 0))


def base_of(windows: Windows) -> Array:
    return distinct([w.base for w in windows])


CASES = {
    "sum": ("add", "0.0", None),
    "max": ("maximum", IDENTITY["maximum"], "-9.0"),
    "min": ("minimum", IDENTITY["minimum"], "9.0"),
    "product": ("multiply", "1.0", None),
    "general": (SUMMED_PAIRS, "0.0", None),
}


@pytest.mark.parametrize("name", CASES)
@drawn(15)
@given(drawn_windows(), st.sampled_from([1, 2]), st.booleans())
def test_reduce_window_against_differences(name: str, windows: Windows, order: int, portable: bool) -> None:
    check_vjp(window_text(windows, *CASES[name]), [base_of(windows)], order=order, portable=portable)


@pytest.mark.parametrize("name", CASES)
@drawn(15)
@given(drawn_windows(), st.sampled_from([1, 2]))
def test_reduce_window_from_any_init_value(name: str, windows: Windows, order: int) -> None:
    """XLA folds the init value into each window once, and skips the padding."""
    check_vjp(window_text(windows, CASES[name][0]), [base_of(windows), np.array(0.11)], order=order)


@pytest.mark.parametrize("init", [True, False], ids=["init", "constant"])
@pytest.mark.parametrize("name", CASES)
def test_reduce_window_in_forward_mode(name: str, init: bool) -> None:
    windows = [WindowDim(5, 2, 2, 1, 1, 1, 2), WindowDim(3, 2, 1, 0, 1, 2, 1)]
    body, identity, cap = CASES[name]
    text = window_text(windows, body) if init else window_text(windows, body, identity, cap)
    check_jvp(text, [base_of(windows), *([np.array(0.11)] if init else [])], order=2)


def lax_window(windows: Windows, op: Any, init: float) -> Callable[[Any], Any]:
    def fields(*names: str) -> list[Any]:
        return [[getattr(w, n) for w in windows] for n in names]

    sizes, strides, base, window = fields("size", "stride", "base_dilation", "window_dilation")
    padding = [(w.low, w.high) for w in windows]
    return lambda x: lax.reduce_window(x, init, op, sizes, strides, padding, base, window)


@pytest.mark.parametrize("name, op, init", [("sum", lax.add, 0.0), ("max", lax.max, -np.inf), ("min", lax.min, np.inf)])
@drawn(6)
@given(drawn_windows(1, 1), st.booleans())
def test_reduce_window_is_jax(name: str, op: Any, init: float, windows: Windows, tied: bool) -> None:
    """Ties are decided alike; cotangents are whole numbers, so sums in any order are equal."""
    windows = [uncut(w) for w in windows]  # jax fails on padding that cuts
    x = np.round(base_of(windows)) if tied else base_of(windows)
    reference = lax_window(windows, op, init)
    ct = np.random.default_rng(1).integers(-5, 6, [w.out for w in windows]).astype(float)
    (gradient,) = run(vjp_of(window_text(windows, *CASES[name][:2])), x, ct)
    (expected,) = jax.jit(lambda x, ct: jax.vjp(reference, x)[1](ct))(x, ct)
    np.testing.assert_array_equal(gradient, expected)


def pool(shape: Sequence[int], size: Sequence[int], stride: Sequence[int], **fields: int) -> list[WindowDim]:
    return [WindowDim(n, q, s, **fields) for n, q, s in zip(shape, size, stride, strict=True)]


@pytest.mark.parametrize("portable", [False, True])
def test_first_of_equal_elements_takes_all(portable: bool) -> None:
    x = np.array([[1, 2, 5, 5], [2, 1, 5, 5], [3, 0, 7, 7], [3, 3, 0, 7]], float)
    ct = np.array([[10.0, 20.0], [30.0, 40.0]])
    expected = [[0, 10, 20, 0], [0, 0, 0, 0], [30, 0, 40, 0], [0, 0, 0, 0]]
    text = window_text(pool([4, 4], [2, 2], [2, 2]), "maximum", IDENTITY["maximum"])
    np.testing.assert_array_equal(run(vjp_of(text, portable=portable), x, ct)[0], expected)
    text = window_text(pool([4, 4], [2, 2], [2, 2]), "minimum", IDENTITY["minimum"])
    np.testing.assert_array_equal(run(vjp_of(text, portable=portable), -x, ct)[0], expected)


@pytest.mark.parametrize("q", range(1, 9))
def test_first_of_equal_elements_in_row_major_order(q: int) -> None:
    """In a window of equal elements, whatever its size, dilated or not, the one at its start takes all."""
    cases = [[WindowDim(17, q, window_dilation=dilation), WindowDim(3, 2)] for dilation in (1, 2)]
    cts = [np.arange(1.0, 1 + windows[0].out * 2).reshape(-1, 2) for windows in cases]
    backs = [vjp_of(window_text(windows, "maximum", IDENTITY["maximum"])) for windows in cases]
    found = run_all(*((back, [np.zeros((17, 3)), ct]) for back, ct in zip(backs, cts, strict=True)))
    for windows, ct, (gradient,) in zip(cases, cts, found, strict=True):
        np.testing.assert_array_equal(gradient[: windows[0].out, :2], ct)
        assert gradient.sum() == ct.sum()


def test_windows_of_padding_only_contribute_nothing() -> None:
    windows = [WindowDim(2, 2, 2, low=4, high=5)]
    x, ct = np.array([3.0, 4.0]), np.arange(1.0, 6.0)
    expected = {"maximum": [0, 3], "minimum": [3, 0], "add": [3, 3]}
    found = run_all(*((vjp_of(window_text(windows, body, IDENTITY[body])), [x, ct]) for body in expected))
    for gradient, right in zip(found, expected.values(), strict=True):
        np.testing.assert_array_equal(gradient, [right])


def test_an_element_that_no_window_reaches_gets_nothing() -> None:
    windows = [WindowDim(7, 2, 3)]
    (gradient,) = run(vjp_of(window_text(windows, "add", "0.0")), np.ones(7), np.array([1.0, 2.0]))
    np.testing.assert_array_equal(gradient, [1, 1, 0, 2, 2, 0, 0])


def test_infinities_and_nan_in_windows() -> None:
    """A NaN wins against what comes before it, and loses to what comes after, as in a chain of selects by GE."""
    inf, nan = np.inf, np.nan
    x = np.array([[-inf, -inf], [inf, inf], [1.0, nan], [nan, 1.0]])
    text = window_text(pool([4, 2], [1, 2], [1, 1]), "maximum", IDENTITY["maximum"])
    (gradient,) = run(vjp_of(text), x, np.full((4, 1), 2.0))
    np.testing.assert_array_equal(gradient, [[2, 0], [2, 0], [0, 2], [0, 2]])


def test_an_init_value_above_all_elements_takes_the_cotangent() -> None:
    windows, x, ct = [WindowDim(4, 2, 2, 1, 1)], np.array([1.0, 5.0, 2.0, 3.0]), np.array([1.0, 10.0, 100.0])
    backward = vjp_of(window_text(windows, "maximum"))
    for init, expected, rest in ((0.0, [1, 10, 0, 100], 0), (4.0, [0, 10, 0, 0], 101), (9.0, [0, 0, 0, 0], 111)):
        gradient, gradient_init = run(backward, x, np.array(init), ct)
        np.testing.assert_array_equal(gradient, expected)
        assert gradient_init == rest


# Large numbers, ties and layouts


def test_maxima_below_minus_1e30() -> None:
    """A search that begins at a number taken for -inf would lose them."""
    x = np.array([-3e30, -2e30, -5e30, -4e30])
    text = window_text([WindowDim(4, 2, 2)], "maximum", IDENTITY["maximum"])
    np.testing.assert_array_equal(run(vjp_of(text), x, np.array([1.0, 2.0]))[0], [0, 1, 0, 2])
    below = window_text([WindowDim(4, 2, 2)], "maximum", "-1.0e30")
    np.testing.assert_array_equal(run(vjp_of(below), x, np.array([1.0, 2.0]))[0], [0, 0, 0, 0])


def test_ties_do_not_double_the_gradient() -> None:
    text = window_text([WindowDim(2, 2, 2)], "maximum", IDENTITY["maximum"])
    (gradient,) = run(vjp_of(text), np.array([1.0, 1.0]), np.array([1.0]))
    assert gradient.sum() == 1


POOLS = {
    "overlapping_windows": pool([1, 6, 6, 2], [1, 3, 3, 1], [1, 1, 1, 1]),
    "windows_with_gaps": pool([1, 7, 7, 2], [1, 2, 2, 1], [1, 3, 3, 1]),
    "padding": [WindowDim(1, 1), WindowDim(5, 3, 2, 1, 1), WindowDim(5, 3, 2, 0, 1), WindowDim(2, 1)],
    "sizes_that_do_not_divide": pool([1, 5, 7, 1], [1, 2, 2, 1], [1, 2, 2, 1]),
    "rank_3": pool([2, 6, 3], [1, 2, 1], [1, 2, 1]),
    "other_dimensions": pool([4, 2, 2, 4], [2, 1, 1, 2], [2, 1, 1, 2]),
    "cumulative": [WindowDim(2, 1), WindowDim(9, 9, 1, 8, 0)],
    "global": pool([1, 4, 4, 2], [1, 4, 4, 1], [1, 1, 1, 1]),
}


@pytest.mark.parametrize("portable", [False, True], ids=["", "portable"])
@pytest.mark.parametrize("body", ["add", "maximum"])
@pytest.mark.parametrize("name", POOLS)
def test_pooling(name: str, body: str, portable: bool) -> None:
    windows = POOLS[name]
    check_vjp(window_text(windows, body, IDENTITY[body]), [base_of(windows)], order=2, portable=portable)


def test_cumulative_logsumexp() -> None:
    windows, x = [WindowDim(6, 6, 1, 5, 0)], np.array([1.0, -2.0, 0.5, 3.0, 0.0, 1.5])
    text = window_text(windows, LOGADDEXP, IDENTITY["maximum"])
    ct = np.arange(1.0, 7.0)
    (expected,) = jax.jit(lambda x, ct: jax.vjp(lambda x: lax.cumlogsumexp(x, 0), x)[1](ct))(x, ct)
    np.testing.assert_allclose(run(vjp_of(text), x, ct)[0], expected, rtol=1e-12)
    check_vjp(text, [x], order=2)


PAIRS = """func.func @main(%x: tensor<5xf64>, %v: tensor<5xf64>, %z: tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %r:2 = "stablehlo.reduce_window"(%x, %v, %low, %z) <{padding = dense<[[2, 0]]> : tensor<1x2xi64>,
      window_dimensions = array<i64: 2>, window_dilations = array<i64: 3>}> ({
  ^bb0(%a: tensor<f64>, %c: tensor<f64>, %b: tensor<f64>, %d: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f64>
    %1 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<f64>
    stablehlo.return %0, %1 : tensor<f64>, tensor<f64>
  }) : (tensor<5xf64>, tensor<5xf64>, tensor<f64>, tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}"""


def test_several_operands() -> None:
    """The second operand follows the choice among the first."""
    check_vjp(PAIRS, [distinct([5]), distinct([5], 1), np.array(0.5)], order=2)


def test_portable_gradients_have_no_holes_in_the_base() -> None:
    windows = [WindowDim(5, 3, 2, 1, 1), WindowDim(4, 2, 3, -1, 2, 2)]
    for name, (body, init, _) in CASES.items():
        ops = list(vjp_of(window_text(windows, body, init), portable=True).walk())
        assert not any(isinstance(op, SelectAndScatterOp) for op in ops), name
        backward = [op for op in ops if isinstance(op, ReduceWindowOp) and [w.base for w in op.windows] != [5, 4]]
        assert all(w.base_dilation == 1 for op in backward for w in op.windows), name


@pytest.mark.parametrize("body", ["subtract", "%s = stablehlo.multiply %b, %b : E\n%r = stablehlo.add %a, %s : E"])
def test_a_body_that_does_not_associate_is_refused(body: str) -> None:
    with pytest.raises(DifferentiationError, match=r"stablehlo.reduce_window: its body f is not associative"):
        vjp_of(window_text([WindowDim(4, 2)], body, "0.0"))


# select_and_scatter


def scatter_text(windows: Windows, direction: str = "GE", scatter: str = "add") -> str:
    """main(%x, %s, %z) = select_and_scatter."""
    x, s = spelled([w.base for w in windows]), spelled([w.out for w in windows])
    return f"""func.func @main(%x: {x}, %s: {s}, %z: tensor<f64>) -> {x} {{
      %y = "stablehlo.select_and_scatter"(%x, %s, %z) {attributes(windows, ["window_strides"])} ({{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %p = stablehlo.compare {direction}, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }}, {{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %r = stablehlo.{scatter} %a, %b : tensor<f64>
        stablehlo.return %r : tensor<f64>
      }}) : ({x}, {s}, tensor<f64>) -> {x}
      return %y : {x}
    }}"""


# XLA aborts the process on a select_and_scatter without dimensions, jax's too.
@drawn(15)
@given(drawn_windows(1, 1), st.sampled_from(["GE", "LE", "GT"]), st.sampled_from([1, 2]))
def test_select_and_scatter_against_differences(windows: Windows, direction: str, order: int) -> None:
    windows = [uncut(w) for w in windows]
    source = np.random.default_rng(0).standard_normal([w.out for w in windows])
    check_vjp(scatter_text(windows, direction), [base_of(windows), source, np.array(0.5)], wrt=(1, 2), order=order)


def test_select_and_scatter_in_forward_mode() -> None:
    windows = [WindowDim(4, 2, 2, 0, 0), WindowDim(5, 3, 2, 1, 1)]
    source = np.random.default_rng(0).standard_normal([w.out for w in windows])
    check_jvp(scatter_text(windows, "GE"), [base_of(windows), source, np.array(0.5)], order=2)


def test_select_and_scatter_gives_its_operand_nothing() -> None:
    windows = pool([4], [2], [2])
    x, source, ct = np.array([1.0, 2.0, 4.0, 3.0]), np.array([5.0, 6.0]), np.array([1.0, 10.0, 100.0, 1000.0])
    to_x, to_source, to_init = run(vjp_of(scatter_text(windows)), x, source, np.array(0.0), ct)
    np.testing.assert_array_equal(to_x, np.zeros(4))
    np.testing.assert_array_equal(to_source, [10, 100])
    assert to_init == 1111


@pytest.mark.parametrize("direction, expected", [("GE", [1, 100]), ("GT", [10, 1000])])
def test_select_and_scatter_at_ties(direction: str, expected: list[float]) -> None:
    """GE keeps the first of equal elements, GT moves on to the last; -inf is an element, padding is not."""
    windows, ct = [WindowDim(4, 3, 2, 1, 0)], np.array([1.0, 10.0, 100.0, 1000.0])
    x = np.array([-np.inf, -np.inf, 7.0, 7.0])
    text = scatter_text(windows, direction)
    (forward,) = run(text, x, np.array([5.0, 6.0]), np.array(0.0))
    (to_source, _) = run(vjp_of(text, wrt=(1, 2)), x, np.array([5.0, 6.0]), np.array(0.0), ct)
    np.testing.assert_array_equal(to_source, expected)
    np.testing.assert_array_equal(forward @ ct, to_source @ [5.0, 6.0])


@drawn(10)
@given(drawn_windows(1, 1), st.sampled_from(["multiply", "subtract", "maximum"]))
def test_select_and_scatter_by_any_body(windows: Windows, body: str) -> None:
    windows = [uncut(w) for w in windows]
    source = np.random.default_rng(0).standard_normal([w.out for w in windows])
    check_vjp(scatter_text(windows, scatter=body), [base_of(windows), source, np.array(0.5)], wrt=(1, 2))


def test_select_and_scatter_by_a_product_with_zeros() -> None:
    """Two windows select the greatest element; the cotangent of each source is the product of the others."""
    windows, w = [WindowDim(3, 2)], np.array([1.0, 10.0, 100.0])
    args = [np.array([1.0, 3.0, 2.0]), np.array([0.0, 5.0]), np.array(2.0)]
    to_source, to_init = run(vjp_of(scatter_text(windows, scatter="multiply"), wrt=(1, 2)), *args, w)
    np.testing.assert_array_equal(to_source, [10 * 2 * 5, 0])
    assert to_init == 1 + 0 + 100
    check_jvp(scatter_text(windows, scatter="multiply"), [args[0], np.array([0.5, 5.0]), args[2]], wrt=(1, 2))


def test_selector_of() -> None:
    op = next(o for o in parse(scatter_text(pool([4], [2], [2]), "LE")).walk() if isinstance(o, SelectAndScatterOp))
    assert selector_of(op) is ComparisonDirection.LE


# Text and constraints

WINDOW = """func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x4xf32>, %z: tensor<f32>, %m: tensor<i64>) {
  %y = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}"""
PLAIN_WINDOW = WINDOW.replace(WINDOW[WINDOW.index("<{") : WINDOW.index("}>")], "<{window_dimensions = array<i64: 2, 1>")
SCATTER = scatter_text([WindowDim(4, 3, 2, 0, 1), WindowDim(2, 1)])
PLAIN_SCATTER = SCATTER.replace(SCATTER[SCATTER.index(", window_strides") : SCATTER.index("}>")], "").replace(
    "tensor<2x2xf64>", "tensor<2x2xf64>"
)


@pytest.mark.parametrize(
    "text",
    [WINDOW, PLAIN_WINDOW, SCATTER, PLAIN_SCATTER, PAIRS],
    ids=["window", "plain window", "scatter", "plain scatter", "pairs"],
)
def test_text_is_read_and_printed_as_upstream(text: str) -> None:
    """Attributes that are absent stay so."""
    for source in (text, cpp.pretty(text), cpp.generic(text)):
        for syntax in ("pretty", "generic"):
            assert cpp.generic(to_text(parse(source), syntax=syntax)) == cpp.generic(text)


def broken(text: str, *changes: str) -> str:
    """`text` with each of `changes`, "old -> new", made."""
    for change in changes:
        old, new = change.split(" => ")
        assert old in text
        text = text.replace(old, new)
    return text


BROKEN = {
    "reduce_window_c1": (
        broken(WINDOW, "%y => %y:2", "-> tensor<3x3xf32> => -> (tensor<3x3xf32>, tensor<3x3xf32>)"),
        VerifyError,
        "",
    ),
    "reduce_window_c2": (
        broken(
            PAIRS,
            "%v: tensor<5xf64> => %v: tensor<4xf64>",
            ": (tensor<5xf64>, tensor<5xf64>, => : (tensor<5xf64>, tensor<4xf64>,",
        ),
        ShapeError,
        "inputs[1] is tensor<4xf64>, inputs[0] is tensor<5xf64>; their shapes must be equal",
    ),
    "reduce_window_c3": (
        broken(WINDOW, "(%x, %z) => (%x, %m)", ": (tensor<4x3xf32>, tensor<f32>) => : (tensor<4x3xf32>, tensor<i64>)"),
        DTypeError,
        "init_values[0] is tensor<i64>",
    ),
    "reduce_window_c4": (
        broken(WINDOW, "window_dimensions = array<i64: 2, 2> => window_dimensions = array<i64: 2>"),
        ShapeError,
        "window_dimensions is [2]; tensor<4x3xf32> needs 2 entries",
    ),
    "reduce_window_c5": (
        broken(WINDOW, "window_dimensions = array<i64: 2, 2> => window_dimensions = array<i64: 2, 0>"),
        ShapeError,
        "window_dimensions is [2, 0]; each must be at least 1",
    ),
    "reduce_window_c6": (broken(WINDOW, "array<i64: 2, 1> => array<i64: 2>"), ShapeError, "window_strides is [2]"),
    "reduce_window_c7": (
        broken(WINDOW, "array<i64: 2, 1> => array<i64: 0, 1>"),
        ShapeError,
        "window_strides is [0, 1]",
    ),
    "reduce_window_c8": (
        broken(WINDOW, "base_dilations = array<i64: 1, 2> => base_dilations = array<i64: 2>"),
        ShapeError,
        "base_dilations is [2]",
    ),
    "reduce_window_c9": (
        broken(WINDOW, "base_dilations = array<i64: 1, 2> => base_dilations = array<i64: 1, 0>"),
        ShapeError,
        "base_dilations is [1, 0]",
    ),
    "reduce_window_c10": (
        broken(WINDOW, "window_dilations = array<i64: 1, 2> => window_dilations = array<i64: 1, 2, 1>"),
        ShapeError,
        "window_dilations is [1, 2, 1]",
    ),
    "reduce_window_c11": (
        broken(WINDOW, "window_dilations = array<i64: 1, 2> => window_dilations = array<i64: 1, -2>"),
        ShapeError,
        "window_dilations is [1, -2]",
    ),
    "reduce_window_c12": (
        broken(WINDOW, "dense<[[1, 1], [0, 0]]> : tensor<2x2xi64> => dense<[1, 1]> : tensor<2xi64>"),
        ShapeError,
        "it must have shape rank x 2",
    ),
    "reduce_window_c12_rank": (
        broken(WINDOW, "dense<[[1, 1], [0, 0]]> : tensor<2x2xi64> => dense<[[1, 1]]> : tensor<1x2xi64>"),
        ShapeError,
        "padding is [(1, 1)]; tensor<4x3xf32> needs 2 entries",
    ),
    "reduce_window_c13": (
        broken(WINDOW, "%b: tensor<f32>) => %b: tensor<f32>, %c: tensor<f32>)"),
        ShapeError,
        "its body takes 3 arguments and returns 1 values",
    ),
    "reduce_window_c15": (
        broken(WINDOW, "-> tensor<3x3xf32> => -> tensor<3x2xf32>"),
        ShapeError,
        "results[0] is tensor<3x2xf32>, but its operands and attributes give tensor<3x3xf32>",
    ),
    "reduce_window_c16": (broken(WINDOW, "-> tensor<3x3xf32> => -> tensor<3x3xf64>"), DTypeError, "tensor<3x3xf64>"),
    "select_and_scatter_c1": (
        broken(
            SCATTER,
            "%s: tensor<2x2xf64> => %s: tensor<2x2xi64>",
            "}) : (tensor<4x2xf64>, tensor<2x2xf64> => }) : (tensor<4x2xf64>, tensor<2x2xi64>",
        ),
        DTypeError,
        "tensor<2x2xi64>",
    ),
    "select_and_scatter_c2": (
        broken(
            SCATTER,
            "%s: tensor<2x2xf64> => %s: tensor<1x2xf64>",
            "}) : (tensor<4x2xf64>, tensor<2x2xf64> => }) : (tensor<4x2xf64>, tensor<1x2xf64>",
        ),
        ShapeError,
        "source is tensor<1x2xf64>, operand is tensor<4x2xf64>; source needs one element per window: tensor<2x2xf64>",
    ),
    "select_and_scatter_c3": (
        broken(
            SCATTER,
            "%z: tensor<f64> => %z: tensor<i64>",
            "tensor<2x2xf64>, tensor<f64>) -> => tensor<2x2xf64>, tensor<i64>) ->",
        ),
        DTypeError,
        "init_value is tensor<i64>",
    ),
    "select_and_scatter_c4": (
        broken(SCATTER, "window_dimensions = array<i64: 3, 1> => window_dimensions = array<i64: 3>"),
        ShapeError,
        "window_dimensions is [3]",
    ),
    "select_and_scatter_c4_absent": (
        broken(SCATTER, "window_dimensions = array<i64: 3, 1>,  => "),
        ShapeError,
        "window_dimensions is []",
    ),
    "select_and_scatter_c5": (
        broken(SCATTER, "array<i64: 3, 1> => array<i64: 3, 0>"),
        ShapeError,
        "window_dimensions is [3, 0]",
    ),
    "select_and_scatter_c6": (
        broken(SCATTER, "array<i64: 2, 1> => array<i64: 2>"),
        ShapeError,
        "window_strides is [2]",
    ),
    "select_and_scatter_c7": (
        broken(SCATTER, "array<i64: 2, 1> => array<i64: 2, -1>"),
        ShapeError,
        "window_strides is [2, -1]",
    ),
    "select_and_scatter_c8": (
        broken(SCATTER, "dense<[[0, 1], [0, 0]]> : tensor<2x2xi64> => dense<[[[0, 1], [0, 0]]]> : tensor<1x2x2xi64>"),
        ShapeError,
        "padding is tensor<1x2x2xi64>",
    ),
    "select_and_scatter_c9": (
        broken(SCATTER, "stablehlo.return %p : tensor<i1> => stablehlo.return %a : tensor<f64>"),
        DTypeError,
        "it must map (tensor<f64>, tensor<f64>) to tensor<i1>",
    ),
    "select_and_scatter_c10": (
        broken(SCATTER, "stablehlo.return %r : tensor<f64> => stablehlo.return %r, %r : tensor<f64>, tensor<f64>"),
        ShapeError,
        "its body takes 2 arguments and returns 2 values; it must take 2 and return 1, for 1 input",
    ),
    "select_and_scatter_c11": (
        broken(SCATTER, "-> tensor<4x2xf64>\n => -> tensor<2x4xf64>\n", "return %y : tensor<4x2xf64> => return"),
        ShapeError,
        "results[0] is tensor<2x4xf64>",
    ),
    "select_and_scatter_c12": (
        broken(SCATTER, "-> tensor<4x2xf64>\n => -> tensor<4x2xf32>\n", "return %y : tensor<4x2xf64> => return"),
        DTypeError,
        "results[0] is tensor<4x2xf32>",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_constraint(name: str) -> None:
    text, error, message = BROKEN[name]
    op, label = name.split("_c")[0], "C" + name.split("_c")[1].split("_")[0]
    assert cpp.refuses(text)
    with pytest.raises(error) as caught:
        parse(text)
    assert message in str(caught.value)
    assert f"(spec {op} {label})" in str(caught.value) or not message


@pytest.mark.parametrize("op, text", [("reduce_window", WINDOW), ("select_and_scatter", SCATTER)])
def test_there_is_no_custom_form(op: str, text: str) -> None:
    custom = text.replace(f'"stablehlo.{op}"', f"stablehlo.{op}")
    assert "has no custom assembly form" in str(cpp.refuses(custom))
    with pytest.raises(Exception, match=f"stablehlo.{op} has no custom form; write the generic one"):
        parse(custom)
