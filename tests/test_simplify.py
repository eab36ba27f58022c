"""`hhlo-simplify`: what it takes away computes the same to the bit, and what would not stays.

Both programs run in the reference interpreter, since XLA simplifies too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from hhlo_xdsl.passes.identities import IDENTITIES
from hhlo_xdsl.passes.simplify import simplify
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.text import parse, to_text
from tests import cpp
from tests.harness import main_of, run
from tests.test_programs import arguments, gradient, stored, wrt

EXTREMES = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -1e-30, 3e38]
A = np.repeat(EXTREMES, 10).astype(np.float32)
B = np.tile(EXTREMES, 10).astype(np.float32)
"""All pairs of them."""
WHOLE = np.array([-128, -127, -1, 0, 1, 2, 85, 127], np.int8)
I = np.repeat(WHOLE, 8)
J = np.tile(WHOLE, 8)
P = np.array([False, True] * 50)
C = np.stack([A, B], -1).view(np.complex64)[:, 0]

ARGUMENTS: dict[str, tuple[str, Any]] = {
    "a": ("tensor<100xf32>", A),
    "b": ("tensor<100xf32>", B),
    "i": ("tensor<64xi8>", I),
    "j": ("tensor<64xi8>", J),
    "p": ("tensor<100xi1>", P),
    "m": ("tensor<2x1x3xf32>", np.array([0.0, -0.0, np.nan, 1.0, np.inf, 2.0], np.float32).reshape(2, 1, 3)),
}


def program(*lines: str) -> str:
    """The ops of `lines`; the last one defines %r, whose type ends it. Complex results come in parts.

    %h is %a in bf16; %u has the bits of %i, and %z is a constant with all pairs, since the interpreter takes neither.
    """
    body = [f"%c{k} = stablehlo.constant dense<{v}> : {t}" for k, (v, t) in enumerate(CONSTANTS)]
    body += [f"%u = stablehlo.bitcast_convert %i : ({I8}) -> {U8}"]
    body += ["%h = stablehlo.convert %a : (tensor<100xf32>) -> tensor<100xbf16>"]
    body += [f'%z = stablehlo.constant dense<"0x{C.tobytes().hex().upper()}"> : {C64}', *lines]
    result = lines[-1].rpartition("-> " if "->" in lines[-1] else " : ")[2].rpartition(", ")[2]
    if result == C64:
        body += [f"%{part} = stablehlo.{part} %r : ({C64}) -> {F32}" for part in ("real", "imag")]
    values, results = ("%real, %imag", f"{F32}, {F32}") if result == C64 else ("%r", result)
    arguments = ", ".join(f"%{name}: {t}" for name, (t, _) in ARGUMENTS.items())
    body = [f"func.func @main({arguments}) -> ({results}) {{", *body, f"return {values} : {results}", "}"]
    return "\n".join(body)


F32, I8, I1 = (ARGUMENTS[name][0] for name in "aip")
U8, C64 = "tensor<64xui8>", "tensor<100xcomplex<f32>>"
CONSTANTS = [
    *[(v, F32) for v in ("0.0", "-0.0", "1.0", "-1.0")],
    *[(v, I8) for v in (0, 1, -1)],
    ("255", U8),
    ("true", I1),
    ("(-0.0, -0.0)", C64),
    ("(1.0, 0.0)", C64),
    ("true", "tensor<i1>"),
    ("1.0", "tensor<f32>"),
    ("(0.0, 0.0)", C64),
]
ZERO, MINUS_ZERO, ONE, MINUS_ONE, I0, I1_, I_1, U255, TRUE, CZERO, CONE, YES, SCALAR, CPLUS = (
    f"%c{k}" for k in range(len(CONSTANTS))
)


def op(name: str, *operands: str, type: str = F32, to: str = "%r") -> str:
    return f"{to} = stablehlo.{name} {', '.join(operands)} : {type}"


def negated(x: str, to: str, type: str = F32) -> str:
    return op("negate", x, to=to, type=type)


T = "tensor<2x1x3xf32>"
TT = "tensor<3x1x2xf32>"

HOLD = {
    "x + -0": (op("add", "%a", MINUS_ZERO), 0),
    "-0 + x": (op("add", MINUS_ZERO, "%a"), 0),
    "x + 0, whole": (op("add", "%i", I0, type=I8), 0),
    "x + -0, complex": (op("add", "%z", CZERO, type=C64), 2),
    "a + -b": (negated("%b", "%0"), op("add", "%a", "%0"), 1),
    "-a + b": (negated("%a", "%0"), op("add", "%0", "%b"), 1),
    "a + -b, whole": (negated("%j", "%0", I8), op("add", "%i", "%0", type=I8), 1),
    "x - 0": (op("subtract", "%a", ZERO), 0),
    "x - 0, whole": (op("subtract", "%i", I0, type=I8), 0),
    "a - -b": (negated("%b", "%0"), op("subtract", "%a", "%0"), 1),
    "x * 1": (op("multiply", "%a", ONE), 0),
    "1 * x": (op("multiply", ONE, "%a"), 0),
    "x * 1, broadcast": (
        f"%0 = stablehlo.broadcast_in_dim {SCALAR}, dims = [] : (tensor<f32>) -> {F32}",
        op("multiply", "%a", "%0"),
        0,
    ),
    "x * 1, whole": (op("multiply", "%i", I1_, type=I8), 0),
    "-a * -b": (negated("%a", "%0"), negated("%b", "%1"), op("multiply", "%0", "%1"), 1),
    "-a * -b, whole": (negated("%i", "%0", I8), negated("%j", "%1", I8), op("multiply", "%0", "%1", type=I8), 1),
    "x / 1": (op("divide", "%a", ONE), 0),
    "x / 1, whole": (op("divide", "%i", I1_, type=I8), 0),
    "-a / -b": (negated("%a", "%0"), negated("%b", "%1"), op("divide", "%0", "%1"), 1),
    "--x": (negated("%a", "%0"), negated("%0", "%r"), 0),
    "--x, whole": (negated("%i", "%0", I8), negated("%0", "%r", I8), 0),
    "||x||": (op("abs", "%a", to="%0"), op("abs", "%0"), 1),
    "|-x|": (negated("%a", "%0"), op("abs", "%0"), 1),
    "|-x|, whole": (negated("%i", "%0", I8), op("abs", "%0", type=I8), 1),
    "|-z|": (negated("%z", "%0", C64), f"%r = stablehlo.abs %0 : ({C64}) -> {F32}", 1),
    "Re(a + ib)": (
        f"%0 = stablehlo.complex %a, %b : {C64}",
        f"%r = stablehlo.real %0 : ({C64}) -> {F32}",
        0,
    ),
    "Im(a + ib)": (
        f"%0 = stablehlo.complex %a, %b : {C64}",
        f"%r = stablehlo.imag %0 : ({C64}) -> {F32}",
        0,
    ),
    "Re z + i Im z": (
        f"%0 = stablehlo.real %z : ({C64}) -> {F32}",
        f"%1 = stablehlo.imag %z : ({C64}) -> {F32}",
        f"%r = stablehlo.complex %0, %1 : {C64}",
        2,
    ),
    "its own type": (f"%r = stablehlo.convert %a : {F32}", 0),
    "wider and back": (
        f"%0 = stablehlo.convert %h : (tensor<100xbf16>) -> {F32}",
        f"%1 = stablehlo.convert %0 : ({F32}) -> tensor<100xbf16>",
        f"%r = stablehlo.convert %1 : (tensor<100xbf16>) -> {F32}",
        2,
    ),
    "x & x": (op("and", "%i", "%i", type=I8), 0),
    "x & -1": (op("and", "%i", I_1, type=I8), 0),
    "x & 255": (op("and", "%u", U255, type=U8), 1),
    "x & true": (op("and", "%p", TRUE, type=I1), 0),
    "x | x": (op("or", "%i", "%i", type=I8), 0),
    "0 | x": (op("or", I0, "%i", type=I8), 0),
    "x ^ 0": (op("xor", "%i", I0, type=I8), 0),
    "max(x, x)": (op("maximum", "%a", "%a"), 0),
    "min(x, x)": (op("minimum", "%i", "%i", type=I8), 0),
    "~~x": (op("not", "%i", type=I8, to="%0"), op("not", "%0", type=I8), 0),
    "p ? x : x": (op("select", "%p", "%a", "%a", type=f"{I1}, {F32}"), 0),
    "true ? a : b": (op("select", YES, "%a", "%b", type=f"tensor<i1>, {F32}"), 0),
    "~p ? a : b": (op("not", "%p", type=I1, to="%0"), op("select", "%0", "%a", "%b", type=f"{I1}, {F32}"), 1),
    "reshape, same": (f"%r = stablehlo.reshape %m : ({T}) -> {T}", 0),
    "reshape, twice": (
        f"%0 = stablehlo.reshape %m : ({T}) -> tensor<6xf32>",
        "%r = stablehlo.reshape %0 : (tensor<6xf32>) -> tensor<3x2xf32>",
        1,
    ),
    "transpose, same": (f"%r = stablehlo.transpose %m, dims = [0, 1, 2] : ({T}) -> {T}", 0),
    "transpose, twice": (
        f"%0 = stablehlo.transpose %m, dims = [1, 2, 0] : ({T}) -> tensor<1x3x2xf32>",
        f"%r = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<1x3x2xf32>) -> {TT}",
        1,
    ),
    "transpose, there and back": (
        f"%0 = stablehlo.transpose %m, dims = [2, 0, 1] : ({T}) -> tensor<3x2x1xf32>",
        f"%r = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<3x2x1xf32>) -> {T}",
        0,
    ),
    "broadcast, same": (f"%r = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : ({T}) -> {T}", 0),
    "broadcast, twice": (
        f"%0 = stablehlo.broadcast_in_dim %m, dims = [2, 1, 0] : ({T}) -> {TT}",
        f"%r = stablehlo.broadcast_in_dim %0, dims = [1, 0, 3] : ({TT}) -> tensor<4x3x5x2xf32>",
        1,
    ),
    "slice, all": (f"%r = stablehlo.slice %m [0:2, 0:1, 0:3] : ({T}) -> {T}", 0),
    "pad, nothing": (
        f"%r = stablehlo.pad %m, {SCALAR}, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0]"
        f" : ({T}, tensor<f32>) -> {T}",
        0,
    ),
    "concatenate, one": (f"%r = stablehlo.concatenate %m, dim = 0 : ({T}) -> {T}", 0),
    "reverse, one": (f"%r = stablehlo.reverse %m, dims = [1] : {T}", 0),
    "reverse, twice": (
        f"%0 = stablehlo.reverse %m, dims = [0, 2] : {T}",
        f"%r = stablehlo.reverse %0, dims = [2, 0] : {T}",
        0,
    ),
}
"""Name -> ops, and how many are left of them, without constants."""

STAY = {
    "x + 0": op("add", "%a", ZERO),
    "x + (0 + 0i)": op("add", "%z", CPLUS, type=C64),
    "x - -0": op("subtract", "%a", MINUS_ZERO),
    "0 - x": op("subtract", ZERO, "%a"),
    "x - x": op("subtract", "%a", "%a"),
    "x * 0": op("multiply", "%a", ZERO),
    "x * -1": op("multiply", "%a", MINUS_ONE),
    "z * 1": op("multiply", "%z", CONE, type=C64),
    "z / 1": op("divide", "%z", CONE, type=C64),
    "x / x": op("divide", "%a", "%a"),
    "x & 0": op("and", "%i", I0, type=I8),
    "~x": op("not", "%i", type=I8),
}


def left(module: ModuleOp) -> list[str]:
    """The ops that compute, without constants."""
    skipped = ("stablehlo.constant", "func.return")
    return [o.name for o in main_of(module).body.block.ops if o.name not in skipped]


def bits(x: Any) -> Any:
    """What has to agree: for floats, value and sign; NaN is NaN."""
    if x.dtype.kind != "f":
        return x
    return np.where(np.isnan(x), 7.0, x), np.where(np.isnan(x), False, np.signbit(x))


def results(module: ModuleOp) -> Any:
    return cpp.interpret(to_text(module), *(x for _, x in ARGUMENTS.values()))


@pytest.mark.parametrize("name", HOLD)
def test_identity(name: str) -> None:
    *lines, expected = HOLD[name]
    before = parse(program(*lines))
    after = before.clone()
    simplify(after)
    verify(after)
    assert len(left(after)) == expected, to_text(after)
    for found, right in zip(results(after), results(before), strict=True):
        np.testing.assert_equal(bits(found), bits(right))


def test_negations_of_whole_numbers_stay_in_quotients() -> None:
    """-128 has no negative: -(-128) / -1 is 128, which wraps to -128; -128 / 1 is not that by rule, but by luck."""
    module = parse(program(negated("%i", "%0", I8), negated("%j", "%1", I8), op("divide", "%0", "%1", type=I8)))
    simplify(module)
    assert left(module) == ["stablehlo.negate", "stablehlo.negate", "stablehlo.divide"]


@pytest.mark.parametrize("name", STAY)
def test_what_is_no_identity_stays(name: str) -> None:
    module = parse(program(STAY[name]))
    simplify(module)
    assert STAY[name].split()[2] in left(module)


def test_each_identity_is_tested() -> None:
    tried = {f"stablehlo.{line.split('stablehlo.')[1].split()[0]}" for *lines, _ in HOLD.values() for line in lines}
    assert {cls.name for cls in IDENTITIES} <= tried


def simplified(*lines: str) -> list[str]:
    module = parse(program(*lines))
    simplify(module)
    verify(module)
    return left(module)


def test_equal_ops_are_merged() -> None:
    """sin(a) + sin(a), where constants are equal too; 0 and -0 are not."""
    lines = [op("sine", "%a", to="%0"), op("sine", "%a", to="%1"), op("add", "%0", "%1")]
    assert simplified(*lines) == ["stablehlo.sine", "stablehlo.add"]
    signs = [op("divide", "%a", ZERO, to="%0"), op("divide", "%a", MINUS_ZERO, to="%1"), op("add", "%0", "%1")]
    assert simplified(*signs) == ["stablehlo.divide", "stablehlo.divide", "stablehlo.add"]


def test_operands_in_another_order_are_not_merged() -> None:
    """Of two NaNs, an implementation may choose the first."""
    lines = [op("subtract", "%a", "%b", to="%0"), op("subtract", "%b", "%a", to="%1"), op("multiply", "%0", "%1")]
    assert simplified(*lines) == ["stablehlo.subtract", "stablehlo.subtract", "stablehlo.multiply"]


def test_what_has_effects_is_neither_merged_nor_erased() -> None:
    """Two draws of random numbers are two; so are two calls of code that may print."""
    draw = (
        "stablehlo.rng %x, %x, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>"
    )
    call = "stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>"
    module = parse(
        f"""func.func @main(%x: tensor<f32>, %s: tensor<1xi64>) -> tensor<2xf32> {{
  %0 = {draw}
  %1 = {draw}
  %2 = {call}
  %3 = {call}
  %4 = stablehlo.subtract %0, %1 : tensor<2xf32>
  return %4 : tensor<2xf32>
}}
"""
    )
    simplify(module)
    assert left(module) == [*["stablehlo.rng"] * 2, *["stablehlo.custom_call"] * 2, "stablehlo.subtract"]


LOOP = """func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<f32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %c = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %unused = stablehlo.cosine %y : tensor<f32>
      %1 = stablehlo.sine %x : tensor<f32>
      %2 = stablehlo.negate %1 : tensor<f32>
      %3 = stablehlo.subtract %y, %2 : tensor<f32>
      %4 = stablehlo.sine %y : tensor<f32>
      %5 = stablehlo.multiply %3, %4 : tensor<f32>
      %6 = stablehlo.subtract %i, %one : tensor<i32>
      stablehlo.return %6, %5 : tensor<i32>, tensor<f32>
    }
  %7 = stablehlo.multiply %r#1, %0 : tensor<f32>
  return %7 : tensor<f32>
}
"""


def test_regions_are_simplified_with_what_is_outside() -> None:
    module = parse(LOOP)
    simplify(module)
    verify(module)
    loop = next(o for o in main_of(module).body.block.ops if o.name == "stablehlo.while")
    inside = [o.name.partition(".")[2] for o in loop.regions[1].block.ops]
    assert inside == ["add", "sine", "multiply", "subtract", "return"]
    assert left(module) == ["stablehlo.sine", "stablehlo.while", "stablehlo.multiply"]
    arguments = np.float32(0.7), np.int32(3)
    (found,), (right,) = cpp.interpret(to_text(module), *arguments), cpp.interpret(LOOP, *arguments)
    assert found == right


def test_ops_with_attributes_of_their_own_stay() -> None:
    module = parse(
        """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.reshape %x {mhlo.sharding = "{devices=[2]0,1}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    )
    simplify(module)
    assert left(module) == ["stablehlo.reshape"]


def test_quantized_numbers_stay() -> None:
    """-(-128) is 127 there."""
    q = "tensor<2x!quant.uniform<i8:f32, 1.0>>"
    module = parse(
        f"""func.func @main(%x: {q}) -> {q} {{
  %0 = stablehlo.negate %x : {q}
  %1 = stablehlo.negate %0 : {q}
  return %1 : {q}
}}
"""
    )
    simplify(module)
    assert left(module) == ["stablehlo.negate", "stablehlo.negate"]


def test_unknown_sizes_stay() -> None:
    """A slice to 3 elements of what may have more."""
    module = parse(
        """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
    )
    simplify(module)
    assert left(module) == []


@pytest.mark.parametrize("name", ["attention", "second_order"])
def test_gradients_of_programs_are_right_and_shorter(name: str) -> None:
    """JAX's gradients are stored beside the programs."""
    module = gradient(name)
    before = sum(1 for _ in module.walk())
    simplify(module)
    verify(module)
    assert sum(1 for _ in module.walk()) < before
    numbers = stored(name)
    found = run(module, *arguments(name))
    for y, right in zip(found, [numbers["value"], *(numbers[f"grad_{i}"] for i in wrt(name))], strict=True):
        np.testing.assert_allclose(y, right, rtol=0, atol=1e-5 * np.abs(right).max())
