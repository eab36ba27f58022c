"""dot_general and convolution: drawn layouts and attributes against jax and central differences, text, constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jax import lax

from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp
from hhlo_xdsl.dialects.stablehlo.conv_window import PLAIN, Window
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, Image, Kernel
from tests.harness import check_jvp, check_vjp, normal, run, run_all, vjp_of

Array = np.ndarray[Any, Any]


def drawn(examples: int) -> settings:
    return settings(deadline=None, derandomize=True, max_examples=examples)


def spelled(shape: Sequence[object], element: str = "f64") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def main(op: str, lhs: str, rhs: str, out: str) -> str:
    """main(%a, %b) = op, whose types follow."""
    body = f"  %c = {op} : ({lhs}, {rhs}) -> {out}\n  return %c : {out}\n"
    return f"func.func @main(%a: {lhs}, %b: {rhs}) -> {out} {{\n{body}}}\n"


def numbers_of(*shapes: Sequence[int], dtype: Any = np.float64) -> list[Array]:
    rng = np.random.default_rng(len(shapes))
    return [normal(rng, np.empty(shape, dtype)) for shape in shapes]


def check_against_jax(text: str, case: Dot | Conv, **options: Any) -> None:
    """Value, and both cotangents for a random ct, are jax's."""
    x, y, ct = numbers_of(case.lhs, case.rhs, case.out)

    @jax.jit
    def expected(x: Any, y: Any, ct: Any) -> Any:
        value, pull = jax.vjp(case.reference, x, y)
        return value, *pull(ct)

    value, cotangents = run_all((text, [x, y]), (vjp_of(text, **options), [x, y, ct]))
    for ours, theirs in zip((*value, *cotangents), expected(x, y, ct), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-11)


# dot_general


@dataclass(frozen=True)
class Dot:
    """A dot_general whose dimensions have sizes and places drawn at random."""

    lhs: list[int]
    rhs: list[int]
    batching: tuple[list[int], list[int]]
    contracting: tuple[list[int], list[int]]

    @property
    def out(self) -> list[int]:
        taken = [set(b) | set(c) for b, c in zip(self.batching, self.contracting, strict=True)]
        free = [[n for d, n in enumerate(s) if d not in t] for s, t in zip((self.lhs, self.rhs), taken, strict=True)]
        return [*(self.lhs[d] for d in self.batching[0]), *free[0], *free[1]]

    def text(self, clauses: str = "", elements: Sequence[str] = ("f64", "f64", "f64")) -> str:
        (lb, rb), (lc, rc) = self.batching, self.contracting
        op = f"stablehlo.dot_general %a, %b, batching_dims = {lb} x {rb}, contracting_dims = {lc} x {rc}{clauses}"
        return main(op, *(spelled(s, e) for s, e in zip((self.lhs, self.rhs, self.out), elements, strict=True)))

    def reference(self, x: Any, y: Any) -> Any:
        return lax.dot_general(x, y, (self.contracting, self.batching))


@st.composite
def dots(draw: Callable[..., Any], smallest: int = 1) -> Dot:
    sizes = st.lists(st.integers(smallest, 3), max_size=2)
    b, k, i, j = (draw(sizes) for _ in range(4))

    def laid_out(free: list[int]) -> tuple[list[int], list[int], list[int]]:
        """Shape, batching and contracting dimensions, in a random order."""
        order = draw(st.permutations(range(len(b) + len(k) + len(free))))
        shape = [0] * len(order)
        for d, n in zip(order, [*b, *k, *free], strict=True):
            shape[d] = n
        return shape, list(order[: len(b)]), list(order[len(b) : len(b) + len(k)])

    lhs, rhs = laid_out(i), laid_out(j)
    return Dot(lhs[0], rhs[0], (lhs[1], rhs[1]), (lhs[2], rhs[2]))


@drawn(25)
@given(dots(smallest=0))
def test_dot_general_is_jax(dot: Dot) -> None:
    check_against_jax(dot.text(), dot)


@drawn(10)
@given(dots(), st.sampled_from([2, 2, 3]))
def test_dot_general_against_differences(dot: Dot, order: int) -> None:
    check_vjp(dot.text(), numbers_of(dot.lhs, dot.rhs), order=order)


MATMULS = {
    "a_b_transposed": Dot([2, 3], [4, 3], ([], []), ([1], [1])),
    "a_transposed_b": Dot([3, 2], [3, 4], ([], []), ([0], [0])),
    "square_a_b_transposed": Dot([3, 3], [3, 3], ([], []), ([1], [1])),
    "square_a_transposed_b": Dot([3, 3], [3, 3], ([], []), ([0], [0])),
    "q_k_transposed_per_head": Dot([2, 3, 2, 4], [2, 3, 2, 4], ([0, 2], [0, 2]), ([3], [3])),
    "batch_not_first": Dot([3, 2, 4], [4, 5, 2], ([1], [2]), ([2], [0])),
    "batch_last_square": Dot([2, 2, 2], [2, 2, 2], ([2], [2]), ([0], [1])),
    "contraction_permuted": Dot([2, 3, 3], [3, 3, 2], ([], []), ([1, 2], [1, 0])),
    "matrix_times_vector": Dot([3, 4], [4], ([], []), ([1], [0])),
    "outer_product": Dot([3], [4], ([], []), ([], [])),
    "elementwise": Dot([2, 3], [2, 3], ([0, 1], [0, 1]), ([], [])),
    "inner_product": Dot([3], [3], ([], []), ([0], [0])),
    "scalars": Dot([], [], ([], []), ([], [])),
}


@pytest.mark.parametrize("name", MATMULS)
def test_dot_general_layouts_that_need_a_transpose(name: str) -> None:
    dot = MATMULS[name]
    check_vjp(dot.text(), numbers_of(dot.lhs, dot.rhs), order=2)


def test_dot_general_in_forward_mode() -> None:
    dot = Dot([2, 3, 2], [3, 2, 2], ([0], [1]), ([1], [0]))
    check_jvp(dot.text(), numbers_of(dot.lhs, dot.rhs), order=2)


def test_weight_gradient_of_a_linear_layer_is_an_outer_product() -> None:
    x, w = numbers_of([3], [3, 4])
    dot = Dot([3], [3, 4], ([], []), ([0], [0]))
    ct = np.arange(4.0)
    gradient_x, gradient_w = run(vjp_of(dot.text()), x, w, ct)
    np.testing.assert_allclose(gradient_x, w @ ct)
    np.testing.assert_allclose(gradient_w, np.outer(x, ct))


def test_dot_general_of_complex_numbers_pairs_without_conjugation() -> None:
    dot = Dot([2, 3], [3, 2], ([], []), ([1], [0]))
    x, y, ct = numbers_of([2, 3], [3, 2], [2, 2], dtype=np.complex128)
    text = dot.text(elements=["complex<f64>"] * 3)
    gradient_x, gradient_y = run(vjp_of(text), x, y, ct)
    np.testing.assert_allclose(gradient_x, ct @ y.T)
    np.testing.assert_allclose(gradient_y, x.T @ ct)
    check_vjp(text, [x, y], order=2)


# convolution


@dataclass(frozen=True)
class Conv:
    """A convolution with everything drawn at random."""

    lhs: list[int]
    rhs: list[int]
    out: list[int]
    numbers: ConvNumbers
    window: Window = PLAIN
    feature_groups: int = 1
    batch_groups: int = 1

    def text(self, elements: Sequence[str] = ("f64", "f64", "f64"), more: str = "") -> str:
        w = self.window
        lists = {"stride": w.strides, "pad": w.padding, "lhs_dilate": w.lhs_dilation, "rhs_dilate": w.rhs_dilation}
        lists["reverse"] = w.reversal
        clauses = ", ".join(f"{k} = {str(list(v)).translate(BRACKETS).lower()}" for k, v in lists.items() if v)
        groups = f"batch_group_count = {self.batch_groups} : i64, feature_group_count = {self.feature_groups} : i64"
        op = f"stablehlo.convolution(%a, %b) dim_numbers = {self.numbers}, window = {{{clauses}}} {{{groups}{more}}}"
        return main(op, *(spelled(s, e) for s, e in zip((self.lhs, self.rhs, self.out), elements, strict=True)))

    def reference(self, x: Any, y: Any) -> Any:
        n, w, spatial = self.numbers, self.window, len(self.lhs) - 2
        y = lax.rev(y, [d for d, r in zip(n.rhs.spatial, w.reversal or (False,) * spatial, strict=True) if r])
        roles = lax.ConvDimensionNumbers(
            (n.lhs.batch, n.lhs.feature, *n.lhs.spatial),
            (n.rhs.output, n.rhs.input, *n.rhs.spatial),
            (n.out.batch, n.out.feature, *n.out.spatial),
        )
        return lax.conv_general_dilated(
            x,
            y,
            w.strides or (1,) * spatial,
            w.padding or ((0, 0),) * spatial,
            w.lhs_dilation or (1,) * spatial,
            w.rhs_dilation or (1,) * spatial,
            roles,
            self.feature_groups,
            self.batch_groups,
        )


BRACKETS = str.maketrans("()", "[]")


def conv(
    sizes: Sequence[int],
    kernel: Sequence[int],
    window: Window = PLAIN,
    *,
    batch: int = 1,
    features: tuple[int, int] = (1, 1),
    groups: tuple[int, int] = (1, 1),
    order: Sequence[Sequence[int]] | None = None,
) -> Conv:
    """A convolution of `batch` images of `sizes`; its features are (in, out) per group; `order` permutes dimensions.

    Without `order` the layout is [b, 0, 1, .., f] x [0, 1, .., i, o] -> [b, 0, 1, .., f].
    """
    rank, both = len(sizes) + 2, groups[0] * groups[1]
    image, kernels = [0, rank - 1, *range(1, rank - 1)], [rank - 2, rank - 1, *range(rank - 2)]
    a, b, c = (list(p) for p in order or (image, kernels, image))
    outs = [w.out for w in window.dims(sizes, kernel)]

    def placed(places: list[int], values: Sequence[int]) -> list[int]:
        return [values[places.index(d)] for d in range(rank)]

    return Conv(
        placed(a, [batch * groups[1], features[0] * groups[0], *sizes]),
        placed(b, [features[0], features[1] * both, *kernel]),
        placed(c, [batch, features[1] * both, *outs]),
        ConvNumbers(Image(a[0], a[1], tuple(a[2:])), Kernel(b[0], b[1], tuple(b[2:])), Image(c[0], c[1], tuple(c[2:]))),
        window,
        *groups,
    )


@st.composite
def convs(draw: Callable[..., Any]) -> Conv:
    """0 to 3 spatial dimensions, any stride, padding, dilation, reversal, groups and layout."""
    spatial = draw(st.integers(0, 3))

    def per_dim(of: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(of) for _ in range(spatial))

    sizes, kernel = per_dim(st.integers(1, 5)), per_dim(st.integers(1, 3))
    window = Window(
        per_dim(st.integers(1, 3)),
        per_dim(st.tuples(st.integers(-2, 3), st.integers(-2, 3))),
        per_dim(st.integers(1, 3)),
        per_dim(st.integers(1, 2)),
        per_dim(st.booleans()),
    )
    assume(all(w.low + w.dilated_base + w.high >= 0 for w in window.dims(sizes, kernel)))
    return conv(
        sizes,
        kernel,
        window,
        batch=draw(st.integers(1, 2)),
        features=draw(st.tuples(st.integers(1, 2), st.integers(1, 2))),
        groups=draw(st.sampled_from([(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)])),
        order=[draw(st.permutations(range(spatial + 2))) for _ in range(3)],
    )


@drawn(25)
@given(convs(), st.booleans())
def test_convolution_is_jax(case: Conv, portable: bool) -> None:
    check_against_jax(case.text(), case, portable=portable)


@drawn(10)
@given(convs(), st.booleans())
def test_convolution_against_differences(case: Conv, portable: bool) -> None:
    assume(np.prod(case.lhs) < 100)
    check_vjp(case.text(), numbers_of(case.lhs, case.rhs), order=2, portable=portable)


@pytest.mark.parametrize("name", ["stride", "feature_groups", "batch_groups"])
def test_convolution_in_forward_mode(name: str) -> None:
    stride, groups = {"stride": (2, (1, 1)), "feature_groups": (1, (2, 1)), "batch_groups": (1, (1, 2))}[name]
    case = conv([5], [2], Window((stride,), ((1, 0),), (1,), (2,)), batch=1, features=(1, 2), groups=groups)
    check_jvp(case.text(), numbers_of(case.lhs, case.rhs), order=2)


def test_convolution_of_third_order() -> None:
    window = Window((2,), ((1, 0),), (1,), (2,))
    case = conv([5], [2], window, batch=2, features=(1, 2), groups=(2, 1))
    check_vjp(case.text(), numbers_of(case.lhs, case.rhs), order=3)


@drawn(25)
@given(convs())
def test_portable_gradients_have_no_batch_groups_holes_or_cuts(case: Conv) -> None:
    for op in vjp_of(case.text(), portable=True).walk():
        if isinstance(op, ConvolutionOp):
            assert op.groups[1] == 1
            assert all(w.base_dilation == 1 and w.low >= 0 and w.high >= 0 and not w.reversal for w in op.windows)


TRANSPOSED = ([0, 3, 1, 2], [3, 2, 0, 1], [0, 3, 1, 2])
"""[b, 0, 1, f] x [0, 1, o, i] -> [b, 0, 1, f], as a transposed convolution orders its kernel."""
CONVOLUTIONS = {
    "rhs_dilation": conv([6, 5], [2, 3], Window(rhs_dilation=(3, 2))),
    "lhs_dilation": conv([3, 3], [2, 2], Window(lhs_dilation=(2, 3))),
    "feature_groups": conv([4, 4], [2, 2], features=(2, 2), groups=(3, 1)),
    "depthwise": conv([4, 4], [3, 3], features=(1, 1), groups=(4, 1)),
    "batch_groups": conv([4, 4], [2, 2], batch=2, features=(2, 2), groups=(1, 3)),
    "asymmetric_padding": conv([4, 4], [3, 3], Window(padding=((1, 0), (0, 2)))),
    "padding_beyond_the_kernel_with_stride": conv([4, 4], [2, 2], Window((2, 2), ((3, 1), (2, 4)))),
    "negative_padding": conv([5, 5], [2, 2], Window(padding=((-1, 1), (2, -2)))),
    "kernel_gradient_with_batch_and_channels": conv([4, 4], [2, 2], batch=3, features=(2, 3)),
    "kernel_gradient_with_batch_of_as_many_as_channels": conv([3, 3], [2, 2], batch=2, features=(2, 2)),
    "kernel_gradient_with_stride": conv([7, 6], [3, 2], Window((2, 3)), features=(2, 2)),
    "stride_that_skips_the_last_rows": conv([6, 6], [2, 2], Window((4, 3))),
    "window_reversal": conv([4, 4], [2, 3], Window(reversal=(True, False)), features=(2, 2)),
    "transposed_kernel_flip": conv([3, 3], [3, 2], Window(lhs_dilation=(2, 2)), features=(2, 3), order=TRANSPOSED),
    "transposed_asymmetric": conv([2, 2], [3, 3], Window((), ((1, 0), (1, 0)), (2, 2)), order=TRANSPOSED),
    "without_space": conv([], [], batch=2, features=(3, 2)),
}


@pytest.mark.parametrize("portable", [False, True], ids=["", "portable"])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution_attributes(name: str, portable: bool) -> None:
    case = CONVOLUTIONS[name]
    check_vjp(case.text(), numbers_of(case.lhs, case.rhs), order=2, portable=portable)


def test_transposed_convolution_with_asymmetric_padding() -> None:
    """Element (i, j) of lhs is read by as many windows as there are places for it: 2 or 1 along each dimension."""
    case = conv([2, 2], [3, 3], Window((), ((1, 0), (1, 0)), (2, 2)), order=TRANSPOSED)
    x, kernel = numbers_of(case.lhs, case.rhs)
    gradient, _ = run(vjp_of(case.text()), x, np.ones_like(kernel), np.ones(case.out))
    np.testing.assert_array_equal(gradient.reshape(-1), [4, 2, 2, 1])


def test_convolution_of_complex_numbers() -> None:
    case = conv([4], [2], batch=2, features=(2, 2))
    args = numbers_of(case.lhs, case.rhs, dtype=np.complex128)
    check_vjp(case.text(["complex<f64>"] * 3), args, order=2)


@pytest.mark.parametrize(
    "case",
    [
        conv([2], [3]),
        conv([4], [2], batch=0),
        conv([4], [2], features=(0, 2)),
        conv([4], [2], features=(2, 0)),
        conv([0], [2], Window(padding=((2, 2),)), features=(1, 2)),
        conv([4], [2], Window(padding=((-3, -3),))),
    ],
    ids=["no windows", "no batch", "no input features", "no output features", "no space", "cut away"],
)
def test_convolution_without_elements(case: Conv) -> None:
    x, kernel = numbers_of(case.lhs, case.rhs)
    for gradient, operand in zip(run(vjp_of(case.text()), x, kernel, np.ones(case.out)), (x, kernel), strict=True):
        np.testing.assert_array_equal(gradient, np.zeros_like(operand))


# Element types

MIXED = [
    ("bf16", "bf16", "f32"),
    ("f16", "f16", "f32"),
    ("f32", "f32", "bf16"),
    ("f32", "f32", "f64"),
    ("f64", "f64", "f32"),
    ("bf16", "f32", "f32"),
    ("bf16", "f16", "f32"),
    ("f8E4M3FN", "f8E5M2", "bf16"),
]
DTYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}


def check_mixed(case: Dot | Conv, text: str, types: Sequence[str]) -> None:
    """Gradients have their operand's type and jax's f64 value, rounded to it; the numbers are exact in every type."""
    rng = np.random.default_rng(0)
    shapes = case.lhs, case.rhs, case.out
    x, y, ct = (rng.integers(-2, 3, s).astype(DTYPES[t]) for s, t in zip(shapes, types, strict=True))
    _, pull = jax.vjp(case.reference, x.astype(np.float64), y.astype(np.float64))
    expected = pull(ct.astype(np.float64))
    for gradient, value, operand in zip(run(vjp_of(text), x, y, ct), expected, (x, y), strict=True):
        assert gradient.dtype == operand.dtype
        rounded = np.asarray(value).astype(operand.dtype)
        np.testing.assert_array_equal(gradient.astype(np.float64), rounded.astype(np.float64))


@pytest.mark.parametrize("types", MIXED, ids="_".join)
def test_dot_general_of_mixed_types(types: tuple[str, str, str]) -> None:
    dot = Dot([2, 3], [4, 3], ([], []), ([1], [1]))
    check_mixed(dot, dot.text(elements=types), types)


@pytest.mark.parametrize("types", [t for t in MIXED if t[0] == t[1]], ids="_".join)
def test_convolution_of_mixed_types(types: tuple[str, str, str]) -> None:
    case = conv([5], [2], Window((2,), ((1, 0),)), batch=2, features=(1, 2), groups=(2, 1))
    check_mixed(case, case.text(types), types)


def test_an_integer_operand_has_no_gradient() -> None:
    dot = Dot([2, 3], [3, 2], ([], []), ([1], [0]))
    x, y, ct = np.ones((2, 3)), np.arange(6, dtype=np.int32).reshape(3, 2), np.ones((2, 2))
    (gradient,) = run(vjp_of(dot.text(elements=["f64", "i32", "f64"])), x, y, ct)
    np.testing.assert_array_equal(gradient, ct @ y.T)
