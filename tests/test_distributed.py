"""Several processes that compute together, on loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import hhlo_xdsl as hh

pytestmark = pytest.mark.compat

PRELUDE = """
import builtins, functools, os, sys
import numpy as np
import hhlo_xdsl as hh
rank, count, address = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
print = functools.partial(builtins.print, file=open(sys.argv[4], "w", buffering=1))
SUM = '''func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[GROUP]> : tensor<1xNxi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}'''
def total(n): return SUM.replace("GROUP", str(list(range(n)))).replace("N", str(n))
"""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def processes(code: str, count: int = 2, started: Sequence[int] | None = None) -> list[tuple[int, str, str]]:
    """Exit code, output and errors of `code` in processes of a group of `count`, of which `started` exist.

    What they print goes to files, since gloo writes to the standard output.
    """
    address = f"127.0.0.1:{free_port()}"
    found: list[tuple[int, str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / str(rank) for rank in (range(count) if started is None else started)]
        children = [
            subprocess.Popen(
                [sys.executable, "-c", PRELUDE + code, file.name, str(count), address, str(file)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"},
            )
            for file in files
        ]
        for child, file in zip(children, files, strict=True):
            _, errors = child.communicate(timeout=90)
            found.append((child.returncode, file.read_text().rstrip("\n"), errors))
    return found


def test_all_reduce_across_processes():
    code = """
with hh.distributed.initialize(address, count, rank, timeout=30, address="127.0.0.1"):
    with hh.Session("cpu", devices=2) as s:
        print(len(s.devices), len(s.all_devices), [d.process for d in s.all_devices])
        exe = s.compile(total(4), options=hh.CompileOptions(replicas=4))
        rows = [[np.full(2, 2 * rank + k + 1, np.float32)] for k in range(2)]
        for _ in range(3):
            rows = exe.run_replicas(rows)
        print([out.numpy().tolist() for (out,) in rows])
"""
    for done in processes(code):
        assert done == (0, "2 4 [0, 0, 1, 1]\n[[160.0, 160.0], [160.0, 160.0]]", "")


def test_arguments_are_those_of_this_process():
    code = """
with hh.distributed.initialize(address, count, rank, timeout=30, address="127.0.0.1"):
    s = hh.Session("cpu")
    exe = s.compile(total(2), options=hh.CompileOptions(replicas=2))
    x = [np.ones(2, np.float32)]
    try: exe.run_replicas([x, x])
    except hh.RuntimeArgumentError as error: print(error)
    try: s.compile(total(2), options=hh.CompileOptions(partitions=2))
    except hh.CompileError as error: print(error)
    try: hh.distributed.initialize(address, count, rank)
    except hh.PluginError as error: print(error)
    print(exe.run_replicas([x])[0][0].numpy().tolist())
"""
    for rank, (code_, out, err) in enumerate(processes(code)):
        assert (code_, err) == (0, "")
        first, second, third, last = out.splitlines()
        assert first == (
            "found arguments for 2 replicas, but the program was compiled for 2, of which 1 are in this process"
        )
        assert second.startswith("the partitions of replica 0 are on devices of several processes, [cpu:0, cpu:")
        assert third == (f"distributed: this process belongs to Group(process {rank} of 2) already; shut it down first")
        assert last == "[2.0, 2.0]"


def test_a_missing_process_is_an_error():
    code = """
try: hh.distributed.initialize(address, count, rank, timeout=1)
except hh.PluginError as error: print(error)
with hh.Session("cpu") as s:
    print(float(s.put(1.0)))
"""
    with ThreadPoolExecutor() as pool:
        alone = list(pool.map(lambda rank: processes(code, started=[rank])[0], (0, 1)))
    for rank, (status, out, _) in enumerate(alone):
        assert status == 0
        first, last = out.splitlines()
        assert first.startswith(f"distributed: process {rank} waited 1 s at 127.0.0.1:")
        assert first.endswith(
            "for 2 processes, and not all of them came; start them all, with one address that all reach and a port that"
            " is free"
        )
        assert last == "1.0"


def test_a_process_that_dies_makes_collectives_fail():
    code = """
group = hh.distributed.initialize(address, count, rank, timeout=5, address="127.0.0.1")
s = hh.Session("cpu")
exe = s.compile(total(2), options=hh.CompileOptions(replicas=2))
x = [np.ones(2, np.float32)]
print(exe.run_replicas([x])[0][0].numpy().tolist(), flush=True)
if rank == 1:
    os.kill(os.getpid(), 9)
try: exe.run_replicas([x])[0][0].numpy()
except hh.HhloError as error: print(type(error).__name__, "Gloo all-reduce failed" in str(error))
try: group.barrier("here", timeout=0.5)
except hh.PluginError as error: print(error)
print(float(s.put(2.0)), flush=True)
os._exit(0)
"""
    (status, out, _), (killed, _, _) = processes(code)
    assert (status, killed) == (0, -signal.SIGKILL)
    first, second, third, last = out.splitlines()
    assert (first, second, last) == ("[2.0, 2.0]", "HhloError True", "2.0")
    assert third.startswith(
        "barrier 'here': not all of 2 processes came within 0.5 s; look at the output of the others"
    )


@pytest.mark.parametrize(
    "arguments, text",
    [
        (("localhost", 2, 0), "coordinator is 'localhost'; an address and port"),
        (("localhost:0", 2, 0), "coordinator is 'localhost:0'; an address and port"),
        ((None, 2, 0), "coordinator is None; an address and port"),
        (("localhost:9", 0, 0), "num_processes is 0; an integer of at least 1"),
        (("localhost:9", 2, 2), r"process_id is 2; a number in 0\.\.1"),
        (("localhost:9", 2, True), "process_id is True; a number in"),
    ],
)
def test_wrong_arguments(arguments: Any, text: str):
    with pytest.raises(hh.PluginError, match=text):
        hh.distributed.initialize(*arguments)
    with pytest.raises(hh.PluginError, match="timeout is 0; seconds above 0"):
        hh.distributed.initialize("localhost:9", 2, 0, timeout=0)
