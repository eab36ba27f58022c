"""`hh.jit`: what is traced again, static and donated arguments, where it runs, `lower` and `compile`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.test_runtime import OnlyDlpack

X = np.arange(4, dtype=np.float32)


@pytest.fixture(scope="module")
def session() -> Iterator[hh.Session]:
    with hh.Session("cpu", devices=2) as session:
        yield session


def counted(fn: Any) -> tuple[Any, list[int]]:
    """fn, and a list that grows with every trace of it."""
    calls: list[int] = []

    def traced(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        return fn(*args, **kwargs)

    return traced, calls


def test_equal_types_are_traced_once():
    fn, calls = counted(lambda tree: tree["a"] + tree["b"])
    f = hh.jit(fn)
    for k in range(3):
        assert f({"a": X, "b": X + k}).numpy().tolist() == (X + X + k).tolist()
    # Arrays on the device are told apart from numpy's by who made them, not by what they compute.
    on_device = f({"a": X, "b": X})
    for _ in range(3):
        on_device = f({"a": on_device, "b": on_device})
    assert len(calls) == 2
    f({"a": X[:2], "b": X[:2]})
    f({"a": X.astype(np.float64), "b": X})
    assert len(calls) == 4


def test_an_argument_that_has_only_dlpack():
    fn, calls = counted(lambda x: x * 2)
    f = hh.jit(fn)
    for _ in range(2):
        assert f(OnlyDlpack(X)).numpy().tolist() == [0, 2, 4, 6]
    assert len(calls) == 1


# Static arguments


def power(x: Any, n: int, *, scale: float = 1.0) -> Any:
    for _ in range(n - 1):
        x = x * x
    return x * scale


@pytest.mark.parametrize("static", [1, (1,), "n", ("n",)])
def test_static_by_number_or_name(static: Any):
    f = hh.jit(power, static=static)
    assert f(X, 2).numpy().tolist() == (X**2).tolist()
    assert f(X, n=3).numpy().tolist() == (X**4).tolist()
    assert f(X, 1).numpy().tolist() == X.tolist()


def test_static_values_are_part_of_the_program():
    fn, calls = counted(power)
    f = hh.jit(fn, static=(1, "scale"))
    for _ in range(2):
        assert float(f(np.float32(3), 2, scale=0.5)) == 4.5
        assert float(f(np.float32(3), 2, scale=2.0)) == 18
    assert len(calls) == 2


def test_static_without_a_hash():
    with pytest.raises(
        hh.RuntimeArgumentError, match="static argument 1 is list, which has no hash; use what does not"
    ):
        hh.jit(power, static=1)(X, [2])


@pytest.mark.parametrize("static", ["m", -1, 7])
def test_static_of_no_parameter(static: Any):
    with pytest.raises(
        hh.RuntimeArgumentError, match=r"static names parameter .*, and power has \['x', 'n', 'scale'\]"
    ):
        hh.jit(power, static=static)


def test_functions_may_be_static():
    f = hh.jit(lambda fn, x: fn(x), static=0)
    assert float(f(hh.square, np.float32(3))) == 9
    assert float(f(hh.negative, np.float32(3))) == -3


# Donation


def test_donated_trees_are_gone(session: hh.Session):
    def step(x: Any, state: dict[str, Any], rate: Any) -> dict[str, Any]:
        return {k: v - rate * x for k, v in state.items()}

    f = hh.jit(step, donate=1, session=session)
    state = {"a": session.put(X), "b": session.put(X)}
    x = session.put(X)
    out = f(x, state, 0.5)
    assert out["b"].numpy().tolist() == (X / 2).tolist()
    assert (x.is_deleted, state["a"].is_deleted, state["b"].is_deleted) == (False, True, True)
    assert f(x, out, 0.5)["a"].numpy().tolist() == [0, 0, 0, 0]


# Where it runs


def test_device(session: hh.Session):
    second = session.devices[1]
    f = hh.jit(lambda x: x + 1, session=session, device=second)
    assert f(X).device is second
    with pytest.raises(hh.RuntimeArgumentError, match="found an array on cpu:0, but the program runs on cpu:1"):
        f(session.put(X))
    assert f(session.put(X).copy_to(second)).numpy().tolist() == (X + 1).tolist()


def test_partitions(session: hh.Session):
    mesh = hh.Mesh({"x": 2})
    f = hh.jit(
        lambda x: hh.shard(x, mesh, ("x",)) * 2, session=session, options=hh.CompileOptions(partitions=mesh.size)
    )
    out = f(X)
    assert repr(out.device) == "2 pieces on cpu:0,cpu:1"
    assert f(out).numpy().tolist() == (4 * X).tolist()


# lower and compile


def test_lower_takes_types_and_arrays():
    f = hh.jit(lambda p, x: hh.sum(p["w"] * x))
    module = f.lower({"w": hh.f32[4]}, X)
    assert hh.to_text(module) == hh.to_text(hh.trace(lambda w, x: hh.sum(w * x), hh.f32[4], hh.f32[4]))


def test_compile_does_not_run():
    exe = hh.jit(power, static="n").compile(hh.f32[4], n=2)
    assert exe.signature == ((hh.f32[4],), (hh.f32[4],))
    assert exe(X)[0].numpy().tolist() == (X**2).tolist()
    assert exe.cost_analysis()["flops"] > 0


def test_types_are_not_called():
    with pytest.raises(hh.RuntimeArgumentError, match=r"argument leaf 0 is the type f32\[4\]; an array"):
        hh.jit(power, static="n")(hh.f32[4], 2)


# Threads


def test_a_trace_that_waits_for_another_thread():
    inner = hh.jit(lambda x: x + 1)

    def fn(x: Any) -> Any:
        results: list[Any] = []
        thread = threading.Thread(target=lambda: results.append(outer(X[:2])))
        if x.shape == (4,):
            thread.start()
            thread.join(30)
            assert not thread.is_alive()
        return inner(x)

    outer = hh.jit(fn)
    assert outer(X).numpy().tolist() == (X + 1).tolist()
