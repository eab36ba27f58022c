"""Programs on several devices: replicas, partitions, and arrays cut over devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hhlo_xdsl.errors import CompileError, RuntimeArgumentError
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.runtime.options import CompileOptions
from hhlo_xdsl.session import Session
from tests.test_runtime import child

pytestmark = pytest.mark.compat

SUM = """func.func @main(%a: tensor<f32>, %b: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<f32>) -> tensor<f32>
  return %0, %b : tensor<f32>, tensor<2xf32>
}"""

PRODUCT = """module {{
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{{a0}}}, {{}}]>}},
                  %b: tensor<4x6xf32>, %s: tensor<f32>) -> (tensor<8x6xf32>, tensor<f32>) {{
    %w = sdy.sharding_constraint %b <@mesh, [{{}}, {{"y"}}]> : tensor<4x6xf32>
    %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    return %0, %s : tensor<8x6xf32>, tensor<f32>
  }}
}}"""

MHLO = """func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""

A = np.arange(32, dtype=np.float32).reshape(8, 4)
B = np.arange(24, dtype=np.float32).reshape(4, 6) - 7


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session("cpu", devices=4) as session:
        yield session


@pytest.fixture(scope="module")
def total(session: Session) -> Executable:
    return session.compile(SUM, options=CompileOptions(replicas=4))


@pytest.fixture(scope="module")
def product(session: Session) -> Executable:
    return session.compile(PRODUCT.format(a0='"x"'), options=CompileOptions(partitions=4))


# Replicas


def arguments() -> list[tuple[Any, Any]]:
    return [(float(r + 1), np.full(2, r, np.float32)) for r in range(4)]


def test_replicas_reduce_over_all(total: Executable, session: Session):
    results = total.run_replicas(arguments())
    assert [(float(s), list(b.numpy())) for s, b in results] == [(10.0, [r, r]) for r in range(4)]
    assert [b.device for _, b in results] == list(session.devices)


def test_replicas_take_their_own_results_again(total: Executable):
    again = total.run_replicas(total.run_replicas(arguments()))
    assert [float(s) for s, _ in again] == [40.0] * 4


def test_replicas_move_arrays_from_other_devices(total: Executable, session: Session):
    one, two = session.put(np.float32(1)), session.put(np.zeros(2, np.float32))
    assert [float(s) for s, _ in total.run_replicas([(one, two)] * 4)] == [4.0] * 4


@pytest.mark.parametrize(
    "args, text",
    [
        (arguments()[:3], "found arguments for 3 replicas, but the program was compiled for 4"),
        ([*arguments()[:3], (1.0,)], "replica 3: found 1 arguments, expected 2"),
        (
            [*arguments()[:3], (1.0, np.zeros(3, np.float32))],
            r"replica 3, argument 1, expected f32\[2\]: found f32\[3\]; reshape",
        ),
        ([(1.0, np.zeros(2)), *arguments()[1:]], r"replica 0, argument 1, expected f32\[2\]: found f64\[2\]; convert"),
    ],
)
def test_wrong_arguments_of_replicas(total: Executable, args: Any, text: str):
    with pytest.raises(RuntimeArgumentError, match=text):
        total.run_replicas(args)


def test_replicas_are_not_called(total: Executable):
    with pytest.raises(RuntimeArgumentError, match=r"compiled for 4 replicas.*use run_replicas"):
        total(1.0, np.zeros(2, np.float32))


def test_deleted_argument_of_a_replica(total: Executable, session: Session):
    gone = session.put(np.float32(1))
    gone.delete()
    args = [(gone, np.zeros(2, np.float32)), *arguments()[1:]]
    with pytest.raises(RuntimeArgumentError, match=r"replica 0, argument 0, expected f32.*: this array.* was deleted"):
        total.run_replicas(args)


def test_one_replica_is_run_like_many(session: Session):
    exe = session.compile("func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }")
    assert float(exe.run_replicas([[3.0]])[0][0]) == 3
    with pytest.raises(
        RuntimeArgumentError, match=r"for 2 replicas, but .* for 1; compile it with CompileOptions\(rep"
    ):
        exe.run_replicas([[3.0], [4.0]])


# Partitions


def test_partitions_multiply(product: Executable, session: Session):
    out, s = product(A, B, 2.5)
    np.testing.assert_array_equal(out.numpy(), A @ B)
    assert float(s) == 2.5
    assert not out.numpy().flags.writeable


def test_results_of_partitions_are_cut(product: Executable):
    out, s = product(A, B, 2.5)
    assert (out.shape, out.is_ready() in (True, False), s.shape) == ((8, 6), True, ())
    assert repr(out.device) == "2x2 pieces on cpu:0,cpu:1,cpu:2,cpu:3"
    assert repr(s.device) == "copies on cpu:0,cpu:1,cpu:2,cpu:3"


def test_an_array_that_is_cut_already_is_used_as_it_is(product: Executable):
    (place, *_) = (row[0].device for row in [product(A, B, 1.0)])
    put = place.put(np.zeros((8, 6), np.float32))
    assert put.device is place
    assert place.put(put) is put
    assert put.copy_to(place) is put
    np.testing.assert_array_equal(put.numpy(), np.zeros((8, 6)))


def test_a_cut_array_is_gathered_by_a_device(product: Executable, session: Session):
    out = product(A, B, 1.0)[0].copy_to(session.devices[2])
    assert out.device is session.devices[2]
    np.testing.assert_array_equal(out.numpy(), A @ B)


def test_deleting_a_cut_array(product: Executable):
    out = product(A, B, 1.0)[0]
    out.delete()
    assert out.is_deleted
    with pytest.raises(RuntimeArgumentError, match="was deleted"):
        out.numpy()


def test_gspmd_annotations(session: Session):
    exe = session.compile(MHLO, options=CompileOptions(partitions=4))
    assert float(exe(np.arange(8, dtype=np.float32))[0]) == 28


def test_replicas_of_partitions(session: Session):
    text = MHLO.replace("devices=[4]<=[4]", "devices=[2]<=[2]")
    exe = session.compile(text, options=CompileOptions(replicas=2, partitions=2))
    x = np.arange(8, dtype=np.float32)
    assert [float(out) for (out,) in exe.run_replicas([[x], [-x]])] == [28, -28]


def test_every_dtype_over_partitions(session: Session):
    import ml_dtypes

    for dtype in (np.int8, np.float64, ml_dtypes.bfloat16, np.complex64, np.bool_):
        from hhlo_xdsl.dtypes import spec

        x = (np.arange(8) % 3).astype(dtype)
        name = spec(x).dtype.name
        text = (
            f'func.func @main(%a: tensor<8x{name}> {{mhlo.sharding = "{{devices=[4]<=[4]}}"}}) -> tensor<8x{name}>'
            f" {{ %0 = stablehlo.reverse %a, dims = [0] : tensor<8x{name}> return %0 : tensor<8x{name}> }}"
        )
        out = session.compile(text, options=CompileOptions(partitions=4))(x)[0].numpy()
        assert out.dtype == dtype
        assert out.tolist() == x[::-1].tolist()


# Errors


def test_uneven_pieces_are_refused(session: Session):
    text = MHLO.replace("8xf32", "7xf32")
    with pytest.raises(CompileError, match=r"argument 0 of main: found shape \(7,\), which cannot be cut into 4 equal"):
        session.compile(text, options=CompileOptions(partitions=4))


@pytest.mark.parametrize(
    "options, text",
    [
        ({"replicas": 5}, "5 replicas of 1 partitions need 5 devices, found 4"),
        ({"partitions": 3, "replicas": 2}, "2 replicas of 3 partitions need 6 devices, found 4"),
        ({"replicas": 0}, "replicas is 0, expected an integer of at least 1"),
        ({"partitions": True}, "partitions is True, expected an integer"),
        ({"optimization_level": 4}, "optimization_level is 4, expected None or 0 to 3"),
        ({"donate": (-1,)}, "donate names -1, expected numbers of arguments"),
        ({"donate": (2,)}, "donate names argument 2, but @main has 2"),
    ],
)
def test_wrong_options(session: Session, options: Any, text: str):
    with pytest.raises(CompileError, match=text):
        session.compile(SUM, options=CompileOptions(**options))


def test_devices_of_the_program(session: Session):
    first, second, *_ = session.devices
    text = "func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }"
    exe = session.compile(text, options=CompileOptions(replicas=2, devices=(second, first)))
    assert [out.device for (out,) in exe.run_replicas([[1.0], [2.0]])] == [second, first]
    with pytest.raises(CompileError, match="expected different devices of one session"):
        session.compile(text, options=CompileOptions(replicas=2, devices=(first, first)))
    with Session("cpu") as other, pytest.raises(CompileError, match="expected different devices of one session"):
        session.compile(text, options=CompileOptions(replicas=2, devices=(first, other.devices[0])))


def test_partitions_of_a_closed_session():
    with Session("cpu", devices=4) as session:
        exe = session.compile(PRODUCT.format(a0='"x"'), options=CompileOptions(partitions=4))
        (out, _) = exe(A, B, 1.0)
    with pytest.raises(RuntimeArgumentError, match="client was closed"):
        exe(A, B, 1.0)
    with pytest.raises(RuntimeArgumentError, match="client was closed"):
        out.numpy()


def test_threads_run_collectives(total: Executable):
    from concurrent.futures import ThreadPoolExecutor

    def one(k: int) -> list[float]:
        rows = [(float(k), np.zeros(2, np.float32))] * 4
        return [float(total.run_replicas(rows)[0][0]) for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == [[4.0 * k] * 20 for k in range(4)]


def test_exit_with_cut_arrays_alive():
    code = f"""
import numpy as np
from hhlo_xdsl.session import Session
from hhlo_xdsl.runtime.options import CompileOptions
s = Session("cpu", devices=4)
e = s.compile({MHLO!r}, options=CompileOptions(partitions=4))
out = e(np.arange(8, dtype=np.float32))
print(float(out[0]))
"""
    assert child(code) == "28.0\n"
