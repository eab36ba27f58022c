"""Data-parallel training: two devices of one process, and two processes of one device each, bit for bit the same.

Each replica computes the gradient of its half of the batch; an all_reduce adds the halves up, so that every replica
takes the same step. The program is the same in both cases.
"""

import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import hhlo_xdsl as hh

REPLICAS, STEPS, RATE, BATCH = 2, 20, 0.1, 32


def main() -> None:
    """Train both ways and compare."""
    if len(sys.argv) == 3:
        in_group(int(sys.argv[1]), sys.argv[2])
        return
    with hh.Session("cpu", devices=REPLICAS) as session:
        together = train(session, range(REPLICAS))
    print(f"loss of two devices in one process: {together[0]:.6f} -> {together[-1]:.6f}")
    address = f"127.0.0.1:{free_port()}"
    with ThreadPoolExecutor() as pool:
        apart = list(pool.map(lambda rank: child(rank, address), range(REPLICAS)))
    same = all(losses == together for losses in apart)
    print(f"two processes of one device give the same {STEPS} losses, bit for bit: {same}")
    if not same:
        raise SystemExit(f"they differ: {apart}")


def in_group(rank: int, address: str) -> None:
    """One of two processes; its losses go to the standard error, since gloo writes to the standard output."""
    with hh.distributed.initialize(address, REPLICAS, rank, timeout=60, address="127.0.0.1"):
        with hh.Session("cpu") as session:
            print(*(loss.hex() for loss in train(session, [rank])), file=sys.stderr)


def child(rank: int, address: str) -> list[float]:
    """The losses of a process of its own."""
    command = [sys.executable, __file__, str(rank), address]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return [float.fromhex(word) for word in done.stderr.splitlines()[-1].split()]


def loss(params, x, y):
    """The mean squared error of a network of one hidden layer."""
    w, v = params
    return hh.mean((hh.tanh(x @ w) @ v - y) ** 2)


def step(w, v, x, y):
    """The loss over all replicas, and the parameters after a step against its gradient."""
    value, (dw, dv) = hh.value_and_grad(loss)((w, v), x, y)
    groups = [list(range(REPLICAS))]
    value, dw, dv = hh.stablehlo.all_reduce([value, dw, dv], groups, hh.stablehlo.add)
    return value / REPLICAS, w - RATE / REPLICAS * dw, v - RATE / REPLICAS * dv


def train(session: hh.Session, mine) -> list[float]:
    """The loss at each step, on the replicas `mine` of this process."""
    types = hh.f32[4, 16], hh.f32[16, 1], hh.f32[BATCH, 4], hh.f32[BATCH, 1]
    program = session.compile(hh.trace(step, *types), options=hh.CompileOptions(replicas=REPLICAS))
    rng = np.random.default_rng(0)
    w, v = rng.normal(0, 0.5, (4, 16)).astype(np.float32), rng.normal(0, 0.5, (16, 1)).astype(np.float32)
    parameters = [(w, v) for _ in mine]
    losses = []
    for _ in range(STEPS):
        x = rng.standard_normal((REPLICAS, BATCH, 4)).astype(np.float32)
        y = np.sin(x.sum(2, keepdims=True))
        results = program.run_replicas([(*p, x[r], y[r]) for p, r in zip(parameters, mine, strict=True)])
        losses.append(results[0][0].item())
        parameters = [(w, v) for _, w, v in results]
    return losses


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


if __name__ == "__main__":
    main()
