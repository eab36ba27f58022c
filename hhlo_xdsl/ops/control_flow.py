"""Loops and choices that the program makes when it runs. Each function they are given is traced once.

What is carried, chosen or scanned may be tensors, numbers, or containers of them. The functions may use outer tensors.
All are differentiable in both modes: loops whose number of steps is not known before the program runs, too.

slots      : how many states a loop whose number of steps is not known keeps for its way back, 64 if None; see
             docs/loops.md
checkpoint : what a loop of known number of steps keeps for it: "all" steps, about the "sqrt" of their number, or about
             its logarithm ("binomial"); None leaves it to the option of the gradient, which is "all"
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from hhlo_xdsl import dtypes, tree
from hhlo_xdsl.dialects.emit import add, inserting
from hhlo_xdsl.dialects.infix import splat, zeros
from hhlo_xdsl.dialects.stablehlo.control_flow import CaseOp, IfOp, ReturnOp, WhileOp
from hhlo_xdsl.dialects.stablehlo.indexing import DynamicSliceOp, DynamicUpdateSliceOp
from hhlo_xdsl.dialects.types import like, type_of
from hhlo_xdsl.dtypes import is_python_number
from hhlo_xdsl.errors import DTypeError, HhloError, ShapeError, TraceError
from hhlo_xdsl.ops.movement import concat, flip, stack
from hhlo_xdsl.ops.operands import axis_of
from hhlo_xdsl.passes.vjp.marks import CHECKPOINTS, RECOMPUTED, SLOTS
from hhlo_xdsl.promotion import promoted
from hhlo_xdsl.tensor import ArrayLike, Tensor, at_user_line, made, promote, tensor
from hhlo_xdsl.where import with_place

Tree = Any
"""A tensor, a number, or a container of them."""


def while_loop(
    cond: Callable[[Any], ArrayLike], body: Callable[[Any], Tree], init: Tree, *, slots: int | None = None
) -> Tree:
    """The first of init, body(init), body(body(init)), .. for which `cond` does not hold.

    cond : of what is carried, a boolean scalar
    body : of what is carried, the next, of the same structure, shapes and element types

    >>> hh.trace(lambda x: hh.while_loop(lambda y: y < 100.0, lambda y: y * y, x), hh.f32)        # f32
    """
    leaves, structure = _leaves("while_loop", init)
    names = _names(init)

    def test(*args: Tensor) -> Tensor:
        return _predicate("while_loop: cond", cond(tree.unflatten(structure, args)))

    def step(*args: Tensor) -> _Step:
        return _same("while_loop: body", body(tree.unflatten(structure, args)), structure, leaves, names), []

    return tree.unflatten(structure, _while(test, step, leaves, _marks("while_loop", slots, None)))


def fori_loop(
    lower: ArrayLike,
    upper: ArrayLike,
    body: Callable[[Any, Any], Tree],
    init: Tree,
    *,
    slots: int | None = None,
    checkpoint: str | None = None,
) -> Tree:
    """init, after body(i, carry) has replaced what is carried for i = lower, .., upper - 1.

    lower, upper : integers; if both are numbers, the gradient of the loop needs no counting

    >>> hh.trace(lambda x: hh.fori_loop(0, 10, lambda i, y: hh.sin(y) * x, x), hh.f32[3])         # f32[3]
    """
    first, last = _bounds(lower, upper)
    leaves, structure = _leaves("fori_loop", init)
    names = _names(init)

    def step(i: Tensor, *args: Tensor) -> _Step:
        given = body(i, tree.unflatten(structure, args))
        return [i + 1, *_same("fori_loop: body", given, structure, leaves, names)], []

    def test(i: Tensor, *_: Tensor) -> Tensor:
        return i < last

    results = _while(test, step, [first, *leaves], _marks("fori_loop", slots, checkpoint))
    return tree.unflatten(structure, results[1:])


def _bounds(lower: ArrayLike, upper: ArrayLike) -> Sequence[Tensor]:
    bounds = promote(lower, upper)
    for name, bound in zip(("lower", "upper"), bounds, strict=True):
        if bound.shape or bound.dtype.kind not in ("int", "uint"):
            raise with_place(DTypeError(f"fori_loop: {name} is {bound.spec}; one integer was expected"))
    return bounds


def scan(
    f: Callable[[Any, Any], tuple[Tree, Tree]],
    init: Tree,
    xs: Tree = None,
    length: int | None = None,
    *,
    reverse: bool = False,
    checkpoint: str | None = None,
) -> tuple[Tree, Tree]:
    """(last carry, ys), where (carry, ys[i]) = f(carry, xs[i]) for i = 0, .., n - 1, backwards with `reverse`.

    xs     : tensors whose first dimensions have one size, n; None if f needs none
    length : n, needed without xs

    >>> hh.trace(lambda xs: hh.scan(lambda s, x: (s + x, s * x), 0.0, xs), hh.f32[8])            # f32, f32[8]
    """
    sources, of_xs = tree.flatten(xs)
    slices = [tensor(x) for x in sources]
    steps = _length("scan", slices, _names(xs), length)
    leaves, structure = _leaves("scan", init)
    names = _names(init)
    made_ys: list[tree.TreeDef] = []

    def step(i: Tensor, *args: Tensor) -> _Step:
        at = (steps - 1) - i if reverse else i
        x = tree.unflatten(of_xs, [_row(x, at) for x in slices])
        carry, y = _pair(f(tree.unflatten(structure, args), x))
        ys, of_ys = _leaves("scan", y)
        made_ys.append(of_ys)
        return [i + 1, *_same("scan: f", carry, structure, leaves, names)], [(y, at) for y in ys]

    def test(i: Tensor, *_: Tensor) -> Tensor:
        return i < steps

    marks = _marks("scan", None, checkpoint)
    _, *results = _while(test, step, [tensor(0), *leaves], marks, rows=steps)
    return tree.unflatten(structure, results[: len(leaves)]), tree.unflatten(made_ys[0], results[len(leaves) :])


def map(f: Callable[[Any], Tree], xs: Tree, *, checkpoint: str | None = None) -> Tree:
    """f of each slice of xs along the first dimension, one after the other; the results, joined along a new first one.

    >>> hh.trace(lambda xs: hh.map(lambda x: hh.sum(x * x), xs), hh.f32[8, 3])                   # f32[8]
    """
    return scan(lambda _, x: ((), f(x)), (), xs, checkpoint=checkpoint)[1]


def cond(pred: ArrayLike, true_fn: Callable[..., Tree], false_fn: Callable[..., Tree], *operands: Tree) -> Tree:
    """true_fn(*operands) if pred, a boolean scalar, holds, else false_fn(*operands). Only one of them runs.

    >>> hh.trace(lambda x: hh.cond(hh.sum(x) > 0, hh.sqrt, lambda x: x * 2, x), hh.f32[3])       # f32[3]
    """
    selector = _predicate("cond: pred", pred)

    def op(true_branch: Region, false_branch: Region) -> IfOp:
        return IfOp(selector.ssa, true_branch, false_branch)

    return _choose("cond", ("true_fn", "false_fn"), (true_fn, false_fn), operands, op)


def switch(index: ArrayLike, branches: Sequence[Callable[..., Tree]], *operands: Tree) -> Tree:
    """branches[index](*operands), for an integer scalar; the last branch if the index is out of range.

    >>> hh.trace(lambda i, x: hh.switch(i, [hh.sin, hh.cos, hh.tan], x), hh.i32, hh.f32[3])      # f32[3]
    """
    i = tensor(index)
    if i.shape or i.dtype.kind not in ("int", "uint"):
        raise with_place(DTypeError(f"switch: index is {i.spec}; one integer was expected"))
    if not branches:
        raise with_place(TraceError("switch: there are no branches; give at least one"))
    selector = i.astype(dtypes.i32)
    names = [f"branches[{k}]" for k in range(len(branches))]
    return _choose("switch", names, branches, operands, lambda *regions: CaseOp(selector.ssa, regions))


def checkpoint(fn: Callable[..., Tree]) -> Callable[..., Tree]:
    """fn, whose way back computes again what it needs of it, from its arguments: less memory for more time.

    >>> hh.trace(hh.grad(lambda x: hh.sum(hh.checkpoint(lambda y: hh.exp(hh.sin(y)))(x))), hh.f32[3])    # f32[3]
    """

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Tree:
        def only() -> Tree:
            return fn(*args, **kwargs)

        def op(region: Region) -> CaseOp:
            choice = CaseOp(splat(0, type_of(tensor(0).ssa)), [region])
            choice.attributes[RECOMPUTED] = UnitAttr()
            return choice

        return _choose("checkpoint", ("fn",), (only,), (), op)

    return run


def associative_scan(fn: Callable[[Any, Any], Tree], elems: Tree, *, reverse: bool = False, axis: int = 0) -> Tree:
    """The folds e0, fn(e0, e1), fn(fn(e0, e1), e2), .. along `axis`, in about log2(n) rounds; fn must associate.

    fn      : works on whole slices of `elems`, element by element along `axis`
    reverse : fold from the end: its element first, then the one before it, ..

    >>> hh.trace(lambda x: hh.associative_scan(hh.multiply, x), hh.f32[8])                       # f32[8]
    """
    leaves, structure = _leaves("associative_scan", elems)
    if not leaves:
        return elems
    axes = [axis_of("associative_scan", axis, x.ndim) for x in leaves]
    sizes = [x.shape[d] for x, d in zip(leaves, axes, strict=True)]
    if len(set(sizes)) != 1:
        raise with_place(ShapeError(f"associative_scan: the sizes along axis {axis} are {sizes}; one was expected"))

    def combine(a: list[Tensor], b: list[Tensor]) -> list[Tensor]:
        given = fn(tree.unflatten(structure, a), tree.unflatten(structure, b))
        return _same("associative_scan: fn", given, structure, a, _names(elems))

    turned = [flip(x, axis=d) for x, d in zip(leaves, axes, strict=True)] if reverse else leaves
    found = _prefixes(combine, turned, axes)
    return tree.unflatten(structure, [flip(x, axis=d) for x, d in zip(found, axes, strict=True)] if reverse else found)


def _prefixes(
    combine: Callable[[list[Tensor], list[Tensor]], list[Tensor]], values: list[Tensor], axes: Sequence[int]
) -> list[Tensor]:
    """Neighbours are joined; the folds of the pairs are those at odd places, and each even one is a step from these."""
    n = values[0].shape[axes[0]]
    if n < 2:
        return values

    def part(xs: list[Tensor], *range: int | None) -> list[Tensor]:
        return [x[(*[slice(None)] * d, slice(*range))] for x, d in zip(xs, axes, strict=True)]

    odd = _prefixes(combine, combine(part(values, 0, n - 1, 2), part(values, 1, None, 2)), axes)
    even = part(values, 0, 1)
    if n > 2:
        later = combine(part(odd, 0, (n - 1) // 2), part(values, 2, None, 2))
        even = [concat([a, b], axis=d) for a, b, d in zip(even, later, axes, strict=True)]
    m = n // 2
    return [_interleaved(a, b, d, m) for a, b, d in zip(even, odd, axes, strict=True)]


def _interleaved(even: Tensor, odd: Tensor, d: int, m: int) -> Tensor:
    """even[0], odd[0], even[1], .. along dimension d; there are m odd ones, and as many or one more even ones."""
    first = even[(*[slice(None)] * d, slice(0, m))]
    shape = list(odd.shape)
    shape[d] = 2 * m
    mixed = stack([first, odd], axis=d + 1).reshape(shape)
    rest = even[(*[slice(None)] * d, slice(m, None))]
    return concat([mixed, rest], axis=d) if rest.shape[d] else mixed


# Loops

_Step = tuple[list[Tensor], list[tuple[Tensor, Tensor]]]
"""What a step carries on; and rows, each with the place where it is written into a stack of its own."""


def _while(
    test: Callable[..., Tensor],
    step: Callable[..., _Step],
    init: Sequence[Tensor],
    marks: dict[str, Attribute],
    rows: int = 0,
) -> list[Tensor]:
    """What is carried after the last step, then the stacks, of `rows` rows, which start as zeros."""
    body = Block(arg_types=[x.ssa.type for x in init])
    with inserting(body):
        new, written = step(*(Tensor(a) for a in body.args))
        stacks = [_put(body, value, at, rows) for value, at in written]
        add(ReturnOp([*(x.ssa for x in new), *stacks]))
    condition = Block(arg_types=[a.type for a in body.args])
    with inserting(condition):
        add(ReturnOp([test(*(Tensor(a) for a in condition.args)).ssa]))
    if written and not rows:
        return [*init, *(Tensor(zeros(type_of(s))) for s in stacks)]
    with at_user_line():
        starts = [*(x.ssa for x in init), *(zeros(type_of(a)) for a in body.args[len(init) :])]
        op = WhileOp(starts, Region(condition), Region(body))
        op.attributes.update(marks)
        return [Tensor(r) for r in add(op).results]


def _put(body: Block, value: Tensor, at: Tensor, rows: int) -> SSAValue:
    """Let the loop carry a stack, into which the step writes `value`; the stack after the step."""
    shape = value.shape
    stack = body.insert_arg(like(type_of(value.ssa), shape=(rows, *shape)), len(body.args))
    if not rows:
        return stack
    flat = value.reshape((1, *shape)).ssa
    zero = splat(0, type_of(at.ssa))
    return add(DynamicUpdateSliceOp(stack, flat, [at.ssa, *[zero] * len(shape)])).result


def _row(x: Tensor, at: Tensor) -> Tensor:
    """x[at]; of a tensor without rows, zeros."""
    _, *shape = x.shape
    if not x.shape[0]:
        return Tensor(zeros(like(type_of(x.ssa), shape=shape)))
    zero = splat(0, type_of(at.ssa))
    return made(DynamicSliceOp, x, [at.ssa, *[zero] * len(shape)], (1, *shape)).reshape(shape)


def _length(function: str, xs: Sequence[Tensor], names: Sequence[str], length: int | None) -> int:
    """The number of steps: what all of xs have as first size, and `length` if given."""
    found: dict[str, int] = {} if length is None else {"length": length}
    for name, x in zip(names, xs, strict=True):
        if not x.shape:
            raise with_place(
                ShapeError(f"{function}: xs{name} is {x.spec}; a tensor with a first dimension was expected")
            )
        found[f"the size of xs{name}"] = x.shape[0]
    if not found:
        raise with_place(TraceError(f"{function}: there are no xs; give the number of steps as length"))
    if len(set(found.values())) > 1 or min(found.values()) < 0:
        told = ", ".join(f"{what} is {n}" for what, n in found.items())
        raise with_place(ShapeError(f"{function}: {told}; one number of steps, at least 0, was expected"))
    return next(iter(found.values()))


def _pair(given: object) -> tuple[Tree, Tree]:
    if isinstance(given, tuple) and len(pair := cast("tuple[Tree, ...]", given)) == 2:
        return pair[0], pair[1]
    found = type(cast("object", given)).__name__
    raise with_place(TraceError(f"scan: f returned {found}; a pair (carry, y) was expected"))


def _marks(function: str, slots: int | None, checkpoint: str | None) -> dict[str, Attribute]:
    """The attributes that tell the gradient what the loop keeps."""
    marks: dict[str, Attribute] = {}
    if slots is not None:
        if slots < 1:
            raise with_place(TraceError(f"{function}: slots is {slots}; at least 1 was expected"))
        marks[SLOTS] = IntegerAttr(slots, i64)
    if checkpoint is not None:
        if checkpoint not in CHECKPOINTS:
            expected = ", ".join(repr(c) for c in CHECKPOINTS)
            raise with_place(TraceError(f"{function}: checkpoint is {checkpoint!r}; one of {expected} was expected"))
        marks[RECOMPUTED] = StringAttr(checkpoint)
    return marks


# Choices


def _choose(
    function: str,
    names: Sequence[str],
    branches: Sequence[Callable[..., Tree]],
    operands: Sequence[Tree],
    op: Callable[..., IfOp | CaseOp],
) -> Tree:
    """The result of the branch that `op`, made of one region per branch, chooses."""
    blocks = [Block() for _ in branches]
    found: list[list[Any]] = []
    structures: list[tree.TreeDef] = []
    for block, branch in zip(blocks, branches, strict=True):
        with inserting(block):
            leaves, structure = tree.flatten(branch(*operands))
            found.append([x if is_python_number(x) else tensor(x) for x in leaves])
        structures.append(structure)
    for name, structure in zip(names, structures, strict=True):
        if structure != structures[0]:
            raise with_place(
                TraceError(
                    f"{function}: {names[0]} returns the structure {structures[0]} and {name} {structure}; let both"
                    " return the same"
                )
            )
    types = [_common(function, names, i, column) for i, column in enumerate(zip(*found, strict=True))]
    for block, values in zip(blocks, found, strict=True):
        with inserting(block):
            add(ReturnOp([tensor(x, dtype).ssa for x, dtype in zip(values, types, strict=True)]))
    with at_user_line():
        results = add(op(*(Region(block) for block in blocks))).results
    return tree.unflatten(structures[0], [Tensor(r) for r in results])


def _common(function: str, names: Sequence[str], i: int, column: Sequence[Any]) -> dtypes.DType | None:
    """The element type of result i of all branches: numbers take that of the tensors."""
    specs = {name: x.spec for name, x in zip(names, column, strict=True) if isinstance(x, Tensor)}
    numbers = [dtypes.spec(x) for x in column if not isinstance(x, Tensor)]
    if len({*specs.values()}) > 1 or (numbers and any(s.shape for s in specs.values())):
        told = ", ".join(f"{name} returns {s}" for name, s in specs.items())
        scalar = " and a number in another branch" if numbers else ""
        raise with_place(
            ShapeError(f"{function}: as result {i} {told}{scalar}; one type was expected; convert or broadcast one")
        )
    if specs:
        return next(iter(specs.values())).dtype
    return functools.reduce(promoted, (s.dtype for s in numbers))


# What the functions are given and give


def _leaves(function: str, value: Tree) -> tuple[list[Tensor], tree.TreeDef]:
    """The leaves of a container as tensors, and its structure."""
    leaves, structure = tree.flatten(value)
    try:
        return [tensor(x) for x in leaves], structure
    except HhloError as error:
        raise with_place(error) from None
    except (TypeError, ValueError) as error:
        raise with_place(
            TraceError(f"{function}: tensors, numbers and containers of them were expected ({error})")
        ) from None


def _names(value: Tree) -> list[str]:
    """How each leaf is reached, as `['w'][0]`."""
    return tree.paths(value)


def _same(
    function: str, given: Tree, structure: tree.TreeDef, leaves: Sequence[Tensor], names: Sequence[str]
) -> list[Tensor]:
    """The leaves of what a step gives, which must be of the types of what it takes; numbers take these."""
    values, found = tree.flatten(given)
    if found != structure:
        raise with_place(
            TraceError(f"{function} takes the structure {structure} and returns {found}; let it return the same")
        )
    return [_of_type(function, name, v, x) for name, v, x in zip(names, values, leaves, strict=True)]


def _of_type(function: str, name: str, value: Any, expected: Tensor) -> Tensor:
    if is_python_number(value) and not expected.shape:
        return tensor(value, expected.dtype)
    t = tensor(value)
    if t.spec == expected.spec:
        return t
    where = f" at {name}" if name else ""
    what = "its element type" if t.shape == expected.shape else "its shape"
    way_out = "start from that type, or use astype" if t.shape == expected.shape else "carry tensors of fixed shapes"
    error = DTypeError if t.shape == expected.shape else ShapeError
    raise with_place(
        error(f"{function} takes {expected.spec}{where} and returns {t.spec}; {what} must stay; {way_out}")
    )


def _predicate(what: str, value: ArrayLike) -> Tensor:
    """A boolean scalar."""
    pred = tensor(value)
    if pred.shape or pred.dtype is not dtypes.i1:
        raise with_place(DTypeError(f"{what} is {pred.spec}; a boolean scalar was expected; compare, or use hh.any"))
    return pred
