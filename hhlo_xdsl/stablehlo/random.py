"""Thin functions of the family random."""

from __future__ import annotations

from hhlo_xdsl.dialects.stablehlo import random as dialect
from hhlo_xdsl.dialects.stablehlo.attributes import RngAlgorithm, RngDistribution
from hhlo_xdsl.dtypes import Spec
from hhlo_xdsl.stablehlo.shared import enum_of, several, type_from
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def rng(a: ArrayLike, b: ArrayLike, shape: ArrayLike, rng_distribution: str = "UNIFORM") -> Tensor:
    """Random numbers: UNIFORM in [a, b), or NORMAL with mean a and deviation b; other ones each time it runs."""
    kind = enum_of("stablehlo.rng", RngDistribution, rng_distribution)
    return made(dialect.RngOp, tensor(a), tensor(b), tensor(shape), kind)


def rng_bit_generator(initial_state: ArrayLike, type: Spec, rng_algorithm: str = "DEFAULT") -> tuple[Tensor, Tensor]:
    """The next state, and random bits of `type`, such as hh.ui32[8]; by DEFAULT, THREE_FRY or PHILOX."""
    algorithm = enum_of("stablehlo.rng_bit_generator", RngAlgorithm, rng_algorithm)
    state = tensor(initial_state).ssa
    after, bits = several(lambda: dialect.RngBitGeneratorOp(state, type_from(type), algorithm))
    return after, bits
