"""CHLO's ops with attributes or regions of their own, ragged_dot and scan: what is accepted, and their constructors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, f64, i32
from xdsl.ir import Block, SSAValue

from hhlo_xdsl.dialects.chlo.contraction import RaggedDotNumbers, RaggedDotOp
from hhlo_xdsl.dialects.chlo.control_flow import ScanOp
from hhlo_xdsl.dialects.emit import emit
from hhlo_xdsl.dialects.stablehlo.attributes import Precision
from hhlo_xdsl.dialects.stablehlo.binary import AddOp
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.errors import DTypeError, ShapeError, SyntaxVersionError, VerifyError
from hhlo_xdsl.text import parse, to_text
from tests.random_programs import COIN, SIZE, Draw, check_against_upstream, near, other, program, spelled

SIZES = {"b": "2", "c": "3", "m": "4", "k": "5", "l": "2", "n": "6", "g": "3"}
"""The size of each dimension that ragged_dot's operands may have, by its letter."""


def ragged_dot_text(draw: Draw) -> str:
    """Batching b and c, contracting k and l, free m and n, groups g, the ragged dimension anywhere in lhs."""
    batch = draw(st.sampled_from(["", "b", "bc"]))
    contracted = draw(st.sampled_from(["k", "k", "kl", ""]))
    lhs = "".join(draw(st.permutations(batch + contracted + "m")))
    ragged = draw(st.sampled_from(lhs))
    role = "m" if ragged == "m" else "k" if ragged in contracted else "b"
    group = "g" if (role == "m") != draw(COIN) else ""
    rhs = "".join(draw(st.permutations(batch + contracted + "n" + group)))
    before = {"m": batch + lhs[: lhs.index(ragged)], "k": batch + contracted, "b": batch}[role]
    outer = [d for i, d in enumerate(before) if d not in before[:i]]
    outer = outer[: outer.index(ragged)] if ragged in outer else outer
    if role == "m":
        outer = [d for d in outer if d not in contracted]
    groups = ["g"] if draw(st.booleans()) else [*outer, "g"]
    shapes = [near(draw, [draw(SIZE) if draw(COIN) else SIZES[d] for d in dims]) for dims in (lhs, rhs, groups)]
    result = ("g" if role == "k" else "") + batch + "m" + "n"
    numbers = {
        "lhs_batching": [lhs.index(d) for d in batch],
        "rhs_batching": [rhs.index(d) for d in batch],
        "lhs_contracting": [lhs.index(d) for d in contracted],
        "rhs_contracting": [rhs.index(d) for d in contracted],
        "lhs_ragged": [lhs.index(ragged)] * (2 if draw(COIN) and draw(COIN) else 1),
        "rhs_group": [rhs.index(d) for d in group],
    }
    if draw(COIN):
        changed = draw(st.sampled_from(sorted(numbers)))
        numbers[changed] = [d + draw(st.sampled_from([-1, 1])) for d in numbers[changed]]
    spelled_numbers = ", ".join(f"{name}_dimensions = {dims}" for name, dims in numbers.items())
    operands = [spelled(s, other(draw, e)) for s, e in zip(shapes, ("f32", "f32", "i32"), strict=True)]
    properties = f"ragged_dot_dimension_numbers = #chlo.ragged_dot<{spelled_numbers}>"
    if draw(st.booleans()):
        count = draw(st.sampled_from([0, 1, 2, 2, 3]))
        properties += f", precision_config = [{', '.join(['#chlo<precision HIGH>'] * count)}]"
    sizes = near(draw, [SIZES[d] for d in result])
    return program("chlo.ragged_dot", properties, operands, spelled(sizes, other(draw, "f32")))


def scan_text(draw: Draw) -> str:
    """Inputs and carries of rank up to two; the body gives its arguments back, in any order."""
    dimension, size = draw(st.sampled_from([0, 1, 1, 2])), draw(st.sampled_from(["3", "?"]))
    slices = [draw(st.lists(SIZE, min_size=dimension, max_size=2)) for _ in range(draw(st.integers(0, 2)))]
    given = draw(st.integers(0, len(slices)))
    carry = [draw(st.lists(SIZE, max_size=1)) for _ in range(draw(st.integers(0 if given else 1, 2)))]
    element = draw(st.sampled_from(["f32", "i32"]))

    def whole(s: list[str]) -> list[str]:
        return [*s[:dimension], draw(SIZE) if draw(COIN) else size, *s[dimension:]]

    args = [spelled(near(draw, s), other(draw, element)) for s in slices + carry]
    names = [*(f"%s{i}" for i in range(given)), *(f"%s{i + len(slices)}" for i in range(len(carry)))]
    types = [*args[:given], *args[len(slices) :]]
    results = [spelled(near(draw, whole(s)), element) for s in slices[:given]] + args[len(slices) :]
    inputs = [spelled(near(draw, whole(s)), element) for s in slices]
    arguments = ", ".join(f"%s{i}: {t}" for i, t in enumerate(args))
    body = f"  ^bb0({arguments}):\n    stablehlo.return {', '.join(names)} : {', '.join(types)}"
    inits = [spelled(near(draw, s), element) for s in carry]
    segments = f"operandSegmentSizes = array<i32: {len(inputs)}, {len(inits)}>"
    segments += f", resultSegmentSizes = array<i32: {given}, {len(inits)}>"
    properties = f"dimension = {dimension} : i64, {segments}"
    if draw(st.booleans()):
        properties += f", scan_dim_size = {draw(st.sampled_from([3, 3, 4]))} : i64"
    return program("chlo.scan", properties, inputs + inits, *results, region=body)


def broadcast_text(draw: Draw) -> str:
    """Two operands of rank up to three, and the dimensions that those of the lesser one are said to be."""
    lhs, rhs = (draw(st.lists(SIZE, max_size=3)) for _ in range(2))
    small, large = sorted((lhs, rhs), key=len)
    dims = draw(st.lists(st.integers(0, 3), max_size=3))
    if draw(st.booleans()):
        dims = sorted(draw(st.permutations(range(len(large))))[: len(small)])
    properties = f"broadcast_dimensions = array<i64: {', '.join(map(str, dims))}>" if dims else ""
    operands = [spelled(lhs, "f32"), spelled(rhs, other(draw, "f32"))]
    # Where dimensions do not fit, upstream takes a result of any rank; here it has that of the greater operand.
    result = near(draw, large)
    sizes = result if len(result) == len(large) else large
    return program("chlo.broadcast_add", properties, operands, spelled(sizes, "f32"))


@pytest.mark.parametrize(
    "make", [ragged_dot_text, scan_text, broadcast_text], ids=lambda f: f.__name__.removesuffix("_text")
)
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)


@pytest.mark.parametrize("dims", ["-1", "0, -2"])
def test_negative_broadcast_dimensions_are_refused(dims: str):
    """Upstream's verifier reads memory that is not its own for them, so it is not asked."""
    operands = "tensor<2x3xf32>, tensor<2xf32>"
    text = f"""func.func @f(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {{
      %0 = "chlo.broadcast_add"(%a, %b) <{{broadcast_dimensions = array<i64: {dims}>}}> : ({operands}) -> tensor<2x3xf32>
      return
    }}"""
    with pytest.raises(VerifyError, match=r"chlo\.broadcast_add: broadcast_dimensions are .*; none may be negative"):
        parse(text)


def values(*types: object) -> list[SSAValue]:
    return list(Block(arg_types=types).args)  # pyright: ignore[reportArgumentType]


def test_ragged_dot_constructor():
    x, w, g = values(tensor((2, 5, 4), f32), tensor((3, 4, 6), f32), tensor((3,), i32))
    numbers = RaggedDotNumbers(lhs_contracting=(2,), rhs_contracting=(1,), lhs_ragged=(1,), rhs_group=(0,))
    op = RaggedDotOp(x, w, g, numbers, precision=(Precision.HIGH,), element=f64)
    assert op.result.type == tensor((2, 5, 6), f64)
    assert (op.numbers, op.precision, numbers.role) == (numbers, (Precision.HIGH,), "free")
    assert numbers.before_ragged(3) == (0,)
    op.verify()
    with pytest.raises(ShapeError, match=r"^chlo.ragged_dot: dimension 2 of lhs .* has size 4, its partner 2 of rhs"):
        RaggedDotOp(x, w, g, RaggedDotNumbers((), (), (2,), (2,), (1,), (0,)))


def test_scan_constructor():
    x, s = values(tensor((2, 3), f32), tensor((2,), f32))
    op = ScanOp([x], [s], 1, lambda a, c: [emit(AddOp(a, c))] * 2, is_reverse=True, is_associative=True)
    op.verify()
    assert (op.outputs[0].type, op.carries[0].type) == (x.type, s.type)
    assert (op.trips, op.backwards) == (3, True)
    nothing = ScanOp([], [s], 0, lambda c: [c, c], scan_dim_size=4)
    nothing.verify()
    assert (nothing.outputs[0].type, nothing.trips, nothing.backwards) == (tensor((4, 2), f32), 4, False)
    with pytest.raises(DTypeError, match=r"^chlo.scan: body takes \(tensor<2xf32>\); it must take"):
        ScanOp([x], [s], 1, nothing.body)


def test_scan_is_read_as_older_versions_print_it():
    old = """func.func @main(%x: tensor<3xf32>, %s: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %0:2 = chlo.scan(%x) inits (%s) dimension=0 {
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %c, %a : tensor<f32>, tensor<f32>
  } {is_reverse = true, note} : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<f32>
}"""
    module = parse(old)
    assert "dimension=0  attributes {is_reverse = true, note} {" in to_text(module)
    assert parse(to_text(module)).is_structurally_equivalent(module)
    with pytest.raises(SyntaxVersionError, match=r"attribute scan_dim_size appeared in StableHLO 1\.17"):
        to_text(parse(old.replace("note", "scan_dim_size = 3 : i64")), syntax="pjrt-1.16")
