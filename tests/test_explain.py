"""What `hhlo grad --explain` says of each op."""

from __future__ import annotations

from pathlib import Path

import pytest

from hhlo_xdsl.cli import main
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.explain import Section, explain
from hhlo_xdsl.passes.grad import GradPass
from hhlo_xdsl.text import parse

PROGRAM = """func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: tensor<8xi32>) -> (tensor<f32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = stablehlo.multiply %0, %b : tensor<8xf32>
  %2 = stablehlo.convert %n : (tensor<8xi32>) -> tensor<8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8xf32>
  %4 = stablehlo.floor %3 : tensor<8xf32>
  %5 = stablehlo.sine %b : tensor<8xf32>
  %6 = func.call @f(%3) : (tensor<8xf32>) -> tensor<8xf32>
  %8 = func.call @f(%5) : (tensor<8xf32>) -> tensor<8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%6 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %7, %5 : tensor<f32>, tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.exponential %x : tensor<8xf32>
  %1 = stablehlo.cosine %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""


def of(program: str, **options: object) -> list[Section]:
    return explain(parse(program), GradPass(**options))  # pyright: ignore[reportArgumentType]


def test_each_op() -> None:
    """tanh reads its operand (an argument) and multiply both factors (b: an argument); cosine of e ** x reads e ** x in the callee."""
    main_section, callee = of(PROGRAM)
    assert [(s.op.partition(".")[2], s.active, s.how, s.kept) for s in main_section.steps] == [
        ("tanh", True, "vjp/unary.py table", 32),
        ("multiply", True, "vjp/binary.py table", 0),
        ("convert", False, "it depends on no differentiated argument", 0),
        ("add", True, "vjp/binary.py table", 0),
        ("floor", False, "it is piecewise constant: its derivative is zero wherever there is one", 0),
        ("sine", False, "the differentiated result does not depend on it", 0),
        ("call", True, "vjp/calls.py Calls", 32),
        ("call", False, "the differentiated result does not depend on it", 0),
        ("constant", False, "it reads nothing", 0),
        ("reduce", True, "vjp/reduction.py reduce", 0),
    ]
    assert (main_section.function, main_section.kept, main_section.arguments) == ("main", 64, 64)
    assert [(s.op, s.active, s.kept) for s in callee.steps] == [
        ("stablehlo.exponential", True, 32),
        ("stablehlo.cosine", True, 0),
    ]


def test_fewer_arguments_keep_less() -> None:
    """Only b moves: tanh(a) is a factor of its cotangent, and nothing else is read before the call."""
    first, _ = of(PROGRAM, wrt=(1,))
    assert [s.kept for s in first.steps[:2]] == [32, 0]
    assert first.steps[0].how == "it depends on no differentiated argument"
    assert first.arguments == 0


def test_places_and_types() -> None:
    step = of(PROGRAM)[0].steps[2]
    assert step.place == "<text>:4:3"
    assert step.type == "tensor<8xf32>"


def test_elements_of_less_than_a_byte_take_one() -> None:
    """select keeps its predicate: 8 booleans."""
    (section,) = of(
        """func.func @main(%p: tensor<8xi1>, %x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %0 = stablehlo.not %p : tensor<8xi1>
  %1 = stablehlo.multiply %x, %x : tensor<8xcomplex<f64>>
  %2 = stablehlo.select %0, %1, %x : tensor<8xi1>, tensor<8xcomplex<f64>>
  return %2 : tensor<8xcomplex<f64>>
}
""",
        seed=True,
    )
    assert [s.kept for s in section.steps] == [8, 0, 0]
    assert section.arguments == 8 * 16


def test_a_function_without_ops() -> None:
    (section,) = of("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n")
    assert section == Section("main")


def test_what_has_no_gradient_is_an_error() -> None:
    with pytest.raises(DifferentiationError, match="wrt is 2"):
        of(PROGRAM, wrt=(2,))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    assert main(["grad", "--explain", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "@main"
    assert lines[1].split() == ["op", "result", "active", "keeps", "rule,", "or", "why", "there", "is", "none"]
    assert lines[2].split() == ["stablehlo.tanh", "tensor<8xf32>", "yes", "32", "vjp/unary.py", "table"]
    assert lines[12] == "bytes kept for the way back: 64 of results, 64 of arguments"
