"""The runtime: clients and devices, arrays, programs. What used to crash or hang a process runs in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jaxlib.version
import ml_dtypes
import numpy as np
import pytest

from hhlo_xdsl.dtypes import ALL, DType, Spec, bool_, c64, f32, f64, i32
from hhlo_xdsl.errors import CompileError, PluginError, RuntimeArgumentError
from hhlo_xdsl.runtime.array import Array, wait
from hhlo_xdsl.runtime.client import Client, Device, find_plugins, open_client, put
from hhlo_xdsl.runtime.compile import compile_text
from hhlo_xdsl.runtime.executable import Executable

pytestmark = pytest.mark.compat

ADD = """func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
X = np.arange(4, dtype=np.float32)


def identity(spec: Spec, attributes: str = "") -> str:
    """A program that returns its only argument."""
    type = f"tensor<{''.join(f'{n}x' for n in spec.shape)}{spec.dtype.name}>"
    return f"func.func @main(%a: {type}{attributes}) -> {type} {{ return %a : {type} }}"


def double(attributes: str = "") -> str:
    return f"""func.func @main(%a: tensor<4xf32>{attributes}) -> tensor<4xf32> {{
      %0 = stablehlo.add %a, %a : tensor<4xf32>
      return %0 : tensor<4xf32> }}"""


def slow_program(device: Device) -> tuple[Executable, Array]:
    """A program that runs for about a tenth of a second, and an argument for it."""
    type = "tensor<2000x2000xf32>"
    dot = f"stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({type}, {type}) -> {type}"
    text = f"func.func @main(%a: {type}) -> {type} {{ %0 = {dot} return %0 : {type} }}"
    exe = compile_text(device, text, [f32[2000, 2000]], [f32[2000, 2000]])
    return exe, device.put(np.ones((2000, 2000), np.float32))


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with open_client(devices=2) as client:
        yield client


@pytest.fixture(scope="module")
def device(client: Client) -> Device:
    return client.devices[0]


@pytest.fixture(scope="module")
def add(device: Device) -> Executable:
    return compile_text(device, ADD, [f32[4], f32[4]], [f32[4]])


def run_child(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a process of its own, with the names of the runtime imported."""
    prelude = (
        "import numpy as np\nfrom hhlo_xdsl.dtypes import *\nfrom hhlo_xdsl.errors import *\n"
        "from hhlo_xdsl.runtime.client import open_client\nfrom hhlo_xdsl.runtime.compile import compile_text\n"
        f"DOUBLE = {double()!r}\n"
    )
    env = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"} | environment
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", prelude + code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=env,
    )


def child(code: str, **environment: str) -> str:
    """What `code` prints; it must end well and write nothing to stderr."""
    done = run_child(code, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# Clients and devices


def test_devices(client: Client):
    first, second = client.devices
    assert (client.platform, first.platform, first.kind) == ("cpu", "cpu", "cpu")
    assert [repr(first), repr(second)] == ["cpu:0", "cpu:1"]
    assert (first.id, second.id) == (0, 1)
    assert client.devices[0] is first
    assert first.put(1.0).device is first
    assert repr(client) == "Client('cpu', devices=[cpu:0, cpu:1])"


@pytest.mark.parametrize("devices", [0, -1, 100000, 1.5, "two", None])
def test_bad_device_count(devices: Any):
    with pytest.raises(PluginError, match=rf"found devices={devices!r}, expected .*; "):
        open_client(devices=devices)


def test_unknown_platform():
    with pytest.raises(PluginError, match=r"found platform 'toaster', but only 'cpu' is built in; .* plugin="):
        open_client("toaster")


def test_missing_plugin_file():
    with pytest.raises(PluginError, match=r"found no file .*nowhere\.so, expected the shared library .* plugin="):
        open_client(plugin="/nowhere.so")


def test_file_that_is_no_plugin():
    with pytest.raises(PluginError, match=r"did not start: .*check that it is a PJRT plug-in"):
        open_client(plugin=__file__)


def test_options_are_for_plugins():
    with pytest.raises(PluginError, match="expected none for the built-in cpu platform"):
        open_client(options={"cpu_device_count": 2})


def test_installed_plugins_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    library = tmp_path / "jax_plugins" / "xla_cuda99" / "xla_cuda_plugin.so"
    library.parent.mkdir(parents=True)
    library.write_text("not a library")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "jax_plugins", raising=False)
    assert find_plugins()["xla_cuda99"] == library
    with pytest.raises(PluginError, match=r"xla_cuda_plugin\.so did not start"):
        open_client("cuda", plugin=find_plugins()["xla_cuda99"])


def test_without_jaxlib():
    code = "import sys\nsys.modules['jaxlib'] = None\ntry: open_client()\nexcept PluginError as e: print(e)"
    assert "pip install jaxlib" in child(code)


@pytest.mark.parametrize("first", ["", "import jaxlib._jax\n"])
def test_opening_a_client_is_quiet(first: str):
    assert child(first + "c = open_client(devices=3); print(len(c.devices))") == "3\n"


def test_importing_the_runtime_does_not_import_jaxlib():
    assert child("import sys; print('jaxlib' in sys.modules)") == "False\n"


def test_reading_arrays_does_not_import_jax():
    """jaxlib before 0.11 does import it for the dtypes that numpy has not."""
    code = """import sys, jaxlib.xla_client
newer = hasattr(jaxlib.xla_client.ArrayImpl, "_to_np_array_did_copy")
d = open_client().devices[0]
for t in (f32, bool_, c64, *((bf16, f8E5M2, i4) if newer else ())): d.put(np.zeros(3, t.numpy)).numpy()
print('jax' in sys.modules)"""
    assert child(code) == "False\n"


def test_closed_client():
    client = open_client()
    device = client.devices[0]
    add = compile_text(device, ADD, [f32[4], f32[4]], [f32[4]])
    x = device.put(X)
    view = x.numpy()
    client.close()
    client.close()
    assert x.is_deleted
    assert view.tolist() == X.tolist()
    assert repr(x) == "Array(<deleted>, f32[4] on cpu:0)"
    assert repr(client) == "Client('cpu', devices=[cpu:0], closed)"
    uses: list[Callable[[], Any]] = [
        *(x.numpy, x.is_ready, x.block_until_ready, lambda: wait([x]), lambda: np.asarray(x)),
        *(lambda: add(x, x), lambda: add(X, X), lambda: device.put(X), lambda: device.put(x)),
        lambda: compile_text(device, ADD, [f32[4], f32[4]], [f32[4]]),
    ]
    for use in uses:
        with pytest.raises(RuntimeArgumentError, match="client was closed; use its arrays and programs before"):
            use()
    x.delete()


def test_closing_while_a_program_runs():
    with open_client() as client:
        slow, x = slow_program(client.devices[0])
        slow(x)
    with open_client() as client:
        assert client.devices[0].put(X).numpy().tolist() == X.tolist()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_forked_process_refuses_instead_of_hanging():
    code = """import os, warnings
d = open_client().devices[0]
e = compile_text(d, DOUBLE, [f32[4]], [f32[4]])
x = e(np.ones(4, np.float32))[0].block_until_ready()
warnings.simplefilter("ignore")
pid = os.fork()
if pid == 0:
    try: e(x)
    except RuntimeArgumentError as error: print(error, flush=True)
    os._exit(0)
os.waitpid(pid, 0)
print(e(x)[0].numpy()[0])"""
    assert child(code).splitlines() == [
        "the cpu client was opened before this process was forked and has no threads here; open a client in this"
        " process, or start it with the spawn method",
        "4.0",
    ]


def test_exit_with_live_arrays_views_and_programs():
    code = """d = open_client().devices[0]
e = compile_text(d, DOUBLE, [f32[4]], [f32[4]])
x = d.put(np.ones(4, np.float32)); y, = e(x); v = y.numpy(); print(v[0])"""
    assert child(code) == "2.0\n"


# Arrays: to the device and back


HELD = [d for d in ALL if d.bits != 6 or not jaxlib.version.__version__.startswith("0.10.")]
"""Devices of jaxlib 0.10 hold no numbers of six bits."""


@pytest.mark.parametrize("dtype", [d for d in ALL if d not in HELD], ids=str)
def test_types_that_a_jaxlib_does_not_hold(device: Device, dtype: DType):
    with pytest.raises(RuntimeArgumentError, match=r"devices of this jaxlib cannot hold f6E.*; convert the array"):
        device.put(np.zeros(3, dtype.numpy))
    with pytest.raises(CompileError, match="XLA refused the program"):
        compile_text(device, identity(dtype[3]), [dtype[3]], [dtype[3]])


@pytest.mark.parametrize("dtype", HELD, ids=str)
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)], ids=str)
def test_round_trip_is_bit_exact(device: Device, dtype: DType, shape: tuple[int, ...]):
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype.numpy)
    array = device.put(values)
    result = array.numpy()
    assert (result.dtype, result.shape) == (dtype.numpy, shape)
    assert result.tobytes() == values.tobytes()
    assert not result.flags.writeable
    assert (array.spec, array.shape, array.dtype) == (dtype[shape], shape, dtype.numpy)
    assert (array.ndim, array.size, array.device) == (len(shape), values.size, device)


@pytest.mark.parametrize("dtype", HELD, ids=str)
def test_program_results_of_every_dtype(device: Device, dtype: DType):
    values = np.arange(3).astype(dtype.numpy)
    exe = compile_text(device, identity(dtype[3]), [dtype[3]], [dtype[3]])
    result = exe(values)[0].numpy()
    assert result.dtype == dtype.numpy
    assert result.tobytes() == values.tobytes()


ARRAY = np.arange(24, dtype=np.float64).reshape(4, 6)
STRUCTURED = np.array([(1, 2.0), (3, 4.0)], [("n", "i4"), ("x", "f4")])


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.asfortranarray(ARRAY), id="fortran"),
        pytest.param(ARRAY[::2, ::3], id="strided"),
        pytest.param(ARRAY[::-1, ::-1], id="reversed"),
        pytest.param(ARRAY.T, id="transposed"),
        pytest.param(np.broadcast_to(ARRAY[0], (3, 6)), id="broadcast"),
        pytest.param(np.frombuffer(b"\0" + ARRAY.tobytes(), np.uint8)[1:].view(np.float64), id="unaligned"),
        pytest.param(STRUCTURED["x"], id="field"),
        pytest.param(ARRAY.astype(">f8"), id="big-endian"),
        pytest.param(np.array(3, ">i4"), id="big-endian scalar"),
        pytest.param(np.float16(1.5), id="numpy scalar"),
        pytest.param(ARRAY.view(np.matrix), id="subclass", marks=pytest.mark.filterwarnings("ignore")),
    ],
)
def test_put_takes_any_layout(device: Device, values: Any):
    result = device.put(values).numpy()
    assert result.dtype == np.asarray(values).dtype.newbyteorder("=")
    assert np.array_equal(result, np.asarray(values))


def test_put_copies_before_it_returns(device: Device):
    for offset in range(16):  # some offsets are aligned to 64 bytes, some are not
        values = np.zeros(1016, np.float32)[offset : offset + 1000]
        array = device.put(values)
        values[:] = 1
        assert not array.numpy().any()


def test_put_makes_bools_zero_or_one(device: Device):
    values = np.frombuffer(b"\0\1\2\xff", np.bool_)
    assert device.put(values).numpy().view(np.uint8).tolist() == [0, 1, 1, 1]
    assert device.put(np.frombuffer(b"\2", np.bool_).reshape(())).numpy().view(np.uint8) == 1


@pytest.mark.parametrize(
    "value, spec",
    [(True, bool_[()]), (3, i32[()]), (2.5, f32[()]), (1j, c64[()]), (np.float64(1), f64[()]), (2**31 - 1, i32[()])],
    ids=str,
)
def test_put_scalar(device: Device, value: Any, spec: Spec):
    array = device.put(value)
    assert array.spec == spec
    assert array.item() == value


@pytest.mark.parametrize(
    "value, text",
    [
        ([1, 2], r"found a list, expected an Array, .*numpy\.asarray\(x, dtype\)"),
        (None, "found a NoneType, expected an Array"),
        (np.array(["2020-01-01"], "datetime64[D]"), r"dtype datetime64\[D\] has no StableHLO element type .*float32"),
        (np.array([1], np.longdouble), "dtype .* has no StableHLO element type"),
        (np.array([b"a"]), r"dtype \|S1 has no StableHLO"),
        (np.array(["a"]), "dtype <U1 has no StableHLO"),
        (np.array([None]), "dtype object has no StableHLO"),
        (STRUCTURED, "has no StableHLO element type"),
        (2**31, r"found 2147483648, expected a value in the range of i32; .*numpy\.int64"),
        (1e39, r"found 1e\+39, expected a value in the range of f32; .*numpy\.float64"),
    ],
    ids=repr,
)
def test_put_refuses(device: Device, value: Any, text: str):
    with pytest.raises(RuntimeArgumentError, match=text):
        device.put(value)


class Refusing:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise ValueError("detach me first")


def test_put_explains_a_failing_array_method(device: Device):
    with pytest.raises(
        RuntimeArgumentError, match="__array__ method of a Refusing failed: detach me first; pass a numpy"
    ):
        device.put(Refusing())


def test_put_of_an_array(client: Client):
    first, second = client.devices
    x = first.put(X)
    assert first.put(x) is x
    moved = put(x, second)
    assert (moved.device, moved.numpy().tolist()) == (second, X.tolist())
    with open_client() as other:
        foreign = other.devices[0].put(x)
        assert foreign.device is other.devices[0]
        assert first.put(foreign).numpy().tolist() == X.tolist()


def test_numpy_is_a_view_that_outlives_the_array(device: Device):
    x = device.put(np.arange(1000, dtype=np.float32))
    view = x.numpy()
    assert view.ctypes.data == x.numpy().ctypes.data
    x.delete()
    device.put(np.zeros(1000, np.float32))
    del x
    assert view[999] == 999


def test_array_protocol(device: Device):
    x = device.put(X)
    assert np.asarray(x).tolist() == X.tolist()
    assert np.asarray(x, np.float64).dtype == np.float64
    copied = np.array(x)
    copied[0] = 7
    assert x.numpy()[0] == 0
    assert np.array(x, copy=False).ctypes.data == x.numpy().ctypes.data
    with pytest.raises(ValueError, match=r"f32\[4\] cannot become float64 without a copy"):
        np.array(x, np.float64, copy=False)
    assert np.add(x, 1).tolist() == [1, 2, 3, 4]


def test_dlpack(device: Device):
    x = device.put(X)
    shared = np.from_dlpack(x)
    assert shared.ctypes.data == x.numpy().ctypes.data
    assert not shared.flags.writeable
    assert x.__dlpack_device__() == (1, 0)
    x.delete()
    assert shared.tolist() == X.tolist()


class OnlyDlpack:
    """An array of a library that numpy does not know."""

    def __init__(self, values: Any):
        self.values = np.asarray(values)

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


def test_dlpack_arguments_are_copied(device: Device):
    host = np.arange(8, dtype=np.float32).reshape(2, 4)[:, ::2].T
    x = device.put(OnlyDlpack(host))
    assert x.spec == Spec(f32, (2, 2))
    expected = host.tolist()
    host[:] = 7
    assert x.numpy().tolist() == expected
    with pytest.raises(
        RuntimeArgumentError, match=r"the __dlpack__ method of a OnlyDlpack failed: .*pass a numpy array"
    ):
        device.put(OnlyDlpack(["text"]))


def test_dlpack_for_old_consumers_is_a_copy(device: Device):
    x = device.put(X)

    class Old:
        def __dlpack__(self, **_: Any) -> Any:
            return x.__dlpack__()

        def __dlpack_device__(self) -> Any:
            return x.__dlpack_device__()

    assert np.from_dlpack(Old()).ctypes.data != x.numpy().ctypes.data
    with pytest.raises(BufferError, match=r"f32\[4\] is read-only, .*leave out copy=False"):
        x.__dlpack__(copy=False)
    with pytest.raises(BufferError, match=r"cannot export bf16\[2\] through DLPack; .*view\(numpy.uint16\)"):
        np.from_dlpack(device.put(np.zeros(2, ml_dtypes.bfloat16)))


def test_python_numbers_from_arrays(device: Device):
    assert float(device.put(2.5)) == 2.5
    assert int(device.put(np.array([[7]]))) == 7
    assert complex(device.put(1j)) == 1j
    assert bool(device.put(np.array(False))) is False
    assert device.put(np.array(1.5, ml_dtypes.bfloat16)).item() == 1.5
    assert type(device.put(np.array(3, ml_dtypes.int4)).item()) is int
    assert len(device.put(np.zeros((3, 2)))) == 3
    with pytest.raises(RuntimeArgumentError, match=r"f32\[4\] has 4 elements, expected exactly one; use numpy\(\)"):
        bool(device.put(X))
    with pytest.raises(TypeError, match=r"f32\[\] is a scalar and has no len"):
        len(device.put(1.0))


def test_repr(device: Device):
    assert repr(device.put(np.ones((2, 2), ml_dtypes.bfloat16))) == (
        "Array([[1, 1],\n       [1, 1]], bf16[2, 2] on cpu:0)"
    )
    assert "..." in repr(device.put(np.zeros(1000)))


def test_deleted_array():
    """In a process of its own: asking a deleted buffer whether it is ready crashes older jaxlib."""
    code = """d = open_client().devices[0]
x = d.put(np.ones(4, np.float32)); e = compile_text(d, DOUBLE, [f32[4]], [f32[4]])
x.delete(); x.delete()
print(x.is_deleted, x)
for use in (x.is_ready, x.block_until_ready, x.numpy, lambda: np.asarray(x), lambda: d.put(x),
            lambda: x.__dlpack__(), lambda: e(x)):
    try: use()
    except RuntimeArgumentError as error: print(error)"""
    first, *errors = child(code).splitlines()
    assert first == "True Array(<deleted>, f32[4] on cpu:0)"
    assert len(errors) == 7
    assert [error for error in errors if "deleted or donated to a program" not in error] == []
    assert errors[-1].startswith("argument 0: found an array that was deleted")


def test_wait_returns_what_it_was_given(add: Executable):
    tree = {"a": [add(X, X)], "b": (1, None, X)}
    assert wait(tree) is tree
    assert tree["a"][0][0].is_ready()  # pyright: ignore
