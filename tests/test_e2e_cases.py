"""The numeric cases of the Haskell library hhlo, written with this one. Each case of the data file has one entry here.

A gradient must be the true one: where that library's own value is wrong, the data file holds the right one as `reference`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import hhlo_xdsl as hh

DATA = Path(__file__).parent / "data" / "hhlo_e2e_cases.json"
RECORDS: dict[str, dict[str, Any]] = {record["name"]: record for record in json.loads(DATA.read_text())}
DTYPES = {"f32": np.float32, "i64": np.int64, "i1": np.bool_}


def double(x):
    return x + x


def first_half(x):
    return hh.split(x, 2)[0]


def conv2d(x, shape, fill=1, **options):
    return hh.conv(x, hh.full(shape, fill, hh.f32), **options)


def transposed_conv(x, size, **options):
    """The kernel is stored [H, W, out, in] and not reversed."""
    return conv2d(x, (size, size, 1, 1), lhs_dilation=2, dimension_numbers=("NHWC", "HWOI", "NHWC"), **options)


def pooled(x):
    return hh.nn.max_pool(x, (2, 2))


def averaged(x):
    return hh.nn.avg_pool(x, (2, 2))


def norm_identity(x):
    one, zero = hh.ones(x.shape[-1]), hh.zeros(x.shape[-1])
    return hh.nn.batch_norm_inference(x, one, zero, zero, one)


def mlp(x, w1, b1, w2, b2):
    return hh.nn.linear(hh.nn.relu(hh.nn.linear(x, w1, b1)), w2, b2)


def layer_norm(x, scale=1, offset=0):
    return hh.nn.layer_norm(x, scale, offset)


def grad_of_sum(fn, wrt=0):
    return hh.grad(lambda *args: hh.sum(fn(*args)), wrt)


I64 = np.int64


def chosen(a, b, pred):
    return hh.cond(pred, lambda a, b: a, lambda a, b: b, a, b)


def counted_sum(*start):
    return hh.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + c[0] + 1), start)


class Affine(NamedTuple):
    w: Any
    b: Any

    def __call__(self, x):
        return x * self.w + self.b


def packed_gradient(w, b, x):
    return hh.concat(grad_of_sum(Affine.__call__)(Affine(w, b), x))


def packed_nested_gradient(w1, b1, w2, b2, x):
    gradients = grad_of_sum(lambda layers, x: layers[0](x) + layers[1](x))((Affine(w1, b1), Affine(w2, b2)), x)
    return hh.concat([g for layer in gradients for g in layer])


def resnet(x):
    """All weights 0.01: a stem, a block with a skip connection, one that halves the image, and a classifier."""

    def block(x, features, stride):
        taken = x.shape[-1]
        y = hh.nn.relu(conv2d(x, (3, 3, taken, features), 0.01, strides=stride, padding="SAME"))
        y = conv2d(y, (3, 3, features, features), 0.01, padding="SAME")
        skip = x if taken == features else conv2d(x, (1, 1, taken, features), 0.01, strides=stride)
        return hh.nn.relu(y + skip)

    y = hh.nn.relu(conv2d(x, (3, 3, 3, 8), 0.01, padding="SAME"))
    y = hh.nn.global_avg_pool(block(block(y, 8, 1), 16, 2))
    return hh.nn.softmax(hh.nn.linear(y, hh.full((16, 10), 0.01), hh.zeros(10)))


CASES: dict[str, Callable[..., Any]] = {
    "arith/add": hh.add,
    "arith/sub": hh.subtract,
    "arith/multiply": hh.multiply,
    "arith/divide": hh.divide,
    "arith/maximum": hh.maximum,
    "arith/minimum": hh.minimum,
    "arith/pow": hh.pow,
    "arith/relu positive": hh.nn.relu,
    "arith/relu negative": hh.nn.relu,
    "arith/negate": hh.negative,
    "arith/abs": hh.abs,
    "arith/sqrt": hh.sqrt,
    "arith/floor": hh.floor,
    "arith/ceil": hh.ceil,
    "arith/chain": lambda a, b: (a + b) * (a - b),
    "e2e/add two tensors": lambda a, b: a + b,
    "shape/reshape flatten": lambda x: hh.reshape(x, -1),
    "shape/transpose swap": lambda x: x.T,
    "shape/transpose 3D": hh.matrix_transpose,
    "shape/transpose identity": lambda x: hh.permute_dims(x, (0, 1)),
    "shape/broadcast scalar": lambda: hh.broadcast_in_dim(5.0, (2, 2), ()),
    "shape/concatenate": lambda a, b: hh.concat([a, b]),
    "shape/iota 1D": lambda: hh.iota(4, 0, hh.i64).astype(hh.f32),
    "shape/split": first_half,
    "shape/stack": lambda a, b: hh.stack([a, b]),
    "matmul/2D": hh.matmul,
    "matmul/linear no bias": lambda x: hh.nn.linear(x, hh.full((3, 2), 0.5), hh.zeros(2)),
    "matmul/3D batched": lambda a, b: a @ b,
    "matmul/linearBatched": lambda x: hh.nn.linear(x, hh.full((3, 2), 0.5), hh.full(2, 0.1)),
    "matmul/dotGeneral batched": lambda a, b: hh.dot_general(a, b, batching=([0], [0]), contracting=([2], [1])),
    "matmul/dotGeneral 3D x 2D": lambda a, b: hh.dot_general(a, b, contracting=([2], [0])),
    "matmul/einsum matmul": lambda a, b: hh.einsum("ij,jk->ik", a, b),
    "matmul/einsum transpose output": lambda a, b: hh.einsum("ij,jk->ki", a, b),
    "nn/conv2d zero kernel": lambda x: conv2d(x, (3, 3, 1, 1), 0),
    "nn/softmax1D": hh.nn.softmax,
    "nn/softmax2D": hh.nn.softmax,
    "nn/batchNorm identity": norm_identity,
    "nn/gelu": hh.nn.gelu,
    "nn/layerNorm": layer_norm,
    "nn/conv2dWithPadding forward": lambda x: conv2d(x, (2, 2, 1, 1), padding=[(1, 1), (1, 1)]),
    "nn/transposeConvolution forward": lambda x: transposed_conv(x, 2),
    "nn/globalAvgPool": hh.nn.global_avg_pool,
    "reduce/sum all": hh.sum,
    "reduce/maxPool 2x2": pooled,
    "reduce/avgPool 2x2": averaged,
    "reduce/productAll": hh.prod,
    "reduce/productDim": lambda x: hh.prod(x, 1),
    "move/slice 1D": lambda x: x[1:4],
    "move/slice 2D": lambda x: hh.slice(x, (1, 1), (3, 3), (1, 1)),
    "move/slice with stride": lambda x: x[0:4:2],
    "move/pad 2D symmetric": lambda x: hh.pad(x, 1),
    "move/pad edge": lambda x: hh.pad(x, 1),
    "move/select true": lambda a, b, p: hh.where(p, a, b),
    "move/select false": lambda a, b, p: hh.where(p, a, b),
    "move/convert f32 to f32": lambda x: hh.stablehlo.convert(x, hh.f32),
    "move/logicalAnd": hh.logical_and,
    "move/logicalOr": hh.logical_or,
    "move/logicalNot": hh.logical_not,
    "session/zero inputs": lambda: hh.full(2, 42.0),
    "session/single input": lambda x: x + 1,
    "session/two inputs": lambda x, y: x * y,
    "session/two outputs": lambda x: (x + x, x * x),
    "session/runAsync": lambda x: x + 1,
    "grad/sum of squares": grad_of_sum(lambda x: x * x),
    "grad/sum of doubles": grad_of_sum(double),
    "grad/sum of exponentials": grad_of_sum(hh.exp),
    "grad/matmul": grad_of_sum(lambda x: x @ hh.full((3, 2), 0.5)),
    "grad/avgPool": grad_of_sum(averaged),
    "grad/conv2d": grad_of_sum(lambda x: conv2d(x, (2, 2, 1, 1))),
    "grad/slice stride": grad_of_sum(lambda x: x[0:5:2]),
    "grad/conv2d stride": grad_of_sum(lambda x: conv2d(x, (3, 3, 1, 1), strides=2, padding=[(1, 1), (1, 1)])),
    "grad/transposeConvolution asymmetric pad": grad_of_sum(lambda x: transposed_conv(x, 3, padding=[(1, 0), (1, 0)])),
    "grad/maxPool": grad_of_sum(pooled),
    "grad/pad interior": grad_of_sum(lambda x: hh.pad(x, 0, interior=1)),
    "grad/concatenate2": lambda *xs: hh.concat(grad_of_sum(lambda *ys: hh.concat(ys, 1), (0, 1))(*xs)),
    "grad/concatenate3": lambda *xs: hh.concat(grad_of_sum(lambda *ys: hh.concat(ys, 1), (0, 1, 2))(*xs)),
    "grad/grad2 multiply": lambda x, y: hh.concat(grad_of_sum(hh.multiply, (0, 1))(x, y)),
    "grad/gradWithParams": packed_gradient,
    "grad/gradWithParams nested": packed_nested_gradient,
    "dynamic/add [3]": double,
    "dynamic/add [5]": double,
    "dynamic/add [4]": double,
    "dynamic/add [2]": double,
    "buffer/round trip": lambda x: x,
    "example/01 add": hh.add,
    "example/02 matmul": hh.matmul,
    "example/03 chain": lambda a, b: (a + b) * (a - b),
    "example/04 async": lambda a, b: hh.nn.relu(a) + b,
    "example/05 mlp": mlp,
    "example/06 mlp batched": mlp,
    "example/08 reduce": hh.sum,
    "example/09a softmax 1D": hh.nn.softmax,
    "example/09b softmax 2D": hh.nn.softmax,
    "example/10 conv2d": hh.conv,
    "example/11 batch norm": hh.nn.batch_norm_inference,
    "example/16 slice": lambda x: x[0:2, 1:4],
    "example/17 pad": lambda x: hh.pad(x, [(1, 0), (0, 2)], interior=1),
    "example/20 select": hh.where,
    "example/22a transpose": lambda x: x.T,
    "example/22b tanh": hh.tanh,
    "example/22c gelu": hh.nn.gelu,
    "example/22d concatenate": lambda a, b: hh.concat([a, b]),
    "example/22e iota": lambda: hh.iota(3, 0, hh.i64),
    "example/22f maxPool": pooled,
    "example/22g avgPool": averaged,
    "example/22h globalAvgPool": hh.nn.global_avg_pool,
    "example/22i softmax3D": hh.nn.softmax,
    "example/22j layerNorm": layer_norm,
    "example/34 autograd basic": grad_of_sum(lambda x: x * x),
    "example/35 autograd linear + MSE": grad_of_sum(lambda x: hh.square(2 * x + 1 - 5)),
    "example/36 autograd composite": grad_of_sum(lambda x: hh.nn.relu(1 * x + 1)),
    "example/23 resnet toy": resnet,
    "move/gather rows": lambda x: hh.take(x, np.array([0, 0]), 0),
    "move/conditional true": chosen,
    "move/conditional false": chosen,
    "move/map square": lambda x: hh.map(lambda a: a * a, x),
    "move/dynamicSlice": lambda x: hh.dynamic_slice(x, [np.int64(1)], [2]),
    "move/topK": lambda x: hh.top_k(x, 2)[0],
    "multi/whileLoop2 counts and sums": counted_sum,
    "multi/conditional2 true": lambda p: chosen((I64(1), I64(2)), (I64(3), I64(4)), p),
    "multi/conditional2 false": lambda p: chosen((I64(1), I64(2)), (I64(3), I64(4)), p),
    "multi/whileLoop3": lambda *start: hh.while_loop(
        lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + c[0] + 1, c[2] * (c[0] + 1)), start
    ),
    "multi/conditional3 true": lambda p: chosen((I64(1), I64(2), I64(3)), (I64(4), I64(5), I64(6)), p),
    "multi/conditional3 false": lambda p: chosen((I64(1), I64(2), I64(3)), (I64(4), I64(5), I64(6)), p),
    "example/12 while": lambda: hh.while_loop(lambda v: v < 5, lambda v: v + 1, np.float32(0)),
    "example/13 conditional": lambda p: chosen(hh.ones(3), hh.full(3, 2, hh.f32), p),
    "example/14 gather": lambda x, i: hh.take(x, hh.squeeze(i, 1), 0),
    "example/15 scatter": lambda x, i, u: x.at[hh.squeeze(i, 1)].set(u),
    "example/18 dynamic slice": lambda x, i, j: hh.dynamic_slice(x, [i, j], [2, 2]),
    "example/19 sort": hh.sort,
    "example/21 map": lambda x: hh.map(lambda a: a * a + 1, x),
    "example/33 multi-value loop": counted_sum,
}


@pytest.fixture(scope="module")
def cpu() -> Iterator[hh.Session]:
    with hh.Session("cpu") as session:
        yield session


def array(record: dict[str, Any]) -> np.ndarray:
    return np.array(record["data"], DTYPES[record["dtype"]]).reshape(record["shape"])


def tolerance(check: str) -> float:
    """What the data file says, `abs<0.01 for the first two, <0.05 for the third`; 0 for exact, 1e-5 if it says nothing."""
    stated = [float(number) for number in re.findall(r"<(\d[\d.e-]*)", check)]
    return max(stated, default=0.0 if check == "exact" else 1e-5)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, cpu: hh.Session) -> None:
    record = RECORDS[name]
    inputs = [array(x) for x in record["inputs"]]
    outputs = cpu.compile(hh.trace(CASES[name], *inputs))(*inputs)
    wanted = record["reference"] if "reference" in record else record["expected"]
    expected = [array(x) for x in (wanted if isinstance(wanted, list) else [wanted])]
    assert [(out.shape, out.dtype) for out in outputs] == [(x.shape, x.dtype) for x in expected]
    for out, x in zip(outputs, expected, strict=True):
        np.testing.assert_allclose(out.numpy(), x, rtol=0, atol=tolerance(record["check"]))


def test_buffer_round_trip(cpu: hh.Session) -> None:
    x = array(RECORDS["buffer/round trip"]["inputs"][0])
    np.testing.assert_array_equal(cpu.put(x).numpy(), x)


def test_every_case_has_one_entry() -> None:
    assert CASES.keys() == RECORDS.keys()
