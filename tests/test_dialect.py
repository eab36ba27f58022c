"""Every op's text and constraints against upstream's C++: what it accepts we accept, what it refuses we refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from jaxlib.mlir.dialects import _chlo_ops_gen, _stablehlo_ops_gen
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func

from hhlo_xdsl.dialects.chlo import CHLO
from hhlo_xdsl.dialects.stablehlo import StableHLO, binary, unary
from hhlo_xdsl.dialects.stablehlo.attributes import Accuracy, AccuracyMode
from hhlo_xdsl.errors import HhloError, VerifyError
from hhlo_xdsl.passes.versions import VERSIONS
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.random_programs import (
    COIN,
    COMMON,
    ELEMENT,
    SHAPE,
    Draw,
    check_against_upstream,
    listed,
    near,
    nearly,
    other,
    program,
    spelled,
)

ROOT = Path(__file__).parent.parent
OPS: list[dict[str, Any]] = json.loads((ROOT / "tests/data/op_examples.json").read_text())
"""Ops, their constraints and verified examples, from upstream's documentation and library."""

KNOWN = {op.name for dialect in (Builtin, Func, StableHLO, CHLO) for op in dialect.operations}


def is_known(generic_text: str) -> bool:
    """Whether the dialect has every op of a program; upstream has more."""
    return set(re.findall(r'"([a-z]+\.[\w-]+)"\(', generic_text)) <= KNOWN


NEWEST = f"pjrt-{VERSIONS[-1]}"
"""For the version that can say every example; what the oldest one can say is tried in test_compat."""

EXAMPLES = {
    f"{op['name']}-{example['tag']}-{form}": (example[form], example["module"])
    for op in OPS
    for example in op["examples"]
    for form in ("module", "generic_module")
    if is_known(example["generic_module"])
}


def skip_if_upstream_is_older(example: str) -> None:
    """Leave out what was added after the jaxlib that is installed."""
    if not cpp.is_newest() and cpp.refuses(example) is not None:
        pytest.skip("the installed StableHLO is older than this example")


def test_every_op_has_an_example():
    ours = {op.name for dialect in (StableHLO, CHLO) for op in dialect.operations}
    assert ours <= {name.rpartition("-")[0].rpartition("-")[0] for name in EXAMPLES}


def test_no_op_of_upstream_is_missing():
    """Of those that the installed jaxlib knows."""
    theirs = {
        found.OPERATION_NAME
        for module in (_stablehlo_ops_gen, _chlo_ops_gen)
        for found in vars(module).values()
        if hasattr(found, "OPERATION_NAME")
    }
    assert len(theirs) > 150
    assert theirs - KNOWN == set()


@pytest.mark.parametrize("text, same", EXAMPLES.values(), ids=EXAMPLES)
def test_example(text: str, same: str):
    """Read, printed in any form and read by C++, it is the same program."""
    skip_if_upstream_is_older(same)
    module, expected = parse(text), cpp.generic(same)
    for syntax in ("pretty", "generic", NEWEST):
        assert cpp.generic(to_text(module, syntax=syntax)) == expected, syntax


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.endswith("-module")])
def test_example_prints_as_upstream(name: str):
    """Letter by letter, but for how values, builtin's and func's ops are named, and whether integers in lists say i64."""

    def normal(text: str) -> str:
        text = re.sub(r"\b(builtin\.module|func\.return)\b", lambda m: m[0].partition(".")[2], text)
        text = re.sub(r"%\w+(:\d+)?(#\d+)?", "%", text)
        text = re.sub(r"(?<=[\[ ])(\d+) : i64(?=[,\]])", r"\1", text)
        return re.sub(r"\s+", " ", re.sub(r"(%, )+% =", "% =", text)).strip()

    text, _ = EXAMPLES[name]
    skip_if_upstream_is_older(text)
    assert normal(to_text(parse(text))) == normal(cpp.pretty(text))


# Constraints


def refusals(path: Path) -> Iterator[tuple[str, str]]:
    """The name and text of each part of filecheck/dialect/FAMILY_invalid.mlir."""
    for part in path.read_text().split("// -----"):
        name = re.search(r"func\.func @(\w+)", part)
        assert name is not None
        yield name.group(1), part


FILES = {path.stem.removesuffix("_invalid"): path for path in (ROOT / "filecheck/dialect").glob("*_invalid.mlir")}
REFUSALS = {name: text for family, path in FILES.items() if family != "chlo" for name, text in refusals(path)}


@pytest.mark.parametrize("name, text", REFUSALS.items(), ids=REFUSALS)
def test_constraint(name: str, text: str):
    """Parts named OP_cN break constraint CN of OP, others anything."""
    if not cpp.is_newest() and cpp.refuses(text) is None:
        pytest.skip("the installed StableHLO is too old to check this")
    assert cpp.refuses(text) is not None
    op, _, label = name.rpartition("_")
    expected = rf": .*\(spec {op} {label.upper()}\)" if re.fullmatch(r"[ci]\d+", label) else ""
    with pytest.raises(HhloError, match=rf"stablehlo\.{op if expected else ''}.*{expected}"):
        parse(text)


@pytest.mark.parametrize("name, text", [*refusals(FILES["chlo"])])
def test_chlo_constraint(name: str, text: str):
    assert cpp.refuses(text) is not None
    with pytest.raises(VerifyError, match=r"^chlo\."):
        parse(text)


IMPLIED = {
    # Results of one shape (C14) follow from the shape that the windows give to each (C15).
    "reduce_window_c14",
    # Upstream checks no result of dynamic_conv, and takes no numbers that are quantized per axis.
    *(f"dynamic_conv_c{n}" for n in (25, 26, 29, 30, 33)),
}


@pytest.mark.parametrize("family", sorted(FILES))
def test_every_constraint_is_tried(family: str):
    """Those that upstream's verifier checks."""
    ours = {op.name for op in StableHLO.operations if op.__module__.endswith("." + family)}
    wanted = {
        f"{op['name'].partition('.')[2]}_{constraint['label'].lower()}"
        for op in OPS
        if op["name"] in ours
        for constraint in op["constraints"]
        if constraint["checked"]
    }
    assert wanted - IMPLIED <= REFUSALS.keys()


def test_no_constraint_is_left_out():
    """Each that upstream's verifier checks, of every op, has a refused text of its name."""
    wanted = {
        f"{op['name'].partition('.')[2]}_{c['label'].lower()}" for op in OPS for c in op["constraints"] if c["checked"]
    }
    assert len(wanted) > 440
    assert wanted - IMPLIED - REFUSALS.keys() == set()
    assert IMPLIED < wanted


ACCURACIES = [
    "mode = {DEFAULT}",
    "mode = {HIGHEST}",
    "atol = 1.0e-5, rtol = 1.0e-3, ulps = 2, mode = {TOLERANCE}",
    "rtol = 0.0, mode = {TOLERANCE}",
    "atol = 0x3F, mode = {TOLERANCE}",
    "atol = 1.0e400, mode = {TOLERANCE}",
    "atol = 0.0, ulps = 0, mode = {HIGHEST}",
]
WRONG_ACCURACIES = [
    "",
    "mode = HIGHEST",
    "mode = {HIGHEST},",
    "mode = 1 : i64",
    "rtol = 1.0, atol = 1.0, mode = {TOLERANCE}",
    "mode = {TOLERANCE}, ulps = 1",
    "atol = 1, mode = {TOLERANCE}",
    "atol = -1.0, mode = {TOLERANCE}",
    "rtol = -0.0, mode = {TOLERANCE}",
    "ulps = -1, mode = {TOLERANCE}",
    "ulps = 9223372036854775808, mode = {TOLERANCE}",
    "ulps = 1, mode = {DEFAULT}",
    "atol = 1.0, mode = {HIGHEST}",
]


def accurate(fields: str, op: str = "tanh") -> str:
    spelled = re.sub(r"\{(\w+)\}", r"#stablehlo.result_accuracy_mode<\1>", fields)
    return f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.{op} %x {{result_accuracy = #stablehlo.result_accuracy<{spelled}>}} : tensor<2xf32>
  return %0 : tensor<2xf32>
}}"""


@pytest.mark.parametrize("fields", ACCURACIES)
@pytest.mark.parametrize("syntax", ["pretty", "generic", NEWEST])
def test_result_accuracy(fields: str, syntax: str):
    text = accurate(fields)
    assert cpp.generic(to_text(parse(text), syntax=syntax)) == cpp.generic(text)


@pytest.mark.parametrize("fields", WRONG_ACCURACIES)
def test_result_accuracy_is_refused(fields: str):
    assert cpp.refuses(accurate(fields)) is not None
    with pytest.raises(HhloError):
        parse(accurate(fields))


def test_result_accuracy_in_python():
    accuracy = Accuracy(ulps=3, mode=AccuracyMode.TOLERANCE)
    module = parse(accurate("ulps = 3, mode = {TOLERANCE}"))
    op = next(op for op in module.walk() if isinstance(op, unary.TanhOp))
    assert op.result_accuracy is not None
    assert op.result_accuracy.data == accuracy
    assert unary.TanhOp(op.operand, accuracy).result_accuracy == op.result_accuracy
    assert unary.TanhOp(op.operand).result_accuracy is None
    with pytest.raises(VerifyError, match=r"ulps = -1; none of them may be negative"):
        unary.TanhOp(op.operand, Accuracy(ulps=-1, mode=AccuracyMode.TOLERANCE))


# Random programs of one op, near the border between right and wrong

UNARY = [op.name for op in StableHLO.operations if op.__module__ == unary.__name__] + ["chlo.square"]
BINARY = [op.name for op in StableHLO.operations if op.__module__ == binary.__name__]


def unary_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    result = draw(st.sampled_from([element, element, "i1", "f32"]))
    return program(draw(st.sampled_from(UNARY)), "", [spelled(shape, element)], spelled(near(draw, shape), result))


def binary_text(draw: Draw) -> str:
    op, shape, element = draw(st.sampled_from(BINARY)), draw(SHAPE), draw(ELEMENT)
    operands = [spelled(shape, element), spelled(near(draw, shape), other(draw, element))]
    result = f"complex<{element}>" if op == "stablehlo.complex" and element in ("f32", "f64") else element
    return program(op, "", operands, spelled(near(draw, shape), other(draw, result)))


def compare_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    properties = f"comparison_direction = #stablehlo<comparison_direction {draw(st.sampled_from(['EQ', 'LT']))}>"
    if draw(st.booleans()):
        kind = draw(st.sampled_from("FLOAT TOTALORDER SIGNED UNSIGNED NOTYPE".split()))
        properties += f", compare_type = #stablehlo<comparison_type {kind}>"
    operands = [spelled(shape, element), spelled(near(draw, shape), other(draw, element))]
    return program("stablehlo.compare", properties, operands, spelled(near(draw, shape), other(draw, "i1")))


def choice_text(draw: Draw) -> str:
    """select and clamp: three operands, of which some may be scalars."""
    shape, element = draw(SHAPE), draw(ELEMENT)
    op = draw(st.sampled_from(["stablehlo.select", "stablehlo.clamp"]))
    first = "i1" if op == "stablehlo.select" else element
    shapes = [draw(st.sampled_from([[], near(draw, shape)])), shape, near(draw, shape)]
    operands = [spelled(s, other(draw, e)) for s, e in zip(shapes, (first, element, element), strict=True)]
    return program(op, "", operands, spelled(near(draw, shape), other(draw, element)))


def reshape_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    result = draw(st.sampled_from([shape, shape[::-1], [*shape, "1"], near(draw, shape)]))
    return program("stablehlo.reshape", "", [spelled(shape, element)], spelled(result, other(draw, element)))


def transpose_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    order = draw(st.permutations(range(len(shape))))
    result = near(draw, [shape[d] for d in order])
    properties = f"permutation = {nearly(draw, order)}"
    return program("stablehlo.transpose", properties, [spelled(shape, element)], spelled(result, other(draw, element)))


def broadcast_text(draw: Draw) -> str:
    result, element = draw(SHAPE), draw(ELEMENT)
    dims = draw(st.permutations(range(len(result))))[: draw(st.integers(0, len(result)))]
    shape = near(draw, [draw(st.sampled_from([result[d], result[d], "1"])) for d in dims])
    properties = f"broadcast_dimensions = {nearly(draw, dims)}"
    operand = spelled(shape, element)
    return program("stablehlo.broadcast_in_dim", properties, [operand], spelled(result, other(draw, element)))


def reverse_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    dims = draw(st.permutations(range(len(shape))))[: draw(st.integers(0, len(shape)))]
    operand, result = spelled(shape, element), spelled(near(draw, shape), other(draw, element))
    return program("stablehlo.reverse", f"dimensions = {nearly(draw, dims)}", [operand], result)


def concatenate_text(draw: Draw) -> str:
    shape, element, dim = draw(SHAPE), draw(COMMON), draw(st.integers(-1, 3))
    inputs = [near(draw, shape) for _ in range(draw(st.integers(0, 3)))]
    result = near(draw, shape)
    if 0 <= dim < len(result) and all(dim < len(s) for s in inputs):
        sizes = [s[dim] for s in inputs]
        result[dim] = "?" if "?" in sizes else str(sum(map(int, sizes)))
    operands = [spelled(s, other(draw, element)) for s in inputs]
    return program("stablehlo.concatenate", f"dimension = {dim} : i64", operands, spelled(result, other(draw, element)))


def pad_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    low, high = ([draw(st.integers(-2, 2)) for _ in shape] for _ in range(2))
    interior = [draw(st.sampled_from([0, 0, 1, 2, -1])) for _ in shape]
    sizes = [
        n if n == "?" else str(max(0, int(n) + a + b + max(int(n) - 1, 0) * c))
        for n, a, b, c in zip(shape, low, high, interior, strict=True)
    ]
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    lists = [nearly(draw, values) if draw(COIN) else listed(values) for values in (low, high, interior)]
    properties = ", ".join(f"{name} = {values}" for name, values in zip(names, lists, strict=True))
    operands = [spelled(shape, element), spelled(["1"] if draw(COIN) else [], other(draw, element))]
    return program("stablehlo.pad", properties, operands, spelled(near(draw, sizes), other(draw, element)))


def slice_text(draw: Draw) -> str:
    shape, element = draw(SHAPE), draw(ELEMENT)
    sizes = [5 if n == "?" else int(n) for n in shape]
    start = [draw(st.integers(0, n)) for n in sizes]
    limit = [draw(st.integers(a, n)) for a, n in zip(start, sizes, strict=True)]
    strides = [draw(st.integers(1, 3)) for _ in shape]
    result = [str(-(-(b - a) // s)) for a, b, s in zip(start, limit, strides, strict=True)]
    names = ("start_indices", "limit_indices", "strides")
    properties = ", ".join(f"{n} = {nearly(draw, v)}" for n, v in zip(names, (start, limit, strides), strict=True))
    operand = spelled(shape, element)
    return program("stablehlo.slice", properties, [operand], spelled(near(draw, result), other(draw, element)))


def iota_text(draw: Draw) -> str:
    properties = f"iota_dimension = {draw(st.integers(-1, 3))} : i64"
    return program("stablehlo.iota", properties, [], spelled(draw(SHAPE), draw(ELEMENT)))


TEXTS = [
    unary_text,
    binary_text,
    compare_text,
    choice_text,
    reshape_text,
    transpose_text,
    broadcast_text,
    reverse_text,
    concatenate_text,
    pad_text,
    slice_text,
    iota_text,
]


@pytest.mark.parametrize("make", TEXTS, ids=lambda f: f.__name__.removesuffix("_text"))
def test_accepts_what_upstream_accepts(make: Callable[[Draw], str]):
    check_against_upstream(make)
