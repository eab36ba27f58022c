"""Functions traced into blocks of their own, to be differentiated and put where they are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.emit import add, inline, inserting
from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.jvp.calls import Calls as ForwardCalls
from hhlo_xdsl.passes.jvp.core import ForwardWalk
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.vjp.calls import Calls
from hhlo_xdsl.passes.vjp.core import Options, Walk
from hhlo_xdsl.tensor import Tensor, tensor
from hhlo_xdsl.trace import result_tensor, symbols_of_trace
from hhlo_xdsl.where import with_place

Derive: TypeAlias = Callable[[list[Operation], Sequence[SSAValue], Operation], Sequence[SSAValue]]
"""(ops of a block, its arguments, its return) -> more results of the block, computed before the return."""


@dataclass(frozen=True)
class Inner:
    """A function in a block of its own, which returns the leaves of its value, then those of what goes along."""

    region: Region
    inputs: tuple[Tensor, ...]
    """What the arguments of the block stand for."""
    in_tree: tree.TreeDef
    outputs: tuple[Spec, ...]
    out_tree: tree.TreeDef
    aux_tree: tree.TreeDef

    def inlined(self, derive: Derive | None = None, *, copy: bool = False) -> list[Tensor]:
        """Put the block at the insertion point, with what `derive` adds; all of its results.

        With `copy`, a copy of it; without, it is used up.
        """
        block = (self.region.clone() if copy else self.region).block
        *ops, terminator = list(block.ops)
        if derive is not None:
            with inserting(block, before=terminator):
                more = derive(ops, block.args, terminator)
            terminator.operands = [*terminator.operands, *more]
            sweep(block)
        return [Tensor(v) for v in inline(block, [x.ssa for x in self.inputs])]

    def split(self, results: Sequence[Tensor]) -> tuple[list[Tensor], Any, list[Tensor]]:
        """Of the results of `inlined`: the leaves of the value, what goes along, and what was added."""
        n, m = self.out_tree.num_leaves, self.aux_tree.num_leaves
        return list(results[:n]), tree.unflatten(self.aux_tree, results[n : n + m]), list(results[n + m :])


def inner(what: str, fn: Callable[..., Any], args: Sequence[Any], has_aux: bool) -> Inner:
    """Trace `fn`; with `has_aux` it returns (value, what goes along). `what` names the transformation in errors."""
    leaves, in_tree = tree.flatten(tuple(args))
    inputs = tuple(tensor(leaf) for leaf in leaves)
    block = Block(arg_types=[x.ssa.type for x in inputs])
    with inserting(block):
        value, aux = _split_aux(what, fn(*tree.unflatten(in_tree, [Tensor(a) for a in block.args])), has_aux)
        outs, out_tree = tree.flatten(value)
        others, aux_tree = tree.flatten(aux)
        tensors = [result_tensor(fn, out, i) for i, out in enumerate([*outs, *others])]
        add(func.ReturnOp(*(t.ssa for t in tensors)))
    sweep(block)
    outputs = tuple(t.spec for t in tensors[: len(outs)])
    return Inner(Region(block), inputs, in_tree, outputs, out_tree, aux_tree)


def _split_aux(what: str, result: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:  # pyright: ignore[reportUnknownArgumentType]
        raise with_place(DifferentiationError(f"{what}: with has_aux=True the function must return (value, aux)"))
    return result  # pyright: ignore[reportUnknownVariableType]


def reverse_walk(safe: bool) -> Walk:
    """The walk of reverse mode in the program being traced."""
    walk = Walk(Options(safe=safe))
    if (symbols := symbols_of_trace()) is not None:
        walk.call = Calls(symbols, walk)
    return walk


def forward_walk(safe: bool) -> ForwardWalk:
    """The walk of forward mode in the program being traced."""
    walk = ForwardWalk(Options(safe=safe))
    if (symbols := symbols_of_trace()) is not None:
        walk.call = ForwardCalls(symbols, walk)
    return walk
