"""PJRT plug-ins: two that run on the CPU, from the package index (`make plugins`), and libraries that are none."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

from hhlo_xdsl.errors import PluginError
from hhlo_xdsl.session import Session
from tests.test_runtime import run_child

LIBRARIES = {
    "new": ("lammps_jax_pjrt_cpu", "pjrt_c_api_cpu_plugin.so"),
    "old": ("xla_plugins", "xla_cpu_pjrt/xla_cpu_pjrt.so"),
}
"""Both run on the CPU; they were built two years apart."""


def library(name: str) -> str:
    package, file = LIBRARIES[name]
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"{package} is not installed; make plugins installs it")
    return str(Path(spec.submodule_search_locations[0]) / file)


PRELUDE = """
import hhlo_xdsl as hh
def loss(w, x): return hh.mean(hh.tanh(x @ w) ** 2)
types = hh.f32[4, 6], hh.f32[8, 4]
W = np.arange(24, dtype=np.float32).reshape(4, 6) / 7 - 1
X = np.arange(32, dtype=np.float32).reshape(8, 4) / 10
module = hh.trace(hh.value_and_grad(loss), *types)
def same(exe):
    value, gradient = exe(W, X)
    y = np.tanh(X.astype(np.float64) @ W)
    np.testing.assert_allclose(float(value), np.mean(y**2), rtol=1e-6)
    np.testing.assert_allclose(gradient.numpy(), X.T @ (2 * y * (1 - y**2)) / y.size, rtol=1e-5, atol=1e-7)
"""


def printed(code: str) -> list[str]:
    """What the child prints; it must end well. Plug-ins log to stderr as they like."""
    done = run_child(PRELUDE + code)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", LIBRARIES)
def test_gradient_on_a_plugin(name: str):
    code = f"""
with hh.Session(plugin={library(name)!r}, devices=2) as s:
    print(s.platform, s.devices)
    same(s.compile(module))
    second = s.compile(module, device=s.devices[1])
    same(second)
    print(second(W, X)[0].device, s.put(s.put(X), device=s.devices[1]).numpy().sum() == X.sum())
    for t in (hh.bf16, hh.f8E5M2, hh.i4, hh.bool_, hh.c64, hh.f64):
        assert s.put(np.zeros(3, t.numpy)).numpy().dtype == t.numpy
print("closed")
try: second(W, X)
except hh.RuntimeArgumentError as error: print(error)
"""
    first, second, third, last = printed(code)
    assert (first, second, third) == ("cpu (cpu:0, cpu:1)", "cpu:1 True", "closed")
    assert last.startswith("the cpu client was closed; use its arrays and programs before closing it")


def test_two_plugins_and_the_built_in_platform():
    code = f"""
sessions = [hh.Session(plugin={library("new")!r}), hh.Session(plugin={library("old")!r}), hh.Session("cpu")]
programs = [s.compile(module) for s in sessions]
for exe in programs: same(exe)
for k, exe in enumerate(programs):
    for other in sessions[:k] + sessions[k + 1:]:
        try: exe(other.put(W), X)
        except hh.RuntimeArgumentError as error: print(error)
        same_values = exe.device.put(other.put(W)).numpy()
        assert same_values.tolist() == W.tolist()
"""
    lines = printed(code)
    assert len(lines) == 6
    assert set(lines) == {
        "argument 0, expected f32[4, 6]: found an array on cpu:0 of another client, but the program runs on cpu:0; move"
        " the array with put(x, device)"
    }


def test_replicas_on_a_plugin():
    code = f"""
from tests.test_parallel import SUM, arguments
with hh.Session(plugin={library("new")!r}, devices=4) as s:
    exe = s.compile(SUM, options=hh.CompileOptions(replicas=4))
    print([float(total) for total, _ in exe.run_replicas(arguments())])
"""
    assert printed(code) == ["[10.0, 10.0, 10.0, 10.0]"]


def test_options_of_a_plugin():
    code = f"""
path = {library("new")!r}
print(len(hh.Session(plugin=path, options={{"cpu_device_count": 3}}, devices=3).devices))
for given in ({{"frob": 1}}, {{"cpu_device_count": "many"}}):
    try: hh.Session(plugin=path, options=given)
    except hh.PluginError as error: print("did not start" in str(error))
try: hh.Session(plugin=path, options={{"cpu_device_count": 1}}, devices=2)
except hh.PluginError as error: print(str(error).removeprefix(f"the plug-in {{path}} "))
"""
    assert printed(code) == ["3", "True", "True", "has 1 devices, expected at least 2; pass devices=1"]


def test_what_a_platform_does_not_tell():
    code = f"""
exe = hh.Session(plugin={library("new")!r}).compile(module)
try: exe.cost_analysis()
except hh.HhloError as error: print(error)
print(exe.memory_stats().arguments)
"""
    first, second = printed(code)
    assert first.startswith("the cpu platform does not give the cost of the program: UNIMPLEMENTED")
    assert second == str(4 * (24 + 32))


# Libraries that are no plug-in

SOURCES = {
    "no_entry": ("int other;", "it has no function GetPjrtApi"),
    "no_table": ("void* GetPjrtApi(void) { return 0; }", "its GetPjrtApi gives no table of functions"),
    "old_version": (
        "static char table[8192]; void* GetPjrtApi(void) { *(unsigned long*)table = 8192; return table; }",
        r"Plugin PJRT API version 0\.0 is older than the minimum supported version",
    ),
}


@pytest.mark.compat
@pytest.mark.parametrize("name", SOURCES)
def test_other_libraries(name: str, tmp_path: Path):
    source, text = SOURCES[name]
    (tmp_path / "fake.c").write_text(source)
    built = tmp_path / f"{name}.so"
    subprocess.run(["cc", "-shared", "-fPIC", str(tmp_path / "fake.c"), "-o", str(built)], check=True, timeout=60)
    with pytest.raises(
        PluginError, match=rf"the plug-in .*{name}\.so did not start: .*{text}.*; check that it is a PJRT"
    ):
        Session(plugin=built)


@pytest.mark.compat
def test_a_damaged_library(tmp_path: Path):
    (tmp_path / "damaged.so").write_bytes(b"\x7fELF" + bytes(100))
    with pytest.raises(PluginError, match=r"damaged\.so did not start: it does not load: .*"):
        Session(plugin=tmp_path / "damaged.so")
