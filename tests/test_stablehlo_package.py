"""`hh.stablehlo`, the families beyond elementwise ops: that each function makes its op, with its attributes.

Numbers are checked where the CPU runs the op, against numpy.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import hhlo_xdsl as hh
from hhlo_xdsl.dialects.stablehlo import StableHLO
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.stablehlo import shared
from tests.evaluate import check

S = hh.stablehlo
X = np.array([[1.5, -2.0, 0.5], [4.0, -0.25, 3.0]], np.float32)
OPS = sorted(op.name.removeprefix("stablehlo.") for op in StableHLO.operations)
NO_FUNCTION = {"return": "regions are Python functions"}


def function_of(op: str):
    name = op.replace("-", "_")
    return getattr(S, name, None) or getattr(S, f"{name}_")


def test_no_op_is_missing():
    names = [function_of(op).__name__.rstrip("_") for op in OPS if op not in NO_FUNCTION]
    assert names == [op.replace("-", "_") for op in OPS if op not in NO_FUNCTION]
    assert sorted(names) == sorted(name.rstrip("_") for name in S.__all__)
    assert all(inspect.getdoc(getattr(S, name)) for name in S.__all__)


def text_of(fn, *types) -> str:
    module = hh.trace(fn, *types)
    verify(module)
    return hh.to_text(module, syntax="generic")


def test_indexing():
    rows = np.array([[1], [0], [5]])
    pairs = {
        "slice": (lambda x: S.dynamic_slice(x, [0, 2], [2, 2]), lambda x: x[:, 1:3]),
        "update": (
            lambda x: S.dynamic_update_slice(x, np.zeros((1, 2), np.float32), [1, 0]),
            lambda x: np.concatenate([x[:1], [[0, 0, x[1, 2]]]]),
        ),
        "gather": (
            lambda x: S.gather(
                x,
                rows,
                slice_sizes=[1, 3],
                offset_dims=[1],
                collapsed_slice_dims=[0],
                start_index_map=[0],
                index_vector_dim=1,
            ),
            lambda x: x[[1, 0, 1]],
        ),
        "gather with batching": (
            lambda x: S.gather(
                x,
                np.array([[2], [0]]),
                slice_sizes=[1, 1],
                collapsed_slice_dims=[1],
                operand_batching_dims=[0],
                start_indices_batching_dims=[0],
                start_index_map=[1],
                index_vector_dim=1,
            ),
            lambda x: np.array([x[0, 2], x[1, 0]]),
        ),
        "scatter": (
            lambda x: S.scatter(
                [x],
                np.array([[1], [1]]),
                [np.ones((2, 3), np.float32)],
                S.add,
                update_window_dims=[1],
                inserted_window_dims=[0],
                scatter_dims_to_operand_dims=[0],
                index_vector_dim=1,
            )[0],
            lambda x: x + np.array([[0], [2]]),
        ),
    }
    check(pairs, X)


def test_index_selection():
    text = text_of(lambda x, i: S.torch_index_select(x, i, 1, 0), hh.f32[2, 3], hh.i32[4])
    assert "-> tensor<2x4xf32>" in text


def test_flags():
    def f(x, i, u):
        numbers = {"inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}
        return S.scatter([x], i, [u], lambda a, b: b, **numbers, unique_indices=True, indices_are_sorted=True)[0]

    text = text_of(f, hh.f32[5], hh.i32[2, 1], hh.f32[2])
    assert "unique_indices = true" in text
    assert "indices_are_sorted = true" in text


def test_dynamic():
    pairs = {
        "iota": (lambda x: S.dynamic_iota(np.array([2, 3]), 1), lambda x: np.indices((2, 3))[1]),
        "reshape": (lambda x: S.dynamic_reshape(x, np.array([3, 2])), lambda x: x.reshape(3, 2)),
        "broadcast": (
            lambda x: S.dynamic_broadcast_in_dim(x, np.array([2, 2, 3]), [1, 2], known_nonexpanding_dimensions=[0, 1]),
            lambda x: np.stack([x, x]),
        ),
        "pad": (
            lambda x: S.dynamic_pad(x, np.float32(7), np.array([1, 0]), np.array([0, 2]), np.array([0, 0])),
            lambda x: np.pad(x, [(1, 0), (0, 2)], constant_values=7),
        ),
        "slice": (
            lambda x: S.real_dynamic_slice(x, np.array([0, 1]), np.array([2, 3]), np.array([1, 1])),
            lambda x: x[:, 1:],
        ),
        "size": (lambda x: S.get_dimension_size(x, 1), lambda x: np.int32(3)),
    }
    check(pairs, X)


def test_unknown_sizes():
    def f(x, n):
        grown = S.dynamic_broadcast_in_dim(x, n, [1], [None, 3])
        cut = S.set_dimension_size(x, np.int32(2), 0)
        return S.get_dimension_size(grown, 0) + S.get_dimension_size(cut, 0)

    text = text_of(f, hh.f32[3], hh.i32[2])
    assert "-> tensor<?x3xf32>" in text
    assert '"stablehlo.set_dimension_size"' in text

    def conv(x, k, padding):
        y = S.dynamic_conv(x, k, padding, dimension_numbers="[b, 0, f]x[0, i, o]->[b, 0, f]", window_strides=[2])
        return S.get_dimension_size(y, 1)

    assert "-> tensor<1x?x1xf32>" in text_of(conv, hh.f32[1, 5, 1], hh.f32[2, 1, 1], hh.i64[1, 2])


def test_deprecated():
    pairs = {
        "broadcast": (lambda x: S.broadcast(x, [2]), lambda x: np.stack([x, x])),
        "dot": (lambda x: S.dot(x, x.T, precision_config=["HIGHEST"] * 2), lambda x: x @ x.T),
        "einsum": (lambda x: S.einsum(x, x, "ab,cb->ac"), lambda x: x @ x.T),
        "unary_einsum": (lambda x: S.unary_einsum(x, "ab->b"), lambda x: x.sum(0)),
    }
    for name in ("einsum", "unary_einsum"):
        fn, _ = pairs.pop(name)
        assert f'"stablehlo.{name}"' in text_of(fn, hh.f32[2, 3])
    check(pairs, X)


def test_map_and_sort():
    def by_size(a, b, i, j):
        return hh.abs(a) < hh.abs(b)

    def sorted_by_size(x):
        return S.sort([x, S.iota(hh.i32[2, 3], 1)], 1, by_size, is_stable=True)

    order = np.argsort(np.abs(X), 1, kind="stable")
    pairs = {
        "map": (lambda x: S.map([x, x], lambda a, b: a * b + 1), lambda x: x * x + 1),
        "sort": (sorted_by_size, lambda x: [np.take_along_axis(x, order, 1), order]),
        "sort of rows": (lambda x: S.sort([x], 0, lambda a, b: a > b)[0], lambda x: -np.sort(-x, 0)),
    }
    check(pairs, X)


def test_control_flow():
    def first_power_above(x):
        return S.while_([np.float32(1), np.int32(0)], lambda p, n: p <= x[1, 0], lambda p, n: (2 * p, n + 1))

    pairs = {
        "if": (lambda x: S.if_(x[0, 0] > 0, lambda: x, lambda: -x), lambda x: [x]),
        "two results": (lambda x: S.if_(x[0, 1] > 0, lambda: (x, x), lambda: (-x, x[0:2])), lambda x: [-x, x]),
        "case": (lambda x: S.case(np.int32(1), [lambda: x, lambda: x * 2, lambda: x * 3]), lambda x: [x * 2]),
        "while": (first_power_above, lambda x: [8, 3]),
        "barrier": (lambda x: S.optimization_barrier([x, x]), lambda x: [x, x]),
    }
    check(pairs, X)


def test_linear_algebra():
    spd = np.eye(3) * 4 + 1
    pairs = {
        "cholesky": (lambda a: hh.tril(S.cholesky(a, lower=True)), np.linalg.cholesky),
        "solve": (
            lambda a: S.triangular_solve(a, np.ones((3, 1)), lower=True, transpose_a="TRANSPOSE"),
            lambda a: np.linalg.solve(np.tril(a).T, np.ones((3, 1))),
        ),
        "rfft": (lambda a: S.fft(a, "RFFT", [3]), np.fft.rfft),
    }
    check(pairs, spd)


def test_normalization():
    x = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    one, zero = np.ones(3, np.float32), np.zeros(3, np.float32)

    def normalized(x):
        return (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-3)

    options = {"epsilon": 1e-3, "feature_index": 1}
    pairs = {
        "training": (
            lambda x: S.batch_norm_training(x, one, zero, **options),
            lambda x: [normalized(x), x.mean(0), x.var(0)],
        ),
        "inference": (
            lambda x: S.batch_norm_inference(x, one, zero, x.mean(0), x[0] * 0 + 1, **options),
            lambda x: (x - x.mean(0)) / np.sqrt(1.001),
        ),
        "gradient": (
            lambda x: S.batch_norm_grad(x, one, x.mean(0), hh.var(x, 0), x, **options)[2],
            lambda x: x.sum(0),
        ),
    }
    check(pairs, x, rtol=1e-4, atol=1e-5)


def test_random():
    text = text_of(lambda: S.rng(0.0, 1.0, np.array([2, 3]), "NORMAL"))
    assert "rng_distribution NORMAL" in text
    assert "-> tensor<2x3xf32>" in text
    text = text_of(lambda s: S.rng_bit_generator(s, hh.ui8[5], "THREE_FRY"), hh.ui64[2])
    assert "rng_algorithm THREE_FRY" in text
    assert "-> (tensor<2xui64>, tensor<5xui8>)" in text


def test_quantization():
    text = text_of(lambda x: S.uniform_dequantize(S.uniform_quantize(x, "!quant.uniform<i8:f32, 0.5:-20>")), hh.f32[3])
    assert "-> tensor<3x!quant.uniform<i8:f32, 5.000000e-01:-20>>" in text


GROUPS = [[0, 1]]
COLLECTIVES = {
    "all_gather": (lambda x: S.all_gather([x], 0, GROUPS)[0], "tensor<4x3xf32>"),
    "all_to_all": (lambda x: S.all_to_all([x], 0, 1, 2, GROUPS)[0], "tensor<1x6xf32>"),
    "collective_broadcast": (lambda x: S.collective_broadcast([x], GROUPS)[0], "tensor<2x3xf32>"),
    "collective_permute": (lambda x: S.collective_permute(x, [(0, 1), (1, 0)], 7), "tensor<2x3xf32>"),
    "cross-replica-sum": (lambda x: S.cross_replica_sum(x, GROUPS), "tensor<2x3xf32>"),
    "all_reduce": (
        lambda x: S.all_reduce([x], GROUPS, S.add, 3, use_global_device_ids=True)[0],
        "tensor<2x3xf32>",
    ),
    "reduce_scatter": (lambda x: S.reduce_scatter(x, 0, GROUPS, S.maximum), "tensor<1x3xf32>"),
    "collective_reduce": (lambda x: S.collective_reduce([x], GROUPS, S.add)[0], "tensor<2x3xf32>"),
}


@pytest.mark.parametrize("op", COLLECTIVES)
def test_collectives(op):
    fn, result = COLLECTIVES[op]
    text = text_of(fn, hh.f32[2, 3])
    assert f'"stablehlo.{op}"' in text
    assert f"-> {result}" in text


def test_asynchrony():
    def f(x):
        return S.async_done(S.async_start([x], lambda y: S.collective_permute(y, [(0, 1)])))

    text = text_of(f, hh.f32[3])
    assert "-> !stablehlo.future<tensor<3xf32>>" in text


def test_tokens():
    def f(x):
        token = S.after_all([S.create_token()])
        a, b, token = S.infeed(token, [hh.f32[2], hh.i32], "config")
        token = S.send([x], token, 5, source_target_pairs=[(0, 1)])
        c, token = S.recv(token, [hh.f32[2]], 6, source_target_pairs=[(0, 1)])
        S.outfeed([a, b], token, "config")
        return a + c

    text = text_of(f, hh.f32[2])
    for op in ("create_token", "after_all", "infeed", "send", "recv", "outfeed"):
        assert f'"stablehlo.{op}"' in text
    with pytest.raises(hh.DTypeError, match=r"stablehlo.token is not a tensor; arguments and results"):
        hh.trace(lambda: S.create_token())
    with pytest.raises(hh.DTypeError, match=r"token is not a tensor"):
        hh.trace(lambda: S.create_token() + 1)


def test_tuples_and_processes():
    text = text_of(lambda x: (S.get_tuple_element(S.tuple([x, 2.0]), 1), S.replica_id(), S.partition_id()), hh.i32[3])
    assert "-> tuple<tensor<3xi32>, tensor<f32>>" in text
    assert '"stablehlo.partition_id"' in text


def test_custom_call():
    config = {"n": np.int32(3), "wide": 3, "on": True, "of": "text", "rate": 0.5, "small": np.float32(0.5)}

    def f(x):
        return S.custom_call(
            "target", [x], [hh.f32[3], hh.i32], backend_config=config, has_side_effect=True, called_computations=["f"]
        )

    text = text_of(f, hh.f32[3])
    for part in (
        'call_target_name = "target"',
        "api_version = 4 : i32",
        "has_side_effect = true",
        "n = 3 : i32, ",
        "wide = 3 : i64",
        "on = true",
        'of = "text"',
        "rate = 5.000000e-01 : f64",
        "small = 5.000000e-01 : f32",
    ):
        assert part in text
    with pytest.raises(hh.VerifyError, match="attribute n is None; a text, a number or an attribute"):
        hh.trace(lambda: S.custom_call("target", [], [], backend_config={"n": None}))


def test_composite():
    def cube(x):
        return S.composite("my.cube", [x], lambda x: x * x * x, composite_attributes={"n": 3}, version=2)[0]

    pairs = {"twice": (lambda x: cube(cube(x)), lambda x: x**9)}
    check(pairs, X, rtol=1e-5)
    text = text_of(lambda x: cube(cube(x)), hh.f32[3])
    assert "version = 2 : i32" in text
    assert 'sym_name = "my.cube.impl_0"' in text
    with pytest.raises(hh.TraceError, match="the function uses a tensor from outside"):
        hh.trace(lambda x: S.composite("my.op", [x], lambda y: x + y)[0], hh.f32[3])


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (hh.VerifyError, r"stablehlo.fft: found 'DFT'; one of 'FFT'", lambda x: S.fft(x, "DFT", [3])),
        (hh.DTypeError, r"stablehlo.if: pred is tensor<f32>", lambda x: S.if_(x[0, 0], lambda: x, lambda: x)),
        (hh.ShapeError, r"stablehlo.sort: dimension is 2", lambda x: S.sort([x], 2, lambda a, b: a < b)),
        (
            hh.DTypeError,
            r"stablehlo.uniform_quantize: element is 'i8' \(i8\); a type such as",
            lambda x: S.uniform_quantize(x, "i8"),
        ),
        (
            hh.ShapeError,
            r"stablehlo.gather: offset_dims, .* name 0 \+ 0 \+ 0 dimensions",
            lambda x: S.gather(x, np.array([0]), slice_sizes=[1], start_index_map=[0]),
        ),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_stablehlo_package\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])


def test_shared_helpers_are_documented():
    assert all(
        inspect.getdoc(value) for name, value in vars(shared).items() if inspect.isfunction(value) and name[0] != "_"
    )
