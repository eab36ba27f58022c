"""grad, value_and_grad, grad_module and jit from Python."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.tensor import Tensor


def loss(w: Any, x: Any) -> Any:
    return hh.sum(hh.tanh(x @ w) ** 2)


W = np.random.default_rng(0).standard_normal((3, 2)).astype(np.float32)
X = np.random.default_rng(1).standard_normal((4, 3)).astype(np.float32)


def expected_gradient(w: Any, x: Any) -> Any:
    """d sum(tanh(x w)^2) / dw, by hand."""
    y = np.tanh(x @ w)
    return x.T @ (2 * y * (1 - y**2))


def test_value_and_grad() -> None:
    value, dw = hh.jit(hh.value_and_grad(loss))(W, X)
    np.testing.assert_allclose(value.numpy(), np.sum(np.tanh(X @ W) ** 2), rtol=1e-5)
    np.testing.assert_allclose(dw.numpy(), expected_gradient(W, X), rtol=1e-4)


def test_grad_outside_a_trace_runs() -> None:
    np.testing.assert_allclose(hh.grad(loss)(W, X).numpy(), expected_gradient(W, X), rtol=1e-4)


def test_several_arguments_give_a_tuple() -> None:
    dx, dw = hh.grad(loss, wrt=(1, 0))(W, X)
    assert (dx.shape, dw.shape) == (X.shape, W.shape)
    np.testing.assert_allclose(dw.numpy(), expected_gradient(W, X), rtol=1e-4)


class Layer(NamedTuple):
    w: Any
    b: Any


@dataclass(frozen=True)
class Net:
    first: Layer
    rest: list[Any]


def test_containers() -> None:
    """Dataclasses, named tuples, lists and dicts; the gradient nests as the argument does."""

    def f(net: Net, x: Any) -> Any:
        return hh.sum((x @ net.first.w + net.first.b) * net.rest[0]["scale"])

    net = Net(Layer(W, np.zeros(2, np.float32)), [{"scale": np.float32(3.0)}])
    value, found = hh.jit(hh.value_and_grad(f))(net, X)
    assert isinstance(found, Net)
    assert isinstance(found.first, Layer)
    np.testing.assert_allclose(found.first.w.numpy(), np.outer(X.sum(0), [3, 3]), rtol=1e-5)
    np.testing.assert_allclose(found.first.b.numpy(), [12, 12], rtol=1e-6)
    np.testing.assert_allclose(found.rest[0]["scale"].numpy(), np.sum(X @ W), rtol=1e-4)
    np.testing.assert_allclose(value.numpy(), 3 * np.sum(X @ W), rtol=1e-4)


def test_has_aux() -> None:
    def f(w: Any) -> Any:
        y = hh.sin(w)
        return hh.sum(y), {"y": y, "n": 3}

    (value, aux), dw = hh.value_and_grad(f, has_aux=True)(W)
    np.testing.assert_allclose(aux["y"].numpy(), np.sin(W), rtol=1e-6)
    np.testing.assert_allclose(dw.numpy(), np.cos(W), rtol=1e-6)
    assert aux["n"].item() == 3
    assert value.shape == ()
    dw, aux = hh.grad(f, has_aux=True)(W)
    np.testing.assert_allclose(dw.numpy(), np.cos(W), rtol=1e-6)


def test_gradients_nest() -> None:
    def cube(x: Any) -> Any:
        return x * x * x

    assert hh.grad(hh.grad(cube))(np.float32(2.0)).item() == 12
    assert hh.grad(hh.grad(hh.grad(cube)))(np.float32(2.0)).item() == 6


def test_a_closure_over_an_outer_tensor_is_a_constant_inside() -> None:
    def outer(x: Any) -> Any:
        inner = hh.grad(lambda y: hh.sum(x * y * y))(x)  # 2 x y at y = x, where x is held
        return hh.sum(inner)

    x = np.array([1.0, 2.0], np.float32)
    assert hh.jit(outer)(x).item() == 10
    # the outer gradient sees both ways: d/dx of 2 x^2
    np.testing.assert_allclose(hh.grad(outer)(x).numpy(), 4 * x)


def test_closed_over_arrays_are_constants() -> None:
    np.testing.assert_allclose(hh.grad(lambda w: loss(w, X))(W).numpy(), expected_gradient(W, X), rtol=1e-4)


def test_an_unused_argument_has_zero_gradient() -> None:
    _, dx = hh.grad(lambda w, x: hh.sum(w), wrt=(0, 1))(W, X)
    assert (dx.numpy() == 0).all()


def test_gradient_of_a_real_loss_of_complex_numbers_is_not_conjugated() -> None:
    z = np.array([1 + 2j, -3j], np.complex64)
    found = hh.grad(lambda z: hh.sum(hh.real(z * hh.conj(z))))(z)
    np.testing.assert_allclose(found.numpy(), 2 * np.conj(z), rtol=1e-6)


def test_jit_traces_once_per_types() -> None:
    count = 0

    def f(x: Any) -> Any:
        nonlocal count
        count += 1
        return x + 1

    compiled = hh.jit(f)
    for _ in range(3):
        assert compiled(np.float32(1)).item() == 2
    assert compiled(np.float64(1)).dtype == np.float64
    assert compiled(np.ones(2, np.float32)).shape == (2,)
    assert count == 3


def test_jit_in_a_trace_is_the_function() -> None:
    inner = hh.jit(lambda x: hh.sin(x))
    assert hh.jit(lambda x: inner(x) * 2)(np.float32(0.5)).item() == pytest.approx(2 * np.sin(0.5), rel=1e-6)


def test_jit_from_several_threads() -> None:
    compiled = hh.jit(hh.value_and_grad(loss))
    wrong: list[BaseException] = []

    def work(i: int) -> None:
        try:
            for n in range(2, 5):
                x = np.random.default_rng(10 * i + n).standard_normal((n, 3)).astype(np.float32)
                np.testing.assert_allclose(compiled(W, x)[1].numpy(), expected_gradient(W, x), rtol=1e-3, atol=1e-5)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_grad_module_leaves_its_argument_alone() -> None:
    module = hh.trace(loss, hh.f32[3, 2], hh.f32[4, 3])
    before = hh.to_text(module)
    gradient = hh.grad_module(module, wrt=(0,))
    assert hh.to_text(module) == before
    with hh.Session("cpu") as session:
        (dw,) = session.compile(gradient)(W, X)
        np.testing.assert_allclose(dw.numpy(), expected_gradient(W, X), rtol=1e-4)


def traced_error(fn: Any, *args: Any, error: type[Exception] = hh.DifferentiationError) -> str:
    with pytest.raises(error) as raised:
        fn(*args)
    message = str(raised.value)
    assert "test_transforms.py" in message, message  # the user's line
    return message


def test_grad_of_a_vector() -> None:
    message = traced_error(hh.grad(lambda x: hh.sin(x)), W)
    assert "returns f32[3, 2]; a gradient needs one floating scalar; sum it" in message


def test_grad_of_an_integer() -> None:
    message = traced_error(hh.grad(lambda x: hh.sum(x.astype(hh.i32))), W)
    assert "returns i32[]" in message


def test_grad_of_several_results() -> None:
    assert "has_aux" in traced_error(hh.grad(lambda x: (hh.sum(x), x)), W)


def test_wrt_out_of_range() -> None:
    assert "wrt is 2, but the function was called with 2 arguments" in traced_error(hh.grad(loss, wrt=2), W, X)


@pytest.mark.parametrize("wrt", [None, 1.5, "0", [0.0], [[0]], True, [False]])
def test_wrt_must_be_integers(wrt: Any) -> None:
    assert "integers were expected" in traced_error(hh.grad(loss, wrt=wrt), W, X)


def test_wrt_may_be_an_integer_of_numpy() -> None:
    product = lambda a, b: a * b  # noqa: E731
    x, y = np.float32(2), np.float32(3)
    assert hh.grad(product, np.int64(1))(x, y).numpy() == 2
    assert [g.numpy() for g in hh.grad(product, np.array([1, 0]))(x, y)] == [2, 3]


def test_gradient_of_a_function_without_arguments() -> None:
    assert "called without arguments" in traced_error(hh.grad(lambda: 1.0))


@pytest.mark.parametrize("argument", ["text", {1, 2}, None.__class__, np.array([1, None]), np.array(["2020"], "M8[s]")])
def test_arguments_that_are_not_numbers(argument: Any) -> None:
    with pytest.raises(hh.RuntimeArgumentError, match=r"argument leaf 1 is .*; an array or a number was expected"):
        hh.jit(lambda a, b: a)(np.ones(2), argument)


def test_a_type_is_not_an_argument() -> None:
    with pytest.raises(hh.RuntimeArgumentError, match=r"argument leaf 0 is the type f32\[2\]"):
        hh.jit(lambda a: a)(hh.f32[2])


def test_wrt_of_an_integer() -> None:
    message = traced_error(hh.grad(lambda n: hh.sum(n * 1.0)), np.arange(3, dtype=np.int32))
    assert "is i32[3]; only floating and complex" in message


def test_wrt_twice() -> None:
    assert "each once" in traced_error(hh.grad(loss, wrt=(0, -2)), W, X)


def test_shape_mismatch_names_shapes_and_line() -> None:
    message = traced_error(hh.jit(lambda a, b: a + b), W, X, error=hh.ShapeError)
    assert "stablehlo.add: shapes [3, 2] and [4, 3] do not broadcast" in message


def test_a_tensor_has_no_value() -> None:
    assert "hh.where" in traced_error(hh.jit(lambda x: x if x > 0 else -x), np.float32(1), error=hh.TraceError)
    assert "no value while" in traced_error(hh.jit(lambda x: float(x)), np.float32(1), error=hh.TraceError)


def test_a_tensor_of_another_trace() -> None:
    kept: list[Tensor] = []

    def leak(x: Tensor) -> Tensor:
        kept.append(x)
        return x

    hh.trace(leak, hh.f32[2])
    with pytest.raises(hh.TraceError, match="belongs to another trace"):
        hh.trace(lambda y: y + kept[0], hh.f32[2])


def test_ops_outside_a_trace() -> None:
    with pytest.raises(hh.TraceError, match=r"hh\.jit"):
        hh.sin(np.ones(2, np.float32))


def test_a_function_that_returns_text() -> None:
    with pytest.raises(hh.HhloError, match="tensors, numbers and containers"):
        hh.trace(lambda x: "no", hh.f32[2])


def test_options_of_the_wrong_kind() -> None:
    module = hh.trace(loss, hh.f32[3, 2], hh.f32[4, 3])
    with pytest.raises(hh.DifferentiationError, match="grad_module: wrt is 0; integers were expected"):
        hh.grad_module(module, wrt=0)  # pyright: ignore[reportArgumentType]
    with pytest.raises(hh.DifferentiationError, match="grad_module: result is 'loss'; integers were expected"):
        hh.grad_module(module, result="loss")
    with pytest.raises(hh.HhloError, match="grad_module: got str; a module was expected"):
        hh.grad_module("module {}")  # pyright: ignore[reportArgumentType]


def test_unknown_options() -> None:
    module = hh.trace(loss, hh.f32[3, 2], hh.f32[4, 3])
    with pytest.raises(hh.HhloError, match="the options are those of hhlo-grad"):
        hh.grad_module(module, speed="high")
