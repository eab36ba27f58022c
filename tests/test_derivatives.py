"""jvp, vjp, Jacobians, Hessians, stop_gradient and functions with rules of their own, from Python, beside JAX."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hhlo_xdsl as hh

X, Y = np.array([0.5, -1.5, 2.0]), np.array([2.0, 3.0])
V, W = np.array([1.0, 10.0, -3.0]), np.array([0.25, -2.0])


def f(x: Any, y: Any) -> Any:
    return {"outer": hh.sin(x)[:, None] * y[None, :], "sum": hh.sum(x * x) * y[0]}


def f_jax(x: Any, y: Any) -> Any:
    return {"outer": jnp.sin(x)[:, None] * y[None, :], "sum": jnp.sum(x * x) * y[0]}


def close(found: Any, expected: Any) -> None:
    found, structure = jax.tree.flatten(found, is_leaf=lambda leaf: isinstance(leaf, hh.Array))
    expected, same = jax.tree.flatten(expected)
    assert structure == same
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x.numpy(), y, rtol=1e-12)


def with_x64(fn: Callable[..., Any], *args: Any) -> Any:
    with jax.enable_x64(True):
        return fn(*args)


# jvp and vjp


def test_jvp() -> None:
    close(hh.jvp(f, (X, Y), (V, W)), with_x64(jax.jvp, f_jax, (X, Y), (V, W)))


def test_jvp_without_a_tangent_is_along_zero() -> None:
    close(hh.jvp(f, [X, Y], [V, None]), with_x64(jax.jvp, f_jax, (X, Y), (V, 0 * W)))


def test_jvp_of_containers_and_integers() -> None:
    def g(p: Any) -> Any:
        return p["w"] * p["n"], p["n"]

    value, tangent = hh.jvp(g, ({"w": np.float64(2), "n": np.int32(3)},), ({"w": 5.0, "n": None},))
    assert [v.item() for v in value] == [6, 3]
    assert (tangent[0].item(), tangent[1]) == (15, None)


def test_jvp_with_aux() -> None:
    value, tangent, aux = hh.jvp(lambda x: (x * x, {"x": x}), (np.float64(3),), (1.0,), has_aux=True)
    assert (value.item(), tangent.item(), aux["x"].item()) == (9, 6, 3)


def test_vjp() -> None:
    ct = {"outer": np.outer(V, W), "sum": np.float64(3)}
    value, pull = hh.vjp(f, X, Y)
    expected, pull_jax = with_x64(jax.vjp, f_jax, X, Y)
    close(value, expected)
    close(pull(ct), with_x64(pull_jax, ct))
    close(pull({"outer": None, "sum": 1.0}), with_x64(pull_jax, {"outer": 0 * np.outer(V, W), "sum": np.float64(1)}))


def test_vjp_in_a_trace_may_be_pulled_twice() -> None:
    def rows(x: Any) -> Any:
        value, pull = hh.vjp(lambda x: x * x, x)
        return value, pull(x)[0], pull(value)[0]

    value, first, second = hh.jit(rows)(X)
    for found, expected in ((value, X * X), (first, 2 * X * X), (second, 2 * X**3)):
        np.testing.assert_allclose(found.numpy(), expected)


def test_vjp_of_integers_and_aux() -> None:
    value, pull, aux = hh.vjp(lambda x, n: (x * n, n), np.float64(2), np.int32(3), has_aux=True)
    assert (value.item(), aux.item()) == (6, 3)
    dx, dn = pull(1.0)
    assert (dx.item(), dn) == (3, None)


def test_a_result_that_is_an_argument() -> None:
    (dx,) = hh.vjp(lambda x: (x, x), X)[1]((V, V))
    np.testing.assert_array_equal(dx.numpy(), 2 * V)
    np.testing.assert_array_equal(hh.jvp(lambda x: (x, x), (X,), (V,))[1][1].numpy(), V)


def test_modes_nest_and_close_over_outer_tensors() -> None:
    """Along V, the gradient of x -> sum(x y y) at y = x, where x is held: the tangent sees both."""

    def outer(x: Any) -> Any:
        return hh.grad(lambda y: hh.sum(x * y * y))(x)

    np.testing.assert_allclose(hh.jvp(outer, (X,), (V,))[1].numpy(), 4 * X * V)

    def along(x: Any) -> Any:
        return hh.sum(hh.jvp(lambda y: x * y * y, (x,), (V,))[1])

    np.testing.assert_allclose(hh.grad(along)(X).numpy(), 4 * X * V)
    np.testing.assert_allclose(hh.jit(hh.grad(along))(X).numpy(), 4 * X * V)


def test_a_tangent_does_not_leak_into_what_is_closed_over() -> None:
    """Perturbation confusion: d/dx of x * (d/dy of x + y) is 1, not 2."""

    def inner_is_one(x: Any) -> Any:
        return x * hh.jvp(lambda y: x + y, (x,), (1.0,))[1]

    assert hh.jvp(inner_is_one, (np.float64(5),), (1.0,))[1].item() == 1


def test_safe() -> None:
    masked = lambda x: hh.sum(hh.where(x > 0, hh.sqrt(x), 0))  # noqa: E731
    x = np.array([0.0, 4.0])
    assert np.isnan(hh.grad(masked)(x).numpy()[0])
    np.testing.assert_array_equal(hh.grad(masked, safe=True)(x).numpy(), [0, 0.25])
    np.testing.assert_array_equal(hh.vjp(masked, x, safe=True)[1](1.0)[0].numpy(), [0, 0.25])
    assert hh.jvp(masked, (x,), (np.array([0.0, 1.0]),), safe=True)[1].item() == 0.25
    np.testing.assert_array_equal(hh.jacrev(masked, safe=True)(x).numpy(), [0, 0.25])


# Jacobians


@pytest.mark.parametrize("ours", [hh.jacrev, hh.jacfwd, hh.jacobian])
@pytest.mark.parametrize("wrt", [0, 1, (1, 0)])
def test_jacobian(ours: Any, wrt: Any) -> None:
    close(ours(f, wrt)(X, Y), with_x64(jax.jit(jax.jacrev(f_jax, wrt)), X, Y))


@pytest.mark.parametrize("ours", [hh.jacrev, hh.jacfwd])
def test_jacobian_of_edge_sizes(ours: Any) -> None:
    """Scalars, one element, none, and an argument that is not used."""
    empty = np.zeros((0, 2))
    close(ours(lambda x: x * x)(np.float64(3)), np.float64(6))
    close(ours(lambda x: x[None] * X)(np.float64(3)), X[None].T[:, 0])
    assert ours(lambda x: x * x)(empty).shape == (0, 2, 0, 2)
    assert (ours(lambda x, y: x, 1)(X, Y).numpy() == np.zeros((3, 2))).all()


@pytest.mark.parametrize("ours", [hh.jacrev, hh.jacfwd])
def test_jacobian_with_aux_and_names(ours: Any) -> None:
    jacobian, aux = ours(lambda x, scale: (x * scale, {"x": x}), has_aux=True)(X, scale=np.float64(2))
    np.testing.assert_array_equal(jacobian.numpy(), 2 * np.eye(3))
    np.testing.assert_array_equal(aux["x"].numpy(), X)


def test_hessian() -> None:
    ours = lambda x, y: hh.sum(hh.sin(x) * x[0]) * y[0] * y[1]  # noqa: E731
    theirs = lambda x, y: jnp.sum(jnp.sin(x) * x[0]) * y[0] * y[1]  # noqa: E731
    close(hh.hessian(ours)(X, Y), with_x64(jax.jit(jax.hessian(theirs)), X, Y))
    close(hh.hessian(ours, (0, 1))(X, Y), with_x64(jax.jit(jax.hessian(theirs, (0, 1))), X, Y))
    close(hh.jit(hh.hessian(ours, 1))(X, Y), with_x64(jax.jit(jax.hessian(theirs, 1)), X, Y))


@pytest.mark.parametrize("outer", [hh.jacrev, hh.jacfwd])
@pytest.mark.parametrize("inner", [hh.jacrev, hh.jacfwd])
def test_jacobians_of_jacobians(outer: Any, inner: Any) -> None:
    """The loop of the inner one is differentiated in either mode."""
    expected = with_x64(jax.jit(jax.hessian(lambda x: jnp.sin(x) * x[0])), X)
    np.testing.assert_allclose(outer(inner(lambda x: hh.sin(x) * x[0]))(X).numpy(), expected, rtol=1e-12, atol=1e-14)


def test_the_size_of_a_jacobian_does_not_grow_with_its_rows() -> None:
    texts = [hh.to_text(hh.trace(hh.jacrev(lambda x: hh.sin(x)), hh.f32[n])) for n in (2, 200)]
    assert len(set(text.count("\n") for text in texts)) == 1


# stop_gradient


def test_stop_gradient() -> None:
    g = lambda x: hh.sum(x * hh.stop_gradient({"x": x})["x"])  # noqa: E731
    np.testing.assert_array_equal(hh.grad(g)(X).numpy(), X)
    assert hh.jvp(g, (X,), (V,))[1].item() == V @ X
    text = hh.to_text(hh.trace(g, hh.f64[3]), syntax="pjrt-1.16")
    assert text.count("hhlo.stop_gradient") == 1
    (gradient,) = (hh.grad_module(hh.parse(text), value=False),)
    with hh.Session("cpu") as session:
        np.testing.assert_array_equal(session.compile(gradient)(X)[0].numpy(), X)


def test_stop_gradient_of_integers_is_nothing() -> None:
    assert "stop_gradient" not in hh.to_text(hh.trace(hh.stop_gradient, hh.i32[2]))


# Rules of one's own. Each says 7 times what calculus does, so that it is seen to be used.


def custom() -> Any:
    """x -> x * x["n"] with containers and integers on both sides."""
    square = hh.custom_vjp(lambda x: {"y": x["w"] * x["w"], "n": x["n"]})
    square.defvjp(
        lambda x: ({"y": x["w"] * x["w"], "n": x["n"]}, {"kept": x["w"]}),
        lambda kept, ct: ({"w": 14 * kept["kept"] * ct["y"], "n": None},),
    )
    return square


def test_custom_vjp() -> None:
    square = custom()
    g = lambda w: hh.sum(square({"w": w, "n": 3})["y"])  # noqa: E731
    np.testing.assert_array_equal(hh.jit(g)(X).numpy(), X @ X)
    np.testing.assert_array_equal(hh.grad(g)(X).numpy(), 14 * X)
    np.testing.assert_array_equal(hh.jvp(hh.grad(g), (X,), (V,))[1].numpy(), 14 * V)
    np.testing.assert_array_equal(hh.hessian(g)(X).numpy(), 14 * np.eye(3))
    assert square({"w": np.float64(3), "n": 1})["y"].item() == 9
    with pytest.raises(hh.DifferentiationError, match="rule for reverse mode only"):
        hh.jvp(g, (X,), (V,))


def test_custom_rules_stand_in_the_ir() -> None:
    """The text of the function, not of its gradient, is differentiated with the rule."""
    square = custom()
    module = hh.trace(lambda w: hh.sum(square({"w": w, "n": 3})["y"]), hh.f64[3])
    with hh.Session("cpu") as session:
        for text in (hh.to_text(module), hh.to_text(module, syntax="pjrt-1.16")):
            gradient = session.compile(hh.grad_module(hh.parse(text)))
            np.testing.assert_array_equal(gradient(X)[0].numpy(), 14 * X)


def test_a_custom_function_is_one_function_per_types() -> None:
    square = custom()
    g = lambda x: square({"w": square({"w": x, "n": 1})["y"], "n": 2})["y"]  # noqa: E731
    text = hh.to_text(hh.trace(lambda x, y: (g(x), g(y)), hh.f32[()], hh.f32[2]))
    assert text.count("hhlo.custom_vjp") == 2
    assert text.count("func.call") == 4


def test_custom_jvp() -> None:
    sine = hh.custom_jvp(lambda x, n: hh.sin(x) * n)
    sine.defjvp(lambda args, tangents: (sine(*args), 7 * hh.cos(args[0]) * tangents[0] * args[1]))
    g = lambda x: sine(x, 2)  # noqa: E731
    np.testing.assert_allclose(hh.jvp(g, (X,), (V,))[1].numpy(), 14 * np.cos(X) * V)
    np.testing.assert_allclose(hh.vjp(g, X)[1](V)[0].numpy(), 14 * np.cos(X) * V)
    np.testing.assert_allclose(hh.jacfwd(g)(X).numpy(), np.diag(14 * np.cos(X)))
    second = hh.jvp(lambda x: hh.jvp(g, (x,), (V,))[1], (X,), (V,))[1].numpy()
    np.testing.assert_allclose(second, -14 * np.sin(X) * V * V)
    np.testing.assert_allclose(
        hh.grad(lambda x: hh.sum(hh.grad(lambda x: hh.sum(g(x)))(x)))(X).numpy(), -14 * np.sin(X)
    )


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_custom_rules_and_stops_in_loops_and_branches(mode: str) -> None:
    if mode == "vjp":
        square = hh.custom_vjp(lambda x: x * x)
        square.defvjp(lambda x: (x * x, x), lambda kept, ct: (14 * kept * ct,))
    else:
        square = hh.custom_jvp(lambda x: x * x)
        square.defjvp(lambda args, tangents: (square(args[0]), 14 * args[0] * tangents[0]))
    mapped = lambda x: hh.sum(hh.map(square, x))  # noqa: E731
    branch = lambda x: hh.sum(hh.cond(hh.sum(x) > 0, square, lambda x: x, x))  # noqa: E731
    twice = lambda x: hh.sum(hh.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, square(c[1])), (0, x))[1])  # noqa: E731
    stopped = lambda x: hh.sum(hh.map(lambda a: a * hh.stop_gradient(a), x))  # noqa: E731
    for fn, expected in ((mapped, 14 * X), (branch, 14 * X), (twice, 196 * X**3), (stopped, X)):
        np.testing.assert_allclose(hh.grad(fn)(X).numpy(), expected)
        if mode == "jvp":
            np.testing.assert_allclose(hh.jvp(fn, (X,), (V,))[1].numpy(), expected @ V)


def message_of(fn: Callable[[], Any], error: type[Exception] = hh.HhloError) -> str:
    with pytest.raises(error) as raised:
        fn()
    message = str(raised.value)
    assert "test_derivatives.py" in message, message  # the user's line
    return message


def with_rule(forward: Any, backward: Any) -> Callable[[], Any]:
    g = hh.custom_vjp(lambda x, y: x * y)
    g.defvjp(forward, backward)
    return lambda: hh.grad(g)(np.float64(1), np.float64(2))


def jvp_with(rule: Any) -> Callable[[], Any]:
    g = hh.custom_jvp(lambda x: x * x)
    g.defjvp(rule)
    return lambda: hh.grad(g)(np.float64(1))


def keep(x: Any, y: Any) -> Any:
    return x * y, (x, y)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "jvp_args": (lambda: hh.jvp(f, X, V), "jvp: args is ndarray; a tuple or list was expected"),
    "jvp_structure": (lambda: hh.jvp(f, (X, Y), (V,)), "jvp: the tangent does not nest as expected|does not nest"),
    "jvp_shape": (lambda: hh.jvp(f, (X, Y), (V, V)), r"the tangent of leaf 1 is f64\[3\]; f64\[2\] was expected"),
    "jvp_integer": (
        lambda: hh.jvp(lambda n: n * 1.0, (np.int32(1),), (np.int32(1),)),
        r"the tangent of leaf 0, which is i32\[\], is i32\[\]; None was expected",
    ),
    "vjp_shape": (lambda: hh.vjp(lambda x: x, X)[1](W), r"the cotangent of leaf 0 is f64\[2\]; f64\[3\] was expected"),
    "vjp_aux": (lambda: hh.jit(lambda x: hh.vjp(lambda x: x, x, has_aux=True))(X), "must return .value, aux."),
    "jacobian_complex": (lambda: hh.jacrev(lambda z: z)(X + 1j), r"leaf 0 of the arguments is complex<f64>\[3\]"),
    "jacobian_integer": (lambda: hh.jacfwd(lambda x: x.astype(hh.i32))(X), r"leaf 0 of the results is i32\[3\]"),
    "jacobian_wrt": (lambda: hh.hessian(lambda x: x, 1)(X), "wrt is 1, but the function was called with 1 arguments"),
    "no_rule": (lambda: hh.custom_vjp(lambda x: x)(X), r"has no rule; set it with defvjp"),
    "no_jvp_rule": (lambda: hh.custom_jvp(lambda x: x)(X), r"has no rule; set it with defjvp"),
    "forward_pair": (with_rule(lambda x, y: x, lambda k, ct: (ct, ct)), "must return .value, kept."),
    "forward_type": (with_rule(lambda x, y: (x.astype(hh.f32), x), lambda k, ct: (ct, ct)), r"value of f32\[\]"),
    "forward_structure": (
        with_rule(lambda x, y: ([x], x), lambda k, ct: (ct, ct)),
        "nests unlike that of the function",
    ),
    "backward_count": (with_rule(keep, lambda k, ct: (ct,)), "must return a tuple of 2, one per argument"),
    "backward_type": (
        with_rule(keep, lambda k, ct: (ct, X)),
        r"the cotangent of argument 1 of .*, leaf 0, is f64\[3\]; f64\[\] was expected",
    ),
    "backward_structure": (with_rule(keep, lambda k, ct: (ct, [ct, ct])), "found a list of tensors"),
    "rule_pair": (jvp_with(lambda x, t: x[0]), "must return .value, tangent."),
    "rule_value": (jvp_with(lambda x, t: ((x[0], x[0]), t[0])), "and the function one of"),
    "rule_tangent": (jvp_with(lambda x, t: (x[0], X)), r"the tangent of .*, leaf 0, is f64\[3\]"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    fn, expected = REFUSED[name]
    assert re.search(expected, message_of(fn))


def test_a_rule_that_uses_a_tensor_from_outside_is_refused() -> None:
    def g(x: Any) -> Any:
        scaled = hh.custom_vjp(lambda y: x * y)
        scaled.defvjp(lambda y: (x * y, None), lambda kept, ct: (ct,))
        return scaled(x)

    assert "uses a tensor from outside" in message_of(lambda: hh.grad(g)(np.float64(1)), hh.TraceError)


# From module to module


def test_vjp_module() -> None:
    module = hh.trace(f, hh.f64[3], hh.f64[2])
    pulled, pushed = hh.vjp_module(module), hh.jvp_module(module)
    with hh.Session("cpu") as session:
        *values, dx, dy = session.compile(pulled)(X, Y, np.outer(V, W), np.float64(3))
        close(list(values), jax.tree.leaves(with_x64(f_jax, X, Y)))
        _, pull = with_x64(jax.vjp, f_jax, X, Y)
        close((dx, dy), with_x64(pull, {"outer": np.outer(V, W), "sum": np.float64(3)}))
        close(list(session.compile(pushed)(X, Y, V, W)), jax.tree.leaves(with_x64(jax.jvp, f_jax, (X, Y), (V, W))))
    assert len(hh.vjp_module(module, wrt=(1,), value=False, result=(1,)).body.block.first_op.body.block.args) == 3


def test_modules_of_the_wrong_kind() -> None:
    module = hh.trace(lambda x: x, hh.f32[()])
    with pytest.raises(hh.TraceError, match="jvp_module: got str; a module was expected"):
        hh.jvp_module("module {}")  # pyright: ignore[reportArgumentType]
    with pytest.raises(hh.TraceError, match="vjp_module: got int; a module was expected"):
        hh.vjp_module(3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(hh.TraceError, match="the options are those of hhlo-jvp"):
        hh.jvp_module(module, seed=True)
    with pytest.raises(hh.DifferentiationError, match="jvp_module: wrt is 'x'; integers were expected"):
        hh.jvp_module(module, wrt="x")  # pyright: ignore[reportArgumentType]
