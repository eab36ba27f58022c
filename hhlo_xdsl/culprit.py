"""Finding the op whose derivative is wrong: each op by itself, at the values that it meets in the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hhlo_xdsl.check import STEPS, TOLERANCES
from hhlo_xdsl.dialects.stablehlo.values import holds_inexact
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.passes.place import place
from hhlo_xdsl.passes.symbols import Symbols, body_of
from hhlo_xdsl.passes.vjp.core import inputs
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.session import Session

_np: Any = np  # its stubs leave the results of reductions unknown

Fault = Literal["wrong", "kink", "nan"]


@dataclass(frozen=True)
class Culprit:
    """An op whose derivative along a random direction is not that of its differences."""

    op: str
    place: str
    """Where it stands, after a line break; empty where that is not known."""
    fault: Fault
    """wrong: a rule gives another number; kink: there is no derivative here; nan: the op or its rule gives NaN."""
    gradient: float
    differences: float


def first_culprit(
    module: ModuleOp, args: Sequence[Any], wrt: Sequence[int], *, session: Session, seed: int = 0
) -> Culprit | None:
    """The first op of `@main` on the way from `wrt` to its first result that is at fault; None if none is.

    A call whose gradient is wrong is followed into the function that it calls.
    """
    return _Search(module, session, seed).first("main", args, wrt, results=1)


class _Search:
    def __init__(self, module: ModuleOp, session: Session, seed: int):
        self.symbols = Symbols(module)
        self.session = session
        self.seed = seed

    def first(self, name: str, args: Sequence[Any], wrt: Sequence[int], results: int | None = None) -> Culprit | None:
        """The first culprit on the way to the first so many results of a function, or to all."""
        body = body_of(self.symbols.functions[name], "hhlo check")
        ops = list(_between(body, [body.args[i] for i in wrt], results))
        values = self._values(name, ops, args)
        for op, moved in ops:
            at = [values[v] for v in inputs(op)]
            found = self._check(op, moved, at)
            if found is not None:
                return self._inside(op, moved, at) or found
        return None

    def _inside(self, op: Operation, moved: Sequence[int], at: Sequence[Any]) -> Culprit | None:
        if isinstance(op, func.CallOp):
            return self.first(op.callee.root_reference.data, at, moved)
        return None

    def _values(
        self, name: str, ops: Sequence[tuple[Operation, Sequence[int]]], args: Sequence[Any]
    ) -> Mapping[SSAValue, Any]:
        """What the ops read, computed by the program."""
        body = self.symbols.functions[name].body.block
        read = list(dict.fromkeys(v for op, _ in ops for v in inputs(op)))
        block = Block(arg_types=[a.type for a in body.args])
        copies: dict[SSAValue, SSAValue] = dict(zip(body.args, block.args, strict=True))
        for op in list(body.ops)[:-1]:
            block.add_op(op.clone(copies))
        results = self.session.compile(self._module(block, [copies[v] for v in read]))(*args)
        return {v: np.array(r.numpy()) for v, r in zip(read, results, strict=True)}

    def _check(self, op: Operation, moved: Sequence[int], at: Sequence[Any]) -> Culprit | None:
        """The op as a culprit, if the derivative of its inexact results by its inputs `moved` is wrong."""
        program = self._program(op)
        f = self.session.compile(program)
        point = _Point.random(f, at, moved, np.random.default_rng(self.seed))
        try:
            request = GradPass(wrt=tuple(moved), value=False, seed=True, result=tuple(range(len(point.cts))))
            differentiate(program, request)
        except DifferentiationError:  # it works on values that no rule differentiates by; the walk does not ask either
            return None
        gradients = [np.array(g.numpy()) for g in self.session.compile(program)(*at, *point.cts)]
        fault, gradient, differences = point.judge(gradients)
        return None if fault is None else Culprit(op.name, place(op), fault, gradient, differences)

    def _program(self, op: Operation) -> ModuleOp:
        """A program of this op alone, and of what it calls: from the values it reads to its inexact results."""
        read = inputs(op)
        block = Block(arg_types=[v.type for v in read])
        copy = op.clone(dict(zip(read, block.args, strict=True)))
        block.add_op(copy)
        return self._module(block, [r for r in copy.results if holds_inexact(r.type)])

    def _module(self, block: Block, results: Sequence[SSAValue]) -> ModuleOp:
        """A module whose `@main` is `block`, beside everything in the program that is not its `@main`."""
        block.add_op(func.ReturnOp(*results))
        types: tuple[list[Attribute], list[Attribute]] = [a.type for a in block.args], [r.type for r in results]
        main = func.FuncOp("main", FunctionType.from_lists(*types), Region(block), "public")
        others = [op.clone() for op in self.symbols.module.ops if not _is_main(op)]
        for other in others:
            if isinstance(other, func.FuncOp):
                other.properties["sym_visibility"] = StringAttr("private")
        return ModuleOp([main, *others])


def _is_main(op: Operation) -> bool:
    return isinstance(op, func.FuncOp) and op.sym_name.data == "main"


def _between(body: Block, wrt: Sequence[SSAValue], results: int | None) -> Iterator[tuple[Operation, list[int]]]:
    """The ops on the way from `wrt` to the first so many results, each with which of its inputs depend on `wrt`."""
    *ops, terminator = body.ops
    needed = set(terminator.operands[:results])
    for op in reversed(ops):
        if not needed.isdisjoint(op.results):
            needed.update(inputs(op))
    moving = set(wrt)
    for op in ops:
        moved = [i for i, v in enumerate(inputs(op)) if v in moving]
        inexact = [r for r in op.results if holds_inexact(r.type)]
        if moved and inexact and not needed.isdisjoint(op.results):
            moving.update(inexact)
            yield op, moved


@dataclass
class _Point:
    """An op at certain inputs: its values around them along a random direction, and a random cotangent per result."""

    moved: Sequence[int]
    direction: Sequence[Any]
    before: Sequence[Any]
    here: Sequence[Any]
    after: Sequence[Any]
    cts: Sequence[Any]
    step: float
    tolerance: float

    @staticmethod
    def random(f: Executable, at: Sequence[Any], moved: Sequence[int], rng: np.random.Generator) -> _Point:
        direction = [_direction(rng, at[i]) for i in moved]
        bits = min(_bits(at[i]) for i in moved)
        step = STEPS.get(bits, 1e-1)

        def values(h: float) -> list[Any]:
            shifted = list(at)
            for i, u in zip(moved, direction, strict=True):
                shifted[i] = np.asarray(at[i] + h * u, at[i].dtype)
            return [np.array(y.numpy()) for y in f(*shifted)]

        before, here, after = values(-step), values(0.0), values(step)
        cts = [_cotangent(rng, *ys) for ys in zip(before, here, after, strict=True)]
        return _Point(moved, direction, before, here, after, cts, step, TOLERANCES.get(bits, 2e-1))

    def judge(self, gradients: Sequence[Any]) -> tuple[Fault | None, float, float]:
        """What is wrong with the cotangents of the inputs, if anything; then what they give, and the differences."""
        gradient = sum(_pairing(g, u) for g, u in zip(gradients, self.direction, strict=True))
        left, right = self._slope(self.before, self.here), self._slope(self.here, self.after)
        differences = (left + right) / 2
        size = self._size()
        if any(_np.isnan(y).any() for y in self.here) or not _np.isfinite(gradient + differences):
            return "nan", gradient, differences
        if abs(gradient - differences) <= self.tolerance * size:
            return None, gradient, differences
        return ("kink" if abs(left - right) > 0.01 * size else "wrong"), gradient, differences

    def _slope(self, first: Sequence[Any], second: Sequence[Any]) -> float:
        return sum(_pairing(ct, b - a) for ct, a, b in zip(self.cts, first, second, strict=True)) / self.step

    def _size(self) -> float:
        """How large the terms are that make up the derivative; rounding in values counts as a part of it."""
        size = 1e-30
        for ct, a, y, b in zip(self.cts, self.before, self.here, self.after, strict=True):
            size += float(_np.sum(_np.abs(ct) * (_np.abs(b - y) + _np.abs(y - a)))) / self.step
            size += float(_np.sum(_np.abs(ct * y)))
        return size


def _direction(rng: np.random.Generator, x: Any) -> Any:
    """Random numbers of the sizes of the elements of x, 1 for 0."""
    size = _np.where((x == 0) | ~_np.isfinite(x), 1, _np.abs(x))
    return _normal(rng, x) * size


def _normal(rng: np.random.Generator, x: Any) -> Any:
    real = _np.asarray(rng.standard_normal(x.shape))
    if _np.iscomplexobj(x):
        return real + 1j * _np.asarray(rng.standard_normal(x.shape))
    return real


def _cotangent(rng: np.random.Generator, *values: Any) -> Any:
    """Random numbers of the type of a result; 0 where it is not finite, since there is no derivative."""
    finite = _np.logical_and.reduce([_np.isfinite(y) for y in values])
    return np.asarray(_np.where(finite, _normal(rng, values[0]), 0), values[0].dtype)


def _pairing(ct: Any, dy: Any) -> float:
    """Re(sum(ct * dy)), where ct is not 0."""
    return float(_np.sum(_np.where(ct == 0, 0, _np.asarray(ct, np.complex128) * dy)).real)


def _bits(x: Any) -> int:
    return x.dtype.itemsize * 8 // (2 if _np.iscomplexobj(x) else 1)
