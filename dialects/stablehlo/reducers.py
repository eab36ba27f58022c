"""Regions that are functions on scalars, as reduce and its kin take: recognising and checking them.

Ops do not belong here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import AnyFloat, IntegerType, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import Commutative

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.stablehlo.control_flow import Body, ReturnOp, region_of
from hhlo_xdsl.dialects.stablehlo.creation import ConstantOp
from hhlo_xdsl.dialects.types import INTEGER_OR_BOOL, RankedTensor, compatible_shapes, kind, real_element, scalar


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
) -> list[Attribute]:
    """The element types E of what `body` returns, one per input. `names` are those of the operands, for messages.

    Raise ShapeError or DTypeError unless body maps scalars (E.., E..) to (E..) (`labels[1]`), where each input promotes
    to its E, and each init value, if there are any, too (`labels[0]`). As in the reference verifier, floats promote to
    any floats.
    """
    returned = _check_signature(op, labels[1], body, inputs)
    for i, (init, result) in enumerate(zip(init_values, returned, strict=False)):
        if init.get_num_dims() or not _promotable(init.element_type, result.element_type):
            found = f"{names[1].format(i)} is {init}"
            raise violated(op, labels[0], f"{found}; it must be {result}, a scalar of the inputs' elements", DTypeError)
    for i, (x, result) in enumerate(zip(inputs, returned, strict=True)):
        e = result.element_type
        if not _promotable(x.element_type, e):
            found = f"{names[0].format(i)} is {x}, and the body computes in {e}"
            raise violated(
                op, labels[1], f"{found}; give it a body on {x.element_type}, or convert the input", DTypeError
            )
    check_captures(op, labels[1], body)
    return [r.element_type for r in returned]


def _check_signature(op: str, label: str, body: Region, inputs: Sequence[RankedTensor]) -> list[RankedTensor]:
    """The types that `body` returns; each a scalar, and its arguments twice these."""
    n, block = len(inputs), body.block
    last = block.last_op
    if not isinstance(last, ReturnOp) or len(last.operands) != n or len(block.args) != 2 * n:
        gives = f"returns {len(last.operands)} values" if isinstance(last, ReturnOp) else "has no stablehlo.return"
        found = f"its body takes {len(block.args)} arguments and {gives}"
        raise violated(op, label, f"{found}; it must take {2 * n} and return {n}, for {n} input{'s' * (n > 1)}")
    returned = [r.type for r in last.operands]
    for i, a in enumerate(block.args):
        result = returned[i % n]
        if not _is_scalar(result) or not (a.type == result or (i >= n and floats_of_equal_shape(a.type, result))):
            found = f"its body's argument {i} is {a.type}, and it returns {result} there"
            raise violated(
                op, label, f"{found}; both must be one scalar type, such as {scalar(inputs[i % n])}", DTypeError
            )
    return cast("list[RankedTensor]", returned)


def check_captures(op: str, label: str, body: Region) -> None:
    """Raise ShapeError if a region reads a value from outside that is not a constant: XLA takes no such region."""
    inside: set[SSAValue] = set()
    for inner in body.walk():
        inside.update(inner.results)
    for block in _blocks(body):
        inside.update(block.args)
    for inner in body.walk():
        for value in inner.operands:
            if value not in inside and not isinstance(value.owner, ConstantOp):
                found = f"its body reads a value of type {value.type} from outside, in {inner.name}"
                raise violated(op, label, f"{found}; it may read its arguments and constants; make the value an input")


def _blocks(region: Region) -> Iterator[Block]:
    yield from region.blocks
    for inner in region.walk():
        for nested in inner.regions:
            yield from nested.blocks


def _is_scalar(type: Attribute) -> bool:
    return isinstance(type, TensorType) and not cast(RankedTensor, type).get_num_dims()


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
    return (kinds == {"complex"} or kinds <= INTEGER_OR_BOOL) and _width(a) <= _width(b)


def _width(element: Attribute) -> int:
    """The bits of an element; of each part, if it is complex."""
    part = real_element(element)
    return part.bitwidth if isinstance(part, IntegerType | AnyFloat) else 0


__all__ = [
    "Body",
    "check_captures",
    "check_reducer",
    "floats_of_equal_shape",
    "only_op",
    "reducer_of",
    "region_of",
]
