"""Reading, verifying and writing text beside xDSL and the C++ in jaxlib: rates, their growth, and large constants."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo
from programs import jax_text
from report import at_least, at_most, fastest, row, section
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

import hhlo_xdsl as hh
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.reader import read
from hhlo_xdsl.text import context, to_text

PJRT = "pjrt-1.16"


@cache
def cpp_context() -> ir.Context:
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made = ir.Context()
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    for dialect in (stablehlo, chlo):
        dialect.register_dialect(made)
    return made


def ours(text: str) -> ModuleOp:
    return read(context(), text, "bench.mlir")


def xdsl(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


def xdsl_text(module: ModuleOp, generic: bool = False) -> str:
    out = io.StringIO()
    Printer(out, print_generic_format=generic).print_op(module)
    return out.getvalue()


def cpp(text: str) -> ir.Module:
    return ir.Module.parse(text, cpp_context())


def count(module: ModuleOp) -> int:
    return sum(1 for _ in module.walk())


def reading(what: str, text: str, ops: int, tries: int) -> None:
    seconds = fastest(tries, ours=lambda: ours(text), xDSL=lambda: xdsl(text), cpp=lambda: cpp(text))
    at_least(f"reading {what}, {ops:,} ops", ops, 15_000, seconds)


def writing(what: str, module: ModuleOp, syntax: str, tries: int) -> None:
    theirs, ops, generic = cpp(to_text(module)).operation, count(module), syntax == "generic"
    seconds = fastest(
        tries,
        ours=lambda: to_text(module, syntax=syntax),
        xDSL=lambda: xdsl_text(module, generic),
        cpp=lambda: theirs.get_asm(print_generic_op_form=generic),
    )
    at_least(f"writing {what}, {ops:,} ops", ops, 100_000, seconds)


def rates(layers: int, tries: int) -> None:
    text = jax_text(layers)
    module = ours(text)
    ops = count(module)
    reading("custom text", text, ops, tries)
    reading("generic text", to_text(module, syntax="generic"), ops, tries)
    seconds = fastest(tries, ours=lambda: verify(module), xDSL=module.verify)
    at_least(f"verifying, {ops:,} ops", ops, 40_000, seconds)
    writing("for PJRT", module, PJRT, tries)
    writing("custom text", module, "pretty", tries)
    writing("generic text", module, "generic", tries)


def speed() -> None:
    section("Text: a transformer as JAX prints it")
    rates(15, 5)
    rates(190, 1)


def steps(text: str, tries: int) -> dict[str, float]:
    """The seconds per op of everything that is done to a program."""
    module = ours(text)
    arguments = len(module.body.block.first_op.regions[0].block.args)  # pyright: ignore
    seconds = fastest(
        tries,
        reading=lambda: ours(text),
        verifying=lambda: verify(module),
        writing=lambda: to_text(module, syntax=PJRT),
        differentiating=lambda: hh.grad_module(module, wrt=tuple(range(arguments)), value=True),
    )
    return {what: s / count(module) for what, s in seconds.items()}


def growth() -> None:
    section("Growth: time per op in a transformer of 100,000 ops, over that in one of 1,000")
    small, large = steps(jax_text(10), 5), steps(jax_text(960), 1)
    for what in small:
        ratio = large[what] / small[what]
        row(
            what,
            f"x{ratio:.2f}",
            "<= x1.3",
            ratio <= 1.3,
            f"{small[what] * 1e6:.1f} us, then {large[what] * 1e6:.1f} us",
        )


def program(constant: str) -> str:
    type = constant.rpartition(" : ")[2]
    return f"func.func @main() -> {type} {{\n  %c = stablehlo.constant {constant}\n  return %c : {type}\n}}\n"


def constant(what: str, text: str) -> None:
    module, theirs = ours(text), cpp(text)
    at_most(f"reading {what}", 0.1, fastest(3, ours=lambda: hh.parse(text), cpp=lambda: cpp(text)))
    seconds = fastest(3, ours=lambda: to_text(module, syntax=PJRT), cpp=lambda: theirs.operation.get_asm())
    at_most(f"writing {what}", 0.1, seconds)


def constants() -> None:
    section("Constants of 4,194,304 equal, and of 1,048,576 different elements")
    noise = np.random.default_rng(0).standard_normal(2**20).astype(np.float32).tobytes().hex().upper()
    constant("a splat", program("dense<1.5> : tensor<4194304xf32>"))
    constant("a hexadecimal string", program(f'dense<"0x{noise}"> : tensor<1048576xf32>'))
