"""Derivatives of collectives, on four devices: of the sum over all processes of what each of them computes.

The programs are y = F(x * x) for a collective F, which is linear, or is a maximum. With J its matrix at the squares:
the tangent is J (2 x t), the gradient 2 x J'ct, and the gradient of <u, that> is 2 u J'ct for x and J (2 x u) for ct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from hhlo_xdsl.dialects.stablehlo.collective_reduction import CollectiveReduceOp
from hhlo_xdsl.dialects.stablehlo.distribution import CollectiveBroadcastOp
from hhlo_xdsl.errors import DifferentiationError
from hhlo_xdsl.passes.forward import JvpPass, differentiate_forward
from hhlo_xdsl.passes.grad import GradPass, differentiate
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.session import Session
from hhlo_xdsl.text import parse, to_text
from tests import cpp

pytestmark = pytest.mark.compat

COUNT = 4
Values = Sequence[np.ndarray[Any, Any]]
"""An array per process."""

ADD = """({{
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.{} %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }})"""
MAIN = """func.func @main(%x: tensor<{i}xf64>) -> tensor<{o}xf64> {{
  %s = stablehlo.multiply %x, %x : tensor<{i}xf64>
  %0 = "stablehlo.{op}"(%s) {regions}<{{{attributes}}}> : (tensor<{i}xf64>) -> tensor<{o}xf64>
  return %0 : tensor<{o}xf64>
}}"""


def groups(*ids: Sequence[int]) -> str:
    return f"replica_groups = dense<{[list(g) for g in ids]}> : tensor<{len(ids)}x{len(ids[0])}xi64>"


class Case(NamedTuple):
    """A collective: its text, and what it computes of `values`, where the squares are `s`."""

    text: str
    map: Callable[[Values, Values], list[np.ndarray[Any, Any]]]


def case(op: str, shapes: tuple[str, str], attributes: str, map: Any, body: str = "") -> Case:
    regions = ADD.format(body) + " " if body else ""
    # Properties come before regions in the generic form.
    text = MAIN.format(i=shapes[0], o=shapes[1], op=op, regions="", attributes=attributes)
    return Case(text.replace("}> :", "}> " + regions + ":"), map)


PAIRS = [[0, 2], [3, 1]]
UNEVEN = [[2, 0, 1], [3, -1, -1]]


def group_of(r: int, ids: Sequence[Sequence[int]]) -> list[int]:
    return next(([n for n in g if n >= 0] for g in ids if r in g), [])


def gathered(_: Values, values: Values) -> list[Any]:
    return [np.concatenate([values[m] for m in group_of(r, PAIRS)]) for r in range(COUNT)]


def scattered(_: Values, values: Values) -> list[Any]:
    sums = [sum(values[m] for m in group_of(r, PAIRS)) for r in range(COUNT)]
    return [np.split(sums[r], 2)[group_of(r, PAIRS).index(r)] for r in range(COUNT)]


def exchanged(_: Values, values: Values) -> list[Any]:
    def parts(r: int) -> list[Any]:
        group = group_of(r, PAIRS)
        return [np.split(values[m], 2, axis=0)[group.index(r)] for m in group]

    return [np.concatenate(parts(r), axis=1) for r in range(COUNT)]


def permuted(_: Values, values: Values) -> list[Any]:
    return [values[2], values[0], np.zeros_like(values[0]), values[3]]


def summed(_: Values, values: Values) -> list[Any]:
    return [sum(values[m] for m in group_of(r, UNEVEN)) for r in range(COUNT)]


def totalled(_: Values, values: Values) -> list[Any]:
    return [sum(values)] * COUNT


def extreme(s: Values, values: Values) -> list[Any]:
    """The mean of the values of those that reach the maximum."""
    found: list[Any] = []
    for r in range(COUNT):
        members = group_of(r, UNEVEN)
        wins = [s[m] == np.max([s[k] for k in members], axis=0) for m in members]
        found.append(sum(w * values[m] for w, m in zip(wins, members, strict=True)) / sum(wins))
    return found


DIM = "all_gather_dim = 0 : i64"
SPLIT = "split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64"
MOVES = "source_target_pairs = dense<[[0, 1], [3, 3], [2, 0]]> : tensor<3x2xi64>"
ROWS = "scatter_dimension = 0 : i64"
CASES = {
    "all_gather": case("all_gather", ("2x3", "4x3"), f"{DIM}, {groups(*PAIRS)}", gathered),
    "reduce_scatter": case("reduce_scatter", ("4x3", "2x3"), f"{ROWS}, {groups(*PAIRS)}", scattered, "add"),
    "all_to_all": case("all_to_all", ("4x3", "2x6"), f"{SPLIT}, {groups(*PAIRS)}", exchanged),
    "collective_permute": case("collective_permute", ("2", "2"), MOVES, permuted),
    "sum": case("all_reduce", ("3", "3"), groups(*UNEVEN), summed, "add"),
    "cross-replica-sum": case("cross-replica-sum", ("3", "3"), groups([0, 1, 2, 3]), totalled),
    "maximum": case("all_reduce", ("3", "3"), groups(*UNEVEN), extreme, "maximum"),
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session("cpu", devices=COUNT) as session:
        yield session


def run(session: Session, module: Any, *args: Values) -> list[list[np.ndarray[Any, Any]]]:
    """Per result the arrays of all processes."""
    exe = session.compile(module, options=CompileOptions(replicas=COUNT))
    results = exe.run_replicas(list(zip(*args, strict=True)))
    return [[r.numpy() for r in result] for result in zip(*results, strict=True)]


def adjoint(case: Case, s: Values, cts: Values) -> list[np.ndarray[Any, Any]]:
    """J'ct, from J applied to every unit vector."""
    found = [np.zeros_like(x) for x in s]
    for r, x in enumerate(s):
        for place in np.ndindex(x.shape):
            unit = [np.zeros_like(other) for other in s]
            unit[r][place] = 1
            images = case.map(s, unit)
            found[r][place] = sum(float(np.sum(ct * image)) for ct, image in zip(cts, images, strict=True))
    return found


def values(case: Case) -> tuple[Values, Values, Values]:
    """x, with squares that tie and some that do not, and directions of its shape and of the result's."""
    rng = np.random.default_rng(0)
    shape = [int(n) for n in case.text.split("tensor<")[1].split("xf64")[0].split("x")]
    x = [rng.choice([-2.0, -1.5, 1.5, 2.0], shape) for _ in range(COUNT)]
    x[0].flat[0] = 3.0
    u = [rng.standard_normal(shape) for _ in range(COUNT)]
    return x, u, [rng.standard_normal(y.shape) for y in case.map([v * v for v in x], u)]


def scaled(x: Values, u: Values) -> Values:
    return [2 * a * b for a, b in zip(x, u, strict=True)]


def check(found: Sequence[Values], expected: Sequence[Values]) -> None:
    for many, right in zip(found, expected, strict=True):
        for f, e in zip(many, right, strict=True):
            np.testing.assert_allclose(f, e, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_derivatives_of_both_modes_and_orders(name: str, session: Session) -> None:
    case = CASES[name]
    x, u, ct = values(case)
    s = [v * v for v in x]
    back, ahead = adjoint(case, s, ct), case.map(s, scaled(x, u))

    gradient = parse(case.text)
    differentiate(gradient, GradPass(seed=True, value=False))
    check(run(session, gradient, x, ct), [scaled(x, back)])

    differentiate(gradient, GradPass(seed=True, value=False))
    check(run(session, gradient, x, ct, u), [scaled(u, back), ahead])

    tangent = parse(case.text)
    differentiate_forward(tangent, JvpPass())
    check(run(session, tangent, x, u)[1:], [ahead])


# The CPU has no collective_broadcast and collective_reduce; what flows back through them goes by other collectives.


def reduced(_: Values, values: Values) -> list[Any]:
    """The sum at the first of each group."""
    found = [0 * v for v in values]
    for first, *rest in PAIRS:
        found[first] = values[first] + sum(values[m] for m in rest)
    return found


@pytest.mark.parametrize(
    "case",
    [
        case("collective_broadcast", ("3", "3"), groups([1, 0, 2]), lambda s, v: [v[1], v[1], v[1], 0 * v[3]]),
        case("collective_reduce", ("3", "3"), groups(*PAIRS), reduced, "add"),
    ],
    ids=["collective_broadcast", "collective_reduce"],
)
def test_gradients_of_what_has_a_root(case: Case, session: Session) -> None:
    x, _, ct = values(case)
    gradient = parse(case.text)
    differentiate(gradient, GradPass(seed=True, value=False))
    (unused,) = [op for op in gradient.walk() if isinstance(op, CollectiveBroadcastOp | CollectiveReduceOp)]
    unused.detach()
    unused.erase()
    check(run(session, gradient, x, ct), [scaled(x, adjoint(case, x, ct))])


@pytest.mark.parametrize("op, body", [("collective_broadcast", ""), ("collective_reduce", "add")])
def test_tangents_of_what_has_a_root_take_the_same_way(op: str, body: str) -> None:
    module = parse(case(op, ("3", "3"), groups([1, 0], [2, 3]), None, body).text)
    differentiate_forward(module, JvpPass())
    first, second = [other for other in module.walk() if other.name == f"stablehlo.{op}"]
    assert first.properties == second.properties
    assert tuple(module.body.block.first_op.body.block.last_op.operands) == (*first.results, *second.results)


def test_channels_are_new_ones() -> None:
    """XLA refuses a program in which ops of different kinds share a channel."""
    handle = "channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>, use_global_device_ids"
    text = CASES["all_gather"].text.replace("dim = 0 : i64", f"dim = 0 : i64, {handle.format(7)}")
    module = parse(text)
    differentiate(module, GradPass(seed=True))
    differentiate_forward(module, JvpPass())
    printed = to_text(module)
    assert cpp.refuses(printed) is None
    handles = [part.split(",")[0] for part in printed.split("handle<handle = ")[1:]]
    assert sorted(map(int, handles)) == [7, 8, 9, 10]


@pytest.mark.parametrize("op, kind", [("all_reduce", "a sum, a maximum or a minimum"), ("reduce_scatter", "a sum")])
@pytest.mark.parametrize("forward", [False, True])
def test_other_computations_are_refused(op: str, kind: str, forward: bool) -> None:
    module = parse(CASES["sum" if op == "all_reduce" else op].text.replace("stablehlo.add", "stablehlo.multiply"))
    with pytest.raises(DifferentiationError, match=rf"stablehlo\.{op}: no derivative rule yet \(.* is not {kind}\)"):
        if forward:
            differentiate_forward(module, JvpPass())
        else:
            differentiate(module, GradPass(seed=True))


def test_roots_that_are_computed_are_refused() -> None:
    text = """func.func @main(%x: tensor<3xf64>, %r: tensor<1xi32>) -> tensor<3xf64> {
      %0 = "stablehlo.collective_broadcast"(%x, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
        : (tensor<3xf64>, tensor<1xi32>) -> tensor<3xf64>
      return %0 : tensor<3xf64>
    }"""
    with pytest.raises(DifferentiationError, match=r"collective_broadcast: .*the root is the first of groups"):
        differentiate(parse(text), GradPass(seed=True))
