"""Kinks and edges of elementwise ops, one row each, in both modes; docs/conventions.md says what they are."""

from __future__ import annotations

import numpy as np
import pytest

from tests.harness import jvp_of, run, vjp_of

INF, NAN = np.inf, np.nan

EDGES: dict[str, tuple[str, list[float], list[float]]] = {
    "maximum_equal": ("maximum", [2.0, 2.0], [0.5, 0.5]),
    "minimum_equal": ("minimum", [2.0, 2.0], [0.5, 0.5]),
    "abs_0": ("abs", [0.0], [1.0]),
    "sign_0": ("sign", [0.0], [0.0]),
    "floor_whole": ("floor", [3.0], [0.0]),
    "ceil_whole": ("ceil", [3.0], [0.0]),
    "round_half": ("round_nearest_even", [2.5], [0.0]),
    "sqrt_0": ("sqrt", [0.0], [INF]),
    "rsqrt_0": ("rsqrt", [0.0], [-INF]),
    "cbrt_0": ("cbrt", [0.0], [INF]),
    "log_0": ("log", [0.0], [INF]),
    "log_plus_one_-1": ("log_plus_one", [-1.0], [INF]),
    "exponential_-inf": ("exponential", [-INF], [0.0]),
    "logistic_inf": ("logistic", [INF], [0.0]),
    "logistic_-inf": ("logistic", [-INF], [0.0]),
    "tanh_inf": ("tanh", [INF], [0.0]),
    "sine_inf": ("sine", [INF], [NAN]),
    "power_0_0": ("power", [0.0, 0.0], [0.0, 0.0]),
    "power_0_1": ("power", [0.0, 1.0], [1.0, 0.0]),
    "power_0_half": ("power", [0.0, 0.5], [INF, 0.0]),
    "power_negative": ("power", [-1.5, 2.0], [-3.0, NAN]),
    "atan2_0_0": ("atan2", [0.0, 0.0], [NAN, NAN]),
    "divide_by_0": ("divide", [1.0, 0.0], [INF, -INF]),
    "remainder_multiple": ("remainder", [6.0, 3.0], [1.0, -2.0]),
    "remainder_inf": ("remainder", [1.0, INF], [1.0, 0.0]),
}


def program(op: str, count: int) -> str:
    names = ["%a", "%b"][:count]
    arguments = ", ".join(f"{name}: tensor<f64>" for name in names)
    return (
        f"func.func @main({arguments}) -> tensor<f64> {{\n  %y = stablehlo.{op} {', '.join(names)} : tensor<f64>\n"
        "  return %y : tensor<f64>\n}"
    )


@pytest.mark.parametrize("name", EDGES)
def test_edges_of_elementwise_ops(name: str) -> None:
    op, args, expected = EDGES[name]
    text, arrays, one = program(op, len(args)), [np.array(x) for x in args], np.array(1.0)
    np.testing.assert_array_equal([float(g) for g in run(vjp_of(text), *arrays, one)], expected)
    along = [float(run(jvp_of(text, [i]), *arrays, one)[1]) for i in range(len(args))]
    np.testing.assert_array_equal(along, expected)
