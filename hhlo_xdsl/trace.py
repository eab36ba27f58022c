"""From a Python function and the types of its arguments to a module. No differentiation, no device."""

from __future__ import annotations

import keyword
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.emit import add, inserting, insertion_block
from hhlo_xdsl.dtypes import Spec, spec
from hhlo_xdsl.errors import HhloError, TraceError, VerifyError
from hhlo_xdsl.ir_types import tensor_type
from hhlo_xdsl.mesh import meshes_in
from hhlo_xdsl.passes.differentiated import set_signature
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.symbols import Symbols
from hhlo_xdsl.passes.verify import check_order
from hhlo_xdsl.passes.vjp.core import inputs
from hhlo_xdsl.tensor import Tensor, tensor
from hhlo_xdsl.where import with_place


@dataclass(frozen=True)
class Traced:
    """A traced function: its module, the types of `main`'s arguments and results, and how results nest."""

    module: ModuleOp
    inputs: tuple[Spec, ...]
    outputs: tuple[Spec, ...]
    out_tree: tree.TreeDef


def trace(fn: Callable[..., Any], *types: Any, name: str = "main") -> ModuleOp:
    """The module whose public function `@name` computes `fn`.

    types : one per argument of fn: `hh.f32[2, 3]`, an array (its type is taken), or a container of these. The
            function's arguments are their leaves in order; its results are the leaves of what fn returns.

    Raises TraceError if fn needs the value of a tensor, or returns what is not a tensor or number.
    """
    return traced(fn, types, name).module


def traced(fn: Callable[..., Any], args: Sequence[Any], name: str = "main") -> Traced:
    """Like `trace`, with what is needed to call the result on trees of arrays."""
    if not name or keyword.iskeyword(name):
        raise TraceError(f"trace: name is {name!r}; the name of a function was expected")
    leaves, in_tree = tree.flatten(tuple(args))
    specs = tuple(_leaf_spec(leaf, i) for i, leaf in enumerate(leaves))
    block = Block(arg_types=[tensor_type(s) for s in specs])
    function = func.FuncOp(name, ([a.type for a in block.args], []), Region(block), "public")
    module = ModuleOp([function])
    outside, _scope.symbols = _scope.symbols, Symbols(module)
    try:
        tensors, out_tree = _run(fn, block, in_tree)
        sweep(block)
        _scope.symbols.erase_unused(list(_scope.symbols.functions))
    finally:
        _scope.symbols = outside
    set_signature(function, arguments=0, results=0, value=True)
    module.body.block.insert_ops_before(meshes_in(list(module.ops)), function)
    _check_own(module, fn)
    return Traced(module, specs, tuple(t.spec for t in tensors), out_tree)


def _run(fn: Callable[..., Any], block: Block, in_tree: tree.TreeDef) -> tuple[list[Tensor], tree.TreeDef]:
    """Trace fn into a block whose arguments are the leaves of its own, and return there; the results."""
    with inserting(block):
        result = fn(*tree.unflatten(in_tree, [Tensor(a) for a in block.args]))
        outs, out_tree = tree.flatten(result)
        tensors = [result_tensor(fn, out, i) for i, out in enumerate(outs)]
        add(func.ReturnOp(*(t.ssa for t in tensors)))
    return tensors, out_tree


class _Scope(threading.local):
    symbols: Symbols | None = None
    """The functions of the module being traced."""


_scope = _Scope()


def traced_symbols(what: str) -> Symbols:
    """The functions of the module being traced; raises TraceError, for `what`, outside a trace."""
    if _scope.symbols is None:
        raise TraceError(f"{what}: no module is being traced here; call this inside a function given to hh.trace")
    return _scope.symbols


def symbols_of_trace() -> Symbols | None:
    """The functions of the module being traced; None outside a trace."""
    return _scope.symbols


def private_function(fn: Callable[..., Any], args: Sequence[Tensor], name: str) -> func.FuncOp:
    """A private function of the module being traced that computes `fn` for arguments of these types.

    name : `_0`, `_1`, .. is appended if it is taken

    Raises TraceError outside a trace.
    """
    return private_traced(fn, args, name)[0]


def private_traced(fn: Callable[..., Any], args: Sequence[Any], name: str) -> tuple[func.FuncOp, tree.TreeDef]:
    """Like `private_function`, for containers of tensors or of types; with how the results nest."""
    symbols = traced_symbols(name)
    leaves, in_tree = tree.flatten(tuple(args))
    types = [tensor_type(leaf) if isinstance(leaf, Spec) else leaf.ssa.type for leaf in leaves]
    block = Block(arg_types=types)
    results, out_tree = _run(fn, block, in_tree)
    sweep(block)
    function = func.FuncOp(symbols.unique(name), (types, [t.ssa.type for t in results]), Region(block), "private")
    if captured := inputs(function):
        raise with_place(
            TraceError(
                f"{name}: the function uses a tensor from outside, of type {captured[0].type}; pass it as an argument"
            )
        )
    symbols.append(function)
    return function, out_tree


def is_tracing() -> bool:
    """Whether a function is being traced on this thread."""
    return insertion_block() is not None


def _leaf_spec(leaf: Any, i: int) -> Spec:
    try:
        return spec(leaf)
    except (HhloError, TypeError, ValueError) as error:
        raise TraceError(
            f"trace: argument leaf {i} is {type(leaf).__name__};"
            f" a type such as hh.f32[2, 3] or an array was expected ({error})"
        ) from None


def result_tensor(fn: Callable[..., Any], out: Any, i: int) -> Tensor:
    """Result number `i` of `fn`; raises TraceError if it is not made of numbers."""
    try:
        return tensor(out)
    except TraceError:
        raise
    except (HhloError, TypeError, ValueError) as error:
        name = getattr(fn, "__name__", "the function")
        raise TraceError(
            f"trace: result {i} of {name} is {type(out).__name__};"
            f" tensors, numbers and containers of them were expected ({error})"
        ) from None


def _check_own(module: ModuleOp, fn: Callable[..., Any]) -> None:
    """Every value must have been computed within this trace."""
    try:
        check_order(module)
    except VerifyError as error:
        name = getattr(fn, "__name__", "the function")
        raise TraceError(
            f"trace: {name} uses a tensor that belongs to another trace, kept from an earlier call;"
            f" pass it as an argument ({error})"
        ) from None
