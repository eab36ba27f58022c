"""Programs that call Python functions and native code."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.test_runtime import run_child

pytestmark = pytest.mark.compat

X = np.arange(4, dtype=np.float32)


@pytest.fixture(scope="module")
def session() -> Iterator[hh.Session]:
    with hh.Session("cpu") as session:
        yield session


# Python functions


def test_a_function_of_arrays():
    f = hh.jit(lambda x, y: hh.callback(np.hypot, hh.f32[4], x, y) * 2)
    np.testing.assert_allclose(f(X, X + 1).numpy(), 2 * np.hypot(X, X + 1), rtol=1e-6)


def test_containers_and_several_results():
    def split(tree: dict[str, Any]) -> dict[str, Any]:
        return {"sum": tree["a"] + tree["b"], "count": np.int32(tree["a"].size)}

    f = hh.jit(lambda a, b: hh.callback(split, {"sum": hh.f32[4], "count": hh.i32}, {"a": a, "b": b}))
    out = f(X, X)
    assert (out["sum"].numpy().tolist(), int(out["count"])) == ([0, 2, 4, 6], 4)


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint16, np.float16, ml_dtypes.bfloat16, np.float64, np.complex64]
)
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_every_dtype_and_shape(dtype: Any, shape: tuple[int, ...]):
    x = np.ones(shape, dtype)
    seen: list[Any] = []

    def look(value: Any) -> Any:
        seen.append(value)
        return value

    out = hh.jit(lambda a: hh.callback(look, hh.spec(x), a))(x).numpy()
    assert (out.dtype, out.shape, out.tolist()) == (x.dtype, shape, x.tolist())
    # XLA does not compute what has no elements.
    assert [(v.dtype, v.shape) for v in seen] == ([(x.dtype, shape)] if x.size else [])


def test_what_the_function_gets_is_its_own():
    kept: list[Any] = []

    def keep(value: Any) -> Any:
        kept.append(value)
        return value

    f = hh.jit(lambda a: hh.callback(keep, hh.f32[4], a))
    for k in range(5):
        f(X + k).block_until_ready()
    assert [v.tolist() for v in kept] == [(X + k).tolist() for k in range(5)]


def test_transposed_results_are_laid_out_anew():
    f = hh.jit(lambda a: hh.callback(lambda v: v.T, hh.f32[3, 2], a))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(f(x).numpy(), x.T)


def test_side_effects_happen_although_unused():
    calls: list[float] = []

    def note(value: Any) -> tuple[()]:
        calls.append(float(value))
        return ()

    def fn(x: Any, effect: bool) -> Any:
        hh.callback(note, (), x, has_side_effect=effect)
        return x + 1

    assert float(hh.jit(lambda x: fn(x, True))(1.0)) == 2
    assert float(hh.jit(lambda x: fn(x, False))(5.0)) == 6
    assert calls == [1.0]


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda v: v.astype(np.float64), r"returned result 0 as float64\[4\], expected f32\[4\]"),
        (lambda v: v[:2], r"returned result 0 as float32\[2\], expected f32\[4\]; convert it"),
        (lambda v: (v, v), r"returned .*, expected "),
        (lambda v: None, r"returned .*, expected "),
        (lambda v: 1 / 0, r"ZeroDivisionError: division by zero"),
    ],
)
def test_wrong_results_are_errors(wrong: Any, text: str):
    with pytest.raises(hh.HhloError, match=text):
        hh.jit(lambda a: hh.callback(wrong, hh.f32[4], a))(X).numpy()


def test_after_an_error_the_program_runs_again():
    fail = [True]

    def maybe(value: Any) -> Any:
        if fail[0]:
            raise ValueError("not yet")
        return value

    f = hh.jit(lambda a: hh.callback(maybe, hh.f32[4], a))
    with pytest.raises(hh.HhloError, match="ValueError: not yet"):
        f(X).numpy()
    fail[0] = False
    assert f(X).numpy().tolist() == X.tolist()


def test_two_functions_in_one_program():
    def both(a: Any) -> Any:
        return hh.callback(np.sin, hh.f32[4], a) + hh.callback(np.cos, hh.f32[4], a)

    np.testing.assert_allclose(hh.jit(both)(X).numpy(), np.sin(X) + np.cos(X), rtol=1e-6)


def test_outside_a_trace():
    with pytest.raises(hh.TraceError, match=r"no program being traced; call it within hh.trace or hh.jit"):
        hh.callback(np.sin, hh.f32[4], X)


def test_what_is_no_type():
    with pytest.raises(hh.TraceError, match=r"types are .*; types such as"):
        hh.trace(lambda a: hh.callback(np.sin, "f32", a), hh.f32[4])


def test_no_derivative():
    with pytest.raises(hh.DifferentiationError, match=r"stablehlo.custom_call: no derivative rule"):
        hh.grad(lambda a: hh.sum(hh.callback(np.sin, hh.f32[4], a)))(X)


def test_programs_of_another_process(session: hh.Session):
    text = hh.to_text(hh.trace(lambda a: hh.callback(np.sin, hh.f32[4], a), hh.f32[4]), syntax="pretty")
    exe = session.compile(text)
    np.testing.assert_allclose(exe(X)[0].numpy(), np.sin(X), rtol=1e-6)
    with pytest.raises(hh.CompileError, match="runs in the process that traced it; it has no bytes"):
        exe.serialize()
    done = run_child(f"import hhlo_xdsl as hh\nhh.Session('cpu').compile({text!r})")
    assert "calls Python function" in done.stderr
    assert "which this process does not have" in done.stderr


def test_a_session_with_a_cache_compiles_callbacks_anew(tmp_path: Path):
    with hh.Session("cpu", cache=tmp_path) as session:
        module = hh.trace(lambda a: hh.callback(np.sin, hh.f32[4], a), hh.f32[4])
        np.testing.assert_allclose(session.compile(module)(X)[0].numpy(), np.sin(X), rtol=1e-6)
    assert list(tmp_path.iterdir()) == []


# Native code

SCALE = """
#include <stdint.h>
#include "xla/ffi/api/c_api.h"

XLA_FFI_Error* scale(XLA_FFI_CallFrame* frame) {
  if (frame->extension_start && frame->extension_start->type == XLA_FFI_Extension_Metadata) {
    XLA_FFI_Metadata* m = ((XLA_FFI_Metadata_Extension*)frame->extension_start)->metadata;
    m->api_version.major_version = XLA_FFI_API_MAJOR;
    m->api_version.minor_version = XLA_FFI_API_MINOR;
    return 0;
  }
  XLA_FFI_Buffer* x = (XLA_FFI_Buffer*)frame->args.args[0];
  XLA_FFI_Buffer* y = (XLA_FFI_Buffer*)frame->rets.rets[0];
  for (int64_t i = 0; i < x->dims[0]; i++) ((float*)y->data)[i] = 3 * ((float*)x->data)[i];
  return 0;
}

XLA_FFI_Error* mute(XLA_FFI_CallFrame* frame) { return 0; }
"""
CALL = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.custom_call @{name}(%a) {{api_version = 4 : i32, backend_config = {{}}}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    import jaxlib

    folder = tmp_path_factory.mktemp("ffi")
    (folder / "scale.c").write_text(SCALE)
    include = Path(jaxlib.__file__).parent / "include"
    built = folder / "libscale.so"
    command = ["cc", "-shared", "-fPIC", "-O1", f"-I{include}", str(folder / "scale.c"), "-o", str(built)]
    subprocess.run(command, check=True, timeout=60)
    return str(built)


def test_native_code(session: hh.Session, library: str):
    hh.register_ffi("test_scale", library, "scale")
    hh.register_ffi("test_scale", library, "scale")
    assert session.compile(CALL.format(name="test_scale"))(X)[0].numpy().tolist() == [0, 3, 6, 9]


def test_wrong_libraries(library: str, tmp_path: Path):
    hh.register_ffi("test_once", library, "scale")
    with pytest.raises(hh.PluginError, match=r"test_once is scale of .*libscale.so already; choose another name"):
        hh.register_ffi("test_once", library, "mute")
    with pytest.raises(hh.PluginError, match=r"libscale.so has no symbol test_absent"):
        hh.register_ffi("test_absent", library)
    with pytest.raises(hh.PluginError, match=r"the library .*absent.so does not load"):
        hh.register_ffi("test_file", tmp_path / "absent.so")
    (tmp_path / "text.so").write_text("not a library")
    with pytest.raises(hh.PluginError, match=r"the library .*text.so does not load"):
        hh.register_ffi("test_text", tmp_path / "text.so")
    with pytest.raises(hh.PluginError, match=r"XLA refused mute of .*libscale.so"):
        hh.register_ffi("test_mute", library, "mute")


def test_unregistered_names(session: hh.Session):
    with pytest.raises(hh.CompileError, match="No code for this custom call is in the process"):
        session.compile(CALL.format(name="test_nobody"))
