"""The gradients of ops that take sizes as operands, and of the deprecated ones: those of the ops that say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import IndexType, f64, i32
from xdsl.ir import SSAValue

from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.stablehlo.contraction import ConvolutionOp
from hhlo_xdsl.dialects.stablehlo.conv_window import Window
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp, elements
from hhlo_xdsl.dialects.stablehlo.deprecated import BroadcastOp, DotOp, EinsumOp, UnaryEinsumOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import ConvNumbers, Image, Kernel
from hhlo_xdsl.dialects.stablehlo.dynamic import (
    DynamicBroadcastInDimOp,
    DynamicConvOp,
    DynamicPadOp,
    DynamicReshapeOp,
    RealDynamicSliceOp,
)
from hhlo_xdsl.dialects.stablehlo.movement import PadOp, SliceOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.text import to_text
from tests.harness import check_jvp, check_vjp, jvp_of, program_of, run, vjp_of

Build = Callable[..., Any]


def constant(*numbers: int, shape: tuple[int, ...] | None = None) -> SSAValue:
    return emit(ConstantOp(elements(tensor(shape or (len(numbers),), i32), numbers)))


X = tensor((4, 3), f64)
NUMBERS = ConvNumbers(Image(0, 1, (2,)), Kernel(0, 1, (2,)), Image(0, 1, (2,)))
WITH_CONSTANTS: dict[str, tuple[list[Any], Build]] = {
    "reshape": ([X], lambda x: DynamicReshapeOp(x, constant(2, 6))),
    "broadcast": ([tensor((3, 1), f64)], lambda x: DynamicBroadcastInDimOp(x, constant(2, 4, 3), [2, 1])),
    "slice": ([X], lambda x: RealDynamicSliceOp(x, constant(1, 0), constant(4, 3), constant(2, 1))),
    "pad": (
        [X, tensor((), f64)],
        lambda x, z: DynamicPadOp(x, z, constant(1, -1), constant(-2, 2), constant(1, 0)),
    ),
    "conv": (
        [tensor((2, 3, 5), f64), tensor((3, 2, 2), f64)],
        lambda x, k: DynamicConvOp(x, k, constant(1, 2, shape=(1, 2)), NUMBERS, Window((2,), (), (), (2,))),
    ),
}


def same(name: str) -> str:
    """The program of the plain op that says the same as the case, for XLA takes no dynamic_conv."""
    types = WITH_CONSTANTS["conv"][0]
    return program_of(types, lambda x, k: ConvolutionOp(x, k, NUMBERS, Window((2,), ((1, 2),), (), (2,))))


@pytest.mark.parametrize("name", [name for name in WITH_CONSTANTS if name != "conv"])
def test_constant_numbers(name: str) -> None:
    types, build = WITH_CONSTANTS[name]
    rng = np.random.default_rng(0)
    check_jvp(program_of(types, build), [rng.standard_normal(t.get_shape()) for t in types], order=2)
    assert "dynamic" not in to_text(vjp_of(program_of(types, build)))


def test_dynamic_conv() -> None:
    types, build = WITH_CONSTANTS["conv"]
    rng = np.random.default_rng(0)
    args = [rng.standard_normal(t.get_shape()) for t in types]
    ct = run(same("conv"), *args)[0] * rng.standard_normal()
    ours, plain = (run(vjp_of(text), *args, ct) for text in (program_of(types, build), same("conv")))
    for a, b in zip(ours, plain, strict=True):
        np.testing.assert_array_equal(a, b)
    assert "stablehlo.convolution" in to_text(jvp_of(program_of(types, build)))


def slice_at_run_time(shape: tuple[int, ...], integer: Any = i32) -> str:
    numbers = tensor((2,), integer)
    return program_of([X, numbers, numbers, numbers], lambda x, *n: RealDynamicSliceOp(x, *n, shape=shape))


def pad_at_run_time(shape: tuple[int, ...]) -> str:
    numbers = tensor((2,), i32)
    types = [X, tensor((), f64), numbers, numbers, numbers]
    return program_of(types, lambda x, z, *n: DynamicPadOp(x, z, *n, shape=shape))


def test_slice_of_numbers_that_are_computed() -> None:
    """XLA takes no such slice, but it takes its gradient: that of the slice with these numbers as attributes."""
    rng = np.random.default_rng(0)
    x, ct = rng.standard_normal((4, 3)), rng.standard_normal((2, 2))
    start, limit, stride = [1, 0], [4, 3], [2, 2]
    plain = program_of([X], lambda x: SliceOp(x, start, limit, stride))
    numbers = [np.array(n, np.int32) for n in (start, limit, stride)]
    found, expected = run(vjp_of(slice_at_run_time((2, 2))), x, *numbers, ct), run(vjp_of(plain), x, ct)
    np.testing.assert_array_equal(found[0], expected[0])


def test_pad_by_numbers_that_are_computed() -> None:
    """Negative edges too: what they cut has no cotangent."""
    rng = np.random.default_rng(0)
    low, high, interior = [1, -1], [-2, 2], [1, 0]
    plain = program_of([X, tensor((), f64)], lambda x, z: PadOp(x, z, low, high, interior))
    x, z, ct = rng.standard_normal((4, 3)), np.array(0.5), rng.standard_normal((6, 4))
    numbers = [np.array(n, np.int32) for n in (low, high, interior)]
    found, expected = run(vjp_of(pad_at_run_time((6, 4))), x, z, *numbers, ct), run(vjp_of(plain), x, z, ct)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)


def test_numbers_of_type_index_must_be_constants() -> None:
    with pytest.raises(DifferentiationError, match=r"real_dynamic_slice: it takes numbers of type tensor<2xindex>"):
        vjp_of(slice_at_run_time((2, 2), IndexType()))


def test_a_padding_that_is_computed_is_refused() -> None:
    text = """func.func @main(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>, %p: tensor<1x2xi32>) -> tensor<1x1x5xf32> {
      %y = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
          dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>}>
          : (tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x2xi32>) -> tensor<1x1x5xf32>
      return %y : tensor<1x1x5xf32>
    }"""
    with pytest.raises(DifferentiationError, match=r"dynamic_conv: its padding is computed when it runs"):
        vjp_of(text)


def test_set_dimension_size() -> None:
    """With a constant that is the size itself, all of it counts."""
    text = """func.func @main(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %y = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf64>, tensor<i32>) -> tensor<2x3xf64>
      %z = stablehlo.sine %y : tensor<2x3xf64>
      return %z : tensor<2x3xf64>
    }"""
    check_jvp(text, [np.random.default_rng(0).standard_normal((2, 3))], order=2)


def test_a_slice_of_an_unknown_size_is_refused() -> None:
    """How much to pad its cotangent by is not known."""
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<2xf32> {
      %0 = stablehlo.slice %x [0:2] : (tensor<?xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    with pytest.raises(DifferentiationError, match=r"stablehlo.slice: it works on tensor<\?xf32>, .* every size"):
        vjp_of(text)


def test_sizes_that_are_not_known_are_refused() -> None:
    text = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<f32> {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
      %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0]
          : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }"""
    with pytest.raises(DifferentiationError, match="every size"):
        vjp_of(text)


# Deprecated ops. XLA takes dot and broadcast, but no einsum.

EINSUMS = ["ij,jk->ik", "bij,bkj->kbi", "i,j->ji", "ij,ij->", "ij,k->j", "ii,i->i", "iij,jk->ki", "ij,->ji"]


def einsum_text(config: str) -> tuple[str, list[Any]]:
    sizes, rng = dict(b=2, i=3, j=4, k=2), np.random.default_rng(0)
    terms = config.partition("->")[0].split(",")
    types = [tensor(tuple(sizes[k] for k in letters), f64) for letters in terms]
    build: Build = EinsumOp if len(terms) == 2 else UnaryEinsumOp
    args = [rng.standard_normal(t.get_shape()) for t in types]
    return program_of(types, lambda *xs: build(*xs, config)), args


@pytest.mark.parametrize("config", [*EINSUMS, "ij->i", "ij->ji", "ii->i", "ii->", "ijk->kj"])
def test_einsum(config: str) -> None:
    """Linear in each operand, so the pairing with any direction is the einsum of that direction."""
    text, args = einsum_text(config)
    rng = np.random.default_rng(1)
    ct = rng.standard_normal(np.einsum(config, *args).shape)
    gradients = run(vjp_of(text), *args, ct)
    for i, gradient in enumerate(gradients):
        u = rng.standard_normal(args[i].shape)
        along = np.sum(ct * np.einsum(config, *(u if k == i else x for k, x in enumerate(args))))
        np.testing.assert_allclose(np.sum(gradient * u), along, rtol=1e-10, atol=1e-12)
    check_vjp(to_text(vjp_of(text)), [*args, ct], order=1)


def test_forward_mode_of_einsum() -> None:
    """XLA takes no einsum, so the tangent is that of the program in which dot_general stands in its place."""
    text, (x, y) = einsum_text("bij,bkj->kbi")
    ops = [op.name for op in jvp_of(text).walk()]
    assert ops.count("stablehlo.einsum") == 1
    assert ops.count("stablehlo.dot_general") == 2
    pushed = to_text(jvp_of(text))
    line = next(row for row in pushed.splitlines() if "stablehlo.einsum" in row)
    name = line.split("=")[0].strip()
    zero = f"{name} = stablehlo.constant dense<0.0> : tensor<2x2x3xf64>"
    dx, dy = (np.random.default_rng(2).standard_normal(v.shape) for v in (x, y))
    _, tangent = run(pushed.replace(line, zero), x, y, dx, dy)
    expected = np.einsum("bij,bkj->kbi", dx, y) + np.einsum("bij,bkj->kbi", x, dy)
    np.testing.assert_allclose(tangent, expected, rtol=1e-12)


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4))], ids=str)
def test_dot(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    rng = np.random.default_rng(0)
    text = program_of([tensor(s, f64) for s in shapes], DotOp)
    check_jvp(text, [rng.standard_normal(s) for s in shapes], order=2)


def test_broadcast() -> None:
    check_jvp(program_of([X], lambda x: BroadcastOp(x, [2, 3])), [np.random.default_rng(0).standard_normal((4, 3))])
