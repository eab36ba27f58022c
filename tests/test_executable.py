"""Compiled programs: calling them, what they refuse, and what compiling refuses."""

import importlib
import importlib.util
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hhlo_xdsl.dtypes import DType, Spec, bf16, bool_, c64, f8E4M3FN, f16, f32, f64, i4, i8, i32, i64, ui8
from hhlo_xdsl.errors import CompileError, HhloError, RuntimeArgumentError
from hhlo_xdsl.runtime.array import wait
from hhlo_xdsl.runtime.client import Client, Device, open_client
from hhlo_xdsl.runtime.compile import compile_text
from hhlo_xdsl.runtime.executable import Executable
from hhlo_xdsl.runtime.options import CompileOptions
from tests.test_runtime import ADD, X, child, double, identity, slow_program

pytestmark = pytest.mark.compat


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


# Calls


def test_call(add: Executable, device: Device):
    (sum,) = add(X, device.put(X))
    assert sum.numpy().tolist() == [0, 2, 4, 6]
    assert add(sum, sum)[0].numpy().tolist() == [0, 4, 8, 12]
    assert (add.inputs, add.outputs, add.device, add.text) == ((f32[4], f32[4]), (f32[4],), device, ADD)
    assert repr(add) == "Executable((f32[4], f32[4]) -> (f32[4]) on cpu:0)"


def test_call_on_the_second_device(client: Client):
    second = client.devices[1]
    (out,) = compile_text(second, double(), [f32[4]], [f32[4]])(X)
    assert out.device is second
    assert out.numpy().tolist() == [0, 2, 4, 6]


def test_no_arguments_and_no_results(device: Device):
    assert compile_text(device, "func.func @main() { return }", [], [])() == ()


def test_empty_arrays(device: Device):
    (out,) = compile_text(device, identity(f64[0, 3]), [f64[0, 3]], [f64[0, 3]])(np.zeros((0, 3)))
    assert out.numpy().shape == (0, 3)


def test_many_arguments_and_results(device: Device):
    n = 300
    names, types = [f"%a{k}" for k in range(n)], ["tensor<f32>"] * n
    text = f"""func.func @main({", ".join(f"{a}: {t}" for a, t in zip(names, types, strict=True))})
      -> ({", ".join(types)}) {{ return {", ".join(reversed(names))} : {", ".join(types)} }}"""
    exe = compile_text(device, text, [f32[()]] * n, [f32[()]] * n)
    assert [float(out) for out in exe(*map(float, range(n)))] == [float(k) for k in reversed(range(n))]


@pytest.mark.parametrize(
    "args, text",
    [
        ((), r"found 0 arguments, expected 2: \(f32\[4\], f32\[4\]\); pass one value per parameter"),
        ((X, X, X), "found 3 arguments, expected 2"),
        (
            (X, X.astype(np.int32)),
            r"argument 1, expected f32\[4\]: found i32\[4\]; convert it with numpy.asarray\(x, nu",
        ),
        ((X.astype(np.float64), X), r"argument 0, expected f32\[4\]: found f64\[4\]; convert it .*numpy\.float32"),
        ((X.reshape(2, 2), X), r"argument 0, expected f32\[4\]: found f32\[2, 2\]; reshape or transpose it"),
        ((X, 1.0), r"argument 1, expected f32\[4\]: found f32\[\]; reshape"),
        ((X, [0.0] * 4), r"argument 1, expected f32\[4\]: found a list, expected an Array"),
        ((X, None), r"argument 1, expected f32\[4\]: found a NoneType"),
        ((X, np.array([None])), r"argument 1, expected f32\[4\]: dtype object has no StableHLO element type"),
    ],
    ids=range(9),
)
def test_call_refuses(add: Executable, args: tuple[Any, ...], text: str):
    with pytest.raises(RuntimeArgumentError, match=text):
        add(*args)
    on_device = [add.device.put(a) if isinstance(a, np.ndarray) and a.dtype != object else a for a in args]
    with pytest.raises(RuntimeArgumentError, match=text):
        add(*on_device)


def test_call_with_arrays_of_elsewhere(add: Executable, client: Client):
    with pytest.raises(RuntimeArgumentError, match=r"argument 1, .*found an array on cpu:1, but .* on cpu:0; .*put\(x"):
        add(X, client.devices[1].put(X))
    with open_client() as other:
        with pytest.raises(RuntimeArgumentError, match=r"argument 0, .*array on cpu:0 of another client, but"):
            add(other.devices[0].put(X), X)


@pytest.mark.parametrize(
    "value, dtype, expected",
    [
        *((True, bool_, True), (True, i32, 1), (True, f32, 1), (True, c64, 1)),
        *((5, i8, 5), (5, ui8, 5), (-8, i4, -8), (2**40, i64, 2**40), (5, f16, 5), (5, bf16, 5), (5, c64, 5)),
        *((0.5, f32, 0.5), (0.5, f8E4M3FN, 0.5), (0.5, c64, 0.5), (1j, c64, 1j)),
        *((float("inf"), f16, np.inf), (float("-inf"), bf16, -np.inf)),
    ],
)
def test_python_numbers_take_the_dtype_of_the_parameter(device: Device, value: Any, dtype: DType, expected: Any):
    (out,) = compile_text(device, identity(dtype[()]), [dtype[()]], [dtype[()]])(value)
    assert out.spec == dtype[()]
    assert out.item() == expected


@pytest.mark.parametrize(
    "value, dtype, text",
    [
        (1, bool_, r"found the int 1, expected i1; convert it explicitly, as in numpy\.bool\(x\)"),
        (1.0, i32, r"found the float 1\.0, expected i32; .*numpy\.int32\(x\)"),
        (1j, f32, "found the complex 1j, expected f32"),
        (1j, bf16, r"expected bf16; .*ml_dtypes\.bfloat16\(x\)"),
        (128, i8, "found 128, expected a value in the range of i8"),
        (-1, ui8, "found -1, expected a value in the range of ui8"),
        (8, i4, "found 8, expected a value in the range of i4"),
        (2**63, i64, "expected a value in the range of i64"),
        (1e5, f16, r"found 100000\.0, expected a value in the range of f16"),
        (1e39, bf16, "in the range of bf16"),
        (1e3, f8E4M3FN, "in the range of f8E4M3FN"),
        (10**400, f64, "in the range of f64"),
        (1e39j, c64, "in the range of complex<f32>"),
        (np.float64(1), f32, r"found f64\[\]; convert it with numpy\.asarray\(x, numpy\.float32\)"),
        (np.int64(1), i32, r"found i64\[\]; convert it"),
    ],
    ids=repr,
)
def test_python_numbers_that_do_not_fit(device: Device, value: Any, dtype: DType, text: str):
    exe = compile_text(device, identity(dtype[()]), [dtype[()]], [dtype[()]])
    with pytest.raises(RuntimeArgumentError, match=r"argument 0, expected .*" + text):
        exe(value)


def test_donated_argument(device: Device):
    exe = compile_text(device, double(" {tf.aliasing_output = 0 : i32}"), [f32[4]], [f32[4]])
    x = device.put(X)
    assert exe(x)[0].numpy().tolist() == [0, 2, 4, 6]
    assert x.is_deleted
    for use in (x.numpy, x.is_ready, lambda: exe(x)):
        with pytest.raises(RuntimeArgumentError, match="was deleted or donated to a program"):
            use()
    assert exe(X)[0].numpy().tolist() == [0, 2, 4, 6]
    assert X.tolist() == [0, 1, 2, 3]


def test_donation_leaves_views_alone(device: Device):
    exe = compile_text(device, double(" {tf.aliasing_output = 0 : i32}"), [f32[4]], [f32[4]])
    x = device.put(X)
    view = x.numpy()
    wait(exe(x))
    assert view.tolist() == X.tolist()


def test_donating_one_array_twice(device: Device):
    exe = compile_text(
        device, ADD.replace("f32>, %b", "f32> {tf.aliasing_output = 0 : i32}, %b"), [f32[4]] * 2, [f32[4]]
    )
    x = device.put(X)
    with pytest.raises(RuntimeArgumentError, match=r"found one array passed for two parameters.*Pass a copy for one"):
        exe(x, x)


def test_results_come_before_they_are_computed(device: Device):
    exe, x = slow_program(device)
    (out,) = exe(x)
    assert not out.is_ready()
    assert out.block_until_ready() is out
    assert out.is_ready()
    assert out.numpy()[7, 7] == 2000


MANY_PRODUCTS = """func.func @main(%x: tensor<500x500xf32>) -> tensor<500x500xf32> {
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<1000000> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %i0, %a = %x) : tensor<i32>, tensor<500x500xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0]
      : (tensor<500x500xf32>, tensor<500x500xf32>) -> tensor<500x500xf32>
    stablehlo.return %s, %b : tensor<i32>, tensor<500x500xf32>
  }
  return %0#1 : tensor<500x500xf32> }"""


def test_waiting_can_be_interrupted():
    """Ctrl-C, a tenth of a second after the wait began; the program would take minutes."""
    code = f"""
import os, signal, threading
square = f32[500, 500]
exe = compile_text(open_client().devices[0], {MANY_PRODUCTS!r}, [square], [square])
(out,) = exe(np.zeros((500, 500), np.float32))
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    out.block_until_ready()
except KeyboardInterrupt:
    print("interrupted", out.is_ready(), flush=True)
os._exit(0)
"""
    assert child(code) == "interrupted False\n"


FAILING = """func.func @main(%b: tensor<2000x2000xf32>) -> tensor<4xf32> {
  %s = stablehlo.slice %b [0:1, 0:4] : (tensor<2000x2000xf32>) -> tensor<1x4xf32>
  %a = stablehlo.reshape %s : (tensor<1x4xf32>) -> tensor<4xf32>
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%a) {api_version = 4 : i32, has_side_effect = true,
    backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32> }"""


def failing_program(device: Device) -> Executable:
    """A program that fails while it runs. Only jaxlib's own interface can make one."""
    ir: Any = importlib.import_module("jaxlib.mlir.ir")
    stablehlo: Any = importlib.import_module("jaxlib.mlir.dialects.stablehlo")
    extension: Any = importlib.import_module("jaxlib.mlir._mlir_libs._jax_mlir_ext")
    xc: Any = importlib.import_module("jaxlib.xla_client")

    def fail(*_: Any) -> Any:
        raise ValueError("this failed on purpose")

    registry = ir.DialectRegistry()
    extension.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    options = xc.CompileOptions()
    options.device_assignment = xc.DeviceAssignment.create(np.array([[device.id]], np.int32))
    with context:
        module = ir.Module.parse(FAILING)
        compiled = device.handle.client.compile_and_load(module, xc.DeviceList((device.handle,)), options, [fail])
    return Executable(device, compiled, FAILING, [f32[2000, 2000]], [f32[4]])


def test_failure_while_running(device: Device):
    fail = failing_program(device)
    says = r"running the program \(f32\[2000, 2000\]\) -> \(f32\[4\]\) failed: (?s:.*)on purpose"
    with pytest.raises(HhloError, match=says) as e:
        fail(np.zeros((2000, 2000), np.float32))
    assert not isinstance(e.value, RuntimeArgumentError)
    assert isinstance(e.value.__cause__, RuntimeError)


def test_failure_in_the_background(device: Device, add: Executable):
    fail = failing_program(device)
    slow, x = slow_program(device)
    (out,) = fail(*slow(x))  # waits for its argument, so that the call returns before it fails
    for use in (out.block_until_ready, out.numpy, lambda: np.asarray(out), lambda: wait([out])):
        with pytest.raises(HhloError, match=r"computing this array, f32\[4\] on cpu:0, failed: (?s:.*)on purpose"):
            use()
    assert repr(out) == "Array(<failed>, f32[4] on cpu:0)"
    with pytest.raises(HhloError, match="on purpose"):
        wait(add(out, X))


def test_out_of_memory(device: Device):
    big = "tensor<1000000x10000000xf32>"
    text = f"""func.func @main(%a: tensor<f32>) -> {big} {{
      %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> {big}
      return %0 : {big} }}"""
    exe = compile_text(device, text, [f32[()]], [f32[1000000, 10000000]])
    with pytest.raises(HhloError, match=r"failed: RESOURCE_EXHAUSTED: .* Use smaller arrays, delete"):
        exe(1.0)


def in_threads(work: Any, count: int = 8) -> list[Any]:
    """What `work(k)` returned or raised in each of `count` threads."""
    results: list[Any] = [None] * count

    def run(k: int) -> None:
        try:
            results[k] = work(k)
        except Exception as error:
            results[k] = error

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_threads_share_a_program(add: Executable):
    def work(k: int) -> bool:
        y = np.full(4, k, np.float32)
        return all(add(X, y)[0].numpy().tolist() == (X + k).tolist() for _ in range(1000))

    assert in_threads(work) == [True] * 8


def test_threads_compile_at_once(device: Device):
    def work(k: int) -> list[float]:
        exe = compile_text(device, identity(f32[k + 1]), [f32[k + 1]], [f32[k + 1]])
        return exe(np.full(k + 1, k, np.float32))[0].numpy().tolist()

    assert in_threads(work) == [[k] * (k + 1) for k in range(8)]


def test_threads_donate_one_array(device: Device):
    exe = compile_text(device, double(" {tf.aliasing_output = 0 : i32}"), [f32[4]], [f32[4]])
    x = device.put(X)
    results = in_threads(lambda _: exe(x)[0].numpy().tolist(), 4)
    assert results.count([0, 2, 4, 6]) == 1
    assert sum(isinstance(r, RuntimeArgumentError) for r in results) == 3


# Compiling


@pytest.mark.parametrize(
    "text, line, column, says",
    [
        pytest.param(
            ADD.replace("%a, %b :", "%a, %c :"),
            *(2, 26),
            "XLA refused the program at line 2, column 26: use of undeclared SSA value name\n"
            "  2 |   %0 = stablehlo.add %a, %c : tensor<4xf32>\n"
            "    |                          ^\n"
            "Correct the program there; the StableHLO specification lists what each op demands.",
            id="undeclared",
        ),
        pytest.param(
            ADD.replace("%a, %b : tensor<4xf32>", "%a, %b : tensor<5xf32>"),
            *(2, 22),
            "XLA refused the program at line 2, column 22: use of value '%a' expects different type than prior uses:"
            " 'tensor<5xf32>' vs 'tensor<4xf32>'\n"
            "  2 |   %0 = stablehlo.add %a, %b : tensor<5xf32>\n"
            "    |                      ^\n"
            "prior use here at line 1, column 17\n"
            "Correct the program there; the StableHLO specification lists what each op demands.",
            id="type",
        ),
        pytest.param(
            ADD.replace("stablehlo.add", "frob.add"),
            *(2, 8),
            r"Dialect `frob' not found for custom op 'frob.add'",
            id="dialect",
        ),
        pytest.param("", 0, 0, "must have a main function\nName the function to run @main and", id="empty"),
        pytest.param(
            ADD.replace("@main", "private @main"), 0, 0, "Name the function to run @main and do not", id="private"
        ),
        pytest.param(
            "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }",
            *(0, 0),
            "Give every dimension a size: XLA runs programs of static shape.",
            id="dynamic",
        ),
        pytest.param(
            ADD.replace("add %a, %b : tensor<4xf32>", "custom_call @frob(%a) : (tensor<4xf32>) -> tensor<4xf32>"),
            *(0, 0),
            "No code for this custom call is in the process. Replace it by StableHLO ops.",
            id="custom_call",
        ),
        pytest.param(
            ADD.replace("stablehlo.add", "arith.addf"),
            *(2, 8),
            "Express it with ops that XLA runs here.",
            id="arith",
        ),
        pytest.param(ADD + "// \ud800", 0, 0, "XLA refused the program", id="surrogate"),
    ],
)
def test_compile_error(device: Device, text: str, line: int, column: int, says: str):
    with pytest.raises(CompileError) as e:
        compile_text(device, text, [f32[4], f32[4]], [f32[4]])
    assert says in str(e.value)
    assert "Failed to parse using" not in str(e.value)
    assert "see current operation" not in str(e.value)
    assert (e.value.line, e.value.column) == (line, column)


def test_only_text_is_compiled(device: Device):
    program: Any = ADD.encode()
    with pytest.raises(CompileError, match="found a bytes, expected the program's text; print the module first"):
        compile_text(device, program, [f32[4], f32[4]], [f32[4]])


def test_compile_error_names_the_line_of_a_location(device: Device):
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<3xf32> {
      %0 = "stablehlo.reshape"(%a) : (tensor<4xf32>) -> tensor<3xf32> loc("model.py":42:7)
      return %0 : tensor<3xf32> }"""
    with pytest.raises(CompileError, match=r"XLA refused the program at model\.py:42: number of output elements"):
        compile_text(device, text, [f32[4]], [f32[3]])


def test_compile_error_in_a_long_line(device: Device):
    text = double().replace("%a, %a", f"%a, {' ' * 5000}%b")
    with pytest.raises(CompileError, match="use of undeclared SSA value name") as e:
        compile_text(device, text, [f32[4]], [f32[4]])
    quoted, caret = str(e.value).splitlines()[1:3]
    assert len(quoted) < 130
    assert quoted[caret.index("^") :].startswith("%b")


@pytest.mark.parametrize("callback", ["ffi_python_cpu", "ffi_partitioned_python_cpu", "python_cpu", "ffi_python_gpu"])
def test_callbacks_are_refused(device: Device, callback: str):
    call = f"custom_call @xla_{callback}_callback(%a) {{api_version = 4 : i32}} : (tensor<4xf32>) -> tensor<4xf32>"
    text = double().replace("add %a, %a : tensor<4xf32>", call)
    with pytest.raises(
        CompileError, match=r"cannot run: .*_callback at line 2, column \d+ crashes: .*Express it with"
    ) as e:
        compile_text(device, text, [f32[4]], [f32[4]])
    assert e.value.line == 2


@pytest.mark.parametrize(
    "body, says",
    [
        (
            '%t = stablehlo.create_token : !stablehlo.token\n %r:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) ->'
            " (tensor<4xf32>, !stablehlo.token)",
            r"cannot run: stablehlo\.infeed at line 3, column \d+ waits for ever.*Pass the data as an argument of main",
        ),
        (
            '%t = stablehlo.create_token : !stablehlo.token\n %r = "stablehlo.outfeed"(%a, %t) : (tensor<4xf32>,'
            " !stablehlo.token) -> !stablehlo.token",
            r"cannot run: stablehlo\.outfeed at line 3, column \d+ waits for ever.*Return the value from main",
        ),
    ],
    ids=["infeed", "outfeed"],
)
def test_feeds_are_refused(device: Device, body: str, says: str):
    text = double().replace("%0 =", f"{body}\n %0 =")
    with pytest.raises(CompileError, match=says):
        compile_text(device, text, [f32[4]], [f32[4]])


def test_layouts_are_refused(device: Device):
    text = identity(f32[2, 3], ' {mhlo.layout_mode = "{0,1}"}')
    with pytest.raises(
        CompileError, match=r"mhlo\.layout_mode at line 1, .*arrays here are row-major\. Leave the attribute"
    ):
        compile_text(device, text, [f32[2, 3]], [f32[2, 3]])


def test_comments_are_not_refused(device: Device):
    text = "// no stablehlo.infeed, no xla_ffi_python_cpu_callback\n" + double()
    assert compile_text(device, text, [f32[4]], [f32[4]])(X)[0].numpy()[3] == 6


@pytest.mark.parametrize(
    "inputs, outputs, says",
    [
        (
            [i32[4]],
            [f32[4]],
            r"argument 0 of main is f32\[4\]\{0\} to XLA, but i32\[4\], which is s32\[4\]\{0\}, was declared",
        ),
        ([f32[2, 2]], [f32[4]], r"argument 0 of main is f32\[4\]\{0\} to XLA, but f32\[2, 2\]"),
        ([f32[4]], [f64[4]], r"result 0 of main is f32\[4\]\{0\} to XLA, but f64\[4\]"),
        ([], [f32[4]], r"main has 1 arguments \(f32\[4\]\{0\}\), but 0 were declared \(\); declare the types of main"),
        ([f32[4]], [f32[4], f32[4]], r"main has 1 results .*but 2 were declared"),
    ],
)
def test_declared_types_must_be_those_of_main(device: Device, inputs: list[Spec], outputs: list[Spec], says: str):
    with pytest.raises(CompileError, match=says):
        compile_text(device, double(), inputs, outputs)


def test_options(device: Device):
    exe = compile_text(device, double(), [f32[4]], [f32[4]], CompileOptions(optimization_level=0))
    assert exe(X)[0].numpy().tolist() == [0, 2, 4, 6]
    for options in (
        {"xla_frob": 1},
        {"xla_backend_optimization_level": "high"},
        {"xla_backend_optimization_level": None},
    ):
        with pytest.raises(CompileError, match="XLA refused the program: "):
            compile_text(device, double(), [f32[4]], [f32[4]], CompileOptions(flags=options))  # pyright: ignore
    with pytest.raises(CompileError, match=r"No such compile option: 'xla_frob'\nOptions are XLA debug flags"):
        compile_text(device, double(), [f32[4]], [f32[4]], CompileOptions(flags={"xla_frob": 1}))


def test_shardy_annotations_compile(device: Device):
    text = 'module { sdy.mesh @mesh = <["x"=1]>\n' + double(' {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}') + "}"
    assert compile_text(device, text, [f32[4]], [f32[4]])(X)[0].numpy().tolist() == [0, 2, 4, 6]
