"""`callback`: a Python function inside a traced program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness

from hhlo_xdsl import tree
from hhlo_xdsl.dialects.emit import add
from hhlo_xdsl.dialects.stablehlo.extension import CustomCallOp
from hhlo_xdsl.dtypes import spec
from hhlo_xdsl.errors import HhloError, TraceError
from hhlo_xdsl.ir_types import tensor_type
from hhlo_xdsl.runtime.callbacks import NUMBER, TARGET, register_function
from hhlo_xdsl.tensor import Tensor, tensor
from hhlo_xdsl.trace import is_tracing
from hhlo_xdsl.where import with_place


def callback(fn: Callable[..., Any], types: Any, *args: Any, has_side_effect: bool = False) -> Any:
    """fn(*args), computed by Python while the program runs, on the CPU.

    fn              : gets numpy arrays, nested as `args`, and returns arrays of exactly `types`, nested alike
    types           : a type such as `hh.f32[3]`, or a container of types
    has_side_effect : whether each call must happen, once and in order, even if its results are not used

    An exception in fn, or a result of another shape or dtype, is an HhloError where the program's results are asked
    for. There is no derivative; give one with `hh.custom_vjp`. Raises TraceError outside a trace.
    """
    if not is_tracing():
        raise TraceError("callback: there is no program being traced; call it within hh.trace or hh.jit")
    leaves, in_tree = tree.flatten(args)
    outputs, out_tree = tree.flatten(types)
    try:
        specs = [spec(o) for o in outputs]
    except (HhloError, TypeError, ValueError) as error:
        raise with_place(TraceError(f"callback: types are {types!r}; types such as hh.f32[3] were expected")) from error

    def flat(*values: Any) -> tuple[Any, ...]:
        found, found_tree = tree.flatten(fn(*tree.unflatten(in_tree, values)))
        if found_tree != out_tree:
            raise TypeError(f"the callback {_name(fn)} returned {found_tree}, expected {out_tree}")
        return tuple(found)

    flat.__name__ = _name(fn)
    number = IntegerAttr(register_function(flat, specs), IntegerType(64, Signedness.UNSIGNED))
    op = add(
        CustomCallOp(
            TARGET,
            [tensor(leaf).ssa for leaf in leaves],
            [tensor_type(s) for s in specs],
            has_side_effect=has_side_effect,
            backend_config={NUMBER: number},
        )
    )
    return tree.unflatten(out_tree, [Tensor(r) for r in op.results])


def _name(fn: Callable[..., Any]) -> str:
    return getattr(fn, "__name__", type(fn).__name__)
