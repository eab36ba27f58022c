"""Quantized types: every spelling that upstream reads, and what it refuses."""

from __future__ import annotations

import pytest
from jaxlib.mlir import ir
from xdsl.dialects.builtin import IntegerType, bf16, f32, i8, i32
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from hhlo_xdsl.dialects.errors import DTypeError
from hhlo_xdsl.dialects.quant import (
    AnyQuantized,
    AnyType,
    Calibrated,
    CalibratedType,
    Storage,
    Uniform,
    UniformType,
)
from hhlo_xdsl.dialects.stablehlo.creation import scalar_elements
from hhlo_xdsl.dialects.types import compatible_elements, kind
from hhlo_xdsl.text import context
from tests import cpp

UNIFORM = """
i8:f32, 0.5
i8:f32, 0.5:2
i8:f32, 0.5:0
i8:f32, 0.5:-200
i8:f32, 0.5:0x10
i8 < -3 : 3 > : f32 , 0.5 : 3
i8<-128:127>:f32, 0.5
i8<-127:127>:f32, 0.5
u8:f32, 0.5:2
u8<0:254>:f32, 0.5
u8<0:255>:f32, 0.5
ui8:f32, 0.5
si8<-3:4>:f16, 0.5
i1:f32, 0.5
u1:f32, 0.5
i3:bf16, 0.5
i32:f64, 0.33333333333333331
u32:f64, 1.0e-320
f8E4M3FN:f32, 0.5
f8E4M3FN<-448:448>:f32, 0.5
f8E5M2<-10:57344>:f32, 0.5
i8:f16, 65504.0
i8:f8E4M3FN, 0.5
i8:f4E2M1FN, 6.0
i8:f8E8M0FNU, 0.5
i8:tf32, 0.5
i8:f80, 0.5
i8:f128, 0.5
i8:f32, 123456789.0
i8:f32, 1.0e-40:2
i8:f32, 0x3FE0000000000000
i8:f32, 0.5:9223372036854775807
i8:f32:1, {0.1, 0.2:5, 0.3:-5}
i8:f32:1, {{0.5,0.2},{0.1,0.3:2}}
i8<-127:127>:f32:0, {0.1:200}
i8:f32:2147483647, {0.5}
i8:f32:{0:1, 1:2}, {{0.1:1, 0.2:2}, {0.3, 0.4}}
i8:f32:{1:2, 0:1}, {0.5, 0.2}
i8:f32:{}, {{0.1:1}}
i8:bf16:{0:1}, {0.1}
u8:f32:{0:1}, {0.1:255}
i8:f32:{0:1}, {0.1:300}
i8:f32:{0:1, 1:1, 2:1}, {{{0.1:1,0.2},{0.1,0.5}}}
"""
OTHERS = """
any<i8:f32>
any<i8>
any<i8<-16:15>:f32>
any<u8<0:255>>
any<si8<-3:4>>
any<f8E4M3FN>
calibrated<f32<-0.5:1.25>>
calibrated<f64<-123456789.25:1.0e300>>
calibrated<tf32<0x0000000000000000:0x7FF0000000000000>>
"""
REFUSED = """
uniform
uniform<i8, 0.5>
uniform<i8:i32, 0.5>
uniform<i8:complex<f32>, 0.5>
uniform<i33:f32, 0.5>
uniform<u64:f32, 0.5>
uniform<u0:f32, 0.5>
uniform<u:f32, 0.5>
uniform<f16:f32, 0.5>
uniform<f8E4M3:f32, 0.5>
uniform<index:f32, 0.5>
uniform<i8<-129:127>:f32, 0.5>
uniform<i8<0:128>:f32, 0.5>
uniform<u8<-1:255>:f32, 0.5>
uniform<i8<5:5>:f32, 0.5>
uniform<f8E5M2<-57344:57345>:f32, 0.5>
uniform<i8:f32>
uniform<i8:f32, 1>
uniform<i8:f32, 0.0>
uniform<i8:f32, -0.5>
uniform<i8:f32, 1.0e39>
uniform<i8:f32, 1.0e-46>
uniform<i8:f16, 70000.0>
uniform<i8:bf16, 9.0e-41>
uniform<i8:f4E2M1FN, 0.25>
uniform<i8:f6E2M3FN, 8.0>
uniform<i8:f8E5M2FNUZ, 0.000001>
uniform<i8:f8E4M3B11FNUZ, 31.0>
uniform<i8:f64, 0x7FF0000000000000>
uniform<i8:f32, 0x3F000000>
uniform<i8:f32, 0.5:9223372036854775808>
uniform<i8:f32:1, 0.5>
uniform<i8:f32, {0.5}>
uniform<i8:f32:1, {}>
uniform<i8:f32:1, {0.5,}>
uniform<i8:f32:1, {0.0}>
uniform<i8:f32:-1, {0.5}>
uniform<i8:f32:2147483648, {0.5}>
uniform<i8:f32:{0:0}, {0.5}>
uniform<i8:f32:{-1:1}, {0.5}>
uniform<i8:f32:{0:1,}, {0.5}>
uniform<i8:f32:{0:1}, 0.5>
uniform<i8:f32:{0:1, 1:2}, {{0.1:1, 0.2:2}, {0.3}}>
uniform<i8:f16:{0:1}, {0.00000003}>
any<f32>
any<i8:i8>
any<i8:f32, 1.0>
calibrated<f32<1.0:-1.0>>
calibrated<f32<1.0:1.0>>
calibrated<i32<1.0:2.0>>
calibrated<f32<1:2>>
calibrated<f32>
foo<i8>
"""
SPELLED = [f"uniform<{line}>" for line in UNIFORM.strip().splitlines()] + OTHERS.strip().splitlines()


def theirs(text: str) -> str | None:
    """The type as upstream prints it; None if it is refused."""
    try:
        return str(ir.Type.parse(text, cpp.context()))
    except ir.MLIRError:
        return None


@pytest.mark.parametrize("spelled", SPELLED)
def test_reads_and_prints(spelled: str):
    """Read, printed and read by upstream, it is the same type; and read again, by us."""
    ours = Parser(context(), f"!quant.{spelled}").parse_type()
    assert theirs(str(ours)) == theirs(f"!quant.{spelled}") is not None
    assert Parser(context(), str(ours)).parse_type() == ours


@pytest.mark.parametrize("spelled", REFUSED.strip().splitlines())
def test_refuses(spelled: str):
    assert theirs(f"!quant.{spelled}") is None
    with pytest.raises(ParseError):
        Parser(context(), f"!quant.{spelled}").parse_type()


def test_constructors():
    assert str(UniformType(Uniform(Storage.of(i8), f32, (0.5,), (2,)))) == "!quant.uniform<i8:f32, 5.000000e-01:2>"
    u8 = Storage.of(i8, is_signed=False)
    assert (u8.low, u8.high) == (0, 255)
    assert str(UniformType(Uniform(u8, bf16, (0.5, 0.25), (0, 7), axis=1))) == (
        "!quant.uniform<u8:bf16:1, {5.000000e-01,2.500000e-01:7}>"
    )
    in_blocks = Uniform(Storage.of(i8), f32, (0.5, 0.25), (0, 0), blocks=((0, 2), (1, 4)), shape=(1, 2))
    assert str(UniformType(in_blocks)) == "!quant.uniform<i8:f32:{0:2, 1:4}, {{5.000000e-01, 2.500000e-01}}>"
    assert str(AnyType(AnyQuantized(Storage.of(i8, range=(-16, 15))))) == "!quant.any<i8<-16:15>>"
    assert str(CalibratedType(Calibrated(f32, -1.0, 1.0))) == "!quant.calibrated<f32<-1.000000e+00:1.000000e+00>>"


def test_wrong_fields_are_refused():
    with pytest.raises(DTypeError, match="2 scales and 1 zero points"):
        UniformType(Uniform(Storage.of(i8), f32, (0.5, 0.25), (0,), axis=0))
    with pytest.raises(DTypeError, match="must be an integer of 1 to 32 bits"):
        Storage.of(IntegerType(64))
    with pytest.raises(DTypeError, match="for f32 it must be in"):
        UniformType(Uniform(Storage.of(i8), f32, (0.0,), (0,)))
    with pytest.raises(DTypeError, match="the second must be greater"):
        CalibratedType(Calibrated(f32, 1.0, 1.0))


def of(text: str) -> UniformType:
    found = Parser(context(), f"!quant.uniform<{text}>").parse_type()
    assert isinstance(found, UniformType)
    return found


@pytest.mark.parametrize(
    "text, expected",
    [
        ("i8:f32, 0.5:127", "quantized"),
        ("ui8:f32, 0.5", "quantized"),
        ("i8:f32:0, {0.5}", "quantized_axis"),
        ("i8:f32, 0.5:128", "other"),
        ("si8:f32, 0.5", "other"),
        ("i3:f32, 0.5", "other"),
        ("f8E4M3FN:f32, 0.5", "other"),
        ("i8:f32:{0:1}, {0.5}", "other"),
    ],
)
def test_kind(text: str, expected: str):
    assert kind(of(text)) == expected


def test_compatible_elements():
    """Scales, zero points and the axis may differ, nothing else."""
    one = of("i8:f32, 0.5:2")
    assert compatible_elements(one, of("i8:f32, 0.25"))
    assert compatible_elements(of("i8:f32:0, {0.5}"), of("i8:f32:1, {0.5,0.25}"))
    others = (f32, i32, of("u8:f32, 0.5"), of("i8<-127:127>:f32, 0.5"), of("i8:bf16, 0.5"), of("i8:f32:0, {0.5}"))
    assert not any(compatible_elements(one, other) for other in others)
    assert not compatible_elements(one, of("i8:f32, 0.5:200"))


def test_no_constant_of_quantized_numbers():
    with pytest.raises(DTypeError, match=r"there is no number of type !quant\.uniform"):
        scalar_elements(of("i8:f32, 0.5"), 0)
