"""What tests of gradients share: running programs, and checking derivatives against central differences.

No op is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hhlo_xdsl.dialects.emit import add, inserting
from hhlo_xdsl.ir_types import spec_of
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.runtime.options import CompileOptions
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


def compiled(program: Program, level: int | None = None) -> Executable:
    """The program, compiled for the CPU; equal ones, one after the other, are compiled once."""
    key = program if isinstance(program, str) else to_text(program), level
    if key not in _compiled:
        if len(_compiled) == 16:
            del _compiled[next(iter(_compiled))]
        _compiled[key] = session().compile(program, options=CompileOptions(level))
    return _compiled[key]


_compiled: dict[tuple[str, int | None], Executable] = {}
"""The programs that were compiled last, by text and optimization level."""


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


class Together:
    """Programs compiled as one: what compiling a small one costs does not depend on its size.

    Each is a module, and which of the arrays it takes. Modules with other functions than `@main` stay alone.
    """

    def __init__(self, *parts: tuple[ModuleOp, Sequence[int]], level: int | None = None):
        alone = any(len(module.body.block.ops) > 1 for module, _ in parts)
        arrays = range(1 + max((n for _, numbers in parts for n in numbers), default=-1))
        self._parts = parts if alone else [(_joined(parts, len(arrays)), arrays)]
        self._executables = [compiled(module, level) for module, _ in self._parts]
        self._counts = [len(main_of(module).function_type.outputs.data) for module, _ in parts]

    def __call__(self, *arrays: Any) -> list[list[np.ndarray[Any, Any]]]:
        """The results of each program."""
        ran = zip(self._executables, self._parts, strict=True)
        outs = iter([np.array(y.numpy()) for exe, (_, numbers) in ran for y in exe(*(arrays[n] for n in numbers))])
        return [[next(outs) for _ in range(count)] for count in self._counts]


def run_all(*calls: tuple[Program, Arrays]) -> list[list[np.ndarray[Any, Any]]]:
    """The results of each program on its arguments, compiled as one."""
    starts = [sum(len(args) for _, args in calls[:k]) for k in range(len(calls))]
    parts = [(module_of(p), range(n, n + len(args))) for (p, args), n in zip(calls, starts, strict=True)]
    return Together(*parts)(*(x for _, args in calls for x in args))


QUICK = 0
"""The optimization level of programs whose derivative is checked rather than what the compiler makes of them."""


def _joined(parts: Sequence[tuple[ModuleOp, Sequence[int]]], count: int) -> ModuleOp:
    """The functions `@main`, one after the other in one, of `count` arguments."""
    types: dict[int, Attribute] = {}
    for module, numbers in parts:
        types.update(zip(numbers, main_of(module).function_type.inputs.data, strict=True))
    block = Block(arg_types=[types[n] for n in range(count)])
    results: list[SSAValue] = []
    for module, numbers in parts:
        body = main_of(module).body.block
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, (block.args[n] for n in numbers), strict=True))
        *ops, last = body.ops
        block.add_ops([op.clone(values) for op in ops])
        results += [values[v] for v in last.operands]
    block.add_op(func.ReturnOp(*results))
    type = FunctionType.from_lists([a.type for a in block.args], [r.type for r in results])
    return ModuleOp([func.FuncOp("main", type, Region(block))])


def check_vjp(
    program: Program,
    args: Arrays,
    wrt: Sequence[int] | None = None,
    order: int = 1,
    *,
    rtol: float = 1e-7,
    seed: int = 0,
    **options: Any,
) -> list[np.ndarray[Any, Any]]:
    """Assert <ct, J u> by central differences == <vjp(ct), u>, for a random ct and a random direction u per argument.

    The program computes in f64 (or complex<f64>) and is smooth near `args`. With `order` 2 the gradient's own gradient,
    with respect to the arguments and the cotangents, is checked too, and so on. Returns the values of the program.
    """
    levels = [_Level(module_of(program), list(args), wrt, seed)]
    for _ in range(order):
        levels.append(levels[-1].derived(**options))
    together = Together(*((level.module, range(len(level.args))) for level in levels), level=QUICK)
    found = together(*levels[-1].args)
    for k, level in enumerate(levels[:-1]):
        rest = levels[-1].args[len(level.args) :]
        level.check(lambda *args, k=k, rest=rest: together(*args, *rest)[k], found[k + 1], rtol)
    return found[0]


class _Level:
    """A program, to be differentiated at `args` by the arguments in `wrt`."""

    def __init__(self, module: ModuleOp, args: list[Any], wrt: Sequence[int] | None, seed: int):
        self.module, self.args, self.seed = module, args, seed
        self.wrt = inexact_arguments(module) if wrt is None else tuple(wrt)
        self.results = inexact_results(module)
        self.rng = np.random.default_rng(seed)
        self.cts = [normal(self.rng, like) for like in _zeros_of(module, self.results)]

    def derived(self, **options: Any) -> _Level:
        """Its vjp, to be differentiated by the same arguments and by the cotangents."""
        args = [*self.args, *self.cts]
        wrt = (*self.wrt, *range(len(self.args), len(args)))
        return _Level(vjp_of(self.module, self.wrt, **options), args, wrt, self.seed + 1)

    def check(self, fn: Callable[..., Arrays], gradients: Arrays, rtol: float) -> None:
        """Assert that `gradients` are those of fn, which is the program."""
        for i, gradient in zip(self.wrt, gradients, strict=True):
            assert (gradient.shape, gradient.dtype) == (self.args[i].shape, self.args[i].dtype)
            u = normal(self.rng, self.args[i])
            expected = _pairing(self.cts, _differences(fn, self.args, {i: u}, self.results))
            scale = float(np.sum(np.abs(gradient * u))) + 1e-12
            got = float(np.sum(gradient * u).real)
            assert abs(got - expected) <= rtol * max(scale, abs(expected)), (
                f"argument {i}: vjp {got}, differences {expected}"
            )


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
    shared = _Shared(list(args), [(module_of(program), range(len(args)))], safe, portable)
    root = _Point(shared, 0, wrt, seed, order, alone)
    root.check(Together(*shared.parts, level=QUICK), rtol)


@dataclass
class _Shared:
    """Programs that run together, each with which of the arrays it takes; and the options of their derivatives."""

    arrays: list[Any]
    parts: list[tuple[ModuleOp, Sequence[int]]]
    safe: bool
    portable: bool

    def take(self, arrays: Arrays) -> range:
        """The numbers of more arrays."""
        self.arrays += arrays
        return range(len(self.arrays) - len(arrays), len(self.arrays))

    def jvp(self, k: int, wrt: Sequence[int], tangents: Sequence[int]) -> int:
        """The number of the derivative of program k in forward mode."""
        module, at = self.parts[k]
        self.parts.append((jvp_of(module, wrt, safe=self.safe), [*at, *tangents]))
        return len(self.parts) - 1

    def vjp(self, k: int, wrt: Sequence[int], cts: Sequence[int]) -> int:
        """The number of the derivative of program k in reverse mode."""
        module, at = self.parts[k]
        self.parts.append((vjp_of(module, wrt, safe=self.safe, portable=self.portable), [*at, *cts]))
        return len(self.parts) - 1


class _Point:
    """Program k, its derivatives in both modes, and with `order` 2 those of these."""

    def __init__(self, shared: _Shared, k: int, wrt: Sequence[int] | None, seed: int, order: int, alone: bool):
        module, at = shared.parts[k]
        self.shared, self.k, self.at, rng = shared, k, at, np.random.default_rng(seed)
        self.wrt = inexact_arguments(module) if wrt is None else tuple(wrt)
        self.results = inexact_results(module)
        self.vs = [normal(rng, shared.arrays[at[i]]) for i in self.wrt]
        self.cts = [normal(rng, like) for like in _zeros_of(module, self.results)]
        tangents = shared.take(self.vs)
        self.pushed = shared.jvp(k, self.wrt, tangents)
        self.pulled = shared.vjp(k, self.wrt, shared.take(self.cts))
        pairs = zip(self.wrt, tangents, strict=True)
        self.alone = [shared.jvp(k, [i], [n]) for i, n in pairs] if alone and len(self.wrt) > 1 else []
        self.inner: list[_Point] = []
        for n in (self.pushed, self.pulled) if order > 1 else ():
            also = (*self.wrt, *range(len(at), len(shared.parts[n][1])))
            self.inner.append(_Point(shared, n, also, seed + 1, order - 1, alone=False))

    def check(self, together: Together, rtol: float) -> None:
        """Assert that the derivatives are right, and those of the derivatives."""
        arrays = self.shared.arrays
        found = together(*arrays)
        values, outs, gradients = found[self.k], found[self.pushed], found[self.pulled]
        for value, out in zip(values, outs, strict=False):
            np.testing.assert_allclose(out, value, rtol=1e-12, atol=1e-12)
        tangents = outs[len(values) :]

        def fn(*args: Any) -> Arrays:
            moved = dict(zip(self.at, args, strict=True))
            return together(*(moved.get(n, a) for n, a in enumerate(arrays)))[self.k]

        args = [arrays[n] for n in self.at]
        _assert_close(tangents, _differences(fn, args, dict(zip(self.wrt, self.vs, strict=True)), self.results), rtol)
        if self.alone:
            parts = [found[n][len(values) :] for n in self.alone]
            _assert_close([np.asarray(sum(terms)) for terms in zip(*parts, strict=True)], tangents, 1e-12)
        along, across = _pairing(self.cts, tangents), _pairing(gradients, self.vs)
        pairs = zip((*self.cts, *gradients), (*tangents, *self.vs), strict=True)
        scale = sum(float(np.sum(np.abs(a * b))) for a, b in pairs)
        assert abs(along - across) <= 1e-11 * (scale + 1e-12), f"<ct, J v> is {along}, <vjp(ct), v> is {across}"
        for point in self.inner:
            point.check(together, rtol)


def _zeros_of(module: ModuleOp, results: Sequence[int]) -> Arrays:
    """Zeros of the types of some results of `@main`."""
    types = main_of(module).function_type.outputs.data
    specs = [spec_of(types[r]) for r in results]
    return [np.zeros(spec.shape, spec.dtype.numpy) for spec in specs]


def _pairing(cts: Arrays, tangents: Arrays) -> float:
    return sum(float(np.sum(ct * t).real) for ct, t in zip(cts, tangents, strict=True))


def _differences(
    forward: Callable[..., Arrays], args: Arrays, vs: dict[int, np.ndarray[Any, Any]], results: Sequence[int]
) -> list[np.ndarray[Any, Any]]:
    """(f(x + h v) - f(x - h v)) / 2h for the given results, by the four-point formula."""

    def at(h: float) -> list[np.ndarray[Any, Any]]:
        outs = forward(*(np.asarray(x + h * vs[k], x.dtype) if k in vs else x for k, x in enumerate(args)))
        return [outs[r] for r in results]

    points = zip(at(STEP), at(-STEP), at(2 * STEP), at(-2 * STEP), strict=True)
    return [(8 * (a - b) - (c - d)) / (12 * STEP) for a, b, c, d in points]


def _assert_close(found: Arrays, expected: Arrays, rtol: float) -> None:
    """Each element within `rtol` of the largest one of its array."""
    for i, (x, y) in enumerate(zip(found, expected, strict=True)):
        assert (x.shape, x.dtype) == (y.shape, y.dtype)
        np.testing.assert_allclose(
            x, y, rtol=rtol, atol=rtol * float(np.max(np.abs(y), initial=1.0)), err_msg=f"tangent {i}"
        )
