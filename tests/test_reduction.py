"""reduce, its text and constraints, and its gradient. Windows are in test_windows.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Block, Region

from hhlo_xdsl.dialects.errors import DifferentiationError, DTypeError, ShapeError, VerifyError
from hhlo_xdsl.dialects.stablehlo.base import i64_array
from hhlo_xdsl.dialects.stablehlo.binary import AddOp, AndOp, MaximumOp, MinimumOp, MultiplyOp, OrOp, SubtractOp
from hhlo_xdsl.dialects.stablehlo.reduction import ReduceOp, ReduceWindowOp, Window, reducer_of
from hhlo_xdsl.dialects.types import UNKNOWN, tensor, type_of
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import check_jvp, check_vjp, jvp_of, run, run_all, vjp_of

Array = np.ndarray[Any, Any]

IDENTITY = {"add": "0.0", "multiply": "1.0", "maximum": "0xFFF0000000000000", "minimum": "0x7FF0000000000000"}
SUMMED_PAIRS = "%p = stablehlo.multiply %a, %b : E\n%q = stablehlo.add %a, %b : E\n%r = stablehlo.add %p, %q : E"
"""f(a, b) = (1 + a) (1 + b) - 1: associative, with an add in it, and not a sum."""


def spelled(shape: Sequence[int], element: str = "f64") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def reduce_text(
    shape: Sequence[int], dims: Sequence[int], body: str, init: str | None = None, element: str = "f64"
) -> str:
    """main(%x) = reduce of %x along `dims`; %z, the init value, is the second argument unless a constant is given.

    `body` is the name of an op, or ops that compute %r from %a and %b, of type E.
    """
    x, z = spelled(shape, element), f"tensor<{element}>"
    y = spelled([n for d, n in enumerate(shape) if d not in dims], element)
    ops = f"%r = stablehlo.{body} %a, %b : E" if body.isidentifier() else body
    return f"""func.func @main(%x: {x}{"" if init else f", %z: {z}"}) -> {y} {{
      {f"%z = stablehlo.constant dense<{init}> : {z}" if init else ""}
      %y = stablehlo.reduce(%x init: %z) across dimensions = {list(dims)} : ({x}, {z}) -> {y}
       reducer(%a: {z}, %b: {z}) {{
        {ops.replace(": E", f": {z}")}
        stablehlo.return %r : {z}
      }}
      return %y : {y}
    }}"""


def distinct(shape: Sequence[int], seed: int = 0) -> Array:
    """Numbers in -2..2 of which no two, and none and 0.11, are close: no kink of a maximum is near."""
    rng = np.random.default_rng(seed)
    n = int(np.prod(shape))
    step = 4 / max(n, 1)
    return ((rng.permutation(n) + rng.uniform(0.3, 0.7, n)) * step - 2 + 0.003).reshape(shape)


def drawn(examples: int) -> settings:
    return settings(deadline=None, derandomize=True, max_examples=examples)


# Gradients of single bodies


@st.composite
def reductions(draw: Callable[..., Any], smallest: int = 1) -> tuple[list[int], list[int]]:
    """A shape, and some of its dimensions in any order."""
    shape = draw(st.lists(st.integers(smallest, 4), max_size=3))
    dims = draw(st.permutations(range(len(shape))))
    return shape, dims[: draw(st.integers(0, len(shape)))]


@pytest.mark.parametrize("body", [*IDENTITY, SUMMED_PAIRS], ids=[*IDENTITY, "general"])
@drawn(8)
@given(reductions(), st.sampled_from([1, 2]))
def test_reduce_against_differences(body: str, case: tuple[list[int], list[int]], order: int) -> None:
    shape, dims = case
    check_vjp(reduce_text(shape, dims, body, IDENTITY.get(body, "0.0")), [distinct(shape)], order=order)


@pytest.mark.parametrize("body", [*IDENTITY, SUMMED_PAIRS], ids=[*IDENTITY, "general"])
@drawn(8)
@given(reductions(), st.sampled_from([1, 2]))
def test_reduce_from_any_init_value(body: str, case: tuple[list[int], list[int]], order: int) -> None:
    shape, dims = case
    check_vjp(reduce_text(shape, dims, body), [distinct(shape), np.array(0.11)], order=order)


@pytest.mark.parametrize("init", [True, False], ids=["init", "constant"])
@pytest.mark.parametrize("body", [*IDENTITY, SUMMED_PAIRS], ids=[*IDENTITY, "general"])
def test_reduce_in_forward_mode(body: str, init: bool) -> None:
    text = reduce_text([2, 3, 2], [2, 0], body, None if init else IDENTITY.get(body, "0.0"))
    check_jvp(text, [distinct([2, 3, 2]), *([np.array(0.11)] if init else [])], order=2)


@pytest.mark.parametrize("dims", [[], [0]])
@pytest.mark.parametrize("shape", [[1, 2], [0, 2]])
@pytest.mark.parametrize("body", ["add", "maximum"])
def test_reduce_of_little_in_forward_mode(body: str, shape: list[int], dims: list[int]) -> None:
    check_jvp(reduce_text(shape, dims, body), [distinct(shape), np.array(0.11)], order=2)


def test_a_tie_has_the_mean_of_the_tangents() -> None:
    """As the reverse mode shares the cotangent; the init value is one of the four that reach the maximum."""
    program = jvp_of(reduce_text([4], [0], "maximum"), [0])
    _, tangent = run(program, np.array([1.0, 3.0, 3.0, 3.0]), np.array(3.0), np.array([5.0, 1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(tangent, 6.0 / 4)


REFERENCES = {"add": lax.reduce_sum, "multiply": lax.reduce_prod, "maximum": lax.reduce_max, "minimum": lax.reduce_min}


@pytest.mark.parametrize("body", REFERENCES)
@drawn(4)
@given(reductions(), st.booleans())
def test_reduce_is_jax(body: str, case: tuple[list[int], list[int]], tied: bool) -> None:
    shape, dims = case
    x = np.round(distinct(shape)) if tied else distinct(shape)
    reference = lambda x: REFERENCES[body](x, dims)  # noqa: E731
    ct = np.random.default_rng(1).standard_normal(jax.eval_shape(reference, x).shape)
    (gradient,) = run(vjp_of(reduce_text(shape, dims, body, IDENTITY[body])), x, ct)
    (expected,) = jax.jit(lambda x, ct: jax.vjp(reference, x)[1](ct))(x, ct)
    np.testing.assert_allclose(gradient, expected, rtol=1e-12, atol=1e-12)


def test_product_along_each_dimension() -> None:
    x = np.array([[2.0, 3.0], [5.0, 7.0]])
    cases = ([0], [[5, 7], [2, 3]]), ([1], [[3, 2], [7, 5]]), ([0, 1], [[105, 70], [42, 30]])
    backs = [vjp_of(reduce_text([2, 2], dims, "multiply", "1.0")) for dims, _ in cases]
    cts = [np.ones(np.prod(x, axis=tuple(dims)).shape) for dims, _ in cases]
    found = run_all(*((back, [x, ct]) for back, ct in zip(backs, cts, strict=True)))
    for (_, expected), gradient in zip(cases, found, strict=True):
        np.testing.assert_array_equal(gradient, [expected])


@pytest.mark.parametrize(
    "x, expected",
    [
        ([2, 3, 4, 5, 6], [360, 240, 180, 144, 120]),
        ([2, 0, 4, 5, 6], [0, 240, 0, 0, 0]),
        ([2, 0, 4, 0, 6], [0, 0, 0, 0, 0]),
        ([0, 0, 0, 0, 0], [0, 0, 0, 0, 0]),
    ],
)
def test_product_with_zeros(x: list[float], expected: list[float]) -> None:
    text = reduce_text([5], [0], "multiply", "1.0")
    (gradient,) = run(vjp_of(text), np.array(x, float), np.array(1.0))
    np.testing.assert_array_equal(gradient, expected)


def test_second_derivative_of_a_product_with_two_zeros() -> None:
    """Of x0 x1 x2 x3 x4 at x1 = x3 = 0, the only second derivative is that by x1 and x3."""
    twice = vjp_of(vjp_of(reduce_text([5], [0], "multiply", "1.0")))
    x, u = np.array([2.0, 0.0, 4.0, 0.0, 6.0]), np.array([1.0, 10.0, 100.0, 1000.0, 10000.0])
    gradient, _ = run(twice, x, np.array(1.0), u)
    np.testing.assert_array_equal(gradient, [0, 48000, 0, 480, 0])


def test_maximum_is_shared_by_those_that_reach_it() -> None:
    x = np.array([[3.0, 1.0, 3.0], [2.0, 2.0, 2.0], [0.0, 5.0, 4.0]])
    (gradient,) = run(vjp_of(reduce_text([3, 3], [1], "maximum", IDENTITY["maximum"])), x, np.array([6.0, 6.0, 6.0]))
    np.testing.assert_array_equal(gradient, [[3, 0, 3], [2, 2, 2], [0, 6, 0]])


def test_maximum_is_shared_with_an_init_value_that_reaches_it() -> None:
    x, ct = np.array([1.0, 4.0, 4.0]), np.array(6.0)
    backward = vjp_of(reduce_text([3], [0], "maximum"))
    for init, expected, expected_init in ((0.0, [0, 3, 3], 0), (4.0, [0, 2, 2], 2), (9.0, [0, 0, 0], 6)):
        gradient, gradient_init = run(backward, x, np.array(init), ct)
        np.testing.assert_array_equal(gradient, expected)
        np.testing.assert_array_equal(gradient_init, expected_init)


def test_maximum_of_infinities() -> None:
    inf, ct = np.inf, np.array([6.0, 6.0])
    text = reduce_text([2, 3], [1], "maximum", IDENTITY["maximum"])
    (gradient,) = run(vjp_of(text), np.array([[-inf, -inf, -inf], [1.0, inf, -inf]]), ct)
    np.testing.assert_array_equal(gradient, [[2, 2, 2], [0, 6, 0]])


def test_maximum_over_nan_is_shared_by_all() -> None:
    """The result is NaN and nothing is less than it; a cotangent of NaN reaches all, one of 0 none."""
    x, text = np.array([[1.0, np.nan], [1.0, np.nan]]), reduce_text([2, 2], [1], "maximum", IDENTITY["maximum"])
    (gradient,) = run(vjp_of(text), x, np.array([np.nan, 0.0]))
    np.testing.assert_array_equal(gradient, [[np.nan, np.nan], [0, 0]])


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16], ids=["f16", "bf16"])
@pytest.mark.parametrize("n", [4096, 65536 * 2])
def test_ties_are_counted_beyond_the_element_type(dtype: Any, n: int) -> None:
    """bf16 cannot count beyond 256, f16 beyond 2048, and f16 holds nothing above 65504."""
    element = {np.float16: "f16"}.get(dtype, "bf16")
    init = {"f16": "0xFC00", "bf16": "0xFF80"}[element]
    text = reduce_text([n], [0], "maximum", init, element)
    (gradient,) = run(vjp_of(text), np.ones(n, dtype), np.array(n / 1024, dtype))
    np.testing.assert_array_equal(gradient.astype(np.float64), np.full(n, 1 / 1024))


def test_an_add_in_the_body_does_not_make_it_a_sum() -> None:
    (gradient,) = run(vjp_of(reduce_text([3], [0], SUMMED_PAIRS, "0.0")), np.array([1.0, 2.0, 3.0]), np.array(1.0))
    np.testing.assert_allclose(gradient, [3 * 4, 2 * 4, 2 * 3])


@pytest.mark.parametrize("body", ["add", "multiply"])
def test_complex_numbers(body: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 5)) + 1j * rng.standard_normal((2, 5))
    text = reduce_text([2, 5], [1], body, element="complex<f64>")
    check_vjp(text, [x, np.array(0.5 + 0.25j)], order=2)


@pytest.mark.parametrize(
    "body", ["add", "multiply", "maximum", SUMMED_PAIRS], ids=["add", "multiply", "max", "general"]
)
@pytest.mark.parametrize("shape, dims", [([0], [0]), ([2, 0], [1]), ([0, 3], [1]), ([2, 0, 3], [0, 2])], ids=str)
def test_without_elements(body: str, shape: list[int], dims: list[int]) -> None:
    """Each result is the init value."""
    kept = [n for d, n in enumerate(shape) if d not in dims]
    ct = np.full(kept, 2.0)
    gradient, gradient_init = run(vjp_of(reduce_text(shape, dims, body)), np.zeros(shape), np.array(0.5), ct)
    assert gradient.shape == tuple(shape)
    assert gradient_init == ct.sum()


@pytest.mark.parametrize(
    "body", ["add", "multiply", "maximum", SUMMED_PAIRS], ids=["add", "multiply", "max", "general"]
)
@pytest.mark.parametrize("shape, dims", [([2, 3], []), ([2, 1], [1]), ([1, 1], [1, 0]), ([], [])], ids=str)
def test_of_one_element_is_that_element(body: str, shape: list[int], dims: list[int]) -> None:
    """XLA leaves the init value out where nothing is to be folded; the gradient is that of what runs."""
    check_vjp(reduce_text(shape, dims, body), [distinct(shape), np.array(0.5)], order=2)


# Several operands, and bodies of several ops

AFFINE = """func.func @main(%x: tensor<2x5xf64>, %y: tensor<2x5xf64>, %i: tensor<f64>, %j: tensor<f64>)
    -> (tensor<2xf64>, tensor<2xf64>) {
  %r:2 = stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [1]
      : (tensor<2x5xf64>, tensor<2x5xf64>, tensor<f64>, tensor<f64>) -> (tensor<2xf64>, tensor<2xf64>)
   reducer(%a: tensor<f64>, %c: tensor<f64>) (%b: tensor<f64>, %d: tensor<f64>) {
    %0 = stablehlo.multiply %a, %c : tensor<f64>
    %1 = stablehlo.multiply %b, %c : tensor<f64>
    %2 = stablehlo.add %1, %d : tensor<f64>
    stablehlo.return %0, %2 : tensor<f64>, tensor<f64>
  }
  return %r#0, %r#1 : tensor<2xf64>, tensor<2xf64>
}"""
"""v -> a v + b, then v -> c v + d: maps that do not commute."""


def test_several_operands_that_do_not_commute() -> None:
    rng = np.random.default_rng(0)
    check_vjp(AFFINE, [*rng.standard_normal((2, 2, 5)), np.array(1.5), np.array(0.5)], order=2)


ARGMAX = """func.func @main(%x: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xi32>) {
  %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1]
      : (tensor<3x4xf64>, tensor<3x4xi32>, tensor<f64>, tensor<i32>) -> (tensor<3xf64>, tensor<3xi32>)
   reducer(%a: tensor<f64>, %b: tensor<f64>) (%p: tensor<i32>, %q: tensor<i32>) {
    %more = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %same = stablehlo.compare EQ, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %earlier = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %same, %earlier : tensor<i1>
    %left = stablehlo.or %more, %tie : tensor<i1>
    %value = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f64>
    %index = stablehlo.select %left, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %value, %index : tensor<f64>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<3xf64>, tensor<3xi32>
}"""


def test_value_and_index_pairs_go_to_the_index() -> None:
    x = np.array([[1.0, 4.0, 4.0, 2.0], [7.0, 7.0, 7.0, 7.0], [0.0, 1.0, 2.0, 3.0]])
    assert run(ARGMAX, x)[1].tolist() == [1, 0, 3]
    (gradient,) = run(vjp_of(ARGMAX), x, np.array([5.0, 6.0, 7.0]))
    np.testing.assert_array_equal(gradient, [[0, 5, 0, 0], [6, 0, 0, 0], [0, 0, 0, 7]])


LOGADDEXP = """%m = stablehlo.maximum %a, %b : E
%d = stablehlo.subtract %a, %b : E
%n = stablehlo.abs %d : E
%o = stablehlo.negate %n : E
%e = stablehlo.exponential %o : E
%l = stablehlo.log_plus_one %e : E
%r = stablehlo.add %m, %l : E"""


@pytest.mark.parametrize("n", [1, 2, 5, 13])
def test_logaddexp(n: int) -> None:
    x = distinct([2, n])
    text = reduce_text([2, n], [1], LOGADDEXP, IDENTITY["maximum"])
    (gradient,) = run(vjp_of(text), x, np.ones(2))
    np.testing.assert_allclose(gradient, np.exp(x) / np.sum(np.exp(x), axis=1, keepdims=True), rtol=1e-12)
    check_vjp(text, [x], order=2)


def test_constants_inside_and_outside_of_the_body() -> None:
    """f(a, b) = a b / c, with c from outside: associative, with identity c."""
    text = reduce_text([4], [0], "%p = stablehlo.multiply %a, %b : E\n%r = stablehlo.divide %p, %c : E", "2.0")
    outside = text.replace("%y =", "%c = stablehlo.constant dense<2.0> : tensor<f64>\n%y =")
    inside = text.replace("%p =", "%c = stablehlo.constant dense<2.0> : tensor<f64>\n%p =")
    for program in (outside, inside):
        check_vjp(program, [np.array([1.5, 0.5, -1.0, 2.0])], order=2)


def test_init_values_as_jax_spells_them() -> None:
    """JAX broadcasts constants from rank 0 to rank 0; they are recognised, so no cotangent is computed for them."""
    text = jax.jit(lambda x: lax.reduce_max(x, (1,))).lower(np.zeros((2, 3))).as_text()
    text = text.replace("init: %cst", "init: %b").replace(
        "%0 = stablehlo.reduce",
        "%b = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>\n%0 = stablehlo.reduce",
    )
    plain = to_text(vjp_of(reduce_text([2, 3], [1], "maximum", IDENTITY["maximum"])), syntax="pretty")
    found = to_text(vjp_of(text), syntax="pretty")
    assert found.count("stablehlo.compare") == plain.count("stablehlo.compare") == 1


@pytest.mark.parametrize("body, expected", [("add", [1, 1, 1]), ("multiply", [60, 48, 40])])
def test_a_body_of_wider_elements(body: str, expected: list[float]) -> None:
    """The inputs are converted to the body's elements, their cotangents back. (XLA runs no such reduce itself.)"""
    text = PROGRAMS["wider body"].replace("stablehlo.add", f"stablehlo.{body}")
    x = np.array([[4.0, 5.0, 6.0]] * 2, np.float32)
    gradient, _ = run(vjp_of(text), x, np.array(2.0, np.float32), np.array([1.0, 1.0]))
    assert gradient.dtype == np.float32
    np.testing.assert_array_equal(gradient, [expected] * 2)


# What has no gradient


@pytest.mark.parametrize(
    "body, numbers",
    [
        ("subtract", "f(f(0.5, 1.25), -0.75) is 0, f(0.5, f(1.25, -0.75)) is -1.5"),
        ("divide", "f(f(0.5, 1.25), -0.75)"),
        ("%s = stablehlo.multiply %b, %b : E\n%r = stablehlo.add %a, %s : E", "f(f(0.5, 1.25), -0.75) is 2.625"),
    ],
    ids=["subtract", "divide", "sum_of_squares"],
)
def test_a_body_that_does_not_associate_is_refused(body: str, numbers: str) -> None:
    with pytest.raises(DifferentiationError, match=r"stablehlo.reduce: its body f is not associative") as caught:
        vjp_of(reduce_text([3], [0], body, "0.0"))
    assert numbers in str(caught.value)
    assert "fold by an associative op such as add" in str(caught.value)


def test_a_body_that_is_not_elementwise_is_refused() -> None:
    inner = """%r = stablehlo.reduce(%a init: %b) across dimensions = [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
     reducer(%c: tensor<f64>, %d: tensor<f64>) {
      %e = stablehlo.add %c, %d : tensor<f64>
      stablehlo.return %e : tensor<f64>
    }"""
    with pytest.raises(DifferentiationError, match=r"stablehlo.reduce: its body holds stablehlo.reduce, .*elementwise"):
        vjp_of(reduce_text([3], [0], inner, "0.0"))


def test_a_maximum_of_complex_numbers_is_refused() -> None:
    with pytest.raises(DifferentiationError, match=r"stablehlo.reduce: .*complex.*abs"):
        vjp_of(reduce_text([3], [0], "maximum", element="complex<f64>"))


def test_unknown_sizes_are_refused() -> None:
    text = reduce_text([3, 4], [0], "add", "0.0").replace("tensor<3x4x", "tensor<?x4x")
    with pytest.raises(DifferentiationError, match=r"stablehlo.reduce: it works on tensor<\?x4xf64>.*static shapes"):
        vjp_of(text)


def test_booleans_stop_the_gradient() -> None:
    text = """func.func @main(%x: tensor<3xf64>, %p: tensor<3xi1>) -> tensor<f64> {
      %t = stablehlo.constant dense<true> : tensor<i1>
      %z = stablehlo.constant dense<0.0> : tensor<f64>
      %all = stablehlo.reduce(%p init: %t) applies stablehlo.and across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
      %sum = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
      %y = stablehlo.select %all, %sum, %z : tensor<i1>, tensor<f64>
      return %y : tensor<f64>
    }"""
    (gradient,) = run(vjp_of(text), np.ones(3), np.array([True, True, True]), np.array(2.0))
    np.testing.assert_array_equal(gradient, [2, 2, 2])


# Text

COMMUTATIVE = ["add", "and", "maximum", "minimum", "multiply", "or", "xor"]
OTHERS = ["subtract", "divide", "atan2", "power", "remainder", "shift_left"]


def integers(op: str) -> str:
    return "i32" if op in ("and", "or", "xor", "shift_left") else "f32"


PROGRAMS = {
    **{op: reduce_text([2, 3], [1], op, element=integers(op)) for op in COMMUTATIVE + OTHERS},
    "swapped": reduce_text([2, 3], [1], "%r = stablehlo.add %b, %a : E"),
    "one argument": reduce_text([2, 3], [1], "%r = stablehlo.add %a, %a : E"),
    "unused op": reduce_text([2, 3], [1], "%u = stablehlo.add %a, %b : E\n%r = stablehlo.add %a, %b : E"),
    "general": reduce_text([2, 3], [1], SUMMED_PAIRS),
    "no dimensions": reduce_text([2, 3], [], "add"),
    "all dimensions": reduce_text([2, 3, 4], [2, 0, 1], "add"),
    "attribute": reduce_text([2, 3], [1], "add").replace("= [1]", "= [1] {foo = 1 : i32}"),
    "attribute of reducer": reduce_text([2, 3], [1], SUMMED_PAIRS).replace("= [1]", "= [1] {foo = 1 : i32}"),
    "attribute of the inner op": reduce_text([2, 3], [1], "%r = stablehlo.add %a, %b {foo = 1 : i32} : E"),
    "wider body": reduce_text([2, 3], [1], "add", element="f32")
    .replace("(%a: tensor<f32>, %b: tensor<f32>)", "(%a: tensor<f64>, %b: tensor<f64>)")
    .replace("%a, %b : tensor<f32>", "%a, %b : tensor<f64>")
    .replace("%r : tensor<f32>", "%r : tensor<f64>")
    .replace("tensor<2xf32>", "tensor<2xf64>"),
    "several": AFFINE,
    "value and index": ARGMAX,
    "unknown size": reduce_text([2, 3], [1], "add").replace("2x", "?x"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_is_read_and_printed_as_upstream(name: str) -> None:
    source = PROGRAMS[name]
    for text in (source, cpp.pretty(source), cpp.generic(source)):
        for syntax in ("pretty", "generic"):
            assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n != "attribute of the inner op"])
def test_the_short_form_is_used_where_upstream_uses_it(name: str) -> None:
    def form(text: str) -> list[str]:
        """The lines of the op, without the names of values."""
        words = " ".join(line.strip() for line in text.splitlines() if "reduce" in line).split()
        return [w for w in words if "%" not in w]

    assert form(to_text(parse(PROGRAMS[name]), syntax="pretty")) == form(cpp.pretty(PROGRAMS[name]))


def test_the_short_form_does_not_drop_attributes_of_the_inner_op() -> None:
    """Upstream's does; ours prints the reducer instead."""
    text = PROGRAMS["attribute of the inner op"]
    assert "applies stablehlo.add" in cpp.pretty(text)
    assert "foo" in to_text(parse(text), syntax="pretty")


@pytest.mark.parametrize(
    "inner", ["stablehlo.subtract", "stablehlo.negate", "stablehlo.compare", "add", "stablehlo.foo"]
)
def test_the_short_form_takes_commutative_ops_only(inner: str) -> None:
    text = """func.func @main(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
      %y = stablehlo.reduce(%x init: %z) applies OP across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }""".replace("OP", inner)
    assert cpp.refuses(text)
    with pytest.raises(Exception, match=f"{inner} cannot stand after `applies`; it must be a commutative op"):
        parse(text)


# Construction


def arguments(*types: Any) -> Sequence[Any]:
    return Block(arg_types=types).args


def test_result_types_keep_unknown_sizes() -> None:
    x, z = arguments(tensor((2, UNKNOWN, 4), f32), tensor((), f32))
    assert ReduceOp([x], [z], [0], AddOp).results[0].type == tensor((UNKNOWN, 4), f32)
    assert ReduceOp([x], [z], [1], AddOp).results[0].type == tensor((2, 4), f32)
    window = Window([2, 2, 2])
    assert ReduceWindowOp([x], [z], window, AddOp).results[0].type == tensor((1, UNKNOWN, 3), f32)


@pytest.mark.parametrize("op", [AddOp, AndOp, MaximumOp, MinimumOp, MultiplyOp, OrOp, SubtractOp])
def test_reducer_of_a_class(op: Any) -> None:
    x, z = arguments(tensor((3,), i32), tensor((), i32))
    assert reducer_of(ReduceOp([x], [z], [0], op)) is op


@pytest.mark.parametrize(
    "body, found",
    [
        ("%r = stablehlo.add %b, %a : E", AddOp),
        ("%r = stablehlo.subtract %b, %a : E", None),
        ("%r = stablehlo.add %a, %a : E", None),
        ("%u = stablehlo.add %a, %b : E\n%r = stablehlo.add %a, %b : E", None),
        (SUMMED_PAIRS, None),
    ],
)
def test_reducer_of_a_body(body: str, found: Any) -> None:
    ops = [op for op in parse(reduce_text([3], [0], body)).walk() if isinstance(op, ReduceOp)]
    assert reducer_of(ops[0]) is found


# Constraints

BASE = """func.func @main(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<3x2xf32>, %z: tensor<f32>, %m: tensor<i64>, %u: tensor<f32>) {
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}"""
TWO = (
    BASE.replace("%y =", "%y:2 =")
    .replace("(%x, %z)", "(%x, %s, %z, %z)")
    .replace(
        "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>",
        "(tensor<2x3xf32>, tensor<3x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<3xf32>)",
    )
    .replace("%b: tensor<f32>)", "%b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>)")
    .replace('"stablehlo.return"(%r) : (tensor<f32>)', '"stablehlo.return"(%r, %r) : (tensor<f32>, tensor<f32>)')
)
BROKEN = {
    "reduce_c1": (TWO, ShapeError, "inputs[1] is tensor<3x2xf32>, inputs[0] is tensor<2x3xf32>"),
    "reduce_c2": (
        BASE.replace("(%x, %z)", "(%x, %m)").replace("x3xf32>, tensor<f32>) ->", "x3xf32>, tensor<i64>) ->"),
        DTypeError,
        "init_values[0] is tensor<i64>; it must be tensor<f32>",
    ),
    "reduce_c3": (
        BASE.replace("%y =", "%y:2 =").replace("-> tensor<2xf32>", "-> (tensor<2xf32>, tensor<2xf32>)"),
        VerifyError,
        "",
    ),
    "reduce_c4": (BASE.replace("i64: 1", "i64: 2"), ShapeError, "dimensions are [2]; each must be in 0..1"),
    "reduce_c5": (BASE.replace("i64: 1", "i64: 1, 1"), ShapeError, "dimensions are [1, 1]; they must be distinct"),
    "reduce_c6": (
        BASE.replace("%b: tensor<f32>)", "%b: tensor<f32>, %c: tensor<f32>)"),
        ShapeError,
        "its body takes 3 arguments and returns 1 values; it must take 2 and return 1, for 1 input",
    ),
    "reduce_c6_returns": (
        BASE.replace('"stablehlo.return"(%r)', '"stablehlo.return"(%u, %u)').replace(
            ": (tensor<f32>) -> ()", ": (tensor<f32>, tensor<f32>) -> ()"
        ),
        ShapeError,
        "returns 2 values",
    ),
    "reduce_c6_scalars": (
        BASE.replace("(%a: tensor<f32>", "(%a: tensor<2x3xf32>").replace("(%a, %b)", "(%b, %b)"),
        DTypeError,
        "its body's argument 0 is tensor<2x3xf32>, and it returns tensor<f32> there",
    ),
    "reduce_c6_promotes": (
        BASE.replace("(%x, %z)", "(%n, %z)").replace(
            "tensor<2x3xf32>, tensor<f32>) ->", "tensor<2x3xi32>, tensor<f32>) ->"
        ),
        DTypeError,
        "inputs[0] is tensor<2x3xi32>, and the body computes in f32",
    ),
    "reduce_c7": (
        BASE.replace("-> tensor<2xf32>", "-> tensor<3xf32>"),
        ShapeError,
        "results[0] is tensor<3xf32>, but its operands and attributes give tensor<2xf32>",
    ),
    "reduce_c8": (BASE.replace("-> tensor<2xf32>", "-> tensor<2xf64>"), DTypeError, "results[0] is tensor<2xf64>"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_constraint(name: str) -> None:
    text, error, message = BROKEN[name]
    label = name.split("_")[1].upper()
    assert cpp.refuses(text)
    with pytest.raises(error) as caught:
        parse(text)
    assert message in str(caught.value)
    assert f"(spec reduce {label})" in str(caught.value) or name == "reduce_c3"


def test_a_broken_op_still_prints() -> None:
    x, z = arguments(tensor((3,), i32), tensor((), i32))
    dimensions = {"dimensions": i64_array((0,))}
    op = ReduceOp.create(operands=[x, z], properties=dimensions, regions=[Region()], result_types=[type_of(z)])
    assert "reduce" in str(op)
