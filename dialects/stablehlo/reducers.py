"""Regions that are functions on scalars, as reduce and its kin take: recognising and checking them.

Ops do not belong here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import Commutative

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.quant import UniformType
from hhlo_xdsl.dialects.stablehlo.base import AbstractOp
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, ReturnOp, region_of
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp
from hhlo_xdsl.dialects.types import (
    INTEGER_OR_BOOL,
    RankedTensor,
    bit_width,
    compatible_shapes,
    compatible_sizes,
    kind,
    scalar,
    type_of,
)


def reducer_of(op: Operation) -> type[Operation] | None:
    """The class of the binary op that the last region of `op` consists of, applied to its two arguments.

    They may stand in either order if the class is commutative. None if the region does anything else.
    """
    block = op.regions[-1].blocks.first
    inner = None if block is None else only_op(block)
    if block is None or inner is None or len(inner.operands) != 2 or set(inner.operands) != set(block.args):
        return None
    return type(inner) if inner.operands[0] is block.args[0] or inner.has_trait(Commutative) else None


def only_op(block: Block) -> Operation | None:
    """The op before the terminator, if it is the only one, has no regions, and its one result is what is returned."""
    inner, last = block.first_op, block.last_op
    if inner is None or not isinstance(last, ReturnOp) or inner.next_op is not last or inner.regions:
        return None
    return inner if len(inner.results) == 1 and tuple(last.operands) == tuple(inner.results) else None


def check_reducer(
    op: str,
    labels: tuple[str, str],
    body: Region,
    inputs: Sequence[RankedTensor],
    init_values: Sequence[RankedTensor],
    names: tuple[str, str] = ("inputs[{}]", "init_values[{}]"),
    sizes: Sequence[int] = (),
) -> list[Attribute]:
    """The element types E of what `body` returns, one per input. `names` are those of the operands, for messages.

    Raise ShapeError or DTypeError unless body maps scalars (E.., E..) to (E..) (`labels[1]`), where each input promotes
    to its E, and each init value, if there are any, too (`labels[0]`). As in the reference verifier, floats promote to
    any floats, and in place of scalars the body may take tensors of some of `sizes`, in order.
    """
    returned = _check_signature(op, labels[1], body, inputs, sizes)
    for i, (init, result) in enumerate(zip(init_values, returned, strict=False)):
        fits = compatible_shapes(init.get_shape(), result.get_shape())
        if not fits or not _promotable(init.element_type, result.element_type):
            found = f"{names[1].format(i)} is {init}"
            raise violated(op, labels[0], f"{found}; it must be {result}, as the body returns", DTypeError)
    for i, (x, result) in enumerate(zip(inputs, returned, strict=True)):
        e = result.element_type
        if not _promotable(x.element_type, e):
            found = f"{names[0].format(i)} is {x}, and the body computes in {e}"
            raise violated(
                op, labels[1], f"{found}; give it a body on {x.element_type}, or convert the input", DTypeError
            )
    return [r.element_type for r in returned]


def _check_signature(
    op: str, label: str, body: Region, inputs: Sequence[RankedTensor], sizes: Sequence[int]
) -> list[RankedTensor]:
    """The types that `body` returns; scalars, or of some of `sizes`, and its arguments twice these."""
    n, block = len(inputs), body.block
    last = block.last_op
    if not isinstance(last, ReturnOp) or len(last.operands) != n or len(block.args) != 2 * n:
        gives = f"returns {len(last.operands)} values" if isinstance(last, ReturnOp) else "has no stablehlo.return"
        found = f"its body takes {len(block.args)} arguments and {gives}"
        raise violated(op, label, f"{found}; it must take {2 * n} and return {n}, for {n} input{'s' * (n > 1)}")
    returned = [r.type for r in last.operands]
    for i, a in enumerate(block.args):
        result = returned[i % n]
        is_one_type = _like(a.type, result) or (i >= n and floats_of_equal_shape(a.type, result))
        if not is_one_type or not is_subsequence(cast(RankedTensor, a.type).get_shape(), sizes):
            found = f"its body's argument {i} is {a.type}, and it returns {result} there"
            raise violated(
                op, label, f"{found}; both must be one scalar type, such as {scalar(inputs[i % n])}", DTypeError
            )
    return cast("list[RankedTensor]", returned)


def _like(a: Attribute, b: Attribute) -> bool:
    """Whether two types are tensors of one element type, whose shapes can be the same."""
    if not (isinstance(a, TensorType) and isinstance(b, TensorType)):
        return False
    left, right = cast(RankedTensor, a), cast(RankedTensor, b)
    return left.element_type == right.element_type and compatible_shapes(left.get_shape(), right.get_shape())


def is_subsequence(shape: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether `shape` is what remains of `sizes` without some of them; unknown sizes are equal to any."""
    left = iter(sizes)
    return all(any(compatible_sizes(n, size) for size in left) for n in shape)


def beyond_scalars(op: Operation) -> str:
    """What a region of `op` does that is no function of scalars, though the verifier takes it; empty if nothing.

    XLA does not compile such regions, and the derivative rules do not know them: a value read from outside that is not
    a constant, or an argument that is not a scalar.
    """
    if not (isinstance(op, AbstractOp) and op.OF_SCALARS):
        return ""
    for region in op.regions:
        for argument in region.block.args:
            if type_of(argument).get_num_dims():
                return f"its body takes {argument.type}; it must take scalars"
        inside = _defined_in(region)
        for inner in region.walk():
            for value in inner.operands:
                if value not in inside and not isinstance(value.owner, ConstantOp):
                    return (
                        f"its body reads a value of type {value.type} from outside, in {inner.name}; it may read its"
                        " arguments and constants; make the value an input"
                    )
    return ""


def _defined_in(region: Region) -> set[SSAValue]:
    inside: set[SSAValue] = set()
    for block in _blocks(region):
        inside.update(block.args)
        for inner in block.ops:
            inside.update(inner.results)
    return inside


def _blocks(region: Region) -> Iterator[Block]:
    yield from region.blocks
    for inner in region.walk():
        for nested in inner.regions:
            yield from nested.blocks


def floats_of_equal_shape(a: Attribute, b: Attribute) -> bool:
    """Whether two types are float tensors of one shape, whatever their widths; as the reference verifier accepts."""
    if not (isinstance(a, TensorType) and isinstance(b, TensorType)):
        return False
    left, right = cast(RankedTensor, a), cast(RankedTensor, b)
    floats = isinstance(left.element_type, AnyFloat) and isinstance(right.element_type, AnyFloat)
    return floats and compatible_shapes(left.get_shape(), right.get_shape())


def _promotable(a: Attribute, b: Attribute) -> bool:
    """Whether elements of type `a` may take part in a computation in `b`: floats, or of one kind and no wider."""
    if a == b:
        return True
    kinds = {kind(a), kind(b)}
    if kinds == {"float"}:
        return True
    if isinstance(a, UniformType) and isinstance(b, UniformType):
        return a.data.expressed == b.data.expressed and bit_width(a) <= bit_width(b)
    return (kinds == {"complex"} or kinds <= INTEGER_OR_BOOL) and bit_width(a) <= bit_width(b)


__all__ = [
    "Body",
    "beyond_scalars",
    "check_reducer",
    "floats_of_equal_shape",
    "only_op",
    "reducer_of",
    "region_of",
]
