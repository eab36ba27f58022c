"""`dense<...>`: every element keeps its bits, texts mean what they mean in MLIR, and stock xDSL is repaired."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import islice
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, BytesAttr, DenseIntOrFPElementsAttr, IntegerType, TensorType, f32, i1
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from hhlo_xdsl import errors
from hhlo_xdsl.dialects.elements import elements, install_elements_fixes, is_splat, numbers
from hhlo_xdsl.dialects.stablehlo.creation import scalar_elements
from hhlo_xdsl.dialects.types import tensor
from hhlo_xdsl.text import parse, to_text
from tests import cpp

install_elements_fixes()


def read(text: str) -> Any:
    context = Context()
    context.load_dialect(Builtin)
    return Parser(context, text).parse_attribute()


def meaning(text: str) -> str:
    """An attribute as C++ prints it, which is the same for equal bits only."""
    return cpp.pretty(f"module attributes {{mhlo.x = {text}}} {{}}")


def dense(element: str, *values: object) -> str:
    """`dense<[values]> : tensor<..>`, or a splat of two for one value."""
    inner = str(values[0]) if len(values) == 1 else f"[{', '.join(map(str, values))}]"
    return f"dense<{inner}> : tensor<{max(2, len(values))}x{element}>"


ACCEPTED = {
    "f32": "0x7F800000 0xFF800000 0x7FC00000 0x7F800001 0xFFFFFFFF 0x80000000 0x1 0x00000000000001 1.0e40 -1.0e40"
    " 3.4028236e38 1.0e-50 0.1 -0.0 1. 1.e5 1.0E-6 16777217.0 123456789.0",
    "f64": "0x7FF0000000000001 0xFFF8000000000123 1.0e400 1.0e-400 0.1 4.9e-324 123456789012345678.0",
    "f16": "0x7C00 0x7C01 0xFE01 70000.0 65519.0 65520.0 2.98e-8 2.9802322387695312e-8 0.333333",
    "bf16": "0x7F80 0x7F81 0xFFC1 1.0e39 3.39e38 0.1 1.00390625 1.01171875 1.0e-41 -0.0",
    "f8E4M3FN": "0x7F 0xFF 0x80 448.0 464.0 465.0 1000.0 -1000.0 0.0009765625",
    "f8E5M2": "0x7C 0x7D 0xFE 61439.0 61440.0 1.0e9",
    "f8E4M3FNUZ": "0x80 -0.0 1000.0",
    "f8E4M3B11FNUZ": "0x80 31.0",
    "f8E3M4": "0x70 0x71 0x7F 100.0",
    "f8E8M0FNU": "1.0 0xFF 0x00 0.3 0.0",
    "f4E2M1FN": "0x7 0xF 100.0 -0.0 0.25",
    "f6E2M3FN": "0x3F 7.5",
    "tf32": "0.1 0x3FC00",
    "i1": 'true false 1 0 -1 0x1 "0x01" "0xFF" "0x02" "0x00"',
    "i2": "3 -2",
    "i4": '15 -8 7 0xF "0x0E"',
    "ui4": "15",
    "i8": '255 -128 0xFF -0x1 "0xFF"',
    "si8": "127 -128",
    "ui8": "255",
    "i64": "18446744073709551615 -9223372036854775808",
    "index": "5 -1",
    "complex<f32>": "(1.0,-0.0) (0x7F800001,0xFFC00001) (0.1,0x7F800000)",
    "complex<f64>": "(0.1,0x7FF0000000000000)",
    "complex<i32>": "(-1,0x10)",
}
REFUSED = {
    "f32": 'true 1 -1 -0x1 0x1FFFFFFFF [] [1.0] [[1.0,2.0]] "0x0000" "" "0000803F" "0X0000803F" "0xZZ"',
    "f16": "0x10000",
    "f4E2M1FN": "0x10",
    "i1": "2 1.0",
    "i4": "16 -9",
    "i8": "256 -129 true 1.0",
    "si8": "128",
    "ui8": "-1 -0 256",
    "i64": "18446744073709551616",
    "index": "true 9223372036854775808",
    "complex<f32>": "1.0 (1,2) (1.0,2) (true,1.0) (1.0) (1.0,2.0,3.0) ((1.0,2.0))",
    "complex<i32>": "(1.0,2.0) (4294967296,1)",
}


def cases(table: dict[str, str]) -> list[str]:
    return [dense(element, value) for element, values in table.items() for value in values.split()]


WHOLE = [
    "dense<> : tensor<0xf32>",
    "dense<> : tensor<2x0xf32>",
    "dense<[]> : tensor<0xf32>",
    'dense<"0x"> : tensor<0xf32>',
    "dense<[0.0, -0.0]> : tensor<2xf32>",
    "dense<[-0.0, 0.0]> : tensor<2xf32>",
    "dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>",
    "dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32>",
    "dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>",
    "dense<[(1.0,2.0), (3.0,-4.0)]> : tensor<2xcomplex<f32>>",
    'dense<"0x0000803F00000040"> : tensor<2xcomplex<f32>>',
    'dense<"0x0102"> : tensor<2xi8>',
    'dense<"0x0001010001010001"> : tensor<8xi1>',
    'dense<"0x00FFFF00FFFF00FF"> : tensor<8xi1>',
    'dense<"0x0102030405060708"> : tensor<8xi4>',
    dense("i1", *["true", "false"] * 60),
    dense("i4", *[7, -2] * 60),
    dense("ui4", *[7, 14] * 60),
    dense("f32", *["1.0", "0x7F800001"] * 60),
    dense("f8E4M3FN", *["1.0", "-2.0"] * 60),
    dense("complex<f32>", *["(1.0,2.0)", "(-0.0,0x7FC00001)"] * 60),
]


@pytest.mark.parametrize("text", cases(ACCEPTED) + WHOLE, ids=lambda t: t[:60])
def test_reads_and_prints_the_same_bits(text: str):
    printed = str(read(text))
    assert meaning(printed) == meaning(text)
    assert read(printed) == read(text)


@pytest.mark.parametrize("text", [*cases(REFUSED), "dense<[[1.0], [2.0, 3.0]]> : tensor<2x2xf32>"])
def test_refuses_what_upstream_refuses(text: str):
    assert cpp.refuses(f"module attributes {{mhlo.x = {text}}} {{}}") is not None
    with pytest.raises(ParseError):
        read(text)


# In C++ these make a list of two, or end the process.
@pytest.mark.parametrize("text", ["dense<(1.0, 2.0)> : tensor<2xf32>", "dense<(1, 2)> : tensor<i32>"])
def test_refuses_pairs_that_are_not_complex(text: str):
    with pytest.raises(ParseError, match="found a pair"):
        read(text)


# jaxlib 0.10 takes them, and drops the sign.
@pytest.mark.parametrize("value", ["-1.0", "-0.0"])
def test_refuses_negative_numbers_of_a_type_without_sign(value: str):
    with pytest.raises(ParseError, match="f8E8M0FNU has no negative numbers"):
        read(dense("f8E8M0FNU", value))


@pytest.mark.parametrize(
    "text", ["dense<1.0> : tensor<0xf32>", "dense<> : tensor<2x0xi4>", "dense<true> : tensor<0xi1>"]
)
def test_splat_without_elements(text: str):
    """The number that stands there stays, as in MLIR; there is nothing that has it."""
    assert str(read(text)) == cpp.attribute(text)
    assert list(numbers(read(text))) == []


def test_splat_that_would_not_fit_into_memory():
    text = "dense<1.5> : tensor<1000000000000x2xf32>"
    assert str(read(text)) == cpp.attribute(text) == str(elements(read(text).get_type(), [1.5]))
    assert [*islice(numbers(read(text)), 3)] == [1.5] * 3


FLOATS = "f16 bf16 f32 f64 f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2 f8E5M2FNUZ f8E3M4 f8E8M0FNU".split()
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


@pytest.mark.parametrize("element", FLOATS)
@given(data=st.data())
def test_any_bits(element: str, data: st.DataObject):
    """Random patterns, of which every eighth is not finite."""
    width = WIDTH.get(element, 8)
    patterns = data.draw(st.lists(st.integers(0, 2**width - 1), min_size=2, max_size=6))
    text = dense(element, *(hex(p) for p in patterns))
    assert read(text).data.data == b"".join(p.to_bytes(width // 8, "little") for p in patterns)
    assert meaning(str(read(text))) == meaning(text)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["f16", "bf16", "f32", "f64", "f8E5M2"]))
def test_any_decimal_rounds_as_numpy_and_upstream_do(value: float, element: str):
    dtype = {"bf16": ml_dtypes.bfloat16, "f8E5M2": ml_dtypes.float8_e5m2}.get(element, element.replace("f", "float"))
    text = dense(element, f"{value:.17e}", "1.0")
    with np.errstate(over="ignore"):
        assert read(text).data.data == np.array([value, 1.0]).astype(dtype).tobytes()
    assert meaning(str(read(text))) == meaning(text)


@given(st.integers(1, 64), st.sampled_from(["", "s", "u"]), st.data())
def test_any_integer(width: int, sign: str, data: st.DataObject):
    high = 2 ** (width - 1) if sign == "s" else 2**width
    values = data.draw(st.lists(st.integers(0 if sign == "u" else -(2 ** (width - 1)), high - 1), min_size=1))
    text = dense(f"{sign}i{width}", *values)
    assert meaning(str(read(text))) == meaning(text)


# Booleans and narrow integers


@pytest.mark.parametrize("count", [1, 3, 100, 101, 500])
def test_bools_are_the_same_read_or_from_numpy(count: int):
    array = np.arange(count) % 3 == 0
    type = TensorType(i1, [count])
    from_numpy = DenseIntOrFPElementsAttr(type, BytesAttr(array.tobytes()))
    assert read(str(from_numpy)) == from_numpy
    assert elements(tensor((count,), i1), array.tolist()) == from_numpy
    assert list(numbers(from_numpy)) == array.tolist()
    assert str(DenseIntOrFPElementsAttr.from_list(type, array.tolist())) == str(from_numpy)
    if count > 100:
        assert str(from_numpy) == f'dense<"0x{array.tobytes().hex()}"> : tensor<{count}xi1>'


def test_one_true():
    assert str(DenseIntOrFPElementsAttr(TensorType(i1, []), BytesAttr(np.array([True]).tobytes()))) == (
        "dense<true> : tensor<i1>"
    )
    assert read("dense<true> : tensor<i1>").data.data == b"\x01"


def test_i4_as_numpy_stores_it():
    array = np.array([7, -2, -8, 0], ml_dtypes.int4)
    stored = DenseIntOrFPElementsAttr(TensorType(IntegerType(4), [4]), BytesAttr(array.tobytes()))
    assert str(stored) == "dense<[7, -2, -8, 0]> : tensor<4xi4>"
    assert read(str(stored)) == stored == elements(tensor((4,), IntegerType(4)), [7, -2, -8, 0])
    assert list(numbers(stored)) == [7, -2, -8, 0]


@pytest.mark.parametrize(
    "data, splat",
    [(b"\x01\xff", True), (b"\xff\xff", True), (b"\x01\x01", True), (b"\x00\x01", False), (b"", False)],
)
def test_bool_splat_in_either_encoding(data: bytes, splat: bool):
    attribute = DenseIntOrFPElementsAttr(TensorType(i1, [len(data)]), BytesAttr(data))
    assert attribute.is_splat() is is_splat(attribute) is splat


# Size


@pytest.mark.parametrize("element, value", [("f32", "0x7FC00001"), ("i1", "true"), ("complex<f32>", "(1.0,-0.0)")])
def test_large_splat_is_fast(element: str, value: str):
    text = f"dense<{value}> : tensor<4194304x{element}>"
    start = time.perf_counter()
    printed = str(read(text))
    assert time.perf_counter() - start < 1
    assert meaning(printed) == meaning(text)


def test_large_blob_is_fast():
    array = np.arange(1_000_000, dtype=np.float32)
    start = time.perf_counter()
    read_back = read(f'dense<"0x{array.tobytes().hex()}"> : tensor<1000000xf32>')
    printed = str(read_back)
    assert time.perf_counter() - start < 1
    assert read_back.data.data == array.tobytes()
    assert printed == f'dense<"0x{array.tobytes().hex().upper()}"> : tensor<1000000xf32>'


# Errors


@pytest.mark.parametrize(
    "value, column, message",
    [
        ("1", 33, r"found 1; an element of f32 has a decimal point, as in 1\.0"),
        ("true", 33, "found true; an element of f32 has a decimal point"),
        ("-0x1", 33, "found -0x1; a hexadecimal float is a bit pattern and takes no minus sign"),
        ("0x1FFFFFFFF", 33, "found 0x1FFFFFFFF; f32 has only 32 bits"),
        ("[1.0, 2]", 39, "found 2; an element of f32 has a decimal point"),
        ("[1.0]", 32, r"found elements of shape \[1\], but their type is tensor<2xf32>"),
        ("", 32, "found no elements; tensor<2xf32> has 2"),
        ('"0x00"', 32, "found 1 bytes of elements; tensor<2xf32> has 8, or 4 for a splat"),
    ],
)
def test_error_says_what_and_where(value: str, column: int, message: str):
    with pytest.raises(errors.ParseError, match=message) as caught:
        parse(f"func.func @f() {{\n  %0 = stablehlo.constant dense<{value}> : tensor<2xf32>\n  return\n}}")
    assert (caught.value.line, caught.value.column) == (2, column)


@pytest.mark.parametrize("value", [300, -129, 1 << 70])
def test_number_that_does_not_fit(value: int):
    with pytest.raises(errors.DTypeError, match=rf"{value} is out of range for i8; use a wider type"):
        scalar_elements(IntegerType(8), value)


def test_float_that_does_not_fit_is_infinite():
    assert list(numbers(scalar_elements(f32, 1e40))) == [float("inf")]


# Stock xDSL, in a process that does not import this project

FAULTS = {
    "dense<0xFF800000> : tensor<f32>": "dense<4.28657869e+09> : tensor<f32>",
    "dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>": "dense<0.000000e+00> : tensor<2xf32>",
    "dense<(0x7FC00000,1.000000e+00)> : tensor<complex<f32>>": "ParseError",
    "dense<1.0e40> : tensor<f32>": "OverflowError",
    "dense<1> : tensor<f32>": "dense<1.000000e+00> : tensor<f32>",
}
STOCK = """
import sys
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
context = Context()
context.load_dialect(Builtin)
for text in sys.argv[1:]:
    try:
        print(Parser(context, text).parse_attribute())
    except Exception as error:
        print(type(error).__name__)
"""


def test_stock_xdsl_needs_the_repairs():
    """When this fails, xDSL has changed, and the repairs may go."""
    done = subprocess.run([sys.executable, "-c", STOCK, *FAULTS], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == list(FAULTS.values())


def test_repairs_may_be_installed_twice():
    before = DenseIntOrFPElementsAttr.print_without_type
    install_elements_fixes()
    assert DenseIntOrFPElementsAttr.print_without_type is before


# Resources: elements that stand at the end of the text

RESOURCE = """func.func @main() -> tensor<{count}xi32> {{
  %0 = stablehlo.constant dense_resource<blob> : tensor<{count}xi32>
  return %0 : tensor<{count}xi32>
}}
{{-# dialect_resources: {{ builtin: {{ blob: "0x04000000{blob}" }} }} #-}}
"""


@pytest.mark.parametrize("values", [[1, 2, 3], [7]])
def test_resource_becomes_elements(values: list[int]):
    """Twice under one name, with different elements."""
    text = RESOURCE.format(count=len(values), blob=np.array(values, np.int32).tobytes().hex())
    spelled = str(values) if len(values) > 1 else str(values[0])
    assert f"stablehlo.constant dense<{spelled}> : tensor<{len(values)}xi32>" in to_text(parse(text))


def test_resource_without_elements_stays():
    text = RESOURCE.format(count=3, blob="").partition("{-#")[0].replace("<blob>", "<__elided__>")
    assert "stablehlo.constant dense_resource<__elided__> : tensor<3xi32>" in to_text(parse(text))
