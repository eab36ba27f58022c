"""`hh.linalg` and `hh.fft` against numpy, and their derivatives against JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(11)
A = RNG.standard_normal((2, 3, 4, 4))
B = RNG.standard_normal((3, 4, 2))
Z = RNG.standard_normal((4, 4)) + 1j * RNG.standard_normal((4, 4))
L, F = hh.linalg, hh.fft


def test_parts_and_products():
    x = RNG.standard_normal((3, 4, 5))
    pairs = {}
    for k in (-5, -2, -1, 0, 1, 3, 6):
        pairs |= {
            f"diagonal {k}": (lambda x, k=k: L.diagonal(x, k), lambda x, k=k: np.diagonal(x, k, -2, -1)),
            f"trace {k}": (lambda x, k=k: L.trace(x, k), lambda x, k=k: np.trace(x, k, -2, -1)),
            f"diagonal of others {k}": (lambda x, k=k: hh.diagonal(x, k, 2, 0), lambda x, k=k: np.diagonal(x, k, 2, 0)),
        }
    pairs |= {
        "kron": (lambda x: hh.kron(x[0], x[1, :2]), lambda x: np.kron(x[0], x[1, :2])),
        "kron of ranks": (lambda x: hh.kron(x, x[0, 0]), lambda x: np.kron(x, x[0, 0])),
        "cross": (lambda x: hh.cross(x, x[:, ::-1], 0), lambda x: np.cross(x, x[:, ::-1], axis=0)),
        "cross broadcast": (lambda x: hh.cross(x[0, 0, :3], x[:, :, :3]), lambda x: np.cross(x[0, 0, :3], x[:, :, :3])),
    }
    check(pairs, x)


def test_powers():
    pairs = {
        str(n): (lambda x, n=n: L.matrix_power(x, n), lambda x, n=n: np.linalg.matrix_power(x, n))
        for n in (0, 1, 2, 5, 7, -2)
    }
    check(pairs, A, rtol=1e-8)


def test_norms():
    norm = np.linalg.norm
    pairs = {
        f"vector {p}": (lambda x, p=p: L.vector_norm(x, 1, ord=p), lambda x, p=p: norm(x, p, 1))
        for p in (2, 1, 0, 3, 0.5, np.inf, -np.inf)
    }
    pairs |= {
        f"matrix {p}": (lambda x, p=p: L.matrix_norm(x, ord=p), lambda x, p=p: norm(x, p, (-2, -1)))
        for p in ("fro", 1, -1, np.inf, -np.inf)
    }
    pairs |= {
        "all": (lambda x: L.norm(x), lambda x: norm(x.ravel())),
        "axis": (lambda x: L.norm(x, axis=0, keepdims=True), lambda x: norm(x, axis=0, keepdims=True)),
        "two axes": (lambda x: L.norm(x, 1, (0, 2), keepdims=True), lambda x: norm(x, 1, (0, 2), keepdims=True)),
        "one axis": (lambda x: L.norm(x, 1, 0), lambda x: norm(x, 1, 0)),
        "complex": (lambda x: L.vector_norm(x + 1j), lambda x: norm((x + 1j).ravel())),
    }
    check(pairs, RNG.standard_normal((3, 4, 5)))
    gradient = evaluate({"g": lambda x: hh.grad(lambda x: L.norm(x) + L.vector_norm(x, ord=3))(x)}, np.zeros(3))["g"]
    assert gradient.tolist() == [0, 0, 0]


def test_factors():
    spd = A @ A.swapaxes(-1, -2) + np.eye(4)
    hermitian = Z @ Z.conj().T + np.eye(4)

    def product(a):
        factors, perm = L.lu(a)
        lower = hh.tril(factors, -1) + hh.eye(4, dtype=hh.f64)
        return lower @ hh.triu(factors) - hh.take_along_axis(a, perm[..., None], -2)

    pairs = {
        "cholesky": (lambda a, s, h: L.cholesky(s), lambda a, s, h: np.linalg.cholesky(s)),
        "upper": (lambda a, s, h: L.cholesky(s, upper=True).mT, lambda a, s, h: np.linalg.cholesky(s)),
        "complex": (lambda a, s, h: L.cholesky(h), lambda a, s, h: np.linalg.cholesky(h)),
        "lu": (lambda a, s, h: product(a), lambda a, s, h: np.zeros_like(a)),
        "greatest pivots": (
            lambda a, s, h: hh.abs(hh.tril(L.lu(a)[0], -1)) <= 1,
            lambda a, s, h: np.ones(a.shape, bool),
        ),
        "solve": (lambda a, s, h: L.solve(a, B), lambda a, s, h: np.linalg.solve(a, B)),
        "solve a vector": (lambda a, s, h: L.solve(a, B[0, :, 0]), lambda a, s, h: np.linalg.solve(a, B[0, :, 0])),
        "solve complex": (lambda a, s, h: L.solve(h, B), lambda a, s, h: np.linalg.solve(h, B)),
        "inv": (lambda a, s, h: L.inv(a), lambda a, s, h: np.linalg.inv(a)),
        "det": (lambda a, s, h: L.det(a), lambda a, s, h: np.linalg.det(a)),
        "det complex": (lambda a, s, h: L.det(h), lambda a, s, h: np.linalg.det(h)),
        "slogdet": (lambda a, s, h: L.slogdet(a), lambda a, s, h: list(np.linalg.slogdet(a))),
    }
    check(pairs, A, spd, hermitian, rtol=1e-9, atol=1e-9)


def test_special_matrices():
    zero = np.array([[0.0, 1, 0], [2, 0, 0], [0, 0, 3]])
    singular = np.array([[1.0, 2], [2, 4]])
    found = evaluate(
        {
            "det": lambda z, s: (L.det(z), L.det(s), L.det(hh.zeros((0, 0)))),
            "solve": lambda z, s: L.solve(z, np.array([1.0, 2, 3])),
            "slogdet": lambda z, s: L.slogdet(s),
            "f16": lambda z, s: L.inv(z.astype(hh.f16)),
            "i32": lambda z, s: L.det(z.astype(hh.i32)),
            "empty": lambda z, s: (L.inv(z[:0, :0]), L.solve(z, z[:, :0]), L.cholesky(z[:0, :0])),
            "one": lambda z, s: L.inv(s[:1, :1] * 4),
        },
        zero,
        singular,
    )
    np.testing.assert_allclose(found["det"], [-6, 0, 1], atol=1e-12)
    np.testing.assert_allclose(found["solve"], [1, 1, 1])
    assert found["slogdet"][0] == 0
    assert found["slogdet"][1] == -np.inf
    np.testing.assert_allclose(found["f16"].astype(np.float64), np.linalg.inv(zero), rtol=1e-3)
    assert found["f16"].dtype == np.float16
    assert found["i32"].dtype == np.float32
    assert found["i32"] == -6
    assert [x.shape for x in found["empty"]] == [(0, 0), (3, 0), (0, 0)]
    assert found["one"] == 0.25


def test_triangular_solve():
    pairs = {}
    for lower in (False, True):
        for transpose in (False, True):
            for conjugate in (False, True):
                options = {"lower": lower, "transpose_a": transpose, "conjugate_a": conjugate}

                def theirs(a, left, o=options):
                    t = np.tril(a) if o["lower"] else np.triu(a)
                    t = t.T if o["transpose_a"] else t
                    t = t.conj() if o["conjugate_a"] else t
                    b = B[0] + 1j
                    return np.linalg.solve(t, b) if left else np.linalg.solve(t.T, b).T

                pairs |= {
                    f"left {options}": (
                        lambda a, o=options: L.triangular_solve(a, B[0] + 1j, **o),
                        lambda a, f=theirs: f(a, True),
                    ),
                    f"right {options}": (
                        lambda a, o=options: L.triangular_solve(a, B[0].T + 1j, left_side=False, **o),
                        lambda a, f=theirs: f(a, False),
                    ),
                }
    pairs["vector"] = (lambda a: L.triangular_solve(a, B[0, :, 0]), lambda a: np.linalg.solve(np.triu(a), B[0, :, 0]))
    check(pairs, Z, rtol=1e-9, atol=1e-9)


def test_gradients():
    spd = A[0, 0] @ A[0, 0].T + np.eye(4)
    functions = {
        "solve": lambda m, a, s: (m.linalg.solve(a, B[0]) ** 2).sum(),
        "inv": lambda m, a, s: (m.linalg.inv(a) ** 2).sum(),
        "det": lambda m, a, s: m.linalg.det(a),
        "slogdet": lambda m, a, s: m.linalg.slogdet(a)[1],
        "trace": lambda m, a, s: m.linalg.trace(a @ a),
        "norm": lambda m, a, s: m.linalg.norm(a),
        "cholesky": lambda m, a, s: (m.linalg.cholesky((a @ a.T) + s) ** 3).sum(),
        "complex": lambda m, a, s: m.abs(m.linalg.det(a + 1j * s)),
        "rfft": lambda m, a, s: (m.abs(m.fft.rfftn(a)) ** 2).sum() + m.real(m.fft.fft(a[0]) ** 2)[1],
    }

    def of(transform, m, fn):
        return lambda a, s: transform(lambda a: fn(m, a, s))(a)

    def second(grad):
        return lambda fn: grad(lambda a: (grad(fn)(a) ** 2).sum())

    pairs = {name: (of(hh.grad, hh, fn), of(jax.grad, jnp, fn)) for name, fn in functions.items()}
    pairs |= {
        f"{name}, second": (of(second(hh.grad), hh, functions[name]), of(second(jax.grad), jnp, functions[name]))
        for name in ("solve", "slogdet")
    }
    check_with_jax(pairs, A[0, 1], spd, rtol=1e-8, atol=1e-8)


def test_forward_mode():
    def ours(a):
        return hh.jvp(lambda a: L.solve(a, B[0]), (a,), (a.T,))[1]

    def theirs(a):
        return jax.jvp(lambda a: jnp.linalg.solve(a, B[0]), (a,), (a.T,))[1]

    check_with_jax({"solve": (ours, theirs)}, A[0, 1], rtol=1e-8)


X = RNG.standard_normal((3, 4, 5))
COMPLEX = ("fft", "ifft", "irfft", "hfft")
SEVERAL = ("fftn", "ifftn", "irfftn")


def test_transforms():
    pairs = {}
    for norm in ("backward", "ortho", "forward"):
        for name in (*COMPLEX, "rfft", "ihfft"):
            for options in ({}, {"n": 3}, {"n": 6, "axis": 1}, {"n": 1}, {"axis": 0}):
                pairs[f"{name} {norm} {options}"] = transform_pair(name, norm, options, 1j if name in COMPLEX else 0)
        for name in (*SEVERAL, "rfftn"):
            for options in ({}, {"axes": (1, 0)}, {"s": (4, 6)}, {"s": (3,), "axes": (1,)}):
                pairs[f"{name} {norm} {options}"] = transform_pair(name, norm, options, 1j if name in SEVERAL else 0)
    for name in ("fft2", "ifft2", "irfft2", "rfft2"):
        pairs[name] = transform_pair(name, "backward", {}, 0 if name == "rfft2" else 1j)
    check(pairs, X, rtol=1e-9, atol=1e-9)


def transform_pair(name, norm, options, imaginary):
    if "s" in options and "axes" not in options:
        theirs = {**options, "axes": (-2, -1)}  # numpy is about to ask for them
    else:
        theirs = options

    def at(x):
        return x + imaginary * x[::-1] if imaginary else x

    return (
        lambda x: getattr(F, name)(at(x), norm=norm, **options),
        lambda x: getattr(np.fft, name)(at(x), norm=norm, **theirs),
    )


def test_frequencies():
    pairs = {
        f"{name} {n}": (
            lambda x, f=name, n=n: getattr(F, f)(n, 0.5, dtype=hh.f64),
            lambda x, f=name, n=n: getattr(np.fft, f)(n, 0.5),
        )
        for name in ("fftfreq", "rfftfreq")
        for n in (1, 4, 5)
    }
    pairs |= {
        f"{name} {axes}": (
            lambda x, f=name, a=axes: getattr(F, f)(x, a),
            lambda x, f=name, a=axes: getattr(np.fft, f)(x, a),
        )
        for name in ("fftshift", "ifftshift")
        for axes in (None, 0, (1, -1))
    }
    check(pairs, X)


def test_types_of_transforms():
    found = evaluate(
        {"f32": F.fft, "f16": lambda x: F.rfft(x.astype(hh.f16)), "i32": lambda x: F.irfft(x.astype(hh.i32))},
        np.ones(4, np.float32),
    )
    assert {name: y.dtype.name for name, y in found.items()} == {
        "f32": "complex64",
        "f16": "complex64",
        "i32": "float32",
    }


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.ShapeError, r"cholesky: found f32\[2, 3\]; square matrices were expected", lambda x: L.cholesky(x)),
        (hh.ShapeError, r"inv: found f32\[3\]; a matrix, or a batch", lambda x: L.inv(x[0])),
        (hh.ShapeError, r"solve: a is f32\[2, 2\], b is f32\[3\]; as many rows", lambda x: L.solve(x[:, :2], x[0])),
        (hh.ShapeError, r"triangular_solve: a is .*; size 2 was", lambda x: L.triangular_solve(x[:, :2], x.T)),
        (hh.ShapeError, r"matrix_power: n is 1\.5; an integer", lambda x: L.matrix_power(x[:, :2], 1.5)),
        (hh.ShapeError, r"diagonal: x is f32\[3\]; at least 2", lambda x: L.diagonal(x[0])),
        (hh.ShapeError, r"cross: .*; size 3 along 0 was expected", lambda x: L.cross(x, x, 0)),
        (hh.ShapeError, r"matrix_norm: ord is 2; .fro., 1", lambda x: L.matrix_norm(x, ord=2)),
        (hh.ShapeError, r"norm: ord is .fro. over 1 dimensions", lambda x: L.norm(x, "fro", 0)),
        (hh.DTypeError, r"rfft: x is complex<f32>\[2, 3\]; real numbers", lambda x: F.rfft(x + 1j)),
        (hh.ShapeError, r"fft: there are 0 points", lambda x: F.fft(x, 0)),
        (hh.ShapeError, r"irfft: there are 0 points", lambda x: F.irfft(x[:, :1])),
        (hh.ShapeError, r"fft: norm is 'none'; .backward.", lambda x: F.fft(x, norm="none")),
        (hh.ShapeError, r"fftn: s is \(3,\), axes are \[0, 1\]; a size per axis", lambda x: F.fftn(x, (3,), (0, 1))),
        (hh.ShapeError, r"ifft: axis is 2", lambda x: F.ifft(x, axis=2)),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_ops_linalg\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
