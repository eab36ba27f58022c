"""What tests of the functions people call share: many functions in one program, compared with numpy or JAX.

No function is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import hhlo_xdsl as hh

Pair = tuple[Callable[..., Any], Callable[..., Any]]
"""One of ours, and what gives the right answer: both are called with the same arguments."""


def evaluate(functions: Mapping[str, Callable[..., Any]], *arrays: Any) -> dict[str, Any]:
    """The results of all functions, by name, from one compiled program."""
    results = hh.jit(lambda *xs: {name: fn(*xs) for name, fn in functions.items()})(*arrays)
    return {name: _numpy(result) for name, result in results.items()}


def _numpy(result: Any) -> Any:
    return [_numpy(r) for r in result] if isinstance(result, list | tuple) else np.asarray(result.numpy())


def check(
    pairs: Mapping[str, Pair], *arrays: Any, rtol: float = 1e-6, atol: float = 1e-6, dtypes: bool = False
) -> None:
    """Assert that each of ours gives what the other one gives: shapes, values, and with `dtypes` element types too."""
    found = evaluate({name: ours for name, (ours, _) in pairs.items()}, *arrays)
    for name, (_, theirs) in pairs.items():
        with np.errstate(all="ignore"):
            expected = theirs(*arrays)
        if not isinstance(expected, list | tuple):
            expected, found[name] = [expected], [found[name]]
        assert len(expected) == len(found[name]), name
        for x, y in zip(found[name], expected, strict=True):
            assert x.shape == np.shape(y), f"{name}: shape {x.shape}, expected {np.shape(y)}"
            assert not dtypes or x.dtype == np.asarray(y).dtype, f"{name}: {x.dtype}, expected {np.asarray(y).dtype}"
            np.testing.assert_allclose(x, np.asarray(y), rtol=rtol, atol=atol, err_msg=name)


def check_with_jax(pairs: Mapping[str, Pair], *arrays: Any, **tolerances: float) -> None:
    """`check`, for functions of JAX: they are compiled as one, since each alone takes long."""
    import jax

    expected = jax.jit(lambda *xs: {name: theirs(*xs) for name, (_, theirs) in pairs.items()})(*arrays)
    check({name: (ours, lambda *_, n=name: expected[n]) for name, (ours, _) in pairs.items()}, *arrays, **tolerances)
