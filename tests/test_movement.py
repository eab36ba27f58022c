"""Ops that move elements: values against numpy, gradients against central differences for drawn attributes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64

from hhlo_xdsl.dialects.errors import DTypeError, ShapeError
from hhlo_xdsl.dialects.stablehlo.movement import (
    BroadcastInDimOp,
    ConcatenateOp,
    PadOp,
    ReshapeOp,
    ReverseOp,
    SliceOp,
    TransposeOp,
)
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.dtypes import BY_NAME
from tests.harness import check_jvp, check_vjp, run, vjp_of

FAST = settings(deadline=None, derandomize=True, max_examples=15)
SIZES = st.lists(st.integers(0, 4), max_size=3)


def spelled(shape: Any, element: str = "f64") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def program(body: str, argument: Any, result: Any, *more: str) -> str:
    """main(%x) = %y, where the body defines %y; its square goes out, so that the gradient depends on x."""
    r = spelled(result)
    arguments = ", ".join([f"%x: {spelled(argument)}", *more])
    return f"func.func @main({arguments}) -> {r} {{\n  {body}\n  %z = stablehlo.multiply %y, %y : {r}\n  return %z : {r}\n}}"


def draw_array(shape: Any, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.asarray(np.random.default_rng(seed).standard_normal(tuple(shape)))


def check(text: str, expected: np.ndarray[Any, Any], *args: np.ndarray[Any, Any]) -> None:
    """The value is the square of `expected`, and the gradient is right to second order."""
    (found,) = check_vjp(text, args, order=2)
    np.testing.assert_allclose(found, expected * expected, rtol=1e-12)


def test_reshape() -> None:
    text = program(f"%y = stablehlo.reshape %x : ({spelled((2, 3))}) -> {spelled((3, 1, 2))}", (2, 3), (3, 1, 2))
    x = draw_array((2, 3))
    check(text, x.reshape(3, 1, 2), x)


@FAST
@given(st.data())
def test_transpose(data: st.DataObject) -> None:
    shape = data.draw(SIZES)
    order = data.draw(st.permutations(range(len(shape))))
    out = [shape[d] for d in order]
    text = program(
        f"%y = stablehlo.transpose %x, dims = {list(order)} : ({spelled(shape)}) -> {spelled(out)}", shape, out
    )
    x = draw_array(shape)
    check(text, x.transpose(order), x)


@FAST
@given(st.data())
def test_reverse(data: st.DataObject) -> None:
    shape = data.draw(SIZES)
    dims = data.draw(st.lists(st.sampled_from(range(len(shape))), unique=True)) if shape else []
    text = program(f"%y = stablehlo.reverse %x, dims = {dims} : {spelled(shape)}", shape, shape)
    x = draw_array(shape)
    check(text, np.flip(x, dims), x)


@FAST
@given(st.data())
def test_broadcast_in_dim(data: st.DataObject) -> None:
    """Any order of dimensions, stretched ones among them."""
    out = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    dims = data.draw(st.lists(st.sampled_from(range(len(out))), unique=True))
    shape = [data.draw(st.sampled_from([1, out[d]])) for d in dims]
    text = program(
        f"%y = stablehlo.broadcast_in_dim %x, dims = {dims} : ({spelled(shape)}) -> {spelled(out)}", shape, out
    )
    x = draw_array(shape)
    order = np.argsort(dims)
    aligned = x.transpose(order).reshape([shape[list(dims).index(d)] if d in dims else 1 for d in range(len(out))])
    check(text, np.broadcast_to(aligned, out), x)


@pytest.mark.parametrize(("name", "expected"), [("f8E4M3FN", 96), ("f8E5M2", 96), ("f16", 100), ("bf16", 100)])
def test_broadcast_in_dim_of_small_floats(name: str, expected: float) -> None:
    t = f"tensor<100x{name}>"
    text = f"""func.func @main(%x: tensor<{name}>) -> {t} {{
      %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<{name}>) -> {t}
      return %0 : {t}
    }}"""
    dtype = BY_NAME[name].numpy
    (gradient,) = run(vjp_of(text), np.ones((), dtype), np.ones(100, dtype))
    assert float(gradient) == expected == float(np.array(100.0).astype(dtype))


@FAST
@given(st.data())
def test_slice(data: st.DataObject) -> None:
    shape = data.draw(SIZES)
    start = [data.draw(st.integers(0, n)) for n in shape]
    limit = [data.draw(st.integers(a, n)) for a, n in zip(start, shape, strict=True)]
    stride = [data.draw(st.integers(1, 3)) for _ in shape]
    x = draw_array(shape)
    expected = x[tuple(slice(*r) for r in zip(start, limit, stride, strict=True))]
    ranges = ", ".join(f"{a}:{b}:{s}" for a, b, s in zip(start, limit, stride, strict=True))
    text = program(
        f"%y = stablehlo.slice %x [{ranges}] : ({spelled(shape)}) -> {spelled(expected.shape)}", shape, expected.shape
    )
    check(text, expected, x)


def padded(x: np.ndarray[Any, Any], value: float, low: Any, high: Any, interior: Any) -> np.ndarray[Any, Any]:
    """What pad computes: spread the elements, then add or cut the edges."""
    spread = [max(0, n + (n - 1) * i) if n else 0 for n, i in zip(x.shape, interior, strict=True)]
    y = np.full(spread, value)
    y[tuple(slice(None, None, i + 1) for i in interior)] = x
    edges = [(max(0, a), max(0, b)) for a, b in zip(low, high, strict=True)]
    y = np.pad(y, edges, constant_values=value) if edges else y
    cut = tuple(slice(max(0, -a), y.shape[d] - max(0, -b)) for d, (a, b) in enumerate(zip(low, high, strict=True)))
    return y[cut]


@FAST
@given(st.data())
def test_pad(data: st.DataObject) -> None:
    """Negative and interior padding, and the gradient of the padding value."""
    shape = data.draw(SIZES)
    interior = [data.draw(st.integers(0, 2)) for _ in shape]
    extent = [n + max(0, n - 1) * i for n, i in zip(shape, interior, strict=True)]
    low = [data.draw(st.integers(-n, 2)) for n in extent]
    high = [data.draw(st.integers(-min(n, n + a), 2)) for n, a in zip(extent, low, strict=True)]
    x, value = draw_array(shape), draw_array(())
    expected = padded(x, float(value), low, high, interior)
    text = program(
        f"%y = stablehlo.pad %x, %v, low = {low}, high = {high}, interior = {interior}"
        f" : ({spelled(shape)}, tensor<f64>) -> {spelled(expected.shape)}",
        shape,
        expected.shape,
        "%v: tensor<f64>",
    )
    check(text, expected, x, value)


def test_concatenate() -> None:
    a, b, out = spelled((2, 1, 3)), spelled((2, 0, 3)), spelled((2, 3, 3))
    text = program(
        f"%y = stablehlo.concatenate %x, %b, %c, dim = 1 : ({a}, {b}, {spelled((2, 2, 3))}) -> {out}",
        (2, 1, 3),
        (2, 3, 3),
        f"%b: {b}",
        f"%c: {spelled((2, 2, 3))}",
    )
    x, y, z = draw_array((2, 1, 3)), draw_array((2, 0, 3)), draw_array((2, 2, 3), 1)
    check(text, np.concatenate([x, y, z], 1), x, y, z)


def test_concatenate_of_one_value_twice() -> None:
    t, out = spelled((2,)), spelled((4,))
    text = program(f"%y = stablehlo.concatenate %x, %x, dim = 0 : ({t}, {t}) -> {out}", (2,), (4,))
    x = draw_array((2,))
    check(text, np.concatenate([x, x]), x)


FORWARD = {
    "reshape": ("stablehlo.reshape %x : ({x}) -> {y}", (3, 1, 2)),
    "transpose": ("stablehlo.transpose %x, dims = [1, 0] : ({x}) -> {y}", (3, 2)),
    "reverse": ("stablehlo.reverse %x, dims = [1] : {x}", (2, 3)),
    "broadcast_in_dim": ("stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({x}) -> {y}", (2, 2, 3)),
    "slice": ("stablehlo.slice %x [0:2, 0:3:2] : ({x}) -> {y}", (2, 2)),
    "concatenate": ("stablehlo.concatenate %x, %w, dim = 1 : ({x}, {x}) -> {y}", (2, 6)),
    "pad": ("stablehlo.pad %x, %v, low = [0, -1], high = [1, 2], interior = [1, 0] : ({x}, {v}) -> {y}", (4, 4)),
}


@pytest.mark.parametrize("name", FORWARD)
def test_forward_mode(name: str) -> None:
    op, result = FORWARD[name]
    x, v, y = spelled((2, 3)), spelled(()), spelled(result)
    text = program("%y = " + op.format(x=x, v=v, y=y), (2, 3), result, f"%w: {x}", f"%v: {v}")
    check_jvp(text, [draw_array((2, 3)), draw_array((2, 3), 1), draw_array((), 2)], order=2)


def test_the_padding_value_gets_the_sum_without_cancellation() -> None:
    # sum(ct) - sum(ct at the elements) would lose 1 beside 1e20.
    text = f"""func.func @main(%x: {spelled((1,))}, %v: tensor<f64>) -> {spelled((2,))} {{
      %y = stablehlo.pad %x, %v, low = [0], high = [1], interior = [0] : ({spelled((1,))}, tensor<f64>) -> {spelled((2,))}
      return %y : {spelled((2,))}
    }}"""
    _, value = run(vjp_of(text), np.zeros(1), np.zeros(()), np.array([1e20, 1.0]))
    assert value == 1.0


def _argument(*shape: int, element: Any = f32) -> Any:
    from xdsl.utils.test_value import create_ssa_value

    return create_ssa_value(tensor(shape, element))


INVALID = {
    "reshape_c2": (lambda: ReshapeOp(_argument(2, 3), (4,)), "equally many elements"),
    "transpose_c2": (lambda: TransposeOp(_argument(2, 3), (0, 0)), "each of 0..1 once"),
    "broadcast_in_dim_c2": (lambda: BroadcastInDimOp(_argument(2), (2, 3), (0, 1)), "one per dimension"),
    "broadcast_in_dim_c3": (lambda: BroadcastInDimOp(_argument(2), (2,), (1,)), "each must be in 0..0"),
    "broadcast_in_dim_c4": (lambda: BroadcastInDimOp(_argument(2, 2), (2, 2), (0, 0)), "must be distinct"),
    "broadcast_in_dim_c5": (lambda: BroadcastInDimOp(_argument(2), (3,), (0,)), "it must be 2"),
    "reverse_c2": (lambda: ReverseOp(_argument(2), (0, 0)), "must be distinct"),
    "reverse_c3": (lambda: ReverseOp(_argument(2), (-1,)), "each must be in 0..0"),
    "concatenate_c2": (lambda: ConcatenateOp([_argument(2, 3), _argument(3, 4)], 0), "differ only along dimension 0"),
    "concatenate_c3": (lambda: ConcatenateOp([], 0), "at least one"),
    "concatenate_c4": (lambda: ConcatenateOp([_argument(2)], 1), "must be in 0..0"),
    "pad_c2": (lambda: PadOp(_argument(2), _argument(), (1, 1), (0,), (0,)), "one per dimension"),
    "pad_c3": (lambda: PadOp(_argument(2), _argument(), (0,), (0,), (-1,)), "must not be negative"),
    "pad_c4": (lambda: PadOp(_argument(2), _argument(), (-3,), (0,), (0,)), "no size is negative"),
    "slice_c2": (lambda: SliceOp(_argument(2), (0, 0), (1,), (1,)), "one per dimension"),
    "slice_c3": (lambda: SliceOp(_argument(2), (0,), (3,), (1,)), "0 <= start <= limit <= 2"),
    "slice_c4": (lambda: SliceOp(_argument(2), (0,), (2,), (0,)), "at least 1"),
}


@pytest.mark.parametrize("name", INVALID)
def test_invalid(name: str) -> None:
    make, message = INVALID[name]
    op, _, label = name.rpartition("_")
    with pytest.raises(ShapeError, match=message) as raised:
        make()
    assert str(raised.value).startswith(f"stablehlo.{op}: ")
    assert f"(spec {op} {label.upper()})" in str(raised.value)


def test_concatenate_c1() -> None:
    with pytest.raises(DTypeError, match=r"inputs\[1\] is tensor<2xf64>, inputs\[0\] is tensor<2xf32>"):
        ConcatenateOp([_argument(2), _argument(2, element=f64)], 0)


def test_pad_c1() -> None:
    with pytest.raises(DTypeError, match="a scalar of the operand's elements"):
        PadOp(_argument(2), _argument(1), (0,), (0,), (0,))
