"""Forward-mode rules of CHLO's ops that have no row in the shared table. t is a tangent.

Scan computes its results and their tangents together, in one scan.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Region, SSAValue

from hhlo_xdsl.dialects.chlo import binary, unary
from hhlo_xdsl.dialects.chlo.contraction import RaggedDotOp
from hhlo_xdsl.dialects.chlo.control_flow import ScanOp
from hhlo_xdsl.dialects.chlo.ordering import TopKOp
from hhlo_xdsl.dialects.emit import add, emit, inserting
from hhlo_xdsl.dialects.infix import Value, complex_of, imag, real, select, square_root
from hhlo_xdsl.dialects.stablehlo.control_flow import ReturnOp
from hhlo_xdsl.dialects.stablehlo.indexing import GatherOp
from hhlo_xdsl.dialects.types import shape_of
from hhlo_xdsl.passes.callees import terminator_of
from hhlo_xdsl.passes.chlo_legalize.broadcast import PLAIN, Broadcasting, plain
from hhlo_xdsl.passes.chlo_legalize.core import LOWERINGS
from hhlo_xdsl.passes.jvp.core import (
    ForwardWalk,
    Joint,
    Tangents,
    filled,
    joint_rule,
    jvp_rule,
    jvp_walk_rule,
    linear,
    total,
)
from hhlo_xdsl.passes.jvp.folds import pushed_forward
from hhlo_xdsl.passes.vjp.chlo import NO_EXPONENT, NO_ORDER, polygamma_in_x, undefined, zeta_in_q
from hhlo_xdsl.passes.vjp.chlo_scan import active_args
from hhlo_xdsl.passes.vjp.chlo_structure import along_last
from hhlo_xdsl.passes.vjp.core import NON_DIFFERENTIABLE, only, scaled_by
from hhlo_xdsl.passes.vjp.guards import guarded_product
from hhlo_xdsl.passes.vjp.regions import body_ops

linear(unary.ConjOp)


@jvp_rule(unary.AsinAcosKernelOp)
def asin_acos_kernel(op: unary.AsinAcosKernelOp, tangents: Tangents) -> Tangents:
    """y = Re s + i |Im asin z| with s = sqrt(1 - z^2): Re(-z t / s) + i (sign of Im z) Im(t / s)."""
    t, z = Value(only(tangents)), Value(op.operand)
    q = t / (square_root(1 - z) * square_root(1 + z))
    return [complex_of(real(-(z * q)), select(imag(z) < 0, -imag(q), imag(q))).ssa]


@jvp_walk_rule(unary.BesselI1eOp)
def bessel_i1e(op: unary.BesselI1eOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """Through the series that it is computed by."""
    return pushed_forward(op, tangents, walk, lambda: LOWERINGS[unary.BesselI1eOp](op))


@jvp_walk_rule(binary.PolygammaOp)
def polygamma(op: binary.PolygammaOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """In x only."""
    of_n, of_x = tangents
    if of_n is not None:
        raise undefined(op, *NO_ORDER)
    return [None if of_x is None else scaled_by(polygamma_in_x, Value(of_x), op, walk.options)]


@jvp_walk_rule(binary.ZetaOp)
def zeta(op: binary.ZetaOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """In q only."""
    of_s, of_q = tangents
    if of_s is not None:
        raise undefined(op, *NO_EXPONENT)
    return [None if of_q is None else scaled_by(zeta_in_q, Value(of_q), op, walk.options)]


@jvp_rule(binary.NextAfterOp)
def next_after(op: binary.NextAfterOp, tangents: Tangents) -> Tangents:
    """That of x; y only says which way."""
    return [tangents[0]]


def broadcasting(op: Broadcasting, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """The tangents, through the broadcasts of the operands and the plain op."""
    return pushed_forward(op, tangents, walk, lambda: [emit(plain(op))])


for _op in PLAIN.keys() - NON_DIFFERENTIABLE.keys():
    jvp_walk_rule(_op)(broadcasting)


@jvp_rule(TopKOp)
def top_k(op: TopKOp, tangents: Tangents) -> Tangents:
    """The tangents of the elements that were taken."""
    rank = len(shape_of(op.operand))
    return [emit(GatherOp(only(tangents), op.indices, along_last(rank), (1,) * rank)), None]


@jvp_walk_rule(RaggedDotOp)
def ragged_dot(op: RaggedDotOp, tangents: Tangents, walk: ForwardWalk) -> Tangents:
    """da b + a db"""
    of_lhs, of_rhs, _ = tangents

    def of_first(t: SSAValue, other: SSAValue) -> SSAValue:
        return _product(op, t, other)

    def of_second(t: SSAValue, other: SSAValue) -> SSAValue:
        return _product(op, other, t)

    return [
        total(
            None if of_lhs is None else guarded_product(of_first, of_lhs, op.rhs, walk.options),
            None if of_rhs is None else guarded_product(of_second, of_rhs, op.lhs, walk.options),
        )
    ]


def _product(op: RaggedDotOp, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """The product of lhs and rhs by the groups of `op`."""
    copy = op.clone()
    copy.operands = [lhs, rhs, op.group_sizes]
    return add(copy).results[0]


@joint_rule(ScanOp)
def scan(op: ScanOp, tangents: Tangents, walk: ForwardWalk) -> Joint:
    """A scan over slices and carry with their tangents: inputs, tangents of inputs, carry, tangent of the carry."""
    given = {v: t for v, t in zip(op.operands, tangents, strict=True) if t is not None}
    inputs, carries = active_args(op, list(given))
    body, pushed = _with_tangents(op, walk, inputs, carries)
    read = [*op.inputs, *(given[op.inputs[i]] for i in inputs)]
    start = [*op.inits, *(filled(given.get(op.inits[i]), op.inits[i]) for i in carries)]
    dimension, trips = op.dimension.value.data, op.trips
    result = add(ScanOp(read, start, dimension, Region(body), scan_dim_size=trips, is_reverse=op.backwards))
    outs, nexts = len(op.outputs), len(op.inits)
    of_outs = dict(zip(pushed, result.outputs[outs:], strict=True))
    of_nexts = dict(zip(carries, result.carries[nexts:], strict=True))
    found = [*(of_outs.get(i) for i in range(outs)), *(of_nexts.get(i) for i in range(nexts))]
    return [*result.outputs[:outs], *result.carries[:nexts]], found


def _with_tangents(
    op: ScanOp, walk: ForwardWalk, inputs: Sequence[int], carries: Sequence[int]
) -> tuple[Block, list[int]]:
    """The body that computes tangents too, and which outputs have one.

    It takes slices, their tangents, the carry and its tangents, and gives outputs, their tangents, and likewise carry.
    """
    old, count, outs = op.body.block, len(op.inputs), len(op.outputs)
    slices, held = [a.type for a in old.args[:count]], [a.type for a in old.args[count:]]
    types = [*slices, *(slices[i] for i in inputs), *held, *(held[i] for i in carries)]
    body = Block(arg_types=types)
    start = count + len(inputs)
    plain = [*body.args[:count], *body.args[start : start + len(held)]]
    copies: dict[SSAValue, SSAValue] = dict(zip(old.args, plain, strict=True))
    with inserting(body):
        for inner in body_ops(old):
            add(inner.clone(copies))
        add(ReturnOp([copies.get(v, v) for v in terminator_of(old).operands]))
    known: dict[SSAValue, SSAValue] = dict(zip([body.args[i] for i in inputs], body.args[count:start], strict=True))
    known.update(zip([plain[count + i] for i in carries], body.args[start + len(held) :], strict=True))
    walk.pushforward(body_ops(body), known)
    last = terminator_of(body)
    given, nexts = last.operands[:outs], last.operands[outs:]
    pushed = [i for i, v in enumerate(given) if v in known]
    with inserting(body, before=last):
        of_nexts = [filled(known.get(nexts[i]), nexts[i]) for i in carries]
    last.operands = [*given, *(known[given[i]] for i in pushed), *nexts, *of_nexts]
    return body, pushed
