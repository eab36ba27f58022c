"""LAPACK functions that JAX's programs for CPUs call: values and derivatives of both modes, against JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import pytest

from hhlo_xdsl.errors import DifferentiationError
from tests.harness import check_jvp, run, vjp_of
from tests.jax_programs import check_with_jax, lowered

pytestmark = pytest.mark.compat

RNG = np.random.default_rng(0)
M = RNG.standard_normal((2, 4, 4))
A = M @ M.transpose(0, 2, 1) + 4 * np.eye(4)
Z = M + 1j * RNG.standard_normal((2, 4, 4))
HERMITIAN = Z @ Z.conj().transpose(0, 2, 1) + 4 * np.eye(4)
B = RNG.standard_normal((2, 4, 3))
C = RNG.standard_normal((4, 4))


def process(x: Any, y: Any, scale: Any) -> Any:
    """The log marginal likelihood of a Gaussian process."""
    k = jnp.exp(-(((x[:, None] - x[None]) / scale) ** 2)) + 0.1 * jnp.eye(len(x))
    factor = jnp.linalg.cholesky(k)
    return -0.5 * y @ jsl.cho_solve((factor, True), y) - jnp.log(jnp.diagonal(factor)).sum()


def kalman(ys: Any, step: Any, noise: Any) -> Any:
    """The log likelihood of observations of a linear system, by a Kalman filter."""

    def update(carry: Any, y: Any) -> Any:
        mean, cov = carry
        mean, cov = step @ mean, step @ cov @ step.T + 0.1 * jnp.eye(4)
        s = cov + noise * jnp.eye(4)
        gain = jsl.solve(s, cov, assume_a="pos").T
        score = jnp.sum((y - mean) ** 2)
        return (mean + gain @ (y - mean), cov - gain @ cov), score

    return jax.lax.scan(update, (jnp.zeros(4), jnp.eye(4)), ys)[1].sum()


def solved(a: Any, b: Any) -> Any:
    factor = jnp.linalg.cholesky(a)
    return (jsl.solve_triangular(factor, b, lower=True, trans="T", unit_diagonal=True) ** 2).sum()


def spectrum(a: Any) -> Any:
    values, vectors = jnp.linalg.eigh(a)
    return jnp.sum(jnp.sin(values)) + jnp.sum(jnp.abs(vectors[..., 0, :]) ** 2 * values**2)


def eliminated(a: Any, b: Any) -> Any:
    """What goes by LU factors with pivots: a solution, an inverse, a log-determinant."""
    sign, size = jnp.linalg.slogdet(a)
    return (jnp.linalg.solve(a, b) ** 2).sum() + jnp.sin(jnp.linalg.inv(a)).sum() + (jnp.abs(sign) * size).sum()


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "gaussian process": (process, (B[0, :, 0], B[0, :, 1], np.float64(0.7))),
    "kalman": (kalman, (RNG.standard_normal((5, 4)), 0.3 * C, np.float64(0.5))),
    "solve": (solved, (A, B)),
    "eigh": (spectrum, (A,)),
    "lu": (eliminated, (M, B)),
    "lu solve": (lambda a, b: (jnp.linalg.solve(a, b) ** 2).sum(), (M[0], B[0])),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_jax(name: str) -> None:
    fn, args = PROGRAMS[name]
    check_with_jax(fn, *args)


@pytest.mark.parametrize("name", ["gaussian process", "solve", "eigh", "lu solve"])
def test_both_modes_against_differences(name: str) -> None:
    """Tangents, and the gradient's own gradient."""
    fn, args = PROGRAMS[name]
    module = lowered(fn, *args)
    check_jvp(module, list(args))
    check_jvp(vjp_of(module), [*args, np.float64(1.0)])


def test_single_precision() -> None:
    check_with_jax(solved, A.astype(np.float32), B.astype(np.float32), rtol=1e-4)
    check_with_jax(spectrum, A.astype(np.float32), rtol=1e-4)
    check_with_jax(eliminated, A.astype(np.float32), B.astype(np.float32), rtol=1e-4)


def test_complex_cotangents_are_those_of_jax() -> None:
    """Factors, inverses and eigenvalues of Hermitian matrices, with weights, so that the gauge of vectors does not matter."""

    def fn(a: Any) -> Any:
        values, vectors = jnp.linalg.eigh(a)
        weights = jnp.abs(vectors) ** 2 * C
        factors = jnp.abs(jnp.linalg.cholesky(a) * C) ** 2 + jnp.abs(jnp.linalg.inv(a)) ** 2 * C.T
        return factors.sum() + weights.sum() + (values**3).sum()

    expected = jax.jit(jax.grad(fn))(HERMITIAN)
    (found,) = run(vjp_of(lowered(fn, HERMITIAN)), HERMITIAN, np.float64(1))
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


def test_a_matrix_without_factor_has_no_gradient() -> None:
    """As in JAX, value and gradient are NaN."""
    module = lowered(lambda a: jnp.linalg.cholesky(a).sum(), -np.eye(2))
    assert np.isnan(run(vjp_of(module), -np.eye(2), np.float64(1))[0]).all()


def test_eigenvalues_that_are_not_found_have_no_gradient() -> None:
    module = lowered(lambda a: jnp.linalg.eigh(a)[0].sum(), np.eye(3))
    assert np.isnan(run(vjp_of(module), np.full((3, 3), np.nan), np.float64(1))[0]).all()


def test_matrices_that_are_not_square_are_refused() -> None:
    module = lowered(lambda a: jsl.lu_factor(a)[0].sum(), np.ones((3, 2)))
    with pytest.raises(DifferentiationError, match=r"custom_call: no derivative rule yet \(its matrix is not square\)"):
        vjp_of(module)


def test_functions_of_equal_eigenvalues_are_differentiated() -> None:
    """The gradient of the trace of sin(a) is cos(a), also where all eigenvalues are equal."""
    module = lowered(lambda a: jnp.sin(jnp.linalg.eigh(a)[0]).sum(), np.eye(4))
    (found,) = run(vjp_of(module), np.eye(4), np.float64(1))
    np.testing.assert_allclose(found, np.cos(1) * np.eye(4), atol=1e-12)


def test_other_functions_are_named() -> None:
    with pytest.raises(
        DifferentiationError,
        match=r"what @lapack_dgesdd_ffi computes is not known here; of LAPACK, .*getrf, heevd, potrf",
    ):
        vjp_of(lowered(lambda a: jnp.linalg.svd(a)[1], C))
