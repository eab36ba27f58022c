"""What Python and numpy ask of a tensor by protocols, the methods it has, and calls by name and from several threads."""

from __future__ import annotations

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, evaluate

X = np.array([[1.25, -2.5, 0.35], [4.05, -0.25, 3.0]], np.float32)
N = np.array([7, -7, 2], np.int32)


def test_builtins():
    pairs = {
        "divmod": (lambda x, n: divmod(n, 3), lambda x, n: list(divmod(n, 3))),
        "divmod of a number": (lambda x, n: divmod(20, n), lambda x, n: list(divmod(20, n))),
        "round": (lambda x, n: round(x), lambda x, n: np.round(x)),
        "round to places": (lambda x, n: round(x, 1), lambda x, n: np.asarray(jnp.round(x, 1))),
        "round to tens": (lambda x, n: hh.round(x * 10, -1), lambda x, n: np.round(x * 10, -1)),
        "round of integers": (lambda x, n: round(n, 2), lambda x, n: n),
        "iteration": (lambda x, n: [row[0] for row in x], lambda x, n: list(x[:, 0])),
        "pow": (lambda x, n: pow(n, 2), lambda x, n: n**2),
    }
    check(pairs, X, N)


def test_functions_of_numpy():
    pairs = {
        name: (lambda x, n, f=name: getattr(np, f)(x), lambda x, n, f=name: getattr(np, f)(x))
        for name in ("sin", "exp", "absolute", "rint", "floor", "conjugate", "isnan", "negative")
    }
    pairs |= {
        name: (lambda x, n, f=name: getattr(np, f)(x, x[0]), lambda x, n, f=name: getattr(np, f)(x, x[0]))
        for name in ("add", "true_divide", "arctan2", "maximum", "less", "mod", "logaddexp")
    }
    pairs |= {
        "array + tensor": (lambda x, n: X + x, lambda x, n: X + x),
        "array @ tensor": (lambda x, n: X.T @ x, lambda x, n: X.T @ x),
        "array == tensor": (lambda x, n: np.array([7, 1, 2]) == n, lambda x, n: np.array([7, 1, 2]) == n),
        "array << tensor": (lambda x, n: np.int32([1, 1, 1]) << n, lambda x, n: np.array([128, 0, 4])),
        "shape": (lambda x, n: [*np.shape(x), np.ndim(x), np.size(x)], lambda x, n: [2, 3, 2, 6]),
        "scalar ** tensor": (lambda x, n: np.float32(2) ** x, lambda x, n: np.float32(2) ** x),
        "divmod": (lambda x, n: divmod(np.int32([9, 9, 9]), n), lambda x, n: list(divmod(np.int32([9, 9, 9]), n))),
    }
    check(pairs, X, N, rtol=1e-5)


def test_methods():
    reductions = ("sum", "prod", "mean", "var", "std", "max", "min", "argmax", "argmin")
    pairs = {name: (lambda x, f=name: getattr(x, f)(1), lambda x, f=name: getattr(x, f)(1)) for name in reductions}
    pairs |= {
        "all": (lambda x: (x > 0).all(0), lambda x: (x > 0).all(0)),
        "any": (lambda x: (x > 0).any(), lambda x: (x > 0).any()),
        "transpose": (lambda x: x[None].transpose(2, 0, 1), lambda x: x[None].transpose(2, 0, 1)),
        "transpose reversed": (lambda x: x[None].transpose(), lambda x: x[None].transpose()),
        "mT": (lambda x: x[None].mT, lambda x: x[None].swapaxes(1, 2)),
        "flatten": (lambda x: x.flatten() + x.ravel(), lambda x: x.ravel() * 2),
        "squeeze": (lambda x: x[None].squeeze(), lambda x: x),
        "clip": (lambda x: x.clip(-1, 1), lambda x: x.clip(-1, 1)),
        "dot": (lambda x: x.dot(x.T), lambda x: x.dot(x.T)),
        "parts": (lambda x: (x + 2j).conj().imag + x.real, lambda x: x - 2),
        "round": (lambda x: x.round(), lambda x: x.round()),
    }
    check(pairs, X, rtol=1e-5)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"len\(\) or iteration of Tensor\(f32\[\]\): it has rank 0", lambda x: len(x[0])),
        (hh.ShapeError, r"len\(\) or iteration of Tensor\(f32\[\]\)", lambda x: list(x[0])),
        (hh.TraceError, r"pow: with a modulus, here 3, it is not offered", lambda x: pow(x, 2, 3)),
        (hh.TraceError, r"numpy\.add with out of Tensor\(f32\[3\]\): not while", lambda x: np.add(x, x, out=X[0])),
        (hh.TraceError, r"numpy\.add\.reduce of .*: not while tracing", lambda x: np.add.reduce(x)),
        (hh.TraceError, r"numpy\.frexp of .*: not while tracing; use functions of hh", lambda x: np.frexp(x)),
        (hh.TraceError, r"numpy\.sum of Tensor\(f32\[3\]\): not while tracing; use hh\.sum", lambda x: np.sum(x)),
        (hh.TraceError, r"numpy\.concatenate of .*: not while tracing", lambda x: np.concatenate([x, x])),
        (hh.TraceError, r"`in` of Tensor\(f32\[3\]\): it has no value while", lambda x: 1.0 in x),
        (hh.TraceError, r"complex\(\) of Tensor\(f32\[\]\): it has no value", lambda x: complex(x[0])),
        (hh.TraceError, r"format '\.3f' of Tensor\(f32\[3\]\): it has no value", lambda x: f"{x:.3f}"),
        (hh.TraceError, r"item\(\) of Tensor\(f32\[3\]\): it has no value", lambda x: x.item()),
        (hh.DTypeError, r"round: decimals is -1, x is i32\[3\]", lambda x: hh.round(x.astype(hh.i32), -1)),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_protocols\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[3])


def test_text_of_a_tensor():
    assert evaluate({"x": lambda x: x if f"{x} {x!r}" == "Tensor(f32[2, 3]) Tensor(f32[2, 3])" else None}, X)


def test_arguments_by_name():
    def f(x, *, scale, shift=1.0):
        return {"y": x * scale + shift}

    compiled = hh.jit(f)
    np.testing.assert_allclose(compiled(X, scale=2.0)["y"].numpy(), X * 2 + 1)
    np.testing.assert_allclose(compiled(x=X, shift=0.0, scale=X)["y"].numpy(), X * X)
    inner = hh.jit(lambda x: compiled(x, scale=3.0)["y"])
    np.testing.assert_allclose(inner(X).numpy(), X * 3 + 1)
    with pytest.raises(hh.RuntimeArgumentError, match="argument leaf 1 is str"):
        compiled(X, scale="a")


def test_gradients_pass_names_on():
    def loss(x, *, scale):
        return (x * x * scale).sum()

    np.testing.assert_allclose(hh.grad(loss)(X, scale=X).numpy(), jax.grad(loss)(X, scale=X), rtol=1e-6)
    value, gradient = hh.value_and_grad(loss)(X, scale=2.0)
    np.testing.assert_allclose(value.numpy(), (X * X * 2).sum(), rtol=1e-6)
    np.testing.assert_allclose(gradient.numpy(), 4 * X, rtol=1e-6)
    with pytest.raises(hh.DifferentiationError, match="called without arguments; pass those in wrt, by position"):
        hh.grad(loss)(x=X, scale=2.0)


def test_tracing_may_wait_for_other_threads():
    """A function may, while it is traced, call another compiled one, or itself for other types, on another thread."""
    other = hh.jit(lambda x: x + 1)

    def in_thread(fn, *args):
        result = []
        thread = threading.Thread(target=lambda: result.append(fn(*args).numpy()), daemon=True)
        thread.start()
        thread.join(60)
        assert result, "the other thread waits for this one"
        return result[0]

    def f(x):
        if x.ndim == 2:
            return x * in_thread(compiled, X[0]) + in_thread(other, X[0])
        return x * 2

    compiled = hh.jit(f)
    np.testing.assert_allclose(compiled(X).numpy(), X * X[0] * 2 + X[0] + 1, rtol=1e-6)


def test_threads_compile_once():
    traced = []

    def f(x):
        traced.append(threading.get_ident())
        return x + 1

    compiled = hh.jit(f)
    threads = [threading.Thread(target=compiled, args=(X,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(traced) == 1


def test_a_failed_trace_leaves_no_lock():
    wanted = [ValueError("first")]

    def f(x):
        if wanted:
            raise wanted.pop()
        return x + 1

    compiled = hh.jit(f)
    with pytest.raises(ValueError, match="first"):
        compiled(X)
    np.testing.assert_allclose(compiled(X).numpy(), X + 1)
