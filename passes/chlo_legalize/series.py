"""Polynomials: sums of powers and of Chebyshev polynomials, with constant coefficients."""

from __future__ import annotations

from collections.abc import Sequence

from hhlo_xdsl.dialects.infix import Value


def constant(value: float, like: Value) -> Value:
    """`value` in every element, in the type of `like`."""
    return Value(like.operand(value))


def polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    """c[0] x^n + c[1] x^(n-1) + .. + c[n], by Horner's scheme."""
    first, *rest = coefficients
    total = constant(first, x)
    for c in rest:
        total = total * x + c
    return total


def monic(x: Value, coefficients: Sequence[float]) -> Value:
    """x^n + c[0] x^(n-1) + .. + c[n-1]."""
    first, *rest = coefficients
    total = x + first
    for c in rest:
        total = total * x + c
    return total


def chebyshev(x: Value, coefficients: Sequence[float]) -> Value:
    """c[n] / 2 + c[n-1] T1(x / 2) + .. + c[0] Tn(x / 2), by Clenshaw's recurrence; -2 <= x <= 2.

    Source: Cephes, chbevl.c.
    """
    first, *rest = coefficients
    before, last = constant(0, x), constant(first, x)
    older = before
    for c in rest:
        older, before, last = before, last, x * last - before + c
    return (last - older) * 0.5
