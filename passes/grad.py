"""`hhlo-grad`: a function is rewritten into its reverse-mode gradient. No formula stands here; see passes/vjp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hhlo_xdsl.dialects.bulk import without_collector
from hhlo_xdsl.dialects.emit import inserting
from hhlo_xdsl.dialects.errors import DifferentiationError
from hhlo_xdsl.dialects.infix import splat, zeros
from hhlo_xdsl.dialects.types import RankedTensor, is_complex, is_inexact, is_static, type_of
from hhlo_xdsl.passes.differentiated import (
    counted,
    differentiated_arguments,
    differentiated_function,
    set_signature,
)
from hhlo_xdsl.passes.generic_form import from_generic_form
from hhlo_xdsl.passes.inline import inline_before_gradient
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.sweep import sweep
from hhlo_xdsl.passes.symbols import Symbols, body_of
from hhlo_xdsl.passes.vjp.calls import Calls
from hhlo_xdsl.passes.vjp.core import Options, Walk, accumulate
from hhlo_xdsl.passes.vjp.marks import CHECKPOINTS


@dataclass(frozen=True)
class GradPass(HhloPass):
    """Rewrite a function into its gradient, in place.

    (x...) -> (y...) becomes (x..., ct of y[r] for r in result if seed) -> (y... if value, ct of x[i] for i in wrt).
    Without `seed` there is one differentiated result, a floating scalar, and its cotangent is 1.
    """

    name = "hhlo-grad"

    function: str = "main"
    """The function to differentiate."""
    wrt: tuple[int, ...] | None = None
    """Which arguments to differentiate with respect to; every floating or complex one if not given."""
    result: tuple[int, ...] = (0,)
    """Which results to differentiate; several only with `seed`."""
    value: bool = True
    """Whether the results of the function come first."""
    seed: bool = False
    """Whether to take a cotangent per differentiated result, after the arguments."""
    safe: bool = False
    """Whether rules give zero where the incoming cotangent is exactly zero."""
    portable: bool = False
    """Whether to avoid base dilation and batch groups in the gradient."""
    checkpoint: str = "all"
    """What loops of known trip count T keep for the way back: "all" steps; the states before some steps, from which the
    others are run again, about "sqrt"(T) of them, or about log(T) of them ("binomial")."""
    slots: int = 64
    """How many states a loop of unknown trip count keeps for the way back, at least 1. If it takes at most slots ** 2
    steps, each is run once more; beyond, more often."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises DifferentiationError where there is no gradient."""
        differentiate(op, self)


@without_collector()
def differentiate(module: ModuleOp, request: GradPass, walk: Walk | None = None) -> None:
    """Rewrite `request.function` of `module` into its gradient, in place, as the options of `request` say.

    walk : what walks back, for a subclass that watches; its options and calls are set here

    On an error the module may be half rewritten; differentiate a clone to keep it.
    """
    _check_loop_options(request)
    for op in module.walk():
        from_generic_form(op)
    symbols = Symbols(module)
    function = differentiated_function(symbols, request.function, request.name)
    body = body_of(function, request.name)
    wrt = differentiated_arguments(function, request.wrt, request.name)
    inline_before_gradient(symbols, request.function)
    results = _seeded_results(function, request)
    walk = Walk() if walk is None else walk
    walk.options = Options(request.safe, request.portable, request.checkpoint, request.slots)
    walk.call = calls = Calls(symbols, walk)

    *ops, terminator = list(body.ops)
    count = len(body.args)
    with inserting(body, before=terminator):
        cts = _seeds(body, terminator, results, request.seed)
        walk.pullback(ops, cts, [body.args[i] for i in wrt])
        gradients = [cts.get(body.args[i]) or _zero(function, i) for i in wrt]
    terminator.operands = [*(terminator.operands if request.value else ()), *gradients]
    sweep(body)
    symbols.erase_unused(calls.replaced)
    set_signature(function, arguments=len(body.args) - count, results=len(gradients), value=request.value)


def _check_loop_options(request: GradPass) -> None:
    if request.checkpoint not in CHECKPOINTS:
        raise DifferentiationError(
            f'hhlo-grad: checkpoint is "{request.checkpoint}"; one of {", ".join(CHECKPOINTS)} was expected'
        )
    if request.slots < 1:
        raise DifferentiationError(f"hhlo-grad: slots is {request.slots}; at least 1 was expected")


def _seeded_results(function: func.FuncOp, request: GradPass) -> Sequence[int]:
    """The results to differentiate, checked."""
    name, types = function.sym_name.data, function.function_type.outputs.data
    for r in request.result:
        if not 0 <= r < len(types):
            raise DifferentiationError(f"hhlo-grad: result is {r}, but @{name} has {counted(len(types), 'result')}")
        if not is_inexact(types[r]):
            raise DifferentiationError(
                f"hhlo-grad: result {r} of @{name} is {types[r]}; only floating and complex results have gradients;"
                " name another with result=..., or convert it inside the function"
            )
    if not request.result or len(set(request.result)) != len(request.result):
        raise DifferentiationError("hhlo-grad: result must name one result or more, each once")
    if not request.seed:
        _check_scalar(function, request.result)
    return request.result


def _check_scalar(function: func.FuncOp, results: Sequence[int]) -> None:
    """Without a cotangent argument, exactly one real scalar can be differentiated."""
    name, way_out = function.sym_name.data, "sum it to a scalar, or take a cotangent argument with seed=true"
    if len(results) != 1:
        raise DifferentiationError(
            f"hhlo-grad: results {','.join(map(str, results))} of @{name} were asked for;"
            f" a gradient is of one scalar; {way_out}"
        )
    type = function.function_type.outputs.data[results[0]]
    if not _is_real_scalar(type):
        raise DifferentiationError(
            f"hhlo-grad: result {results[0]} of @{name} is {type}; a gradient is of one floating scalar; {way_out}"
        )


def _is_real_scalar(type: Attribute) -> bool:
    return is_inexact(type) and not is_complex(type) and not cast(RankedTensor, type).get_shape()


def _seeds(body: Block, terminator: Operation, results: Sequence[int], seed: bool) -> dict[SSAValue, SSAValue]:
    """The cotangents of the differentiated results: new arguments of the function, or 1."""
    cts: dict[SSAValue, SSAValue] = {}
    for r in results:
        y = terminator.operands[r]
        accumulate(cts, y, body.insert_arg(y.type, len(body.args)) if seed else splat(1, type_of(y)))
    return cts


def _zero(function: func.FuncOp, i: int) -> SSAValue:
    """The gradient of an argument that the result does not depend on."""
    type = type_of(function.body.block.args[i])
    if not is_static(type):
        raise DifferentiationError(
            f"hhlo-grad: argument {i} of @{function.sym_name.data} is {type}, and its gradient is zeros of that type,"
            " whose sizes must be known; leave it out of wrt"
        )
    return zeros(type)
