"""`hh.Mesh` and `hh.shard`: programs whose tensors are cut over devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hhlo_xdsl as hh

X = np.arange(32, dtype=np.float32).reshape(8, 4) / 10
W = np.arange(24, dtype=np.float32).reshape(4, 6) / 7 - 1


@pytest.fixture(scope="module")
def session() -> Iterator[hh.Session]:
    with hh.Session("cpu", devices=4) as session:
        yield session


def loss(mesh: hh.Mesh) -> Any:
    def fn(w: Any, x: Any) -> Any:
        x = hh.shard(x, mesh, ("data", None))
        w = hh.shard(w, mesh, (None, "model"))
        return hh.mean(hh.tanh(x @ w) ** 2)

    return fn


def test_the_program_names_the_mesh():
    module = hh.trace(lambda x: hh.shard(x, hh.Mesh({"a": 2, "b": 2}), (("a", "b"), None)), hh.f32[8, 4])
    assert hh.to_text(module).splitlines()[1:4] == [
        '  sdy.mesh @mesh_a2_b2 = <["a"=2, "b"=2]>',
        "  func.func public @main(%0: tensor<8x4xf32>) -> tensor<8x4xf32> {",
        '    %1 = sdy.sharding_constraint %0 <@mesh_a2_b2, [{"a", "b"}, {}]> : tensor<8x4xf32>',
    ]
    assert hh.to_text(hh.parse(hh.to_text(module))) == hh.to_text(module)


def test_gradient_over_a_mesh(session: hh.Session):
    fn = loss(hh.Mesh({"data": 2, "model": 2}))
    module = hh.trace(hh.value_and_grad(fn), hh.f32[4, 6], hh.f32[8, 4])
    value, gradient = session.compile(module, options=hh.CompileOptions(partitions=4))(W, X)
    y = np.tanh(X.astype(np.float64) @ W)
    expected = X.T @ (2 * y * (1 - y**2)) / y.size
    np.testing.assert_allclose(float(value), np.mean(y**2), rtol=1e-6)
    np.testing.assert_allclose(gradient.numpy(), expected, rtol=1e-5, atol=1e-7)
    assert repr(gradient.device).startswith("1x2 pieces on cpu:0,cpu:1,cpu:2,cpu:3")


def test_one_device_runs_it_too():
    fn = loss(hh.Mesh({"data": 1, "model": 1}))
    value = hh.jit(fn)(W, X)
    np.testing.assert_allclose(float(value), np.mean(np.tanh(X @ W) ** 2), rtol=1e-6)


@pytest.mark.parametrize(
    "axes, text",
    [
        (("x",), r"axes are given for 1 dimensions, and f32\[8, 4\] has 2; give one each"),
        (("z", None), r"axis 'z' is not one of \['x', 'y'\], or named twice"),
        (("x", "x"), r"axis 'x' is not one of \['x', 'y'\], or named twice"),
        ((None, ("x", "y")), r"dimension 1 of f32\[8, 4\] cannot be cut into 6 equal pieces"),
    ],
)
def test_wrong_axes(axes: Any, text: str):
    mesh = hh.Mesh({"x": 2, "y": 3})
    with pytest.raises(hh.ShapeError, match=text):
        hh.trace(lambda x: hh.shard(x, mesh, axes), hh.f32[8, 4])


@pytest.mark.parametrize("axes", [{}, {"x": 0}, {"x": True}, {"": 2}, {"a b": 2}])
def test_wrong_meshes(axes: Any):
    with pytest.raises(hh.ShapeError, match=r'names with sizes as \{"x": 4\} were expected'):
        hh.Mesh(axes)
