"""What tests of gradients share: running programs, and checking derivatives against central differences.

No op is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region

from hhlo_xdsl.dialects.emit import add, inserting
from hhlo_xdsl.ir_types import spec_of
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.session import Session
from hhlo_xdsl.text import parse, to_text

Program = ModuleOp | str
Arrays = Sequence[np.ndarray[Any, Any]]

STEP = 1e-3
"""Step of the central differences; their error is of order STEP ** 4."""


@cache
def session() -> Session:
    """One CPU session for the whole run."""
    return Session("cpu")


def compiled(program: Program) -> Executable:
    """The program, compiled for the CPU; equal ones, one after the other, are compiled once."""
    return _compiled(program if isinstance(program, str) else to_text(program))


@lru_cache(maxsize=16)
def _compiled(text: str) -> Executable:
    return session().compile(text)


def run(program: Program, *arrays: Any) -> list[np.ndarray[Any, Any]]:
    """The results of `@main` on the CPU."""
    return [np.array(out.numpy()) for out in compiled(program)(*arrays)]


def module_of(program: Program) -> ModuleOp:
    """The module of a program given as text or module."""
    return parse(program) if isinstance(program, str) else program


def vjp_of(program: Program, wrt: Sequence[int] | None = None, **options: Any) -> ModuleOp:
    """(x..., ct of every inexact result) -> (ct of x[i] for i in wrt), by hhlo-grad, verified."""
    module = module_of(program).clone()
    request = GradPass(
        wrt=None if wrt is None else tuple(wrt), value=False, seed=True, result=inexact_results(module), **options
    )
    differentiate(module, request)
    verify(module)
    return module


def jvp_of(program: Program, wrt: Sequence[int] | None = None, **options: Any) -> ModuleOp:
    """(x..., tangent of x[i] for i in wrt) -> (y..., tangent of every inexact result), by hhlo-jvp, verified."""
    module = module_of(program).clone()
    differentiate_forward(module, JvpPass(wrt=None if wrt is None else tuple(wrt), **options))
    verify(module)
    return module


def main_of(module: ModuleOp) -> func.FuncOp:
    """The function `@main`."""
    return next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "main")


def program_of(types: Sequence[Attribute], build: Callable[..., Operation]) -> str:
    """A function `@main` of one op, made by its constructor."""
    block = Block(arg_types=types)
    with inserting(block):
        op = add(build(*block.args))
        add(func.ReturnOp(*op.results))
    type = FunctionType.from_lists(types, [r.type for r in op.results])
    module = ModuleOp([func.FuncOp("main", type, Region(block))])
    verify(module)
    return to_text(module)


def inexact_arguments(module: ModuleOp) -> tuple[int, ...]:
    """Which arguments of `@main` are floating or complex."""
    types = main_of(module).function_type.inputs.data
    return tuple(i for i, t in enumerate(types) if spec_of(t).dtype.is_inexact)


def inexact_results(module: ModuleOp) -> tuple[int, ...]:
    """Which results of `@main` are floating or complex."""
    types = main_of(module).function_type.outputs.data
    return tuple(i for i, t in enumerate(types) if spec_of(t).dtype.is_inexact)


def normal(rng: np.random.Generator, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Standard normal numbers of the shape and dtype of `like`."""
    x = rng.standard_normal(like.shape)
    if np.iscomplexobj(like):
        x = x + 1j * rng.standard_normal(like.shape)
    return np.asarray(x, like.dtype)


def check_vjp(
    program: Program,
    args: Arrays,
    wrt: Sequence[int] | None = None,
    order: int = 1,
    *,
    rtol: float = 1e-7,
    seed: int = 0,
    **options: Any,
) -> None:
    """Assert <ct, J u> by central differences == <vjp(ct), u>, for a random ct and a random direction u per argument.

    The program computes in f64 (or complex<f64>) and is smooth near `args`. With `order` 2 the gradient's own gradient,
    with respect to the arguments and the cotangents, is checked too, and so on.
    """
    module = module_of(program)
    wrt = inexact_arguments(module) if wrt is None else tuple(wrt)
    backward = vjp_of(module, wrt, **options)
    rng = np.random.default_rng(seed)
    forward = compiled(module)
    results = inexact_results(module)
    cts = [normal(rng, forward(*args)[r].numpy()) for r in results]
    gradients = run(backward, *args, *cts)
    for i, gradient in zip(wrt, gradients, strict=True):
        assert (gradient.shape, gradient.dtype) == (args[i].shape, args[i].dtype)
        u = normal(rng, args[i])
        expected = _directional(forward, args, i, u, results, cts)
        scale = float(np.sum(np.abs(gradient * u))) + 1e-12
        got = float(np.sum(gradient * u).real)
        assert abs(got - expected) <= rtol * max(scale, abs(expected)), (
            f"argument {i}: vjp {got}, differences {expected}"
        )
    if order > 1:
        both = (*wrt, *range(len(args), len(args) + len(cts)))
        check_vjp(backward, [*args, *cts], both, order - 1, rtol=rtol, seed=seed + 1, **options)


def _directional(
    forward: Executable, args: Arrays, i: int, u: np.ndarray[Any, Any], results: Sequence[int], cts: Arrays
) -> float:
    """<ct, (f(x + h u) - f(x - h u)) / 2h>, by the four-point formula."""

    def at(h: float) -> float:
        moved = [np.asarray(x + h * u, x.dtype) if k == i else x for k, x in enumerate(args)]
        outs = forward(*moved)
        return sum(float(np.sum(ct * outs[r].numpy()).real) for r, ct in zip(results, cts, strict=True))

    h = STEP
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def check_jvp(
    program: Program,
    args: Arrays,
    wrt: Sequence[int] | None = None,
    order: int = 1,
    *,
    rtol: float = 1e-7,
    seed: int = 0,
    alone: bool = True,
    safe: bool = False,
    portable: bool = False,
) -> None:
    """Assert J v, for random tangents v, == central differences, and <ct, J v> == <vjp(ct), v> for a random ct.

    The program computes in f64 (or complex<f64>) and is smooth near `args`. With `alone`, each argument's
    tangent is also tried alone, the others being zero and not written out. With `order` 2, J v and the vjp are checked in the same way as
    programs of their own: jvp of jvp, vjp of jvp, jvp of vjp and vjp of vjp.
    """
    module = module_of(program)
    wrt = inexact_arguments(module) if wrt is None else tuple(wrt)
    results = inexact_results(module)
    pushed, backward = jvp_of(module, wrt, safe=safe), vjp_of(module, wrt, safe=safe, portable=portable)
    forward = compiled(module)
    rng = np.random.default_rng(seed)
    values = [out.numpy() for out in forward(*args)]
    vs = [normal(rng, args[i]) for i in wrt]
    outs = run(pushed, *args, *vs)
    for value, out in zip(values, outs, strict=False):
        np.testing.assert_allclose(out, value, rtol=1e-12, atol=1e-12)
    tangents = outs[len(values) :]
    _assert_close(tangents, _differences(forward, args, dict(zip(wrt, vs, strict=True)), results), rtol)
    if alone and len(wrt) > 1:
        parts = [run(jvp_of(module, [i], safe=safe), *args, v)[len(values) :] for i, v in zip(wrt, vs, strict=True)]
        _assert_close([np.asarray(sum(terms)) for terms in zip(*parts, strict=True)], tangents, 1e-12)
    cts = [normal(rng, values[r]) for r in results]
    gradients = run(backward, *args, *cts)
    along, across = _pairing(cts, tangents), _pairing(gradients, vs)
    scale = sum(float(np.sum(np.abs(a * b))) for a, b in zip((*cts, *gradients), (*tangents, *vs), strict=True))
    assert abs(along - across) <= 1e-11 * (scale + 1e-12), f"<ct, J v> is {along}, <vjp(ct), v> is {across}"
    if order > 1:
        for derivative, more in ((pushed, vs), (backward, cts)):
            both = (*wrt, *range(len(args), len(args) + len(more)))
            check_jvp(
                derivative,
                [*args, *more],
                both,
                order - 1,
                rtol=rtol,
                seed=seed + 1,
                alone=False,
                safe=safe,
                portable=portable,
            )


def _pairing(cts: Arrays, tangents: Arrays) -> float:
    return sum(float(np.sum(ct * t).real) for ct, t in zip(cts, tangents, strict=True))


def _differences(
    forward: Executable, args: Arrays, vs: dict[int, np.ndarray[Any, Any]], results: Sequence[int]
) -> list[np.ndarray[Any, Any]]:
    """(f(x + h v) - f(x - h v)) / 2h for the given results, by the four-point formula."""

    def at(h: float) -> list[np.ndarray[Any, Any]]:
        outs = forward(*(np.asarray(x + h * vs[k], x.dtype) if k in vs else x for k, x in enumerate(args)))
        return [outs[r].numpy() for r in results]

    points = zip(at(STEP), at(-STEP), at(2 * STEP), at(-2 * STEP), strict=True)
    return [(8 * (a - b) - (c - d)) / (12 * STEP) for a, b, c, d in points]


def _assert_close(found: Arrays, expected: Arrays, rtol: float) -> None:
    """Each element within `rtol` of the largest one of its array."""
    for i, (x, y) in enumerate(zip(found, expected, strict=True)):
        assert (x.shape, x.dtype) == (y.shape, y.dtype)
        np.testing.assert_allclose(
            x, y, rtol=rtol, atol=rtol * float(np.max(np.abs(y), initial=1.0)), err_msg=f"tangent {i}"
        )
