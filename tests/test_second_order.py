"""hhlo-grad applied twice, against jax.grad applied twice to the same function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse
from tests.harness import run
from tests.test_programs import arguments, source


def mlp(x: Any, y: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """What tests/data/programs/mlp.mlir computes."""
    return jnp.sum((jnp.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2) / 32


def grouped_conv(x: Any, kernel: Any) -> Any:
    """What tests/data/programs/grouped_conv.mlir computes."""
    y = jax.lax.conv_general_dilated(
        x,
        kernel,
        (2, 1),
        ((1, 1), (1, 1)),
        rhs_dilation=(1, 2),
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=2,
    )
    return jnp.sum(jnp.sin(y))


@pytest.mark.parametrize(
    ("name", "fn", "wrt", "tolerance"),
    [("mlp", mlp, (2, 3, 4, 5), 1e-5), ("grouped_conv", grouped_conv, (0, 1), 1e-10)],
)
def test_hessian_times_vector(name: str, fn: Callable[..., Any], wrt: tuple[int, ...], tolerance: float) -> None:
    """The gradient of <gradient, v>, for a random v per argument, with respect to all arguments in `wrt`."""
    args = arguments(name)
    rng = np.random.default_rng(0)
    vs = [np.asarray(rng.standard_normal(args[i].shape), args[i].dtype) for i in wrt]
    module = parse(source(name))
    differentiate(module, GradPass(wrt=wrt, value=False))
    differentiate(module, GradPass(wrt=wrt, value=False, seed=True, result=tuple(range(len(wrt)))))
    verify(module)
    found = run(module, *args, *vs)
    with jax.enable_x64(True):

        def along(*arguments: Any) -> Any:
            gradients = jax.grad(fn, wrt)(*arguments)
            return sum(jnp.vdot(g, v) for g, v in zip(gradients, vs, strict=True))

        expected = jax.jit(jax.grad(along, wrt))(*args)
    for ours, theirs in zip(found, expected, strict=True):
        assert float(np.abs(ours - theirs).max()) <= tolerance * float(np.abs(theirs).max())
